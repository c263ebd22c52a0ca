"""The audit of a whole mail game: sound as it was kept, and whatever is changed in it is found where it stands."""

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
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game as this version plays it, with what is kept of it."""
    kept = tmp_path_factory.mktemp("whole") / "game"
    assert main([str(kept)]) == 0
    return kept


@pytest.fixture
def game(played: Path, tmp_path: Path) -> GameDirectory:
    """A copy of that game."""
    return GameDirectory(Path(copytree(played, tmp_path / "game")))


def audited(folder: GameDirectory) -> AuditReport:
    return audit_game(GamemasterService(folder))


def test_of_a_game_of_an_earlier_version_the_signatures_are_proved_and_the_decisions_are_not(tmp_path: Path) -> None:
    folder = GameDirectory(Path(copytree(KEPT, tmp_path / "game")))
    found = audited(folder)
    assert found.fault is None and found.signatures > 100 and EARLIER_NOTE in found.left
    rewritten(folder, in_sheet(text="build A1"))
    assert FORM in str(audited(folder).fault)


def test_a_whole_game_is_sound_and_holds_what_a_mail_game_can_hold(game: GameDirectory) -> None:
    found = audited(game)
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


# --- planted changes --------------------------------------------------------------------------------------------------

Change = Callable[[list[Line]], None]


def first_stop(lines: Sequence[Line]) -> int:
    """Place of the line that opens the forms of the first stop."""
    acts = [n for n, line in enumerate(lines) if line.kind == "act" and line.action.get("type") == "adjudicate"]
    return acts[1]


def rewritten(folder: GameDirectory, change: Change) -> None:
    """The whole log written anew by somebody who has changed it, each line with the right hash of the one before."""
    parsed = parse(folder.game.read_bytes())
    lines = list(parsed.lines)
    change(lines)
    folder.game.write_bytes(chain_lines(parsed.header, [replace(line, n=n) for n, line in enumerate(lines, 2)]))


def in_sheet(**changes: Any) -> Change:
    """Something else in the form of a seat for the first stop."""

    def change(lines: list[Line]) -> None:
        n = first_stop(lines)
        action = json.loads(json.dumps(lines[n].action))
        action["sheets"][1].update(changes)
        lines[n] = replace(lines[n], action=action)

    return change


def events_of(change_events: Callable[[list[dict[str, Any]]], None]) -> Change:
    """Something else in what came of the first stop."""

    def change(lines: list[Line]) -> None:
        n = first_stop(lines)
        events = json.loads(json.dumps(lines[n].events))
        change_events(events)
        lines[n] = replace(lines[n], events=tuple(events))

    return change


def another_die(events: list[dict[str, Any]]) -> None:
    fought = next(e for e in events if e["type"] == "colonial_combat" and e["die"])
    fought["die"] = fought["die"] % 6 + 1


def more_money(events: list[dict[str, Any]]) -> None:
    next(e for e in events if e["type"] == "treasury_changed")["amount"] += 10


def another_key(lines: list[Line]) -> None:
    """The key that France has given is another's."""
    n = next(n for n, one in enumerate(lines) if one.kind == "note" and "france" in one.action.get("seats", {}))
    action = json.loads(json.dumps(lines[n].action))
    action["seats"]["france"]["key"] = keys.public_key(bytes(32))
    lines[n] = replace(lines[n], action=action)


def another_word(lines: list[Line]) -> None:
    n = next(n for n, one in enumerate(lines) if one.kind == "note" and one.action.get("type") == "dice_word")
    lines[n] = replace(lines[n], action={**lines[n].action, "word": "another"})


def another_seed(lines: list[Line]) -> None:
    n = next(n for n, one in enumerate(lines) if one.kind == "note" and one.action.get("type") == "dice_seed")
    lines[n] = replace(lines[n], action={**lines[n].action, "seed": "another"})


def notice_gone(lines: list[Line]) -> None:
    """Nobody was told that Italy's player was gone."""
    del lines[next(n for n, one in enumerate(lines) if "caretaker from now on" in str(one.action))]


FORM = "form of france for stop 1: it is not signed with the key of its seat"


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (in_sheet(text="build A1"), FORM),
        (in_sheet(signature="00" * 64), FORM),
        (in_sheet(missed=True), "form of france for stop 1: the caretaker would write a different form"),
        (another_key, FORM),
        (events_of(another_die), "game.jsonl, line {first}"),
        (events_of(more_money), "game.jsonl, line {first}"),
        (another_word, "game.jsonl, line {word}"),
        (another_seed, "its dice cannot be rolled again: the seed of this game is not known"),
        (notice_gone, "public.txt: it differs from the report that the log produces"),
    ],
    ids=["order", "signature", "missed", "key", "die", "event", "word", "seed", "notice"],
)
def test_whoever_changes_the_log_and_its_chain_is_found_out(game: GameDirectory, change: Change, where: str) -> None:
    lines = parse(game.game.read_bytes()).lines
    words = [line.n for line in lines if line.kind == "note" and line.action.get("type") == "dice_word"]
    there = where.format(first=lines[first_stop(lines)].n, word=words[0])
    rewritten(game, change)
    fault = audited(game).fault
    assert fault is not None and there in str(fault), fault


def test_whoever_changes_a_byte_of_the_log_or_a_file_is_found_out(game: GameDirectory) -> None:
    log = game.game.read_bytes()
    middle = log.index(b'"signature"', len(log) // 2)
    game.game.write_bytes(log[:middle] + b'"signaturE"' + log[middle + 11 :])
    fault = audited(game).fault
    assert fault is not None and fault.where == "desk/game.jsonl"
    game.game.write_bytes(log)
    terms = game.terms.read_text()
    told = game.reports_of(1) / "public.txt"
    for path, data, said in (
        (
            told,
            told.read_bytes() + b"And more.\n",
            "reports/0001/public.txt: it differs from the report that the log produces",
        ),
        (told, b"", "reports/0001/public.txt: it differs from the report that the log produces"),
    ):
        before = path.read_bytes()
        path.write_bytes(data)
        assert str(audited(game).fault) == said
        path.write_bytes(before)
    told.rename(told.with_suffix(".old"))
    assert str(audited(game).fault) == "reports/0001/public.txt: the report is missing"
    told.with_suffix(".old").rename(told)
    raw = msgspec.json.decode(terms)
    game.terms.write_bytes(msgspec.json.encode({**raw, "keys": {**raw["keys"], "france": "0" * 64}}))
    assert str(audited(game).fault) == "postal.json: its keys differ from the log's"
