"""Sealed ballots stay sealed: with other ballots the same Congress looks the same to everybody else."""

from __future__ import annotations

import os
import random

import pytest

from paxtui.pax.position.setup import seats_for
from paxtui.table.authority import Table, no_clock
from paxtui.table.tables import load_tables
from tests.rules.test_congress import MUTUAL, TUNIS

TABLES = load_tables()
GAMES = 8 * int(os.environ.get("PAXTUI_FUZZ", "1"))
VOTES, SIGNS = ("yes", "no", "abstain"), ("sign", "defy")


def congress(attending: tuple[str, ...]) -> Table:
    """A Congress that is about to vote."""
    table = Table.new(TABLES, seats_for(7), "3", {"counter_limits": "unlimited"}, game_id="g", clock=no_clock)
    powers = {"france": {"treasury": 40}, "italy": {"treasury": 20}}
    patch = {"phase": "negotiation", "areas": {"tunis": {"markers": TUNIS}}, "casus_belli": MUTUAL, "powers": powers}
    table.act("arbiter", {"type": "set_position", "patch": patch})
    table.act("france", "congress britain")
    for seat in table.waiting:
        table.act(seat, "ready")
    while any(c.kind in ("attend", "invite") for c in table.state.choices):
        choice = next(c for c in table.state.choices if c.kind in ("attend", "invite"))
        word = "nobody" if choice.kind == "invite" else "attend" if choice.seat in attending else "stay_away"
        table.act(choice.seat, f"choose {choice.id} {word}")
    table.act("britain", "propose Act: italy lowers tunis to interest; france pays italy 15")
    while any(c.kind == "propose" for c in table.state.choices):
        choice = next(c for c in table.state.choices if c.kind == "propose")
        table.act(choice.seat, f"choose {choice.id} pass")
    return table


def cast(table: Table, seat: str, answer: str) -> None:
    """A delegate's ballot."""
    choice = next(c for c in table.state.choices if c.kind == "ballot" and c.seat == seat)
    table.act(seat, f"choose {choice.id} {answer}")


def seen(table: Table, seat: str) -> tuple[object, ...]:
    """Everything that leaves the authority for a seat."""
    lines = [(x.n, x.seat, x.kind, x.action, x.events) for x in table.lines_for(seat)]
    menu = sorted(table.legal(seat).texts()) if seat in table.state.players else []
    return table.view(seat), lines, menu, table.version_for(seat)


@pytest.mark.rule("CON-024")
@pytest.mark.parametrize("seed", range(GAMES))
def test_other_ballots_look_the_same_until_all_are_in(seed: int) -> None:
    rng = random.Random(seed)
    attending = tuple(s for s in ("germany", "russia") if rng.random() < 0.6)
    tables = [congress(attending) for _ in range(2)]
    members = list(tables[0].state.congress.members)  # type: ignore[union-attr]
    rng.shuffle(members)
    secret = members[0]
    for seat in members[:-1]:
        same = f"{rng.choice(VOTES)} {rng.choice(SIGNS)}"
        for table in tables:
            cast(table, seat, f"{rng.choice(VOTES)} {rng.choice(SIGNS)}" if seat == secret else same)
        for other in (*tables[0].state.players, "spectator"):
            if other != secret:
                assert seen(tables[0], other) == seen(tables[1], other), other
    cast(tables[0], members[-1], "yes sign")
    assert tables[0].state.congress is None or tables[0].state.congress.step != "ballot"
