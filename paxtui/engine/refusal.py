"""What the core answers when it will not do what a seat asks."""

from __future__ import annotations

from typing import Any

from paxtui.engine.upcast import Raw


class Refusal(Exception):
    """A seat asked for something that cannot be done now; nothing has changed.

    Args:
        code: a short fixed name of the reason (``no_army``), for programs.
        rules: ids of the rules that forbid it. Empty only where the words, the seat or the
            protocol are at fault, never where a rule of the game forbids the act.
        message: one or two sentences for a person; also ``str()`` of the refusal.
        detail: anything a program or a screen can make use of (names, figures), as plain builtins.
    """

    code: str
    rules: tuple[str, ...]
    message: str
    detail: Raw

    def __init__(self, code: str, rules: tuple[str, ...], message: str, **detail: Any) -> None:
        # All positional arguments go to Exception so that pickling and repr() keep them.
        super().__init__(code, rules, message)
        self.code = code
        self.rules = tuple(rules)
        self.message = message
        self.detail = detail

    def __str__(self) -> str:
        return self.message
