"""Play by mail: the arbiter opens the forms of a stop, and all that comes of them is one act of the log.

A form stands in the log as its seat wrote it, so that whoever has the log can read and judge every order again.
Rules: PBM-001
"""

from __future__ import annotations

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.pax.orders.action import Action
from paxtui.pax.words.order_words import Words

HERE = "here"


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The form of a seat for one stop.

    Attributes:
        seat: whose.
        text: as it was written.
        missed: the seat sent none, and the caretaker wrote this one.
        signature: of the letter that it came in, by the key of the seat, in hexadecimal; "" where nobody signs.
    """

    seat: str
    text: str
    missed: bool = False
    signature: str = ""


class Adjudicate(Action, frozen=True):
    """Arbiter: carry out the forms of a stop of a mail game, and play on to the next (`adjudicate [SHEETS]`).

    `sheets` are JSON in the notation. A seat without a form has sent none and has no caretaker's either: it orders
    nothing. With `begins` (`adjudicate here`) a game that was played at a table goes on by mail where it stands.
    """

    sheets: tuple[Sheet, ...] = ()
    begins: bool = False


def read_adjudicate(verb: str, words: Words) -> Adjudicate:
    """`adjudicate [{"seat": ..., "text": ...}, ...]`. Raises: Refusal `notation`."""
    at = words.first
    text, _ = words.rest()
    if text.strip().casefold() == HERE:
        return Adjudicate(begins=True)
    try:
        return Adjudicate(msgspec.json.decode(text.encode("utf-8", "replace"), type=tuple[Sheet, ...]))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refusal("notation", (), f"Word {at}: forms in JSON are expected here ({error}).", position=at) from None


def text_of_adjudicate(action: Adjudicate) -> str:
    """The act in the notation."""
    return f"adjudicate {HERE}" if action.begins else "adjudicate " + msgspec.json.encode(action.sheets).decode()
