"""Breaches of Treaties: detection, costs, granted Casus Belli, and charges that the signers judge.

The kind of a clause says which acts break or keep it (`paxtui.games.pax.clauses`). The engine watches only what it can
detect. A breach costs tensions once a Treaty and gives each other signer a Casus Belli, once it is public. Secret
breaches are recorded at once and cost nothing until a signer publishes them. The same holds for shared Casus Belli.

Articles in free words and about coaling are judged by the signers other than the accused; a breach needs more than half
of them. If only two have signed, the accuser must publish the article, and all other seats judge (option
`treaty_referee`).

Rules: R-TRE-07, R-WAR-20
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paxtui.games.pax import casus_belli, visibility
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses import registry
from paxtui.games.pax.clauses.kind import BROKEN, DUE, HOLDS, KEPT, OVER, BoundClause, DoneParts
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.events.treaties import BREACH_WORDING
from paxtui.games.pax.state.diplomacy import IN_FORCE, Claim, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.state.war import WAR
from paxtui.games.pax.text.display import power_name, reword
from paxtui.games.pax.transaction import ActTable, Transaction, refuse
from paxtui.games.pax.treaties.lookup import article_index, binding_treaty, display_name, known_treaty

BREACH_TENSION = 5
"""Points by which a broken Treaty raises the European Tensions Index (ETI-027)."""
WHOLE_TREATY = -1
"""Clause number that means the whole Treaty."""
BREACH_CAUSE = "treaty_broken"
GRANTED_CAUSE = "treaty_grants"
"""Row of the Casus Belli Summary for a granted cause."""
SHARED_CAUSE = "shared_cause"


def is_clause_public(treaty: Treaty, clause: int) -> bool:
    """Return whether all players may read a clause.

    The whole Treaty counts as public if it is public with open articles in force.

    Rules: TRE-011, TRE-012 (Decision 49)
    """
    if not treaty.public:
        return False
    if clause == WHOLE_TREATY:
        return not treaty.public_end
    return not treaty.clauses[clause].secret or clause in treaty.shown


def break_clause(
    play: Transaction, treaty: Treaty, clause: int, power: str, what: str, rules: tuple[str, ...] = ()
) -> None:
    """Record that `power` has broken a clause (or `WHOLE_TREATY`); a public breach counts at once.

    A clause broken again in the same Game Turn is the same breach.

    Raises: GameOver, if the tensions reach 100.
    Rules: TRE-007, TRE-012, ETI-027
    """
    turn = play.state.turn
    now = play.state.treaty(treaty.id) or treaty
    if any((b.clause, b.power, b.turn) == (clause, power, turn) for b in now.breaches):
        return
    opened = is_clause_public(now, clause)
    play.emit(
        ev.TreatyBroken(
            id=treaty.id, clause=clause, power=power, turn=turn, what=what, open=opened, rules=("TRE-007", *rules)
        )
    )
    if opened:
        _give_breach_causes(play, treaty.id, power, clause, turn)
        if not any(b.open and (b.power, b.turn) == (power, turn) for b in now.breaches):
            _raise_breach_tension(play, treaty, power)


def open_breaches(play: Transaction, id_: str) -> None:
    """Count the recorded breaches of public articles after a Treaty was published.

    Raises: GameOver.
    Rules: TRE-012, ETI-027 (R-TRE-04)
    """
    treaty = play.state.treaty(id_)
    if treaty is None:
        return
    paid = {(b.power, b.turn) for b in treaty.breaches if b.open}
    for breach in treaty.breaches:
        if not breach.open and is_clause_public(treaty, breach.clause):
            play.emit(ev.BreachOpened(id=id_, clause=breach.clause, power=breach.power, rules=("TRE-012",)))
            _give_breach_causes(play, id_, breach.power, breach.clause, breach.turn)
            if (breach.power, breach.turn) not in paid:
                paid.add((breach.power, breach.turn))
                _raise_breach_tension(play, treaty, breach.power)


def _give_breach_causes(play: Transaction, id_: str, power: str, clause: int, turn: int) -> None:
    """Give the other signers a Casus Belli for a public breach. Rules: TRE-007, TRE-016, AUS-006 (R-TRE-02)."""
    treaty = play.state.treaty(id_)
    for other in _wronged_signers(treaty, (clause, power, turn)) if treaty else ():
        casus_belli.create_casus_belli(play, other, power, "", BREACH_CAUSE, ("TRE-007",), treaty=id_)


def _raise_breach_tension(play: Transaction, treaty: Treaty, power: str) -> None:
    """Raise the tensions for a broken Treaty, once in each Game Turn with a breach."""
    play.tension(BREACH_TENSION, f"{display_name(play.tables, treaty)} broken", ("ETI-027",), power)


def _wronged_signers(treaty: Treaty, breach: tuple[int, str, int]) -> tuple[str, ...]:
    """Return the other signers towards which the Treaty bound the breaker at the breach.

    These include those that have broken with it since, or between which and the breaker it has ended since.
    """
    recorded = [(b.clause, b.power, b.turn) for b in treaty.breaches]
    before = recorded.index(breach) if breach in recorded else len(recorded)
    gone_later = {who for clause, who, _ in recorded[before:] if clause == WHOLE_TREATY}

    def was_bound(party: str) -> bool:
        end = treaty.partial_end(breach[1], party)
        return end.breaches > before if end else party not in treaty.left or party in gone_later

    return tuple(p for p in treaty.parties if p != breach[1] and was_bound(p))


_WATCHING: dict[type[ev.Event], frozenset[str]] = {
    event: frozenset(kind.id for kind in CLAUSE_KINDS.values() if kind.watch and event in kind.watch.events)
    for event in {event for kind in CLAUSE_KINDS.values() if kind.watch for event in kind.watch.events}
}
"""For each event, the kinds of clause that it may break or keep."""


def treaties_in_force(state: State) -> list[Treaty]:
    """Return the agreements that bind now."""
    return [t for t in state.treaties if t.stage == IN_FORCE]


def bound_powers(treaty: Treaty, clause: Clause) -> tuple[str, ...]:
    """Return the Powers that owe a clause: the one it names, or all parties.

    Released ones owe nothing, and those between which the Treaty has ended owe each other nothing.

    Rules: TRE-015, WAR-041
    """
    named = (clause.power,) if clause.power else treaty.parties
    return tuple(p for p in named if p in treaty.bound and not treaty.partial_end(p, clause.to))


def is_between_enemies(state: State, clause: Clause) -> bool:
    """Return whether the Power that owes a clause is at War with the one that it is owed to. Rules: WAR-041."""
    return bool(clause.to) and any(war.opposes(clause.power, clause.to) for war in state.wars)


def is_awake(state: State, treaty: Treaty, n: int) -> bool:
    """Return whether a clause binds in this Game Turn: within its turns, and after the event it waits for.

    A clause to keep binds while it is awake. A clause to carry out is due once it has been awake, in the turn or for
    good. What one Power owes another does not bind while the two are at War, even if they agreed on it during the War.

    Rules: TRE-004, TRE-005, WAR-041 (Decisions 47 and 69)
    """
    clause = treaty.clauses[n]
    if is_between_enemies(state, clause) or not bound_powers(treaty, clause):
        return False
    act = CLAUSE_KINDS[clause.kind].act
    if act and clause.turn and state.turn < clause.turn:
        return False
    if act and clause.upon:
        turns = [due.turn for due in treaty.due if due.clause == n]
        return state.turn in turns if clause.every_turn else bool(turns)
    if clause.until and state.turn > clause.until:
        return False
    return clause.upon is None or registry.has_happened(state, clause.upon)


def done_parts(treaty: Treaty, n: int) -> DoneParts:
    """Return the completed parts of a clause."""
    return frozenset(done.part for done in treaty.done if done.clause == n)


def is_done(treaty: Treaty, n: int, turn: int) -> bool:
    """Return whether a clause is carried out: once, or in this Game Turn if it is due in each."""
    return (turn if treaty.clauses[n].every_turn else 0) in done_parts(treaty, n)


def watch_treaties(play: Transaction) -> None:
    """Record what the events since the last check have broken or kept.

    Raises: GameOver.
    Rules: TRE-004, TRE-007
    """
    new = enumerate(play.events[play.watched :], play.watched)
    play.watched = len(play.events)
    treaties = treaties_in_force(play.state)
    events = [(event, play.agreed.get(i, ())) for i, event in new if type(event) in _WATCHING] if treaties else []
    if not events:
        return
    kinds = frozenset().union(*(_WATCHING[type(event)] for event, _ in events))
    for treaty in treaties:
        for n, clause in enumerate(treaty.clauses):
            if clause.kind in kinds and is_awake(play.state, treaty, n):
                for power in bound_powers(treaty, clause):
                    _watch_clause(play, treaty, n, power, [e for e in events if clause.kind in _WATCHING[type(e[0])]])
    play.watched = len(play.events)


def _watch_clause(
    play: Transaction, treaty: Treaty, n: int, power: str, events: Sequence[tuple[ev.Event, tuple[str, ...]]]
) -> None:
    """Record what a Power has done about a clause that binds it. `events`: each with the Powers that agreed to it.

    An act that all other signers have agreed to breaks nothing; granting or handing over a marker is such an agreement.

    Rules: TRE-004, TRE-007 (Decision 48)
    """
    clause = treaty.clauses[n]
    watch = CLAUSE_KINDS[clause.kind].watch
    assert watch is not None
    others = set(treaty.partners(power))
    for event, agreed in events:
        case = BoundClause(play.tables, play.state, clause, power)
        what = watch.breaks(case, event) if watch.breaks and not others <= set(agreed) else ""
        if what:
            break_clause(play, treaty, n, power, what)
            return
        done = done_parts(play.state.treaty(treaty.id) or treaty, n)
        for part in watch.keeps(case, done, event) if watch.keeps else ():
            if part not in done:
                play.emit(ev.ClauseDone(id=treaty.id, clause=n, part=part, rules=("TRE-004",)))


def is_forbidden(tables: Tables, state: State, event: ev.Event, power: str) -> bool:
    """Return whether an event would break a clause that binds the Power; a Minor Power then does not act.

    Rules: TRE-004, MIN-037 (Decision 46)
    """
    after: State | None = None
    for treaty in treaties_in_force(state):
        for n, clause in enumerate(treaty.clauses):
            watch = CLAUSE_KINDS[clause.kind].watch if type(event) in _WATCHING else None
            if watch and watch.breaks and type(event) in watch.events and power in bound_powers(treaty, clause):
                after = after or evolve(state, event)
                if is_awake(state, treaty, n) and watch.breaks(BoundClause(tables, after, clause, power), event):
                    return True
    return False


def check_phase_end(play: Transaction) -> None:
    """Record breaches at the end of the Phase: units not built, and units in forbidden places.

    A Minor Power is not blamed for units that it cannot move.

    Raises: GameOver.
    Rules: TRE-004, TRE-007
    """
    for treaty in treaties_in_force(play.state):
        for n, clause in enumerate(treaty.clauses):
            duty = CLAUSE_KINDS[clause.kind].duty
            if duty is None or duty.phase != play.state.phase or not is_awake(play.state, treaty, n):
                continue
            if clause.turn in (0, play.state.turn):
                for power in (p for p in bound_powers(treaty, clause) if p not in play.state.minors):
                    what = duty.lacks(BoundClause(play.tables, play.state, clause, power), done_parts(treaty, n))
                    if what:
                        break_clause(play, treaty, n, power, what)


def clause_status(tables: Tables, state: State, treaty: Treaty, n: int) -> str:
    """Return the status of a clause: KEPT, DUE, BROKEN, HOLDS, or OVER if it has ended between its two Powers.

    A clause broken in this Game Turn stays broken to its end. A lasting clause with an older breach shows as kept
    again.
    """
    clause, kind = treaty.clauses[n], CLAUSE_KINDS[treaty.clauses[n].kind]
    for_good = bool(kind.phases) or kind.is_judged
    if any(b.clause == n and (for_good or b.turn == state.turn) for b in treaty.breaches):
        return BROKEN
    if treaty.partial_end(clause.power, clause.to):
        return OVER
    owing = bound_powers(treaty, clause)
    if treaty.stage != IN_FORCE or not owing or not is_awake(state, treaty, n):
        return HOLDS
    if is_done(treaty, n, state.turn):
        return KEPT
    if kind.act:
        return DUE
    done = done_parts(treaty, n)
    if kind.duty and any(kind.duty.lacks(BoundClause(tables, state, clause, p), done) for p in owing):
        return DUE
    return kind.idle_status


def describe_breach(tables: Tables, treaty: Treaty, clause: int, power: str, what: str) -> str:
    """Return a sentence about a breach."""
    where = "leaves" if clause < 0 else f"breaks article {clause + 1} of"
    act = reword(what, BREACH_WORDING)
    return f"{power_name(tables, power)} {where} {display_name(tables, treaty)}" + (f": {act}" if act else "")


def grant_on_declaration(play: Transaction, power: str, on: Iterable[str]) -> None:
    """Grant Casus Belli by Treaty after a Power has declared War on others. Rules: TRE-009, TRE-017, WAR-037."""
    for treaty in treaties_in_force(play.state):
        _grant_causes(play, treaty, power, tuple(on))


def grant_on_publication(play: Transaction, id_: str) -> None:
    """Grant Casus Belli by a published agreement for Wars that its signers have begun or joined.

    A Power needs no Casus Belli to join an Ottoman War, so it shares none.

    Rules: TRE-009, TRE-012, WAR-037
    """
    treaty = play.state.treaty(id_)
    if treaty is None:
        return
    for war in play.state.wars:
        for power in war.declared:
            _grant_causes(play, treaty, power, tuple(p for p in play.tables.powers if war.opposes(power, p)))
        for power in (p for p in treaty.bound if p in play.state.powers and p not in war.declared and war.kind == WAR):
            on = play.state.powers[power].declared_on
            _grant_causes(play, treaty, power, tuple(p for p in on if war.opposes(power, p)))


def _grant_causes(play: Transaction, treaty: Treaty, power: str, on: tuple[str, ...]) -> None:
    """Grant the Casus Belli of one agreement for the War of one signer on others."""
    partners = treaty.partners(power)
    for n, clause in enumerate(treaty.clauses):
        shared = clause.kind == SHARED_CAUSE and is_clause_public(treaty, n)
        if not shared or not is_awake(play.state, treaty, n):
            continue
        for foe in on:
            meant = foe in clause.against if clause.against else foe not in treaty.bound
            for other in partners if meant and foe in play.tables.powers else ():
                if other != foe and not any(war.opposes(other, foe) for war in play.state.wars):
                    rules = ("TRE-009", "TRE-017", "WAR-037")
                    casus_belli.create_casus_belli(play, other, foe, "", GRANTED_CAUSE, rules, treaty=treaty.id)


def judging_seats(tables: Tables, state: State, treaty: Treaty, charge: Claim) -> tuple[str, ...]:
    """Return the seats that judge a charge: the other signers, or with referees all but the two sides.

    Rules: TRE-007 (R-TRE-01)
    """
    accused, accuser = seat_of(tables, state, charge.against), seat_of(tables, state, charge.by)
    if charge.referee:
        return tuple(seat for seat in state.players if seat not in (accused, accuser))
    signers = visibility.seats_of(tables, state, treaty.bound)
    return tuple(seat for seat in signers if seat != accused)


def charge_breach(play: Transaction, power: str, action: actions.Charge) -> None:
    """Charge another signer with breaking an article that is judged; the accuser's own verdict is guilty.

    Raises: Refusal `no_article`, `watched`, `at_peace`, `not_bound`, `yourself`, `charged`, `no_judge`, `hidden`.
    Rules: TRE-004, TRE-007, TRE-012 (R-TRE-01)
    """
    tables, state = play.tables, play.state
    treaty = binding_treaty(play, power, action.id)
    n = article_index(play, power, treaty, action.article)
    clause = treaty.clauses[n]
    if not CLAUSE_KINDS[clause.kind].is_judged:
        refuse(
            "watched",
            ("TRE-004", "TRE-007"),
            "The game checks that article itself. Only articles in free words, and about coaling, are judged.",
        )
    if clause.to and not any(war.side_of(clause.to) for war in state.wars):
        refuse(
            "at_peace",
            ("TRE-007",),
            f"{power_name(tables, clause.to)} is not at War, so nothing is due to it under that article.",
        )
    bound = set(bound_powers(treaty, clause)) & {power, *treaty.partners(power)}
    if action.against not in bound or is_between_enemies(state, clause):
        refuse("not_bound", ("TRE-007",), f"{power_name(tables, action.against)} is not bound by that article.")
    if seat_of(tables, state, action.against) == seat_of(tables, state, power):
        refuse("yourself", ("TRE-007",), "You can only charge another player.")
    again = any((c.clause, c.against) == (n, action.against) for c in treaty.charges)
    broken = any((b.clause, b.power, b.turn) == (n, action.against, state.turn) for b in treaty.breaches)
    if again or broken:
        refuse(
            "charged", ("TRE-007",), "That charge has already been made." if again else "That breach is already known."
        )
    made = Claim(n, power, action.against, state.turn)
    referee = len(judging_seats(tables, state, treaty, made)) < 2
    if referee and not state.options.treaty_referee:
        refuse(
            "no_judge",
            ("TRE-007",),
            "No seat can judge the charge: the Treaty has only two signers, and this game has no referees.",
        )
    if referee and not is_clause_public(treaty, n):
        refuse(
            "hidden",
            ("TRE-012", "TRE-007"),
            "The Treaty has only two signers, so the other seats judge. Reveal the article first: they "
            "must be able to read it.",
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
    _decide_charge(play, treaty.id, n, action.against)


def give_verdict(play: Transaction, power: str, action: actions.Judge) -> None:
    """Give a verdict on a charge, as a seat.

    Raises: Refusal `no_treaty`, `no_article`, `no_charge`, `no_judge`, `judged`.
    Rules: TRE-007 (R-TRE-01)
    """
    tables, state = play.tables, play.state
    treaty = known_treaty(play, power, action.id)
    n = article_index(play, power, treaty, action.article)
    seat = seat_of(tables, state, power)
    found = next((c for c in treaty.charges if (c.clause, c.against) == (n, action.against)), None)
    if found is None or (not found.referee and not visibility.is_insider(tables, state, treaty, seat)):
        refuse("no_charge", (), "You know no such charge.")
    if seat not in judging_seats(tables, state, treaty, found):
        refuse("no_judge", ("TRE-007",), f"{power_name(tables, power)} is not a judge of this charge.")
    if seat in _verdicts(tables, state, found):
        refuse("judged", ("TRE-007",), "You have already given your verdict.")
    play.emit(
        ev.BreachJudged(
            id=treaty.id, clause=n, power=seat, against=action.against, guilty=action.guilty, rules=("TRE-007",)
        )
    )
    _decide_charge(play, treaty.id, n, action.against)


def owes_verdict(tables: Tables, state: State, treaty: Treaty, claim: Claim, seat: str) -> bool:
    """Return whether a seat has still to judge a charge."""
    return seat in judging_seats(tables, state, treaty, claim) and seat not in _verdicts(tables, state, claim)


def _verdicts(tables: Tables, state: State, charge: Claim) -> dict[str, bool]:
    return {seat_of(tables, state, power): guilty for power, guilty in charge.verdicts.items()}


def _decide_charge(play: Transaction, id_: str, clause: int, against: str) -> None:
    """Close a charge once more than half of the judges find a breach, or no longer can."""
    treaty = play.state.treaty(id_)
    found = next((c for c in treaty.charges if (c.clause, c.against) == (clause, against)), None) if treaty else None
    if treaty is None or found is None:
        return
    bench = judging_seats(play.tables, play.state, treaty, found)
    verdicts = _verdicts(play.tables, play.state, found)
    guilty = sum(1 for seat in bench if verdicts.get(seat) is True)
    innocent = sum(1 for seat in bench if verdicts.get(seat) is False)
    if 2 * guilty > len(bench):
        _close_charge(play, treaty, found, True)
        break_clause(play, treaty, clause, against, "found guilty of breaking it", ("TRE-004",))
    elif 2 * innocent >= len(bench):
        _close_charge(play, treaty, found, False)


def _close_charge(play: Transaction, treaty: Treaty, found: Claim, guilty: bool) -> None:
    play.emit(
        ev.ChargeClosed(
            id=treaty.id, clause=found.clause, against=found.against, guilty=guilty, rules=("TRE-007", "TRE-004")
        )
    )


def drop_old_charges(play: Transaction, treaty: Treaty) -> None:
    """Drop charges of earlier Game Turns without a majority. Rules: TRE-007 (R-TRE-01)."""
    for found in treaty.charges:
        if found.turn < play.state.turn:
            _close_charge(play, treaty, found, False)


ACTS: ActTable = {
    actions.Charge: dict.fromkeys(PHASES, charge_breach),
    actions.Judge: dict.fromkeys(PHASES, give_verdict),
}
