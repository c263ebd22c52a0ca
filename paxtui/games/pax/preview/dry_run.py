"""Dry runs of actions: each action is decided on the position as the seat knows it, with discarded dice."""

from __future__ import annotations

from itertools import combinations

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide_with_state
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.transaction import Transaction, default_answer, option_texts

DRY_RUN_SEED = "trial"
"""Dice seed of a dry run; the results of the dice are discarded."""


def run_trial(tables: Tables, state: State, seat: str, action: actions.Action) -> Transaction | Refusal:
    """Decide an action with discarded dice; return its events and the position after it, or its refusal.

    The warnings, forecasts and previews of the action are read from this one run.
    """
    try:
        return decide_with_state(tables, state, seat, action, Dice(DRY_RUN_SEED))
    except Refusal as refusal:
        return refusal


def try_action(tables: Tables, state: State, seat: str, action: actions.Action) -> Refusal | list[ev.Event]:
    """Decide an action with discarded dice; return its events, or its refusal."""
    trial = run_trial(tables, state, seat, action)
    return trial if isinstance(trial, Refusal) else trial.events


MAX_COMBINED_OPTIONS = 5
"""Maximum number of options of a choice for which all combinations are tried."""


def possible_answers(choice: Pending) -> list[tuple[str, ...]]:
    """Candidate answers: the default, each option alone, and all combinations if there are few options."""
    found = [default_answer(choice)]
    found += [(o,) if isinstance(o, str) else o for o in choice.options]
    if not isinstance(choice.default, str):
        texts = option_texts(choice)
        if len(texts) <= MAX_COMBINED_OPTIONS:
            found += [c for n in range(2, len(texts) + 1) for c in combinations(texts, n)]
    return list(dict.fromkeys(found))
