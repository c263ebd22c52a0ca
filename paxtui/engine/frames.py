"""The place in the sequence of play: a stack of frames, kept in the state.

The last frame of the tuple is the top. A procedure inside another one (a Congress inside a
Negotiation) is a frame on top of a frame, so that no flag has to say where to go back to.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

N = TypeVar("N", covariant=True)


class Frame(msgspec.Struct, Generic[N], frozen=True, omit_defaults=True):
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


F = TypeVar("F", bound=Frame[object])


def top(frames: tuple[F, ...]) -> F:
    """The frame that says who must act now.

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
