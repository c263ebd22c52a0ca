"""What stands on the gamemaster's desk: how the game stands, a row for each seat, and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from rich.text import Text

from paxtui.pax.board.tables import Tables
from paxtui.pax.words.spoken import power_name
from paxtui.table.postal.arrivals import Status
from paxtui.table.postal.folder import Folder
from paxtui.table.postal.keeping.moments import left
from paxtui.table.postal.terms import said
from paxtui.tui.writing.look import Look
from paxtui.tui.writing.wrapping import hanging


class SeatNow(NamedTuple):
    """How a seat stands at the desk.

    Attributes:
        sign, style: of its row. says: in a few words.
        more: sentences about it.
    """

    sign: str
    style: str
    says: str
    more: tuple[str, ...] = ()


def head(look: Look, found: Status, now: datetime) -> Text:
    """Which game, what it waits for, until when in the reader's own zone."""
    terms = found.terms
    out = Text()
    out.append(f"Game {terms.game}", "bold")
    if terms.over:
        out.append(": it is over.")
        return out
    out.append(f", stop {terms.stop}: {terms.asks}\n")
    if terms.paused:
        out.append("Paused: no deadline passes.", look.alarm)
    else:
        out.append(f"Deadline {said(terms.deadline)}, ")
        out.append(left(terms.deadline, now), look.alarm if found.closed else look.key)
    waits = [seat for seat in terms.waits_for if seat in found.missing]
    if found.may_open:
        out.append("\nThe forms may be opened.", look.good)
    else:
        out.append(f"\n{len(found.arrived)} in, {len(waits)} missing.")
    return look.signs(out)


def seats(look: Look, found: Status, folder: Folder, addresses: Mapping[str, str]) -> dict[str, SeatNow]:
    """How each seat stands."""
    terms, out = found.terms, dict[str, SeatNow]()
    for seat in terms.players:
        refused = [f"{name}: {why}" for name, why in found.refused.items() if Path(name).stem == seat]
        more = [f"Not taken: {line}" for line in refused]
        if seat in addresses:
            more.append(f"Letters go to {addresses[seat]}.")
        elif addresses:
            more.append("No address is known.")
        if terms.desk_key:
            more.append(f"Key {terms.keys[seat][:16]}." if seat in terms.keys else "Nobody has taken the seat yet.")
        if seat in found.arrived and seat not in found.extend:
            out[seat] = SeatNow("✓", look.good, f"arrived {_when(folder, terms.stop, seat)}", tuple(more))
        elif seat in found.extend:
            out[seat] = SeatNow("…", look.key, f"asks for {found.extend[seat]} more days", tuple(more))
        elif refused:
            out[seat] = SeatNow("✗", look.alarm, "not taken", tuple(more))
        elif seat in found.missing:
            out[seat] = SeatNow("…", look.key, "missing", tuple(more))
        else:
            out[seat] = SeatNow("·", look.faint, "not asked", tuple(more))
    return out


def _when(folder: Folder, stop: int, seat: str) -> str:
    """When the form of a seat came, in the reader's own zone."""
    found = [path for path in folder.orders_of(stop).glob(f"{seat}.*") if path.is_file()]
    times = [datetime.fromtimestamp(path.stat().st_mtime).astimezone() for path in found]
    return max(times).strftime("%a %d %b, %H:%M") if times else ""


def row(look: Look, tables: Tables, seat: str, player: str, now: SeatNow) -> Text:
    """A seat in a row."""
    out = Text(no_wrap=True, overflow="ellipsis")
    out.append(f"{now.sign} ", now.style)
    name = f"{power_name(tables, seat)}{f' ({player})' if player else ''}"
    out.append(f"{name:<26}")
    out.append(f" {now.says}", look.faint)
    return look.signs(out)


def about(look: Look, now: SeatNow, room: int) -> Text:
    """What there is to say of a seat."""
    out = Text()
    for line in now.more:
        out.append_text(hanging(Text(f"• {line}"), room, 2))
        out.append("\n")
    return look.signs(out)
