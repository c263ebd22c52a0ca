"""Whether there is a terminal: keys to read and a screen to draw on."""

from __future__ import annotations

import sys
from typing import TextIO

from paxtui.cli.outward.faults import CommandError


def need_terminal() -> None:
    """Make sure that there are keys to read and a screen to draw on.

    Raises:
        CommandError: there are not.
    """
    # The screen reads one of these and draws on the other.
    if not (_is_terminal(sys.__stdin__) and _is_terminal(sys.__stderr__)):
        raise CommandError("the screen needs a terminal; 'paxtui new --plain' and 'paxtui play --plain' need none")


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()
