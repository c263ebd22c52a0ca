"""The exception for actions that cannot be carried out."""

from __future__ import annotations

from typing import Any

from paxtui.engine.upcast import Raw


class Refusal(Exception):
    """An action cannot be carried out; nothing has changed.

    Args:
        code: a short fixed name of the reason (``no_army``), for programs.
        rules: ids of the rules that forbid it. Empty only for errors of wording, seat or protocol.
        message: one or two sentences for the player; also ``str()`` of the refusal.
        detail: further data for programs and screens (names, numbers), as builtins.
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
