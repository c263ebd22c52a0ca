"""The command `chronicle`."""

from __future__ import annotations

import shutil
from html.parser import HTMLParser

import pytest

from paxtui.cli.main import main
from paxtui.cli.saved_games import _markdown
from tests.places import GOLDEN, SAVES


def test_chronicle_as_text_markdown_and_html(tmp_path, capsys):
    assert main(["chronicle", str(GOLDEN)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("The Chronicle, 1880 to 1883\n===") and text.count("The Chronicle") == 10
    assert max(map(len, text.splitlines())) < 200
    assert main(["chronicle", str(GOLDEN), "--markdown", "--turn", "2"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("## The Chronicle, 1884 to 1887") and text.count("\n## ") == 0
    target = tmp_path / "game.html"
    assert main(["chronicle", str(GOLDEN), "--html", "-o", str(target)]) == 0
    page = target.read_text("utf-8")
    assert page.count("<article>") == 10 and "<script" not in page and "default-src 'none'" in page
    HTMLParser().feed(page)


def test_chronicle_of_a_running_game_has_no_secrets(capsys):
    game = SAVES / "congress-0.2.0.jsonl"
    assert main(["chronicle", str(game)]) == 0
    plain = capsys.readouterr().out
    assert main(["chronicle", str(game), "--seat", "spectator"]) == 0
    assert capsys.readouterr().out == plain


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--turn", "11"], "from 1 to 10, not 11"),
        (["--turn", "0"], "from 1 to 10"),
        (["--seat", "nobody"], "nobody"),
    ],
)
def test_bad_arguments_of_chronicle_name_the_remedy(words, message, capsys):
    assert main(["chronicle", str(GOLDEN), *words]) == 2
    assert message in capsys.readouterr().err


def test_texts_of_a_chronicle_are_no_markup(tmp_path, capsys):
    assert _markdown("<b>*x* [y](z)") == r"\<b\>\*x\* \[y\](z)"
    game = tmp_path / "<script>x.jsonl"
    shutil.copy(GOLDEN, game)
    assert main(["chronicle", str(game), "--html"]) == 0
    assert "<script" not in capsys.readouterr().out
