"""Dry runs of actions: each action is decided on the position as the seat knows it, with discarded dice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import area_state
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.narrator import ReportLine
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.transaction import Transaction, default_answer, option_texts


class Outcome(NamedTuple):
    """The position that an answer or an agreement would leave.

    Attributes:
        state: the resulting position; the present one if it is impossible.
        areas: Areas whose established markers would change, in board order.
        events: the resulting events.
        lines: the consequences of an answer as sentences, each with its tone for the seat.
        refusal: why it is impossible; None if it is possible.
        against: Powers that demand something else as spoils, which causes a quarrel.
        needs_signatures: whether all victors would have to sign the list of demands.
    """

    state: State
    areas: tuple[str, ...] = ()
    events: tuple[ev.Event, ...] = ()
    lines: tuple[ReportLine, ...] = ()
    refusal: Refusal | None = None
    against: tuple[str, ...] = ()
    needs_signatures: bool = False


def outcome_of(before: State, after: State, events: Sequence[ev.Event]) -> Outcome:
    """Return the outcome of events, with the Areas whose established markers they change."""

    def markers_at(state: State, area: str) -> set[tuple[str, str]]:
        return {(m.power, m.marker) for m in area_state(state, area).markers if m.established}

    areas = tuple(area for area in before.areas if markers_at(before, area) != markers_at(after, area))
    return Outcome(after, areas, tuple(events))


def dry_run(tables: Tables, state: State, seat: str, action: actions.Action) -> Transaction:
    """Decide an action with discarded dice; return its events and the position after it.

    Raises:
        Refusal: the action is impossible.
    """
    return decide(tables, state, seat, action, Dice("trial"))


def run_trial(tables: Tables, state: State, seat: str, action: actions.Action) -> Transaction | Refusal:
    """Like `dry_run`, but return the refusal of an impossible action.

    The warnings, forecasts and previews of the action are read from this one run.
    """
    try:
        return dry_run(tables, state, seat, action)
    except Refusal as refusal:
        return refusal


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
