"""Plain mistakes at the command line, and what nobody has thought of: a sentence, an exit code, never a traceback."""

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


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What is said of a mistake: one line, exit code 2, no report of a crash."""
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


# --- what is given to a command ---------------------------------------------------------------------------------------


def test_a_name_that_is_none_of_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert "x.txt: the name of a saved game must end in .jsonl" in said(capsys, "new", "--no-play", "--file", "x.txt")
    assert not Path("x.txt").exists()


def test_a_position_that_is_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.toml").write_bytes(b'phase = "\xff"')
    assert "p.toml is not UTF-8 (byte 10)" in said(capsys, "new", "--no-play", "--position", "p.toml")
    Path("p.toml").write_bytes(b"x = " + b"[" * DEEP)
    said(capsys, "new", "--no-play", "--position", "p.toml")
    Path("p.toml").write_text("areas." + ".".join("a" * 50_000) + " = 1")
    said(capsys, "new", "--no-play", "--position", "p.toml")


def test_bytes_in_an_argument_that_are_no_text() -> None:
    done = paxtui("new", "--no-play", "--seed", b"\xff\xfe")
    assert done.returncode == 2
    assert done.stderr == b"paxtui: --seed contains bytes that are not text\n"
    for words in (("show", b"\xff.jsonl"), ("show", str(GOLDEN), "--seat", b"\xff"), ("rules", b"\xff"), (b"\xff",)):
        done = paxtui(*words)
        assert done.returncode == 2 and b"Traceback" not in done.stderr
    assert paxtui("new", "--no-play", "--option", b"\xff=\xfe").returncode == 2


@pytest.mark.parametrize("words", [("new", "--no-play"), ("play",), ("keys",)], ids=" ".join)
def test_a_home_of_a_user_that_there_is_not(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAXTUI_HOME", "~nobody_of_that_name")
    assert "PAXTUI_HOME is ~nobody_of_that_name, and there is no such user" in said(capsys, *words)


def test_the_home_of_a_user_is_found_for_games_and_settings_alike(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_file_of_settings_that_makes_no_sense_keeps_nobody_out(
    home: Path, name: str, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    home.mkdir()
    (home / name).write_bytes(content)
    assert main(["keys"]) == 0
    assert main(["picture", "--start", "--screen", "settings", "-o", "s.txt"]) == 0


@pytest.mark.parametrize("name", ["settings.toml", "keymap.toml"])
def test_a_pipe_for_settings_is_not_waited_for(home: Path, name: str) -> None:
    home.mkdir()
    os.mkfifo(home / name)
    assert main(["keys"]) == 0


def test_settings_reached_by_a_link_stay_there(home: Path, tmp_path: Path) -> None:
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
def test_what_has_no_end_and_what_is_no_file(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    os.mkfifo("pipe.svg")
    Path("null.txt").symlink_to("/dev/null")
    assert re.search(r" is a (device|pipe), not a file", said(capsys, *words))
    assert Path("pipe.svg").is_fifo() and Path("/dev/null").is_char_device()


def test_endless_requests_end(capsys: pytest.CaptureFixture[str]) -> None:
    with Path("/dev/zero").open("rb") as zero:
        done = subprocess.run(
            [sys.executable, "-m", "paxtui.cli.main", "engine"],
            stdin=zero,
            capture_output=True,
            cwd=ROOT,
            timeout=PATIENCE,
        )
    assert done.returncode == 2 and done.stderr == b"paxtui: requests are limited to 64 MiB\n"


def test_a_table_that_is_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    Path("tables").mkdir()
    Path("tables/areas.csv").symlink_to("/dev/zero")
    assert "is a device" in said(capsys, "--tables", "tables", "new", "--no-play")


def forged(change: Callable[[dict[str, object]], None]) -> str:
    """A log whose header was changed, with the chain made right again."""
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
@pytest.mark.parametrize("how", [(), ("--json",), ("--toml",), ("--log",)], ids=lambda how: " ".join(how) or "text")
def test_a_log_that_names_what_there_is_not(
    change: Callable[..., None], what: str, how: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    path = forged(lambda header: change(header["start"]))
    assert what in said(capsys, "show", path, *how)


# --- what goes out ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [("show", str(GOLDEN)), ("show", str(GOLDEN), "--log"), ("keys",), ("rules", "navy")])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_output_that_has_few_signs_gets_those_of_ascii(words: tuple[str, ...], encoding: str, home: Path) -> None:
    if words == ("keys",):
        done = paxtui(*words, PYTHONIOENCODING=encoding, LC_ALL="C", PYTHONUTF8="0")
    else:
        done = inside(home.parent, *words, encoding=encoding)
    assert done.returncode == 0 and done.stderr == b""
    text = done.stdout.decode(encoding)
    assert text.isascii() == (encoding == "ascii") or "£" in text or words[0] in ("keys", "rules")
    if encoding == "ascii" and words[0] == "show":
        assert re.search(r"\bL\d", text)


def test_an_output_that_nobody_reads_or_that_is_full_is_no_success() -> None:
    command = [sys.executable, "-m", "paxtui.cli.main", "verify", str(GOLDEN), str(GOLDEN)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    for unbuffered in ("", "1"):
        env["PYTHONUNBUFFERED"] = unbuffered
        with open("/dev/full", "wb") as disk:
            full = subprocess.run(command, stdout=disk, stderr=subprocess.PIPE, env=env, timeout=PATIENCE)
        assert full.returncode == 2
        assert full.stderr == b"paxtui: no space left on device\n", full.stderr
        reader, pipe = os.pipe()
        os.close(reader)  # before anything is written
        shut = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, env=env, timeout=PATIENCE)
        os.close(pipe)
        assert shut.returncode == 141 and shut.stderr == b""


# --- the net ----------------------------------------------------------------------------------------------------------


def test_a_mistake_of_the_program_is_one_sentence_and_a_report_without_secrets(
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


def test_only_the_last_reports_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(args: object) -> int:
        raise RecursionError

    monkeypatch.setattr(saved_games, "run_verify", fails)
    for _ in range(25):
        assert main(["verify", "x"]) == 70
    assert len(list((home / "crashes").iterdir())) == 20


def test_where_no_report_can_be_written_the_sentence_says_so(
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


def test_forged_logs_of_every_kind_get_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """Odd values in places of a log, two hundred in a search: each command answers, and none breaks down."""
    import random

    rng = random.Random(1915)
    odd = ["narnia", "", None, 0, -1, 10**6, True, [], {}, "egypt", 3.5, ["x"], {"a": 1}, "\x1b[2J", "\u202e"]
    text = GOLDEN.read_bytes().splitlines()[:40]

    def ways(raw: object, way: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        inner = raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
        return [way, *(found for key, value in inner for found in ways(value, (*way, key)))]

    places = [way for way in ways([json.loads(line) for line in text]) if len(way) > 1]
    for way in rng.sample(places, sample(60, 200)):
        lines = [json.loads(line) for line in text]
        place: object = lines
        for step in way[:-1]:
            place = place[step]  # type: ignore[index]
        place[way[-1]] = rng.choice(odd)  # type: ignore[index]
        out = [json.dumps(lines[0]).encode()]
        for n, line in enumerate(lines[1:], start=2):
            out.append(json.dumps({**line, "n": n, "prev": digest(out[-1])}).encode())
        Path("odd.jsonl").write_bytes(b"".join(line + b"\n" for line in out))
        for words in (("show",), ("show", "--json"), ("show", "--toml"), ("show", "--log"), ("verify",)):
            assert main([words[0], "odd.jsonl", *words[1:]]) in (0, 1, 2, 3), (way, capsys.readouterr().err)
        said_ = capsys.readouterr()
        assert "\x1b" not in said_.out + said_.err and "\u202e" not in said_.out + said_.err


def test_a_game_without_a_file_is_reported_as_before() -> None:
    table = PaxHost.new(load_tables(), ("britain", "france", "germany", "united_states"), "1")
    assert table.trouble == ""


@pytest.mark.parametrize("command", [("show", str(GOLDEN)), ("rules", "MOV-013"), ("verify", str(GOLDEN)), ("new",)])
def test_tables_are_looked_for_even_where_a_saved_game_has_its_own(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nowhere" in said(capsys, "--tables", "nowhere", *command)
