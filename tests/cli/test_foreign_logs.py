"""Logs of strangers: no output contains their control or direction characters."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import unicodedata
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.cli.runtime import SafeStream, clean_line, escape_json, printable
from paxtui.engine.log import digest
from paxtui.games.pax.position.writer import read_toml, write_toml
from tests.cli.commands import inside
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "saves" / "congress-eight-seats.jsonl"

HOSTILE = "\x1b]0;title\x07\x1b[2J\x1b[31m\x9b5n\x7f\u202egnp\u2066\u200f\u061c\u2028\u2029\ufeff\U000e0041\ufffe"
"""Escape sequences for title, clearing, colours and a query (also in one byte), directions, line ends, tags."""


def control_characters(text: str) -> set[str]:
    """Return the control and format characters of a text, except line ends."""
    return {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp", "Cn", "Co")}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path / "home"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of a Congress with hostile characters in all texts and in its name."""

    def with_hostile(raw: object) -> object:
        if isinstance(raw, dict):
            free = ("name", "text", "note", "words", "description")
            return {
                k: v + HOSTILE if k in free and isinstance(v, str) and v else with_hostile(v) for k, v in raw.items()
            }
        return [with_hostile(v) for v in raw] if isinstance(raw, list) else raw

    lines = [json.loads(line) for line in GOLDEN.read_bytes().splitlines()]
    lines[0]["program"] += HOSTILE
    out = [json.dumps(lines[0]).encode()]
    for line in lines[1:]:
        out.append(json.dumps({**line, "events": with_hostile(line["events"]), "prev": digest(out[-1])}).encode())
    action = {"type": "dispatch", "to": [], "text": "hello " + HOSTILE, "opens": 0}
    note = {"n": len(lines) + 1, "time": "x" + HOSTILE, "seat": "france", "kind": "note", "action": action}
    out.append(json.dumps({**note, "prev": digest(out[-1])}).encode())
    path = tmp_path / f"game{HOSTILE[:12]}\u202e.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in out))
    return path


COMMANDS = (
    *(("show",), ("show", "--log"), ("show", "--toml"), ("show", "--json"), ("show", "--json", "--seat", "germany")),
    *(("show", "--log", "--seat", "france"), ("verify",), ("picture",), ("picture", "--screen", "whole-log")),
    *(("picture", "--screen", "treaties"), ("show", "--at", "99999"), ("show", "--seat", HOSTILE)),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words).encode("ascii", "ignore").decode()[:30])
def test_output_has_no_control_characters(path: Path, words: tuple[str, ...]) -> None:
    done = inside(path.parent, words[0], str(path), *words[1:])
    assert not control_characters((done.stdout + done.stderr).decode())
    assert done.stdout or done.stderr
    assert b"Traceback" not in done.stderr and done.returncode != 70


def test_json_keeps_hostile_texts_escaped(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(path), "--json"]) == 0
    out = capsys.readouterr().out
    assert not control_characters(out)
    assert any(HOSTILE in treaty["name"] for treaty in json.loads(out)["treaties"])


def test_toml_keeps_hostile_texts_escaped(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(path), "--toml"]) == 0
    out = capsys.readouterr().out
    assert not control_characters(out)
    assert HOSTILE in str(tomllib.loads(out)["treaties"][0]["name"])


@pytest.mark.parametrize("screen", ["treaties", "whole-log", "log", "main"])
@pytest.mark.parametrize("ending", ["svg", "txt", "ansi"])
def test_picture_has_no_control_characters(path: Path, tmp_path: Path, screen: str, ending: str) -> None:
    to = tmp_path / f"picture.{ending}"
    assert main(["picture", str(path), "--screen", screen, "-o", str(to)]) == 0
    text = to.read_text("utf-8")
    if ending == "svg":
        ElementTree.fromstring(text)
    if ending == "ansi":  # it has its own colours
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert not control_characters(text)


def test_plain_mode_has_no_control_characters(path: Path) -> None:
    copy = path.with_name("copy.jsonl")
    copy.write_bytes(path.read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "paxtui.cli.main", "play", "--plain", str(copy)],
        input=b"status\nshow treaties\nshow dispatches\nhistory\nhistory 5\nwhat\nseat\nquit\n",
        capture_output=True,
        cwd=ROOT,
        timeout=PATIENCE,
    )
    assert (
        done.returncode == 0
        and not control_characters(done.stdout.decode())
        and not control_characters(done.stderr.decode())
    )


def test_protocol_keeps_hostile_texts_escaped(path: Path) -> None:
    requests = [
        {"id": 1, "method": "load", "params": {"path": str(path)}},
        {"id": 2, "method": "view", "params": {"seat": "arbiter"}},
        {"id": 3, "method": "events", "params": {}},
        {"id": 4, "method": "act", "params": {"seat": "france", "text": HOSTILE}},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "paxtui.cli.main", "engine"],
        input="".join(json.dumps(request) + "\n" for request in requests).encode(),
        capture_output=True,
        cwd=ROOT,
        timeout=PATIENCE,
    )
    text = done.stdout.decode()
    assert not control_characters(text)
    loaded, view, events, _ = map(json.loads, text.splitlines())
    assert "result" in loaded
    assert any(HOSTILE in treaty["name"] for treaty in view["result"]["treaties"])
    assert events["result"]["lines"][-1]["action"]["text"].endswith(HOSTILE)


def test_texts_survive_toml() -> None:
    for text in (HOSTILE, 'quo"te', "back\\slash", "new\nline", "tab\t", "\r\n", "é £ 語", "'", "#", "\x00\x1f"):
        patch = {"a": text, text or "x": {"b": text}, "t": {text: {"c": [text, {"d": text}]}}}
        written = write_toml(patch)
        assert read_toml(written) == patch
        assert not control_characters(written)


def test_texts_survive_json() -> None:
    for text in (HOSTILE, 'quo"te', "back\\slash", "new\nline", "é £ 語", "\U0001f600", "\\u0041"):
        raw = json.dumps({text: [text]}, ensure_ascii=False)
        assert json.loads(escape_json(raw)) == {text: [text]}
        assert not control_characters(escape_json(raw))


def test_cleaning_keeps_plain_text_and_width() -> None:
    assert clean_line("é £ 語 → ●") == "é £ 語 → ●"
    assert clean_line(HOSTILE) == clean_line(clean_line(HOSTILE)) and len(clean_line(HOSTILE)) == len(HOSTILE)
    assert clean_line("a\u00a0b") == "a\u00a0b"  # a no-break space is allowed
    assert printable("£5 → ●", "ascii") == "L5 -> *"


def test_safe_stream_cleans_output(capsys: pytest.CaptureFixture[str]) -> None:
    outlet = SafeStream(sys.stdout)
    print("one\ntwo\x1b[2J", file=outlet)  # type: ignore[arg-type]
    outlet.writelines(["three\n", "\u202efour\n"])
    assert capsys.readouterr().out == "one\ntwo [2J\nthree\n four\n"
    assert outlet.encoding == sys.stdout.encoding
