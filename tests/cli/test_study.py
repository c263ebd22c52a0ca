"""The command `study`: what it says before a screen opens."""

import shutil
from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.engine.seating import PERSON
from paxtui.studies.study_session import open_study
from tests.places import CONGRESS, GOLDEN, SAVES


def cut(path: Path) -> Path:
    """A game that is not over."""
    path.write_bytes(b"".join(GOLDEN.read_bytes().splitlines(keepends=True)[:60]))
    return path


def said(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What the command says when it refuses."""
    assert main(["study", *map(str, words)]) == 2
    return capsys.readouterr().err


def test_bad_files_are_refused_in_a_sentence(tmp_path, capsys):
    game = tmp_path / "game.jsonl"
    assert "there is no file" in said(capsys, game)
    shutil.copy(GOLDEN, game)
    kept = tmp_path / "game.study"
    for data, reason in ((b"", "is damaged"), (b'{"version": 9}', "version 9")):
        kept.write_bytes(data)
        for path in (game, kept):
            assert reason in said(capsys, path)
        assert kept.read_bytes() == data
    kept.unlink()
    shutil.copy(next((SAVES / "empires").glob("*.jsonl")), tmp_path / "empires.jsonl")
    assert "another kind" in said(capsys, tmp_path / "empires.jsonl")
    session = open_study(game)
    session.toggle_mark("good")
    session.book.close()
    shutil.copy(CONGRESS, game)
    assert "is the study of another log" in said(capsys, game)
    assert "is the study of another log" in said(capsys, kept)
    game.unlink()
    assert "there is no file" in said(capsys, kept)


def test_verify_says_that_a_branch_begins_in_another_log(tmp_path, capsys):
    game = tmp_path / "game.jsonl"
    shutil.copy(GOLDEN, game)
    session = open_study(game)
    session.look_at(40)
    session.play_on("britain", dict.fromkeys(session.live.players, PERSON), "")
    session.book.close()
    assert main(["verify", str(tmp_path / "game, branch 1.jsonl")]) == 0
    assert "it begins after line 40 of another log" in capsys.readouterr().out


def test_a_game_that_is_not_over_needs_a_seat(tmp_path, capsys):
    game = cut(tmp_path / "game.jsonl")
    assert "Choose the seat: britain, france" in said(capsys, game)
    assert "atlantis" in said(capsys, game, "--seat", "atlantis")
    assert "needs a terminal" in said(capsys, game, "--seat", "france"), "the study itself is fine"
