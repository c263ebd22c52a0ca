"""Time at a glance: the scrubber with its marks, what differs between two moments, what happened meanwhile."""

from __future__ import annotations

import re
from typing import NamedTuple

from rich.text import Text

from paxtui.pax.board.status import at, units_line
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.state.congress import OVER
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import LEVEL
from paxtui.pax.words.spoken import marker_name, place_name, power_name
from paxtui.table.session import Session
from paxtui.tui.writing.look import GAIN, LOSS, Look

MARKS = (
    ("⚔", ("CasusBelliArose",)),
    ("!", ("UnrestBegan",)),
    ("◆", ("MarkerPlaced", "MarkerEstablished", "MarkerLowered", "MarkerTransferred")),
    ("·", ("ColonialCombat", "RandomEventRolled", "OfficeIncome", "RebellionChecked", "MinorDirected")),
)
"""Signs of the scrubber, the loudest first: disputes, Unrest, markers, dice."""


def scrubber(session: Session, look: Look, width: int) -> Text:
    """The whole game as one line: turns, marks where something happened, and where you stand."""
    span = max(10, width - 2)
    last = max(2, session.version)
    cells = ["─"] * span
    rank = [len(MARKS)] * span
    for entry in session.log():
        for n, (sign, kinds) in enumerate(MARKS):
            x = (entry.line - 1) * (span - 1) // (last - 1)
            if entry.kind in kinds and n < rank[x]:
                cells[x], rank[x] = sign, n
    turns: dict[int, str] = {0: str(session.tables.turns[0].year)}
    for entry in session.log():
        if entry.kind == "TurnBegan":
            turns[(entry.line - 1) * (span - 1) // (last - 1)] = entry.text.strip("═ ")[:4]
    here = (session.line - 1) * (span - 1) // (last - 1)
    out = Text(" ", no_wrap=True, overflow="crop")
    x = 0
    while x < span:
        year = turns.get(x)
        if year and x != here and x + 4 <= span and not x < here < x + 4:
            out.append(year, look.faint)
            x += 4
            continue
        style = f"{look.key} reverse" if x == here else look.alarm if rank[x] < 2 else look.faint
        out.append(look.palette.text("▮" if x == here else cells[x]), style)
        x += 1
    return out


class Chapter(NamedTuple):
    """A moment that one looks for: the line at which it begins, and what it is called.

    `stops`: whether a replay stops there.
    """

    line: int
    title: str
    stops: bool = True


def chapters(session: Session) -> list[Chapter]:
    """Turns, Congresses, breaches of Treaties, wars, and the end, as the eyes of the session know of them."""
    found: list[Chapter] = []
    sitting = False
    for told in session.told():
        for event in told.events:
            title = ""
            match event:
                case ev.TurnBegan(year=year, turn=turn):
                    title = f"{year}, Game Turn {turn}"
                case ev.CongressChanged(congress=congress, step=step):
                    if not sitting:
                        title = f"  Congress of Europe in {power_name(session.tables, congress.site)}"
                    sitting = step != OVER
                case ev.BreachOpened(power=power) | ev.TreatyBroken(power=power):
                    title = f"  {power_name(session.tables, power)} breaks a Treaty"
                case ev.WarDeclared(power=power, on=on):
                    names = " and ".join(power_name(session.tables, one) for one in on)
                    title = f"  War: {power_name(session.tables, power)} against {names}"
                case ev.WarArose():
                    title = "  War"
                case ev.GameEnded():
                    title = "The end of the game"
            if title and (told.number, title) not in [(c.line, c.title) for c in found]:
                found.append(Chapter(told.number, title))
    return found


def line_at(session: Session, width: int, x: int) -> int:
    """The line of the log under column `x` of the scrubber."""
    span = max(10, width - 2)
    return 1 + max(0, min(span - 1, x - 1)) * (max(2, session.version) - 1) // (span - 1)


def differences(tables: Tables, before: State, after: State, look: Look) -> Text:
    """Two moments side by side: only what is not alike, before on the left, after on the right.

    A figure that has grown is marked as a gain, one that has shrunk as a loss, the two Indexes the other way round;
    places have the colour of who holds them.
    """
    rows: list[tuple[str, str, str]] = []
    years = (str(tables.turns[before.turn - 1].year), str(tables.turns[after.turn - 1].year))
    rows.append(("year", *years))
    rows.append(("European Tensions", str(before.tension), str(after.tension)))
    rows.append(("Chinese Resentment", str(before.resentment), str(after.resentment)))
    for power in after.powers:
        old, new = before.powers.get(power), after.powers[power]
        if old is not None:
            name = power_name(tables, power)
            rows.append((f"{name}: Treasury", f"£{old.treasury}", f"£{new.treasury}"))
            rows.append((f"{name}: Victory Points", str(old.victory_points), str(new.victory_points)))
    for area in tables.areas:
        rows.append((place_name(tables, area), _area(tables, before, area), _area(tables, after, area)))
    for power in after.homes:
        rows.append(
            (f"{power_name(tables, power)}, at home", units_line(before.homes[power]), units_line(after.homes[power]))
        )
    for zone in tables.sea_zones:
        fleets = [" ".join(tables.powers[p].letters for p in s.sea_zones.get(zone, ())) for s in (before, after)]
        rows.append((place_name(tables, zone), fleets[0], fleets[1]))
    holders = {place_name(tables, area): _holder(after, area) or _holder(before, area) for area in tables.areas}
    holders |= {f"{power_name(tables, power)}, at home": power for power in after.homes}
    out = Text()
    for what, old_text, new_text in rows:
        if old_text != new_text:
            out.append(f"{what:<30}", f"bold {look.ink(holders.get(what, ''))}" if holders.get(what) else "bold")
            out.append(look.palette.text(f"{old_text or 'nothing':<26}"), look.faint)
            sign, style = _changed(look, what, old_text, new_text)
            out.append(look.palette.text(f"{sign} {new_text or 'nothing'}\n"), style)
    return out or Text("Nothing differs.")


def _holder(state: State, area: str) -> str:
    """Who has the highest marker in an Area, "" for nobody."""
    markers = at(state, area).markers
    return max(markers, key=lambda m: LEVEL[m.marker]).power if markers else ""


def _changed(look: Look, what: str, before: str, after: str) -> tuple[str, str]:
    """The sign of a change and its style: a gain, a loss, or neither."""
    figures = [re.fullmatch(r"£?(-?\d+)", text) for text in (before, after)]
    if what == "year" or not all(figures):
        return "→", ""
    old, new = (int(found[1]) for found in figures if found)
    good = (new > old) != (what in ("European Tensions", "Chinese Resentment"))
    return (GAIN, look.good) if good else (LOSS, look.alarm)


def _area(tables: Tables, state: State, area: str) -> str:
    """Markers, units and Unrest of an Area in a few words."""
    here = at(state, area)
    parts = []
    for m in here.markers:
        letters = tables.powers[m.power].letters if m.power in tables.powers else "OT"
        parts.append(f"{marker_name(tables, m.marker).split(' ')[0]}{letters}{'' if m.established else '?'}")
    for power in dict.fromkeys(u.power for u in here.units):
        parts.append(units_line(tuple(u for u in here.units if u.power == power)))
    return " ".join(parts + ["!"] * here.unrest)
