"""Trying an act with the rules' own functions, on a position thrown away afterwards."""

from __future__ import annotations

from itertools import combinations

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import decide
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.choices import default_of, options_of
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Pending

TRIAL = "trial"
"""Seed of the dice of a trial: what they show is thrown away."""


def try_action(tables: Tables, state: State, seat: str, action: ac.Action) -> Refusal | list[ev.Event]:
    """What `decide` says to an action, with dice thrown away: its events, or its refusal."""
    try:
        return decide(tables, state, seat, action, Dice(TRIAL))
    except Refusal as refusal:
        return refusal


SMALL = 5
"""Options of a choice up to which every combination is tried."""


def possible_answers(choice: Pending) -> list[tuple[str, ...]]:
    """Answers that may be possible: the default, every option alone, and where there are few every combination."""
    found = [default_of(choice)]
    found += [(o,) if isinstance(o, str) else o for o in choice.options]
    if not isinstance(choice.default, str):
        texts = options_of(choice)
        if len(texts) <= SMALL:
            found += [c for n in range(2, len(texts) + 1) for c in combinations(texts, n)]
    return list(dict.fromkeys(found))
