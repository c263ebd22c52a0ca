"""The Negotiation Phase: what becomes of what was left open when it ends.

What a Power does alone is `giving_way`, what is agreed between several a `settlement`.

Rules: SEQ-019, SEQ-020, NEG-001, NEG-002, NEG-006, NEG-029 (R-NEG-09)
"""

from __future__ import annotations

from paxtui.pax.congress import calling
from paxtui.pax.diplomacy import settlement, unsettled
from paxtui.pax.play import offers
from paxtui.pax.play.phase import Phase, not_ready
from paxtui.pax.play.play import Play


def close(play: Play) -> None:
    """End the Phase: proposals lapse, and disputes over which nobody can declare War are settled by default.

    What a Congress may still settle, or a declaration when the War Phase opens, stays as it is.

    Rules: SEQ-019, NEG-001, NEG-002, NEG-006, NEG-029, WAR-060 (R-NEG-09, R-WAR-24)
    """
    offers.lapse(play)
    settlement.lapse(play)
    called = calling.called(play.state)
    if not called:
        unsettled.say_what_is_open(play)
    unsettled.close_talks(play, called)


PHASE = Phase(name="negotiation", close=close, waits=not_ready, open=True)
