"""What a kind of clause is: one object says all there is to know of it.

How it is written, read and said, which fields of `Clause` it uses, what the rules forbid it, what breaks or keeps it,
when it is due, what is done by it: each kind is a `Kind` in the module of its family, and everything else (menus, the
editor, the watch over Treaties, settlements) reads it there.

Rules: TRE-004, TRE-005, TRE-007, NEG-011 to NEG-014, NEG-018, CON-016 to CON-020 (R-TRE-01)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn, Protocol

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.clauses.reader import Reader
from paxtui.pax.history.event import Event
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import Clause
from paxtui.pax.words.spoken import power_name

KEPT, DUE, BROKEN, ASLEEP = "kept", "due", "broken", "asleep"
"""What a clause may be."""

MOVEMENT, NEGOTIATION = "movement", "negotiation"


# --- the rules look at a clause -----------------------------------------------------------------------------------


class Terms(NamedTuple):
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


class Case(NamedTuple):
    """A clause as it binds one Power in a position."""

    tables: Tables
    state: State
    clause: Clause
    power: str


Done = frozenset[int]
"""Which parts of a clause are done, by number; 0 stands for the whole."""


class Watch(NamedTuple):
    """Events by which a clause is broken or kept at once.

    Attributes:
        events: kinds of event that may do so.
        breaks: what the Power does against the clause by such an event, in words; "" for nothing.
        keeps: the parts that are done by it, of which `Done` are done already; (0,) for the whole clause.
    """

    events: tuple[type[Event], ...]
    breaks: Callable[[Case, Event], str] | None = None
    keeps: Callable[[Case, Done, Event], tuple[int, ...]] | None = None


class Owed(NamedTuple):
    """What must be so when a Phase ends: `lacks` says in words what is not so just now, "" where nothing is lacking.

    A clause with a date is judged in that Game Turn, any other in each.
    """

    phase: str
    lacks: Callable[[Case, Done], str]


# --- what is done by a clause -------------------------------------------------------------------------------------


class Settling(Protocol):
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


class Act(NamedTuple):
    """What makes a clause an act: it is done at once, at a date, each Game Turn, or when something happens.

    Attributes:
        do: does it.
        rule: rule that keeps it to its Phases.
        minor: rule by which no Minor Power has a part in it outside a Congress; "" where one may.
        holders: whether all who hold Control in the Area must agree.
        patient: whether one is tried again when others of the kind are done: a piece may have come free.
    """

    do: Callable[[Settling, Clause], None]
    rule: str
    minor: str = "NEG-019"
    holders: bool = False
    patient: bool = False


# --- the kind -----------------------------------------------------------------------------------------------------


class Form(NamedTuple):
    """A form of words: what they look like, and how the clause is read out of them."""

    pattern: re.Pattern[str]
    read: Callable[[Reader, re.Match[str]], Clause | None]


def always_sound(clause: Clause) -> str:
    """Nothing more is asked of the fields."""
    return ""


def allowed(terms: Terms) -> None:
    """The rules have nothing more to say."""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
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
    forms: tuple[Form, ...]
    text: Callable[[Clause], str]
    say: Callable[[Tables, Clause], str]
    sound: Callable[[Clause], str] = always_sound
    sign: tuple[str, ...] = ("power",)
    touch: tuple[str, ...] = ("power", "to")
    check: Callable[[Terms], None] = allowed
    phases: tuple[str, ...] = ()
    latest: bool = False
    watch: Watch | None = None
    owed: Owed | None = None
    idle: str = KEPT
    judged: bool = False
    act: Act | None = None
    template: bool = False

    @property
    def fields(self) -> frozenset[str]:
        """All fields of `Clause` that it may use."""
        return frozenset((*(name for need in self.needs for name in need.split("|")), *self.may))

    @property
    def aimed(self) -> bool:
        """Whether `against` names foes, who cannot be among its signers."""
        return "against" in self.fields and "against" not in self.sign


def powers_of(clause: Clause, fields: tuple[str, ...]) -> tuple[str, ...]:
    """The Powers that a clause names in some of its fields, each once."""
    found: list[str] = []
    for name in fields:
        value = getattr(clause, name)
        found.extend([value] if isinstance(value, str) else value)
    return tuple(dict.fromkeys(filter(None, found)))
