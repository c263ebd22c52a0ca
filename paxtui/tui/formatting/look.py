"""Text formatting in the colours and signs of a palette: Powers, markers, money, wrapped lines, progress bars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from paxtui.games.pax.board.status import units_line
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import Unit
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.tui.colors import LETTERS, Palette, letters_of

if TYPE_CHECKING:
    from paxtui.games.pax.narration.narrator import ReportLine

GAIN, LOSS = "▴", "▾"
"""Signs of a gain and of a loss."""


class Look:
    """Styles and signs of a palette, for all panes.

    Args: the palette; whether reasons of bots are shown during the game.
    """

    def __init__(self, palette: Palette, tells_why: bool = False) -> None:
        self.palette, self.tells_why = palette, tells_why

    def ink(self, key: str) -> str:
        """Return the style of a Power, a type of Area or a role; empty if the palette has no colour."""
        return self.palette.ink(key) if self.palette.colour else ""

    @property
    def faint(self) -> str:
        """Style of secondary text."""
        return self.ink("faint") or "dim"

    @property
    def alarm(self) -> str:
        """Style of warnings."""
        return f"bold {self.ink('alarm')}".strip()

    @property
    def good(self) -> str:
        """Style of allowed or completed actions."""
        return self.ink("good") or "bold"

    @property
    def key(self) -> str:
        """Style of a key name."""
        return f"bold {self.palette.lit}" if self.palette.colour else "bold"

    def text(self, *pieces: tuple[str, str] | str) -> Text:
        """Join pieces, each plain or with a style."""
        return self._joined(Text(no_wrap=False), pieces)

    def line(self, *pieces: tuple[str, str] | str) -> Text:
        """Join pieces, each plain or with a style, to a row that is cut where it does not fit."""
        return self._joined(Text(no_wrap=True, overflow="ellipsis"), pieces)

    def _joined(self, out: Text, pieces: Iterable[tuple[str, str] | str]) -> Text:
        for piece in pieces:
            body, style = (piece, "") if isinstance(piece, str) else piece
            out.append(self.palette.text(body), style)
        return out

    def signs(self, text: Text) -> Text:
        """Replace the signs that the palette does not allow; keep the styles."""
        if self.palette.ascii:
            text.plain = self.palette.text(text.plain)
        return text

    def tone(self, tone: str) -> str:
        """Return the style of a `ReportLine` by its tone."""
        return {"good": self.good, "bad": self.alarm, "faint": self.faint}.get(tone, "")

    def rows(self, lines: Iterable[tuple[str, str] | str], width: int, indent: int = 2) -> Text:
        """Wrap lines, each plain or with a style, with a hanging indent. Each ends with a line break.

        Args: the lines; cells per row; indent of the rows after the first, in cells.
        """
        out = Text()
        for line in lines:
            body, style = (line, "") if isinstance(line, str) else line
            out.append_text(wrap_hanging(Text(self.palette.text(body), style), width, indent)).append("\n")
        return out

    def bullets(self, lines: Iterable[ReportLine], width: int) -> Text:
        """List the lines of a report, wrapped, in the styles of their tones."""
        return self.rows(((f"• {line.text}", self.tone(line.tone)) for line in lines), width)

    def power(self, tables: Tables, power: str, long: bool = True) -> tuple[str, str]:
        """Format a Power by its name or its two letters."""
        return power_name(tables, power) if long else letters_of(power), f"bold {self.ink(power)}".strip()

    def marker(self, tables: Tables, power: str, marker: str, established: bool = True) -> tuple[str, str]:
        """Format a Status marker: sign, letters, and a question mark while unestablished."""
        sign = tables.markers[marker].sign if marker in tables.markers else "?"
        return f"{sign}{letters_of(power)}{'' if established else '?'}", self.ink(power)

    def units(self, units: Sequence[Unit]) -> Iterator[tuple[str, str]]:
        """Format units, those of each Power together: letters and strengths."""
        for power in dict.fromkeys(unit.power for unit in units):
            own = tuple(unit for unit in units if unit.power == power)
            yield f"{LETTERS.get(power, '??')} {units_line(own)}", self.ink(power)


def clickable(style: str, action: str) -> Style:
    """Return a style that runs an action such as `screen.view('pane', 'log')` on click."""
    return Style.parse(style) + Style.from_meta({"@click": action})


def format_pounds(n: int | None) -> str:
    """Format an amount of money; a dash if it is unknown."""
    return "—" if n is None else f"£{n}" if n >= 0 else f"-£{-n}"


def format_change(n: int) -> str:
    """Format a change with its sign; empty for zero."""
    return f"+{n}" if n > 0 else str(n) if n < 0 else ""


def place_line(tables: Tables, state: State, place: str) -> str:
    """Describe a place in one line: name, type, value and strength, or the Sea Zones it borders."""
    if place in tables.areas:
        a = tables.areas[place]
        kind = (state.areas[place].type or a.type).replace("_", " ")
        return f"{a.name} · {kind} · value {a.value} · strength {a.strength}"
    if place in tables.sea_zones:
        next_ = ", ".join(place_name(tables, z) for z in tables.sea_zones[place].adjacent)
        return f"{tables.sea_zones[place].name} · Sea Zone · next to {next_}"
    if place in tables.capes:
        return f"{tables.capes[place].name} · a zone in War only"
    return f"{place_name(tables, place)} · Home Country"


def truncate(text: Text, room: int) -> Text:
    """Shorten a text to `room` cells with an ellipsis; keep the rule ids in brackets at the end."""
    if text.cell_len <= room:
        return text
    rules = text.plain.rfind(" [") if text.plain.endswith("]") else len(text)
    body, cited = text[:rules], text[rules:]
    body.truncate(max(1, room - cited.cell_len), overflow="ellipsis")
    return body.append_text(cited)


def wrap_hanging(text: Text, width: int, indent: int) -> Text:
    """Wrap a line between words with a hanging indent.

    Args: the line; cells per row; indent of the rows after the first, in cells.
    """
    cuts: list[int] = []
    used, at, room = 0, 0, max(8, width)
    for word in re.findall(r"\S+\s*", text.plain) if text.plain[:1] != " " else _words(text.plain):
        wide = cell_len(word.rstrip())
        if used and used + wide > room:
            cuts.append(at)
            used, room = 0, max(8, width - indent)
        used += cell_len(word)
        at += len(word)
    rows = text.divide(cuts)
    out = Text()
    for n, row in enumerate(rows):
        row.rstrip()
        out.append("\n" + " " * indent if n else "")
        out.append_text(row)
    return out


def _words(plain: str) -> list[str]:
    """Split a line into words; leading blanks belong to the first word."""
    return re.findall(r"^\s*\S*\s*|\S+\s*", plain)


def colour_powers(tables: Tables, look: Look, text: Text) -> Text:
    """Colour the names of Powers in a line."""
    if look.palette.colour:
        powers = {power.name: power.id for power in tables.powers.values()}
        for match in _pattern(tuple(powers)).finditer(text.plain):
            text.stylize(f"bold {look.ink(powers[match.group()])}", match.start(), match.end())
    return text


@lru_cache(4)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(map(re.escape, longest_first)) + r")\b")


EIGHTHS = " ▏▎▍▌▋▊▉"
"""A cell filled by each number of eighths."""
FULL_CELL, EMPTY_CELL = "█", "░"


def meter_bar(look: Look, value: int, most: int, cells: int) -> str:
    """Return a progress bar. Any value above zero is visible, and only `most` fills the bar."""
    eighths = max(0, min(8 * cells, 8 * cells * value // most))
    if value > 0:
        eighths = max(1, eighths)
    if look.palette.ascii:
        eighths = -(-eighths // 8) * 8 if eighths < 8 else eighths // 8 * 8
    full, rest = divmod(eighths, 8)
    bar = FULL_CELL * full + (EIGHTHS[rest] if rest else "")
    return bar + EMPTY_CELL * (cells - len(bar))
