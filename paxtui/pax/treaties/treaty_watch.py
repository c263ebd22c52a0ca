"""Watching Treaties: what an act breaks or keeps, and what each clause is worth just now.

Only clauses that the engine can see are watched; words are judged by the signers (R-TRE-01). Clauses about wars
sleep until there are wars.

Rules: TRE-004, TRE-007, TRE-014, TRE-015 (R-TRE-01)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, LEVEL, NAVAL, unit_of
from paxtui.pax.state.treaty import IN_FORCE, Clause, Treaty
from paxtui.pax.treaties import breaches
from paxtui.pax.words.spoken import power_name

KEPT, DUE, BROKEN, ASLEEP = "kept", "due", "broken", "asleep"
"""What a clause may be."""

WARLIKE = ("defensive", "offensive", "non_aggression", "shared_cause", "coaling", "passage")
"""Kinds of clause that only a War wakes."""
ACTS = ("pay", "transfer", "grant", "lower", "codominion", "waive")
"""Kinds that are done once, or once a Game Turn."""


# --- who is bound -------------------------------------------------------------------------------------------------


def in_force(state: State) -> list[Treaty]:
    """The agreements that bind now."""
    return [t for t in state.treaties if t.stage == IN_FORCE]


def bound(treaty: Treaty, clause: Clause) -> tuple[str, ...]:
    """Powers that owe a clause: the one it names, or all parties; nobody whom the Treaty has let go."""
    named = (clause.power,) if clause.power else treaty.parties
    return tuple(p for p in named if p in treaty.bound)


def awake(state: State, clause: Clause) -> bool:
    """Whether a clause binds in this Game Turn: not before its turn, not after its last one, not before what it waits
    for."""
    if clause.until and state.turn > clause.until:
        return False
    if clause.turn and state.turn < clause.turn and clause.kind in ACTS:
        return False
    return not clause.upon or happened(state, clause.upon)


def happened(state: State, upon: str) -> bool:
    """Whether what a clause waits for has happened: `control POWER AREA`, `unrest AREA`; Wars are still to come."""
    kind, *words = upon.split()
    if kind == "control" and len(words) == 2 and words[1] in state.areas:
        return any(
            m.power == words[0] and m.established and LEVEL[m.marker] >= LEVEL["protectorate"]
            for m in state.areas[words[1]].markers
        )
    if kind == "unrest" and words and words[0] in state.areas:
        return state.areas[words[0]].unrest
    return False


# --- what an act breaks -------------------------------------------------------------------------------------------


def _kind_fits(clause: Clause, name: str) -> bool:
    """Whether a unit is of the kind a clause speaks of: army, naval, or any."""
    if ARMY in clause.units or NAVAL in clause.units:
        return (ARMY if name[0] == "A" else NAVAL) in clause.units
    return not clause.units or name in clause.units


def _strength(state: State, clause: Clause, power: str) -> int:
    """Strength points of a Power in the places of a clause."""
    return sum(
        u.strength
        for place in clause.places
        for u in units_at(state, place)
        if u.power == power and _kind_fits(clause, u.name)
    )


def _no_marker(state: State, clause: Clause, power: str, event: ev.Event) -> str:
    if isinstance(event, ev.MarkerPlaced):
        who, marker, area = event.power, event.marker, event.area
    elif isinstance(event, ev.MarkerTransferred):
        who, marker, area = event.to, event.marker, event.area
    else:
        return ""
    if who != power or area not in clause.places:
        return ""
    if clause.marker and LEVEL[marker] < LEVEL[clause.marker]:
        return ""
    return f"places {marker} in {area}"


def _no_unit(state: State, clause: Clause, power: str, event: ev.Event) -> str:
    names: Sequence[str] = ()
    place = ""
    if isinstance(event, ev.UnitsMoved) and event.power == power and event.path[-1] in clause.places:
        if event.path[0] not in clause.places:
            names, place = event.units, event.path[-1]
    elif isinstance(event, ev.UnitsBuilt) and event.power == power and event.place in clause.places:
        names, place = event.units, event.place
    fit = [n for n in names if _kind_fits(clause, n)]
    return f"{' '.join(fit)} in {place}" if fit else ""


def _at_most(state: State, clause: Clause, power: str, event: ev.Event) -> str:
    """Only what brings more in breaks a cap; what stood there when it was signed has the Movement Phase to leave."""
    if not _no_unit(state, clause, power, event):
        return ""
    there = _strength(state, clause, power)
    return f"{there} strength points where {clause.amount} are allowed" if there > clause.amount else ""


def _no_build(state: State, clause: Clause, power: str, event: ev.Event) -> str:
    if not isinstance(event, ev.UnitsBuilt) or event.power != power:
        return ""
    fit = [n for n in event.units if _kind_fits(clause, n)]
    return f"builds {' '.join(fit)}" if fit else ""


BREAKS: dict[str, Callable[[State, Clause, str, ev.Event], str]] = {
    "no_marker": _no_marker,
    "no_unit": _no_unit,
    "at_most": _at_most,
    "no_build": _no_build,
}
"""For each kind that an act can break: whether this event of that Power does, in words; "" where it does not."""

WATCHED = (ev.MarkerPlaced, ev.MarkerTransferred, ev.UnitsMoved, ev.UnitsBuilt)
"""Events that may break or keep a clause."""

Acts = dict[str, list[ev.Event]]
"""What happened in an act, by the Power that did it."""


def watch(play: Play) -> None:
    """Record what the events of this act have broken or kept. Called once, after the act.

    Raises: GameOver.
    Rules: TRE-004, TRE-007
    """
    treaties = in_force(play.state)
    if not treaties:
        return
    acts: Acts = {}
    over = False
    for event in play.events:
        if isinstance(event, WATCHED):
            who = event.to if isinstance(event, ev.MarkerTransferred) else event.power
            acts.setdefault(who, []).append(event)
        elif isinstance(event, ev.PhaseBegan):
            over = over or event.phase == "colonial_combat"
    if not acts and not over:
        return
    for treaty in treaties:
        doers = tuple(p for p in treaty.bound if p in acts)
        for n, clause in enumerate(treaty.clauses):
            if doers and (not clause.power or clause.power in doers):
                _watch_clause(play, treaty, n, clause, acts, (clause.power,) if clause.power else doers)
            if over:
                _end_of_movement(play, treaty, n, clause)


def _watch_clause(play: Play, treaty: Treaty, n: int, clause: Clause, acts: Acts, doers: tuple[str, ...]) -> None:
    """What those who are bound by a clause have done about it."""
    breaks = BREAKS.get(clause.kind)
    if breaks is not None and awake(play.state, clause):
        for power in doers:
            for event in acts[power]:
                what = breaks(play.state, clause, power, event)
                if what:
                    breaches.break_clause(play, treaty, n, power, _told(play.tables, what))
                    break
    elif clause.kind == "build":
        _count_built(play, treaty, n, clause, acts[clause.power])


def _told(tables: Tables, what: str) -> str:
    """What was done, with the names of places instead of their ids."""
    return " ".join(tables.areas[w].name if w in tables.areas else w for w in what.split(" "))


def _count_built(play: Play, treaty: Treaty, n: int, clause: Clause, found: Iterable[ev.Event]) -> None:
    """Units that a clause asks for and that are built: each is ticked off once, by its place in the clause.

    Rules: TRE-004
    """
    done = _ticked(treaty, n)
    for event in found:
        if not isinstance(event, ev.UnitsBuilt) or event.power != clause.power:
            continue
        for name in event.units:
            open_ = [i for i, wanted in enumerate(clause.units, 1) if i not in done and _same_unit(wanted, name)]
            if open_:
                done.add(open_[0])
                play.emit(ev.ClauseDone(id=treaty.id, clause=n, turn=open_[0], rules=("TRE-004",)))


def _same_unit(wanted: str, name: str) -> bool:
    unit = unit_of(name, "")
    return wanted in (name, unit.kind)


def _ticked(treaty: Treaty, n: int) -> set[int]:
    """Numbers (from 1) of the units of a `build` clause that stand already."""
    return {int(d.partition(":")[2]) for d in treaty.done if d.partition(":")[0] == str(n) and ":" in d}


def watch_votes(play: Play, proposer: str, places: tuple[str, ...], votes: dict[str, str]) -> None:
    """Votes promised: kept or broken when the ballots of a Congress are opened.

    Args: who tabled the proposal, the Areas it is about, and each seat's vote. A promise may be about the proposals
    of one Power (`to`), or about some Areas, only.

    Raises: GameOver.
    Rules: TRE-004, TRE-007
    """
    for treaty in in_force(play.state):
        for n, clause in enumerate(treaty.clauses):
            if clause.kind != "vote" or not awake(play.state, clause) or (clause.to and clause.to != proposer):
                continue
            if clause.places and not set(clause.places) & set(places):
                continue
            for power in bound(treaty, clause):
                said = votes.get(seat_of(play.tables, play.state, power))
                if said == clause.vote:
                    play.emit(ev.ClauseDone(id=treaty.id, clause=n, turn=0, rules=("TRE-004",)))
                elif said is not None:
                    breaches.break_clause(play, treaty, n, power, f"votes {said}, not {clause.vote}")


def _end_of_movement(play: Play, treaty: Treaty, n: int, clause: Clause) -> None:
    """What must have been done by the end of the Movement Phase: units built, units gone from where none may be.

    Rules: TRE-004, TRE-007
    """
    if not awake(play.state, clause):
        return
    for power in bound(treaty, clause):
        what = ""
        if clause.kind == "build" and play.state.turn >= (clause.turn or treaty.since):
            missing = [u for i, u in enumerate(clause.units, 1) if i not in _ticked(_now(play, treaty), n)]
            what = f"does not build {' '.join(missing)}" if missing else ""
            if play.state.turn > (clause.turn or treaty.since):
                what = ""  # that was the turn before: one breach
        elif clause.kind == "no_unit":
            there = [u.name for p in clause.places for u in units_at(play.state, p) if u.power == power]
            there = [name for name in there if _kind_fits(clause, name)]
            what = f"keeps {' '.join(there)} where none may be" if there else ""
        elif clause.kind == "at_most":
            there_now = _strength(play.state, clause, power)
            what = f"keeps {there_now} strength points where {clause.amount} are allowed" * (there_now > clause.amount)
        elif clause.kind == "at_least":
            there_now = _strength(play.state, clause, power)
            what = f"has {there_now} strength points where {clause.amount} must be" * (there_now < clause.amount)
        if what:
            breaches.break_clause(play, treaty, n, power, what)


def _now(play: Play, treaty: Treaty) -> Treaty:
    return breaches.treaty_of(play, treaty.id) or treaty


# --- what a clause is just now ------------------------------------------------------------------------------------


def status(tables: Tables, state: State, treaty: Treaty, n: int) -> str:
    """What a clause is just now: KEPT, DUE, BROKEN or ASLEEP.

    Broken in this Game Turn it stays broken to the end of the turn; an older breach of a lasting clause that is
    observed again shows as kept.
    """
    clause = treaty.clauses[n]
    if any(
        b.clause == n and (b.turn == state.turn or clause.kind in (*ACTS, "build", "text")) for b in treaty.breaches
    ):
        return BROKEN
    if treaty.stage != IN_FORCE or not bound(treaty, clause) or clause.kind in WARLIKE:
        return ASLEEP
    if not awake(state, clause):
        return ASLEEP
    if clause.kind in ACTS:
        return KEPT if is_done(treaty, n, clause, state.turn) else DUE
    if clause.kind == "build":
        return KEPT if len(_ticked(treaty, n)) >= len(clause.units) else DUE
    if clause.kind == "no_unit" or clause.kind == "at_most":
        cap = clause.amount if clause.kind == "at_most" else 0
        return DUE if any(_strength(state, clause, p) > cap for p in bound(treaty, clause)) else KEPT
    if clause.kind == "at_least":
        return DUE if any(_strength(state, clause, p) < clause.amount for p in bound(treaty, clause)) else KEPT
    if clause.kind == "vote":
        return KEPT if is_done(treaty, n, clause, state.turn) else ASLEEP
    return KEPT


def is_done(treaty: Treaty, n: int, clause: Clause, turn: int) -> bool:
    """Whether what a clause asks for is done: once, or in this Game Turn where it comes due in each."""
    return (f"{n}:{turn}" if clause.every_turn else str(n)) in treaty.done


def describe_breach(tables: Tables, treaty: Treaty, clause: int, power: str, what: str) -> str:
    """A breach in a sentence."""
    where = "leaves" if clause < 0 else f"breaks article {clause + 1} of"
    return f"{power_name(tables, power)} {where} {treaty.name}" + (f": {what}" if what else "")
