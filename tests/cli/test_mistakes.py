"""Mistakes on the command line and errors of the program: a sentence and an exit code, never a traceback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from paxtui.cli import saved_games
from paxtui.cli.main import COMMANDS, main
from paxtui.engine.log import digest
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.cli.commands import inside
from tests.samples import sample
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "saves" / "ten-turns-four-players.jsonl"
DEEP = 100_000


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def error_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that fails; return its error: one line, with exit code 2 and no crash report."""
    assert main(list(words)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("paxtui: ") and err.count("\n") == 1
    assert "Errno" not in err and "Error" not in err
    return err


def paxtui(*words: str | bytes, **more: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **more}
    command = [sys.executable, "-m", "paxtui.cli.main", *words]
    return subprocess.run(command, capture_output=True, env=env, timeout=PATIENCE)


# --- input ------------------------------------------------------------------------------------------------------------


def test_name_of_a_log_must_end_in_jsonl(capsys: pytest.CaptureFixture[str]) -> None:
    assert "x.txt: the name of a saved game must end in .jsonl" in error_of(
        capsys, "new", "--no-play", "--file", "x.txt"
    )
    assert not Path("x.txt").exists()


def test_position_must_be_text(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.toml").write_bytes(b'phase = "\xff"')
    assert "p.toml is not UTF-8 (byte 10)" in error_of(capsys, "new", "--no-play", "--position", "p.toml")
    Path("p.toml").write_bytes(b"x = " + b"[" * DEEP)
    error_of(capsys, "new", "--no-play", "--position", "p.toml")
    Path("p.toml").write_text("areas." + ".".join("a" * 50_000) + " = 1")
    error_of(capsys, "new", "--no-play", "--position", "p.toml")


def test_arguments_must_be_text() -> None:
    done = paxtui("new", "--no-play", "--seed", b"\xff\xfe")
    assert done.returncode == 2
    assert done.stderr == b"paxtui: --seed contains bytes that are not text\n"
    for words in (("show", b"\xff.jsonl"), ("show", str(GOLDEN), "--seat", b"\xff"), ("rules", b"\xff"), (b"\xff",)):
        done = paxtui(*words)
        assert done.returncode == 2 and b"Traceback" not in done.stderr
    assert paxtui("new", "--no-play", "--option", b"\xff=\xfe").returncode == 2


@pytest.mark.parametrize("words", [("new", "--no-play"), ("play",), ("keys",)], ids=" ".join)
def test_home_of_an_unknown_user_is_refused(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAXTUI_HOME", "~nobody_of_that_name")
    assert "PAXTUI_HOME is ~nobody_of_that_name, and there is no such user" in error_of(capsys, *words)


def test_tilde_in_paxtui_home_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    from paxtui.session.storage.log_store import save_dir
    from paxtui.tui.base.settings import settings_path

    monkeypatch.setenv("PAXTUI_HOME", "~/pax")
    assert save_dir() == Path.home() / "pax" / "saves"
    assert settings_path() == Path.home() / "pax" / "settings.toml"


@pytest.mark.parametrize(
    "content",
    [b"x = " + b"[" * DEEP + b"]" * DEEP, b".".join([b"a"] * DEEP) + b" = 1", b"x = " + b"{a=" * DEEP, b"\xff", b"\0"],
    ids=["lists", "dots", "tables", "bytes", "zero"],
)
@pytest.mark.parametrize("name", ["settings.toml", "keymap.toml"])
def test_invalid_settings_do_not_block_commands(
    home: Path, name: str, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir()
    (home / name).write_bytes(content)
    assert main(["keys"]) == 0
    assert main(["picture", "--start", "--screen", "settings", "-o", "s.txt"]) == 0


@pytest.mark.parametrize("name", ["settings.toml", "keymap.toml"])
def test_pipe_as_settings_does_not_block(home: Path, name: str) -> None:
    home.mkdir()
    os.mkfifo(home / name)
    assert main(["keys"]) == 0


def test_settings_are_saved_through_a_link(home: Path, tmp_path: Path) -> None:
    from paxtui.tui.base.settings import Settings, save_settings, settings_path

    home.mkdir()
    (tmp_path / "kept.toml").write_text("")
    settings_path().symlink_to(tmp_path / "kept.toml")
    save_settings(Settings())
    assert settings_path().is_symlink() and (tmp_path / "kept.toml").read_text()


ENDLESS = (
    ("show", "/dev/zero"),
    ("verify", "/dev/zero"),
    ("play", "--plain", "/dev/zero"),
    ("play", "/dev/zero"),
    ("picture", "/dev/zero"),
    ("new", "--no-play", "--position", "/dev/zero"),
    ("new", "--no-play", "--position", "pipe"),
    ("show", "pipe"),
    ("bench", "--game", "pipe", "--no-client"),
    ("picture", "--start", "-o", "pipe.svg"),
    ("picture", "--start", "-o", "null.txt"),
)


@pytest.mark.parametrize("words", ENDLESS, ids=" ".join)
def test_devices_and_pipes_are_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    os.mkfifo("pipe.svg")
    Path("null.txt").symlink_to("/dev/null")
    assert re.search(r" is a (device|pipe), not a file", error_of(capsys, *words))
    assert Path("pipe.svg").is_fifo() and Path("/dev/null").is_char_device()


def test_endless_requests_are_limited(capsys: pytest.CaptureFixture[str]) -> None:
    with Path("/dev/zero").open("rb") as zero:
        done = subprocess.run(
            [sys.executable, "-m", "paxtui.cli.main", "engine"],
            stdin=zero,
            capture_output=True,
            cwd=ROOT,
            timeout=PATIENCE,
        )
    assert done.returncode == 2 and done.stderr == b"paxtui: requests are limited to 64 MiB\n"


def test_device_as_a_table_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("tables").mkdir()
    Path("tables/areas.csv").symlink_to("/dev/zero")
    assert "is a device" in error_of(capsys, "--tables", "tables", "new", "--no-play")


def write_forged_log(change: Callable[[dict[str, object]], None]) -> str:
    """Write a log with a changed header and correct hashes."""
    lines = [json.loads(line) for line in GOLDEN.read_bytes().splitlines()[:3]]
    change(lines[0])
    out = [json.dumps(lines[0]).encode()]
    for line in lines[1:]:
        out.append(json.dumps({**line, "prev": digest(out[-1])}).encode())
    Path("forged.jsonl").write_bytes(b"".join(line + b"\n" for line in out))
    return "forged.jsonl"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda start: start["areas"].update(narnia={}), "unknown Area: 'narnia'"),
        (
            lambda start: start["areas"]["egypt"].update(markers=[{"power": "x", "marker": "state"}]),
            "unknown Power: 'x'",
        ),
        (
            lambda start: start["areas"]["egypt"].update(markers=[{"power": "italy", "marker": "x"}]),
            "unknown marker: 'x'",
        ),
        (lambda start: start["homes"].update(narnia=[]), "unknown Power: 'narnia'"),
        (lambda start: start["sea_zones"].update(narnia=[]), "unknown Sea Zone: 'narnia'"),
        (lambda start: start["powers"].update(narnia={}), "unknown Power: 'narnia'"),
        (lambda start: start.update(turn=99), "there is no Game Turn 99"),
        (lambda start: start.update(frames=[]), "it has no Phase"),
        (lambda start: start.update(frames=[{"phase": "tea"}]), "unknown Phase: 'tea'"),
        (lambda start: start.update(events=["99"]), "unknown Random Event: '99'"),
    ],
)
@pytest.mark.parametrize(
    "options", [(), ("--json",), ("--toml",), ("--log",)], ids=lambda options: " ".join(options) or "text"
)
def test_log_with_unknown_names_is_refused(
    change: Callable[..., None], what: str, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_forged_log(lambda header: change(header["start"]))
    assert what in error_of(capsys, "show", path, *options)


# --- output -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("show", str(GOLDEN)), ("show", str(GOLDEN), "--log"), ("keys",), ("rules", "navy")])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_output_uses_ascii_for_limited_encodings(words: tuple[str, ...], encoding: str, home: Path) -> None:
    if words == ("keys",):
        done = paxtui(*words, PYTHONIOENCODING=encoding, LC_ALL="C", PYTHONUTF8="0")
    else:
        done = inside(home.parent, *words, encoding=encoding)
    assert done.returncode == 0 and done.stderr == b""
    text = done.stdout.decode(encoding)
    assert text.isascii() == (encoding == "ascii") or "£" in text or words[0] in ("keys", "rules")
    if encoding == "ascii" and words[0] == "show":
        assert re.search(r"\bL\d", text)


def test_full_disk_and_closed_pipe_give_exit_codes() -> None:
    command = [sys.executable, "-m", "paxtui.cli.main", "verify", str(GOLDEN), str(GOLDEN)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    for unbuffered in ("", "1"):
        env["PYTHONUNBUFFERED"] = unbuffered
        with open("/dev/full", "wb") as disk:
            full = subprocess.run(command, stdout=disk, stderr=subprocess.PIPE, env=env, timeout=PATIENCE)
        assert full.returncode == 2
        assert full.stderr == b"paxtui: no space left on device\n", full.stderr
        reader, pipe = os.pipe()
        os.close(reader)  # before the program writes
        shut = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, env=env, timeout=PATIENCE)
        os.close(pipe)
        assert shut.returncode == 141 and shut.stderr == b""


# --- errors of the program --------------------------------------------------------------------------------------------


def test_crash_gives_a_sentence_and_a_report_without_secrets(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(args: object) -> int:
        seed = "the-very-seed"
        try:
            raise KeyError(f"secret treaty {seed}")
        except KeyError as error:
            raise ValueError(f"worse: {seed}") from error

    monkeypatch.setattr(saved_games, "run_verify", fails)
    assert main(["verify", "secret-name.jsonl"]) == 70
    out, err = capsys.readouterr()
    (report,) = (home / "crashes").iterdir()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("paxtui: internal error. ") and err.endswith(f": {report}\n")
    assert report.stat().st_mode & 0o777 == 0o600
    text = report.read_text()
    assert re.match(r"paxtui \S+, Python \S+, \w+ \S+\ncommand: verify\nbuiltins\.ValueError\n  ", text)
    assert re.search(r"^  paxtui/cli/main\.py:\d+ main$", text, re.MULTILINE)
    assert re.search(r"^  tests/cli/test_mistakes\.py|^  test_mistakes\.py:\d+ fails$", text, re.MULTILINE)
    assert "builtins.KeyError" in text
    for secret in ("secret", "seed", "worse", str(ROOT), str(home), "jsonl"):
        assert secret not in text


def test_only_the_last_crash_reports_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(args: object) -> int:
        raise RecursionError

    monkeypatch.setattr(saved_games, "run_verify", fails)
    for _ in range(25):
        assert main(["verify", "x"]) == 70
    assert len(list((home / "crashes").iterdir())) == 20


def test_unwritable_crash_report_is_mentioned(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(args: object) -> int:
        raise MemoryError

    monkeypatch.setattr(saved_games, "run_verify", fails)
    home.write_text("in the way")
    assert main(["verify", "x"]) == 70
    assert "The crash report could not be written" in capsys.readouterr().err
    monkeypatch.setenv("PAXTUI_HOME", "~nobody_of_that_name")
    assert main(["verify", "x"]) == 70
    assert "there is no such user" in capsys.readouterr().err


def test_every_command_has_help() -> None:
    for command in COMMANDS:
        with pytest.raises(SystemExit) as end:
            main([command, "--help"])
        assert end.value.code == 0


def test_random_forged_logs_cause_no_crash(capsys: pytest.CaptureFixture[str]) -> None:
    """Odd values in random places of a log, 200 in a search: no command crashes."""
    import random

    rng = random.Random(1915)
    odd = ["narnia", "", None, 0, -1, 10**6, True, [], {}, "egypt", 3.5, ["x"], {"a": 1}, "\x1b[2J", "\u202e"]
    text = GOLDEN.read_bytes().splitlines()[:40]

    def paths(raw: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        inner = raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
        return [path, *(found for key, value in inner for found in paths(value, (*path, key)))]

    places = [path for path in paths([json.loads(line) for line in text]) if len(path) > 1]
    for path in rng.sample(places, sample(60, 200)):
        lines = [json.loads(line) for line in text]
        place: object = lines
        for step in path[:-1]:
            place = place[step]  # type: ignore[index]
        place[path[-1]] = rng.choice(odd)  # type: ignore[index]
        out = [json.dumps(lines[0]).encode()]
        for n, line in enumerate(lines[1:], start=2):
            out.append(json.dumps({**line, "n": n, "prev": digest(out[-1])}).encode())
        Path("odd.jsonl").write_bytes(b"".join(line + b"\n" for line in out))
        for words in (("show",), ("show", "--json"), ("show", "--toml"), ("show", "--log"), ("verify",)):
            assert main([words[0], "odd.jsonl", *words[1:]]) in (0, 1, 2, 3), (path, capsys.readouterr().err)
        output = capsys.readouterr()
        assert "\x1b" not in output.out + output.err and "\u202e" not in output.out + output.err


def test_game_without_a_file_has_no_trouble() -> None:
    table = PaxHost.new(load_tables(), ("britain", "france", "germany", "united_states"), "1")
    assert table.trouble == ""


@pytest.mark.parametrize("command", [("show", str(GOLDEN)), ("rules", "MOV-013"), ("verify", str(GOLDEN)), ("new",)])
def test_unknown_tables_are_refused_by_each_command(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nowhere" in error_of(capsys, "--tables", "nowhere", *command)
