"""The shape of a menu: texts, and small grammars where there would be too many texts.

`paxtui.pax.legal` puts it together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from paxtui.engine.upcast import Raw
from paxtui.pax.orders import actions as ac
from paxtui.pax.words.names import place_text


class End(msgspec.Struct, frozen=True):
    """Where a move may end: a place id, and the coast or home box where there are several."""

    place: str
    coast: str = ""


class Moves(msgspec.Struct, frozen=True):
    """All moves of one kind of units of a Power from one place: any of `units`, to any of `ends`."""

    power: str
    start: str
    kind: str
    units: tuple[str, ...]
    ends: tuple[End, ...]


class Pays(msgspec.Struct, frozen=True):
    """Gifts of money that a Power may offer: from 1 to `most` pounds, except the amounts it has `offered` already."""

    power: str
    to: str
    most: int
    offered: tuple[int, ...] = ()


class Menu(msgspec.Struct, frozen=True):
    """Every action open to a seat. `orders` are texts; moves and gifts are small grammars."""

    seat: str
    orders: tuple[str, ...] = ()
    moves: tuple[Moves, ...] = ()
    pays: tuple[Pays, ...] = ()

    def texts(self) -> Iterator[str]:
        """Concrete texts of the notation: all orders, every move of one unit alone, the smallest and largest gifts."""
        yield from self.orders
        for gift in self.pays:
            for amount in sorted({1, gift.most} - set(gift.offered)):
                yield self._said(gift.power, f"pay {gift.to} {amount}")
        # fleets of one name in two home boxes are two grammars, and one text
        yield from dict.fromkeys(
            self.move_text(moves, (unit,), end)
            for moves in self.moves
            for unit in dict.fromkeys(moves.units)
            for end in moves.ends
        )

    def move_text(self, moves: Moves, units: Iterable[str], end: End) -> str:
        """The order by which some of `moves.units` go to one of its ends."""
        start, to = place_text(moves.start, moves.power), place_text(end.place, moves.power)
        coast = f" ({end.coast})" if end.coast else ""
        return self._said(moves.power, f"move {' '.join(units)} {start} > {to}{coast}")

    def grammar(self) -> Raw:
        """Moves and gifts as builtins, for the protocol: `moves` and `pays`."""
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

    def _said(self, power: str, text: str) -> str:
        return text if power == self.seat else f"{power}: {text}"


GRAVE = (ac.Downgrade, ac.Withdraw, ac.Transfer, ac.Waive, ac.Pay, ac.Decline, ac.JoinWar)
"""Acts by which a Power gives something up, or joins a War: no list has one of them chosen beforehand."""


class MenuItem(NamedTuple):
    """A line of an action menu, allowed or not.

    `action`: what it does; None begins a move, whose end is still to be chosen. `price` in pounds; `code`, `rules` and
    `reason` of the refusal, or the rules that allow it. `letter`: the key that picks it, always the same for the same
    act at the same place; "" for none. What the act would bring is for `paxtui.pax.reports.foresight`.
    """

    action: ac.Action | None
    label: str
    allowed: bool
    price: int = 0
    code: str = ""
    rules: tuple[str, ...] = ()
    reason: str = ""
    letter: str = ""

    @property
    def harmless(self) -> bool:
        """Whether it can be done and is not grave."""
        return self.allowed and not isinstance(self.action, GRAVE)
