"""Signing a draft or turning it down; with the last signature the agreement binds, and what is done at once is done.

Rules: TRE-002, TRE-004, TRE-006, NEG-013, SEQ-001, SEQ-020, CON-028 (R-NEG-08)
"""

from __future__ import annotations

from paxtui.pax.clauses import checking
from paxtui.pax.clauses.kinds import at_once
from paxtui.pax.diplomacy import acts, settlement
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.treaty import CONGRESS, Treaty
from paxtui.pax.treaties import breaches, ending, revealing
from paxtui.pax.treaties.drafting import drafting_rules, in_its_phase
from paxtui.pax.treaties.finding import open_draft
from paxtui.pax.words.spoken import powers_named


def sign(play: Play, power: str, action: ac.Sign) -> None:
    """Sign a draft; the last signature puts it into force and does what is to be done at once.

    Raises: Refusal.
    Rules: TRE-002, TRE-006, NEG-013 (R-NEG-08)
    """
    treaty = _draft_of(play, power, action.id)
    if power in treaty.signed:
        missing = tuple(p for p in treaty.parties if p not in treaty.signed)
        refuse("signed", ("TRE-002",), f"You have signed it; it waits for {powers_named(play.tables, missing)}.")
    play.emit(ev.TreatySigned(id=treaty.id, power=power, rules=("TRE-002",)))
    if set(treaty.parties) <= {*treaty.signed, power}:
        complete(play, treaty.id)


def complete(play: Play, id_: str) -> None:
    """All have signed: the agreement is in force, and what it says is to be done at once is done, all or nothing.

    Raises: Refusal, when it cannot be done now: then nobody has signed anything by it.
    Rules: TRE-002, TRE-004, TRE-006, NEG-013, SEQ-001 (R-NEG-08)
    """
    treaty = breaches.treaty_of(play, id_)
    assert treaty is not None
    if treaty.clauses:
        checking.check(play.tables, play.state, treaty.parties, treaty.clauses, treaty.form)
    in_its_phase(play, treaty.form, treaty.clauses)
    now = [n for n, c in enumerate(treaty.clauses) if at_once(c)]
    acts.check_agreed(play, treaty.parties, tuple(treaty.clauses[n] for n in now))
    play.emit(ev.TreatyInForce(id=id_, turn=play.state.turn, rules=("TRE-002",)))
    if treaty.publish:
        revealing.publish(play, treaty.drafter, id_)
    hidden = not (treaty.public or treaty.publish)
    if now:
        rules = drafting_rules(treaty.form)
        settlement.carry_out(play, tuple(treaty.clauses[n] for n in now), rules, parties=treaty.parties, hidden=hidden)
    for n in now:
        play.emit(ev.ClauseDone(id=id_, clause=n, rules=("TRE-004",)))
    if now:
        ending.end_what_is_over(play, id_, ("TRE-004",))


def reject(play: Play, power: str, action: ac.Reject) -> None:
    """Turn a draft down, or take back one's own: one party's no ends it.

    Raises: Refusal.
    Rules: TRE-002
    """
    treaty = _draft_of(play, power, action.id)
    reason = "withdrawn" if power == treaty.drafter else "rejected"
    play.emit(ev.TreatyRejected(id=treaty.id, power=power, reason=reason, rules=("TRE-002",)))


def _draft_of(play: Play, power: str, id_: str) -> Treaty:
    """The draft of an id, to be signed or rejected by itself.

    Raises: Refusal as `open_draft`, or `no_congress` where it is a proposal before a Congress of Europe.
    Rules: CON-028, SEQ-020
    """
    treaty = open_draft(play, power, id_)
    if treaty.form == CONGRESS:
        refuse(
            "no_congress",
            ("SEQ-020", "CON-028"),
            "What a Congress adopts is signed with the ballot, or when the Congress asks.",
        )
    return treaty
