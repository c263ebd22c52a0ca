"""Report pages of a seat: beginning and end of a Game Turn, and all unread events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.turn import points_reason, tension_reason
from paxtui.games.pax.narration.narrator import (
    BAD,
    FAINT,
    GOOD,
    PLAIN,
    Narrator,
    ReportLine,
    ReportPage,
    SeatStanding,
    VisibleAct,
    nonempty_sections,
)
from paxtui.games.pax.reports.changes import ELSEWHERE_TITLE, changes_since
from paxtui.games.pax.reports.result import describe_result
from paxtui.games.pax.reports.war_changes import battle_reports, describe_battle
from paxtui.games.pax.state.diplomacy import ADOPTED, DEFEATED, DONE, REFUSED, Congress
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.text.display import (
    join_with_and,
    marker_name,
    place_name,
    power_name,
    sentence,
    the_power,
    the_powers,
    the_proposal,
)
from paxtui.games.pax.turn.victory import is_income_over

LAST_TURN_TEXT = (
    "This is the last Game Turn, and there is no more income. In the Final Record, the money left counts "
    "once (line 24), the income from Areas counts twice (line 29), and maintenance does not count."
)


def turn_begin_page(narrator: Narrator, seat: str, after: State, events: Sequence[ev.Event]) -> ReportPage:
    """Build the page for the beginning of a Game Turn.

    Args:
        after: the position as the seat knows it at the start of the Movement/Status Change Phase.
        events: the events since the beginning of the Game Turn, as the seat knows them.
    """
    tables = narrator.known.tables
    year = tables.turns[after.turn - 1].year
    own_powers = powers_of(tables, after, seat)
    return ReportPage(
        f"{year}: Game Turn {after.turn} begins",
        nonempty_sections(
            ("Random Events", _random_events(narrator, own_powers, events)),
            ("Income", _income(tables, after, own_powers, events)),
            ("Minor Powers", _minors(narrator, events)),
            ("Unrest", _unrest(tables, after, own_powers)),
            ("Casus Belli", _causes(tables, after, own_powers)),
            ("New Merchant Fleets", _fleets(tables, own_powers, events)),
        ),
    )


def _random_events(narrator: Narrator, own_powers: tuple[str, ...], events: Sequence[ev.Event]) -> list[ReportLine]:
    """Each random event with its effect and its demands; Unrest by Area."""
    tables = narrator.known.tables
    out: list[ReportLine] = []
    rises: list[ev.TensionRaised] = []
    phase = ""
    for event in events:
        if isinstance(event, ev.PhaseBegan):
            phase = event.phase
        elif isinstance(event, ev.RandomEventRolled) and event.happens:
            row = tables.events[event.event]
            if row.unrest and not event.leopold:
                continue  # the event of the Area reports it
            text = f"{event.title} ({event.event}). {row.says}"
            named = row.power or (row.permit.power if row.permit else "")
            out.append(ReportLine(text, tone=BAD if named in own_powers else PLAIN))
        elif isinstance(event, ev.UnrestBegan) and event.happens:
            dice = "-".join(map(str, event.dice))
            table = f" (Unrest Table {event.table}, dice {dice})" if event.dice else ""
            out.append(ReportLine(sentence(f"Unrest in {place_name(tables, event.area)}{table}"), event.area))
        elif phase != "random_events":
            continue
        elif isinstance(event, ev.Noted):
            out.append(ReportLine(sentence(event.text), event.area))
        elif isinstance(event, ev.CasusBelliArose):
            out.append(ReportLine(sentence(narrator.tell(event)), event.area))
        elif isinstance(event, ev.TensionRaised):
            rises.append(event)
    if rises:
        total = sum(e.amount for e in rises)
        out.append(
            ReportLine(f"European Tensions rise by {total} through events, to {rises[-1].total} of 100.", tone=BAD)
        )
    return out or [ReportLine("Nothing happens.", tone=FAINT)]


def _income(tables: Tables, after: State, own_powers: tuple[str, ...], events: Sequence[ev.Event]) -> list[ReportLine]:
    """Income of the seat's Powers with its components; the others in one line.

    In the last Game Turn, also the value of money and income from now on. Rules: VIC-006, VIC-016
    """
    office = {e.power: e for e in events if isinstance(e, ev.OfficeIncome)}
    sheets = {e.power: e.lines for e in events if isinstance(e, ev.RecordWritten) and e.fresh}
    net = {e.power: e for e in events if isinstance(e, ev.TreasuryChanged) and e.reason == "net income of the turn"}
    out = []
    for power in own_powers:
        roll, sheet, paid = office.get(power), sheets.get(power, {}), net.get(power)
        if roll is None:
            continue
        die = f"die {roll.die}" if roll.die else "no die"
        parts = [f"Colonial Office £{roll.amount} ({die}{'; ' + roll.explanation if roll.note else ''})"]
        gross, upkeep = sheet.get("15"), sheet.get("21")
        if gross is not None and upkeep is not None:
            parts += [f"income in all £{gross}", f"maintenance £{upkeep}"]
        made = f"{power_name(tables, power)}: {', '.join(parts)}"
        amount = paid.amount if paid else 0
        now = f"; net income £{amount}, £{after.powers[power].treasury} in the Treasury"
        out.append(ReportLine(sentence(made + now), tone=GOOD if amount > 0 else BAD))
    rest = ", ".join(f"{power_name(tables, p)} £{e.amount}" for p, e in net.items() if p not in own_powers)
    out += [ReportLine(f"Net income of the others: {rest}.", tone=FAINT)] if rest else []
    return out + ([ReportLine(LAST_TURN_TEXT)] if own_powers and is_income_over(tables, after) else [])


def _minors(narrator: Narrator, events: Sequence[ev.Event]) -> list[ReportLine]:
    """Gains, losses and reinforcements of each Minor Power; inactive ones in one line."""
    tables = narrator.known.tables
    out, quiet, phase = [], [], ""
    for event in events:
        if isinstance(event, ev.PhaseBegan):
            phase = event.phase
        elif phase != "minor_powers":
            continue
        elif isinstance(event, ev.MinorActivity) and not event.active:
            quiet.append(event.power)
        elif isinstance(event, ev.MarkerPlaced | ev.MarkerLowered | ev.CasusBelliArose):
            out.append(ReportLine(sentence(narrator.tell(event)), event.area))
        elif isinstance(event, ev.UnitsMoved):
            where = place_name(tables, event.path[-1])
            sends = f"{the_power(tables, event.power)} sends {' '.join(event.units)} to {where}"
            out.append(ReportLine(sentence(sends), event.path[-1], FAINT))
    if quiet:
        verb = "stay" if len(quiet) > 1 else "stays"
        out.append(ReportLine(sentence(f"{the_powers(tables, tuple(quiet))} {verb} quiet"), tone=FAINT))
    return out


def _unrest(tables: Tables, after: State, own_powers: tuple[str, ...]) -> list[ReportLine]:
    own, others = [], []
    for area, here in after.areas.items():
        if not here.unrest:
            continue
        own_markers = [m for m in here.markers if m.power in own_powers]
        name = place_name(tables, area)
        if own_markers:
            marker = tables.markers[max(own_markers, key=lambda m: tables.markers[m.marker].level).marker].name
            controlled = any(m.marker in CONTROL for m in own_markers)
            risk = "suppress it, or lose the marker" if controlled else "you may lose the marker"
            own.append(ReportLine(f"{name} is in Unrest. You have a marker there ({marker}): {risk}.", area, BAD))
        else:
            holders = [power_name(tables, m.power) for m in here.markers if m.marker in CONTROL and m.established]
            under = f" (under {join_with_and(holders)})" if holders else ""
            others.append(ReportLine(f"{name} is in Unrest{under}.", area))
    return own + others


def _causes(tables: Tables, after: State, own_powers: tuple[str, ...]) -> list[ReportLine]:
    out = []
    for cause in after.casus_belli:
        if {cause.holder, cause.against} & set(own_powers):
            where = f" over {place_name(tables, cause.area)}" if cause.area else ""
            holder, against = the_power(tables, cause.holder), the_power(tables, cause.against)
            text = f"{holder} has a Casus Belli against {against}{where}"
            out.append(ReportLine(sentence(text), cause.area, GOOD if cause.holder in own_powers else BAD))
    return out


def _fleets(tables: Tables, own_powers: tuple[str, ...], events: Sequence[ev.Event]) -> list[ReportLine]:
    began = next((e for e in events if isinstance(e, ev.TurnBegan)), None)
    due = [p for p, n in began.fleets.items() if n] if began else []
    if not due:
        return []
    own = any(p in own_powers for p in due)
    names = the_powers(tables, tuple(due))
    return [ReportLine(sentence(f"a new Merchant Fleet waits for {names}"), tone=GOOD if own else PLAIN)]


def turn_end_page(narrator: Narrator, seat: str, after: State, events: Sequence[ev.Event], year: int) -> ReportPage:
    """Build the page for the end of a Game Turn.

    Args:
        after: the position as the seat knows it at the start of the next Game Turn, or at the end of the game.
        events: all events of the Game Turn, as the seat knows them.
        year: of the Game Turn.
    """
    tables = narrator.known.tables
    own_powers = powers_of(tables, after, seat)
    return ReportPage(
        f"End of {year}",
        nonempty_sections(
            ("The game is over", _result(tables, after)),
            ("Yours", _seat_results(narrator, own_powers, events)),
            ("European Tensions", _tension(tables, events)),
            ("Chinese Resentment", _resentment(narrator, events)),
            ("Congress of Europe", _congress(tables, events)),
            ("Wars", _wars(narrator, own_powers, events)),
        ),
        _standings(after, events),
    )


_WARS = (
    *(ev.WarDeclared, ev.WarArose, ev.GreatWarBegan, ev.PowerLeftWar, ev.WarDecided, ev.WarOver),
    *(ev.AreaConquered, ev.UnitsSurrendered),
)


def _wars(narrator: Narrator, own_powers: tuple[str, ...], events: Sequence[ev.Event]) -> list[ReportLine]:
    """The Wars of the turn in sequence: declarations, battles with consequences, conquests, ends.

    A War whose end has been reported is not reported again as over.
    """
    fought = {id(battle.fought): battle for battle in battle_reports(events)}
    follows = {id(event) for battle in fought.values() for event in battle.follows}
    ended = {event.war for event in events if isinstance(event, ev.WarDecided)}
    out = []
    for event in events:
        if id(event) in fought:
            out.append(describe_battle(narrator, fought[id(event)], own_powers))
        elif isinstance(event, ev.WarOver) and event.war in ended:
            continue
        elif isinstance(event, _WARS) and id(event) not in follows:
            out.append(ReportLine(sentence(narrator.tell(event))))
    return out


def _result(tables: Tables, after: State) -> list[ReportLine]:
    if after.result is None:
        return []
    blame = [the_power(tables, p) for p in after.result.culprits]
    return [
        ReportLine(describe_result(tables, after.result)),
        *([ReportLine("The Great War has broken out.")] if after.result.reason == "great_war" else []),
        *([ReportLine(sentence(f"{join_with_and(blame)} caused it"), tone=BAD)] if blame else []),
    ]


def _standings(after: State, events: Iterable[ev.Event]) -> tuple[SeatStanding, ...]:
    """All seats by Victory Points, highest first."""
    gained: dict[str, list[ev.VictoryPointsChanged]] = {}
    for event in events:
        if isinstance(event, ev.VictoryPointsChanged):
            gained.setdefault(event.power, []).append(event)
    noted = {seat: after.powers[seat].victory_points for seat in after.players}
    totals = after.result.totals if after.result is not None else noted
    out = []
    for seat in sorted(after.players, key=lambda s: -totals[s]):
        changes = gained.get(seat, [])
        final = totals[seat] - noted[seat]
        reasons = [f"{e.amount:+d} {points_reason(e.reason)}" for e in changes]
        why = "; ".join([*reasons, f"{final:+d} Final Record"] if final else reasons)
        rank = 1 + sum(total > totals[seat] for total in totals.values())
        out.append(SeatStanding(seat, rank, totals[seat], final + sum(e.amount for e in changes), why))
    return tuple(out)


def _seat_results(narrator: Narrator, own_powers: tuple[str, ...], events: Sequence[ev.Event]) -> list[ReportLine]:
    """Gains and costs of the seat's Powers in the Game Turn. The standings give the Victory Points."""
    tables = narrator.known.tables
    out = []
    for event in events:
        if isinstance(event, ev.MarkerLowered) and event.power in own_powers:
            out.append(ReportLine(sentence(narrator.tell(event)), event.area, BAD))
        elif isinstance(event, ev.MarkerEstablished) and event.power in own_powers and event.marker in CONTROL:
            out.append(ReportLine(sentence(narrator.tell(event)), event.area, GOOD))
        elif isinstance(event, ev.UnitsLost) and event.power in own_powers:
            out.append(ReportLine(sentence(narrator.tell(event)), event.place, BAD))
    for power in own_powers:
        names: dict[str, list[str]] = {}
        for event in events:
            if isinstance(event, ev.MarkerEstablished) and event.power == power and event.marker not in CONTROL:
                names.setdefault(event.marker, []).append(place_name(tables, event.area))
        for marker, areas in names.items():
            text = f"{the_power(tables, power)} has established {marker_name(tables, marker)} in {join_with_and(areas)}"
            out.append(ReportLine(sentence(text), tone=GOOD))
    return out


def _tension(tables: Tables, events: Iterable[ev.Event]) -> list[ReportLine]:
    rises = [e for e in events if isinstance(e, ev.TensionRaised)]
    if not rises:
        return [ReportLine("European Tensions did not rise.", tone=FAINT)]
    total = sum(e.amount for e in rises)
    out = [ReportLine(f"European Tensions rose by {total}, to {rises[-1].total} of 100.", tone=BAD)]
    by_reason: dict[str, list[ev.TensionRaised]] = {}
    for event in rises:
        by_reason.setdefault(event.reason, []).append(event)
    for reason, some in by_reason.items():
        blamed: dict[str, int] = {}
        for event in some:
            if event.blame:
                blamed[event.blame] = blamed.get(event.blame, 0) + event.amount
        blamed_text = ", ".join(f"{power_name(tables, power)} {amount}" for power, amount in blamed.items())
        areas = [e.area for e in some if e.area]
        text = f"+{sum(e.amount for e in some)}: {tension_reason(reason)}" + (
            f" (by {blamed_text})" if blamed_text else ""
        )
        out.append(ReportLine(sentence(text), areas[0] if len(areas) == 1 else ""))
    return out


def _resentment(narrator: Narrator, events: Iterable[ev.Event]) -> list[ReportLine]:
    rises = [e for e in events if isinstance(e, ev.ResentmentRaised)]
    out = []
    if rises:
        by_power: dict[str, int] = {}
        for event in rises:
            by_power[event.power] = by_power.get(event.power, 0) + event.amount
        tables = narrator.known.tables
        blamed_text = ", ".join(f"{power_name(tables, p) if p else 'events'} {n}" for p, n in by_power.items())
        total = sum(e.amount for e in rises)
        out.append(ReportLine(f"Chinese Resentment rose by {total}, to {rises[-1].total} (by {blamed_text})."))
    shown_types = (ev.RebellionChecked, ev.WarDue, ev.ResentmentReset)
    out += [ReportLine(sentence(narrator.tell(e))) for e in events if isinstance(e, shown_types)]
    return out


_STAGES = {DEFEATED: "defeated", ADOPTED: "adopted", DONE: "adopted, and in effect", REFUSED: "adopted and refused"}


def _congress(tables: Tables, events: Iterable[ev.Event]) -> list[ReportLine]:
    """Proposals of the Congress of the Game Turn and their outcome."""
    sat: Congress | None = None
    text = ""
    for event in events:
        if isinstance(event, ev.CongressChanged):
            sat, text = event.congress, event.note or text
    if sat is None:
        return []
    out = []
    for proposal in sat.proposals:
        votes = list(proposal.votes.values())
        count = ", ".join(f"{votes.count(word)} {word}" for word in ("yes", "no", "abstain") if word in votes)
        stage = _STAGES.get(proposal.stage, "not voted on")
        if proposal.stage == REFUSED and not votes:
            stage = "not put to the vote"  # an earlier adopted proposal made it impossible
        who = the_power(tables, proposal.proposer)
        line = f"{the_proposal(tables, proposal.name)}, proposed by {who}: {stage}"
        out.append(ReportLine(sentence(line + f" ({count})" * bool(count))))
    return [*out, ReportLine(sentence(text))] if text else out


CLOSING_PHASES = ("chinese_resentment", "victory_point_record", "final_record")
OPENING_PHASES = ("random_events", "administrative", "minor_powers")
"""Phases covered by the pages for a turn's end and beginning."""


class TurnEvents(NamedTuple):
    """Events of one Game Turn.

    Attributes:
        turn: its number.
        acts: the seats' acts with their consequences, without the Phases covered by the other pages.
        events: all events.
        over: whether they include the end of the Game Turn.
        open: whether its Movement/Status Change Phase has begun.
    """

    turn: int
    acts: tuple[VisibleAct, ...]
    events: tuple[ev.Event, ...]
    over: bool
    open: bool


def split_by_turn(acts: Sequence[VisibleAct], turn: int, phase: str = "") -> list[TurnEvents]:
    """Split acts by Game Turn. `turn`, `phase`: those at their start."""
    out: list[TurnEvents] = []
    here: list[VisibleAct] = []
    whole: list[ev.Event] = []
    has_own_page, reached = phase in (*CLOSING_PHASES, *OPENING_PHASES), False

    def cut(over: bool) -> None:
        out.append(TurnEvents(turn, tuple(here), tuple(whole), over, reached))

    for act in acts:
        some: list[ev.Event] = []
        for event in act.events:
            if isinstance(event, ev.TurnBegan):
                here.append(VisibleAct(act.seat, tuple(some)))
                cut(True)
                here, whole, some, turn, reached, has_own_page = [], [], [], event.turn, False, True
            if isinstance(event, ev.PositionSet):
                turn = event.state.turn
            if isinstance(event, ev.PhaseBegan):
                has_own_page = event.phase in (*CLOSING_PHASES, *OPENING_PHASES)
                reached = reached or event.phase == "movement"
            elif isinstance(event, ev.RandomEventRolled):
                has_own_page = True  # no event begins the first Phase of a game
            whole.append(event)
            if not has_own_page or isinstance(event, ev.PhaseBegan):
                some.append(event)
            if isinstance(event, ev.GameEnded):
                here.append(VisibleAct(act.seat, tuple(some)))
                cut(True)
                return out
        here.append(VisibleAct(act.seat, tuple(some)))
    cut(False)
    return out


def briefing_pages(
    narrator: Narrator,
    seat: str,
    now: State,
    acts: Sequence[VisibleAct],
    seen: int,
    turn: int,
    position: Callable[[int], State],
    everything: bool = False,
) -> list[ReportPage]:
    """Return the unread pages of a seat, in sequence.

    Args:
        now: the position as the seat knows it.
        acts: the effective acts since the beginning of Game Turn `turn`, as the seat knows them.
        seen: number of acts already reported to the seat.
        turn: see `acts`.
        position: returns the position, as the seat knows it, after a Game Turn has begun, by its number.
        everything: include pages that do not concern the seat.
    """
    unread = split_by_turn(acts[seen:], *_moment_after(acts[:seen], turn))
    by_turn = {part.turn: part for part in split_by_turn(acts, turn)}
    years = narrator.known.tables.turns
    out: list[ReportPage] = []
    for n, part in enumerate(unread):
        over = n + 1 < len(unread) or part.over
        if n or any(isinstance(e, ev.PhaseBegan) and e.phase in OPENING_PHASES for e in part.events):
            beginning = position(part.turn)
            out.append(turn_begin_page(narrator, seat, beginning, by_turn[part.turn].events))
        after = position(part.turn + 1) if n + 1 < len(unread) else now
        page = changes_since(narrator, seat, after, part.acts)
        if any(everything or section.title != ELSEWHERE_TITLE for section in page.sections):
            out.append(page)
        if over:
            events = by_turn[part.turn].events
            out.append(turn_end_page(narrator, seat, after, events, years[part.turn - 1].year))
    return out


def _moment_after(acts: Sequence[VisibleAct], turn: int) -> tuple[int, str]:
    """The Game Turn and the Phase after some acts that begin in `turn`."""
    phase = ""
    for act in acts:
        for event in act.events:
            if isinstance(event, ev.TurnBegan):
                turn = event.turn
            elif isinstance(event, ev.PhaseBegan):
                phase = event.phase
            elif isinstance(event, ev.PositionSet):
                turn, phase = event.state.turn, event.state.phase
    return turn, phase
