"""How a Treaty ends: all let it lapse, release a party, one leaves it, or there is nothing left to do.

Rules: TRE-001, TRE-007, TRE-012, TRE-014 to TRE-016, AUS-003, AUS-005, AUS-006 (R-TRE-01, R-TRE-02, R-TRE-04, R-AUS-01)
"""

from __future__ import annotations

from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.treaty import IN_FORCE, Treaty
from paxtui.pax.treaties import breaches, charges, permanent
from paxtui.pax.treaties.finding import binding, hidden
from paxtui.pax.treaties.treaty_watch import is_done
from paxtui.pax.words.spoken import power_name, powers_named


def lapse(play: Play, power: str, action: ac.Lapse) -> None:
    """Agree that a Treaty ends; with the last agreement it does, without penalty.

    Raises: Refusal `permanent`, `minor`, `agreed`.
    Rules: TRE-014, AUS-003
    """
    treaty = binding(play, power, action.id)
    _not_permanent(play, treaty)
    _no_minor_power(play, treaty, "TRE-014")
    if power in treaty.lapse:
        refuse("agreed", ("TRE-014",), "You have agreed to that already.")
    play.emit(ev.LapseAgreed(id=treaty.id, power=power, rules=("TRE-014",)))
    _if_all_let_it_lapse(play, treaty.id)


def _if_all_let_it_lapse(play: Play, id_: str) -> None:
    treaty = breaches.treaty_of(play, id_)
    if treaty is not None and treaty.stage == IN_FORCE and set(treaty.bound) <= set(treaty.lapse):
        play.emit(ev.TreatyEnded(id=id_, reason="lapsed", rules=("TRE-014",)))


def release(play: Play, power: str, action: ac.Release) -> None:
    """Agree that a party leaves a Treaty; its own name asks for it. When all agree it goes without penalty.

    Raises: Refusal `permanent`, `minor`, `not_bound`, `agreed`.
    Rules: TRE-015, AUS-003
    """
    treaty = binding(play, power, action.id)
    _not_permanent(play, treaty)
    _no_minor_power(play, treaty, "TRE-015")
    if action.who not in treaty.bound:
        refuse("not_bound", ("TRE-015",), f"{power_name(play.tables, action.who)} is not bound by it.")
    if power in treaty.release.get(action.who, ()):
        refuse("agreed", ("TRE-015",), "You have agreed to that already.")
    play.emit(ev.ReleaseAgreed(id=treaty.id, power=power, who=action.who, rules=("TRE-015",)))
    agreed = {*treaty.release.get(action.who, ()), power}
    if set(treaty.bound) <= agreed:
        _leave(play, treaty, action.who, "released", ("TRE-015",))


def renounce(play: Play, power: str, action: ac.Renounce) -> None:
    """Leave a Treaty without the others' leave: that breaks it.

    Of the permanent Alliance both go their ways until it comes back.

    Raises: Refusal; GameOver, where the tensions reach 100.
    Rules: TRE-007, TRE-012, TRE-016, ETI-027, AUS-005, AUS-006 (R-TRE-02, R-TRE-04)
    """
    treaty = binding(play, power, action.id)
    if permanent.is_pact(play.tables, play.state, treaty):
        permanent.written_down(play, treaty)
        play.emit(ev.TreatyEnded(id=treaty.id, reason="broken", rules=("AUS-005", "AUS-006")))
        breaches.break_clause(play, treaty, breaches.WHOLE, power, "leaves it", ("TRE-016", "AUS-005"))
        return
    # what it costs comes last: tensions of 100 end the game
    after = [] if len(treaty.bound) > 2 else [ev.TreatyEnded(id=treaty.id, reason="broken", rules=("TRE-016",))]
    breaches.break_clause(play, treaty, breaches.WHOLE, power, "leaves it", ("TRE-016",))
    play.emit(ev.SignatoryLeft(id=treaty.id, power=power, reason="broken", rules=("TRE-016",)))
    for event in after:
        play.emit(event)
    _if_all_let_it_lapse(play, treaty.id)


def _leave(play: Play, treaty: Treaty, who: str, reason: str, rules: tuple[str, ...]) -> None:
    """One party goes; a Treaty of one is none."""
    play.emit(ev.SignatoryLeft(id=treaty.id, power=who, reason=reason, rules=rules))
    if len(treaty.bound) <= 2:
        play.emit(ev.TreatyEnded(id=treaty.id, reason="lapsed", rules=rules))
    _if_all_let_it_lapse(play, treaty.id)


def _not_permanent(play: Play, treaty: Treaty) -> None:
    """Raises: Refusal `permanent`. Rules: AUS-003."""
    if permanent.is_pact(play.tables, play.state, treaty):
        refuse("permanent", ("AUS-003",), "That Alliance is permanent: it can only be broken, and comes back.")


def _no_minor_power(play: Play, treaty: Treaty, rule: str) -> None:
    """Raises: Refusal `minor`, where not all can agree. Rules: TRE-014, TRE-015, MIN-002 (Decisions 23 and 46)."""
    minors = tuple(p for p in treaty.bound if p in play.state.minors)
    if minors:
        refuse(
            "minor",
            (rule, "MIN-002"),
            f"All whom it binds would have to agree, and {powers_named(play.tables, minors)} as a Minor Power agrees "
            f"to nothing outside a Congress of Europe.",
        )


def new_turn(play: Play) -> None:
    """At the start of a Game Turn: the permanent Alliance is back, claims not proven are dropped, what is over ends.

    Rules: AUS-005, TRE-007, TRE-014 (R-TRE-01, R-AUS-01)
    """
    permanent.new_turn(play)
    for treaty in play.state.treaties:
        charges.drop(play, treaty)
        if treaty.stage == IN_FORCE and not permanent.is_pact(play.tables, play.state, treaty):
            end_what_is_over(play, treaty.id, ("TRE-014",))


def end_what_is_over(play: Play, id_: str, rules: tuple[str, ...]) -> None:
    """End a Treaty that asks for nothing any more; where only secret articles still do, it ends for all but its
    parties, so that nobody else can tell by its end that there are any.

    Rules: TRE-004, TRE-011, TRE-014 (Decisions 49 and 72)
    """
    treaty = breaches.treaty_of(play, id_)
    if treaty is None or treaty.stage != IN_FORCE or not treaty.clauses:
        return
    left = {n for n in range(len(treaty.clauses)) if not _over(play, treaty, n)}
    secret = set(hidden(treaty))
    if not left:
        play.emit(ev.TreatyEnded(id=id_, reason="done", rules=rules))
    elif left <= secret and len(secret) < len(treaty.clauses) and not treaty.public_end:
        play.emit(ev.TreatyEnded(id=id_, reason="done", openly=True, rules=rules))


def _over(play: Play, treaty: Treaty, n: int) -> bool:
    """Whether a clause asks for nothing any more: done, broken for good, or its last Game Turn is past."""
    clause, turn = treaty.clauses[n], play.state.turn
    if 0 < clause.until < turn:
        return True
    kind = KINDS[clause.kind]
    if kind.latest:
        return clause.turn < turn
    broken = any(b.clause == n for b in treaty.breaches)
    return kind.act is not None and not clause.every_turn and (is_done(treaty, n, turn) or broken)
