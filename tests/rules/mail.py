"""Mail games for tests: forms by seat, the outcome of each order, and what seats see."""

from __future__ import annotations

from typing import Any

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.events import events
from paxtui.games.pax.mail import movement, stops
from paxtui.games.pax.mail.forms import parse_form
from paxtui.games.pax.transaction import Transaction
from tests.rules.harness import Bench, notify


def sheets(forms: dict[str, str], missed: tuple[str, ...] = ()) -> tuple[actions.SubmittedForm, ...]:
    """Forms by seat, as the arbiter opens them."""
    return tuple(actions.SubmittedForm(seat, text, seat in missed) for seat, text in forms.items())


def send(g: Bench, missed: tuple[str, ...] = (), **forms: str) -> list[events.Event]:
    """Adjudicate the forms of a stop. Returns: the events until the next stop."""
    return g.do(ARBITER, actions.Adjudicate(sheets(forms, missed)))


def refused(g: Bench, **forms: str) -> Refusal:
    """The refusal of forms."""
    return g.refused(ARBITER, actions.Adjudicate(sheets(forms)))


def results(g: Bench, seat: str) -> list[str]:
    """The outcome of each order of a seat in the last stop, in a word each."""
    notes = [e for e in g.of(events.Noted) if e.code.startswith("order_") and e.power == seat]
    assert all(e.only == (seat,) for e in notes)
    return [e.code.removeprefix("order_") for e in notes]


def orders_only(g: Bench, **forms: str) -> Bench:
    """Carry out only the orders of a Movement/Status Change Phase, without what follows. Sets `last`."""
    from paxtui.games.pax.decide import apply_mail_order

    read = {}
    for seat, text in forms.items():
        form, faults = parse_form(g.tables, text, powers_of(g.tables, g.state, seat))
        assert not faults, faults
        read[seat] = form
    play = Transaction(g.tables, g.state, Dice(g.seed, g.index, g.queue))
    movement.carry_out_movement(play, read, apply_mail_order)
    g.state, g.last = play.state, list(play.events)
    g.queue, g.index = play.dice.queue_left, play.dice.index
    g.events += g.last
    for event in g.last:
        notify(event)
    return g


def stopped(g: Bench) -> bool:
    """Whether the game stops here for orders."""
    play = Transaction(g.tables, g.state, Dice("none"))
    return bool(g.waiting()) and stops.should_stop(play, {})


def public(g: Bench, seat: str) -> list[Any]:
    """The events of the last stop as a seat sees them."""
    from paxtui.games.pax.visibility import visible_event

    return [seen for e in g.last if (seen := visible_event(e, seat)) is not None]
