"""What is played, and what has come of it. Data only, as it stands in the lines of a run."""

from __future__ import annotations

import msgspec


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """One game to play.

    Attributes:
        number: its number in the run, from 1.
        seed: of its dice.
        bots: seat -> the bot that sits there, in the order of the seats.
        options: those that differ from their defaults.
        file: where its log goes, "" for nowhere.
        tables: a directory of tables that replace shipped ones, "" for none.
        check: whether the books of the finished game are audited, line by line.
    """

    number: int
    seed: str
    bots: dict[str, str]
    options: dict[str, str] = {}
    file: str = ""
    tables: str = ""
    check: bool = False


class Points(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the Victory Points of a player came from.

    Attributes:
        treasury: what was left over, turn by turn.
        bonuses: those of the turns, penalties of events among them.
        ending: bonuses and penalties at the end.
        income: twice the colonial income at the end.
        penalty: for the Great War, negative.
    """

    treasury: int = 0
    bonuses: int = 0
    ending: int = 0
    income: int = 0
    penalty: int = 0


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a game came to.

    Attributes:
        number, seed, bots, options: as it was to be played.
        error: why there is no result, "" where there is one.
        reason: last_turn or great_war; in which Game Turn; who is to blame.
        ranks, totals, points: by seat.
        by_turn: Victory Points at the end of each Game Turn, by seat, without the final record.
        tension, resentment: the indexes at the end of each Game Turn.
        wars, rebellions, congresses: how many there were.
        treaties_made, treaties_broken: how many. treaties_kept: Treaties that nobody broke.
        declared, broken: Wars declared (not as a Treaty asks), and Treaties broken, by Power.
        pushed: how often the arbiter had to go on without an answer.
        lines: of the log. seconds: that it took. cpu: seconds of the processor. file: its log.
        phases: seconds by Phase, the thinking of the bots among them.
        attempts: how often it was begun.
    """

    number: int
    seed: str
    bots: dict[str, str]
    options: dict[str, str] = {}
    error: str = ""
    reason: str = ""
    turn: int = 0
    culprits: tuple[str, ...] = ()
    ranks: dict[str, int] = {}
    totals: dict[str, int] = {}
    points: dict[str, Points] = {}
    by_turn: dict[str, tuple[int, ...]] = {}
    tension: tuple[int, ...] = ()
    resentment: tuple[int, ...] = ()
    wars: int = 0
    rebellions: int = 0
    congresses: int = 0
    treaties_made: int = 0
    treaties_broken: int = 0
    treaties_kept: int = 0
    declared: dict[str, int] = {}
    broken: dict[str, int] = {}
    pushed: int = 0
    lines: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    phases: dict[str, float] = {}
    file: str = ""
    attempts: int = 1


def failed(match: Match, error: str, attempts: int = 1) -> Outcome:
    """The outcome of a game that has none. Args: what was to be played; why it came to nothing; how often begun."""
    return Outcome(match.number, match.seed, match.bots, match.options, error=error, attempts=attempts)
