"""What an answer about spoils of War, or about what China cedes, would leave on the map and on the record sheet.

What the other victors have said so far is reckoned with; who has not spoken yet is taken to agree.

Rules: WEN-040 to WEN-042, WEN-055, REB-038, REB-039, REB-041, REB-043, STA-037, VIC-015, VIC-016
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.status import at
from paxtui.pax.board.tables import Tables
from paxtui.pax.expansion.garrison_plan import garrisoned
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import GameOver, Trial
from paxtui.pax.reports.page import BAD, GOOD, PLAIN, Told
from paxtui.pax.reports.war.terms import changed
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, CONTROL
from paxtui.pax.state.questions import Cession, Pending, Spoils
from paxtui.pax.state.war import War
from paxtui.pax.turn import final_record, record_sheet
from paxtui.pax.war.outcome import cessions, quarrel, spoils
from paxtui.pax.war.outcome.spoils import Demand
from paxtui.pax.words.spoken import all_of, of_power, place_name, power_name, sentence, the_power, the_powers


class Share(NamedTuple):
    """What an answer would leave.

    Attributes:
        state: the position then.
        events: what would have happened.
        against: Powers that have named something else: a quarrel.
        waits: whether the list of what is demanded would have to be signed by all.
    """

    state: State
    events: tuple[ev.Event, ...] = ()
    against: tuple[str, ...] = ()
    waits: bool = False


class Figure(NamedTuple):
    """A figure before and after: what it is, whether more of it is better for who reads it."""

    what: str
    before: int
    after: int
    more_is_better: bool = True


def is_about_spoils(choice: Pending) -> bool:
    """Whether a question is about what is placed where a War has won."""
    return isinstance(choice.about, Spoils | Cession)


def share(tables: Tables, state: State, choice: Pending, text: str) -> Share:
    """What an answer to a question about spoils or cessions would leave, on the position as the seat may know it."""
    about, trial = choice.about, Trial(tables, state)
    war = next((w for w in state.wars if isinstance(about, Spoils | Cession) and w.id == about.war), None)
    if war is None:
        return Share(state)
    against: tuple[str, ...] = ()
    try:
        if isinstance(about, Spoils):
            against = _divided(trial, war, choice, about, text)
        elif isinstance(about, Cession):
            against = _demanded(trial, war, choice, about, text)
    except GameOver:
        pass  # what would end the game is among the events
    waits = isinstance(about, Cession) and text != cessions.NONE and _scarce(tables, state, war, about, against)
    return Share(trial.state, tuple(trial.events), against, waits)


def _divided(trial: Trial, war: War, choice: Pending, about: Spoils, text: str) -> tuple[str, ...]:
    """Place what the victors would have of an Area; those who want something else. Rules: WEN-041, WEN-042."""
    side, area = war.side_of(choice.power), choice.area
    said = {**about.said, choice.power: (text,)}
    wanted = spoils.wanted_of(trial.tables, trial.state, war, side, area, said)
    if spoils.is_quarrel(trial.state, war, area, wanted.values()):
        quarrel.over(trial, war, side, area, tuple(wanted))
        return tuple(p for p, demand in wanted.items() if demand != wanted.get(choice.power))
    if wanted:
        spoils.place(trial, war, area, *dict.fromkeys(wanted.values()))
    return ()


def _demanded(trial: Trial, war: War, choice: Pending, about: Cession, text: str) -> tuple[str, ...]:
    """Place what a Power demands of China; those who have demanded the same Area before. Rules: REB-038, REB-039."""
    tables, state = trial.tables, trial.state
    demand = cessions.open_to(tables, state, choice.power, cessions.offered(war)).get(text)
    if demand is None:
        return ()
    first = tuple(p for p, words in about.said.items() if words[0].split()[-1] == demand.area)
    if not first:
        cessions.place(trial, war, demand)
    return first


def _scarce(tables: Tables, state: State, war: War, about: Cession, against: tuple[str, ...]) -> bool:
    """Whether a list would have to be signed: too few Areas, or two want the same. Rules: REB-039, REB-043."""
    wanted = [words[0].split()[-1] for words in about.said.values() if words[0] != cessions.NONE]
    few = len(cessions.offered(war)) < len(cessions.claimants(tables, state, war))
    return few or bool(against) or len(set(wanted)) < len(wanted)


def demanded(tables: Tables, state: State, choice: Pending, text: str) -> Demand | None:
    """The marker that an answer demands for whom; None for one that demands nothing."""
    about = choice.about
    war = next((w for w in state.wars if isinstance(about, Spoils | Cession) and w.id == about.war), None)
    if war is None:
        return None
    if isinstance(about, Spoils):
        side = war.side_of(choice.power)
        return spoils.wanted_of(tables, state, war, side, choice.area, {choice.power: (text,)}).get(choice.power)
    ceded = cessions.open_to(tables, state, choice.power, cessions.offered(war)).get(text)
    return Demand(ceded.marker, (ceded.power,)) if ceded else None


# --- told -----------------------------------------------------------------------------------------------------------


def figures(tables: Tables, power: str, seat: str, before: State, after: State) -> tuple[Figure, ...]:
    """Income, maintenance and Victory Points of a Power and its seat, before and after.

    Rules: ADM-011, ADM-016, ADM-018, VIC-015, VIC-016
    """
    sheets = [record_sheet.figure(tables, state, power) for state in (before, after)]
    earned = [record_sheet.colonial_income(lines) for lines in sheets]
    kept = [lines["21"] for lines in sheets]
    ends = [final_record.section_six(tables, state, seat) for state in (before, after)]
    return (
        Figure("Lines 11 to 14: income, £", earned[0], earned[1]),
        Figure("Line 21: maintenance, £", kept[0], kept[1], more_is_better=False),
        Figure("Line 22: a Game Turn, £", earned[0] - kept[0], earned[1] - kept[1]),
        Figure("Line 27: Victory Points", ends[0]["27"], ends[1]["27"]),
        Figure("Line 28: bonuses now", ends[0]["28"], ends[1]["28"]),
        Figure("Line 29: from income", ends[0]["29"], ends[1]["29"]),
        Figure("Line 31: if it ended now", ends[0]["31"], ends[1]["31"]),
    )


def told(tables: Tables, choice: Pending, before: State, found: Share) -> list[Told]:
    """What else an answer would bring, a sentence each: markers that go, garrison duty, Casus Belli, quarrels."""
    return [
        *_quarrels(tables, choice, found),
        *_lowered(tables, before, found.state),
        *duty(tables, choice.power, before, found.state),
        *_angered(tables, choice.power, found),
    ]


def _quarrels(tables: Tables, choice: Pending, found: Share) -> Iterator[Told]:
    """Who wants something else, and what comes of it. Rules: WEN-042, WEN-043, REB-039, REB-043."""
    if found.against:
        others = the_powers(tables, found.against)
        verb = "have" if len(found.against) > 1 else "has"
        if isinstance(choice.about, Spoils):
            yield Told(sentence(f"{others} {verb} named something else: that is a quarrel"), tone=BAD)
            yield Told("Nobody gets the Area, a Congress of Europe meets, and European Tensions rise by 3.", tone=BAD)
        else:
            yield Told(sentence(f"{others} {verb} demanded this Area before you: yours is left out"), tone=BAD)
    if found.waits:
        yield Told("What all demand becomes one list: all of them sign it, or nothing is ceded.", tone=BAD)
    holders: dict[str, list[str]] = {}
    for event in found.events:
        if isinstance(event, ev.CasusBelliArose):
            holders.setdefault(event.holder, []).append(event.against)
    for holder, against in holders.items():
        whom = all_of(["you" if p == choice.power else the_power(tables, p) for p in dict.fromkeys(against)])
        tone = GOOD if holder == choice.power else BAD if choice.power in against else PLAIN
        verb = "You get" if holder == choice.power else f"{power_name(tables, holder)} gets"
        yield Told(f"{verb} a Casus Belli against {whom}.", tone=tone)


def _lowered(tables: Tables, before: State, after: State) -> Iterator[Told]:
    """The markers of others that go, or become less."""
    for area in changed(before, after):
        now = {m.power: m.marker for m in at(after, area).markers if m.established}
        for m in at(before, area).markers:
            if not m.established or now.get(m.power) == m.marker:
                continue
            whose = f"{of_power(tables, m.power)} {tables.markers[m.marker].name} in {place_name(tables, area)}"
            left = now.get(m.power)
            becomes = f"becomes {_a(tables.markers[left].name)}" if left else "goes"
            yield Told(sentence(f"{whose} {becomes}"), area)


def duty(tables: Tables, power: str, before: State, after: State) -> Iterator[Told]:
    """Whether an Area under a Power's new Control has its link and its garrison. Rules: STA-037, ADM-006."""
    for area in changed(before, after):
        held = any(m.power == power and m.marker in CONTROL for m in at(after, area).markers)
        if not held or any(m.power == power and m.marker in CONTROL for m in at(before, area).markers):
            continue
        name = place_name(tables, area)
        if area not in linked_areas(tables, after, power):
            yield Told(f"{name} has no Communication Link to your home: it earns nothing until it has one.", area, BAD)
        if garrisoned(after, area, power):
            units = " ".join(u.name for u in at(after, area).units if u.power == power and u.kind == ARMY)
            yield Told(f"Garrison: your {units} in {name} can stay.", area, GOOD)
        else:
            yield Told(f"Garrison: none of your armies stands in {name}; one has to go there.", area, BAD)


def _angered(tables: Tables, power: str, found: Share) -> Iterator[Told]:
    """What the markers bring with them: War with the Ottoman Empire, resentment in China."""
    for event in found.events:
        if isinstance(event, ev.WarDue):
            yield Told("The Ottoman Empire goes to War over it in the next Game Turn.", event.area, BAD)
    angry = sum(e.amount for e in found.events if isinstance(e, ev.ResentmentRaised))
    if angry:
        yield Told(f"Chinese Resentment rises by {angry}.", tone=BAD)
    if any(isinstance(e, ev.TensionRaised) for e in found.events):
        points = sum(e.amount for e in found.events if isinstance(e, ev.TensionRaised))
        yield Told(f"European Tensions rise by {points}.", tone=BAD)


def _a(name: str) -> str:
    """A name with its article."""
    return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"


# --- what else there is to divide -----------------------------------------------------------------------------------


def still_to_come(tables: Tables, state: State, choice: Pending) -> tuple[str, ...]:
    """The Areas about which the Alliance of who is asked will be asked after this one, in their order.

    Rules: WEN-040, WEN-044
    """
    about = choice.about
    war = next((w for w in state.wars if isinstance(about, Spoils) and w.id == about.war), None)
    if war is None:
        return ()
    side = war.side_of(choice.power)
    return tuple(area for number, area in spoils.due(tables, state, war) if number == side and area != choice.area)


def heard(tables: Tables, choice: Pending) -> list[tuple[str, str]]:
    """What the other Powers have said so far: Power and answer."""
    about = choice.about
    if isinstance(about, Spoils | Cession):
        return [(power, words[0]) for power, words in about.said.items()]
    return []
