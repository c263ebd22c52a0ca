"""Forgeries of each kind in logs with correct hashes, which `verify` must find."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paxtui.cli.main import main
from paxtui.engine.log import FIRST_RULES, BrokenLog, digest, parse
from paxtui.games.pax.game import RULES_NUMBER
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.session.verification import Verdict, latest_time, overall_verdict

SEVEN = ("britain", "france", "germany", "united_states", "japan", "russia", "italy")
MOVEMENT = {"type": "set_position", "patch": {"phase": "movement", "powers": {"france": {"treasury": 60}}}}
Lines = list[dict[str, Any]]


class Clock:
    """A clock that ticks a second at each call, and can be set back."""

    def __init__(self) -> None:
        self.seconds = 0

    def __call__(self) -> str:
        self.seconds += 1
        return f"2026-01-01T10:{self.seconds // 60:02}:{self.seconds % 60:02}+00:00"


@pytest.fixture(scope="module")
def log() -> bytes:
    """Return a log with acts, an undo and a redo, an undo request, dispatches, and a sealed letter that is opened."""
    table = PaxHost.new(load_tables(), SEVEN, "7", game_id="one", clock=Clock())
    table.act("arbiter", MOVEMENT)
    table.act("france", "pay italy 5")
    table.act("france", "pay russia 5")
    table.act("france", "undo")
    table.act("france", "redo")
    table.act("france", "dispatch italy: greetings")
    table.act("italy", "proclaim sealed 1884: peace")
    table.act("britain", "ready")
    table.act("france", "undo 2")
    for _ in range(12):
        table.act("arbiter", "step")
    lines = table.game.lines
    assert {line.kind for line in lines} == {"act", "undo", "redo", "note"}
    notes = {line.action["type"] for line in lines if line.kind == "note"}
    assert notes == {"dispatch", "letter", "undo_request"}
    return table.log()


@pytest.fixture
def lines(log: bytes) -> Lines:
    return [json.loads(line) for line in log.splitlines()]


def chained(lines: Lines) -> bytes:
    """Encode lines with correct numbers and hashes."""
    out = [json.dumps(lines[0], ensure_ascii=False, separators=(",", ":")).encode()]
    for n, line in enumerate(lines[1:], start=2):
        whole = {**line, "n": n, "prev": digest(out[-1])}
        out.append(json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode())
    return b"".join(line + b"\n" for line in out)


def exit_code(path: Path, data: bytes) -> int:
    path.write_bytes(data)
    return main(["verify", str(path)])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def at(lines: Lines, kind: str, type_: str = "") -> int:
    """Return the index of the last line of a kind. Args: the lines; the kind; the type of its action."""
    found = [i for i, line in enumerate(lines) if i and line.get("kind", "act") == kind]
    return [i for i in found if not type_ or lines[i]["action"]["type"] == type_][-1]


def test_honest_log_is_sound(log: bytes, lines: Lines, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert chained(lines) == log
    assert exit_code(path, log) == 0
    out, err = capsys.readouterr()
    assert out == f"{path}: sound; {len(lines)} lines, 16 acts, all decided the same way today\n"
    assert err == ""


def test_header_has_the_rules_number(lines: Lines) -> None:
    assert lines[0]["rules"] == RULES_NUMBER > FIRST_RULES


FORGED_HEADERS: dict[str, dict[str, Any]] = {
    "another option": {"options": {"edition": "1993"}},
    "an unknown option": {"options": {"colour": "red"}},
    "no options": {"options": {}},
    "another edition": {"edition": "1985"},
    "a seat too few": {"seats": {"france": ["france"]}},
    "a Power more": {"seats": {s: [s, "china"] for s in SEVEN}},
    "another seed": {"seed": "8"},
    "later rules": {"rules": RULES_NUMBER + 1},
    "another time": {"created": "2027-01-01T00:00:00+00:00"},
    "no time": {"created": "noon"},
}


@pytest.mark.parametrize("change", FORGED_HEADERS.values(), ids=list(FORGED_HEADERS))
def test_forged_header_is_found(
    lines: Lines, path: Path, change: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(path, chained([{**lines[0], **change}, *lines[1:]])) == 1
    first = capsys.readouterr().out.splitlines()[0]
    # Another seed is found at the first die, a time at the first earlier line.
    assert first.startswith(f"{path}: line 1, the header: ") or set(change) & {"seed", "created"}


@pytest.mark.parametrize("place", ["turn", "areas", "powers", "options", "players"])
def test_forged_start_is_found(lines: Lines, path: Path, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    start = lines[0]["start"]
    if place == "turn":
        start["turn"] = 3
    elif place == "areas":
        start["areas"]["egypt"]["unrest"] = True
    elif place == "powers":
        start["powers"]["france"]["treasury"] = 500
    elif place == "options":
        start["options"]["edition"] = "1993"
    else:
        start["players"] = start["players"][::-1]
    assert exit_code(path, chained(lines)) == 1
    assert f"line 1, the header: the game does not begin at the start of its options: {place} differ" in (
        capsys.readouterr().out
    )


def forge(lines: Lines, what: str) -> None:
    """Make one forgery that the hashes do not show."""
    pay = next(i for i, line in enumerate(lines) if i and (line.get("action") or {}).get("type") == "pay")
    letter, sent, asked = at(lines, "note", "letter"), at(lines, "note", "dispatch"), at(lines, "note", "undo_request")
    match what:
        case "amount of an event":
            next(e for line in lines[1:] for e in line.get("events", ()) if "amount" in e)["amount"] += 1
        case "an event less":
            del lines[pay]["events"][-1]
        case "an event more":
            lines[pay]["events"].append(lines[pay]["events"][0])
        case "a strange key":
            lines[pay]["events"][0]["note"] = "\x1b[2J"
        case "an action":
            lines[pay]["action"]["amount"] = 6
        case "a seat":
            lines[pay]["seat"] = "italy"
        case "dice":
            lines[at(lines, "act")]["dice"] = 1 + lines[at(lines, "act")].get("dice", 0)
        case "a time":
            lines[pay]["time"] = "2025-01-01T10:00:00+00:00"
        case "a time that is none":
            lines[pay]["time"] = "\x1b[31m"
        case "a time without a zone":
            lines[pay]["time"] = "2026-01-01T10:00:02"
        case "an undo of another seat":
            lines[at(lines, "undo")]["seat"] = "japan"
        case "an undo with words":
            lines[at(lines, "undo")]["action"] = {"type": "undo"}
        case "a redo of another seat":
            lines[at(lines, "redo")]["seat"] = "japan"
        case "a dispatch with an escape":
            lines[sent]["action"]["text"] = "\x1b[2Jpeace"
        case "a dispatch to nobody":
            lines[sent]["action"]["to"] = ["china"]
        case "a dispatch of a spectator":
            lines[sent]["seat"] = "spectator"
        case "a note of no kind":
            lines[sent]["action"] = {"type": "chat", "text": "hello"}
        case "a note that is no object":
            lines[sent]["action"] = 7
        case "a letter in other words":
            lines[letter]["action"]["text"] = "war"
        case "a letter of another seat":
            lines[letter]["seat"] = "japan"
        case "a letter opened twice":
            lines.insert(letter + 1, lines[letter])
        case "a letter opened early":
            lines.insert(sent + 1, lines[letter])
        case "a request to nowhere":
            lines[asked]["action"]["to"] = 900
        case "a request of the arbiter":
            lines[asked]["seat"] = "arbiter"
        case _:
            raise AssertionError(what)


FORGERIES = (
    *("amount of an event", "an event less", "an event more", "a strange key", "an action", "a seat", "dice"),
    *("a time", "a time that is none", "a time without a zone"),
    *("an undo of another seat", "an undo with words", "a redo of another seat"),
    *("a dispatch with an escape", "a dispatch to nobody", "a dispatch of a spectator", "a note of no kind"),
    *("a note that is no object", "a letter in other words", "a letter of another seat", "a letter opened twice"),
    *("a letter opened early", "a request to nowhere", "a request of the arbiter"),
)


@pytest.mark.parametrize("what", FORGERIES)
def test_forged_line_is_found(lines: Lines, path: Path, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = json.dumps(lines)
    forge(lines, what)
    assert json.dumps(lines) != before
    assert exit_code(path, chained(lines)) == 1
    out = capsys.readouterr().out
    assert "not sound" in out.splitlines()[-1]
    assert "\x1b" not in out
    for repr_ in ("{'", "('", "Difference(", "None", "<class", "Error"):
        assert repr_ not in out


def test_earlier_rules_excuse_only_acts(lines: Lines, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del lines[0]["rules"]
    assert exit_code(path, chained(lines)) == 0
    capsys.readouterr()
    forge(lines, "amount of an event")
    assert exit_code(path, chained(lines)) == 3
    out = capsys.readouterr().out
    assert f"began under rules version 1, today's version is {RULES_NUMBER}" in out
    assert "differs: its amount is " in out.splitlines()[0]
    forge(lines, "a dispatch with an escape")
    assert exit_code(path, chained(lines)) == 1


@pytest.mark.parametrize("option", ["negotiation_deadline", "an_option_that_went"])
def test_earlier_rules_excuse_removed_options(lines: Lines, path: Path, option: str) -> None:
    for place in (lines[0], lines[0]["start"]):
        place["options"][option] = "5"
    assert exit_code(path, chained(lines)) == 1
    del lines[0]["rules"]
    assert exit_code(path, chained(lines)) in (0, 3)


def test_later_option_has_its_default_in_earlier_logs(lines: Lines, path: Path) -> None:
    for place in (lines[0], lines[0]["start"]):
        del place["options"]["balkan_routes"]
    for line in lines[1:]:
        for raw in line.get("events", ()):
            if raw["type"] == "position_set":
                del raw["state"]["options"]["balkan_routes"]
    assert exit_code(path, chained(lines)) == 0
    lines[0]["options"]["balkan_routes"] = "yes"  # another value than at the start of the game
    assert exit_code(path, chained(lines)) == 1


def test_incomplete_last_line_is_a_warning(log: bytes, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(path, log + b'{"n":') == 0
    out = capsys.readouterr().out
    assert "sound; " in out and "warning: The last line" in out and "was not written to its end: 5 bytes" in out


def test_incomplete_last_line_does_not_hide_a_forgery(lines: Lines, path: Path) -> None:
    forge(lines, "an action")
    assert exit_code(path, chained(lines) + b'{"n":') == 1


@pytest.mark.parametrize(
    ("convert", "reason"),
    [
        (lambda log: b"\xef\xbb\xbf" + log, "byte order mark"),
        (lambda log: log.decode().encode("utf-16"), "byte order mark"),
        (lambda log: log.replace(b"\n", b"\r\n"), "CR LF"),
    ],
)
def test_log_converted_by_an_editor_is_reported(
    log: bytes, path: Path, convert: Callable[[bytes], bytes], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(path, convert(log)) == 2
    assert reason in capsys.readouterr().err


def test_unreadable_log_has_exit_code_2(log: bytes, path: Path, tmp_path: Path) -> None:
    assert exit_code(path, log[:-1] + b"x") == 2
    assert exit_code(path, log.replace(b'"france"', b'"frence"', 1)) == 2
    assert exit_code(path, b"") == 2
    assert main(["verify", str(tmp_path)]) == 2
    assert main(["verify", str(tmp_path / "nothing.jsonl")]) == 2
    assert main(["verify", "/dev/zero"]) == 2


def test_worst_of_several_files_is_the_exit_code(log: bytes, lines: Lines, tmp_path: Path) -> None:
    names = {n: str(tmp_path / f"{n}.jsonl") for n in (0, 1, 2, 3)}
    Path(names[0]).write_bytes(log)
    forge(lines, "an action")
    Path(names[1]).write_bytes(chained(lines))
    del lines[0]["rules"]
    Path(names[3]).write_bytes(chained(lines))
    for n, name in names.items():
        assert main(["verify", name]) == n
    assert main(["verify", names[0], names[3]]) == main(["verify", names[3], names[0]]) == 3
    assert main(["verify", names[3], names[1], names[0]]) == 1
    assert main(["verify", names[2], names[1], names[0]]) == 2


def test_dice_set_by_hand_are_reported(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = PaxHost.new(load_tables(), SEVEN, "7", clock=Clock())
    table.game.queue_dice([6])
    table.advance()
    assert exit_code(path, table.log()) == 0
    assert "dice were set by hand in 1 lines, first in line 2" in capsys.readouterr().out


def test_removed_or_repeated_lines_cause_no_crash(lines: Lines, path: Path) -> None:
    """A shortened log is sound, and a dispatch can be sent twice; `verify` never crashes."""
    for i in range(1, len(lines)):
        assert exit_code(path, chained(lines[:i])) == 0
        assert exit_code(path, chained(lines[:i] + lines[i + 1 :])) in (0, 1, 2)
        assert exit_code(path, chained([*lines[: i + 1], lines[i], *lines[i + 1 :]])) in (0, 1, 2)


def values(raw: Any, path_: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of each scalar in a raw value."""
    if isinstance(raw, dict):
        return [found for key in raw for found in values(raw[key], (*path_, key))]
    if isinstance(raw, list):
        return [found for i in range(len(raw)) for found in values(raw[i], (*path_, i))]
    return [path_]


@pytest.mark.slow
def test_any_changed_scalar_is_found(log: bytes, path: Path) -> None:
    """Change the values at 300 random places; a queue contains dice set by hand."""
    rng = random.Random(1915)
    paths = values([json.loads(line) for line in log.splitlines()])
    ignored = {"n", "prev", "game", "program", "created", "time", "rules", "format"}
    paths = [path_ for path_ in paths if path_[1] not in ignored and "queue" not in path_]
    for path_ in rng.sample(paths, 300):
        lines = [json.loads(line) for line in log.splitlines()]
        place: Any = lines
        for step in path_[:-1]:
            place = place[step]
        old = place[path_[-1]]
        place[path_[-1]] = {bool: lambda v: not v, int: lambda v: v + 1, str: lambda v: v + "x"}.get(
            type(old), lambda v: 7
        )(old)
        note = lines[path_[0]]["action"] if path_[0] and lines[path_[0]].get("kind") == "note" else {}
        # the seat could have written any dispatch and requested an undo to any line
        free = path_[-1] == ("to" if note.get("type") == "undo_request" else "text") and bool(note)
        assert exit_code(path, chained(lines)) in ((0, 1, 2) if free else (1, 2)), path_


def test_clock_set_back_keeps_times_in_order(path: Path) -> None:
    clock = Clock()
    table = PaxHost.new(load_tables(), SEVEN, "7", clock=clock, path=path)
    table.act("arbiter", MOVEMENT)
    clock.seconds = 0
    table.act("france", "pay italy 5")
    table.close()
    clock.seconds = 0
    with PaxHost.open(path, clock=clock) as table:
        table.act("france", "pay russia 5")
    assert table.verify() == []
    assert len({line.time for line in table.game.lines}) == 1


@pytest.mark.parametrize(
    ("time", "last", "then"),
    [
        ("", "2026-01-01T10:00:00+00:00", ""),
        ("2026-01-01T10:00:00+00:00", "", "2026-01-01T10:00:00+00:00"),
        ("2026-01-01T10:00:00+00:00", "2026-01-01T10:30:00+01:00", "2026-01-01T10:00:00+00:00"),
        ("2026-01-01T10:00:00+00:00", "2026-01-01T10:00:01+00:00", "2026-01-01T10:00:01+00:00"),
        ("2026-01-01T10:00:00+00:00", "noon", "2026-01-01T10:00:00+00:00"),
    ],
)
def test_times_go_forward(time: str, last: str, then: str) -> None:
    assert latest_time(time, last) == then


def test_help_explains_the_limits_of_the_chain(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "--help"])
    out = capsys.readouterr().out
    assert "no key" in out and "exit codes:" in out


def test_a_verdict_needs_no_file(log: bytes) -> None:
    header = parse(log).header
    assert overall_verdict(header, (), RULES_NUMBER) is Verdict.SOUND


def test_event_that_other_seats_cannot_read_breaks_the_log(log: bytes, lines: Lines, path: Path) -> None:
    """`others` has the fields of the event for seats that may not see the real ones."""
    at_ready = at(lines, "act", "ready")
    lines[at_ready]["events"][0] |= {"only": ["britain"], "others": {"seat": {"not": "a name"}}}
    assert exit_code(path, chained(lines)) == 2
    with pytest.raises(BrokenLog, match=str(at_ready + 1)):
        PaxHost.open(path, write=False)


@pytest.mark.parametrize("part", ["areas", "homes", "sea_zones"])
def test_start_without_a_place_breaks_the_log(
    lines: Lines, path: Path, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = sorted(lines[0]["start"][part])[0]
    del lines[0]["start"][part][missing]
    assert exit_code(path, chained(lines)) == 2
    assert f"'{missing}' is missing" in capsys.readouterr().err
