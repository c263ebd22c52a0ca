"""What has come of a stop: one report for everybody and one for each seat. The same log gives the same, byte for byte.

Rules: PBM-020, PBM-032, PBM-047, PBM-107, PBM-116, PBM-122
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paxtui.engine.log import Line, parse
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.narration.matter import is_bookkeeping
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.narration.treaty_narration import articles_said
from paxtui.pax.narration.war_narration import sides_named
from paxtui.pax.orders.actions import Adjudicate
from paxtui.pax.orders.dispatches import DISPATCH
from paxtui.pax.play.casus_belli import said
from paxtui.pax.postal.live import MESSAGE
from paxtui.pax.reports.must_do import must_dos
from paxtui.pax.reports.page import Page
from paxtui.pax.reports.plain import must_do_lines, standing_lines
from paxtui.pax.reports.since import TITLE
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import DRAFT, ENDED
from paxtui.pax.war.alliances import commanders
from paxtui.pax.words.free_text import clean
from paxtui.pax.words.spoken import phase_name, place_name, power_name, powers_named, sentence, the_powers
from paxtui.table.authority import Table, no_clock
from paxtui.table.desk.news import pages_since
from paxtui.table.postal.document import Document, Group, Part, part
from paxtui.table.postal.missed import MOST_MISSED, missed_in_succession
from paxtui.table.postal.terms import Terms, said_anywhere
from paxtui.table.session import Session

SINCE = "What has changed since your last orders"
"""Title of the page that tells what has happened to a seat."""

ORDER_NOTE = "order_"
"""How the codes of notes begin that tell the owner of an order what has become of it."""


def is_adjudication(line: Line) -> bool:
    """Whether a line of the log opened the forms of a stop."""
    tag = Adjudicate.__struct_config__.tag
    return line.kind == "act" and isinstance(line.action, dict) and line.action.get("type") == tag


def adjudications(table: Table) -> tuple[Line, ...]:
    """The lines in force that opened the forms of a stop; the first brought the game to its first stop."""
    return tuple(line for line in table.game.effective_lines() if is_adjudication(line))


def public_report(table: Table, terms: Terms) -> Document:
    """What everybody is told after the last adjudication: all that has happened, Phase by Phase, and what is due."""
    last = adjudications(table)[-1]
    narrator = Narrator(table.tables, table.state_for(SPECTATOR, 1))
    for line in table.game.effective_lines():
        if line.n < last.n:
            narrator.learn(table.events_seen(SPECTATOR, line.n))
    seen = table.events_seen(SPECTATOR, last.n)
    parts = [*part("Notices", _notices(table)), *_phases(narrator, _phase_before(table, last), seen)]
    parts += _common(table, SPECTATOR)
    parts += part("Dice", _dice(Narrator(table.tables, table.state_for(SPECTATOR, 1)), seen))
    return _document(table, terms, "everybody", parts)


def seat_report(table: Table, terms: Terms, seat: str) -> Document:
    """What a seat is told after the last adjudication: its own orders, what concerns it, and what waits for it."""
    last = adjudications(table)[-1]
    session = Session(table, seat, in_earnest=False)
    events = table.events_seen(seat, last.n)
    notes = [e.text for e in events if isinstance(e, ev.Noted) and e.code.startswith(ORDER_NOTE)]
    messages = [e.text for e in events if isinstance(e, ev.Noted) and e.code == MESSAGE]
    parts = [*part("Notices", _notices(table)), *part("Your orders", notes), *part("Anonymous messages", messages)]
    told, pages = [*notes, *messages], pages_since(session, last.n - 1, everything=True)
    parts += [_part_of(table, _without(page, told)) for page in pages]
    parts += part("Your position", _position(table, seat))
    waiting = must_do_lines(must_dos(table.tables, table.state_for(seat), seat))
    parts += part("What waits for you", waiting)
    return _document(table, terms, power_name(table.tables, seat), [*parts, *_common(table, seat)])


def as_of(table: Table, stop: int) -> Table:
    """The game as it stood when a stop began, in memory. `stop`: from 1 to the present one."""
    last = adjudications(table)[stop - 1]
    data = b"".join(line + b"\n" for line in table.log().split(b"\n")[: last.n])
    return Table(table.tables, parse(data), None, no_clock)


# --- parts ------------------------------------------------------------------------------------------------------------


def _document(table: Table, terms: Terms, reader: str, parts: Sequence[Part]) -> Document:
    year = table.tables.turns[table.state.turn - 1].year
    title = f"Pax Britannica by mail, game {terms.game}: report {len(adjudications(table))}, {year}"
    return Document(title, reader, tuple(each for each in parts if each.groups), _due(table, terms))


def _part_of(table: Table, page: Page) -> Part:
    """A page of a report as a part."""
    standing = standing_lines(table.tables, page)
    groups = [Group("Victory Points", tuple(standing))] if standing else []
    groups += [Group(section.title, tuple(clean(line.text) for line in section.lines)) for section in page.sections]
    return Part(page.title, tuple(groups))


def _common(table: Table, seat: str) -> Iterator[Part]:
    """What everybody wants to know at the end: how the Powers stand, and the causes of war."""
    state = table.state_for(seat)
    yield from part("Standing", _standing(table))
    yield from part("Wars", _wars(table.tables, state))
    yield from part("Units at sea", _at_sea(table.tables, state))
    yield from part("Treaties" if seat == SPECTATOR else "Treaties you know", _treaties(table.tables, state))
    yield from part("Casus Belli", (f"{cause.id}: {said(table.tables, cause)}." for cause in state.casus_belli))


def _wars(tables: Tables, state: State) -> Iterator[str]:
    """Who is at War with whom, and who gives orders to Powers without a player."""
    for war in state.wars:
        yield f"{sides_named(tables, war)[:1].upper()}{sides_named(tables, war)[1:]}, cycle {war.cycle}."
        for power in war.powers:
            seats = commanders(tables, state, war, power)
            if seats and power not in (*seats, *state.players):
                gives = "gives" if len(seats) == 1 else "give"
                yield f"  {the_powers(tables, seats)} {gives} orders to {power_name(tables, power)}."


def _at_sea(tables: Tables, state: State) -> Iterator[str]:
    """Military Units in Sea Zones, zone by zone."""
    for zone, units in state.at_sea.items():
        owners = dict.fromkeys(unit.power for unit in units)
        held = "; ".join(
            f"{power_name(tables, p)} {' '.join(unit.name for unit in units if unit.power == p)}" for p in owners
        )
        if held:
            yield f"{place_name(tables, zone)}: {held}."


def _treaties(tables: Tables, state: State) -> Iterator[str]:
    """The Treaties that a reader knows, with the ids that orders name them by."""
    for treaty in state.treaties:
        if treaty.stage == ENDED:
            continue
        missing = tuple(p for p in treaty.parties if p not in treaty.signed)
        how = f"a draft that waits for {powers_named(tables, missing)}" if treaty.stage == DRAFT else "in force"
        known = "public" if treaty.public else "to be public" if treaty.publish else "secret"
        parties = powers_named(tables, treaty.parties)
        name = f"{treaty.name}, " if treaty.name else ""
        yield f"{treaty.id}: {name}{parties}; {how}, {known}: {articles_said(tables, treaty)}"


def _dice(narrator: Narrator, events: Sequence[ev.Event]) -> Iterator[str]:
    """The dice that have been rolled, each with what it was for."""
    for event in events:
        told = narrator.tell(event)
        if told and told_dice(event):
            yield sentence(told)


def told_dice(event: ev.Event) -> bool:
    """Whether an event tells of dice."""
    return isinstance(event, ev.RandomEventRolled) or bool(getattr(event, "dice", ()))


def _notices(table: Table) -> list[str]:
    """What the desk has to tell everybody since the report before: deadlines moved, seats taken, new keys."""
    done = adjudications(table)
    first = done[-2].n if len(done) > 1 else 1
    told = [
        str(line.action["text"])
        for line in table.game.lines
        if first < line.n < done[-1].n and line.kind == "note" and line.seat == ARBITER
        if isinstance(line.action, dict) and line.action.get("type") == DISPATCH and line.action.get("text")
    ]
    return told


def _phase_before(table: Table, line: Line) -> str:
    """The Phase in which a line found the game."""
    return table.game.seek(line.n - 1).phase


def _phases(narrator: Narrator, phase: str, events: Sequence[ev.Event]) -> Iterator[Part]:
    """What has happened, under the name of each Phase that has brought anything."""
    lines: list[str] = []
    for event in events:
        told = narrator.tell(event)
        if isinstance(event, ev.PhaseBegan):
            yield from part(f"{phase_name(phase)} Phase", lines)
            phase, lines = event.phase, []
        elif told and not is_bookkeeping(event):
            lines.append(sentence(told))
    yield from part(f"{phase_name(phase)} Phase", lines)


def _without(page: Page, notes: Sequence[str]) -> Page:
    """A page without what has been told of the seat's orders already."""
    known = {sentence(note) for note in notes}
    kept = [
        section._replace(lines=lines)
        for section in page.sections
        if (lines := tuple(line for line in section.lines if line.text not in known))
    ]
    title = SINCE if page.title == TITLE else page.title
    return page._replace(title=title, sections=tuple(kept))


def _standing(table: Table) -> Iterator[str]:
    state, tables = table.state, table.tables
    yield f"European Tensions {state.tension}, Chinese Resentment {state.resentment}."
    for seat in sorted(state.players, key=lambda s: -state.powers[s].victory_points):
        own = [f"{power_name(tables, p)} £{state.powers[p].treasury}" for p in powers_of(tables, state, seat)]
        yield f"{power_name(tables, seat)}: {state.powers[seat].victory_points} Victory Points; {', '.join(own)}."
    acts = table.game.effective_lines()
    for seat in state.players:
        missed = missed_in_succession(acts, seat)
        if missed:
            times = "its last move" if missed == 1 else f"{missed} moves in succession"
            opened = ": the seat is open to another player" if missed >= MOST_MISSED else ""
            yield f"{power_name(tables, seat)} has missed {times}{opened}."


def _position(table: Table, seat: str) -> Iterator[str]:
    state, tables = table.state_for(seat), table.tables
    for power in powers_of(tables, state, seat):
        own = state.powers[power]
        yield f"{power_name(tables, power)}: £{own.treasury}, {own.victory_points} Victory Points."
        for area, here in state.areas.items():
            markers = [
                m.marker + ("" if m.established else " (not established)") for m in here.markers if m.power == power
            ]
            units = [u.name for u in here.units if u.power == power]
            if markers or units:
                unrest = ", in Unrest" if here.unrest else ""
                yield f"  {tables.areas[area].name}: {' '.join([', '.join(markers), *units]).strip()}{unrest}"
        home = [u.name for u in state.homes.get(power, ()) if u.power == power]
        at_sea = [
            f"{place_name(tables, zone)} {' '.join(u.name for u in there if u.power == power)}"
            for zone, there in state.at_sea.items()
            if any(u.power == power for u in there)
        ]
        if at_sea:
            yield f"  At sea: {'; '.join(at_sea)}."
        fleets = [tables.sea_zones[z].name for z, powers in state.sea_zones.items() if power in powers]
        yield f"  At home: {' '.join(home) or 'nothing'}. Merchant Fleets: {', '.join(fleets) or 'none'}."


def _due(table: Table, terms: Terms) -> Part:
    """What is due next, and when."""
    if table.state.result is not None:
        return Part("The game is over", (Group("", ("No more orders are due.",)),))
    names = ", ".join(power_name(table.tables, seat) for seat in terms.waits_for)
    lines = f"Stop {terms.stop}: {terms.asks}, from {names}.", f"Deadline: {said_anywhere(terms.deadline)}."
    return Part("What is due", (Group("", lines),))
