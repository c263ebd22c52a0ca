"""The short games that are kept, as their players are told of them while they play: foresight, news, Wars, Game Turns.

Under each act stands what was foreseen of it (?), then what waits for a seat (!), what each answer to a new question of
War would bring (=), what has changed in the Wars and how they stand (:), and what the pages tell of it (|). A mark says
in which tone: + for a gain, - for a loss or a danger, ~ for what hardly matters; the place stands in brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import powers_of
from paxtui.pax.diplomacy.peace import with_a_voice
from paxtui.pax.history import events as ev
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of
from paxtui.pax.play.choices import options_of
from paxtui.pax.reports import foretold
from paxtui.pax.reports.foresight import foresee
from paxtui.pax.reports.must_do import must_dos
from paxtui.pax.reports.page import BAD, FAINT, GOOD, Page, Told
from paxtui.pax.reports.plain import must_do_lines, standing_lines
from paxtui.pax.reports.since import since
from paxtui.pax.reports.turn_begin import begin_of_turn
from paxtui.pax.reports.turn_end import end_of_turn
from paxtui.pax.reports.war import answers, ending, odds, peace_outcome, peace_terms, peril, shares, standing
from paxtui.pax.reports.war.compared import changes
from paxtui.pax.reports.war.front import front
from paxtui.pax.reports.war.shares import Figure
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Pending
from paxtui.pax.state.war import ATTACK, War
from paxtui.pax.war import cycle
from tests.pax.kept import Kept, kept
from tests.rules.harness import tables

SHORT = ("congress", "great-war", "ottoman-war", "rebellion-lost", "rebellion-won", "russo-japanese", "scenes",
         "spanish-american", "tension")  # fmt: skip
LONG = ("ten-turns", "whole-game")
"""Games of which only the pages between two Game Turns are kept, each as another seat reads them."""
MOST = 6
"""Answers of a question that are told at most."""
MARKS = {GOOD: "+", BAD: "-", FAINT: "~"}
T = tables()


def told(name: str) -> Iterator[str]:
    """A game as it is told."""
    game = kept(f"{name}-0.2.0")
    if name not in LONG:
        yield from _acts(game)
    yield from _turns(game)


def _marked(lines: Iterable[Told], sign: str) -> Iterator[str]:
    for line in lines:
        yield f"  {sign} {MARKS.get(line.tone, ' ')} {line.text}" + (f" [{line.place}]" if line.place else "")


def _page(page: Page) -> Iterator[str]:
    yield f"  | {page.title}"
    yield from (f"  |   {line}" for line in standing_lines(T, page))
    for section in page.sections:
        yield f"  |  {section.title}"
        yield from _marked(section.lines, "|")


# --- act by act -----------------------------------------------------------------------------------------------------


def _acts(game: Kept) -> Iterator[str]:
    waits: dict[str, list[str]] = {}
    asked: set[str] = set()
    stood: dict[str, set[str]] = {}
    narrator = Narrator(T, game.states[0])
    for n, act in enumerate(game.acts):
        before, after, order = game.states[n], game.states[n + 1], game.orders[n]
        if order is None:
            continue
        seats = before.players or after.players
        reader = next(s for s in seats[n % len(seats) :] + seats if s != act.seat)
        yield f"{n + 2} {act.seat}: {'sets up a position' if isinstance(order, ac.SetPosition) else text_of(T, order)}"
        if act.seat in before.players:
            yield from _foreseen(before, act.seat, order)
        narrator.learn(act.events)
        yield from _news(game, n, narrator, reader)
        yield from _waiting(after, act.seat if act.seat in after.players else reader, waits)
        yield from _answers(after, asked)
        yield from _wars(narrator, before, after, act.events, reader, stood)


def _foreseen(state: State, seat: str, order: ac.Action) -> Iterator[str]:
    seen = foresee(T, state, seat, order)
    if isinstance(seen, Refusal):
        yield f"  ? refused: {seen.message}"
    elif not seen.answer:  # those of a question stand where it was asked
        yield from _marked(foretold.told(T, state, seat, seen), "?")
        if figures := foretold.figures(seen):
            yield f"  ?   figures{figures}"


def _news(game: Kept, n: int, narrator: Narrator, reader: str) -> Iterator[str]:
    page = since(narrator, reader, game.states[n + 1], game.acts[n : n + 1])
    for section in page.sections:
        yield f"  | {reader}, {section.title}"
        yield from _marked(section.lines, "|")


def _waiting(state: State, seat: str, waits: dict[str, list[str]]) -> Iterator[str]:
    lines = must_do_lines(must_dos(T, state, seat))
    if lines != waits.get(seat, []):
        yield from (f"  ! {seat}: {line}" for line in lines or ["nothing more"])
    waits[seat] = lines


def _answers(state: State, asked: set[str]) -> Iterator[str]:
    """What the answers to a question would bring, of each kind once for each that a game asks."""
    for choice in state.choices:
        about = f"{choice.kind} {choice.prompt}"
        divided = shares.is_about_spoils(choice)
        if about in asked or not (divided or answers.is_asked_here(choice)):
            continue
        asked.add(about)
        for text in options_of(choice)[:MOST]:
            yield f"  = {choice.power}: {text}"
            if divided:
                yield from _share(state, choice, text)
            else:
                yield from _marked(answers.answer(T, state, choice, text).told, "=")


def _share(state: State, choice: Pending, text: str) -> Iterator[str]:
    found = shares.share(T, state, choice, text)
    yield f"  =   demands {shares.demanded(T, state, choice, text)}, then {shares.still_to_come(T, state, choice)}"
    yield f"  =   heard {shares.heard(T, choice)}, against {found.against}, waits: {found.waits}"
    yield from _marked(shares.told(T, choice, state, found), "=")
    yield from _figures(shares.figures(T, choice.power, choice.seat, state, found.state), "=")


def _figures(figures: Iterable[Figure], sign: str) -> Iterator[str]:
    for figure in figures:
        if figure.before != figure.after:
            mark = "+" if (figure.after > figure.before) == figure.more_is_better else "-"
            yield f"  {sign} {mark} {figure.what}: {figure.before} to {figure.after}"


def _wars(
    narrator: Narrator,
    before: State,
    after: State,
    events: tuple[ev.Event, ...],
    reader: str,
    stood: dict[str, set[str]],
) -> Iterator[str]:
    """What has changed in the Wars, and of how each stands what has not been said in the Phase before."""
    if before.wars or after.wars:
        yield from _marked(changes(narrator, before, after, events, powers_of(T, after, reader)), ":")
    for war in after.wars:
        then = next((w for w in before.wars if w.id == war.id), None)
        if then is None or (then.stage, then.turn_of, then.cycle) != (war.stage, war.turn_of, war.cycle):
            stands = [*_stands(after, war)]
            yield from (line for line in stands if line not in stood.get(war.id, ()))
            stood[war.id] = {*stands}


def _stands(state: State, war: War) -> Iterator[str]:
    for end in ending.ends(T, state, war, tuple(state.players)):
        yield f"  :   end {end.test} of {end.side}, {end.left} left: {end.text}"
    for side in standing.sides(state, war):
        for danger in peril.perils(T, state, war, side.number):
            yield f"  :   peril of {side.number}: {peril.said(T, war, danger)}"
    if war.stage == ATTACK and cycle.current(state) == war:
        for place, kind, attack in odds.openings(T, state, war):
            yield f"  :   {place} {kind}, {odds.summary(attack)}"
            yield f"  :   {odds.said(T, attack)}"
    for power in with_a_voice(T, state, war)[:1]:
        yield from _front(state, war, power)
        yield from _peace(state, war, power)


def _front(state: State, war: War, power: str) -> Iterator[str]:
    """The map of a War as one of those who fight it sees it."""
    seen = front(T, state, war, war.side_of(power))
    for what, lines in (("own lines", seen.own_lines), ("enemy lines", seen.enemy_lines)):
        if lines:
            yield f"  :   {what}: {', '.join(f'{start} > {end}' for start, end in sorted(lines))}"
    for what in ("blockaded", "coaling", "volunteered", "peril", "within"):
        if places := sorted(getattr(seen, what)):
            yield f"  :   {what}: {', '.join(places)}"
    held = [
        f"{place} {number}" for place, number in seen.held.items() if place in seen.units or place in seen.conquered
    ]
    yield f"  :   held: {', '.join(held)}; conquered: {seen.conquered}"
    for place, units in seen.units.items():
        yield f"  :   {place}: {' '.join(f'{number} {u.power} {u.name}' for number, u in units)}"


def _peace(state: State, war: War, power: str) -> Iterator[str]:
    """The peace that one of those who fight could propose, and what each Area it speaks of could become."""
    if war not in peace_terms.wars_to_end(T, state, power):
        return
    terms = peace_terms.begun(T, state, war, power)
    yield f"  :   peace of {power}: {text_of(T, peace_terms.draft(T, state, terms))}"
    yield from _peace_told(state, war, terms)
    for area in peace_terms.on_the_table(T, state, war, terms):
        yield f"  :   {area} {peace_terms.stays(T, state, war, area)}, or: " + "; ".join(
            peace_terms.fate_said(T, state, fate) for fate in peace_terms.fates(T, state, war, area, power)
        )
        fate = next(peace_terms.fates(T, state, war, area, power), None)
        yield from _peace_told(state, war, terms.with_fate(area, fate))


def _peace_told(state: State, war: War, terms: peace_terms.Terms) -> Iterator[str]:
    parties = (terms.power, *terms.signers)
    found = peace_outcome.outcome(T, state, terms.clauses, parties)
    yield from _marked(peace_outcome.told(T, terms.power, state, war, found), ":  ")
    yield from _figures(peace_outcome.figures(T, parties, state, found), ":  ")


# --- turn by turn ---------------------------------------------------------------------------------------------------


def _turns(game: Kept) -> Iterator[str]:
    """The end of each Game Turn, and the beginning of the next, as one seat reads them."""
    events: list[ev.Event] = []
    narrator = Narrator(T, game.states[0])
    begun: tuple[str, list[ev.Event]] | None = None
    for n, act in enumerate(game.acts):
        state = game.states[n + 1]
        reader = state.players[state.turn % len(state.players)]
        for event in act.events:
            narrator.learn([event])
            if isinstance(event, ev.TurnBegan | ev.GameEnded):
                events += [event] * isinstance(event, ev.GameEnded)
                turn = event.turn - 1 if isinstance(event, ev.TurnBegan) else state.turn
                yield f"{n + 2} {reader}"
                yield from _page(end_of_turn(narrator, reader, state, events, T.turns[turn - 1].year))
                events = []
                begun = (reader, events) if isinstance(event, ev.TurnBegan) else None
            events.append(event)
        if begun is not None and state.phase == "movement":
            yield f"{n + 2} {begun[0]}"
            yield from _page(begin_of_turn(narrator, begun[0], state, events))
            begun = None
