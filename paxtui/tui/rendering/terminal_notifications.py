"""Notifications that the terminal shows outside its window: the escape sequences OSC 9, 777 and 99, and the bell.

Terminals ignore sequences that they do not know. The name that the terminal reports (XTVERSION), or its environment,
selects one sequence, so that no terminal shows a notification twice.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

NotificationKind = Literal["OSC 9", "OSC 777", "OSC 99", "bell"]

KINDS: tuple[NotificationKind, ...] = ("OSC 9", "OSC 777", "OSC 99", "bell")

MAX_LENGTH = 200
"""Maximum length of a notification, in characters."""

_BY_NAME: dict[str, NotificationKind] = {
    "kitty": "OSC 99",
    "foot": "OSC 99",
    "iterm": "OSC 9",
    "wezterm": "OSC 9",
    "ghostty": "OSC 9",
    "vte": "OSC 777",
    "konsole": "OSC 777",
    "rxvt": "OSC 777",
    "paxtui-web": "OSC 777",
    "xterm(": "bell",
    "apple_terminal": "bell",
    "linux": "bell",
    "alacritty": "bell",
    "vscode": "bell",
}
"""Part of a terminal's name -> its sequence. "xterm(" is how xterm itself answers; many others set TERM to xterm."""


def notification_kind(program: str = "", environment: Mapping[str, str] = os.environ) -> NotificationKind:
    """Return the sequence for a terminal. Args: the name that it reports, "" for none; the environment."""
    names = (program, environment.get("TERM_PROGRAM", ""), environment.get("TERM", ""))
    for name in names:
        for part, kind in _BY_NAME.items():
            if part in name.casefold():
                return kind
    if environment.get("VTE_VERSION"):
        return "OSC 777"
    # an old terminal may print what it does not know
    is_modern = any(name.startswith(("xterm", "tmux", "screen")) or "256color" in name for name in names) or program
    return "OSC 9" if is_modern else "bell"


def is_in_tmux(program: str = "", environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether tmux is between the program and the terminal. Args: as `notification_kind`."""
    return program.casefold().startswith("tmux") or bool(environment.get("TMUX"))


def notification_codes(kind: NotificationKind, title: str, text: str, in_tmux: bool = False) -> str:
    """Return the codes that show a notification.

    Args: the sequence; title and text, of which control characters are dropped; whether tmux must pass them on, which
    it does with `set -g allow-passthrough on`. The bell reaches the status line of tmux in any case.
    """
    title, text = _clean(title).replace(";", ","), _clean(text)
    codes = {
        "bell": "",
        "OSC 9": f"\x1b]9;{title}: {text}\x1b\\",
        "OSC 777": f"\x1b]777;notify;{title};{text}\x1b\\",
        "OSC 99": f"\x1b]99;i=paxtui:d=0:o=unfocused;{title}\x1b\\\x1b]99;i=paxtui:d=1:p=body;{text}\x1b\\",
    }[kind]
    if in_tmux and codes:
        codes = "\x1bPtmux;" + codes.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return codes + ("\x07" if in_tmux or kind == "bell" else "")


def _clean(text: str) -> str:
    return "".join(c for c in text if c.isprintable())[:MAX_LENGTH]
