"""Articles in free words, and about coaling: a signer charges another with breaking one, and the others judge.

The engine cannot know what words mean, nor whether a fleet was coaled as it was promised. The signers other than the
accused judge, the accuser among them; more than half of them must find the breach, else there is none. Where only two
have signed nobody is left to judge: then the accuser must have made the article public, and all other seats are asked
(option `treaty_referee`).

Rules: TRE-004, TRE-007, TRE-012 (R-TRE-01)
"""

from __future__ import annotations

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import secrecy
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import Claim, Treaty
from paxtui.pax.treaties import breaches
from paxtui.pax.treaties.finding import article, binding, known
from paxtui.pax.treaties.treaty_watch import bound
from paxtui.pax.words.spoken import power_name


def judges(tables: Tables, state: State, treaty: Treaty, charge: Claim) -> tuple[str, ...]:
    """Seats that judge a charge: those of the other signers, or where it is for referees all but the two sides.

    Rules: TRE-007 (R-TRE-01)
    """
    accused, accuser = seat_of(tables, state, charge.against), seat_of(tables, state, charge.by)
    if charge.referee:
        return tuple(seat for seat in state.players if seat not in (accused, accuser))
    signers = secrecy.seats_of(tables, state, treaty.bound)
    return tuple(seat for seat in signers if seat != accused)


def charge(play: Play, power: str, action: ac.Charge) -> None:
    """Charge another signer with breaking an article that is judged; the accuser's own verdict is guilty.

    Raises: Refusal `no_article`, `watched`, `at_peace`, `not_bound`, `yourself`, `charged`, `no_judge`, `hidden`.
    Rules: TRE-004, TRE-007, TRE-012 (R-TRE-01)
    """
    tables, state = play.tables, play.state
    treaty = binding(play, power, action.id)
    n = article(play, power, treaty, action.article)
    clause = treaty.clauses[n]
    if not KINDS[clause.kind].judged:
        refuse(
            "watched",
            ("TRE-004", "TRE-007"),
            "The game itself watches that article and needs no judges; only articles in words, and about coaling, are "
            "judged.",
        )
    if clause.to and not any(war.side_of(clause.to) for war in state.wars):
        refuse(
            "at_peace", ("TRE-007",), f"{power_name(tables, clause.to)} is in no War, so nothing is due to it by that."
        )
    if action.against not in bound(treaty, clause):
        refuse("not_bound", ("TRE-007",), f"{power_name(tables, action.against)} is not bound by it.")
    if seat_of(tables, state, action.against) == seat_of(tables, state, power):
        refuse("yourself", ("TRE-007",), "A charge is brought against another player.")
    again = any((c.clause, c.against) == (n, action.against) for c in treaty.charges)
    broken = any((b.clause, b.power, b.turn) == (n, action.against, state.turn) for b in treaty.breaches)
    if again or broken:
        refuse("charged", ("TRE-007",), "That charge is brought already." if again else "That breach is known already.")
    made = Claim(n, power, action.against, state.turn)
    referee = len(judges(tables, state, treaty, made)) < 2
    if referee and not state.options.treaty_referee:
        refuse(
            "no_judge",
            ("TRE-007",),
            "With two signers nobody is left to judge, and this game has no referees: there is no breach.",
        )
    if referee and not breaches.known_to_all(treaty, n):
        refuse(
            "hidden",
            ("TRE-012", "TRE-007"),
            "With two signers the other seats judge, and they must be able to read the article: reveal it first.",
        )
    play.emit(
        ev.BreachCharged(
            id=treaty.id,
            clause=n,
            power=power,
            against=action.against,
            turn=state.turn,
            referee=referee,
            rules=("TRE-007", "TRE-004"),
        )
    )
    _decide(play, treaty.id, n, action.against)


def judge(play: Play, power: str, action: ac.Judge) -> None:
    """Give a verdict on a charge, as a seat.

    Raises: Refusal `no_treaty`, `no_article`, `no_charge`, `no_judge`, `judged`.
    Rules: TRE-007 (R-TRE-01)
    """
    tables, state = play.tables, play.state
    treaty = known(play, power, action.id)
    n = article(play, power, treaty, action.article)
    seat = seat_of(tables, state, power)
    found = next((c for c in treaty.charges if (c.clause, c.against) == (n, action.against)), None)
    if found is None or (not found.referee and not secrecy.inside(tables, state, treaty, seat)):
        refuse("no_charge", (), "You know of no such charge.")
    if seat not in judges(tables, state, treaty, found):
        refuse("no_judge", ("TRE-007",), f"{power_name(tables, power)} does not judge this charge.")
    if seat in _said(tables, state, found):
        refuse("judged", ("TRE-007",), "You have given your verdict.")
    play.emit(
        ev.BreachJudged(
            id=treaty.id, clause=n, power=seat, against=action.against, guilty=action.guilty, rules=("TRE-007",)
        )
    )
    _decide(play, treaty.id, n, action.against)


def owes_verdict(tables: Tables, state: State, treaty: Treaty, claim: Claim, seat: str) -> bool:
    """Whether a seat is to judge a charge and has not."""
    return seat in judges(tables, state, treaty, claim) and seat not in _said(tables, state, claim)


def _said(tables: Tables, state: State, charge: Claim) -> dict[str, bool]:
    """Verdicts by seat."""
    return {seat_of(tables, state, power): guilty for power, guilty in charge.verdicts.items()}


def _decide(play: Play, id_: str, clause: int, against: str) -> None:
    """Close a charge once more than half of the judges find a breach, or no longer can.

    Raises: GameOver.
    Rules: TRE-007, ETI-027 (R-TRE-01)
    """
    treaty = breaches.treaty_of(play, id_)
    found = next((c for c in treaty.charges if (c.clause, c.against) == (clause, against)), None) if treaty else None
    if treaty is None or found is None:
        return
    bench = judges(play.tables, play.state, treaty, found)
    said = _said(play.tables, play.state, found)
    guilty = sum(1 for seat in bench if said.get(seat) is True)
    innocent = sum(1 for seat in bench if said.get(seat) is False)
    if 2 * guilty > len(bench):
        _close(play, treaty, found, True)
        breaches.break_clause(play, treaty, clause, against, "found guilty of breaking it", ("TRE-004",))
    elif 2 * innocent >= len(bench):
        _close(play, treaty, found, False)


def _close(play: Play, treaty: Treaty, found: Claim, guilty: bool) -> None:
    play.emit(
        ev.ChargeClosed(
            id=treaty.id, clause=found.clause, against=found.against, guilty=guilty, rules=("TRE-007", "TRE-004")
        )
    )


def drop(play: Play, treaty: Treaty) -> None:
    """Charges of earlier Game Turns without a majority come to nothing. Rules: TRE-007 (R-TRE-01)."""
    for found in treaty.charges:
        if found.turn < play.state.turn:
            _close(play, treaty, found, False)
