"""Dispatches between seats: what each seat sees of them, open or sealed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.log import Line
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import dispatches
from paxtui.games.pax.actions.dispatches import DISPATCH, LETTER, Dispatch
from tests.recorded import answer
from tests.rules.harness import start

OPEN = {"type": DISPATCH, "to": ["italy"], "text": "come", "opens": 0}
SEALED = {**OPEN, "opens": 4}
TO_ALL = {**SEALED, "to": []}


@pytest.mark.parametrize(
    ("note", "seat", "text"),
    [
        (OPEN, "italy", "come"), (OPEN, "japan", None), (OPEN, ARBITER, "come"), (OPEN, SPECTATOR, None),
        (SEALED, "italy", ""), (SEALED, "japan", None), (SEALED, ARBITER, "come"),
        (TO_ALL, "japan", ""), (TO_ALL, SPECTATOR, ""), (TO_ALL, ARBITER, "come"),
        ({**TO_ALL, "opens": 0}, "japan", "come"),
        ({"type": LETTER, "to": ["italy"], "line": 3, "text": "come"}, "italy", "come"),
        ({"type": LETTER, "to": ["italy"], "line": 3, "text": "come"}, "japan", None),
    ],
)  # fmt: skip
def test_dispatch_is_visible_to_its_readers_only(note: dict[str, Any], seat: str, text: str | None) -> None:
    seen = dispatches.visible_note(note, seat)
    assert seen == (None if text is None else {**note, "text": text})


@pytest.mark.parametrize(
    ("note", "sealed"),
    [
        (OPEN, False),
        (SEALED, True),
        (TO_ALL, True),
        ({"type": "ready"}, False),
        ("x", False),
    ],
)
def test_sealed_letters_are_recognized(note: Any, sealed: bool) -> None:
    assert dispatches.is_sealed_letter(note) is sealed


@pytest.mark.parametrize(
    ("seat", "dispatch", "start_of_answer"),
    [
        ("france", Dispatch(("italy", "france"), " come\nnow "), "{'type': 'dispatch', 'to': ['italy'], 'text': 'come"),
        (ARBITER, Dispatch((), "hear"), "{'type': 'dispatch', 'to': [], 'text': 'hear', 'opens': 0}"),
        (SPECTATOR, Dispatch((), "hear"), "refused: not_a_player : Only players with a seat can send dispatches."),
        ("spain", Dispatch((), "hear"), "refused: not_a_player : Only players with a seat can send dispatches."),
        ("france", Dispatch(("spain",), "hear"), "refused: no_seat : Nobody plays Spain, so nobody can read it."),
        ("france", Dispatch(("france",), "hear"), "refused: yourself : "),
        ("france", Dispatch((), " "), "refused: empty : "),
        ("france", Dispatch((), "x" * 2001), "refused: too_long : "),
        ("france", Dispatch((), "x" * 2000), "{'type': 'dispatch', 'to': [], 'text': 'xxx"),
        ("france", Dispatch((), "hear", 1), "refused: bad_date : "),
        ("france", Dispatch((), "hear", 2), "{'type': 'dispatch', 'to': [], 'text': 'hear', 'opens': 2}"),
        ("france", Dispatch((), "hear", 10), "{'type': 'dispatch', 'to': [], 'text': 'hear', 'opens': 10}"),
        ("france", Dispatch((), "hear", 11), "refused: bad_date : "),
    ],
)  # fmt: skip
def test_dispatch_note_is_made_or_refused(seat: str, dispatch: Dispatch, start_of_answer: str) -> None:
    g = start()
    assert answer(dispatches.make_dispatch_note, g.tables, g.state, seat, dispatch).startswith(start_of_answer)


def test_sealed_letter_is_opened_once_by_its_sender_when_due() -> None:
    sealed = Line(n=2, seat="france", kind="note", action=SEALED)
    letter = Line(n=3, seat="france", kind="note", action=dispatches.make_opening_note(2, "france", SEALED))
    game = start()
    early, due = game.state, replace(game.state, turn=4)
    assert dispatches.rewrite_dispatch_note(game.tables, due, letter, [sealed]) == letter.action
    for state, note, lines, why in (
        (early, letter, [sealed], "too early"),
        (due, letter, [sealed, letter], "already open"),
        (due, replace(letter, seat="italy"), [sealed], "never sealed"),
        (due, letter, [], "never sealed"),
    ):
        with pytest.raises(ValueError, match=why):
            dispatches.rewrite_dispatch_note(game.tables, state, note, lines)
