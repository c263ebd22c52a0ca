"""A settlement: several acts agreed together, done all at once or not at all.

Treaties use it for what their clauses do at once or on a date, a Congress of Europe for the Treaty it adopts, and the
offer of a Codominion for the one act it is.

Rules: NEG-003 to NEG-024, SEQ-019 (R-NEG-01 to R-NEG-08, Decision 23)
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from paxtui.engine.dice import Dice
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.exchanges import PAY
from paxtui.pax.diplomacy import acts
from paxtui.pax.diplomacy.bundle import Bundle
from paxtui.pax.history import events as ev
from paxtui.pax.play import secrecy
from paxtui.pax.play.play import GameOver, Play
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import DRAFT, SETTLEMENT, Clause


def check(play: Play, clauses: Iterable[Clause], congress: bool = False, parties: tuple[str, ...] = ()) -> None:
    """Whether the acts could all be done now.

    `congress`: whether a Congress of Europe has adopted them. `parties`: who agrees; by default those who must.

    Raises: Refusal with the first thing that forbids one of them.
    """
    outcome(play.tables, play.state, clauses, congress, parties)


def outcome(
    tables: Tables, state: State, clauses: Iterable[Clause], congress: bool = False, parties: tuple[str, ...] = ()
) -> State:
    """The position once the acts are done. Raises: Refusal."""
    trial = Play(tables, state, Dice("settlement"))
    with suppress(GameOver):
        Bundle(trial, clauses, (), congress, parties).do()
    return trial.state


def carry_out(
    play: Play,
    clauses: Iterable[Clause],
    rules: tuple[str, ...],
    congress: bool = False,
    parties: tuple[str, ...] = (),
    hidden: bool = False,
) -> None:
    """Do all the acts, or none: after a refusal nothing has happened.

    Args: the decision in progress; the acts; the rules by which they were agreed; whether a Congress has adopted
        them; who agrees; whether the Treaty is secret. By mail others do not read what secret articles pay.
    Raises: Refusal; GameOver, when they carry tensions to 100.
    """
    clauses = tuple(clauses)
    trial = Play(play.tables, play.state, play.dice)
    over: GameOver | None = None
    try:
        Bundle(trial, clauses, rules, congress, parties).do()
    except GameOver as end:
        over = end
    agreed = parties or acts.must_sign(play.tables, play.state, clauses)
    secret = [c for c in clauses if play.by_mail and (hidden or c.secret) and c.kind == PAY.id]
    paid = [change for c in secret for change in ((c.power, -c.amount), (c.to, c.amount))]
    for event in trial.events:
        if isinstance(event, ev.TreasuryChanged) and (event.power, event.amount) in paid:
            paid.remove((event.power, event.amount))
            play.emit(secrecy.untold(play.tables, play.state, event, agreed), agreed)
            continue
        play.emit(secrecy.by_agreement(play.tables, play.state, event, agreed), agreed)
    if over:
        raise over


def lapse(play: Play) -> None:
    """End every settlement that not all have signed, when the Negotiation Phase ends.

    Rules: SEQ-019 (R-NEG-08)
    """
    for treaty in play.state.treaties:
        if treaty.form == SETTLEMENT and treaty.stage == DRAFT:
            play.emit(ev.TreatyEnded(id=treaty.id, reason="lapsed", rules=("SEQ-019",)))
