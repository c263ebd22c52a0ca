"""Choices that the rules leave open and that wait in the state for a seat's answer."""

from __future__ import annotations

from typing import Any

import msgspec

# One text of the notation, or several of them where more than one thing is named.
Option = str | tuple[str, ...]


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question that one seat has to answer before play goes on.

    Attributes:
        id: the name by which ``choose`` answers it (``c12``), unique in the game.
        seat: who answers.
        power: for which Power.
        kind: what sort of question it is (``losses``, ``retreat``, ``fight``).
        options: what may be answered, as texts of the notation.
        default: the answer taken when nobody gives one; always acceptable.
        area: where it arises, empty where that means nothing.
        prompt: the question in words.
        rules: ids of the rules that ask it.
        data: what the question is about, as plain builtins (what an offer offers).
    """

    id: str
    seat: str
    power: str
    kind: str
    options: tuple[Option, ...]
    default: Option
    area: str = ""
    prompt: str = ""
    rules: tuple[str, ...] = ()
    data: dict[str, Any] = {}
