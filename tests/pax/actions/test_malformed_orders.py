"""Orders that are cut, too long, or have an unknown word: the refusal of each, in `malformed_orders.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.notation import parse_order
from tests.pax.actions.forms import FORMS
from tests.recorded import same_as_recorded
from tests.rules.harness import start, tables

STATE = start({"phase": "movement"}).state


def malformed_orders(text: str) -> Iterator[str]:
    """An order cut after each of its words, with each of them exchanged, and with one more."""
    words = text.split()
    for n in range(1, len(words)):
        yield " ".join(words[:n])
    for n in range(len(words)):
        yield " ".join((*words[:n], "zzz", *words[n + 1 :]))
    yield f"{text} zzz"


def outcome(text: str) -> str:
    try:
        return repr(parse_order(tables(), text))
    except Refusal as refusal:
        return f"{refusal.code} {refusal.detail}: {refusal.message}"


def test_refusals_of_malformed_orders_are_as_recorded() -> None:
    texts = dict.fromkeys(text for form in FORMS for text in malformed_orders(form) if text not in FORMS)
    same_as_recorded(
        Path(__file__).with_name("malformed_orders.txt"), (f"{text}  ->  {outcome(text)}" for text in texts)
    )
