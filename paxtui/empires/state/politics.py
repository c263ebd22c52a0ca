"""What goes on between Powers in one Political Phase; most of it is forgotten when the month ends."""

from __future__ import annotations

import msgspec


class Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """War declared this month: by whom, on whom, and whether each declared it on the other."""

    aggressor: str
    defender: str
    mutual: bool = False


class Caller(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Power that may call its allies now, and whether it was attacked or did attack."""

    power: str
    defends: bool


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call: who called whom against whom. With the caller himself as the ally, he only tried, and had nobody."""

    caller: str
    ally: str
    enemy: str


class Surrender(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A formal peace that is being made.

    Attributes:
        loser, victor: between whom.
        kind: "" until the victor has said it; conditional, unconditional; declined.
        accepted: whether it stands.
        given: the term of list A that the loser has chosen, "none" where there is none to choose.
        terms: what the victor has chosen.
        closed: whether the victor chooses no more.
    """

    loser: str
    victor: str
    kind: str = ""
    accepted: bool = False
    given: str = ""
    terms: tuple[str, ...] = ()
    closed: bool = False


class Minority(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A minor country on which war was declared this month.

    Attributes:
        minor: which.
        attackers: who declared war on it and has not backed down.
        asked: who was asked whether it runs the country.
        willing: who said yes.
        settled: whether somebody runs it, or nobody does.
        answered: attackers that have said whether they back down.
        over: whether nothing is left to do about it.
    """

    minor: str
    attackers: tuple[str, ...]
    asked: tuple[str, ...] = ()
    willing: tuple[str, ...] = ()
    settled: bool = False
    answered: tuple[str, ...] = ()
    over: bool = False


class Politics(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Political Phase so far.

    Attributes:
        declared: declarations between Powers, those that answer calls left out.
        callers: who may call allies, the first one now; None until their order stands.
        calls: calls made.
        surrenders: formal peaces being made, in the order in which victors choose.
        opened: whether the papers of the Peace Step lie open.
        peace: pairs that have made peace this month, and whether it was formal: loser, victor, word.
        demands: separate peaces that were already asked about: who might demand, of whom.
        minors: minor countries on which war was declared.
        offers: alliances and combined movements that one side has offered: kind, by whom, to whom.
    """

    declared: tuple[Declaration, ...] = ()
    callers: tuple[Caller, ...] | None = None
    calls: tuple[Call, ...] = ()
    surrenders: tuple[Surrender, ...] = ()
    opened: bool = False
    peace: tuple[tuple[str, str, str], ...] = ()
    demands: tuple[tuple[str, str], ...] = ()
    minors: tuple[Minority, ...] = ()
    offers: tuple[tuple[str, str, str], ...] = ()


class Treaty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A formal peace as it was made: when, between whom, of which kind, and its terms, with or without an effect here.

    Attributes: the month; loser and victor; conditional or unconditional; ids of terms, that of list A first.
    """

    turn: int
    loser: str
    victor: str
    kind: str
    terms: tuple[str, ...]
