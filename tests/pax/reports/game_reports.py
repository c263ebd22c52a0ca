"""Reports of saved games: previews, todo items, news, Wars and the pages of Game Turns.

Each act is followed by its preview (?), the todo items of a seat (!), previews of the answers to a new question of
War (=), changes and status of the Wars (:), and the news (|). A mark shows the tone: + for a gain, - for a loss or a
danger, ~ for a detail. The place is in brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.diplomacy.settlement import played_belligerents
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.figures import FigureChange
from paxtui.games.pax.narration.narrator import BAD, FAINT, GOOD, Narrator, ReportLine, ReportPage
from paxtui.games.pax.preview import odds, peace, preview, supply, war_answers
from paxtui.games.pax.preview.preview import preview_action
from paxtui.games.pax.reports import war_status
from paxtui.games.pax.reports.briefing import turn_begin_page, turn_end_page
from paxtui.games.pax.reports.changes import changes_since
from paxtui.games.pax.reports.todo import standing_lines, todo_items, todo_lines
from paxtui.games.pax.reports.war_changes import describe_war_changes
from paxtui.games.pax.reports.war_status import war_map
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.state.war import ATTACK, War
from paxtui.games.pax.transaction import option_texts
from paxtui.games.pax.war import alliances
from tests.pax.saved_games import SavedGame, saved_game
from tests.rules.harness import tables

SHORT = ("congress", "great-war", "ottoman-war", "rebellion-lost", "rebellion-won", "russo-japanese", "scenes",
         "spanish-american", "tension")  # fmt: skip
LONG = ("ten-turns", "whole-game")
"""Games of which only the pages between two Game Turns are recorded, each for another seat."""
MOST = 6
"""Maximum number of previewed answers of a question."""
MARKS = {GOOD: "+", BAD: "-", FAINT: "~"}
T = tables()


def game_report(name: str) -> Iterator[str]:
    """The report of a saved game."""
    game = saved_game(f"{name}-0.2.0")
    if name not in LONG:
        yield from _acts(game)
    yield from _turns(game)


def _marked(lines: Iterable[ReportLine], sign: str) -> Iterator[str]:
    for line in lines:
        yield f"  {sign} {MARKS.get(line.tone, ' ')} {line.text}" + (f" [{line.place}]" if line.place else "")


def _page(page: ReportPage) -> Iterator[str]:
    yield f"  | {page.title}"
    yield from (f"  |   {line}" for line in standing_lines(T, page))
    for section in page.sections:
        yield f"  |  {section.title}"
        yield from _marked(section.lines, "|")


# Act by act


def _acts(game: SavedGame) -> Iterator[str]:
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
        yield (
            f"{n + 2} {act.seat}: "
            f"{'sets up a position' if isinstance(order, actions.SetPosition) else format_order(T, order)}"
        )
        if act.seat in before.players:
            yield from _previews(before, act.seat, order)
        narrator.learn(act.events)
        yield from _news(game, n, narrator, reader)
        yield from _waiting(after, act.seat if act.seat in after.players else reader, waits)
        yield from _answers(after, asked)
        yield from _wars(narrator, before, after, act.events, reader, stood)


def _previews(state: State, seat: str, order: actions.Action) -> Iterator[str]:
    seen = preview_action(T, state, seat, order)
    if isinstance(seen, Refusal):
        yield f"  ? refused: {seen.message}"
    elif not seen.answer:  # answers have their previews where the question is asked
        yield from _marked(preview.describe_preview(T, state, seat, seen), "?")
        if figures := preview.preview_figures(seen):
            yield f"  ?   figures{figures}"


def _news(game: SavedGame, n: int, narrator: Narrator, reader: str) -> Iterator[str]:
    page = changes_since(narrator, reader, game.states[n + 1], game.acts[n : n + 1])
    for section in page.sections:
        yield f"  | {reader}, {section.title}"
        yield from _marked(section.lines, "|")


def _waiting(state: State, seat: str, waits: dict[str, list[str]]) -> Iterator[str]:
    lines = todo_lines(todo_items(T, state, seat))
    if lines != waits.get(seat, []):
        yield from (f"  ! {seat}: {line}" for line in lines or ["nothing more"])
    waits[seat] = lines


def _answers(state: State, asked: set[str]) -> Iterator[str]:
    """Previews of the answers to each new question."""
    for choice in state.choices:
        about = f"{choice.kind} {choice.prompt}"
        divided = war_answers.is_about_spoils(choice)
        if about in asked or not (divided or war_answers.is_previewed(choice)):
            continue
        asked.add(about)
        for text in option_texts(choice)[:MOST]:
            yield f"  = {choice.power}: {text}"
            if divided:
                yield from _share(state, choice, text)
            else:
                yield from _marked(war_answers.preview_answer(T, state, choice, text).lines, "=")


def _share(state: State, choice: Pending, text: str) -> Iterator[str]:
    found = war_answers.preview_spoils(T, state, choice, text)
    yield (
        f"  =   demands {war_answers.demanded_marker(T, state, choice, text)}, then "
        f"{war_answers.remaining_areas(T, state, choice)}"
    )
    answers = war_answers.other_answers(choice)
    yield f"  =   heard {answers}, against {found.against}, waits: {found.needs_signatures}"
    yield from _marked(war_answers.describe_spoils(T, choice, state, found), "=")
    yield from _figures(war_answers.figure_changes(T, choice.power, choice.seat, state, found.state), "=")


def _figures(figures: Iterable[FigureChange], sign: str) -> Iterator[str]:
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
    """Changes in the Wars, and what is new in the status of each."""
    if before.wars or after.wars:
        yield from _marked(describe_war_changes(narrator, before, after, events, powers_of(T, after, reader)), ":")
    for war in after.wars:
        then = next((w for w in before.wars if w.id == war.id), None)
        if then is None or (then.stage, then.turn_of, then.cycle) != (war.stage, war.turn_of, war.cycle):
            stands = [*_stands(after, war)]
            yield from (line for line in stands if line not in stood.get(war.id, ()))
            stood[war.id] = {*stands}


def _stands(state: State, war: War) -> Iterator[str]:
    for end in war_status.possible_ends(T, state, war, tuple(state.players)):
        yield f"  :   end {end.test} of {end.side}, {end.left} left: {end.text}"
    for side in war_status.alliance_forces(state, war):
        for danger in supply.supply_risks(T, state, war, side.number):
            yield f"  :   peril of {side.number}: {supply.describe_risk(T, war, danger)}"
    if war.stage == ATTACK and alliances.current_war(state) == war:
        for place, kind, attack in odds.possible_attacks(T, state, war):
            yield f"  :   {place} {kind}, {odds.assault_summary(attack)}"
            yield f"  :   {odds.describe_assault(T, attack)}"
    for power in played_belligerents(T, state, war)[:1]:
        yield from _front(state, war, power)
        yield from _peace(state, war, power)


def _front(state: State, war: War, power: str) -> Iterator[str]:
    """The map of a War for a belligerent."""
    seen = war_map(T, state, war, war.side_of(power))
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
    """The peace that a belligerent could propose, and the possible fates of its Areas."""
    if war not in peace.wars_to_end(T, state, power):
        return
    terms = peace.initial_terms(T, state, war, power)
    yield f"  :   peace of {power}: {format_order(T, peace.peace_draft(T, state, terms))}"
    yield from _peace_preview(state, war, terms)
    for area in peace.main_areas(T, state, war, terms):
        yield f"  :   {area} {peace.default_fate_text(T, state, war, area)}, or: " + "; ".join(
            peace.fate_text(T, state, fate) for fate in peace.possible_fates(T, state, war, area, power)
        )
        fate = next(peace.possible_fates(T, state, war, area, power), None)
        yield from _peace_preview(state, war, terms.with_fate(area, fate))


def _peace_preview(state: State, war: War, terms: peace.PeaceTerms) -> Iterator[str]:
    parties = (terms.power, *terms.signers)
    found = peace.preview_peace(T, state, terms.clauses, parties)
    yield from _marked(peace.describe_peace(T, terms.power, state, war, found), ":  ")
    yield from _figures(peace.peace_figures(T, parties, state, found), ":  ")


# Turn by turn


def _turns(game: SavedGame) -> Iterator[str]:
    """The pages of the end of each Game Turn and the beginning of the next."""
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
                yield from _page(turn_end_page(narrator, reader, state, events, T.turns[turn - 1].year))
                events = []
                begun = (reader, events) if isinstance(event, ev.TurnBegan) else None
            events.append(event)
        if begun is not None and state.phase == "movement":
            yield f"{n + 2} {begun[0]}"
            yield from _page(turn_begin_page(narrator, begun[0], state, events))
            begun = None
