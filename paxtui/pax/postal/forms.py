"""An order form of a mail game: what a seat sends for one deadline. Data only."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from paxtui.pax.orders.action import Action
from paxtui.pax.postal.conditions import Condition


class Accept(msgspec.Struct, frozen=True):
    """Agree to a gift that another Power orders for itself (`accept 20 from france`, `accept tunis from france`).

    Attributes:
        giver: the Power that gives.
        amount: pounds, exactly so many; 0 where a marker is given.
        area: where the marker stands; "" where money is given.
        power: who takes it, "" for the seat's own Power.
    """

    giver: str
    amount: int = 0
    area: str = ""
    power: str = ""


class Order(msgspec.Struct, frozen=True):
    """One order of a form: all its acts are carried out, one after the other, or none of them.

    Attributes:
        line: where it stands in the form, from 1.
        text: as it was written.
        acts: what is to be done.
        condition: what others have to do for it, None where it is to be carried out in any case.
    """

    line: int
    text: str
    acts: tuple[Action | Accept, ...]
    condition: Condition | None = None


class Standing(msgspec.Struct, frozen=True):
    """How a choice is to be answered that the game does not stop for.

    Attributes:
        line: where it stands in the form, from 1.
        text: as it was written.
        verb: one of `VERBS`.
        area: what it is about, "" for a deficit.
        answer: the options named.
        if_unrest: only where the Unrest is still there.
    """

    line: int
    text: str
    verb: str
    area: str = ""
    answer: tuple[str, ...] = ()
    if_unrest: bool = False


class Form(msgspec.Struct, frozen=True):
    """What a seat sends for one stop.

    Attributes:
        orders: in the order in which they are to be carried out; the first has the first claim on money and pieces.
        standing: instructions for what follows.
        head: what the form says of itself (game, stop, seat), by name.
    """

    orders: tuple[Order, ...] = ()
    standing: tuple[Standing, ...] = ()
    head: dict[str, str] = {}


class Fault(NamedTuple):
    """Something wrong with a form.

    Attributes:
        line, column: where, both from 1.
        message: what is wrong, and what would be right.
    """

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        """The fault in a line."""
        return f"line {self.line}, column {self.column}: {self.message}"
