"""The log: one line an event, the newest last; selecting a line shows the world at that moment."""

from __future__ import annotations

from rich.text import Text

from paxtui.table.session import Session
from paxtui.tui.panes.look import Look, clickable

LOUD = ("TurnBegan", "PhaseBegan", "GameEnded")


def log_text(session: Session, look: Look, width: int, rows: int = 200) -> Text:
    """The last `rows` events up to the line looked at."""
    entries = [e for e in session.log() if e.line <= session.line][-rows:]
    out = Text()
    last = 0
    for entry in entries:
        number = f"{entry.line:>4} " if entry.line != last else "     "
        last = entry.line
        out.append(number, look.faint)
        style = "bold" if entry.kind in LOUD else ""
        out.append(entry.text, clickable(style, f"screen.mouse_line({entry.line})"))
        out.append("\n")
    if not entries:
        out.append("Nothing has happened yet.", look.faint)
    return out
