"""Random mail games: the game goes on after any forms, and its log verifies."""

from __future__ import annotations

from random import Random

import pytest

from paxtui.engine.log import parse
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Adjudicate, SubmittedForm
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.mail.forms import parse_form
from paxtui.games.pax.mail.stops import seats_to_ask
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.visibility import visible_state
from paxtui.mail.game_directory import MailTerms
from paxtui.mail.gamemaster import stop_reports
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import tables

T = tables()
NOT_SENT = ("ready", "unready", "pass")


def form(table: PaxHost, seat: str, chance: Random) -> str:
    """A random form of legal orders, some with conditions, with gifts and instructions."""
    others = [other for other in table.state.players if other != seat]
    lines = [
        t for t in legal_actions(T, visible_state(T, table.state, seat), seat).orders if t.split()[0] not in NOT_SENT
    ]
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
    return "\n".join(line for line in lines if not parse_form(T, line)[1])


@pytest.mark.parametrize("seed", [4, 24])
def test_random_mail_game_verifies(seed: int) -> None:
    chance = Random(seed)
    table = PaxHost.new(T, seats_for(chance.choice([4, 5, 7])), str(seed), clock=empty_clock)
    table.act(ARBITER, Adjudicate())
    for stop in range(1, 9):
        if table.state.result is not None:
            break
        senders = [seat for seat in table.state.players if chance.random() < 0.85]
        sheets = tuple(SubmittedForm(seat, form(table, seat, chance), chance.random() < 0.1) for seat in senders)
        table.act(ARBITER, Adjudicate(sheets))
        over = table.state.result is not None
        waits = () if over else seats_to_ask(T, table.state)
        terms = MailTerms(game="x", stop=stop + 1, waits_for=waits, asks="forms", over=over)
        for name, text in stop_reports(table, terms).items():
            assert text and (not name.endswith(".form") or not parse_form(T, text)[1])
    assert table.verify() == []


@pytest.mark.parametrize("seed", [7, 15])
def test_outcome_does_not_depend_on_the_order_of_forms(seed: int) -> None:
    """Random forms of eight seats in two orders give the same events and dice."""
    chance = Random(seed)
    table = PaxHost.new(T, seats_for(8), str(seed), {"belgium": "yes"}, clock=empty_clock)
    table.act(ARBITER, Adjudicate())
    for _ in range(6):
        if table.state.result is not None:
            break
        sheets = [SubmittedForm(seat, form(table, seat, chance), chance.random() < 0.1) for seat in table.state.players]
        before = parse(table.log())
        line, _ = table.act(ARBITER, Adjudicate(tuple(sheets)))
        chance.shuffle(sheets)
        other = PaxHost(PaxGame(T), before, None, empty_clock)
        again, _ = other.act(ARBITER, Adjudicate(tuple(sheets)))
        assert again.events == line.events and again.dice == line.dice
