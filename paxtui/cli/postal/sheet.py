"""The order sheet of a mail game, opened for a directory or for a form."""

from __future__ import annotations

import argparse

from paxtui.cli.outward.screens import only_screen
from paxtui.cli.postal.opened import draft, sheet_screen
from paxtui.table.disk.files import typed_path


def write(args: argparse.Namespace) -> int:
    """Open the order sheet."""
    found = draft(typed_path(args.where), args.seat)
    code = only_screen("postal", lambda: sheet_screen(found))
    print(f"the form is in {found.path}")
    return code
