"""The app run until the player leaves, and what is said of how it ended."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from paxtui.cli.outward.faults import CRASHED, crashed
from paxtui.cli.outward.terminal import need_terminal

if TYPE_CHECKING:
    from textual.screen import Screen

    from paxtui.tui.app import PaxApp


def only_screen(command: str, only: Callable[[], Screen[None]]) -> int:
    """Show one screen; the exit code. Args: what was asked for; makes it. Raises: CommandError without a terminal."""
    need_terminal()
    from paxtui.tui.app import PaxApp

    return shown(PaxApp(only=only), command)


def shown(app: PaxApp, command: str) -> int:
    """Run the app, and say what went wrong; the exit code. Args: it; what was asked for."""
    # modules, tables and the log stay: the collector of garbage need not go through them before the first frame
    gc.freeze()
    gc.enable()
    app.run()
    if app.crash is not None:
        print(f"paxtui: {crashed(app.crash, command)}", file=sys.stderr)
        return CRASHED
    if app.trouble:
        print(f"paxtui: {app.trouble}", file=sys.stderr)
    return app.return_code or (1 if app.trouble else 0)
