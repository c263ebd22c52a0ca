"""Watching Treaties: what an act breaks or keeps, and what each clause is just now.

What breaks or keeps a clause is said by its kind (`paxtui.pax.clauses`). Only what the engine can see is watched;
words are judged by the signers (R-TRE-01).

Rules: TRE-004, TRE-007, TRE-014, TRE-015 (R-TRE-01)
"""

from __future__ import annotations

from collections.abc import Sequence

from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses import upon
from paxtui.pax.clauses.kind import ASLEEP, BROKEN, DUE, KEPT, Case, Done
from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.history import events as ev
from paxtui.pax.history.evolve import evolve
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import IN_FORCE, Clause, Treaty
from paxtui.pax.treaties import breaches
from paxtui.pax.treaties.treaty_names import display_name
from paxtui.pax.words.spoken import power_name

_WATCHING: dict[type[ev.Event], frozenset[str]] = {
    event: frozenset(kind.id for kind in KINDS.values() if kind.watch and event in kind.watch.events)
    for event in {event for kind in KINDS.values() if kind.watch for event in kind.watch.events}
}
"""For each event that may break or keep a clause the kinds of clause that it may."""


# --- who is bound -------------------------------------------------------------------------------------------------


def in_force(state: State) -> list[Treaty]:
    """The agreements that bind now."""
    return [t for t in state.treaties if t.stage == IN_FORCE]


def bound(treaty: Treaty, clause: Clause) -> tuple[str, ...]:
    """Powers that owe a clause: the one it names, or all parties; nobody whom the Treaty has let go."""
    named = (clause.power,) if clause.power else treaty.parties
    return tuple(p for p in named if p in treaty.bound)


def awake(state: State, treaty: Treaty, n: int) -> bool:
    """Whether a clause binds in this Game Turn: not before its turn, not after its last one, and not before what it
    waits for has happened.

    What is kept binds while it is so; what is to be done is due once it has been so, in the turn or for good.

    Rules: TRE-004, TRE-005 (Decision 47)
    """
    clause = treaty.clauses[n]
    act = KINDS[clause.kind].act
    if act and clause.turn and state.turn < clause.turn:
        return False
    if act and clause.upon:
        turns = [due.turn for due in treaty.due if due.clause == n]
        return state.turn in turns if clause.every_turn else bool(turns)
    if clause.until and state.turn > clause.until:
        return False
    return clause.upon is None or upon.happened(state, clause.upon)


def done_by(treaty: Treaty, n: int) -> Done:
    """The parts of a clause that are done."""
    return frozenset(done.part for done in treaty.done if done.clause == n)


def is_done(treaty: Treaty, n: int, turn: int) -> bool:
    """Whether what a clause asks for is done: once, or in this Game Turn where it comes due in each."""
    return (turn if treaty.clauses[n].every_turn else 0) in done_by(treaty, n)


# --- what an act breaks -------------------------------------------------------------------------------------------


def watch(play: Play) -> None:
    """Record what the events since the last watch have broken or kept.

    Raises: GameOver.
    Rules: TRE-004, TRE-007
    """
    new = enumerate(play.events[play.watched :], play.watched)
    play.watched = len(play.events)
    treaties = in_force(play.state)
    events = [(event, play.agreed.get(i, ())) for i, event in new if type(event) in _WATCHING] if treaties else []
    if not events:
        return
    kinds = frozenset().union(*(_WATCHING[type(event)] for event, _ in events))
    for treaty in treaties:
        for n, clause in enumerate(treaty.clauses):
            if clause.kind in kinds and awake(play.state, treaty, n):
                for power in bound(treaty, clause):
                    _look(play, treaty, n, power, [e for e in events if clause.kind in _WATCHING[type(e[0])]])
    play.watched = len(play.events)


def _look(
    play: Play, treaty: Treaty, n: int, power: str, events: Sequence[tuple[ev.Event, tuple[str, ...]]]
) -> None:
    """What a Power has done about a clause that binds it. `events`: each with the Powers that have agreed to it.

    What all the other signers themselves have agreed to, as who grants or hands over a marker does, breaks nothing.

    Raises: GameOver.
    Rules: TRE-004, TRE-007 (Decision 48)
    """
    clause = treaty.clauses[n]
    watch = KINDS[clause.kind].watch
    assert watch is not None
    others = {p for p in treaty.bound if p != power}
    for event, agreed in events:
        case = Case(play.tables, play.state, clause, power)
        what = watch.breaks(case, event) if watch.breaks and not others <= set(agreed) else ""
        if what:
            breaches.break_clause(play, treaty, n, power, what)
            return
        done = done_by(breaches.treaty_of(play, treaty.id) or treaty, n)
        for part in watch.keeps(case, done, event) if watch.keeps else ():
            if part not in done:
                play.emit(ev.ClauseDone(id=treaty.id, clause=n, part=part, rules=("TRE-004",)))


def forbidden(tables: Tables, state: State, event: ev.Event, power: str) -> bool:
    """Whether an event would break a clause that binds the Power: a Minor Power keeps its word, and lets it be.

    Rules: TRE-004, MIN-037 (Decision 46)
    """
    after: State | None = None
    for treaty in in_force(state):
        for n, clause in enumerate(treaty.clauses):
            watch = KINDS[clause.kind].watch if type(event) in _WATCHING else None
            if watch and watch.breaks and type(event) in watch.events and power in bound(treaty, clause):
                after = after or evolve(state, event)
                if awake(state, treaty, n) and watch.breaks(Case(tables, after, clause, power), event):
                    return True
    return False


def phase_ends(play: Play) -> None:
    """What must be so when the present Phase ends, and is not: units not built, units where none may be.

    A Minor Power is not blamed for what stands where it cannot help it.

    Raises: GameOver.
    Rules: TRE-004, TRE-007
    """
    for treaty in in_force(play.state):
        for n, clause in enumerate(treaty.clauses):
            owed = KINDS[clause.kind].owed
            if owed is None or owed.phase != play.state.phase or not awake(play.state, treaty, n):
                continue
            if clause.turn in (0, play.state.turn):
                for power in (p for p in bound(treaty, clause) if p not in play.state.minors):
                    what = owed.lacks(Case(play.tables, play.state, clause, power), done_by(treaty, n))
                    if what:
                        breaches.break_clause(play, treaty, n, power, what)


# --- what a clause is just now ------------------------------------------------------------------------------------


def status(tables: Tables, state: State, treaty: Treaty, n: int) -> str:
    """What a clause is just now: KEPT, DUE, BROKEN or ASLEEP.

    Broken in this Game Turn it stays broken to the end of the turn; an older breach of a lasting clause that is
    observed again shows as kept.
    """
    clause, kind = treaty.clauses[n], KINDS[treaty.clauses[n].kind]
    for_good = bool(kind.phases) or kind.judged
    if any(b.clause == n and (for_good or b.turn == state.turn) for b in treaty.breaches):
        return BROKEN
    owing = bound(treaty, clause)
    if treaty.stage != IN_FORCE or not owing or not awake(state, treaty, n):
        return ASLEEP
    if is_done(treaty, n, state.turn):
        return KEPT
    if kind.act:
        return DUE
    done = done_by(treaty, n)
    if kind.owed and any(kind.owed.lacks(Case(tables, state, clause, p), done) for p in owing):
        return DUE
    return kind.idle


def describe_breach(tables: Tables, treaty: Treaty, clause: int, power: str, what: str) -> str:
    """A breach in a sentence."""
    where = "leaves" if clause < 0 else f"breaks article {clause + 1} of"
    return f"{power_name(tables, power)} {where} {display_name(tables, treaty)}" + (f": {what}" if what else "")
