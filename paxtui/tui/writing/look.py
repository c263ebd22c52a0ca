"""How things are written on the screen: Powers in their colours, markers with their signs, pounds and points."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text

from paxtui.pax.board.status import units_line
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import Unit
from paxtui.pax.words.spoken import place_name, power_name
from paxtui.tui.colours.palette import LETTERS, Palette

GAIN, LOSS = "▴", "▾"
"""Signs of a gain and of a loss."""


class Look:
    """A palette at work: every colour a pane uses comes from here.

    Args: the palette; whether it is told why bots have acted while the game goes on.
    """

    def __init__(self, palette: Palette, tells_why: bool = False) -> None:
        self.palette, self.tells_why = palette, tells_why

    def ink(self, key: str) -> str:
        """Style of a Power, a type of Area or a role; empty where the palette has no colour."""
        return self.palette.ink(key) if self.palette.colour else ""

    @property
    def faint(self) -> str:
        """Style of what matters less than the rest."""
        return self.ink("faint") or "dim"

    @property
    def alarm(self) -> str:
        """Style of what must not be overlooked."""
        return f"bold {self.ink('alarm')}".strip()

    @property
    def good(self) -> str:
        """Style of what is allowed and done."""
        return self.ink("good") or "bold"

    @property
    def key(self) -> str:
        """Style of a key to press."""
        return f"bold {self.palette.lit}" if self.palette.colour else "bold"

    def text(self, *pieces: tuple[str, str] | str) -> Text:
        """A line of pieces, each plain or with a style."""
        out = Text(no_wrap=False)
        for piece in pieces:
            body, style = (piece, "") if isinstance(piece, str) else piece
            out.append(self.palette.text(body), style)
        return out

    def signs(self, text: Text) -> Text:
        """A text made ready, with the signs that this palette may show; its styles stay where they are."""
        if self.palette.ascii:
            text.plain = self.palette.text(text.plain)
        return text

    def power(self, tables: Tables, power: str, long: bool = True) -> tuple[str, str]:
        """A Power by name or by its two letters."""
        return (
            power_name(tables, power) if long else LETTERS.get(power, power[:2].upper()),
            f"bold {self.ink(power)}".strip(),
        )

    def marker(self, tables: Tables, power: str, marker: str, established: bool = True) -> tuple[str, str]:
        """A Status marker: sign, letters, and a question mark while unestablished."""
        sign = tables.markers[marker].sign if marker in tables.markers else "?"
        letters = LETTERS.get(power, power[:2].upper())
        return (f"{sign}{letters}{'' if established else '?'}", self.ink(power))

    def units(self, power: str, units: tuple[Unit, ...]) -> tuple[str, str]:
        """Units of one Power."""
        return (f"{LETTERS.get(power, '??')} {units_line(units)}", self.ink(power))


def clickable(style: str, action: str) -> Style:
    """A style that does something when it is clicked: an action such as `screen.pane('log')`."""
    return Style.parse(style) + Style.from_meta({"@click": action})


def pounds(n: int | None) -> str:
    """An amount of money; a dash where it is not known."""
    return "—" if n is None else f"£{n}" if n >= 0 else f"-£{-n}"


def signed(n: int) -> str:
    """A change, with its sign; nothing for none."""
    return f"+{n}" if n > 0 else str(n) if n < 0 else ""


def place_line(tables: Tables, state: State, place: str) -> str:
    """A place in one line: name, type, value and strength, or the Sea Zones it lies on."""
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
