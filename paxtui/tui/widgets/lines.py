"""The line on top, which says where the game stands, and the one at the bottom, which says what the keys do."""

from __future__ import annotations

from rich.text import Text

from paxtui.pax.sequence import OPEN
from paxtui.tui.look import Look
from paxtui.tui.session import Session

TRACK = (
    ("random_events", "Events"),
    ("administrative", "Admin"),
    ("minor_powers", "Minors"),
    ("movement", "Movement"),
    ("colonial_combat", "Combat"),
    ("marker_adjustment", "Adjust"),
    ("negotiation", "Negotiate"),
    ("chinese_resentment", "China"),
    ("war", "War"),
    ("victory_point_record", "Victory"),
)


def top_line(session: Session, look: Look, width: int) -> Text:
    """Turn, Phase track, both indexes, seats with their ready flags."""
    tables, state = session.tables, session.state
    out = Text(no_wrap=True, overflow="crop")
    if width >= 100:
        out.append(" PAX BRITANNICA ", "bold")
    out.append(f" {tables.turns[state.turn - 1].year}", "bold")
    out.append(f" turn {state.turn}/10  " if width < 140 else f" · turn {state.turn} of 10  ")
    if width >= 140:
        for phase, name in TRACK:
            if phase == "war" and state.phase != "war":
                continue
            here = phase == state.phase
            out.append(("▸" + name.upper() if here else name) + " ", look.key if here else look.faint)
    else:
        out.append("▸" + dict(TRACK).get(state.phase, state.phase).upper(), look.key)
    alarm = look.alarm if state.tension >= 80 else ""
    if width >= 100:
        bar = round(state.tension / 25)
        out.append(" tension ")
        out.append(f"{state.tension} {'█' * bar}{'░' * (4 - bar)}", alarm)
        out.append(f" China {state.resentment} ")
    else:
        out.append(f" T{state.tension} ", alarm)
        out.append(f"C{state.resentment} ")
    due = session.waiting()
    for seat in state.players:
        letters, style = look.power(tables, seat, long=False)
        sign = "✓" if state.phase in OPEN and seat in state.ready else "·" if seat in due else " "
        here = seat == session.seat
        out.append(letters, f"{style} reverse" if here else style)
        out.append(sign + (" " if width >= 190 else ""), look.faint)
    return look.text((out.plain, "")) if look.palette.ascii and not look.palette.colour else out


def key_line(session: Session, look: Look, width: int, mode: str) -> Text:
    """What the keys do now."""
    keys: tuple[tuple[str, str], ...]
    if mode == "move":
        keys = (("Space", "next unit group"), ("arrows", "walk"), ("Enter", "go there"), ("Esc", "stay"))
    elif session.at is not None:
        keys = (("[ ]", "step"), ("{ }", "turn"), ("Home End", "ends"), ("p", "play"), ("m =", "compare"))
        keys += (("U", "undo to here"), ("F1", "help"))
    else:
        keys = (
            ("Enter", "what can I do here"),
            ("v", "move"),
            ("c", "choose"),
            ("r", "ready"),
            (":", "command"),
            ("/", "find"),
            ("s", "seat"),
            ("u", "undo"),
            ("[ ]", "history"),
            ("1-6", "panes"),
            ("z", "zoom"),
            ("F1", "help"),
        )
    right = f"line {session.line}" + ("" if session.at is None else f" of {session.version}") + " · saved "
    out = Text(" ", no_wrap=True, overflow="crop")
    for key, what in keys:
        # whole pairs only; the last key, help, always has its place
        if len(out.plain) + len(key) + len(what) + 3 + len(right) > width - (9 if key != "F1" else 0):
            continue
        out.append(key, look.key)
        out.append(f" {what}  ")
    out.append(" " * max(0, width - len(out.plain) - len(right)) + right, look.faint)
    return out
