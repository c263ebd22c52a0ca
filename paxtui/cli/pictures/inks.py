"""The colours of the screen for a page: every ink of the charts by its name, of a palette for the day or the night."""

from __future__ import annotations

from paxtui.tui.colours.palette import PALETTES, POWERS


def inks(name: str) -> dict[str, str]:
    """The colours of a palette by the names that the charts have for them. Args: the palette's name."""
    palette = PALETTES[name]
    powers = {power: palette.ink(power) for power in (*POWERS, "chinese_empire", "ottoman_empire")}
    roles = {role: palette.ink(role) for role in ("alarm", "good", "faint")}
    ground = {"page": palette.sea, "ink": palette.accent, "key": palette.lit}
    return {**powers, **roles, **ground}
