"""What a declaration of War would bring about, read out before it is final."""

from __future__ import annotations

from paxtui.cli.plain.numbered import Answer, Option
from paxtui.pax.menus.forecast import sentences
from paxtui.table.session import Session


def foretold(session: Session, text: str) -> Answer | None:
    """What an order would bring about, and the order itself to be taken by its number; None where it needs no
    warning: it is no declaration of War and no answer to a call, or it is refused anyway.
    """
    told = session.forecast(text)
    if told is None:
        return None
    lines = ["Before it is final:", *sentences(session.tables, told)]
    return Answer(lines, (Option(f"Do it: {text}", text, ("yes", "do it")),), ("Or say something else.",))
