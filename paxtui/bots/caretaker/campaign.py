"""Rules 9 to 11: the one place where a Power under General Orders decides something in War.

Until the orders of a campaign are written it answers by the defaults and passes.

Rules: ORD-012 (R-ORD-25)
"""

from __future__ import annotations

from paxtui.bots.act import Act
from paxtui.pax.play.choices import default_of
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Pending


def orders(state: State, seat: str) -> list[Act]:
    """What a seat does in the present Phase of a War: it passes. A neutral grants no coal and closes no passage.

    Rules: ORD-012
    """
    return [Act("pass", "Rule 4: it keeps out of the Wars of others; Rule 9: its forces hold their ground")]


def answer(choice: Pending) -> Act:
    """The answer to a question of a War."""
    return Act(f"choose {choice.id} {' '.join(default_of(choice))}".strip(), "Rule 9: what the rules take for granted")
