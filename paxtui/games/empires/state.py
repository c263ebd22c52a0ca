"""The position of an exercise: place in the month, Powers, relations with their dates, and questions (last first)."""

from __future__ import annotations

from typing import Literal

import msgspec

from paxtui.games.empires.pieces import AtSea, Campaign, Corps, Depot, Fleet, Garrison, Leader, ShipsDue


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step and the Powers that do it together; those that combine their movement share one."""

    step: str
    powers: tuple[str, ...]


class Cursor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The phase, the slots of it that are left, the first of them going on, and who is done with that one."""

    phase: str
    slots: tuple[Slot, ...] = ()
    done: tuple[str, ...] = ()

    @property
    def step(self) -> str:
        """The step that goes on, "" between two phases."""
        return self.slots[0].step if self.slots else ""

    @property
    def powers(self) -> tuple[str, ...]:
        """The Powers whose step it is."""
        return self.slots[0].powers if self.slots else ()


What = Literal["points", "money", "manpower"]


class Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a Power has: political points, money, manpower."""

    points: int = 0
    money: int = 0
    manpower: int = 0


class Posting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One change of an account: the month, whose, of what, by how much, why, by which sections."""

    turn: int
    power: str
    what: What
    amount: int
    reason: str
    rules: tuple[str, ...] = ()


class Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """War declared this month: by whom, on whom, and whether each declared it on the other."""

    aggressor: str
    defender: str
    mutual: bool = False


class CallingPower(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    callers: tuple[CallingPower, ...] | None = None
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


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One question.

    Attributes:
        kind: what it is about; what takes its answer is looked up by that.
        power: who is asked.
        choices: what may be answered, each a word of the notation.
        about: ids of what it concerns, in an order that belongs to the kind.
        rules: sections.
        secret: whether the answer is written down and shown to nobody yet.
    """

    kind: str
    power: str
    choices: tuple[str, ...]
    about: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    secret: bool = False


class Sealed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a Power has written down in secret, until all are revealed together.

    Attributes:
        power: who wrote it.
        matter: what it is about: `declarations`, `proposals`, `chit`.
        words: what stands in it; hidden from all others.
    """

    power: str
    matter: str
    words: tuple[str, ...] = ()


RelationKind = Literal["war", "alliance", "enforced_peace", "broken_alliance", "marriage"]


class Relation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fact about two Powers, or about a Power and a minor country.

    Attributes:
        kind: what it is.
        a: one of them; in a war the one that declared it, of an enforced peace the one that it binds.
        b: the other.
        since: the month in which it began, see `State.turn`.
        order: which war of the game it is, the first is 1; later wars have higher numbers. 0 for other kinds.
        until: the last month in which it holds, 0 for no end.
    """

    kind: RelationKind
    a: str
    b: str
    since: int
    order: int = 0
    until: int = 0

    def between(self, one: str, other: str) -> bool:
        """Whether it is about these two."""
        return {self.a, self.b} == {one, other}


class Minor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A minor country.

    Attributes:
        id: its name in orders.
        status: neutral, free (a minor free state) or conquered.
        controller: the Power that runs it, "" while it is neutral.
        districts: how many it has.
    """

    id: str
    status: str = "neutral"
    controller: str = ""
    districts: int = 1


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it ended: who won, more than one where they are level, and why it is over."""

    winners: tuple[str, ...]
    reason: str


class State(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The position.

    Attributes:
        exercise: which exercise is played.
        powers: the Powers in it, each a seat.
        turn: the month: twelve times the year, and 0 for January to 11 for December.
        cursor: where in the month play stands.
        relations: wars, alliances, and what is left of earlier ones.
        accounts: what each Power has.
        ledger: every change of an account, the first one first.
        control: areas that somebody else controls than the map says, by area.
        minors: minor countries by id.
        fleets, corps, leaders: by id.
        garrisons, depots: in the order in which they were made.
        sealed: what is written down and not yet revealed.
        questions: what is asked, the last one first to be answered.
        places: where in a phase a Power has announced to move, by phase: the Power after which it does, "" for first.
        combined: pairs of allies that move together this month.
        politics: what goes on between Powers this month.
        treaties: formal peaces made.
        leaving: fleets that have to leave where they are.
        at_sea: what goes on in the naval sequence of a Power.
        shipyard: ships and fleet counters bought and not yet placed.
        campaign: what goes on in the land phase.
        access: who lets whom into its areas and ports: holder and guest.
        result: how it ended, None while it goes on.
    """

    exercise: str
    powers: tuple[str, ...]
    turn: int
    cursor: Cursor
    relations: tuple[Relation, ...] = ()
    accounts: dict[str, Account] = {}
    ledger: tuple[Posting, ...] = ()
    control: dict[str, str] = {}
    minors: dict[str, Minor] = {}
    fleets: dict[str, Fleet] = {}
    corps: dict[str, Corps] = {}
    leaders: dict[str, Leader] = {}
    garrisons: tuple[Garrison, ...] = ()
    depots: tuple[Depot, ...] = ()
    sealed: tuple[Sealed, ...] = ()
    questions: tuple[Question, ...] = ()
    places: dict[str, str] = {}
    combined: tuple[tuple[str, ...], ...] = ()
    politics: Politics = Politics()
    treaties: tuple[Treaty, ...] = ()
    leaving: tuple[str, ...] = ()
    at_sea: AtSea = AtSea()
    shipyard: tuple[ShipsDue, ...] = ()
    campaign: Campaign = Campaign()
    access: tuple[tuple[str, str], ...] = ()
    result: Result | None = None
