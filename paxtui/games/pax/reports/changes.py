"""Changes since a seat last acted: its own matters, then its interests, then a summary of the rest. Rules: SEQ-010."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat.results import LOSE_UNITS
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.labels import describe_question, treaty_title
from paxtui.games.pax.narration.narrator import (
    BAD,
    FAINT,
    GOOD,
    PLAIN,
    Narrator,
    ReportLine,
    ReportPage,
    VisibleAct,
    nonempty_sections,
    place_of,
)
from paxtui.games.pax.preview.odds import CombatReport, combat_reports, describe_combat
from paxtui.games.pax.reports.war_changes import battle_reports, describe_battle
from paxtui.games.pax.sequence import WAR
from paxtui.games.pax.state.diplomacy import AGENDA, CONGRESS, Congress
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, INTEREST
from paxtui.games.pax.state.questions import CongressQuestion
from paxtui.games.pax.text.display import (
    capitalize,
    join_with_and,
    marker_name,
    phase_name,
    place_name,
    power_name,
    sentence,
    the_power,
    the_powers,
)


def ready_withdrawal(
    narrator: Narrator, seat: str, acts: Sequence[VisibleAct], in_war: bool = False, now: State | None = None
) -> str:
    """Return why a seat is no longer ready in this Phase, as a sentence; "" if it was not, or still is.

    Args:
        acts: the effective acts of the Game Turn, as the seat knows them.
        in_war: whether the mark was a pass in a War Phase.
        now: the position; the sentence then names what concerns the seat most, not what took the mark back.
    """
    found = _withdrawal(seat, acts)
    if found is None:
        return ""
    event = _reason_to_act(narrator, seat, acts, now, found)
    what = "" if event is None else sentence(narrator.tell(event))
    by = next(e.by for e in found.events if isinstance(e, ev.ReadyCleared))
    who = capitalize(the_power(narrator.known.tables, by))
    if in_war:
        return f"{what or f'{who} moved after you passed.'} Act again or pass."
    return f"{what or f'{who} acted after you were ready.'} You can act again."


def _reason_to_act(
    narrator: Narrator, seat: str, acts: Sequence[VisibleAct], now: State | None, found: VisibleAct
) -> ev.Event | None:
    """Return the event that most concerns a seat that is no longer ready. Args: `found`: what took its mark back."""
    return (_first_that_concerns(narrator, seat, acts, now) if now is not None else None) or _first_on_map(found)


def _first_that_concerns(narrator: Narrator, seat: str, acts: Sequence[VisibleAct], now: State) -> ev.Event | None:
    """Return the first event since the seat's last act that concerns the seat."""
    own = powers_of(narrator.known.tables, now, seat)
    areas = areas_with_pieces(now, own)
    since = next((n for n in reversed(range(len(acts))) if acts[n].seat == seat), -1) + 1
    events = (event for act in acts[since:] for event in act.events)
    return next((e for e in events if is_about_seat(narrator, e, seat, own) or is_about_areas(e, areas, own)), None)


def _withdrawal(seat: str, acts: Sequence[VisibleAct]) -> VisibleAct | None:
    """Return the act that cleared the ready mark of a seat, unless the seat has acted since."""
    found: VisibleAct | None = None
    for act in acts:
        if act.seat == seat:
            found = None
        for event in act.events:
            if isinstance(event, _BEGINS) or (isinstance(event, ev.SeatReady) and event.seat == seat):
                found = None
            elif isinstance(event, ev.ReadyCleared) and seat in event.seats:
                found = act
    return found


_BEGINS = (ev.PhaseBegan, ev.WarStepTaken, ev.WarPhaseBegan)
"""Events that always clear all ready marks."""


def _first_on_map(act: VisibleAct) -> ev.Event | None:
    acted = (ev.MarkerPlaced, ev.MarkerLowered, ev.UnitsBuilt, ev.UnitsMoved, ev.MerchantMoved, ev.CanalBuilt)
    return next((e for e in act.events if isinstance(e, acted)), None)


NOBODY_INVITED = " would invite nobody."
"""End of the note in the log about a member of a Congress that invites no Power."""
CHANGES_TITLE = "Since your last visit"
ELSEWHERE_TITLE = "Elsewhere"

_LOSSES = (ev.MarkerLowered, ev.UnitsLost, ev.UnrestBegan, ev.TreatyBroken, ev.BreachOpened, ev.BreachCharged)
_GAINS = (ev.MarkerEstablished, ev.UnrestEnded, ev.TreatyInForce)
_SILENT = (
    ev.StepTaken, ev.SeatReady, ev.ReadyCleared, ev.RecordWritten, ev.UnitsHalted, ev.DiceRolled, ev.MinorSentArmies,
    ev.PhaseBegan, ev.TurnBegan, ev.ChoiceMade, ev.BallotCast, ev.ClauseDone, ev.CoastChosen, ev.OrderDrawn,
    ev.WarStepTaken, ev.WarPhaseBegan, ev.InitiativeRolled, ev.CycleEnded, ev.SupplyFound,
    ev.GarrisonMissing, ev.TensionRaised, ev.ResentmentRaised, ev.ColonialCombat, ev.VictoryPointsChanged,
)  # fmt: skip
"""Events omitted from this page: bookkeeping, and those covered elsewhere."""

_NEWS = (
    ev.CongressChanged, ev.CasusBelliArose, ev.CanalBuilt, ev.UnrestBegan, ev.UnrestEnded, ev.WarDeclared, ev.WarArose,
    ev.PowerLeftWar, ev.BattleFought, ev.WarDecided, ev.WarOver, ev.AreaConquered, ev.UnitsSurrendered,
    ev.TreatyInForce, ev.TreatyEnded, ev.TreatyEndedBetween, ev.TreatyBroken,
)  # fmt: skip
"""Events that are always news."""

_OF_A_TREATY = (
    ev.TreatySigned, ev.TreatyInForce, ev.TreatyEnded, ev.TreatyEndedBetween, ev.TreatyRejected, ev.ReleaseAgreed,
    ev.LapseAgreed,
    ev.SignatoryLeft, ev.TreatyBroken, ev.BreachOpened, ev.ClauseFellDue,
)  # fmt: skip
"""Events that refer to a Treaty by id."""


def changes_since(narrator: Narrator, seat: str, now: State, acts: Sequence[VisibleAct]) -> ReportPage:
    """Return the changes for a seat by acts of a Game Turn; of its own acts, only the consequences.

    Args:
        now: the position as the seat knows it, after the acts.
        acts: those since the last report, as the seat knows them, without the automatic part of a Game Turn.
    """
    tables, own_powers = narrator.known.tables, powers_of(narrator.known.tables, now, seat)
    stake = {area for area, here in now.areas.items() if any(m.power in own_powers for m in here.markers)}
    own, rest = list[ReportLine](), list[ReportLine]()
    placed = list[ev.MarkerPlaced]()
    quiet, calm = list[ev.Event](), list[str]()
    passing = _passing_ids(acts)
    mark, named_event = _ready_mark(narrator, seat, now, acts)
    reported = {id(named_event)}
    for n, act in enumerate(acts):
        events = news_events(act, seat)
        for report in combat_reports(events):
            fight = _with_named_losses(report, acts[n + 1 :])
            reported |= {id(event) for event in fight.follows}
            if set(fight.combat.powers) & set(own_powers):
                own.append(describe_combat(narrator, fight, own_powers))
            else:
                rest.append(describe_combat(narrator, fight, own_powers))
        for battle in battle_reports(events):
            reported |= {id(event) for event in (battle.fought, *battle.follows)}
            line = describe_battle(narrator, battle, own_powers)
            (own if set(own_powers) & {*battle.fought.attackers, *battle.fought.defenders} else rest).append(line)
        for event in events:
            if isinstance(event, _SILENT) or id(event) in reported or _is_passing(event, passing):
                continue
            if _concerns(narrator, event, seat, own_powers):
                own.append(_seat_line(narrator, event, now, own_powers))
            elif isinstance(event, ev.MarkerPlaced) and event.area in stake:
                placed.append(event)
            elif isinstance(event, ev.UnrestEnded) and not event.by:
                calm.append(event.area)
            elif isinstance(event, ev.CongressChanged) and is_agenda_wish(event):
                rest.append(ReportLine(describe_agenda_wishes(tables, event.congress)))
            elif isinstance(event, ev.TreatyInForce):
                rest.append(ReportLine(_treaty_of_others(narrator, event)))
            elif isinstance(event, _NEWS) or (isinstance(event, ev.MarkerLowered) and event.marker in CONTROL):
                rest.append(ReportLine(sentence(narrator.tell(event)), place_of(event)))
            else:
                quiet.append(event)
    if calm:
        places = join_with_and([place_name(tables, area) for area in dict.fromkeys(calm)])
        rest.append(ReportLine(f"The Unrest in {places} is over.", calm[0]))
    own = [*mark, *_established_markers(tables, own_powers, acts, seat), *own]
    own = [line for line in own if line.text]
    if own and any(isinstance(e, ev.PhaseBegan) and e.phase == now.phase for act in acts for e in act.events):
        own.insert(0, ReportLine(f"The {phase_name(now.phase)} Phase has begun."))
    return ReportPage(
        CHANGES_TITLE,
        nonempty_sections(
            ("Yours", own),
            ("Areas with your markers", [*_markers_of_others(tables, placed)]),
            (ELSEWHERE_TITLE, [*(line for line in rest if line.text), *_acts_of_others(tables, quiet)]),
        ),
    )


def invites_nobody(event: ev.Event) -> bool:
    """Whether a member of a Congress has invited no Power; reports leave that out."""
    return isinstance(event, ev.CongressChanged) and event.note.endswith(NOBODY_INVITED)


def is_agenda_wish(event: ev.CongressChanged) -> bool:
    """Whether a member has named the dispute that a Congress should discuss first."""
    return event.step == AGENDA and bool(event.note)


def describe_agenda_wishes(tables: Tables, congress: Congress) -> str:
    """Describe which dispute each member wants to discuss first, in one sentence; "" until all have named one."""
    if set(congress.members) - set(congress.wishes):
        return ""
    seats: dict[str, list[str]] = {}
    for seat, area in congress.wishes.items():
        seats.setdefault(area, []).append(seat)
    texts = (
        f"{the_powers(tables, tuple(some))} {'wants' if len(some) == 1 else 'want'} "
        f"to discuss {place_name(tables, area)} first"
        for area, some in sorted(seats.items(), key=lambda pair: -len(pair[1]))
    )
    return sentence("; ".join(texts))


def _with_named_losses(report: CombatReport, later: Sequence[VisibleAct]) -> CombatReport:
    """Add what followed when the losses of a combat were named in a later act."""
    if report.combat.effect != LOSE_UNITS or report.follows:
        return report
    return combat_reports([report.combat, *(event for act in later for event in act.events)])[0]


def _treaty_of_others(narrator: Narrator, event: ev.TreatyInForce) -> str:
    """Describe an agreement of other Powers that binds, with their names."""
    treaty, tables = narrator.known.treaties.get(event.id), narrator.known.tables
    if treaty is None or treaty.form == CONGRESS:
        return sentence(narrator.tell(event))
    return sentence(f"{treaty_title(tables, treaty)} between {the_powers(tables, treaty.parties)} is in force")


def _passing_ids(acts: Sequence[VisibleAct]) -> set[str]:
    """Ids of Casus Belli and drafts that arose and ended within the acts; they are omitted."""
    events = [event for act in acts for event in act.events]
    created = {e.id for e in events if isinstance(e, ev.CasusBelliArose)}
    ended = {e.id for e in events if isinstance(e, ev.CasusBelliEnded)}
    drafted = {e.treaty.id for e in events if isinstance(e, ev.TreatyDrafted)}
    withdrawn = {e.id for e in events if isinstance(e, ev.TreatyRejected) and e.reason == "withdrawn"}
    return created & ended | drafted & withdrawn


def _is_passing(event: ev.Event, passing: set[str]) -> bool:
    if isinstance(event, ev.TreatyDrafted):
        return event.treaty.id in passing
    if isinstance(event, ev.CongressChanged):
        return invites_nobody(event)
    if isinstance(event, ev.TreatyEnded):
        return event.reason == "superseded"  # the new draft is listed
    return isinstance(event, ev.CasusBelliArose | ev.CasusBelliEnded | ev.TreatyRejected) and event.id in passing


def news_events(act: VisibleAct, seat: str) -> tuple[ev.Event, ...]:
    """Return the events of an act that are news to a seat; of its own acts, results of fights and of a Phase's end."""
    if act.seat != seat:
        return act.events
    for n, event in enumerate(act.events):
        if isinstance(event, ev.SeatReady | ev.PhaseBegan | ev.ColonialCombat):
            return act.events[n:]
    return ()


def _concerns(narrator: Narrator, event: ev.Event, seat: str, own_powers: tuple[str, ...]) -> bool:
    """Whether an event is the seat's own matter; Treaties of others, even public ones, are not."""
    if isinstance(event, ev.ChoiceOffered):
        return event.choice.seat == seat
    if isinstance(event, ev.TreatyDrafted | ev.TreatyRevealed):
        return bool(set(event.treaty.parties) & set(own_powers))
    if isinstance(event, _OF_A_TREATY):
        treaty = narrator.known.treaties.get(event.id)
        return treaty is not None and bool(set(treaty.parties) & set(own_powers))
    if isinstance(event, ev.CasusBelliArose):
        return bool({event.holder, event.against, event.minor} & set(own_powers))
    if isinstance(event, ev.CasusBelliEnded):
        cause = narrator.known.causes.get(event.id)
        return cause is not None and bool({cause.holder, cause.against} & set(own_powers))
    named = {getattr(event, name, "") for name in ("power", "to", "against", "seat")}
    several = (getattr(event, name, ()) for name in ("on", "attackers", "defenders"))
    return bool(named.union(*several) & set(own_powers))


def is_about_seat(narrator: Narrator, event: ev.Event, seat: str, own_powers: tuple[str, ...]) -> bool:
    """Return whether an event is news about a seat with these Powers. Bookkeeping is never news."""
    return not isinstance(event, _SILENT) and _concerns(narrator, event, seat, own_powers)


def areas_with_pieces(state: State, powers: Collection[str]) -> set[str]:
    """Return the Areas with markers or units of these Powers."""
    return {
        id_
        for id_, area in state.areas.items()
        if {*(marker.power for marker in area.markers), *(unit.power for unit in area.units)} & set(powers)
    }


def is_about_areas(event: ev.Event, areas: Collection[str], own_powers: tuple[str, ...]) -> bool:
    """Return whether another Power places a marker in one of these Areas, or moves units there.

    An Interest takes nothing from others and does not count.
    """
    acts = (isinstance(event, ev.MarkerPlaced) and event.marker != INTEREST) or (
        isinstance(event, ev.UnitsMoved) and event.reason == "move"
    )
    return acts and getattr(event, "power", "") not in own_powers and place_of(event) in areas


def _seat_line(narrator: Narrator, event: ev.Event, now: State, own_powers: tuple[str, ...]) -> ReportLine:
    """Describe an event that is the seat's own matter; empty text if it is covered elsewhere."""
    tables = narrator.known.tables
    if isinstance(event, ev.ChoiceOffered):
        if all(choice.id != event.choice.id for choice in now.choices):
            return ReportLine("")  # answered meanwhile
        tone = BAD if event.choice.about.pressing or isinstance(event.choice.about, CongressQuestion) else PLAIN
        return ReportLine(describe_question(tables, event.choice), event.choice.area, tone)
    if isinstance(event, ev.MarkerEstablished):
        return ReportLine("")  # combined in one line elsewhere
    if isinstance(event, ev.CasusBelliEnded):
        return ReportLine(sentence(narrator.tell(event)), narrator.known.causes[event.id].area)
    if isinstance(event, ev.CasusBelliArose):
        return ReportLine(sentence(narrator.tell(event)), event.area, GOOD if event.holder in own_powers else BAD)
    if isinstance(event, ev.Noted) and event.code == "no_army":
        return ReportLine("")  # the to-do list reports what is missing
    text = sentence(narrator.tell(event))
    tone = BAD if isinstance(event, _LOSSES) else GOOD if isinstance(event, _GAINS) else PLAIN
    if isinstance(event, ev.TreasuryChanged):
        tone = GOOD if event.amount > 0 else PLAIN
    return ReportLine(text, place_of(event), tone)


def _established_markers(
    tables: Tables, own_powers: tuple[str, ...], acts: Sequence[VisibleAct], seat: str
) -> list[ReportLine]:
    """Newly established markers of the seat, one line for each kind."""
    names: dict[str, list[str]] = {}
    for act in acts:
        for event in news_events(act, seat):
            if isinstance(event, ev.MarkerEstablished) and event.power in own_powers:
                names.setdefault(event.marker, []).append(place_name(tables, event.area))
    return [
        ReportLine(f"Established: {marker_name(tables, marker)} in {join_with_and(areas)}.", tone=GOOD)
        for marker, areas in names.items()
    ]


def _ready_mark(
    narrator: Narrator, seat: str, now: State, acts: Sequence[VisibleAct]
) -> tuple[list[ReportLine], ev.Event | None]:
    """The reason why the seat must act again although it was ready, and the event that it names."""
    found = None if seat in now.ready else _withdrawal(seat, acts)
    if found is None:
        return [], None
    known = None if now.phase == WAR else now
    event = _reason_to_act(narrator, seat, acts, known, found)
    place = "" if event is None else place_of(event)
    return [ReportLine(ready_withdrawal(narrator, seat, acts, now=known), place, BAD)], event


def _markers_of_others(tables: Tables, events: Sequence[ev.MarkerPlaced]) -> Iterator[ReportLine]:
    """Markers of others placed in Areas with a marker of the seat, one line for each Area."""
    areas: dict[str, list[ev.MarkerPlaced]] = {}
    for event in events:
        areas.setdefault(event.area, []).append(event)
    for area, some in areas.items():
        texts = [f"{power_name(tables, e.power)} {marker_name(tables, e.marker)}" for e in some]
        control = any(e.marker in CONTROL for e in some)
        yield ReportLine(f"{place_name(tables, area)}: {', '.join(texts)}.", area, BAD if control else PLAIN)


def _acts_of_others(tables: Tables, events: Sequence[ev.Event]) -> Iterator[ReportLine]:
    """Acts of the others, one line for each Power, linked to the first place mentioned."""
    done: dict[str, dict[str, list[str]]] = {}
    first: dict[str, str] = {}
    for event in events:
        if isinstance(event, ev.MarkerPlaced | ev.UnitsBuilt | ev.UnitsMoved) and place_of(event):
            first.setdefault(event.power, place_of(event))
        if isinstance(event, ev.MarkerPlaced):
            head = f"places {marker_name(tables, event.marker)} in"
            done.setdefault(event.power, {}).setdefault(head, []).append(place_name(tables, event.area))
        elif isinstance(event, ev.UnitsBuilt):
            done.setdefault(event.power, {}).setdefault("builds", []).extend(event.units)
        elif isinstance(event, ev.UnitsMoved) and event.reason != "sent_home":
            where = f"{' '.join(event.units)} to {place_name(tables, event.path[-1])}"
            done.setdefault(event.power, {}).setdefault("moves", []).append(where)
    for power, acts in done.items():
        text = "; ".join(f"{head} {join_with_and(_with_counts(names))}" for head, names in acts.items())
        yield ReportLine(sentence(f"{the_power(tables, power)} {text}"), first.get(power, ""), FAINT)


def _with_counts(names: list[str]) -> list[str]:
    return [f"{names.count(name)} {name}" if names.count(name) > 1 else name for name in dict.fromkeys(names)]
