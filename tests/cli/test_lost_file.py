"""The plain mode when the file of the game is lost: it does not say that everything is saved."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.cli.plain.repl import run_repl
from paxtui.engine.log import parse
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from tests.waiting import PATIENCE


@pytest.fixture
def path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "game.jsonl"
    assert main(["new", "--no-play", "--seed", "3", "--file", str(path)]) == 0
    capsys.readouterr()
    return path


def test_act_and_end_name_the_rescue_file(path: Path) -> None:
    output: list[str] = []
    with PaxHost.open(path) as table:
        ready = ("ready\n", "quit\n")

        def lines():  # type: ignore[no-untyped-def]
            path.unlink()
            yield from ready

        run_repl(LocalSession(table), lines(), output.append)
        accepted = table.log()
    text = "".join(output)
    assert "Everything is saved" not in text
    rescue = path.with_name("game.rescued.jsonl")
    sentence = f"was removed or renamed by another program while the game was open. The game accepts no more acts. \
Everything up to line {table.version} is in {rescue}.\n"
    assert text.count(sentence) == 2
    assert "Internal error" not in text
    assert parse(rescue.read_bytes()).raw == rescue.read_bytes() == accepted


@pytest.mark.parametrize("last", ["quit\n", ""], ids=["quit", "end"])
def test_lost_file_is_reported_with_exit_code_1(path: Path, last: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "paxtui.cli.main", "play", "--plain", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PAXTUI_HOME": str(path.parent), "LC_ALL": "C.UTF-8"},
    )
    assert child.stdin is not None and child.stdout is not None
    for line in child.stdout:
        if line.startswith("You can be ready"):
            break
    other = path.with_name("other")
    other.write_bytes(path.read_bytes().partition(b"\n")[0] + b"\n")
    other.replace(path)
    text, _ = child.communicate(last, timeout=PATIENCE)
    assert "was replaced by another program" in text
    assert "Everything is saved" not in text
    assert child.returncode == 1
    assert path.with_name("game.rescued.jsonl").exists()
