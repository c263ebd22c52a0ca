"""Warnings before an act: what it would break of the seat's own Treaties, and what revealing one costs.

Rules: TRE-007, TRE-011, TRE-012
"""

from __future__ import annotations

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import played
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Duty
from paxtui.pax.state.treaty import IN_FORCE, Treaty
from paxtui.pax.treaties import treaty_duties, treaty_names, treaty_watch
from paxtui.pax.treaties.breaches import known_to_all, treaty_of
from paxtui.pax.words.spoken import power_name


def warnings(tables: Tables, state: State, seat: str, action: ac.Action) -> list[str]:
    """What an action would break of the seat's own Treaties, or reveal of them, in sentences; empty where nothing, or
    where it is refused anyway.

    Rules: TRE-007, TRE-011, TRE-012
    """
    mine = powers_of(tables, state, seat)
    if isinstance(action, ac.Reveal):
        return _revealed(tables, state, seat, action)
    if not any(t.stage == IN_FORCE and any(p in t.parties for p in mine) for t in state.treaties):
        return []
    try:
        play = played(tables, state, seat, action, Dice("warning"))
    except Refusal:
        return []
    broken = [e for e in play.events if isinstance(e, ev.TreatyBroken) and e.power in mine]
    out = [_said(tables, treaty_of(play, e.id), e.clause, e.power, e.what, e.open) for e in broken]
    if isinstance(action, ac.Ready):
        out += _left(play, seat)
    return out


def _revealed(tables: Tables, state: State, seat: str, action: ac.Reveal) -> list[str]:
    """What it costs to make an agreement public: the breaches in it that were unknown count from then on.

    Rules: TRE-011, TRE-012
    """
    try:
        play = played(tables, state, seat, action, Dice("warning"))
    except Refusal:
        return []
    treaty = treaty_of(play, action.id)
    if treaty is None:
        return []
    name = treaty_names.display_name(tables, treaty)
    what = f"article {action.article} of {name}" if action.article else name
    out = [f"Everybody can read {what} from now on; it cannot be hidden again."]
    for event in play.events:
        if isinstance(event, ev.BreachOpened):
            breach = treaty_watch.describe_breach(tables, treaty, event.clause, event.power, "")
            out.append(f"An old breach counts now: {breach}.")
        elif isinstance(event, ev.TensionRaised):
            out.append(f"Tension +{event.amount}.")
        elif isinstance(event, ev.CasusBelliArose):
            holder, against = power_name(tables, event.holder), power_name(tables, event.against)
            out.append(f"{holder} gets a Casus Belli against {against}.")
    return out


def _left(play: Play, seat: str) -> list[str]:
    """Duties that a seat leaves unanswered and that cannot be kept as things stand.

    Rules: TRE-007 (Decision 47)
    """
    out = []
    for choice in play.state.choices:
        if choice.seat == seat and isinstance(choice.about, Duty):
            treaty, n = treaty_of(play, choice.about.treaty), choice.about.clause
            why = treaty_duties.obstacle(play, treaty, n) if treaty else ""
            if treaty and why:
                what = f"unless it can be kept before the Phase ends ({why})"
                out.append(_said(play.tables, treaty, n, choice.power, what, known_to_all(treaty, n)))
    return out


def _said(tables: Tables, treaty: Treaty | None, clause: int, power: str, what: str, opened: bool) -> str:
    """A breach with what it costs."""
    assert treaty is not None
    cost = "tension +5 and a Casus Belli for the others" if opened else "a Casus Belli once it is revealed"
    return f"{treaty_watch.describe_breach(tables, treaty, clause, power, what)} ({cost})."
