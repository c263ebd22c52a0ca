"""The commands: their output, exit codes, and errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli import commands
from tests.places import GOLDEN, ROOT
from tests.waiting import PATIENCE


class Result(NamedTuple):
    """The exit code and the output of a command."""

    returncode: int
    stdout: str
    stderr: str


def paxtui(*words: str, home: Path, stdin: str = "") -> Result:
    """Run the command in `home`."""
    done = commands.inside(home, *words, typed=stdin)
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize("command", ["new", "play", "show", "verify", "rules", "engine", "bench"])
def test_each_command_has_a_help_with_examples(command, tmp_path):
    done = paxtui(command, "--help", home=tmp_path)
    assert done.returncode == 0
    assert "example" in done.stdout and f"paxtui {command}" in done.stdout


def test_verify_accepts_the_golden_games(tmp_path):
    done = paxtui("verify", *map(str, sorted(ROOT.glob("saves/*.jsonl"))), home=tmp_path)
    assert done.returncode in (0, 3)  # each game has its own verdict in tests/golden
    assert done.stdout.count("sound") == len(list(ROOT.glob("saves/*.jsonl")))


def test_show_any_line(tmp_path):
    lines = len(GOLDEN.read_bytes().splitlines())
    for at in (1, 2, lines // 2, lines):
        done = paxtui("show", str(GOLDEN), "--at", str(at), "--seat", "france", "--json", home=tmp_path)
        view = json.loads(done.stdout)
        assert view["version"] == at and "seed" not in done.stdout
    assert "rank 1" in paxtui("show", str(GOLDEN), home=tmp_path).stdout


def test_new_game_from_a_position_is_saved(tmp_path):
    (tmp_path / "p.toml").write_text('phase = "movement"\n[powers.france]\ntreasury = 12\n')
    made = paxtui("new", "--no-play", "--seed", "7", "--position", "p.toml", "--file", "a.jsonl", home=tmp_path)
    assert made.returncode == 0, made.stderr
    again = paxtui("show", "a.jsonl", "--toml", home=tmp_path)
    assert again.stdout == 'phase = "movement"\n\n[powers.france]\ntreasury = 12\n'


def changed_log(tmp_path: Path, change) -> Path:
    """Write a copy of the golden game with changed lines."""
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"".join(change(GOLDEN.read_bytes().splitlines(keepends=True))))
    return path


def test_broken_chain_is_refused_with_its_line(tmp_path):
    path = changed_log(tmp_path, lambda lines: [*lines[:40], lines[40].replace(b'"n":41', b'"n":41 '), *lines[41:]])
    before = path.read_bytes()
    done = paxtui("verify", str(path), home=tmp_path)
    assert done.returncode == 2 and "bad.jsonl: Line 42 " in done.stderr
    assert "Traceback" not in done.stderr
    assert path.read_bytes() == before


def test_incomplete_end_is_reported_and_the_rest_is_shown(tmp_path):
    path = changed_log(tmp_path, lambda lines: [*lines[:50], lines[50][:30]])
    done = paxtui("show", str(path), home=tmp_path)
    assert done.returncode == 0 and "line 50 of 50" in done.stdout and done.stderr


BAD = [
    (("show", "nothing.jsonl"), "nothing.jsonl"),
    (("show", "."), "directory"),
    (("show", str(GOLDEN), "--at", "99999"), "--at"),
    (("show", str(GOLDEN), "--seat", "narnia"), "narnia"),
    (("verify", "nothing.jsonl"), "nothing.jsonl"),
    (("rules", "ABC-999"), "ABC-999"),
    (("rules", "--chapter", "XYZ"), "XYZ"),
    (("new", "--no-play", "--players", "3"), "4 to 8"),
    (("new", "--no-play", "--option", "colour"), "NAME=VALUE"),
    (("new", "--no-play", "--option", "colour=red"), "colour"),
    (("new", "--no-play", "--option", "edition=1066"), "1066"),
    (("new", "--no-play", "--position", "no.toml"), "no.toml"),
    (("--tables", "nowhere", "new", "--no-play"), "nowhere"),
    (("play",), "no saved game"),
    (("nonsense",), "nonsense"),
]


@pytest.mark.parametrize(("words", "message"), BAD, ids=[" ".join(w)[-40:] for w, _ in BAD])
def test_bad_arguments_give_a_sentence_and_exit_code_2(words, message, tmp_path):
    done = paxtui(*words, home=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("*.jsonl"))


@pytest.mark.parametrize(
    ("position", "message"),
    [("phase = ", "TOML"), ('phase = "tea"', "tea"), ("[powers.france]\ntreasury = -1", "treasury")],
)
def test_bad_position_makes_no_game(position, message, tmp_path):
    (tmp_path / "p.toml").write_text(position)
    done = paxtui("new", "--no-play", "--position", "p.toml", "--file", "a.jsonl", home=tmp_path)
    assert done.returncode == 2 and message in done.stderr
    assert not (tmp_path / "a.jsonl").exists()


def test_own_tables_replace_shipped_ones_and_are_in_the_log(tmp_path):
    own = tmp_path / "mine"
    own.mkdir()
    shipped = (ROOT / "data" / "reconstructed" / "game_turn_track.toml").read_text()
    (own / "game_turn_track.toml").write_text(shipped.replace("great_war_penalty = 50", "great_war_penalty = 60"))
    made = paxtui("--tables", str(own), "new", "--no-play", "--file", "a.jsonl", home=tmp_path)
    assert made.returncode == 0, made.stderr
    header = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])
    assert "great_war_penalty = 60" in header["tables"]["reconstructed/game_turn_track.toml"]
    (own / "game_turn_track.toml").write_text("turns = 3")
    broken = paxtui("--tables", str(own), "new", "--no-play", "--file", "b.jsonl", home=tmp_path)
    assert broken.returncode == 2 and "game_turn_track.toml:1" in broken.stderr


def test_killed_program_loses_no_acknowledged_act(tmp_path):
    """A process that is killed right after an act leaves the act in the log."""
    from paxtui.session.pax_host import PaxHost
    from paxtui.session.tables.loader import load_tables

    path = tmp_path / "k.jsonl"
    code = (
        "import sys, os, signal\n"
        "from pathlib import Path\n"
        "from paxtui.session.pax_host import PaxHost\n"
        "t = PaxHost.open(Path(sys.argv[1]))\n"
        "t.advance(); print(t.version, flush=True)\n"
        "t.act('britain', 'place interest egypt'); print(t.version, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    PaxHost.new(load_tables(), ("britain", "france", "germany", "united_states"), "5", {}, path=path).close()
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=PATIENCE)
    version = int(done.stdout.split()[-1])
    with PaxHost.open(path) as again:
        assert again.version == version == 3
        assert any(m.power == "britain" for m in again.state.areas["egypt"].markers)


def test_play_without_a_name_continues_the_last_game(tmp_path):
    for name, time in (("a", "2026-01-02"), ("b", "2026-01-03"), ("c", "2026-01-01")):
        header = json.loads(GOLDEN.read_bytes().splitlines()[0]) | {"created": f"{time}T10:00:00+00:00"}
        (tmp_path / "saves").mkdir(exist_ok=True)
        (tmp_path / "saves" / f"{name}.jsonl").write_text(json.dumps(header) + "\n")
    (tmp_path / "saves" / "z.jsonl").write_text("no log")
    done = paxtui("play", "--plain", home=tmp_path)
    assert f"Game file: {tmp_path / 'saves' / 'b.jsonl'}." in done.stdout
