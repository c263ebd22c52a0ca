"""The place in the sequence of play: a stack of frames, kept in the state.

The last frame of the tuple is the top. A procedure inside another one (a Congress inside a
Negotiation) is a frame on top of a frame, so that no flag has to say where to go back to.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Frame(msgspec.Struct, frozen=True, omit_defaults=True):
    """One level of the place in the sequence of play.

    Attributes:
        phase: the name of the phase or procedure.
        step: the step within it, empty before the first.
        data: local notes of this level (who has passed, whose turn it is), as plain builtins.
            Never changed in place: a new frame replaces the old one.
    """

    phase: str
    step: str = ""
    data: dict[str, Any] = {}


Frames = tuple[Frame, ...]


def top(frames: Frames) -> Frame:
    """The frame that says who must act now.

    Raises:
        IndexError: the stack is empty.
    """
    return frames[-1]


def push(frames: Frames, frame: Frame) -> Frames:
    """`frames` with `frame` on top."""
    return (*frames, frame)


def pop(frames: Frames) -> Frames:
    """`frames` without the top one.

    Raises:
        IndexError: the stack is empty.
    """
    if not frames:
        raise IndexError("no frame to pop")
    return frames[:-1]


def replace_top(frames: Frames, frame: Frame) -> Frames:
    """`frames` with `frame` in place of the top one.

    Raises:
        IndexError: the stack is empty.
    """
    return (*pop(frames), frame)
