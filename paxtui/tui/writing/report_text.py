"""A page of a report as it stands on the screen: Victory Points, sections, and the key before each place."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.board.tables import Tables
from paxtui.pax.reports.page import BAD, FAINT, GOOD, Page, Told
from paxtui.tui.writing.look import Look, signed
from paxtui.tui.writing.wrapping import coloured, hanging

KEYS = "abcdefghijklmnoprstuvxyzABCDEFGHIJKLMNOPRSTUVXYZ"
"""What goes to the place of a line, in their order: not q, which closes, nor w, which brings the page back."""


def keys_of(page: Page) -> dict[str, str]:
    """The place to which each key goes: one for every line that has a place, as long as there are letters."""
    return dict(zip(KEYS, page.places(), strict=False))


def report_text(tables: Tables, look: Look, page: Page, width: int) -> Text:
    """The page in so many cells."""
    out = Text()
    if page.standings:
        out.append("Victory Points\n", "bold")
        name = max(len(tables.powers[s.seat].name) for s in page.standings)
        for s in page.standings:
            row = look.text(f"   {s.rank:>2}  ", look.power(tables, s.seat))
            row.append(" " * (name - len(tables.powers[s.seat].name)))
            row.append(f" {s.total:>5}  ", "bold")
            style = look.good if s.gained > 0 else look.alarm if s.gained < 0 else look.faint
            row.append(f"{signed(s.gained) or '·':>4}", style)
            row.append(f"  {s.why}" if s.why else "", look.faint)
            out.append_text(hanging(row, width, name + 20))
            out.append("\n")
        out.append("\n")
    keys = iter(KEYS)
    for section in page.sections:
        out.append(f"{section.title}\n", "bold")
        for line in section.lines:
            out.append_text(_line(tables, look, line, next(keys, "") if line.place else "", width))
            out.append("\n")
        out.append("\n")
    out.rstrip()
    return look.signs(out)


def _line(tables: Tables, look: Look, line: Told, key: str, width: int) -> Text:
    style = {GOOD: look.good, BAD: look.alarm, FAINT: look.faint}.get(line.tone, "")
    text = Text(f" {key or ' '} ", look.key if key else "")
    text.append(line.text, style)
    return hanging(coloured(tables, look, text) if line.tone not in (BAD,) else text, width, 3)
