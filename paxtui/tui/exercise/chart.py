"""The map of an exercise as text: areas at the positions of the file, connections, and pieces."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from paxtui.games.empires.board import controller, is_at_war
from paxtui.games.empires.pieces import is_hidden
from paxtui.games.empires.state import State
from paxtui.games.empires.tables import Area, Tables
from paxtui.tui.formatting.look import Look

SHORT_NAMES = {
    "great_britain": "GB", "russia": "RU", "turkey": "TU", "austria": "AU", "prussia": "PR", "france": "FR",
    "spain": "SP",
}  # fmt: skip
"""Two-letter names of the Powers."""
ROUTE_SIGNS = {"open": "·", "river": "≈", "crossing": "→"}
"""Signs of connections by kind."""
LINE_SHIFTS = 6
"""Vertical offsets, in rows, that are tried for the lines of an area."""
Canvas = list[list[tuple[str, str]]]


def draw_chart(
    tables: Tables, state: State, seat: str, look: Look, width: int, height: int, cursor: str = ""
) -> tuple[Text, int]:
    """Draw the map to the given size; also return the number of areas that did not fit.

    Args: the tables; the position; the seat; the look; the size; the selected area, "" for none.
    """
    canvas: Canvas = [[(" ", "")] * width for _ in range(height)]
    spots = area_positions(tables, width, height)
    for border in tables.exercise.borders:
        _draw_way(canvas, spots[border.a], spots[border.b], ROUTE_SIGNS[border.kind], look.faint)
    for area in tables.exercise.areas:
        if area.coast:
            _draw_way(canvas, spots[area.id], spots[area.coast], ROUTE_SIGNS["open"], look.faint)
    taken: set[tuple[int, int]] = set()
    left_out = 0
    labels: list[tuple[Area, str, list[tuple[str, str]]]] = []
    for area in tables.exercise.areas:
        colour = "italic" if area.sea else "bold" if controller(tables, state, area.id) in state.powers else ""
        colour = f"{look.key} reverse" if area.id == cursor else colour
        labels.append((area, colour, [(area_label(tables, state, area), colour), *_pieces(state, seat, area, look)]))
    # the area under the cursor has room first, then those where most stands
    for area, colour, lines in sorted(labels, key=lambda one: (one[0].id != cursor, -len(one[2]))):
        found = _free(lines, spots[area.id], taken, width, height)
        if found is None:  # the name alone, where at least that has room
            left_out, lines = left_out + 1, [(f"{area.name}…", colour)]
            found = _free(lines, spots[area.id], taken, width, height)
        if found is None:
            continue
        x, y = found
        for at, (line, style) in enumerate(lines):
            _write(canvas, x, y + at, line, style)
            taken |= {(x + n, y + at) for n in range(-1, len(line) + 1)}
    text = Text(no_wrap=True)
    for row in canvas:
        for sign, style in row:
            text.append(look.palette.text(sign), style)
        text.append("\n")
    return text, left_out


def area_positions(tables: Tables, width: int, height: int) -> dict[str, tuple[int, int]]:
    """Return the center of each area in columns and rows, with margins for its lines."""
    areas = tables.exercise.areas
    left, right = min(area.x for area in areas), max(area.x for area in areas)
    top, bottom = min(area.y for area in areas), max(area.y for area in areas)
    spots = {}
    for area in areas:
        x = 8 + (area.x - left) * max(1, width - 18) // max(1, right - left)
        y = 1 + (area.y - top) * max(1, height - 5) // max(1, bottom - top)
        spots[area.id] = x, y
    return spots


def neighbour(tables: Tables, area: str, direction: str) -> str:
    """Return the nearest area to the left or right of an area, above or below it; the area itself if there is none."""
    here = tables.areas[area]
    across, sign = {"left": (True, -1), "right": (True, 1), "up": (False, -1), "down": (False, 1)}[direction]
    best, nearest = area, 1e9
    for one in tables.exercise.areas:
        x, y = one.x - here.x, one.y - here.y
        ahead, aside = (x * sign, abs(y)) if across else (y * sign, abs(x))
        distance = ahead + 2 * aside
        if ahead > 0 and ahead >= aside * 0.6 and distance < nearest:
            best, nearest = one.id, distance
    return best


def area_label(tables: Tables, state: State, area: Area) -> str:
    """Describe an area: name, owner, terrain, port or capital, garrison."""
    signs = {"forest": "●", "mountain": "▲", "desert": "░", "marsh": "═"}.get(area.terrain, "")
    signs += "★" if area.capital else "▪" if area.port else ""
    whose = controller(tables, state, area.id)
    held = sum(one.factors.total for one in state.garrisons if one.where == area.id and not one.of_depot)
    return f"{area.name}{signs}" + (f" {short_name(whose)}" if whose else "") + (f" g{held}" if held else "")


def short_name(nation: str) -> str:
    """Return the two-letter name of a Power or a minor country."""
    return SHORT_NAMES.get(nation, nation[:2].title())


def _pieces(state: State, seat: str, area: Area, look: Look) -> Iterator[tuple[str, str]]:
    """Return the pieces in an area, a line for each Power and place."""
    lines: dict[tuple[str, str], list[str]] = {}
    for fleet in state.fleets.values():
        if fleet.where == area.id:
            sign = {"": "", "port": "port ", "blockade": "off "}[fleet.box]
            lines.setdefault((fleet.power, sign), []).append(f"{fleet.id} {fleet.ships}")
    for corps in state.corps.values():
        if corps.where == area.id:
            sign = "city " if corps.inside else ""
            text = corps.kind[:3] if is_hidden(corps) else f"{corps.id} {corps.factors.total}"
            lines.setdefault((corps.power, sign), []).append(text)
    for garrison in state.garrisons:
        if garrison.where == area.id and garrison.of_depot:
            lines.setdefault((garrison.power, "depot guard "), []).append(f"{garrison.factors.total}")
    for depot in state.depots:
        if depot.where == area.id:
            lines.setdefault((depot.power, ""), []).append("depot")
    for (power, where), found in lines.items():
        style = look.key if power == seat else look.alarm if is_at_war(state, seat, power) else ""
        yield f"{short_name(power)} {where}{' '.join(found)}", style


def _free(
    lines: list[tuple[str, str]], spot: tuple[int, int], taken: set[tuple[int, int]], width: int, height: int
) -> tuple[int, int] | None:
    """Return the nearest free position for some lines, None if there is none."""
    wide = max(len(line) for line, _ in lines)
    x = max(0, min(width - wide, spot[0] - wide // 2))
    for down in sorted(range(-LINE_SHIFTS, LINE_SHIFTS + 1), key=abs):
        for right in sorted(range(-2 * LINE_SHIFTS, 2 * LINE_SHIFTS + 1, 2), key=abs):
            left, top = x + right, spot[1] + down
            cells = ((left + n, top + at) for at, (line, _) in enumerate(lines) for n in range(len(line)))
            inside = 0 <= left <= width - wide and 0 <= top <= height - len(lines)
            if inside and not any(cell in taken for cell in cells):
                return left, top
    return None


def _write(canvas: Canvas, x: int, y: int, text: str, style: str) -> None:
    """Write a line, clipped to the canvas."""
    for at, sign in enumerate(text, x):
        if 0 <= y < len(canvas) and 0 <= at < len(canvas[0]):
            canvas[y][at] = (sign, style)


def _draw_way(canvas: Canvas, start: tuple[int, int], end: tuple[int, int], sign: str, style: str) -> None:
    for x, y in cells_between(start, end):
        _write(canvas, x, y, sign, style)


def cells_between(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the cells of a dotted line between two places, by column and row."""
    (x1, y1), (x2, y2) = start, end
    steps = max(abs(x2 - x1) // 2, abs(y2 - y1), 1)
    for step in range(1, steps):
        yield x1 + (x2 - x1) * step // steps, y1 + (y2 - y1) * step // steps
