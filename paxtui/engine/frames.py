"""The stack of phase frames and the open choices of a state.

The last frame of the tuple is the top. A procedure inside another one (a Congress inside a Negotiation) is a frame on
top of it. Each game defines its own question structs.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

N = TypeVar("N", covariant=True)


class PhaseFrame(msgspec.Struct, Generic[N], frozen=True, omit_defaults=True):
    """One level of the place in the sequence of play.

    A game makes it a struct of its own by naming its notes: ``class MyFrame(Frame[MyNotes])``.

    Attributes:
        phase: the name of the phase or procedure.
        step: the step within it, empty before the first.
        notes: local notes of this level (who has passed, whose turn it is), a struct of the game's own.
    """

    phase: str
    step: str = ""
    notes: N | None = None


F = TypeVar("F", bound=PhaseFrame[object])


def top(frames: tuple[F, ...]) -> F:
    """Return the top frame; it determines who must act.

    Raises:
        IndexError: the stack is empty.
    """
    return frames[-1]


def push(frames: tuple[F, ...], frame: F) -> tuple[F, ...]:
    """`frames` with `frame` on top."""
    return (*frames, frame)


def pop(frames: tuple[F, ...]) -> tuple[F, ...]:
    """`frames` without the top one.

    Raises:
        IndexError: the stack is empty.
    """
    if not frames:
        raise IndexError("no frame to pop")
    return frames[:-1]


def replace_top(frames: tuple[F, ...], frame: F) -> tuple[F, ...]:
    """`frames` with `frame` in place of the top one.

    Raises:
        IndexError: the stack is empty.
    """
    return (*pop(frames), frame)


# --- choices ---------------------------------------------------------------------------------------------------------

# One text of the notation, or several of them where more than one thing is named.
Option = str | tuple[str, ...]


class ChoiceQuestion(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """What a choice is about. A game has a struct for each kind of question; the kind is the tag of the struct."""


Q = TypeVar("Q", bound=ChoiceQuestion, covariant=True)


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
