"""Notes in a log: their sentences, what each seat sees of them, and which are valid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from paxtui.engine import free_text, notes, seating
from paxtui.engine.log import Line
from paxtui.engine.notes import describe_table_note
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.text.display import PaxNames
from tests.recorded import answer, same_as_recorded
from tests.refusals import refused
from tests.rules.harness import start, tables

NAMES = PaxNames(tables())
SEATS = start().state.players
BOLD = {"by": "bot", "level": "hard", "temper": "bold", "hidden": True}
NOON = "2026-11-22T12:30:00Z"

NOTES: list[tuple[str, Any]] = [
    (ARBITER, {"type": "dice_asked", "until": NOON}),
    (ARBITER, {"type": "dice_asked", "until": "noon"}),
    ("italy", {"type": "dice_hash", "hash": "a" * 64}),
    (ARBITER, {"type": "dice_hashes_closed", "silent": [], "bots": [], "until": NOON}),
    (ARBITER, {"type": "dice_hashes_closed", "silent": ["italy"], "bots": ["japan", "atlantis"], "until": NOON}),
    (ARBITER, {"type": "dice_hashes_closed", "silent": ["italy", "france"], "bots": [], "until": NOON}),
    ("united_states", {"type": "dice_word", "word": "seven"}),
    (ARBITER, {"type": "dice_words_closed", "silent": []}),
    (ARBITER, {"type": "dice_words_closed", "silent": ["italy"]}),
    (ARBITER, {"type": "dice_passed", "taken_back": 1, "next": 4}),
    (ARBITER, {"type": "dice_passed", "taken_back": 3, "next": 0}),
    (ARBITER, {"type": "dice_reopened", "round": 2}),
    (ARBITER, {"type": "dice_seed", "seed": "7"}),
    (ARBITER, {"type": "dice_seed"}),
    (ARBITER, {"type": "dice_seed", "seed": 7}),
    (ARBITER, {"type": "stand_in", "seat": "italy", "bot": "hard", "why": "it has stopped"}),
    (ARBITER, {"type": "stand_in", "seat": "atlantis", "bot": "hard", "why": "it has stopped"}),
    (ARBITER, {"type": "stand_in", "seat": "italy"}),
    (ARBITER, {"type": "seating", "seats": {"italy": {"name": "Ann"}, "france": {}, "japan": {}}}),
    (ARBITER, {"type": "seating", "seats": {"italy": {"by": "nobody"}, "france": BOLD, "japan": BOLD}}),
    (ARBITER, {"type": "seating", "seats": {"italy": {"by": "bot", "level": "steady", "name": "Ann"}}}),
    (ARBITER, {"type": "seating", "seats": {p: {"by": "bot", "level": "steady"} for p in ("italy", "japan")}}),
    (ARBITER, {"type": "seating", "seats": {p: {"by": "bot", "level": "caretaker"} for p in ("italy", "japan")}}),
    (ARBITER, {"type": "seating", "seats": {"italy": {"by": "bot", "level": "caretaker"}, "japan": BOLD}}),
    (ARBITER, {"type": "seating", "seats": {"italy": {"by": "bot", "level": "easy", "temper": ""}}}),
    (ARBITER, {"type": "seating", "seats": {}}),
    (ARBITER, {"type": "seating", "seats": {"italy": {"by": "ghost"}}}),
    (ARBITER, {"type": "seating"}),
    (ARBITER, {"type": "dispatch"}),
    (ARBITER, "words"),
]


def test_each_note_has_a_sentence() -> None:
    lines = (
        f"{seat} {note}  ->  {describe_table_note(NAMES, Line(n=2, seat=seat, action=note))}" for seat, note in NOTES
    )
    same_as_recorded(Path(__file__).with_name("note_texts.txt"), lines)


@pytest.mark.parametrize(
    ("stage", "lacking", "contributors", "text"),
    [
        ("hashes", ("italy", "japan"), (), "fair, not ready yet: Italy, Japan to give a word"),
        ("hashes", (), (), "fair, not ready yet: the table to give a word"),
        ("words", ("italy",), (), "fair, not ready yet: Italy to give the word itself"),
        ("made", (), ("italy", "japan"), "fair, from a promised seed and the words of Italy, Japan"),
        ("made", (), (), "fair, from a promised seed and nobody else’s word"),
        ("told", (), ("italy",), "fair, from a promised seed and the words of Italy; the seed is published"),
    ],
)
def test_status_of_the_dice(stage: str, lacking: tuple[str, ...], contributors: tuple[str, ...], text: str) -> None:
    assert notes.dice_status(NAMES, contributors, stage, lacking) == text


OCCUPANTS: list[dict[str, SeatOccupant]] = [
    {},
    {"atlantis": SeatOccupant()},
    {"italy": SeatOccupant()},
    {"italy": SeatOccupant(name="Ann")},
    {"italy": SeatOccupant(by="bot")},
    {"italy": SeatOccupant(level="hard")},
    {"italy": SeatOccupant(by="nobody", level="easy")},
    {"italy": SeatOccupant(temper="bold")},
    {"italy": SeatOccupant(hidden=True)},
    {"italy": SeatOccupant(by="nobody")},
    {"italy": SeatOccupant(by="nobody", name="Ann")},
    {"italy": SeatOccupant(name="A" * 60)},
    {"italy": SeatOccupant(name="A" * 61)},
    {"italy": SeatOccupant(name="A\nB")},
    {"italy": SeatOccupant(key="a" * 64)},
    {"italy": SeatOccupant(key="a" * 63)},
    {"italy": SeatOccupant(key="A" * 64)},
    {"italy": SeatOccupant(by="bot", level="hard", temper="bold", hidden=True), "japan": SeatOccupant(by="nobody")},
]


def test_valid_and_invalid_occupants() -> None:
    lines = []
    for seats in OCCUPANTS:
        lines.append(f"{msgspec.to_builtins(seats)}  ->  {answer(seating.make_seating_note, SEATS, seats)}")
        for occupant in seats.values():
            lines.append(
                f"    plays itself {occupant.is_automatic}, sits in {occupant.by == 'bot' and bool(occupant.name)}, "
                f"leaves it {occupant.is_abandoned}"
            )
    same_as_recorded(Path(__file__).with_name("occupants.txt"), lines)


def test_last_note_about_a_seat_counts() -> None:
    first, then = {"italy": {"name": "Ann"}, "japan": BOLD}, {"italy": {"by": "nobody"}}
    notes = [(ARBITER, {"type": "seating", "seats": first}), ("italy", {"type": "seating", "seats": {"italy": BOLD}}),
             (ARBITER, {"type": "seating", "seats": then}), (ARBITER, {"type": "seating", "seats": 1})]  # fmt: skip
    lines = [Line(n=n, seat=seat, kind="note", action=note) for n, (seat, note) in enumerate(notes, 2)]
    found = seating.seat_occupants(
        [*lines, Line(n=9, seat=ARBITER, action=notes[0][1])], {"france": SeatOccupant(name="Bob")}
    )
    assert {seat: seating.occupant_label(occupant) for seat, occupant in found.items()} == {
        "france": "Bob", "italy": "nobody", "japan": "bold statesman (hard)",
    }  # fmt: skip


def test_only_the_arbiter_sees_hidden_tempers_in_notes() -> None:
    note = {"type": "seating", "seats": {"japan": BOLD, "italy": {**BOLD, "hidden": False}, "france": 3}}
    assert seating.visible_seating(note, ARBITER) == note
    assert seating.visible_seating(note, "japan")["seats"] == {
        "japan": {"by": "bot", "level": "hard"}, "italy": {**BOLD, "hidden": False}, "france": 3,
    }  # fmt: skip
    assert seating.visible_seating({"type": "seating"}, "japan") == {"type": "seating"}


@pytest.mark.parametrize(
    ("rewrite", "note"),
    [
        (seating.rewrite_seating_note, {"type": "seating", "seats": {"italy": {"name": "Ann"}}}),
        (
            seating.rewrite_fallback_note,
            {"type": "stand_in", "seat": "italy", "bot": "hard", "why": "it has stopped"},
        ),
    ],
)
def test_notes_of_the_arbiter_are_rewritten_unchanged(rewrite: Any, note: Any) -> None:
    assert rewrite(SEATS, Line(n=2, seat=ARBITER, kind="note", action=note)) == note
    with pytest.raises(ValueError, match="only the arbiter assigns"):
        rewrite(SEATS, Line(n=2, seat="italy", kind="note", action=note))


def test_fallback_note_is_shortened() -> None:
    note = seating.make_fallback_note(SEATS, "italy", "b" * 200, "w" * 200)
    assert (len(note["bot"]), len(note["why"])) == (seating.MAX_REASON_LENGTH, seating.MAX_REASON_LENGTH)
    assert refused(seating.make_fallback_note, SEATS, "belgium", "hard", "").code == "unknown_seat"


def test_chat_is_cleaned_and_limited() -> None:
    refusal = refused(free_text.clean_chat, "a" * (free_text.MAX_CHAT_LENGTH + 1))
    assert (refusal.code, refusal.detail) == ("too_long", {"most": free_text.MAX_CHAT_LENGTH})
    assert refused(free_text.clean_chat, " \t").code == "empty"
    assert free_text.clean_chat("  good  game ") == "good game"
    assert len(free_text.clean_chat("a" * free_text.MAX_CHAT_LENGTH)) == free_text.MAX_CHAT_LENGTH
