"""Calling a Congress of Europe: who may call it, over which conflicts, at which site, and which seats are members.

All Casus Belli of two Powers over one Area, including mutual ones, are one conflict. Without an Area, each broken
Treaty is one conflict, and so is each other cause of its kind.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax import casus_belli, visibility
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import influence_holders, seat_of
from paxtui.games.pax.board.tables import MINOR_OR_EIGHTH_PLAYER, PLAYED_BY_GERMANY, Tables
from paxtui.games.pax.clauses.exchanges import WAIVE
from paxtui.games.pax.clauses.kind import clause_powers
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS, affected_powers, is_immediate
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import CasusBelli, Clause, Congress
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import Holding
from paxtui.games.pax.text.display import join_with_and, place_name, power_name, powers_text, sentence, the_power
from paxtui.games.pax.transaction import ActTable, GameOver, Transaction, refuse

CONVENING_TENSION = 3
"""Points by which the tensions rise when a Congress is called (ETI-015)."""


class Conflict(msgspec.Struct, frozen=True):
    """A conflict of two Powers over an Area ("" for none), and its Casus Belli."""

    pair: frozenset[str]
    area: str
    causes: tuple[CasusBelli, ...]

    @property
    def parties(self) -> frozenset[str]:
        """Return the two Powers, and the Minor Power that one of them defends."""
        return self.pair | {cause.minor for cause in self.causes if cause.minor}

    @property
    def of_markers(self) -> tuple[CasusBelli, ...]:
        """Return its causes that rest on incompatible markers."""
        standing = (*casus_belli.MARKER_CAUSES, casus_belli.DEFENCE)
        return tuple(c for c in self.causes if c.area and c.cause in standing)


def conflicts(causes: Iterable[CasusBelli]) -> tuple[Conflict, ...]:
    """Return the conflicts behind some Casus Belli, each once, in their order. Rules: ETI-016 (Decision 44)."""
    found: dict[tuple[frozenset[str], str, str], list[CasusBelli]] = {}
    for cause in causes:
        pair = frozenset((cause.holder, cause.against))
        about = "" if cause.area else cause.treaty or cause.cause
        found.setdefault((pair, cause.area, about), []).append(cause)
    return tuple(Conflict(pair, area, tuple(there)) for (pair, area, _), there in found.items())


def open_conflicts(state: State) -> tuple[Conflict, ...]:
    """Return the conflicts before the Congress that are still open. Rules: ETI-016, CON-010."""
    put = state.congress.causes if state.congress else ()
    return conflicts(cause for cause in state.casus_belli if cause.id in put)


def is_defied(state: State, conflict: Conflict) -> bool:
    """Return whether a party refused to sign a settlement of a conflict, so that no other Treaty can settle it now.

    Rules: CON-033
    """
    return state.congress is not None and any(c.id in state.congress.defied for c in conflict.causes)


def negotiable_conflicts(state: State) -> tuple[Conflict, ...]:
    """Return the conflicts that the Congress may still settle. Rules: CON-011, CON-033 (Decision 41)."""
    return tuple(conflict for conflict in open_conflicts(state) if not is_defied(state, conflict))


def conflicts_settled(tables: Tables, state: State, clauses: Iterable[Clause]) -> tuple[Conflict, ...]:
    """Return the conflicts before the Congress that some clauses settle once all have signed.

    A conflict of markers is settled by the markers. Any other conflict is settled in one of three ways: the Casus Belli
    is given up, its ground is gone, or the Treaty contains an immediate act between the two Powers that belongs to no
    other settlement in it.

    Raises: Refusal, if an immediate act is impossible.
    Rules: CON-011, CON-014, CON-028, CON-033 (Decisions 41, 42 and 74)
    """
    clauses = tuple(clauses)
    now = tuple(c for c in clauses if is_immediate(c))
    left = {c.id for c in state_after_signing(tables, state, now).casus_belli}
    found = open_conflicts(state)
    on_the_map = tuple(f for f in found if f.of_markers and all(c.id not in left for c in f.of_markers))
    done = []
    for conflict in found:
        if conflict.of_markers:
            over = conflict in on_the_map
        else:
            over = all(c.id not in left or _is_made_good(c, now, found, on_the_map) for c in conflict.causes)
            over = over or _is_settled_by_promise(conflict, clauses)
        if over and not is_defied(state, conflict):
            done.append(conflict)
    return tuple(done)


def _is_settled_by_promise(conflict: Conflict, clauses: tuple[Clause, ...]) -> bool:
    """Return whether a promise settles a conflict: only if it is over nothing but a broken Treaty."""
    if any(c.area or c.cause != "treaty_broken" for c in conflict.causes):
        return False
    bound = (set(affected_powers(c)) for c in clauses if not is_immediate(c))
    return any(not powers or powers & conflict.pair for powers in bound)


def conflicts_settled_if_possible(tables: Tables, state: State, clauses: Iterable[Clause]) -> tuple[Conflict, ...]:
    """Return `conflicts_settled`, or nothing if an act is impossible."""
    try:
        return conflicts_settled(tables, state, clauses)
    except Refusal:
        return ()


def state_after_signing(tables: Tables, state: State, now: tuple[Clause, ...]) -> State:
    """Return the position after some acts, signed by all required Powers and the silent parties.

    Powers whose consent is optional have not signed.

    Raises: Refusal.
    Rules: CON-023, CON-028, MIN-037
    """
    free = consenting_powers(state, now)
    signers = tuple(p for p in concerned_powers(tables, state, now) if p not in free)
    return settlement.settlement_outcome(tables, state, now, True, (*signers, *silent_parties(state)))


def concerned_powers(tables: Tables, state: State, clauses: Iterable[Clause]) -> tuple[str, ...]:
    """Return the Powers that some clauses bind, benefit, or need the agreement of, in the order of the powers table.

    Rules: CON-022, CON-031
    """
    named: set[str] = set()
    for clause in clauses:
        named.update(affected_powers(clause))
        if is_immediate(clause):
            named.update(settlement.required_signers(tables, state, (clause,)))
    return tuple(p for p in tables.parties if p in named)


def silent_parties(state: State) -> tuple[str, ...]:
    """Return the parties that accept each decision of the Congress: Minor Powers and the Ottoman Empire.

    Rules: MIN-037, EVT-035
    """
    congress = state.congress
    return tuple(p for p in congress.disputants if p not in state.powers) if congress else ()


def consenting_powers(state: State, clauses: Iterable[Clause]) -> tuple[str, ...]:
    """Return the Powers that keep an Influence in an Area where the Treaty lets others share Control.

    Their consent is optional; they give it by signing.

    Rules: CON-023 (Decision 41)
    """
    congress = state.congress
    shared = {c.places[0] for c in clauses if is_immediate(c) and is_sharing_clause(c)}
    holders = {p for area in shared for p in influence_holders(state, area)}
    return tuple(p for p in congress.disputants if p in holders) if congress else ()


def is_sharing_clause(clause: Clause) -> bool:
    """Return whether a clause makes an Area a shared one."""
    act = CLAUSE_KINDS[clause.kind].act
    return act is not None and act.holders


def _is_made_good(
    cause: CasusBelli, now: tuple[Clause, ...], found: tuple[Conflict, ...], on_the_map: tuple[Conflict, ...]
) -> bool:
    """Return whether an immediate act between the two Powers settles a Casus Belli that rests on no markers.

    Without an Area, a sanction also counts: the accused Power lowers a marker. If the holder names what it gives up,
    only that is given up.
    """
    if any(c.kind == WAIVE.id and c.power == cause.holder for c in now):
        return False
    return any(_settles_cause(cause, clause, found, on_the_map) for clause in now if clause.kind != WAIVE.id)


def _settles_cause(
    cause: CasusBelli, clause: Clause, found: tuple[Conflict, ...], on_the_map: tuple[Conflict, ...]
) -> bool:
    """Return whether an act belongs to a Casus Belli and not to a conflict of markers."""
    pair, area = {cause.holder, cause.against}, clause.places[0] if clause.places else ""
    powers = set(clause_powers(clause, CLAUSE_KINDS[clause.kind].signers))
    between = pair <= powers or (powers == {cause.against} and (not cause.area or cause.area == area))
    if not between or (area and area == cause.area):
        return between
    elsewhere = any(f.area == area and f.pair & powers for f in found if f.area)
    return not elsewhere and not any(f.pair == pair for f in on_the_map)


def cause_parties(cause: CasusBelli) -> tuple[str, ...]:
    """Return the parties to the dispute of a Casus Belli, including the defended Minor Power.

    Rules: CON-002, MIN-040
    """
    return tuple(p for p in (cause.holder, cause.against, cause.minor) if p)


def european_seats(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the seats of the European Great Powers: they may attend any Congress and invite others.

    Rules: CON-003, CON-042
    """
    return tuple(
        s for s in state.players if tables.powers[s].european and tables.powers[s].kind != MINOR_OR_EIGHTH_PLAYER
    )


def overseas_seats(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the seats that must be party, host or invited: the United States and Japan. Rules: CON-004."""
    return tuple(s for s in state.players if not _is_in_europe(tables, s))


def _is_in_europe(tables: Tables, power: str) -> bool:
    """Return whether the Home Country of a Power is in Europe, including the optional eighth player."""
    return tables.powers[power].european or tables.powers[power].kind == MINOR_OR_EIGHTH_PLAYER


def disputants(tables: Tables, causes: tuple[CasusBelli, ...]) -> tuple[str, ...]:
    """Return the Powers that are party to any of the disputes, in the order of the powers table.

    Rules: CON-002, CON-010, EVT-035
    """
    named = {p for cause in causes for p in cause_parties(cause)}
    return tuple(p for p in tables.parties if p in named)


def open_sites(tables: Tables, state: State, causes: tuple[CasusBelli, ...]) -> tuple[str, ...]:
    """Return the Powers whose Home Country may be the site, in the order of the powers table.

    These are countries of players that are party to no dispute. If all European Great Powers are parties, only overseas
    countries and Vienna remain; if no player is neutral, Germany.

    Rules: CON-006, CON-007, CON-008, CON-009, CON-039, BEL-006 (R-CON-01, R-CON-02, R-CON-03)
    """
    named = disputants(tables, causes)
    concerned = {seat_of(tables, state, p) for p in named}
    neutral = [s for s in state.players if s not in concerned]
    if not neutral:
        return tuple(s for s in state.players if s == _second_power_seat(tables)) or state.players[:1]
    home = [s for s in neutral if _is_in_europe(tables, s)]
    if all(s in concerned for s in european_seats(tables, state)):
        home += [s for s in neutral if not _is_in_europe(tables, s)]
    vienna = [p for p in tables.powers if tables.powers[p].kind == PLAYED_BY_GERMANY and p in state.powers]
    neutral_anyway = state.options.vienna_neutral_for_german_disputes
    for power in vienna:
        if power not in named and (neutral_anyway or seat_of(tables, state, power) not in concerned):
            home.append(power)
    found = tuple(p for p in tables.powers if p in home)
    return found or tuple(s for s in state.players if s == _second_power_seat(tables))


def _second_power_seat(tables: Tables) -> str:
    """Return the seat that plays a second Power: the site if no player is neutral (CON-008)."""
    return next(row.seat for row in tables.powers.values() if row.kind == PLAYED_BY_GERMANY)


def call_congress(play: Transaction, power: str, action: actions.CallCongress) -> None:
    """Call a Congress, which meets after the Negotiation Phase.

    Raises: Refusal `no_cause`, `called_already`, `not_your_casus_belli`, `site`.
    Rules: SEQ-020, CON-001, CON-005, CON-010, ETI-015, NEG-002, TRE-008 (R-CON-14)
    """
    tables, state = play.tables, play.state
    seat = seat_of(tables, state, power)
    own_causes = tuple(c for c in state.casus_belli if seat_of(tables, state, c.holder) == seat)
    if state.congress is not None:
        where = power_name(tables, state.congress.site)
        refuse(
            "called_already",
            ("CON-010",),
            f"A Congress is already called, to {where}. Only one can be called each Game Turn.",
        )
    if not own_causes:
        refuse(
            "no_cause",
            ("CON-001", "SEQ-020"),
            "Only a Power that holds a Casus Belli, or has announced the defence of a Minor Power, can "
            "call a Congress.",
        )
    known = {c.id for c in state.casus_belli}
    for id_ in action.over:
        if id_ not in known:
            refuse("no_casus_belli", (), f"There is no Casus Belli {id_!r}. Known ones: {', '.join(sorted(known))}.")
    if action.over and not any(c.id in action.over for c in own_causes):
        refuse(
            "not_your_casus_belli",
            ("CON-001",),
            f"At least one Casus Belli of the Congress must be your own: add {own_causes[0].id}.",
        )
    found = open_sites(tables, state, state.casus_belli)
    if action.site not in found:
        where = power_name(tables, action.site)
        refuse(
            "site",
            ("CON-006", "CON-007", "CON-009", "CON-005"),
            f"The Congress cannot meet in {where}. Possible sites: {powers_text(tables, found)}.",
            sites=list(found),
        )
    record_call(play, power, action.site)


def record_call(play: Transaction, power: str, site: str, spoils: bool = False) -> None:
    """Record the call: the tensions rise, and the disputes are announced.

    Raises: GameOver.
    Rules: CON-002, CON-010, ETI-015 (R-CON-11, R-CON-14)
    """
    tables = play.tables
    called_now = Congress(turn=play.state.turn, caller=power, site=site, causes=(), spoils=spoils)
    congress = with_open_disputes(tables, play.state, called_now)
    about = join_with_and([place_name(tables, a) for a in congress.agenda]) or "a Casus Belli"
    note = sentence(f"{the_power(tables, power)} calls a Congress of Europe to {the_power(tables, site)} over {about}")
    play.emit(events.CongressChanged(congress=congress, note=note, rules=("SEQ-020", "CON-005")))
    play.tension(CONVENING_TENSION, "a Congress of Europe convenes", ("ETI-015",), power)


def with_open_disputes(tables: Tables, state: State, congress: Congress) -> Congress:
    """Return the Congress with all disputes that are open now, and its members: the disputants and the host.

    A Minor Power has no seat and no vote. Austria-Hungary votes with Germany's voice, which counts once.

    Rules: CON-002, CON-004, CON-010, CON-040, CON-042, MIN-036, BEL-004 (R-CON-11, Decision 43)
    """
    causes = state.casus_belli
    named = disputants(tables, causes)
    return replace(
        congress,
        causes=tuple(c.id for c in causes),
        holders=tuple(dict.fromkeys(Holding(c.holder, c.area) for c in causes if c.area)),
        disputants=named,
        members=visibility.seats_of(tables, state, (*named, congress.site)),
        agenda=tuple(dict.fromkeys(c.area for c in causes if c.area)),
    )


def replacement_sites(tables: Tables, state: State, congress: Congress) -> tuple[str, ...]:
    """Return the sites to which the Congress may move if its host has become a party since the call.

    Rules: CON-007 (R-CON-01, Decision 43)
    """
    found, named = open_sites(tables, state, state.casus_belli), disputants(tables, state.casus_belli)
    concerned = {*named, *(seat_of(tables, state, p) for p in named)}
    party = congress.site in concerned or seat_of(tables, state, congress.site) in concerned
    return found if party and congress.site not in found else ()


def can_call(tables: Tables, state: State, seat: str) -> bool:
    """Return whether a seat may call a Congress now."""
    holds = any(seat_of(tables, state, c.holder) == seat for c in state.casus_belli)
    return state.phase == "negotiation" and state.congress is None and holds


def defence_causes(state: State) -> tuple[CasusBelli, ...]:
    """Return the Casus Belli of the defenders of Minor Powers: they force a Congress (MIN-040)."""
    return tuple(c for c in state.casus_belli if c.cause == casus_belli.DEFENCE)


def seating_order(tables: Tables, congress: Congress) -> tuple[str, ...]:
    """Return the members in their order at the Congress: by French name, Germany first. Rules: CON-002."""
    return tuple(sorted(congress.members, key=lambda seat: tables.french_names.get(seat, seat)))


def has_spoils_quarrel(state: State) -> bool:
    """Return whether victors have quarrelled over the spoils of a War and no Congress has been called for it yet.

    Rules: WEN-042 (R-WEN-08)
    """
    is_before_congress = state.congress is not None and state.congress.spoils
    return not is_before_congress and any(c.cause == casus_belli.SPOILS for c in state.casus_belli)


def call_over_spoils(play: Transaction) -> None:
    """Call the Congress of quarrelling victors to the first open site, even after another one in this Game Turn.

    Raises: GameOver, with each Power to blame that demanded a disputed Area.
    Rules: WEN-042, ETI-015 (R-WEN-08, Decision 68)
    """
    tables, state = play.tables, play.state
    causes = [c for c in state.casus_belli if c.cause == casus_belli.SPOILS]
    demanding = [c.holder for c in causes if c.demanded] or [c.holder for c in causes]
    try:
        record_call(play, demanding[0], open_sites(tables, state, state.casus_belli)[0], spoils=True)
    except GameOver as end:
        seats = {*end.culprits, *(seat_of(tables, state, power) for power in demanding)}
        raise GameOver(tuple(seat for seat in state.players if seat in seats)) from None


def is_called(state: State) -> bool:
    """Return whether a Congress of Europe follows this Phase: a seat has called it, or a Minor Power is defended.

    Rules: SEQ-020, SEQ-021, MIN-040
    """
    return state.congress is not None or bool(defence_causes(state))


ACTS: ActTable = {actions.CallCongress: {"negotiation": call_congress}}
