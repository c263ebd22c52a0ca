"""The command `study`: its errors before a screen opens."""

import shutil
from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.engine.seating import PERSON
from paxtui.studies.study_session import open_study
from tests.places import CONGRESS, GOLDEN, SAVES


def unfinished_game(path: Path) -> Path:
    """Write a game that is not over."""
    path.write_bytes(b"".join(GOLDEN.read_bytes().splitlines(keepends=True)[:60]))
    return path


def error_of(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Run a command that fails; return its error."""
    assert main(["study", *map(str, words)]) == 2
    return capsys.readouterr().err


def test_bad_studies_give_a_sentence(tmp_path, capsys):
    game = tmp_path / "game.jsonl"
    assert "there is no file" in error_of(capsys, game)
    shutil.copy(GOLDEN, game)
    study_file = tmp_path / "game.study"
    for data, reason in ((b"", "is damaged"), (b'{"version": 9}', "version 9")):
        study_file.write_bytes(data)
        for path in (game, study_file):
            assert reason in error_of(capsys, path)
        assert study_file.read_bytes() == data
    study_file.unlink()
    shutil.copy(next((SAVES / "empires").glob("*.jsonl")), tmp_path / "empires.jsonl")
    assert "another kind" in error_of(capsys, tmp_path / "empires.jsonl")
    session = open_study(game)
    session.toggle_mark("good")
    session.book.close()
    shutil.copy(CONGRESS, game)
    assert "is the study of another log" in error_of(capsys, game)
    assert "is the study of another log" in error_of(capsys, study_file)
    game.unlink()
    assert "there is no file" in error_of(capsys, study_file)


def test_verify_names_the_beginning_of_a_branch(tmp_path, capsys):
    game = tmp_path / "game.jsonl"
    shutil.copy(GOLDEN, game)
    session = open_study(game)
    session.look_at(40)
    session.play_on("britain", dict.fromkeys(session.live.players, PERSON), "")
    session.book.close()
    assert main(["verify", str(tmp_path / "game, branch 1.jsonl")]) == 0
    assert "it begins after line 40 of another log" in capsys.readouterr().out


def test_study_of_a_running_game_needs_a_seat(tmp_path, capsys):
    game = unfinished_game(tmp_path / "game.jsonl")
    assert "Choose one with --seat: britain, france" in error_of(capsys, game)
    assert "atlantis" in error_of(capsys, game, "--seat", "atlantis")
    assert "needs a terminal" in error_of(capsys, game, "--seat", "france"), "the study itself is valid"
