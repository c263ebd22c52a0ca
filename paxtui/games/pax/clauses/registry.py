"""All kinds of clause, the conditions that clauses may wait for, and checks of whole agreements.

Rules: TRE-002, TRE-004, TRE-005, TRE-006, TRE-009, TRE-010, AUS-002, AUS-010, AUS-011, COD-013, CON-016 to CON-020,
CON-040, MIN-036, NEG-006, NEG-011 to NEG-014, NEG-018, SET-030, STA-036 (Decisions 47 and 77)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from msgspec import to_builtins

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.status import area_state, controls
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses import alliances, exchanges, limits, promises
from paxtui.games.pax.clauses.exchanges import LOWER, PEACE, TRANSFER
from paxtui.games.pax.clauses.kind import ClauseKind, ProposedClause, Rewrite, clause_powers, rewrites
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.state.diplomacy import CONGRESS, Clause, ClauseTrigger
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import PHASES
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.text.parsing import name_index, shorten, unknown_name

_FAMILIES = (alliances.KINDS, limits.KINDS, promises.KINDS, exchanges.KINDS, exchanges.PEACE_KINDS)

CLAUSE_KINDS: dict[str, ClauseKind] = {kind.id: kind for family in _FAMILIES for kind in family}
"""The kinds by id. Actions are in the order in which a settlement carries them out."""

MOST_CLAUSES = 20
"""Maximum number of clauses in an agreement."""


def is_immediate(clause: Clause) -> bool:
    """Return whether a clause is carried out when the last party signs."""
    undated = not clause.turn and not clause.every_turn and not clause.upon
    return undated and CLAUSE_KINDS[clause.kind].act is not None


class Condition(NamedTuple):
    """A kind of condition.

    Attributes:
        usage: its form, with placeholders in capitals.
        read: parses the words after its name, given the number of the first word.
        text: formats it in the notation, in ids.
        describe: describes it.
        sentences: turn that description into the notation.
        events: kinds of event that may meet it.
        happened: whether it is met in a position.
    """

    usage: str
    read: Callable[[Tables, str, int], ClauseTrigger]
    text: Callable[[ClauseTrigger], str]
    describe: Callable[[Tables, ClauseTrigger], str]
    sentences: tuple[Rewrite, ...]
    events: tuple[type[ev.Event], ...]
    happened: Callable[[State, ClauseTrigger], bool]


def _power_first(tables: Tables, text: str, at: int) -> tuple[str, str, int]:
    """Return the Power at the start of a text, the rest without `and` or the like, and the number of its first word."""
    powers = name_index(tables).powers
    words = [w for w in re.split(r"[\s,]+", text) if w]
    n = next((n for n in range(min(3, len(words)), 1, -1) if len(powers.among(" ".join(words[:n]))) == 1), 1)
    left = [w for w in words[n:] if w.casefold() not in ("and", "with", "of", "in")]
    return powers.find(" ".join(words[:n]), at), " ".join(left), at + n


def _read_war(tables: Tables, text: str, at: int) -> ClauseTrigger:
    first, left, at = _power_first(tables, text, at)
    second = name_index(tables).powers.find(left, at) if left else ""
    if second == first:
        raise Refusal("notation", (), "A War has two sides.", position=at)
    return ClauseTrigger("war", power=first, other=second)


def _describe_war(tables: Tables, upon: ClauseTrigger) -> str:
    first = power_name(tables, upon.power)
    return f"{first} and {power_name(tables, upon.other)} are at War" if upon.other else f"{first} is at War"


def _is_at_war(state: State, upon: ClauseTrigger) -> bool:
    """Whether the Power is at War with the other, or with any Power if no other is named."""
    if upon.other:
        return any(war.opposes(upon.power, upon.other) for war in state.wars)
    return any(war.side_of(upon.power) for war in state.wars)


def _read_control(tables: Tables, text: str, at: int) -> ClauseTrigger:
    power, left, at = _power_first(tables, text, at)
    return ClauseTrigger("control", power=power, area=name_index(tables).areas.find(left, at))


def _read_unrest(tables: Tables, text: str, at: int) -> ClauseTrigger:
    return ClauseTrigger("unrest", area=name_index(tables).areas.find(text.removeprefix("in ").strip(), at))


CONDITIONS: dict[str, Condition] = {
    "war": Condition(
        usage="war POWER [POWER]",
        read=_read_war,
        text=lambda u: f"war {u.power} {u.other}".strip(),
        describe=_describe_war,
        sentences=rewrites((r"(.+) are at War", r"war \1"), (r"(.+) is at War", r"war \1")),
        events=(ev.WarDeclared, ev.WarArose, ev.WarsMerged),
        happened=_is_at_war,
    ),
    "control": Condition(
        usage="control POWER AREA",
        read=_read_control,
        text=lambda u: f"control {u.power} {u.area}",
        describe=lambda t, u: f"{power_name(t, u.power)} has Control of {place_name(t, u.area)}",
        sentences=rewrites((r"(.+) has Control of (.+)", r"control \1 \2")),
        events=(ev.MarkerPlaced, ev.MarkerEstablished, ev.MarkerTransferred),
        happened=lambda state, u: controls(state, u.area, u.power),
    ),
    "unrest": Condition(
        usage="unrest AREA",
        read=_read_unrest,
        text=lambda u: f"unrest {u.area}",
        describe=lambda t, u: f"there is Unrest in {place_name(t, u.area)}",
        sentences=rewrites((r"there is Unrest in (.+)", r"unrest \1")),
        events=(ev.UnrestBegan,),
        happened=lambda state, u: area_state(state, u.area).unrest,
    ),
}
"""The conditions by their first word."""


def read_condition(tables: Tables, text: str, word: int = 0) -> ClauseTrigger:
    """Parse a condition.

    Raises:
        Refusal: it is malformed.
    """
    head, _, rest = text.strip().partition(" ")
    condition = CONDITIONS.get(head.casefold())
    if condition is None:
        raise unknown_name(head.casefold(), f"what has to happen first ({', '.join(CONDITIONS)})", word=word)
    return condition.read(tables, rest.strip(), word + bool(word))


def with_structured_condition(tables: Tables, clause: object) -> object:
    """Return a raw clause with its condition as a struct instead of text.

    Raises:
        Refusal: it is malformed.
    """
    if not isinstance(clause, dict) or not isinstance(clause.get("upon"), str):
        return clause
    rest = {name: value for name, value in clause.items() if name != "upon"}
    return {**rest, "upon": to_builtins(read_condition(tables, clause["upon"]))} if clause["upon"] else rest


def normalize_condition(tables: Tables, upon: ClauseTrigger) -> ClauseTrigger:
    """Return a condition with ids for names, without unused fields.

    Raises:
        Refusal: it is malformed.
    """
    condition = CONDITIONS.get(upon.kind)
    if condition is None:
        what = f"There is no condition {shorten(upon.kind)!r}; there are {', '.join(CONDITIONS)}."
        raise Refusal("bad_action", (), what)
    names = name_index(tables)
    fixed = ClauseTrigger(
        upon.kind,
        power=names.powers.find(upon.power) if upon.power else "",
        other=names.powers.find(upon.other) if upon.other else "",
        area=names.areas.find(upon.area) if upon.area else "",
    )
    try:
        again = read_condition(tables, condition_text(fixed))
    except Refusal:
        again = None
    if again != fixed:
        raise Refusal("bad_action", (), f"Write the condition as in: {condition.usage}.")
    return fixed


def condition_text(upon: ClauseTrigger) -> str:
    """Return a condition in the notation, in ids."""
    return CONDITIONS[upon.kind].text(upon)


def waits_for_war(clause: Clause) -> bool:
    """Return whether a clause falls due when a War begins. It is then carried out in any Phase.

    Rules: TRE-004 (Decision 77)
    """
    return clause.upon is not None and clause.upon.kind == "war"


def has_happened(state: State, upon: ClauseTrigger) -> bool:
    """Return whether a condition is met now."""
    return CONDITIONS[upon.kind].happened(state, upon)


def affected_powers(clause: Clause) -> tuple[str, ...]:
    """Return the Powers that a clause binds or benefits by name; () if it binds all parties and names none."""
    return clause_powers(clause, CLAUSE_KINDS[clause.kind].concerned)


def check_clauses(
    tables: Tables, state: State, parties: tuple[str, ...], clauses: tuple[Clause, ...], form: str
) -> None:
    """Check that the rules allow an agreement of these parties with these clauses.

    `paxtui.games.pax.diplomacy.settlement` checks the position when a clause is carried out.

    Raises:
        Refusal: TRE-006, or the rule that a clause violates.

    Rules: TRE-006, TRE-002, TRE-010, AUS-002, AUS-010, AUS-011, COD-001, COD-013, CON-040, MIN-036, NEG-006, NEG-012,
    SET-030, STA-036
    """
    if len(clauses) > MOST_CLAUSES:
        raise Refusal("too_many", (), f"An agreement has {MOST_CLAUSES} clauses at most.")
    for number, clause in enumerate(clauses, 1):
        terms = ProposedClause(tables, state, parties, clause, form, number)
        _check_dates(terms)
        _check_ottoman_empire(terms)
        if form != CONGRESS:
            _check_signers(terms, any(c.kind == PEACE.id for c in clauses))
        CLAUSE_KINDS[clause.kind].check(terms)


def _check_dates(terms: ProposedClause) -> None:
    """Refuse promises for the past, or for a Game Turn whose Phase is over."""
    c, now, phases = terms.clause, terms.state.turn, CLAUSE_KINDS[terms.clause.kind].phases
    # what is done needs its Phase still to come in the last Game Turn in which it may be done
    anytime = not phases or waits_for_war(c)
    too_late = not anytime and PHASES.index(terms.state.phase) > PHASES.index(phases[-1])
    if any(0 < date < now or (date == now and too_late) for date in (c.turn, c.until)):
        terms.refuse("past", ("TRE-006",), "its time is already over; name a later Game Turn.")
    if c.turn and c.until and c.until < c.turn:
        terms.refuse("past", ("TRE-006",), "it ends before it begins.")


def _check_ottoman_empire(terms: ProposedClause) -> None:
    """Restrict the Ottoman Empire to what it cedes in a Congress or a peace. Rules: EVT-035, OTT-013, TRE-002."""
    c = terms.clause
    hands_over = c.kind == TRANSFER.id and c.to != OTTOMAN_EMPIRE
    gives = c.power == OTTOMAN_EMPIRE and (hands_over or (c.kind == LOWER.id and not c.marker))
    if OTTOMAN_EMPIRE in (c.power, c.to) and not gives:
        terms.refuse("minor", ("EVT-035", "TRE-002"), "the Ottoman Empire can only give up what it took.")


def _check_signers(terms: ProposedClause, peace: bool) -> None:
    """Require the signatures of all who owe or receive; an Alliance cannot be aimed at a signer.

    A Minor Power at War is bound by the `peace` that its allies sign.

    Rules: TRE-002, TRE-010, WEN-046
    """
    c, kind = terms.clause, CLAUSE_KINDS[terms.clause.kind]
    for power in clause_powers(c, kind.signers):
        at_war = power not in terms.state.powers and any(war.side_of(power) for war in terms.state.wars)
        if power not in terms.parties and not (peace and at_war):
            name = terms.name(power)
            terms.refuse(
                "not_a_party",
                ("TRE-002", "TRE-006"),
                f"{name} is not a party to it, and an article can bind only parties.",
            )
    inside = next((p for p in c.against if p in terms.parties), "") if kind.is_aimed else ""
    if inside:
        name = terms.name(inside)
        terms.refuse(
            "against_a_party", ("TRE-010", "TRE-006"), f"{name} must sign it, so it cannot be aimed at {name}."
        )
