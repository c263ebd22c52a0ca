"""Ready-made Treaties in plain mode, and questions to other Powers."""

from __future__ import annotations

from paxtui.bots.pax.registry import parse_bot_name
from paxtui.cli.plain.repl import Repl
from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.state.diplomacy import DRAFT
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from tests.bots.talks import NEGOTIATION, SEVEN
from tests.rules.harness import tables


def _repl(**occupants):
    host = PaxHost.new(tables(), SEVEN, "1", {})
    host.act("arbiter", {"type": "set_position", "patch": NEGOTIATION})
    if occupants:
        host.seat(occupants)
    return Repl(LocalSession(host, "france"))


def test_number_offers_a_ready_made_treaty():
    talk = _repl()
    output = talk.hear("deals italy")
    number = next(line.split()[0] for line in output if "Non-aggression" in line)
    assert output[0] == "Treaties with Italy:" and "Order: treaty" in " ".join(output) and "signs:" in " ".join(output)
    talk.hear(number)
    drafts = [t for t in talk.session.live.treaties if t.stage == DRAFT]
    assert [t.parties for t in drafts] == [("france", "italy")] and drafts[0].clauses[0].kind == "non_aggression"


def test_bot_answers_what_it_wants_and_a_person_gets_the_question():
    talk = _repl(italy=parse_bot_name("statesman"), russia=SeatOccupant(by="nobody"))
    assert any("Italy to France: " in line for line in talk.hear("ask italy"))
    assert any("A person plays Japan" in line for line in talk.hear("ask japan"))
    assert any("Nobody plays Russia" in line for line in talk.hear("ask russia"))


def test_unknown_power_is_reported():
    assert "Name a Power" in _repl().hear("deals")[0]
    assert "no seat in this game" in _repl().hear("deals france")[0]
