"""Choices that the rules leave open and that wait in the state for a seat's answer.

What a choice is about is a struct of the game's own, one for each kind of question; the kernel knows none of them.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

# One text of the notation, or several of them where more than one thing is named.
Option = str | tuple[str, ...]


class Question(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """What a choice is about. A game has a struct for each kind of question; the kind is the tag of the struct."""


Q = TypeVar("Q", bound=Question, covariant=True)


class Choice(msgspec.Struct, Generic[Q], frozen=True, omit_defaults=True):
    """A question that one seat has to answer before play goes on.

    A game makes it a struct of its own by naming its questions: ``class Pending(Choice[MyQuestions])``.

    Attributes:
        id: the name by which ``choose`` answers it (``c12``), unique in the game.
        seat: who answers.
        power: for which Power.
        about: what is asked.
        options: what may be answered, as texts of the notation.
        default: the answer taken when nobody gives one; always acceptable.
        area: where it arises, empty where that means nothing.
        prompt: the question in words.
        rules: ids of the rules that ask it.
    """

    id: str
    seat: str
    power: str
    about: Q
    options: tuple[Option, ...]
    default: Option
    area: str = ""
    prompt: str = ""
    rules: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """What sort of question it is (``losses``, ``retreat``, ``fight``)."""
        return str(self.about.__struct_config__.tag)
