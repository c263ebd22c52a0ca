"""The painted map of a campaign: areas in the colours of their holders, rivers, terrain, cities and stacks.

The drawing of the campaign is scaled to the screen. Borders are drawn in braille dots, two by four for each character.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.text import Text
from textual.geometry import clamp

from paxtui.charts.terminal import row_width
from paxtui.games.empires.board import controller, is_own_territory
from paxtui.games.empires.pieces import Corps, is_hidden
from paxtui.games.empires.state import State
from paxtui.games.empires.supply_lines import valid_chain
from paxtui.games.empires.tables import Area, Tables
from paxtui.tui.colors import blend
from paxtui.tui.exercise.chart import cells_between, short_name
from paxtui.tui.formatting.look import Look

INKS = {"france": "france", "austria": "austria_hungary", "russia": "russia"}
"""Inks of the Powers in the palettes."""
HOME, FRIEND = 0.24, 0.14
"""Shares of the ink of its holder in the ground of an area: its own land, a minor country."""
REACHED = "#8a5ab0"
"""Ink of areas that a chosen corps can reach."""
RIVER, SUPPLY_LINE = "#4f9ff0", "#e0a020"
TERRAIN_SIGNS = {"mountain": "▲", "forest": "♣", "marsh": "≈", "desert": "░"}
TERRAIN_INKS = {"mountain": "#8d7f6a", "forest": "#5f8f5f", "marsh": "#6f9fb0", "desert": "#a09060"}
LEAST_SIZE = (100, 30)
"""Columns and rows of the map at least; a smaller screen shows a part of it."""
FORTRESS = 4
"""Supply value from which a city has the sign of a fortress."""
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille character by row and column."""
BRAILLE = 0x2800


class Ground(NamedTuple):
    """The drawing at some size.

    Attributes:
        signs: rows of signs of areas.
        dots: braille dots of the borders, by row and column.
        rivers: places whose border is a river.
        centres: by area the column and row of its name.
    """

    signs: tuple[str, ...]
    dots: Mapping[tuple[int, int], int]
    rivers: Collection[tuple[int, int]]
    centres: Mapping[str, tuple[int, int]]


@lru_cache(maxsize=8)
def _scaled_ground(
    drawing: tuple[str, ...],
    rivers: frozenset[frozenset[str]],
    signs: tuple[tuple[str, str], ...],
    width: int,
    height: int,
) -> Ground:
    """Scale the drawing. Args: its rows; pairs of signs with a river between; sign and id of each area; the size."""
    rows, columns = len(drawing), max(map(len, drawing))

    def at(x: int, y: int) -> str:
        row = drawing[min(rows - 1, y * rows // (4 * height))]
        column = min(columns - 1, x * columns // (2 * width))
        return row[column] if column < len(row) else " "

    fine = [[at(x, y) for x in range(2 * width + 1)] for y in range(4 * height + 1)]
    dots: dict[tuple[int, int], int] = {}
    wet: set[tuple[int, int]] = set()
    for y in range(4 * height):
        for x in range(2 * width):
            here = fine[y][x]
            others = {fine[y][x + 1], fine[y + 1][x]} - {here}
            if not others or (here in " ." and not others - {" ", "."}):
                continue
            place = (x // 2, y // 4)
            dots[place] = dots.get(place, 0) | DOTS[y % 4][x % 2]
            if any(frozenset((here, one)) in rivers for one in others):
                wet.add(place)
    coarse = tuple("".join(fine[4 * y + 2][2 * x + 1] for x in range(width)) for y in range(height))
    centres = {name: _centre(coarse, sign) for sign, name in signs}
    return Ground(coarse, dots, frozenset(wet), centres)


def _centre(rows: tuple[str, ...], sign: str) -> tuple[int, int]:
    """Return the place in an area that is nearest to its middle."""
    cells = [(x, y) for y, row in enumerate(rows) for x, one in enumerate(row) if one == sign]
    if not cells:
        return 0, 0
    x, y = (sum(cell[at] for cell in cells) / len(cells) for at in (0, 1))
    return min(cells, key=lambda cell: (cell[0] - x) ** 2 + 4 * (cell[1] - y) ** 2)


def draw_painted_map(
    tables: Tables,
    state: State,
    seat: str,
    look: Look,
    width: int,
    height: int,
    cursor: str = "",
    reached: Mapping[str, str] | None = None,
    shows_supply: bool = False,
    scrolled: tuple[int, int] = (0, 0),
) -> tuple[Text, int]:
    """Draw the map to the given size; also return the number of areas whose name did not fit.

    On a small screen it is a part of a larger map, around the selected area, a combat, or the seat's first leader.

    Args:
        tables: the tables, with a drawing.
        state: the position.
        seat: the seat that looks.
        look: the look.
        width, height: the size.
        cursor: the selected area, "" for none.
        reached: areas that a chosen corps can reach, each with its cost.
        shows_supply: whether lines of supply are drawn.
        scrolled: columns and rows by which the part on a small screen is moved.
    """
    areas = tables.exercise.areas
    shown, width, height = (width, height), max(width, LEAST_SIZE[0]), max(height, LEAST_SIZE[1])
    rivers = frozenset(
        frozenset((tables.areas[one.a].sign, tables.areas[one.b].sign))
        for one in tables.exercise.borders
        if one.kind == "river"
    )
    ground = _scaled_ground(tables.exercise.drawing, rivers, tuple((one.sign, one.id) for one in areas), width, height)
    painter = Painter(tables, state, seat, look, ground, cursor, reached or {})
    canvas = [[painter.cell(x, y) for x in range(width)] for y in range(height)]
    if shows_supply:
        painter.draw_supply(canvas)
    left_out = painter.write_labels(canvas)
    left, top = _window(ground.centres.get(cursor or _focus(state, seat, ground.centres)), (width, height), shown)
    left, top = clamp(left + scrolled[0], 0, width - shown[0]), clamp(top + scrolled[1], 0, height - shown[1])
    text = Text(no_wrap=True)
    for row in canvas[top : top + shown[1]]:
        for sign, ink, back in row[left : left + shown[0]]:
            style = f"{ink} on {back}" if back and " on " not in ink and look.palette.colour else ink
            text.append(look.palette.text(sign), style)
        text.append("\n")
    return text, left_out


def _focus(state: State, seat: str, places: Collection[str]) -> str:
    """Return the area that a small screen shows without a cursor.

    It is that of a combat, else that of the question to the seat, else that of the seat's first leader or corps.
    """
    if state.campaign.battle is not None:
        return state.campaign.battle.area
    if state.questions and state.questions[-1].power == seat:
        asked = next((one for one in state.questions[-1].about if one in places), "")
        if asked:
            return asked
    leaders = [one.where for one in state.leaders.values() if one.power == seat and one.where in state.corps]
    corps = [one.id for one in state.corps.values() if one.power == seat]
    return next((state.corps[one].where for one in (*leaders, *corps)), "")


def _window(centre: tuple[int, int] | None, size: tuple[int, int], shown: tuple[int, int]) -> tuple[int, int]:
    """Return the left column and the top row of the part that is shown."""
    x, y = centre or (size[0] // 2, size[1] // 2)
    return clamp(x - shown[0] // 2, 0, size[0] - shown[0]), clamp(y - shown[1] // 2, 0, size[1] - shown[1])


Cell = tuple[str, str, str]
"""A sign with its style and its ground."""
Pieces = list[tuple[str, str]]
"""Parts of a line, each with its style."""


class Painter:
    """Paints the cells and labels of a map."""

    def __init__(
        self,
        tables: Tables,
        state: State,
        seat: str,
        look: Look,
        ground: Ground,
        cursor: str,
        reached: Mapping[str, str],
    ) -> None:
        self.tables, self.state, self.seat, self.look = tables, state, seat, look
        self.ground, self.cursor, self.reached = ground, cursor, reached
        palette = look.palette
        self.by_sign = {area.sign: area for area in tables.exercise.areas}
        self.grounds = {sign: self._ground_colour(area) for sign, area in self.by_sign.items()}
        self.outside = palette.tint(blend(palette.shade, palette.land, 0.45 if palette.dark else 0.12))
        self.border = palette.tint(blend(palette.shade_of_paper, palette.land, 0.5))

    def ink_of(self, power: str) -> str:
        return self.look.palette.ink(INKS.get(power, power))

    def _ground_colour(self, area: Area) -> str:
        palette = self.look.palette
        holder = controller(self.tables, self.state, area.id)
        if holder not in self.state.powers:
            ground = blend(palette.shade_of_paper, palette.land, 0.10)
        else:
            minor = is_own_territory(self.tables, self.state, holder, area.id) and area.owner != holder
            ground = blend(self.ink_of(holder), palette.land, FRIEND if minor else HOME)
        return palette.tint(blend(REACHED, ground, 0.55) if area.id in self.reached else ground)

    def cell(self, x: int, y: int) -> Cell:
        """Return the sign of a place without labels: a border, a terrain, or nothing."""
        look, palette = self.look, self.look.palette
        sign = self.ground.signs[y][x]
        area = self.by_sign.get(sign)
        back = self.grounds[sign] if area else palette.sea if sign == " " else self.outside
        if (x, y) in self.ground.dots:
            river = (x, y) in self.ground.rivers
            chosen = area is not None and area.id == self.cursor
            ink = look.key if chosen else f"bold {palette.tint(RIVER)}" if river else self.border
            if not palette.colour:
                ink = "bold" if river or chosen else "dim"
            glyph = ("~" if river else ".") if palette.ascii else chr(BRAILLE | self.ground.dots[x, y])
            return glyph, ink, back
        if area is not None and area.terrain in TERRAIN_SIGNS and y % 2 == 0 and x % 6 == (3 if y % 4 else 0):
            ink = palette.tint(TERRAIN_INKS[area.terrain]) if palette.colour else "dim"
            return TERRAIN_SIGNS[area.terrain], ink, back
        if sign == " " and y % 2 and x % 8 == (4 if y % 4 == 1 else 0):
            return "~", palette.sea_name_dim if palette.colour else "dim", back
        return " ", "", back

    def draw_supply(self, canvas: list[list[Cell]]) -> None:
        """Draw the chains of depots of the seat."""
        tables, state = self.tables, self.state
        chain = valid_chain(tables, state, self.seat) if self.seat in state.powers else {}
        ink = f"bold {self.look.palette.tint(SUPPLY_LINE)}" if self.look.palette.colour else "bold"
        for one in chain:
            for other in chain:
                if one < other and (other in tables.ways[one] or set(tables.ways[one]) & set(tables.ways[other])):
                    for x, y in cells_between(self.ground.centres[one], self.ground.centres[other]):
                        canvas[y][x] = ("•", ink, canvas[y][x][2])

    def write_labels(self, canvas: list[list[Cell]]) -> int:
        """Write names, cities and counters; return the number of names without room."""
        width, height = len(canvas[0]), len(canvas)
        taken: set[tuple[int, int]] = set()
        left_out = 0
        labels = [(area, list(self.label_lines(area))) for area in self.tables.exercise.areas]
        labels.sort(key=lambda one: (one[0].id != self.cursor, -len(one[1]), -one[0].supply))
        for area, lines in labels:
            x, y = self.ground.centres[area.id]
            place = _find_room(lines, x, y - len(lines) // 2, taken, width, height)
            if place is None:
                left_out += 1
                lines = lines[1:]  # counters matter more than the name
                place = _find_room(lines, x, y, taken, width, height) if lines else None
            if place is not None:
                _write_lines(canvas, lines, *place, taken)
        return left_out

    def label_lines(self, area: Area) -> Iterator[Pieces]:
        """Yield the lines of an area: its name with city, depot and garrison, then its counters."""
        state, look = self.state, self.look
        mark = "★" if area.capital else "◆" if area.supply >= FORTRESS else "●" if area.city else ""
        held = [one for one in state.garrisons if one.where == area.id and not one.of_depot]
        factors = sum(one.factors.total for one in held)
        depots = [one.power for one in state.depots if one.where == area.id]
        siege = "✕" if area.id in state.campaign.sieges else ""
        style = "bold" if area.id in self.tables.exercise.prizes else ""
        pieces: Pieces = [
            (f"{mark}{area.city or area.name}", f"{look.key} reverse" if area.id == self.cursor else style)
        ]
        if area.id in self.reached:
            cost = self.reached[area.id]  # a price, or the points of a march
            pieces.append((f" {cost}" if cost.startswith("$") else f" ({cost})", look.key))
        if factors and not (self.reached and held[0].power == self.seat):
            pieces.append((f" {factors}", look.faint))
        for power in depots:
            ink = f"bold {look.palette.tint(self.ink_of(power))}" if look.palette.colour else "bold"
            pieces.append((" ▣" if power == self.seat or look.palette.colour else f" ▣{short_name(power)}", ink))
        if siege:
            pieces.append((f" {siege}", look.alarm))
        yield pieces
        stacks: dict[tuple[str, bool], list[Corps]] = {}
        for corps in state.corps.values():
            if corps.where == area.id:
                stacks.setdefault((corps.power, corps.inside), []).append(corps)
        for (power, inside), stack in stacks.items():
            yield [self._counter(power, inside, stack)]

    def _counter(self, power: str, inside: bool, stack: list[Corps]) -> tuple[str, str]:
        """Return the counter of a stack: Power, number of corps, a star for a leader, factors."""
        names = {one.id for one in stack}
        leads = any(one.power == power and one.where in names for one in self.state.leaders.values())
        strength = "?" if any(map(is_hidden, stack)) else str(sum(one.factors.total for one in stack))
        text = f" {short_name(power)}{len(stack)}{'*' if leads else ''}·{strength}{'⌂' if inside else ''} "
        palette = self.look.palette
        if not palette.colour:
            return text, "bold reverse" if power == self.seat else "reverse"
        paper = palette.tint(self.ink_of(power))
        return text, f"bold {palette.legible('#ffffff' if power == self.seat else '#101010', paper)} on {paper}"


def _write_lines(
    canvas: list[list[Cell]], lines: list[Pieces], left: int, top: int, taken: set[tuple[int, int]]
) -> None:
    wide = max(map(row_width, lines))
    for row, pieces in enumerate(lines, top):
        at = left + (wide - row_width(pieces)) // 2
        for text, ink in pieces:
            for sign in text:
                canvas[row][at] = (sign, ink, canvas[row][at][2])
                taken.add((at, row))
                at += 1


def _find_room(
    lines: list[Pieces], x: int, y: int, taken: Collection[tuple[int, int]], width: int, height: int
) -> tuple[int, int] | None:
    """Return the nearest free place for some lines, None if there is none."""
    wide = max(map(row_width, lines))
    for down in (0, 1, -1, 2, -2):
        for right in (0, 2, -2, 4, -4, 6, -6):
            left, top = min(max(0, x - wide // 2 + right), width - wide), y + down
            inside = left >= 0 and 0 <= top <= height - len(lines)
            cells = ((left + n, top + row) for row in range(len(lines)) for n in range(-1, wide + 1))
            if inside and not any(cell in taken for cell in cells):
                return left, top
    return None


LEGEND = (
    "FR3*·42 corps, leader, factors",
    "●city 3 garrison",
    "▣ depot",
    "✕ siege",
    "⌂ in the city",
    "★ capital",
    "◆ fortress",
    "▲ mountain",
    "♣ forest",
)
SUPPLY_LEGEND = ("Your supply: ▣• line of depots, $ price of a corps", "elsewhere corps forage")
"""What the signs mean."""


def divide_legend(parts: Sequence[str], width: int) -> tuple[str, str]:
    """Return the parts of a legend that fit into the upper border of the map, and the rest for the lower one."""
    fits = max((n for n in range(1, len(parts) + 1) if len(" · ".join(parts[:n])) <= width), default=1)
    return " · ".join(parts[:fits]), " · ".join(parts[fits:])
