"""The position of an exercise: sequence of play, Powers, relations with their dates, and open questions."""

from __future__ import annotations

from typing import Literal

import msgspec

from paxtui.games.empires.pieces import AtSea, Campaign, Corps, Depot, Fleet, Garrison, Leader, ShipsDue


class Slot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step and the Powers that take it together. Powers that combine their movement share a slot."""

    step: str
    powers: tuple[str, ...]


class Cursor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The phase, its remaining slots (the first is current), and the Powers done with the current slot."""

    phase: str
    slots: tuple[Slot, ...] = ()
    done: tuple[str, ...] = ()

    @property
    def step(self) -> str:
        """Name of the current step, "" between two phases."""
        return self.slots[0].step if self.slots else ""

    @property
    def powers(self) -> tuple[str, ...]:
        """Powers of the current slot."""
        return self.slots[0].powers if self.slots else ()


What = Literal["points", "money", "manpower"]


class Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Political points, money and manpower of a Power."""

    points: int = 0
    money: int = 0
    manpower: int = 0


class Posting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One change of an account: month, Power, account, amount, reason, sections."""

    turn: int
    power: str
    what: What
    amount: int
    reason: str
    rules: tuple[str, ...] = ()


class Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A declaration of war this month: by whom, on whom, and whether it was mutual."""

    aggressor: str
    defender: str
    mutual: bool = False


class CallingPower(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Power that may call its allies now, and whether it was attacked or attacked."""

    power: str
    defends: bool


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call to an ally against an enemy. If the ally is the caller, the attempt found no ally."""

    caller: str
    ally: str
    enemy: str


class Surrender(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A formal peace in the making.

    Attributes:
        loser, victor: the two Powers.
        kind: "" until the victor decides; conditional, unconditional; declined.
        accepted: whether it is accepted.
        given: the term of list A chosen by the loser, "none" where there is no choice.
        terms: the terms chosen by the victor.
        closed: whether the victor has ended the choice of terms.
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
        minor: the minor country.
        attackers: Powers that declared war on it and have not backed down.
        asked: Powers already asked whether they control it.
        willing: Powers that accepted.
        settled: whether its control is decided, also if no Power controls it.
        answered: attackers that have answered whether they back down.
        over: whether nothing is left to decide.
    """

    minor: str
    attackers: tuple[str, ...]
    asked: tuple[str, ...] = ()
    willing: tuple[str, ...] = ()
    settled: bool = False
    answered: tuple[str, ...] = ()
    over: bool = False


class Politics(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The current Political Phase.

    Attributes:
        declared: declarations between Powers, without those that answer calls.
        callers: Powers that may call allies, the current one first; None until their order is fixed.
        calls: calls made.
        surrenders: formal peaces in the making, in the order in which victors choose.
        opened: whether the papers of the Peace Step are revealed.
        peace: pairs at peace since this month, and whether it was formal: loser, victor, word.
        demands: separate peaces already asked about: the Power that may demand, the other Power.
        minors: minor countries on which war was declared.
        offers: alliances and combined movements offered by one side: kind, from, to.
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
    """A formal peace that was made. Its terms include those without an effect in the exercise.

    Attributes: the month; loser and victor; conditional or unconditional; ids of terms, that of list A first.
    """

    turn: int
    loser: str
    victor: str
    kind: str
    terms: tuple[str, ...]


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question to a Power.

    Attributes:
        kind: the kind of question; it selects the handler of the answer.
        power: the Power that answers.
        choices: possible answers, each a word of the notation.
        about: ids that it concerns; the kind defines their order.
        rules: sections.
        secret: whether the answer is written down and hidden for now.
    """

    kind: str
    power: str
    choices: tuple[str, ...]
    about: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    secret: bool = False


class Sealed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A secret paper of a Power. All papers about a matter are revealed together.

    Attributes:
        power: the author.
        matter: the subject: `declarations`, `proposals`, `chit`.
        words: the content; hidden from all others.
    """

    power: str
    matter: str
    words: tuple[str, ...] = ()


RelationKind = Literal["war", "alliance", "enforced_peace", "broken_alliance", "marriage"]


class Relation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fact about two Powers, or about a Power and a minor country.

    Attributes:
        kind: the kind of relation.
        a: the first party; in a war the declarer, of an enforced peace the party that it binds.
        b: the other party.
        since: the month in which it began, see `State.turn`.
        order: number of the war in the game, from 1; later wars have higher numbers. 0 for other kinds.
        until: the last month in which it holds, 0 for no end.
    """

    kind: RelationKind
    a: str
    b: str
    since: int
    order: int = 0
    until: int = 0

    def between(self, one: str, other: str) -> bool:
        """Return whether the relation is between these two."""
        return {self.a, self.b} == {one, other}


class Minor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A minor country.

    Attributes:
        id: its name in orders.
        status: neutral, free (a minor free state) or conquered.
        controller: the Power that controls it, "" while it is neutral.
        districts: count of its districts.
    """

    id: str
    status: str = "neutral"
    controller: str = ""
    districts: int = 1


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of the exercise: the winners (several in a tie) and the reason."""

    winners: tuple[str, ...]
    reason: str


class State(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The position.

    Attributes:
        exercise: the exercise.
        powers: its Powers, each a seat.
        turn: the month: twelve times the year, plus 0 for January to 11 for December.
        cursor: place in the sequence of play.
        relations: wars, alliances, and what remains of earlier ones.
        accounts: account of each Power.
        ledger: every change of an account, the oldest first.
        control: areas whose controller differs from the map, by area.
        minors: minor countries by id.
        fleets, corps, leaders: by id.
        garrisons, depots: in the order in which they were made.
        sealed: secret papers not yet revealed.
        questions: open questions; the last one is answered first.
        places: announced order of movement, by phase: the Power after which a Power moves, "" for first.
        combined: pairs of allies that move together this month.
        politics: the current Political Phase.
        treaties: formal peaces made.
        leaving: fleets that must leave their place.
        at_sea: the current naval sequence of a Power.
        shipyard: ships and fleet counters bought and not yet placed.
        campaign: the current land phase.
        access: permissions to enter areas and ports: holder and guest.
        result: how the exercise ended, None while it continues.
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
