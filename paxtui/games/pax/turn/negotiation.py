"""The end of the Negotiation Phase. What seats do in it is in `paxtui.games.pax.diplomacy`."""

from __future__ import annotations

from paxtui.games.pax import transaction
from paxtui.games.pax.congress import calling
from paxtui.games.pax.diplomacy import disputes, settlement
from paxtui.games.pax.transaction import Phase, Transaction, seats_not_ready


def close_negotiation(play: Transaction) -> None:
    """End the Phase: proposals lapse, and disputes without a possible War are settled by default.

    Disputes that a Congress or a declaration at the opening of the War Phase may settle stay open.

    Rules: SEQ-019, NEG-001, NEG-002, NEG-006, NEG-029, WAR-060 (R-NEG-09, R-WAR-24)
    """
    transaction.lapse_offers(play)
    settlement.lapse_settlements(play)
    called = calling.is_called(play.state)
    if not called:
        disputes.announce_open_disputes(play)
    disputes.settle_closed_disputes(play, called)


PHASE = Phase(name="negotiation", close=close_negotiation, waits=seats_not_ready, open=True)
