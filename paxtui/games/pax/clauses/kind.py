"""Definition of a kind of clause (`ClauseKind`), and helpers to parse, format and describe clauses.

Each kind is one object in the module of its family. Menus, editor, breach detection and settlements read it.

Rules: TRE-002, TRE-004, TRE-005, TRE-007, NEG-011 to NEG-014, NEG-018, CON-016 to CON-020 (R-TRE-01)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events.encoding import Event
from paxtui.games.pax.state.diplomacy import Clause
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, NAVAL
from paxtui.games.pax.text.display import join_with_or, place_name, power_name
from paxtui.games.pax.text.parsing import (
    WordReader,
    find_marker,
    name_index,
    parse_place_groups,
    places_text,
    unknown_name,
)

ALL_WORDS = ("all", "everybody", "everyone", "each", "both", "nobody")
"""Words that mean all parties."""

LARGEST_NUMBER = 10**6
"""Highest number of pounds or points in a clause."""

_ARMIES = ("army", "armies", "troops")
_FLEETS = ("naval", "navy", "navies", "fleet", "fleets", "ship", "ships")
_ANY_UNITS = ("unit", "units", "point", "points", "strength")
KEPT, DUE, BROKEN, HOLDS, OVER = "kept", "due", "broken", "in force", "ended"
"""States of a clause."""
MOVEMENT, NEGOTIATION = "movement", "negotiation"
DoneParts = frozenset[int]
"""The completed parts of a clause by number; 0 is the whole clause."""


def word_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern: case-insensitive, ASCII digits."""
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


class ClauseReader:
    """Match of a clause with its position in the order."""

    def __init__(self, tables: Tables, text: str, first: int) -> None:
        self.tables = tables
        self.text = text
        self.first = first
        self.names = name_index(tables)

    def at(self, offset: int) -> int:
        """Return the number of the word at `offset` of the text."""
        return self.first + len(self.text[:offset].split())

    def part(self, m: re.Match[str], group: str) -> ClauseReader:
        """Return a reader for the text of a group."""
        start = len(self.text) if m[group] is None else m.start(group)
        return ClauseReader(self.tables, m[group] or "", self.at(start))

    def power(self, m: re.Match[str], group: str) -> str:
        """Return the Power in a group, the Ottoman Empire included; "" if it is missing."""
        return self.names.parties.find(m[group], self.at(m.start(group))) if m[group] else ""

    def powers(self, m: re.Match[str], group: str) -> tuple[str, ...]:
        """Return the Powers in a group, () if it is missing."""
        return WordReader(self.tables, m[group], self.at(m.start(group))).powers() if m[group] else ()

    def who(self, m: re.Match[str]) -> str:
        """Return the Power of the group `by`, "" for all parties."""
        return self.power(m, "by") if m["by"] and m["by"].casefold() not in ALL_WORDS else ""

    def area(self, m: re.Match[str], group: str) -> tuple[str, ...]:
        """Return the Area in a group as a tuple, () if it is missing."""
        return (self.names.areas.find(m[group], self.at(m.start(group))),) if m[group] else ()

    def marker(self, m: re.Match[str], group: str, area: str = "") -> str:
        """Return the kind of Status marker in a group, "" if it is missing."""
        return find_marker(self.tables, m[group], area, self.at(m.start(group))) if m[group] else ""

    def number(self, m: re.Match[str], group: str) -> int:
        """Return the number in a group, limited to one above the maximum."""
        return min(int(m[group][:9]), LARGEST_NUMBER)

    def places(self, m: re.Match[str], zones: bool) -> tuple[str, tuple[str, ...]]:
        """Return the region of the group `places` ("" for none) and its places.

        Raises:
            Refusal: a name is unknown.
        """
        if not m["places"]:
            raise unknown_name("", "'in' and Areas, as in 'in kenya, uganda',", word=self.at(len(self.text)))
        return parse_place_groups(self.tables, m["places"], zones, self.at(m.start("places")))

    def units(self, text: str, at: int) -> tuple[str, ...]:
        """Return the units, or a kind of them; () for any."""
        found: list[str] = []
        for piece in re.split(r"[\s,]+", text.strip()):
            word = piece.casefold()
            if word in _ARMIES:
                found.append(ARMY)
            elif word in _FLEETS:
                found.append(NAVAL)
            elif word not in (*_ANY_UNITS, "military", "and", "of", ""):
                found.extend(WordReader(self.tables, piece, at).units())
            at += 1
        return tuple(found)


class ProposedClause(NamedTuple):
    """A clause of a proposed agreement: `number` counts from 1, `form` as in `Treaty`."""

    tables: Tables
    state: State
    parties: tuple[str, ...]
    clause: Clause
    form: str
    number: int

    def refuse(self, code: str, rules: tuple[str, ...], message: str) -> NoReturn:
        """Refuse the clause.

        Raises:
            Refusal: always.
        """
        raise Refusal(code, rules, f"Article {self.number}: {message}", article=self.number)

    def name(self, power: str) -> str:
        """Return the Power's name."""
        return power_name(self.tables, power)


class BoundClause(NamedTuple):
    """A clause that binds a Power in a position."""

    tables: Tables
    state: State
    clause: Clause
    power: str


class ClauseWatch(NamedTuple):
    """Events that break or fulfil a clause at once.

    Attributes:
        events: kinds of event to check.
        breaks: returns the breach by an event in words, "" for none.
        keeps: returns the parts that an event completes, given those already done; (0,) for the whole clause.
    """

    events: tuple[type[Event], ...]
    breaks: Callable[[BoundClause, Event], str] | None = None
    keeps: Callable[[BoundClause, DoneParts, Event], tuple[int, ...]] | None = None


class ClauseDuty(NamedTuple):
    """Condition at the end of a Phase: `lacks` describes what is missing, "" for nothing.

    A clause with a date is judged in that Game Turn, any other in each.
    """

    phase: str
    lacks: Callable[[BoundClause, DoneParts], str]


class SettlementAct(NamedTuple):
    """Action of a clause: at once, at a date, each Game Turn, or upon a condition.

    `paxtui.games.pax.diplomacy.settlement` carries it out.

    Attributes:
        rule: rule that restricts it to its Phases.
        minor: rule that excludes Minor Powers outside a Congress; "" if they may take part.
        holders: whether all Powers with Control in the Area must agree.
        patient: whether to retry it after others of the kind, which may free a piece.
    """

    rule: str
    minor: str = "NEG-019"
    holders: bool = False
    patient: bool = False


class ClauseForm(NamedTuple):
    """A form of words: its pattern, and the function that reads the clause."""

    pattern: re.Pattern[str]
    read: Callable[[ClauseReader, re.Match[str]], Clause | None]


Rewrite = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
"""A pattern for a whole sentence, and its notation."""


def rewrites(*rules: tuple[str, str | Callable[[re.Match[str]], str]]) -> tuple[Rewrite, ...]:
    """Compile patterns for whole sentences, each with its notation."""
    return tuple((word_pattern(pattern), to) for pattern, to in rules)


class ClauseKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of clause.

    Attributes:
        id: its name in `Clause.kind`.
        summary: short description.
        usage: its form, with placeholders in capitals.
        example: an example in the notation.
        required: fields of `Clause` that it needs; `x|y` for one of two.
        optional: fields that it may have.
        max_areas: maximum number of Areas; 0 for no limit.
        allows_zones: whether it may name Sea Zones and Home Countries.
        counts_units: whether repeated units count (two N10), instead of naming kinds.
        forms: the forms of words it is read from.
        text: formats it in the notation, in ids, without date and condition.
        describe: describes it in one sentence without date, condition and full stop.
        sentences: turn that sentence into the notation. Empty if the forms read it as it is.
        find_error: returns an error in its fields in words; "" for none.
        signers: fields whose Powers must sign.
        concerned: fields whose Powers are bound by it or receive something.
        check: raises a Refusal by `ProposedClause.refuse` if the rules forbid it.
        phases: Phases in which it can be carried out; () for a promise that is only kept.
        has_deadline: whether its date is a deadline instead of the date of execution.
        watch: events that break or fulfil it at once, or None.
        duty: condition at the end of a Phase, or None.
        idle_status: its state without anything to do: KEPT, or HOLDS until a condition is met.
        is_judged: whether the signers judge its breach, because the engine cannot.
        act: its action, None for a promise.
        is_template: whether menus propose a Treaty of this one clause; it must require no field.
    """

    id: str
    summary: str
    usage: str
    example: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    max_areas: int = 0
    allows_zones: bool = False
    counts_units: bool = False
    forms: tuple[ClauseForm, ...]
    text: Callable[[Clause], str]
    describe: Callable[[Tables, Clause], str]
    sentences: tuple[Rewrite, ...] = ()
    find_error: Callable[[Clause], str] = lambda clause: ""
    signers: tuple[str, ...] = ("power",)
    concerned: tuple[str, ...] = ("power", "to")
    check: Callable[[ProposedClause], None] = lambda terms: None
    phases: tuple[str, ...] = ()
    has_deadline: bool = False
    watch: ClauseWatch | None = None
    duty: ClauseDuty | None = None
    idle_status: str = KEPT
    is_judged: bool = False
    act: SettlementAct | None = None
    is_template: bool = False

    @property
    def fields(self) -> frozenset[str]:
        """All fields of `Clause` that it may use."""
        return frozenset((*(name for field in self.required for name in field.split("|")), *self.optional))

    @property
    def is_aimed(self) -> bool:
        """Whether `against` names foes, who cannot sign."""
        return "against" in self.fields and "against" not in self.signers


def clause_powers(clause: Clause, fields: tuple[str, ...]) -> tuple[str, ...]:
    """Return the Powers in some fields of a clause, without duplicates."""
    found: list[str] = []
    for name in fields:
        value = getattr(clause, name)
        found.extend([value] if isinstance(value, str) else value)
    return tuple(dict.fromkeys(filter(None, found)))


def subject_form(verbs: str, read: Callable[[ClauseReader, str], Clause | None]) -> ClauseForm:
    """Return the form `POWER verb ...`; `read` gets the rest, and the Power ("" for all parties)."""

    def whole(r: ClauseReader, m: re.Match[str]) -> Clause | None:
        return read(r.part(m, "rest"), r.who(m))

    return ClauseForm(word_pattern(rf"(?P<by>.+?) (?:{verbs})(?: (?P<rest>.*))?"), whole)


def by_notation(c: Clause) -> str:
    """Format the Power that it binds."""
    return f" by {c.power}" if c.power else ""


def places_notation(c: Clause) -> str:
    return f" in {c.region or ', '.join(c.places)}"


def against_notation(c: Clause) -> str:
    """Format its targets."""
    return f" against {', '.join(c.against)}" if c.against else ""


def units_notation(c: Clause) -> str:
    return " ".join(c.units) or "units"


def describe_subject(t: Tables, c: Clause) -> str:
    """Describe the Power that owes it."""
    return power_name(t, c.power)


def describe_place(t: Tables, c: Clause) -> str:
    return place_name(t, c.places[0])


def describe_clause_places(t: Tables, c: Clause) -> str:
    """Describe its places: any of them."""
    return places_text(t, c.places, c.region)


def describe_no_signer(t: Tables, c: Clause, verb: str) -> str:
    """Return `France places no`, or `No signer places any` if it binds all parties."""
    return f"{describe_subject(t, c)} {verb} no" if c.power else f"No signer {verb} any"


def describe_foes(t: Tables, c: Clause) -> str:
    return join_with_or([power_name(t, p) for p in c.against]) or "a Power that has not signed"


def describe_units(t: Tables, c: Clause) -> str:
    known = {ARMY: "Army Units", NAVAL: "Naval Units"}
    return join_with_or([known.get(u, u) for u in c.units]) or "Military Units"


def check_not_to_itself(terms: ProposedClause) -> None:
    """Refuse a gift of a Power to itself. Rules: TRE-006."""
    if terms.clause.power == terms.clause.to:
        name = terms.name(terms.clause.to)
        terms.refuse("yourself", ("TRE-006",), f"{name} would give it to itself.")


def list_from_sentence(text: str) -> str:
    """Separate the names of a sentence by commas only."""
    return re.sub(r",? (?:and|or) ", ", ", text)


def against_from_sentence(foes: str) -> str:
    return "" if foes.casefold() == "a power that has not signed" else f" against {list_from_sentence(foes)}"


def by_from_sentence(power: str, everybody: tuple[str, ...] = ("no signer", "each signer")) -> str:
    return "" if power.casefold() in everybody else f" by {power}"


def units_from_sentence(text: str) -> str:
    """Return units in the notation: `an Army Unit` is `army`."""
    text = re.sub(r"\b(?:an? )?(Army|Naval) Units?\b", r"\1", list_from_sentence(text), flags=re.IGNORECASE)
    return re.sub(r"\bMilitary Units\b", "units", text, flags=re.IGNORECASE).replace(",", "")
