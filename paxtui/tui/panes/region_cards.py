"""The Areas of a region as cards, for small screens."""

from __future__ import annotations

from rich.text import Text

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.routes import entry, linked_areas
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.menus.place import area_menu
from paxtui.games.pax.state.model import State
from paxtui.session.session import Session
from paxtui.tui.formatting.look import Look, clickable
from paxtui.tui.map.geometry import load_atlas

NARROWEST = 37
"""Minimum width of a card, in cells. It determines the number of columns."""
HEIGHT = 5
"""Rows of a card with its frame."""
CARD_FRAME = ("╭─╮", "│ │", "╰─╯")
CURSOR_FRAME = ("┏━┓", "┃ ┃", "┗━┛")
"""Frames of a card and of the selected card. They differ in weight, not only in colour."""
_PLAIN = str.maketrans("╭─╮│╰╯┏━┓┃┗┛", "+-+|++#=####")


def areas_by_region(session: Session) -> dict[str, list[str]]:
    """Return the Areas by region, in the order of the table."""
    out: dict[str, list[str]] = {}
    for area in session.tables.areas.values():
        out.setdefault(area.region, []).append(area.id)
    return out


def card_columns(width: int, cards: int) -> int:
    """Return how many of `cards` cards fit side by side into `width` cells."""
    return max(1, min(cards, (width - 2) // NARROWEST))


def region_text(session: Session, look: Look, region: str, cursor: str, width: int, height: int) -> Text:
    """Render the Areas of a region as cards, followed by further regions while rows are left.

    Args: the session; the look; the region; the selected place, whose card has a heavy frame; the width in cells;
        the number of rows.
    """
    by_name = areas_by_region(session)
    names = list(by_name)
    at = names.index(region)
    out = Text(no_wrap=True, overflow="crop")
    linked = linked_areas(session.tables, session.state, session.power)
    rows = 0
    for name in (*names[at:], *names[:at]):
        areas = by_name[name]
        side = card_columns(width, len(areas))
        high = 1 + HEIGHT * -(-len(areas) // side)
        if rows and rows + high > height:
            break
        rows += high
        here = name == region
        out.append(f" {_title(name)}", "bold" if here else look.faint)
        where = f"   {names.index(name) + 1} of {len(names)}" + (" · arrows walk on" if here else "")
        out.append(look.palette.text(where + "\n"), look.faint)
        wide = (width - 2) // side
        for first in range(0, len(areas), side):
            cards = [
                _card(session, look, id_, id_ == cursor, wide, id_ in linked, here)
                for id_ in areas[first : first + side]
            ]
            for row in range(HEIGHT):
                for card in cards:
                    out.append_text(card[row])
                out.append("\n")
    return out


def _title(region: str) -> str:
    return region.replace("_", " ").title().replace("And", "and")


def _card(session: Session, look: Look, id_: str, here: bool, width: int, linked: bool, chosen: bool) -> list[Text]:
    """Render a card: name, code, type, figures, markers, garrisons; in the selected region also purchases."""
    tables, state, power = session.tables, session.state, session.power
    area, at = tables.areas[id_], state.areas[id_]
    ink = look.ink(area.type)
    frame = look.key if here else look.faint
    top, middle, bottom = (_sign(look, row) for row in (CURSOR_FRAME if here else CARD_FRAME))
    room = width - 4
    code = load_atlas().places[id_].code
    flags = Text()
    if at.unrest:
        flags.append(" ! unrest", look.alarm)
    if any(c.area == id_ for c in state.casus_belli):
        flags.append(look.palette.text(" ⚔"), look.alarm)
    style = clickable(f"bold {ink}" + (" reverse" if here else ""), f"screen.orders('click', '{id_}')")
    name = Text.assemble((area.name, style))
    name.truncate(max(6, room - len(flags.plain) - 5), overflow="ellipsis")
    head = Text.assemble(name, flags)
    first = Text.assemble((top[0] + top[1], frame), " ", head, " ")
    first.append(top[1] * max(0, width - len(first.plain) - 6) + " ", frame)
    first.append(code, ink)
    first.append(" " + top[2], frame)
    kind = (at.type or area.type).replace("_", " ")
    figures = Text.assemble(f"value {area.value}, strength {area.strength}", (f", {kind}", look.faint))
    pieces = Text()
    for m in at.markers:
        pieces.append_text(look.text(look.marker(tables, m.power, m.marker, m.established), " "))
    if not at.markers:
        pieces.append("nobody's ", look.faint)
    for units in look.units(at.units):
        pieces.append_text(look.text(" ", units))
    may = []
    if linked:
        may.append("linked")
    if entry(state, power, id_):
        may.append("armies may enter")
    buy = purchase_signs(session, id_) if chosen else ""
    notes = Text.assemble((look.palette.text(buy + ("  " if buy and may else "")), look.good))
    notes.append(", ".join(may) or ("" if buy else "no link"), look.faint)
    rows = [first]
    for line in (figures, pieces, notes):
        line.truncate(room, overflow="ellipsis", pad=True)
        rows.append(Text.assemble((middle[0] + " ", frame), line, (" " + middle[2], frame)))
    rows.append(Text(bottom[0] + bottom[1] * (width - 2) + bottom[2], frame))
    return rows


def _sign(look: Look, row: str) -> str:
    return row.translate(_PLAIN) if look.palette.ascii else row


def purchase_signs(session: Session, area: str) -> str:
    """Return what the acting Power can place or raise in an Area, as signs with prices; "" if nothing."""
    state: State = session.live
    if session.at is not None or state.phase != "movement":
        return ""
    return _purchases(session.tables, state, session.power, area)


@cached(most=256, by=lambda tables, state, power, area: ((power, area), (tables, state)))
def _purchases(tables: Tables, state: State, power: str, area: str) -> str:
    signs = []
    for item in area_menu(tables, state, power, area):
        if item.allowed and isinstance(item.action, actions.Place | actions.Upgrade):
            signs.append(f"{tables.markers[item.action.marker].sign}£{item.price}")
    return " ".join(dict.fromkeys(signs))
