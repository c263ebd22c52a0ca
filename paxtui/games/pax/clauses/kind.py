"""What a kind of clause is: one object says all there is to know of it.

How it is written, read and said, which fields of `Clause` it uses, what the rules forbid it, what breaks or keeps it,
when it is due, what is done by it: each kind is a `Kind` in the module of its family, and everything else (menus, the
editor, the watch over Treaties, settlements) reads it there.

Rules: TRE-004, TRE-005, TRE-007, NEG-011 to NEG-014, NEG-018, CON-016 to CON-020 (R-TRE-01)

The words of one clause while it is read: Powers, places, markers and units found in them, each with its place.

Rules: TRE-002, TRE-004

Parts of clauses that several kinds share: read, in the notation, and in plain English.

Rules: TRE-002, TRE-004, TRE-005
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn, Protocol

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
"""Words for all parties alike."""

LARGEST_NUMBER = 10**6
"""No clause is about so many pounds or points."""

_ARMIES = ("army", "armies", "troops")
_FLEETS = ("naval", "navy", "navies", "fleet", "fleets", "ship", "ships")
_ANY_UNITS = ("unit", "units", "point", "points", "strength")


def word_pattern(pattern: str) -> re.Pattern[str]:
    """A form of words, capitals or not, digits as in ASCII."""
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


class ClauseReader:
    """One clause while it is read: its words, and where they stand in the order."""

    def __init__(self, tables: Tables, text: str, first: int) -> None:
        self.tables = tables
        self.text = text
        self.first = first
        self.names = name_index(tables)

    def at(self, offset: int) -> int:
        """Number of the word that begins at `offset` of the text."""
        return self.first + len(self.text[:offset].split())

    def part(self, m: re.Match[str], group: str) -> ClauseReader:
        """What a group holds, to be read by itself."""
        start = len(self.text) if m[group] is None else m.start(group)
        return ClauseReader(self.tables, m[group] or "", self.at(start))

    def power(self, m: re.Match[str], group: str) -> str:
        """The Power a group names, the Ottoman Empire among them, "" where it is left out."""
        return self.names.parties.find(m[group], self.at(m.start(group))) if m[group] else ""

    def powers(self, m: re.Match[str], group: str) -> tuple[str, ...]:
        """The Powers a group names, () where it is left out."""
        return WordReader(self.tables, m[group], self.at(m.start(group))).powers() if m[group] else ()

    def who(self, m: re.Match[str], group: str = "by") -> str:
        """The Power a group names, "" for all alike."""
        return self.power(m, group) if m[group] and m[group].casefold() not in ALL_WORDS else ""

    def area(self, m: re.Match[str], group: str) -> tuple[str, ...]:
        """The one Area a group names, () where it is left out."""
        return (self.names.areas.find(m[group], self.at(m.start(group))),) if m[group] else ()

    def marker(self, m: re.Match[str], group: str, area: str = "") -> str:
        """The kind of Status marker a group names, "" where it is left out."""
        return find_marker(self.tables, m[group], area, self.at(m.start(group))) if m[group] else ""

    def number(self, m: re.Match[str], group: str) -> int:
        """The number a group holds; whatever is too high is too high by one."""
        return min(int(m[group][:9]), LARGEST_NUMBER)

    def places(self, m: re.Match[str], zones: bool) -> tuple[str, tuple[str, ...]]:
        """The region that the group `places` names, "" for none, and its places. Raises: Refusal."""
        if not m["places"]:
            raise unknown_name("", "'in' and Areas, as in 'in kenya, uganda',", word=self.at(len(self.text)))
        return parse_place_groups(self.tables, m["places"], zones, self.at(m.start("places")))

    def units(self, text: str, at: int) -> tuple[str, ...]:
        """Units, or a kind of them; () for any."""
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


KEPT, DUE, BROKEN, ASLEEP = "kept", "due", "broken", "asleep"
"""What a clause may be."""

MOVEMENT, NEGOTIATION = "movement", "negotiation"


# --- the rules look at a clause -----------------------------------------------------------------------------------


class ProposedClause(NamedTuple):
    """A clause of an agreement that is put before its parties: `number` counts from 1, `form` as in `Treaty`."""

    tables: Tables
    state: State
    parties: tuple[str, ...]
    clause: Clause
    form: str
    number: int

    def no(self, code: str, rules: tuple[str, ...], message: str) -> NoReturn:
        """Refuse the clause. Raises: Refusal."""
        raise Refusal(code, rules, f"Article {self.number}: {message}", article=self.number)

    def name(self, power: str) -> str:
        """The Power's name."""
        return power_name(self.tables, power)


class BoundClause(NamedTuple):
    """A clause as it binds one Power in a position."""

    tables: Tables
    state: State
    clause: Clause
    power: str


DoneParts = frozenset[int]
"""Which parts of a clause are done, by number; 0 stands for the whole."""


class ClauseWatch(NamedTuple):
    """Events by which a clause is broken or kept at once.

    Attributes:
        events: kinds of event that may do so.
        breaks: what the Power does against the clause by such an event, in words; "" for nothing.
        keeps: the parts that are done by it, of which `Done` are done already; (0,) for the whole clause.
    """

    events: tuple[type[Event], ...]
    breaks: Callable[[BoundClause, Event], str] | None = None
    keeps: Callable[[BoundClause, DoneParts, Event], tuple[int, ...]] | None = None


class ClauseDuty(NamedTuple):
    """What must be so when a Phase ends: `lacks` says in words what is not so just now, "" where nothing is lacking.

    A clause with a date is judged in that Game Turn, any other in each.
    """

    phase: str
    lacks: Callable[[BoundClause, DoneParts], str]


# --- what is done by a clause -------------------------------------------------------------------------------------


class SettlementProtocol(Protocol):
    """A settlement while it is carried out: what can be done by it. Each step may raise a Refusal."""

    def waive(self, power: str, area: str, against: str) -> None:
        """The Power gives up its Casus Belli over the Area, or against another ("" for any)."""

    def lower(self, power: str, area: str, to: str) -> None:
        """The Power's marker in the Area goes down to `to`, "" for off the map."""

    def hand_over(self, power: str, to: str, area: str, marker: str) -> None:
        """The Power's marker in the Area goes to `to`; `marker` is what it has to be, "" for any."""

    def share(self, area: str, members: tuple[str, ...], marker: str, payer: str) -> None:
        """The members share the Area; who has no Control there gets `marker`, paid by `payer` or by itself."""

    def grant(self, power: str, to: str, marker: str, area: str, payer: str) -> None:
        """The Power lets another have `marker` beside its own, paid by `payer` or by who gets it."""

    def pay(self, power: str, to: str, pounds: int) -> None:
        """Money changes hands."""

    def make_peace(self) -> None:
        """All who agree end the War between them."""


class SettlementAct(NamedTuple):
    """What makes a clause an act: it is done at once, at a date, each Game Turn, or when something happens.

    Attributes:
        do: does it.
        rule: rule that keeps it to its Phases.
        minor: rule by which no Minor Power has a part in it outside a Congress; "" where one may.
        holders: whether all who hold Control in the Area must agree.
        patient: whether one is tried again when others of the kind are done: a piece may have come free.
    """

    do: Callable[[SettlementProtocol, Clause], None]
    rule: str
    minor: str = "NEG-019"
    holders: bool = False
    patient: bool = False


# --- the kind -----------------------------------------------------------------------------------------------------


class ClauseForm(NamedTuple):
    """A form of words: what they look like, and how the clause is read out of them."""

    pattern: re.Pattern[str]
    read: Callable[[ClauseReader, re.Match[str]], Clause | None]


def accept_fields(clause: Clause) -> str:
    """Nothing more is asked of the fields."""
    return ""


def accept_terms(terms: ProposedClause) -> None:
    """The rules have nothing more to say."""


class ClauseKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of clause.

    Attributes:
        id: its name in `Clause.kind`.
        what: what it is, in a few words.
        usage: how it is written, with what is to be filled in in capitals.
        example: a clause of the kind in the notation.
        needs: fields of `Clause` that must be set; `x|y` for one of two.
        may: fields that may be set besides.
        areas: how many Areas it names at most; 0 for as many as one likes.
        zones: whether it may name Sea Zones and Home Countries too.
        counted: whether each unit it names counts (two N10), instead of saying which are meant.
        forms: the words it is read from.
        text: its words in the notation, in ids, without date and condition.
        say: what it means, in one sentence without date, condition and full stop.
        sound: what makes its fields no clause, in words; "" for nothing.
        sign: fields whose Powers must sign an agreement that says so.
        touch: fields whose Powers are bound by it or get something.
        check: whether the rules allow it to be agreed; raises a Refusal by `Terms.no`.
        phases: Phases of a Game Turn in which it can be done; () for what is not done but kept.
        latest: whether its date is the last by which it must be done, not the one when it is.
        watch: what breaks or keeps it at once, None for nothing.
        owed: what must be so at the end of a Phase, None for nothing.
        idle: what it is while there is nothing to do: KEPT, or ASLEEP until something wakes it.
        judged: whether the signers judge its breach, because no engine can.
        act: what is done by it, None for what is kept.
        template: whether the menu proposes a Treaty of this one clause; it must need nothing.
    """

    id: str
    what: str
    usage: str
    example: str
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    areas: int = 0
    zones: bool = False
    counted: bool = False
    forms: tuple[ClauseForm, ...]
    text: Callable[[Clause], str]
    say: Callable[[Tables, Clause], str]
    sound: Callable[[Clause], str] = accept_fields
    sign: tuple[str, ...] = ("power",)
    touch: tuple[str, ...] = ("power", "to")
    check: Callable[[ProposedClause], None] = accept_terms
    phases: tuple[str, ...] = ()
    latest: bool = False
    watch: ClauseWatch | None = None
    owed: ClauseDuty | None = None
    idle: str = KEPT
    judged: bool = False
    act: SettlementAct | None = None
    template: bool = False

    @property
    def fields(self) -> frozenset[str]:
        """All fields of `Clause` that it may use."""
        return frozenset((*(name for need in self.needs for name in need.split("|")), *self.may))

    @property
    def aimed(self) -> bool:
        """Whether `against` names foes, who cannot be among its signers."""
        return "against" in self.fields and "against" not in self.sign


def clause_powers(clause: Clause, fields: tuple[str, ...]) -> tuple[str, ...]:
    """The Powers that a clause names in some of its fields, each once."""
    found: list[str] = []
    for name in fields:
        value = getattr(clause, name)
        found.extend([value] if isinstance(value, str) else value)
    return tuple(dict.fromkeys(filter(None, found)))


# --- reading ------------------------------------------------------------------------------------------------------


def subject_form(verbs: str, read: Callable[[ClauseReader, str], Clause | None]) -> ClauseForm:
    """The form `POWER verb ...`: `read` gets what stands after the verb, and the Power ("" for all alike)."""

    def whole(r: ClauseReader, m: re.Match[str]) -> Clause | None:
        return read(r.part(m, "rest"), r.who(m))

    return ClauseForm(word_pattern(rf"(?P<by>.+?) (?:{verbs})(?: (?P<rest>.*))?"), whole)


# --- in the notation ----------------------------------------------------------------------------------------------


def by_notation(c: Clause) -> str:
    """Whom it binds, where it is one."""
    return f" by {c.power}" if c.power else ""


def places_notation(c: Clause) -> str:
    """Its places."""
    return f" in {c.region or ', '.join(c.places)}"


def against_notation(c: Clause) -> str:
    """Whom it is aimed at."""
    return f" against {', '.join(c.against)}" if c.against else ""


def units_notation(c: Clause) -> str:
    """Its units."""
    return " ".join(c.units) or "units"


# --- in plain English ---------------------------------------------------------------------------------------------


def describe_subject(t: Tables, c: Clause) -> str:
    """The Power that owes it."""
    return power_name(t, c.power)


def describe_place(t: Tables, c: Clause) -> str:
    """The one Area it is about."""
    return place_name(t, c.places[0])


def describe_clause_places(t: Tables, c: Clause) -> str:
    """Any of its places."""
    return places_text(t, c.places, c.region)


def describe_no_signer(t: Tables, c: Clause, verb: str) -> str:
    """`France places no`, or `No signer places any` where it binds all alike."""
    return f"{describe_subject(t, c)} {verb} no" if c.power else f"No signer {verb} any"


def describe_foes(t: Tables, c: Clause) -> str:
    """Whom it is aimed at."""
    return join_with_or([power_name(t, p) for p in c.against]) or "a Power that has not signed"


def describe_units(t: Tables, c: Clause) -> str:
    """The units it is about."""
    known = {ARMY: "Army Units", NAVAL: "Naval Units"}
    return join_with_or([known.get(u, u) for u in c.units]) or "Military Units"


def marker_with_article(t: Tables, marker: str) -> str:
    """A kind of marker with its article."""
    name = t.markers[marker].name
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


# --- the rules ----------------------------------------------------------------------------------------------------


def check_not_to_itself(terms: ProposedClause) -> None:
    """No Power gives itself anything. Rules: TRE-006."""
    if terms.clause.power == terms.clause.to:
        name = terms.name(terms.clause.to)
        terms.no("yourself", ("TRE-006",), f"{name} would give it to itself.")
