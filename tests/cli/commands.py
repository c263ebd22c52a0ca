"""Running commands, and the plain mode at a position."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.cli.plain.repl import Repl
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import SetPosition
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.waiting import PATIENCE


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return the environment of a command with the player's directory in `home`."""
    return {**os.environ, "PAXTUI_HOME": str(home), "LC_ALL": "C.UTF-8", **more}


def paxtui(home: Path, *words: str, typed: str | bytes = "", **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in `home` with piped input. Args: `more` variables of its environment."""
    data = typed if isinstance(typed, bytes) else typed.encode()
    command = [sys.executable, "-m", "paxtui.cli.main", *words]
    env = environment(home, **more)
    return subprocess.run(command, capture_output=True, input=data, env=env, timeout=PATIENCE, cwd=home)


def inside(
    home: Path, *words: str, typed: str = "", encoding: str = "utf-8", **more: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in this process, which is faster: for tests of its output.

    Its streams have an `encoding`, like pipes of a shell.
    """
    streams = [io.TextIOWrapper(io.BytesIO(), encoding, errors, "\n") for errors in ("strict", "backslashreplace")]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment(home, **more).items():
            patch.setenv(name, value)
        patch.chdir(home)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8", "surrogateescape"))
        patch.setattr(sys, "stdout", streams[0])
        patch.setattr(sys, "stderr", streams[1])
        try:
            code = main(list(words))
        except SystemExit as end:  # raised by argparse
            code = end.code if isinstance(end.code, int) else 0
    for stream in streams:
        stream.flush()
    out, err = (stream.buffer.getvalue() for stream in streams)  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(list(words), code, out, err)


def talk_at(phase: str = "movement", undo: str = "free", **patch: object) -> Repl:
    """Return the plain mode after its greeting, at a position of the 1880 start."""
    table = PaxHost.new(load_tables(), seats_for(7), "7", undo=undo, clock=empty_clock)  # type: ignore[arg-type]
    rich = {"powers": {"britain": {"treasury": 60}, "france": {"treasury": 40}}}
    table.act(ARBITER, SetPosition({"phase": phase, **rich, **patch}))
    talk = Repl(LocalSession(table))
    talk.greeting()
    return talk
