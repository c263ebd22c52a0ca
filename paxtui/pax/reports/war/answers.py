"""What each answer to a question of War would bring: on the map, in tensions, causes of war and Victory Points.

An answer is played with the rules' own functions on the position as the seat knows it. Where others have to consent,
they are taken to do so, and that is said.

Rules: WAR-047, WCD-002, WEN-031, OTT-006, OTT-023, REB-033, REB-043, MIN-045, ETI-019, ETI-027
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import at
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import played
from paxtui.pax.history import events as ev
from paxtui.pax.history.evolve import evolve
from paxtui.pax.menus.forecast import Forecast, concerns_war, forecast, sentences
from paxtui.pax.menus.trial import TRIAL
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.orders.actions import Action, Choose
from paxtui.pax.play.choices import options_of
from paxtui.pax.reports.page import BAD, GOOD, PLAIN, Told
from paxtui.pax.reports.war import shares
from paxtui.pax.reports.war.following import what_follows
from paxtui.pax.reports.war.terms import changed
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import (
    Announce,
    Call,
    Cessions,
    CodominionWar,
    Defence,
    EndWaiver,
    Invitation,
    Pending,
)
from paxtui.pax.war.outcome import cessions, demanded_end, spoils
from paxtui.pax.war.outcome.ends import END_IT
from paxtui.pax.words.spoken import all_of, place_name, power_name, sentence, the_powers

ASKED = (Announce, Call, Cessions, CodominionWar, Defence, EndWaiver, Invitation)
"""Questions of War whose answers are told here; attacks, losses, retreats, spoils and returns are told elsewhere."""
_CONSENT = {
    demanded_end.ANNOUNCE: demanded_end.AGREE, demanded_end.AGREE: demanded_end.AGREE,
    cessions.SIGN: cessions.SIGN, END_IT: END_IT,
}  # fmt: skip
"""Answers that bring something only where the others who are asked give theirs."""
_ELSEWHERE = (ev.PhaseBegan, ev.TurnBegan, ev.WarOver, ev.WarPhaseBegan, ev.WarStepTaken, ev.DiceRolled)
"""Events with which something else begins, or with which dice fall that nobody knows."""
MOST = 6
"""Events told at most in the words of the log."""


class Answer(NamedTuple):
    """What an answer would bring.

    Attributes:
        state: the position then, before anything else begins.
        areas: Areas in which a marker would be another.
        told: all of it in sentences, each with the tone in which it concerns the seat.
        refusal: why it cannot be given, None where it can.
    """

    state: State
    areas: tuple[str, ...]
    told: tuple[Told, ...]
    refusal: Refusal | None = None


def is_asked_here(choice: Pending) -> bool:
    """Whether the answers to a question are told here."""
    return isinstance(choice.about, ASKED)


def asked(state: State, seat: str, action: Action) -> tuple[Pending, str] | None:
    """The question that an action answers and the answer, where its answers are told here."""
    if not isinstance(action, Choose) or len(action.answer) != 1:
        return None
    choice = next((c for c in state.choices if c.id == action.id and c.seat == seat and is_asked_here(c)), None)
    text = action.answer[0]
    return (choice, text) if choice is not None and text in options_of(choice) else None


def answer(tables: Tables, state: State, choice: Pending, text: str) -> Answer:
    """What an answer would bring. Args: the tables; the position as the seat knows it; the question; the answer."""
    try:
        events, consenting = _played(tables, state, choice, text)
    except Refusal as refusal:
        return Answer(state, (), (Told(refusal.message, tone=BAD),), refusal)
    then = state
    for event in events:
        then = evolve(then, event)
    areas = changed(state, then)
    found = foreseen(tables, state, choice, text)
    told = [
        *(_forecast(tables, found) if found else _in_the_words_of_the_log(tables, state, events, areas)),
        *_markers(tables, choice.power, state, then, areas),
        *_spoils(tables, choice.power, then),
        *(line for line in what_follows(tables, choice.power, events) if found is None or "Tensions" not in line.text),
        *shares.duty(tables, choice.power, state, then),
        *_who_else(tables, state, choice, text, consenting),
    ]
    return Answer(then, areas, tuple(dict.fromkeys(told)) or (Told("Nothing changes by it."),))


def _played(tables: Tables, state: State, choice: Pending, text: str) -> tuple[list[ev.Event], tuple[str, ...]]:
    """What happens by an answer up to where something else begins, and the Powers that have to consent to it.

    Raises: Refusal.
    """
    play = played(tables, state, choice.seat, Choose(choice.id, (text,)), Dice(TRIAL))
    events, now, consenting = list(play.events), play.state, []
    wanted = _CONSENT.get(text, "")
    while wanted and now.result is None and (other := next(_alike(now, choice), None)) is not None:
        said = wanted if wanted in other.options else str(other.default)
        play = played(tables, now, other.seat, Choose(other.id, (said,)), Dice(TRIAL))
        consenting.append(other.power)
        events += play.events
        now = play.state
    end = next((n for n, e in enumerate(events) if isinstance(e, _ELSEWHERE)), len(events))
    return events[:end], tuple(consenting)


def _alike(state: State, choice: Pending) -> Iterator[Pending]:
    """The same question to others."""
    war = getattr(choice.about, "war", "")
    return (
        c for c in state.choices if type(c.about) is type(choice.about) and getattr(c.about, "war", "") == war
    )


def foreseen(tables: Tables, state: State, choice: Pending, text: str) -> Forecast | None:
    """The forecast of an answer that is a declaration of War, or stays away from one; None for others."""
    act = Choose(choice.id, (text,))
    if not concerns_war(state, act):
        return None
    try:
        found = forecast(tables, state, choice.seat, act)
    except Refusal:
        return None
    return found if found.steps or found.breaches or found.great_war or found.tension != found.before else None


def _forecast(tables: Tables, found: Forecast) -> Iterator[Told]:
    """A forecast: who is called, who would break what, the sides, tensions, the Great War and its blame."""
    for line in sentences(tables, found):
        bad = "Great War" in line or "would break" in line
        yield Told(line, tone=BAD if bad else PLAIN)


def _in_the_words_of_the_log(
    tables: Tables, state: State, events: list[ev.Event], areas: tuple[str, ...]
) -> Iterator[Told]:
    """What happens, but for what is told of markers, tensions and points."""
    narrator, many = Narrator(tables, state), 0
    for event in events:
        about = isinstance(event, ev.MarkerLowered | ev.MarkerPlaced) and event.area in areas
        if about or isinstance(event, _TOLD_APART):
            continue
        line = narrator.tell(event)
        if line and many < MOST:
            many += 1
            yield Told(sentence(line))


_TOLD_APART = (
    ev.ChoiceMade, ev.ChoiceOffered, ev.TensionRaised, ev.ResentmentRaised, ev.VictoryPointsChanged, ev.CasusBelliArose,
    ev.SpoilsDivided, ev.EndTestsWaived, ev.AidAnswered, ev.AreaCeded, ev.ResentmentReset, ev.TreatyDrafted,
    ev.TreatySigned, ev.TreatyInForce,
)  # fmt: skip
"""Events that are told in another way, or go without saying."""


def _markers(
    tables: Tables, power: str, before: State, after: State, areas: tuple[str, ...]
) -> Iterator[Told]:
    """Whose markers come and go, a sentence for each Power."""
    gone: dict[str, list[str]] = {}
    come: dict[str, list[str]] = {}
    for area in areas:
        now, then = ({m.power: m.marker for m in at(s, area).markers if m.established} for s in (before, after))
        for who in dict.fromkeys((*now, *then)):
            if now.get(who) == then.get(who):
                continue
            if who in then:
                name = tables.markers[then[who]].name
                come.setdefault(who, []).append(f"{_a(name)} in {place_name(tables, area)}")
            else:
                gone.setdefault(who, []).append(f"its {tables.markers[now[who]].name} in {place_name(tables, area)}")
    for who, what in gone.items():
        yield Told(f"{power_name(tables, who)} loses {all_of(what)}.", tone=BAD if who == power else PLAIN)
    for who, what in come.items():
        yield Told(f"{power_name(tables, who)} gets {all_of(what)}.", tone=GOOD if who == power else PLAIN)


def _a(name: str) -> str:
    """A name with its article."""
    return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"


def _spoils(tables: Tables, power: str, then: State) -> Iterator[Told]:
    """The Areas that each side divides once a War is decided. Rules: WEN-040, WEN-044, WEN-053."""
    for war in then.wars:
        by_side: dict[int, list[str]] = {}
        for side, area in spoils.due(tables, then, war) if war.outcome else ():
            by_side.setdefault(side, []).append(area)
        for side, found in by_side.items():
            own = any(m.power == power for area in found for m in at(then, area).markers)
            tone = GOOD if war.side_of(power) == side else BAD if own else PLAIN
            verb = "divides" if len(war.alliance(side)) == 1 else "divide"
            named = all_of([place_name(tables, area) for area in found])
            yield Told(sentence(f"{the_powers(tables, war.alliance(side))} then {verb} {named}"), found[0], tone)


def _who_else(
    tables: Tables, state: State, choice: Pending, text: str, consenting: tuple[str, ...]
) -> Iterator[Told]:
    """That others have to consent, or that one word is enough."""
    if consenting:
        others = the_powers(tables, tuple(dict.fromkeys(consenting)))
        verb = {"sign": "sign", END_IT: "let it end"}.get(text, "agree")
        yield Told(f"Only if {others} {verb}{'s' if _one(consenting) and verb != 'let it end' else ''} too.")
    elif isinstance(choice.about, EndWaiver) and text != END_IT:
        yield Told("One belligerent is enough: the War goes on with another cycle.")
    elif isinstance(choice.about, Cessions) and text != cessions.SIGN:
        yield Told("One is enough: China cedes nothing to anybody.", tone=BAD)


def _one(powers: tuple[str, ...]) -> bool:
    return len(set(powers)) == 1
