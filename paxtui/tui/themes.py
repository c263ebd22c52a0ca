"""Textual themes made from the palettes, and a filter that keeps all text legible.

Style sheets name colours by role, so a new palette needs no new style sheet. `ContrastFilter` moves text colours
towards white or black until the contrast is sufficient.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from paxtui.tui.colors import MIN_CONTRAST, TABLES, Depth, Palette, blend, contrast, legible, nearest

GRAPHIC_CHARACTERS = re.compile(r"[\s\u2500-\u259f\u2800-\u28ff]*")
"""Blanks, lines, blocks and dots, which need no minimum contrast."""


class ContrastFilter(LineFilter):
    """Raises the contrast of all text to at least 4.5 to 1, in colours of the terminal."""

    def __init__(self, depth: Depth) -> None:
        super().__init__()
        self._depth = depth

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments in legible colours."""
        under = background.rgb
        found = []
        for segment in segments:
            text, style, control = segment
            if style is None or control or GRAPHIC_CHARACTERS.fullmatch(text):
                found.append(segment)
            else:
                found.append(Segment(text, legible_style(style, under, self._depth)))
        return found


@lru_cache(8192)
def legible_style(style: Style, under: tuple[int, int, int], depth: Depth) -> Style:
    """Return the style with a legible text colour, also for reversed text.

    Args: the style; red, green and blue of the background if the style has none; the available colours.
    """
    if style.color is None or style.color.is_default:
        return style
    has_paper = style.bgcolor is not None and not style.bgcolor.is_default
    paper = style.bgcolor.get_truecolor().hex if has_paper and style.bgcolor else "#{:02x}{:02x}{:02x}".format(*under)
    paper, ink = nearest(paper, depth), nearest(style.color.get_truecolor().hex, depth)
    if contrast(ink, paper) < MIN_CONTRAST:
        ink = legible(ink, paper, TABLES.get(depth))
    return style + Style(color=ink, bgcolor=paper if has_paper else None)


ROLES: dict[str, str] = {
    "page": "#07111d",
    "ink": "#d6dde3",
    "muted": "#8d9aa5",
    "bar": "#0f1a26",
    "pane": "#0b1622",
    "card": "#101c28",
    "box": "#0c1824",
    "line": "#223344",
    "field": "#16283a",
    "edge": "#2b4256",
    "frame": "#c8a24a",
    "heading": "#f0d37a",
    "cursor": "#24435f",
    "on-cursor": "#ffffff",
}
"""Colour roles of the style sheets, with the colours of the dark palette."""

_LIGHT = {
    "page": "#cfe0ee", "ink": "#10161c", "muted": "#4d5a64", "bar": "#e6edf3", "pane": "#f4f1e6", "card": "#f8f6ee",
    "box": "#fbfaf4", "line": "#a9bccb", "field": "#ffffff", "edge": "#8aa5bb", "frame": "#8a6400",
    "heading": "#6a4a00", "cursor": "#1c58b8", "on-cursor": "#ffffff",
}  # fmt: skip
_CONTRAST = {
    "page": "#000000", "ink": "#ffffff", "muted": "#d2dae0", "bar": "#000000", "pane": "#000000", "card": "#0a0c0e",
    "box": "#000000", "line": "#9fb4c4", "field": "#14181c", "edge": "#d2dae0", "frame": "#ffe28a",
    "heading": "#ffe28a", "cursor": "#ffe28a", "on-cursor": "#000000",
}  # fmt: skip
_MONO = {
    "page": "#000000", "ink": "#d0d0d0", "muted": "#a0a0a0", "bar": "#1c1c1c", "pane": "#000000", "card": "#101010",
    "box": "#000000", "line": "#606060", "field": "#202020", "edge": "#808080", "frame": "#d0d0d0",
    "heading": "#ffffff", "cursor": "#d0d0d0", "on-cursor": "#000000",
}  # fmt: skip
_SIXTEEN = {
    "page": "#000000", "ink": "#ffffff", "muted": "#e5e5e5", "bar": "#000000", "pane": "#000000", "card": "#000000",
    "box": "#000000", "line": "#7f7f7f", "field": "#0000ee", "edge": "#7f7f7f", "frame": "#cdcd00",
    "heading": "#ffff00", "cursor": "#0000ee", "on-cursor": "#ffffff",
}  # fmt: skip
_LIGHT_SIXTEEN = {
    "page": "#e5e5e5", "ink": "#000000", "muted": "#000000", "bar": "#e5e5e5", "pane": "#ffffff", "card": "#ffffff",
    "box": "#ffffff", "line": "#7f7f7f", "field": "#ffffff", "edge": "#7f7f7f", "frame": "#0000ee",
    "heading": "#0000ee", "cursor": "#0000ee", "on-cursor": "#ffffff",
}  # fmt: skip
_OWN = {"light": _LIGHT, "high-contrast": _CONTRAST, "mono": _MONO}


def theme_name(palette: str, depth: Depth = Depth.ALL) -> str:
    """Return the name of the theme of a palette for a colour depth."""
    return f"pax-{palette}" if depth == Depth.ALL else f"pax-{palette}-{int(depth)}"


def roles_of(palette: Palette) -> dict[str, str]:
    """Return the colours of the style sheet roles for a palette."""
    roles = {**ROLES, **_OWN.get(palette.name, {})}
    if palette.depth == Depth.SIXTEEN:
        return _SIXTEEN if palette.dark else _LIGHT_SIXTEEN
    return {role: palette.tint(colour) for role, colour in roles.items()}


def theme_of(palette: Palette) -> Theme:
    """Return the theme for a palette of the map."""
    roles = roles_of(palette)
    alarm = palette.ink("alarm") if palette.colour else roles["ink"]
    good = palette.ink("good") if palette.colour else roles["ink"]
    return Theme(
        name=theme_name(palette.name, palette.depth),
        dark=palette.dark,
        primary=roles["frame"],
        secondary=roles["edge"],
        accent=roles["heading"],
        warning=palette.lit if palette.colour else roles["ink"],
        error=alarm,
        success=good,
        foreground=roles["ink"],
        background=roles["page"],
        surface=roles["box"],
        panel=roles["card"],
        variables={
            **roles,
            "border": roles["frame"],
            "border-blurred": roles["edge"],
            "scrollbar": roles["edge"],
            "scrollbar-background": roles["pane"],
            "block-cursor-background": roles["cursor"],
            "block-cursor-foreground": roles["on-cursor"],
            "block-cursor-blurred-background": palette.tint(blend(roles["cursor"], roles["box"], 0.6)),
            "text-muted": roles["muted"],
            "input-cursor-background": roles["ink"],
            "input-cursor-foreground": roles["page"],
            "input-selection-background": roles["cursor"],
            "footer-background": roles["bar"],
        },
    )
