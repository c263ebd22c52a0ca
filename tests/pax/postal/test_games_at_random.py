"""Mail games of forms made up by chance: whatever is ordered, the game goes on, and its log is decided alike again."""

from __future__ import annotations

from random import Random

import pytest

from paxtui.engine.log import parse
from paxtui.engine.seats import ARBITER
from paxtui.pax.legal import legal
from paxtui.pax.orders.actions import Adjudicate, Sheet
from paxtui.pax.play.secrecy import state_seen
from paxtui.pax.position.setup import seats_for
from paxtui.pax.postal.reading import read_form
from paxtui.pax.postal.stops import asked
from paxtui.table.authority import Table, no_clock
from paxtui.table.postal.desk import reports_of
from paxtui.table.postal.terms import Terms
from tests.rules.harness import tables

T = tables()
NOT_SENT = ("ready", "unready", "pass")


def form(table: Table, seat: str, chance: Random) -> str:
    """Some of what the seat may do now, some of it on a condition, with gifts and instructions."""
    others = [other for other in table.state.players if other != seat]
    lines = [t for t in legal(T, state_seen(T, table.state, seat), seat).orders if t.split()[0] not in NOT_SENT]
    chance.shuffle(lines)
    lines = lines[: chance.randint(0, 12)]
    for n, line in enumerate(lines):
        if chance.random() < 0.3:
            where = chance.choice(list(T.areas))
            what = chance.choice(["builds A1", f"places control {where}", f"moves armies to {where}"])
            lines[n] = f"{chance.choice(['if', 'unless'])} {chance.choice(others)} {what}: {line}"
    for cause in table.state.casus_belli:
        if cause.holder == seat and table.state.phase == "negotiation":
            war = f"declare war {cause.against} over {cause.id}"
            lines.insert(0, chance.choice([war, "congress germany", "build A1"]))
    lines += [f"pay {chance.choice(others)} 3", f"accept 3 from {chance.choice(others)}", "standing:", "decline tunis"]
    return "\n".join(line for line in lines if not read_form(T, line)[1])


@pytest.mark.parametrize("seed", [4, 24])
def test_a_game_of_forms_made_up_by_chance(seed: int) -> None:
    chance = Random(seed)
    table = Table.new(T, seats_for(chance.choice([4, 5, 7])), str(seed), clock=no_clock)
    table.act(ARBITER, Adjudicate())
    for stop in range(1, 9):
        if table.state.result is not None:
            break
        senders = [seat for seat in table.state.players if chance.random() < 0.85]
        sheets = tuple(Sheet(seat, form(table, seat, chance), chance.random() < 0.1) for seat in senders)
        table.act(ARBITER, Adjudicate(sheets))
        over = table.state.result is not None
        waits = () if over else asked(T, table.state)
        terms = Terms(game="x", stop=stop + 1, waits_for=waits, asks="forms", over=over)
        for name, text in reports_of(table, terms).items():
            assert text and (not name.endswith(".form") or not read_form(T, text)[1])
    assert table.verify() == []


@pytest.mark.parametrize("seed", [7, 15])
def test_what_comes_of_forms_does_not_depend_on_how_they_are_listed(seed: int) -> None:
    """Forms made up by chance, of eight: whichever comes first in the list, the same happens, the same dice fall."""
    chance = Random(seed)
    table = Table.new(T, seats_for(8), str(seed), {"belgium": "yes"}, clock=no_clock)
    table.act(ARBITER, Adjudicate())
    for _ in range(6):
        if table.state.result is not None:
            break
        sheets = [Sheet(seat, form(table, seat, chance), chance.random() < 0.1) for seat in table.state.players]
        before = parse(table.log())
        line, _ = table.act(ARBITER, Adjudicate(tuple(sheets)))
        chance.shuffle(sheets)
        other = Table(T, before, None, no_clock)
        again, _ = other.act(ARBITER, Adjudicate(tuple(sheets)))
        assert again.events == line.events and again.dice == line.dice
