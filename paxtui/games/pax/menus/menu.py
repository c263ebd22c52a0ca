"""The legal actions of a seat: structs, with moves and gifts as compact groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from paxtui.engine.upcast import Raw
from paxtui.games.pax.actions.actions import Action, Move, Pay
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.text.parsing import HOME_WORD, place_text


class MoveEnd(msgspec.Struct, frozen=True):
    """Destination of a move: a place id, with the coast or home box if there are several."""

    place: str
    coast: str = ""


class UnitMoves(msgspec.Struct, frozen=True):
    """All moves of one kind of unit of a Power from one place: any of `units`, to any of `ends`."""

    power: str
    start: str
    kind: str
    units: tuple[str, ...]
    ends: tuple[MoveEnd, ...]


class GiftRange(msgspec.Struct, frozen=True):
    """Possible gifts of money to a Power: 1 to `most` pounds, except amounts already `offered`."""

    power: str
    to: str
    most: int
    offered: tuple[int, ...] = ()


@dataclass(frozen=True)
class Menu:
    """All legal actions of a seat: `actions` without moves and gifts, which are groups."""

    tables: Tables = field(compare=False, repr=False)
    seat: str
    actions: tuple[Action, ...] = ()
    moves: tuple[UnitMoves, ...] = ()
    pays: tuple[GiftRange, ...] = ()

    @cached_property
    def orders(self) -> tuple[str, ...]:
        """The texts of `actions`."""
        return tuple(format_order(self.tables, action) for action in self.actions)

    def texts(self) -> Iterator[str]:
        """Return sample order texts: all orders, the smallest and largest gifts, each move of a single unit."""
        yield from self.orders
        for gift in self.pays:
            for amount in sorted({1, gift.most} - set(gift.offered)):
                yield format_order(self.tables, self.gift(gift, amount))
        # fleets of one name in two home boxes have two groups but one text
        yield from dict.fromkeys(
            format_order(self.tables, self.move(moves, (unit,), end))
            for moves in self.moves
            for unit in dict.fromkeys(moves.units)
            for end in moves.ends
        )

    def move(self, moves: UnitMoves, units: Iterable[str], end: MoveEnd) -> Move:
        """Return the move of some of `moves.units` to one of its ends."""
        if moves.power != self.seat:
            return Move(tuple(units), (moves.start, end.place), end.coast, moves.power)
        own = HOME + self.seat
        path = (HOME_WORD if moves.start == own else moves.start, HOME_WORD if end.place == own else end.place)
        return Move(tuple(units), path, end.coast)

    def gift(self, gift: GiftRange, amount: int) -> Pay:
        return Pay(gift.to, amount, "" if gift.power == self.seat else gift.power)

    def grammar(self) -> Raw:
        """Return moves and gifts as builtins for the protocol: `moves` and `pays`."""
        return {
            "moves": [
                {
                    "power": m.power,
                    "start": place_text(m.start, m.power),
                    "kind": m.kind,
                    "units": list(m.units),
                    "ends": [
                        {"place": place_text(e.place, m.power), **({"coast": e.coast} if e.coast else {})}
                        for e in m.ends
                    ],
                }
                for m in self.moves
            ],
            "pays": [
                {"power": p.power, "to": p.to, "least": 1, "most": p.most, "offered": list(p.offered)}
                for p in self.pays
            ],
        }
