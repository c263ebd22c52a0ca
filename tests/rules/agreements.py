"""Positions of the Negotiation Phase, and settlements that are carried out without signatures."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.games.pax.transaction import Transaction
from tests.rules.harness import Bench, marker, start


def negotiating(
    areas: dict[str, Any],
    causes: list[tuple[str, str, str]] | None = None,
    money: int | dict[str, int] = 100,
    players: int = 7,
    options: dict[str, str] | None = None,
    **patch: Any,
) -> Bench:
    """The Negotiation Phase with these markers in some Areas.

    areas: the markers, or the whole contents, of each Area; causes: holder, opponent and Area of each Casus Belli;
    money: £ in every Treasury, or in those it names.
    """
    if not isinstance(money, dict):
        money = dict.fromkeys(start(players=players, options=options).state.powers, money)
    everything = {
        "phase": "negotiation",
        "areas": {area: there if isinstance(there, dict) else {"markers": there} for area, there in areas.items()},
        "casus_belli": [{"holder": h, "against": a, "area": area} for h, a, area in causes or []],
        "powers": {power: {"treasury": pounds} for power, pounds in money.items()},
    }
    return start({**everything, **patch}, players, options)


def tunis(areas: dict[str, Any] | None = None, **rest: Any) -> Bench:
    """French and Italian Protectorates in Tunis, each with a Casus Belli against the other."""
    both = [marker("france", "protectorate"), marker("italy", "protectorate")]
    causes = [("france", "italy", "tunis"), ("italy", "france", "tunis")]
    return negotiating({"tunis": both, **(areas or {})}, causes, **rest)


def persia(control: str = "protectorate", **rest: Any) -> Bench:
    """A new British Control marker over Russia's Influence in Persia: Russia has a Casus Belli."""
    both = [marker("russia", "influence"), marker("britain", control, True, 1)]
    return negotiating({"persia": both}, [("russia", "britain", "persia")], **rest)


def lower(power: str, area: str, to: str = "") -> Clause:
    """The Power lowers its marker, or gives it up."""
    return Clause("lower", power=power, places=(area,), marker=to)


def transfer(power: str, area: str, to: str) -> Clause:
    """The Power hands its marker over."""
    return Clause("transfer", power=power, to=to, places=(area,))


def share(area: str, *members: str, kind: str = "", payer: str = "") -> Clause:
    """These Powers make the Area a Codominion."""
    return Clause("codominion", power=payer, against=members, places=(area,), marker=kind)


def grant(power: str, area: str, to: str, kind: str = "protectorate", payer: str = "") -> Clause:
    """The Power lets another share its Area."""
    return Clause("grant", power=power, to=to, places=(area,), marker=kind, against=(payer,) if payer else ())


def pay(power: str, to: str, amount: int) -> Clause:
    """£ from one Power to another."""
    return Clause("pay", power=power, to=to, amount=amount)


def waive(power: str, area: str = "", against: str = "") -> Clause:
    """The Power gives up its Casus Belli."""
    return Clause("waive", power=power, to=against, places=(area,) if area else ())


def agree(g: Bench, *clauses: Clause, parties: tuple[str, ...] = (), congress: bool = False) -> None:
    """Carry out a settlement as if all required Powers had signed it."""
    play = Transaction(g.tables, g.state, Dice("test"))
    before = g.state
    try:
        settlement.carry_out_settlement(play, clauses, ("NEG-013",), congress, parties)
    except Refusal:
        assert play.state is before and not play.events
        raise
    g.state, g.last = play.state, play.events
    g.events += play.events


def not_agreed(g: Bench, *clauses: Clause, **rest: Any) -> Refusal:
    """The refusal of a settlement."""
    with pytest.raises(Refusal) as caught:
        agree(g, *clauses, **rest)
    return caught.value


def money(g: Bench, *powers: str) -> tuple[int, ...]:
    """Treasuries in £."""
    return tuple(g.state.powers[p].treasury for p in powers)


def draft_of(g: Bench) -> str:
    """The id of the open proposal."""
    (open_,) = [t.id for t in g.state.treaties if t.stage == "draft"]
    return open_
