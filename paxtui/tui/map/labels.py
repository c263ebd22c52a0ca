"""The label of one place: which text in which style lies on which cells.

At world zoom a label is one run, code, signs and flags. At theatre zoom it is the name and a second line, both
about the same middle. The name of a sea takes two rows and has its merchants and fleets underneath.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style

from paxtui.tui.colours.contrast import blend
from paxtui.tui.colours.palette import CANAL, CASUS_BELLI, FORCE, LETTERS, UNESTABLISHED, UNREST, Palette
from paxtui.tui.land.places import CAPE, SEA
from paxtui.tui.map.layout import Layout, Row, Spot
from paxtui.tui.map.look import Look
from paxtui.tui.map.scene import Segments
from paxtui.tui.map.styles import Styles

Pieces = tuple[tuple[str, Style], ...]
SIGN = 3
"""Cells of a marker and its owner's letters."""
LIGHTER = 0.45
"""How far letters on land of their own colour go towards the colour of text."""


@dataclass(frozen=True, slots=True)
class Run:
    """Styled text from a cell rightwards.

    Attributes:
        framed: whether it gets the cursor's brackets where there is room.
        paper: what pieces without a paper of their own lie on where the ground is water; "" leaves them on the water.
    """

    y: int
    x: int
    pieces: Pieces
    framed: bool = False
    paper: str = ""

    @property
    def width(self) -> int:
        return sum(len(text) for text, _ in self.pieces)


def draw(spot: Spot, look: Look, layout: Layout, palette: Palette, styles: Styles) -> list[Run]:
    """The runs of a place as it looks now."""
    brush = Brush(look, palette, styles, spot.echo)
    if spot.place.kind in (SEA, CAPE):
        return _sea(spot, look, brush)
    if layout.zoom.names:
        return _named(spot, look, brush)
    row = spot.rows[0]
    pieces = [(spot.words[0], brush.label)]
    if not spot.echo:
        pieces += brush.after(room=row.width - len(spot.words[0])) + brush.forces()
    framed = look.cursor and not spot.echo
    return [Run(row.y, row.x, _cut(pieces, row.width), framed=framed, paper=brush.paper)]


class Brush:
    """The styles of one place as it looks now.

    Letters stand on the land as it is painted; the cursor's, those of Home Countries, and those on water have a paper.
    """

    def __init__(self, look: Look, palette: Palette, styles: Styles, echo: bool) -> None:
        self.look, self.palette, self.styles = look, palette, styles
        self.echo = echo
        mark = look.mark
        ink = palette.ink(mark.ink)
        own = ""  # the paper that the label has wherever it stands
        paper = palette.paper(mark.ink, mark.owned)
        attributes = {"bold": True}
        if look.cursor and not echo:
            own, ink = palette.accent, palette.on_accent
            attributes["reverse"] = not palette.colour
        elif look.dim:
            ink, paper = self.faded(ink), palette.paper(mark.ink, False)
            attributes = {"dim": not palette.colour}
        elif look.lit or mark.highlight:
            paper = palette.tint(blend(palette.lit, palette.land, 0.36 if look.lit else 0.22))
            ink = palette.path
            attributes["underline"] = mark.highlight or not palette.colour
        elif mark.solid and not echo:
            own, ink = ink, palette.land if palette.dark else "#ffffff"
            attributes["reverse"] = not palette.colour
        else:
            ink = self.lighter(ink)
            # Without colours weight tells: bold is somebody's or independent, the rest is plain.
            attributes["bold"] = palette.colour or mark.owned or mark.ink == "independent"
            attributes["italic"] = mark.unestablished
        self._attributes = {**attributes, "bold": False}
        self.paper, self.own_paper, self.own_ink = "" if echo else own or paper, own, ink
        if not palette.painted and not own:
            own = self.own_paper = "" if echo and not mark.solid else paper
        self.label = styles.on(own, ink, **attributes)

    def faded(self, ink: str) -> str:
        """An ink that steps back."""
        return blend(ink, self.palette.land, 0.5)

    def lighter(self, ink: str) -> str:
        """An ink that stands out from land of its own colour."""
        return blend(self.palette.path, ink, LIGHTER) if self.palette.painted else ink

    def style(self, key: str, paper: str | None = None, bold: bool = False) -> Style:
        """The style of a piece of text that follows the label."""
        if paper is None:
            paper = self.own_paper
            if self.look.cursor and not self.echo:
                return self.styles.on(paper, self.own_ink, **self._attributes)
        ink = self.palette.ink(key)
        if self.look.dim:
            ink = self.faded(ink)
        elif key in LETTERS and self.look.mark.owned:
            ink = self.lighter(ink)
        return self.styles.on(paper, ink, **{**self._attributes, "reverse": False, "underline": False, "bold": bold})

    def after(self, paper: str | None = None, room: int = 8) -> list[tuple[str, Style]]:
        """Signs and flags, or what it costs to go there."""
        mark, text = self.look.mark, self.palette.text
        cost = text(self.look.cost)
        if cost and (self.look.heat is not None or room < SIGN):
            cost = f" {cost}" if room >= SIGN else cost[-room:]
            return [(cost, self.style(self.palette.lit, paper, bold=True))]
        found = [(text(word), self.style(key, paper)) for word, key in self._sign(room)]
        if cost:
            return [*found, (cost, self.style(self.palette.lit, paper, bold=True))]
        for flag, up, key in (
            (UNESTABLISHED, mark.unestablished, mark.holders[-1] if mark.holders else mark.ink),
            (UNREST, mark.unrest, "alarm"),
            (CASUS_BELLI, mark.casus_belli, "war"),
        ):
            if up:
                found.append((text(flag), self.style(key, paper, bold=True)))
        return found

    def forces(self) -> list[tuple[str, Style]]:
        """A canal, and armies or fleets of some strength: at world zoom, where there is no second line to say it."""
        mark, text = self.look.mark, self.palette.text
        signs = ((CANAL, mark.canal), (FORCE, mark.force and not self.look.cost))
        return [(text(sign), self.style("second")) for sign, up in signs if up]

    def _sign(self, room: int) -> Segments:
        """The marker and whose it is: of several, their letters where there is no colour to tell them by."""
        mark = self.look.mark
        if self.palette.colour or len(mark.sign) < 2 or len(mark.holders) < 2:
            return mark.sign
        flags = mark.unestablished + mark.unrest + mark.casus_belli
        letters = "".join(LETTERS.get(holder, holder[:2].upper()) for holder in mark.holders)
        sign, key = mark.sign[0]
        if 1 + len(letters) > room - flags:
            letters = f"{letters[:2]}+{len(mark.holders) - 1}" if room - flags >= 5 else letters[:2]
        return ((sign, key), (letters, key))


def _cut(pieces: list[tuple[str, Style]], width: int) -> Pieces:
    """As many whole pieces as fit."""
    kept, left = [], width
    for text, style in pieces:
        if len(text) > left:
            break
        kept.append((text, style))
        left -= len(text)
    return tuple(kept)


def _named(spot: Spot, look: Look, brush: Brush) -> list[Run]:
    row = spot.rows[0]
    pieces = [(spot.words[0], brush.label)]
    runs = [Run(row.y, row.x, tuple(pieces), framed=look.cursor and not spot.echo, paper=brush.paper)]
    if spot.echo or not spot.below:
        return runs
    pieces = brush.after("", room=spot.below[0].width)
    for text, key in look.mark.second:
        pieces.append(((" " if pieces else "") + brush.palette.text(text), brush.style(key, "")))
    if pieces:
        runs.append(_centred(pieces, spot.below[0], row.x + row.width // 2))
    return runs


def _centred(pieces: list[tuple[str, Style]], room: Row, middle: int) -> Run:
    """A run about a middle, pushed aside where a neighbour stands in the way."""
    kept = _cut(pieces, room.width)
    width = sum(len(text) for text, _ in kept)
    x = max(room.x, min(room.end - width, middle - width // 2))
    return Run(room.y, x, kept)


def _sea(spot: Spot, look: Look, brush: Brush) -> list[Run]:
    palette, styles = brush.palette, brush.styles
    cursor = look.cursor and not spot.echo
    if cursor:
        style = brush.label
    elif look.lit:
        style = styles.on("", palette.lit, bold=True, italic=True, underline=not palette.colour)
    else:
        faint = look.dim or spot.echo
        style = styles.on("", palette.sea_name_dim if faint else palette.sea_name, italic=True, dim=not palette.colour)
    runs = [
        Run(row.y, row.x, ((word, style),), framed=cursor) for row, word in zip(spot.rows, spot.words, strict=True)
    ]
    if spot.echo or not spot.below:
        return runs
    if look.cost:
        pieces = [(palette.text(look.cost), styles.on("", palette.lit, bold=True))]
    else:
        pieces = [(_told(text, key, palette), brush.style(key, "", bold=True)) for text, key in look.fleets]
    return runs + _filled(pieces, spot.below, spot.rows[-1].x + spot.rows[-1].width // 2, brush.style("second", ""))


def _told(text: str, key: str, palette: Palette) -> str:
    """A piece under a sea's name; where no colour tells whose a merchant is, its owner's letters do."""
    if text == "M" and not palette.colour:
        return LETTERS.get(key, text) + " "
    return palette.text(text)


def _filled(pieces: list[tuple[str, Style]], rooms: tuple[Row, ...], middle: int, style: Style) -> list[Run]:
    """As many pieces as the rooms hold, row after row, and at the end how many are not shown."""
    runs: list[Run] = []
    left = list(pieces)
    for room in rooms:
        kept = list(_cut(left, room.width))
        left = left[len(kept) :]
        if left and room is rooms[-1]:
            while kept and sum(len(text) for text, _ in kept) + 1 + len(str(len(left))) > room.width:
                left.insert(0, kept.pop())
            kept.append((f"+{len(left)}", style))
        if kept:
            runs.append(_centred(kept, room, middle))
    return runs
