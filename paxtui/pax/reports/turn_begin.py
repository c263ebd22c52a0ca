"""The page that opens a Game Turn: Random Events and what they do, income, Minor Powers, Unrest, Casus Belli."""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.reports.page import BAD, FAINT, GOOD, PLAIN, Page, Told, sections
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.turn.final_record import income_is_over
from paxtui.pax.words.spoken import all_of, place_name, power_name, sentence, the_power, the_powers

LAST = (
    "This is the last Game Turn and no more income comes: in the end money left counts once (line 24), what the Areas "
    "earn twice (line 29), and maintenance not at all."
)


def begin_of_turn(narrator: Narrator, seat: str, after: State, events: Sequence[ev.Event]) -> Page:
    """The page of a Game Turn that has begun.

    Args:
        narrator: of the seat.
        seat: who reads it.
        after: the position as the seat may know it when the Movement/Status Change Phase has begun.
        events: what happened from the beginning of the Game Turn, as the seat may know it.
    """
    tables = narrator.known.tables
    year = tables.turns[after.turn - 1].year
    mine = powers_of(tables, after, seat)
    return Page(
        f"{year}: Game Turn {after.turn} begins",
        sections(
            ("Random Events", _random_events(narrator, mine, events)),
            ("Income", _income(tables, after, mine, events)),
            ("Minor Powers", _minors(narrator, events)),
            ("Unrest", _unrest(tables, after, mine)),
            ("Casus Belli", _causes(tables, after, mine)),
            ("New Merchant Fleets", _fleets(tables, mine, events)),
        ),
    )


def _random_events(narrator: Narrator, mine: tuple[str, ...], events: Sequence[ev.Event]) -> list[Told]:
    """Every event that happens, with what it does and what it asks; Unrest by the Area that rises."""
    tables = narrator.known.tables
    out: list[Told] = []
    for n, event in enumerate(events):
        if isinstance(event, ev.RandomEventRolled) and event.happens:
            row = tables.events[event.event]
            if row.unrest and not event.leopold:
                continue  # the Area that rises is told by its own event
            said = f"{event.title} ({event.event}). {row.says}"
            named = row.power or (row.permit.power if row.permit else "")
            out.append(Told(said, tone=BAD if named in mine else PLAIN))
        elif isinstance(event, ev.UnrestBegan) and event.happens:
            dice = "-".join(map(str, event.dice))
            table = f" (Unrest Table {event.table}, dice {dice})" if event.dice else ""
            out.append(Told(sentence(f"Unrest in {place_name(tables, event.area)}{table}"), event.area))
        elif isinstance(event, ev.Noted) and _within(events, n, "random_events"):
            out.append(Told(sentence(event.text), event.area))
        elif isinstance(event, ev.CasusBelliArose) and _within(events, n, "random_events"):
            out.append(Told(sentence(narrator.tell(event)), event.area))
    rises = [e for n, e in enumerate(events) if isinstance(e, ev.TensionRaised) and _within(events, n, "random_events")]
    if rises:
        total = sum(e.amount for e in rises)
        out.append(Told(f"European Tensions rise by {total} through events, to {rises[-1].total} of 100.", tone=BAD))
    return out or [Told("Nothing happens.", tone=FAINT)]


def _within(events: Sequence[ev.Event], n: int, phase: str) -> bool:
    """Whether an event happened in a Phase."""
    began = [e.phase for e in events[:n] if isinstance(e, ev.PhaseBegan)]
    return bool(began) and began[-1] == phase


def _income(tables: Tables, after: State, mine: tuple[str, ...], events: Sequence[ev.Event]) -> list[Told]:
    """What the Powers of the seat have received and how it is made up; the others in a line.

    In the last Game Turn, what money and income are worth from now on. Rules: VIC-006, VIC-016
    """
    office = {e.power: e for e in events if isinstance(e, ev.OfficeIncome)}
    sheets = {e.power: e.lines for e in events if isinstance(e, ev.RecordWritten) and e.fresh}
    net = {e.power: e for e in events if isinstance(e, ev.TreasuryChanged) and e.reason == "net income of the turn"}
    out = []
    for power in mine:
        roll, sheet, paid = office.get(power), sheets.get(power, {}), net.get(power)
        if roll is None:
            continue
        die = f"die {roll.die}" if roll.die else "no die"
        parts = [f"Colonial Office £{roll.amount} ({die}{'; ' + roll.note if roll.note else ''})"]
        gross, upkeep = sheet.get("15"), sheet.get("21")
        if gross is not None and upkeep is not None:
            parts += [f"income in all £{gross}", f"maintenance £{upkeep}"]
        made = f"{power_name(tables, power)}: {', '.join(parts)}"
        amount = paid.amount if paid else 0
        now = f"; net income £{amount}, £{after.powers[power].treasury} in the Treasury"
        out.append(Told(sentence(made + now), tone=GOOD if amount > 0 else BAD))
    rest = ", ".join(f"{power_name(tables, p)} £{e.amount}" for p, e in net.items() if p not in mine)
    out += [Told(f"Net income of the others: {rest}.", tone=FAINT)] if rest else []
    return out + ([Told(LAST)] if mine and income_is_over(tables, after) else [])


def _minors(narrator: Narrator, events: Sequence[ev.Event]) -> list[Told]:
    """What each Minor Power took, gave up or was sent; the quiet ones in a line."""
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
            out.append(Told(sentence(narrator.tell(event)), event.area))
        elif isinstance(event, ev.UnitsMoved):
            where = place_name(tables, event.path[-1])
            sends = f"{the_power(tables, event.power)} sends {' '.join(event.units)} to {where}"
            out.append(Told(sentence(sends), event.path[-1], FAINT))
    if quiet:
        verb = "stay" if len(quiet) > 1 else "stays"
        out.append(Told(sentence(f"{the_powers(tables, tuple(quiet))} {verb} quiet"), tone=FAINT))
    return out


def _unrest(tables: Tables, after: State, mine: tuple[str, ...]) -> list[Told]:
    """Areas in Unrest, those where the seat has a marker first."""
    own, others = [], []
    for area, here in after.areas.items():
        if not here.unrest:
            continue
        held = [m for m in here.markers if m.power in mine]
        name = place_name(tables, area)
        if held:
            marker = tables.markers[max(held, key=lambda m: tables.markers[m.marker].level).marker].name
            risk = "put it down, or lose it" if any(m.marker in CONTROL for m in held) else "your marker there may go"
            own.append(Told(f"{name} is in Unrest, where you have a marker ({marker}): {risk}.", area, BAD))
        else:
            holders = [power_name(tables, m.power) for m in here.markers if m.marker in CONTROL and m.established]
            others.append(Told(f"{name} is in Unrest" + (f" (under {all_of(holders)})." if holders else "."), area))
    return own + others


def _causes(tables: Tables, after: State, mine: tuple[str, ...]) -> list[Told]:
    """Casus Belli that the seat holds, or that others hold against it."""
    out = []
    for cause in after.casus_belli:
        if {cause.holder, cause.against} & set(mine):
            where = f" over {place_name(tables, cause.area)}" if cause.area else ""
            holder, against = the_power(tables, cause.holder), the_power(tables, cause.against)
            said = f"{holder} has a Casus Belli against {against}{where}"
            out.append(Told(sentence(said), cause.area, GOOD if cause.holder in mine else BAD))
    return out


def _fleets(tables: Tables, mine: tuple[str, ...], events: Sequence[ev.Event]) -> list[Told]:
    began = next((e for e in events if isinstance(e, ev.TurnBegan)), None)
    due = [p for p, n in began.fleets.items() if n] if began else []
    if not due:
        return []
    own = any(p in mine for p in due)
    names = the_powers(tables, tuple(due))
    return [Told(sentence(f"a new Merchant Fleet waits for {names}"), tone=GOOD if own else PLAIN)]
