"""What every action is, and the acts of every step: done, and the answer to a question."""

from __future__ import annotations

import msgspec


class Action(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that a seat asks for."""


class Done(Action, frozen=True, tag="done"):
    """The Power has done what it wants in this step."""


class Answer(Action, frozen=True, tag="answer"):
    """The answer to the question that waits: one of its choices."""

    choice: str


FORMS: dict[type[Action], str] = {Done: "done", Answer: "answer {choice}"}
"""How each is typed, see `paxtui.empires.orders.notation`."""
