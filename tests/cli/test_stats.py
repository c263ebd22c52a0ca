"""`paxtui stats`: charts on a terminal, figures as JSON, an HTML page, each as a seat may know it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paxtui.cli.main import main
from tests.places import SAVES
from tests.tui.secret_games import secret_game

WHOLE = str(SAVES / "whole-game-0.2.0.jsonl")


def test_all_charts_or_chosen_ones_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", WHOLE]) == 0
    out = capsys.readouterr().out
    for title in ("Victory Points", "Sources of Victory Points", "Treasury", "Empires", "Indexes", "Wars and Treaties"):
        assert title in out
    assert "Great Britain won" in out and "\x1b" not in out
    assert main(["stats", WHOLE, "times"]) == 0
    out = capsys.readouterr().out
    assert "Ottoman War" in out and "Victory Points" not in out


def test_json_has_all_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", WHOLE, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["ranks"]["britain"] == 1 and len(figures["turns"]) == 10
    assert main(["stats", WHOLE, "--json", "--at", "100"]) == 0
    then = json.loads(capsys.readouterr().out)
    assert then["ranks"] == {} and len(then["turns"]) < 5


def test_html_is_one_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", WHOLE, "--html", "-o", str(tmp_path / "g.html")]) == 0
    text = (tmp_path / "g.html").read_text("utf-8")
    assert text.startswith("<!doctype html>") and "--britain:" in text and "whole-game-0.2.0.jsonl" in text


def test_charts_of_a_running_game_have_no_secrets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret_game().save_as(tmp_path / "g.jsonl")
    for seat, seen in (("", False), ("france", True), ("italy", False), ("arbiter", True)):
        assert main(["stats", str(tmp_path / "g.jsonl"), *(["--seat", seat] if seat else [])]) == 0
        assert ("Biarritz" in capsys.readouterr().out) == seen


@pytest.mark.parametrize(
    "words",
    [["nonsense"], ["--seat", "mars"], ["--at", "0"], ["--at", "99999"], ["--json", "--html"]],
    ids=lambda words: " ".join(words),
)
def test_bad_arguments_of_stats_give_an_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", WHOLE, *words]) == 2
    assert capsys.readouterr().err.startswith("paxtui: ")
    assert main(["stats", "/nowhere.jsonl"]) == 2
