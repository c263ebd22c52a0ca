"""The terminal's answers to color queries are removed from the input without losing keys."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from paxtui.tui.rendering.driver import PARTIAL_TIMEOUT_S, QUERY_CODES, TerminalAnswers, can_query
from tests.tui.terminal import Terminal
from tests.waiting import PATIENCE

SHOWN = "\x1bP1$r0;48:2::1:2:3m\x1b\\"
CAPABLE = "\x1bP1+r524742\x1b\\"
NOT = "\x1bP0+r524742\x1b\\"
OTHER = "\x1bP1$r0;48;5;16m\x1b\\"


@pytest.mark.parametrize(("text", "all_colours"), [
    (SHOWN, True), (CAPABLE, True), ("\x1bP1$r48;2;1;2;3m\x07", True), (NOT, False), (OTHER, False),
    ("\x1bP0$r\x1b\\", False), ("", False), ("\x1bP1+r5463=\x1b\\", True),
])  # fmt: skip
def test_color_answer_is_parsed(text: str, all_colours: bool) -> None:
    answers = TerminalAnswers()
    answers.note_queries(0.0)
    assert answers.keys(f"a{text}b", 0.1) == "ab"
    assert answers.all_colours == all_colours


@pytest.mark.parametrize("seed", range(20))
def test_split_answers_lose_no_key(seed: int) -> None:
    dice = random.Random(seed)
    keys = [dice.choice(["a", "\x1b[A", "\x1b[1;5C", "é", "\r", "\x1bOP", "q"]) for _ in range(8)]
    answers = [OTHER, NOT, SHOWN]
    whole = [*keys]
    for answer in answers:
        whole.insert(dice.randrange(len(whole) + 1), answer)
    text = "".join(whole)
    cuts = sorted(dice.sample(range(1, len(text)), 5))
    taken, got = TerminalAnswers(), ""
    taken.note_queries(0.0)
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        got += taken.keys(text[start:end], 0.1)
    got += taken.late(0.1 + 2 * PARTIAL_TIMEOUT_S)
    assert got == "".join(keys)
    assert taken.all_colours


def test_beginning_of_an_answer_is_a_key() -> None:
    answers = TerminalAnswers()
    answers.note_queries(0.0)
    assert answers.keys("\x1b", 0.1) == "" and answers.waiting
    assert answers.late(0.1 + PARTIAL_TIMEOUT_S / 2) == ""
    assert answers.late(0.1 + 2 * PARTIAL_TIMEOUT_S) == "\x1b" and not answers.waiting
    assert answers.keys("\x1bP", 9.0) == "\x1bP", "no answer is expected any more"


def test_unrequested_answers_are_passed_on() -> None:
    assert TerminalAnswers().keys(SHOWN, 0.0) == SHOWN


def test_some_terminals_are_not_queried() -> None:
    assert can_query({"TERM": "xterm-256color"})
    assert not can_query({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"})
    assert not can_query({"TERM": "linux"}) and not can_query({})


@pytest.mark.parametrize("answered", [True, False])
def test_game_uses_colors_that_the_terminal_reports(tmp_path: Path, answered: bool) -> None:
    screen = Terminal(tmp_path, COLORTERM="")
    try:
        screen.wait("New game")
        written = screen.written.decode()
        assert QUERY_CODES in written and ";2;" not in written.replace(QUERY_CODES, ""), (
            "256 colours until it has answered"
        )
        before = len(written)
        if answered:
            screen.press(SHOWN + CAPABLE)
        screen.press("Down")
        screen.read(1.0)
        end = time.monotonic() + PATIENCE
        while answered and "48;2;" not in screen.written.decode()[before:] and time.monotonic() < end:
            screen.read(0.1)
        assert ("48;2;" in screen.written.decode()[before:]) == answered
        assert "[38;2" not in screen.text and "P1" not in screen.text, "no answer is taken for keys"
    finally:
        screen.close()
