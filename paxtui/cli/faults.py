"""Which errors are the input's, and how they are told."""

from __future__ import annotations


class CommandError(Exception):
    """A command cannot do what it was asked; the message says what, where, and what would be right."""


def explain(error: Exception) -> str | None:
    """The message for a person, or None for an error that is our own mistake and should be seen whole."""
    from paxtui.engine.log import BrokenLog
    from paxtui.engine.refusal import Refusal
    from paxtui.table.files import Locked
    from paxtui.table.tables import TableError

    if isinstance(error, Refusal):
        rules = f" [{', '.join(error.rules)}]" if error.rules else ""
        return f"{error.message}{rules}"
    if isinstance(error, FileNotFoundError):
        return f"there is no file {error.filename}"
    if isinstance(error, IsADirectoryError):
        return f"{error.filename} is a directory, not a saved game"
    if isinstance(error, CommandError | BrokenLog | Locked | TableError | OSError):
        return str(error)
    return None
