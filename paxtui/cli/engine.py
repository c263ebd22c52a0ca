"""Speak the engine protocol: JSON lines on stdin and stdout.

One request a line, {"id": 1, "method": "new", "params": {...}}; one answer a line. Methods: new, load, save,
position, dice, view, legal, suggest, forecast, act, events, schema, quit. The end of stdin ends the program.

example:
  echo '{"id":1,"method":"new","params":{"seed":7}}' | paxtui engine
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from paxtui.cli.outward.faults import CommandError
from paxtui.cli.outward.outlet import escaped

LONGEST = 64 * 1024 * 1024
"""Bytes of a request."""


def arguments(part: argparse.ArgumentParser) -> None:
    """`engine` takes none."""


def run(args: argparse.Namespace) -> int:
    """Answer until `quit` or the end of the input."""
    from paxtui.table.protocol import EngineSession
    from paxtui.table.tables import load_tables

    directory = Path(args.tables) if args.tables else None
    session = EngineSession(load_tables(directory), directory)
    while raw := sys.stdin.buffer.readline(LONGEST + 1):
        if len(raw) > LONGEST:
            raise CommandError(f"a request has {LONGEST >> 20} MiB at most")
        line = raw.decode("utf-8", "surrogateescape").strip("\r\n")
        if not line.strip():
            continue
        sys.stdout.buffer.write(escaped(session.handle(line)).encode("utf-8") + b"\n")
        sys.stdout.buffer.flush()
        if session.closed:
            break
    return 0
