"""Duties that fall due under a Treaty: each is put before the Power that owes it, which keeps its word or breaks it.

They are asked in the Negotiation Phase, when money and markers may change hands; unanswered they are kept if they
can be.

Rules: TRE-004, TRE-007, NEG-014
"""

from __future__ import annotations

from paxtui.engine.refusal import Refusal
from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.clauses.wording import say
from paxtui.pax.diplomacy import acts, settlement
from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play
from paxtui.pax.state.questions import Duty, Pending
from paxtui.pax.state.treaty import CONGRESS, IN_FORCE, Clause, Treaty
from paxtui.pax.treaties import breaches
from paxtui.pax.treaties.treaty_watch import awake, bound, in_force, is_done

KEEP, BREAK = "keep", "break"


def ask(play: Play) -> None:
    """Put every duty that is due before the Power that owes it, once.

    Rules: TRE-004
    """
    asked = {(c.about.treaty, c.about.clause) for c in play.state.choices if isinstance(c.about, Duty)}
    for treaty in in_force(play.state):
        for n, clause in enumerate(treaty.clauses):
            if KINDS[clause.kind].act is None or not awake(play.state, clause) or not bound(treaty, clause):
                continue
            if is_done(treaty, n, play.state.turn) or _settled(treaty, n, clause, play.state.turn):
                continue
            if (treaty.id, n) in asked:
                continue
            owes = bound(treaty, clause)[0]
            play.offer(
                owes,
                Duty(treaty.id, n, owes, treaty.parties),
                (KEEP, BREAK),
                KEEP,
                clause.places[0] if clause.places else "",
                f"{treaty.name}, article {n + 1} is due: {say(play.tables, clause)}",
                ("TRE-004",),
            )


def _settled(treaty: Treaty, n: int, clause: Clause, turn: int) -> bool:
    """Whether a duty was broken already: once for all, or for this Game Turn."""
    return any(b.clause == n and (not clause.every_turn or b.turn == turn) for b in treaty.breaches)


def answer(play: Play, choice: Pending, duty: Duty, words: tuple[str, ...]) -> None:
    """Keep a duty, which does what the clause says, or break it.

    Raises: Refusal, when it is to be kept and cannot be.
    Rules: TRE-004, TRE-007
    """
    word = one_of(choice, words)
    treaty, n = breaches.treaty_of(play, duty.treaty), duty.clause
    if treaty is None or treaty.stage != IN_FORCE:
        return
    if word == KEEP:
        fulfil(play, treaty, n)
    else:
        breaches.break_clause(play, treaty, n, choice.power, "does not do what is due")


def fulfil(play: Play, treaty: Treaty, n: int) -> None:
    """Do what a clause asks for now.

    Raises: Refusal, when the rules do not allow it now.
    """
    clause = treaty.clauses[n]
    if treaty.form != CONGRESS:
        acts.check_agreed(play, treaty.parties, (clause,))
    settlement.carry_out(play, (clause,), ("TRE-004",), parties=treaty.parties)
    turn = play.state.turn if clause.every_turn else 0
    play.emit(ev.ClauseDone(id=treaty.id, clause=n, part=turn, rules=("TRE-004",)))


def close(play: Play) -> None:
    """The end of the Negotiation Phase: what is still due is kept where it can be, else broken.

    Rules: TRE-004, TRE-007
    """
    for choice in play.state.choices:
        duty = choice.about
        if not isinstance(duty, Duty):
            continue
        play.emit(ev.ChoiceMade(id=choice.id, answer=(KEEP,), by_default=True, rules=choice.rules))
        treaty = breaches.treaty_of(play, duty.treaty)
        if treaty is None or treaty.stage != IN_FORCE:
            continue
        attempt = Play(play.tables, play.state, play.dice)
        n = duty.clause
        try:
            fulfil(attempt, treaty, n)
        except Refusal as refusal:
            breaches.break_clause(play, treaty, n, choice.power, f"cannot do what is due ({refusal.message})")
        else:
            for event in attempt.events:
                play.emit(event)
