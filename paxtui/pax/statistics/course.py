"""What the course of a game is told in. Data only, and each part can be written as JSON."""

from __future__ import annotations

from typing import Literal

import msgspec


class TurnFigures(msgspec.Struct, frozen=True):
    """A Game Turn in figures, as it ended or as it stands.

    Attributes:
        turn, year: which one.
        points: Victory Points so far, by seat, without those of Section VI.
        money: pounds, the most that each Power had in its Treasury at once: what it had to spend.
        income: pounds, line 22 of each Power, None before it was written.
        held: Areas under the Control of each Power that plays or acts for itself.
        tension, resentment: the two indexes.
    """

    turn: int
    year: int
    points: dict[str, int]
    money: dict[str, int]
    income: dict[str, int | None]
    held: dict[str, int]
    tension: int
    resentment: int


class Bonus(msgspec.Struct, frozen=True):
    """Victory Points won or lost other than by money, and why; in which Game Turn, 0 for the end of the game."""

    turn: int
    amount: int
    why: str


class Sources(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the Victory Points of a player came from.

    Attributes:
        treasury: what was left over, turn by turn (line 24).
        bonuses: those of the turns, penalties of events among them (line 25).
        ending: bonuses and penalties at the end (line 28).
        income: twice the colonial income at the end (line 29).
        penalty: for the Great War, not above 0 (line 30).
        why: what bonuses and ending are the sum of.
    """

    treasury: int = 0
    bonuses: int = 0
    ending: int = 0
    income: int = 0
    penalty: int = 0
    why: tuple[Bonus, ...] = ()

    @property
    def total(self) -> int:
        """Line 31."""
        return self.treasury + self.bonuses + self.ending + self.income + self.penalty


class Holder(msgspec.Struct, frozen=True):
    """Who has Control of an Area, several in a Codominion, and who had it at the start; () for nobody."""

    area: str
    now: tuple[str, ...]
    first: tuple[str, ...]


class Region(msgspec.Struct, frozen=True):
    """A region: its Areas in the order of the table, and the Economic Value that each Power controls there.

    Attributes:
        name: of the region, as the table has it.
        areas: who holds them.
        values: Economic Value under Control now, by Power; first: at the start. Codominions count for each holder.
    """

    name: str
    areas: tuple[Holder, ...]
    values: dict[str, int]
    first: dict[str, int]


SpanKind = Literal["war", "congress", "treaty"]


class Span(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that lasted: a War, a Congress of Europe, a Treaty.

    Attributes:
        kind: which of them.
        id: of the War or Treaty.
        title: its name, in words.
        sides: Powers, those on one side together; of a Treaty and a Congress one side.
        began: Game Turn.
        ended: Game Turn, 0 while it lasts.
        how: how it ended, in a word or two; "" while it lasts.
        broken: Game Turns in which it was broken, with the Power that broke it.
        secret: whether only its parties know of it.
    """

    kind: SpanKind
    id: str
    title: str
    sides: tuple[tuple[str, ...], ...]
    began: int
    ended: int = 0
    how: str = ""
    broken: tuple[tuple[int, str], ...] = ()
    secret: bool = False


class Course(msgspec.Struct, frozen=True):
    """The course of a game from its start to a moment.

    Attributes:
        players: the seats.
        turns: the figures of each Game Turn, the last one perhaps unfinished.
        sources: by seat; while the game goes on Section VI is as it would be now.
        regions: who holds what.
        spans: Wars, Congresses and Treaties in the order in which they began.
        reason: how it ended, "last_turn" or "great_war"; "" while it goes on.
        culprits: who brought the Great War about.
        ranks: by seat, empty while it goes on.
    """

    players: tuple[str, ...]
    turns: tuple[TurnFigures, ...]
    sources: dict[str, Sources]
    regions: tuple[Region, ...]
    spans: tuple[Span, ...]
    reason: str = ""
    culprits: tuple[str, ...] = ()
    ranks: dict[str, int] = {}
