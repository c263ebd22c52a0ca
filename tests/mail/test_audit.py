"""The audit of a whole mail game: it accepts the game as it was played, and finds each forgery."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import copytree
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from paxtui.engine.log import Line, parse
from paxtui.mail import keys, reports
from paxtui.mail.audit import EARLIER_NOTE, AuditReport, audit_game
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import GamemasterService
from paxtui.session.fair_dice import chain_lines
from paxtui.session.pax_host import PaxHost
from tests.mail.whole_game import KEPT, main

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def played_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a whole game; return the directory of the files that an audit needs."""
    kept = tmp_path_factory.mktemp("whole") / "game"
    assert main([str(kept)]) == 0
    return kept


@pytest.fixture
def game(played_game: Path, tmp_path: Path) -> GameDirectory:
    """A copy of the whole game."""
    return GameDirectory(Path(copytree(played_game, tmp_path / "game")))


def audit(folder: GameDirectory) -> AuditReport:
    return audit_game(GamemasterService(folder))


def test_audit_of_an_earlier_version_checks_signatures_only(tmp_path: Path) -> None:
    folder = GameDirectory(Path(copytree(KEPT, tmp_path / "game")))
    found = audit(folder)
    assert found.fault is None and found.signatures > 100 and EARLIER_NOTE in found.left
    rewrite(folder, change_form(text="build A1"))
    assert FORM in str(audit(folder).fault)


def test_whole_game_is_sound_and_has_all_kinds_of_events(game: GameDirectory) -> None:
    found = audit(game)
    assert found.fault is None, found.fault
    assert found.forms == found.signatures + 3 > 100 and found.dice > 200 and found.reports == found.stops
    with PaxHost.open(game.game, write=False) as table:
        assert len(table.state.players) == 8 and table.state.result is not None
        events = {event["type"] for line in table.game.lines for event in line.events}
        assert {"ballots_opened", "war_declared", "battle_fought", "war_decided", "treaty_revealed"} <= events
        missed = [
            (n, sheet["seat"])
            for n, line in enumerate(reports.adjudications(table))
            for sheet in line.action.get("sheets", ())
            if sheet.get("missed")
        ]
        assert {seat for _, seat in missed} == {"japan", "italy"}
        assert {"abandon"} <= {line.action["type"] for line in table.game.lines if line.kind == "act"}
        assert table.game.dice.contributors == table.state.players
    text = (game.reports_of(found.stops) / "public.txt").read_text()
    assert "THE GAME IS OVER" in text.upper()


# --- forgeries --------------------------------------------------------------------------------------------------------

Change = Callable[[list[Line]], None]


def first_stop(lines: Sequence[Line]) -> int:
    """Return the index of the line that opens the forms of the first stop."""
    acts = [n for n, line in enumerate(lines) if line.kind == "act" and line.action.get("type") == "adjudicate"]
    return acts[1]


def rewrite(folder: GameDirectory, change: Change) -> None:
    """Change the log, and write it with correct hashes."""
    parsed = parse(folder.game.read_bytes())
    lines = list(parsed.lines)
    change(lines)
    folder.game.write_bytes(chain_lines(parsed.header, [replace(line, n=n) for n, line in enumerate(lines, 2)]))


def change_form(**changes: Any) -> Change:
    """Change the form of a seat for the first stop."""

    def change(lines: list[Line]) -> None:
        n = first_stop(lines)
        action = json.loads(json.dumps(lines[n].action))
        action["sheets"][1].update(changes)
        lines[n] = replace(lines[n], action=action)

    return change


def change_events_of(change_events: Callable[[list[dict[str, Any]]], None]) -> Change:
    """Change the events of the first stop."""

    def change(lines: list[Line]) -> None:
        n = first_stop(lines)
        events = json.loads(json.dumps(lines[n].events))
        change_events(events)
        lines[n] = replace(lines[n], events=tuple(events))

    return change


def change_die(events: list[dict[str, Any]]) -> None:
    fought = next(e for e in events if e["type"] == "colonial_combat" and e["die"])
    fought["die"] = fought["die"] % 6 + 1


def add_money(events: list[dict[str, Any]]) -> None:
    next(e for e in events if e["type"] == "treasury_changed")["amount"] += 10


def change_key(lines: list[Line]) -> None:
    """Replace the key of France."""
    n = next(n for n, one in enumerate(lines) if one.kind == "note" and "france" in one.action.get("seats", {}))
    action = json.loads(json.dumps(lines[n].action))
    action["seats"]["france"]["key"] = keys.public_key(bytes(32))
    lines[n] = replace(lines[n], action=action)


def change_word(lines: list[Line]) -> None:
    n = next(n for n, one in enumerate(lines) if one.kind == "note" and one.action.get("type") == "dice_word")
    lines[n] = replace(lines[n], action={**lines[n].action, "word": "another"})


def change_seed(lines: list[Line]) -> None:
    n = next(n for n, one in enumerate(lines) if one.kind == "note" and one.action.get("type") == "dice_seed")
    lines[n] = replace(lines[n], action={**lines[n].action, "seed": "another"})


def remove_notice(lines: list[Line]) -> None:
    """Remove the notice that the caretaker plays Italy."""
    del lines[next(n for n, one in enumerate(lines) if "caretaker from now on" in str(one.action))]


FORM = "form of france for stop 1: it is not signed with the key of its seat"


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (change_form(text="build A1"), FORM),
        (change_form(signature="00" * 64), FORM),
        (change_form(missed=True), "form of france for stop 1: the caretaker would write a different form"),
        (change_key, FORM),
        (change_events_of(change_die), "game.jsonl, line {first}"),
        (change_events_of(add_money), "game.jsonl, line {first}"),
        (change_word, "game.jsonl, line {word}"),
        (change_seed, "its dice cannot be rolled again: the seed of this game is not known"),
        (remove_notice, "public.txt: it differs from the report that the log produces"),
    ],
    ids=["order", "signature", "missed", "key", "die", "event", "word", "seed", "notice"],
)
def test_audit_finds_a_forged_log_with_correct_hashes(game: GameDirectory, change: Change, where: str) -> None:
    lines = parse(game.game.read_bytes()).lines
    words = [line.n for line in lines if line.kind == "note" and line.action.get("type") == "dice_word"]
    there = where.format(first=lines[first_stop(lines)].n, word=words[0])
    rewrite(game, change)
    fault = audit(game).fault
    assert fault is not None and there in str(fault), fault


def test_audit_finds_a_changed_byte_or_file(game: GameDirectory) -> None:
    log = game.game.read_bytes()
    middle = log.index(b'"signature"', len(log) // 2)
    game.game.write_bytes(log[:middle] + b'"signaturE"' + log[middle + 11 :])
    fault = audit(game).fault
    assert fault is not None and fault.where == "desk/game.jsonl"
    game.game.write_bytes(log)
    terms = game.terms.read_text()
    report = game.reports_of(1) / "public.txt"
    for path, data, expected in (
        (
            report,
            report.read_bytes() + b"And more.\n",
            "reports/0001/public.txt: it differs from the report that the log produces",
        ),
        (report, b"", "reports/0001/public.txt: it differs from the report that the log produces"),
    ):
        before = path.read_bytes()
        path.write_bytes(data)
        assert str(audit(game).fault) == expected
        path.write_bytes(before)
    report.rename(report.with_suffix(".old"))
    assert str(audit(game).fault) == "reports/0001/public.txt: the report is missing"
    report.with_suffix(".old").rename(report)
    raw = msgspec.json.decode(terms)
    game.terms.write_bytes(msgspec.json.encode({**raw, "keys": {**raw["keys"], "france": "0" * 64}}))
    assert str(audit(game).fault) == "postal.json: its keys differ from the log's"
