"""Wars, Congresses and Treaties on the time line: when they began, when and how they ended, who broke them.

Made of the events that a seat has seen and of the Treaties that it knows: a War declared for a hidden Treaty looks like
any other, and a Treaty that the seat does not know is not there.

Rules: WAR-020, TRE-001, TRE-011, CON-001

What the course of a game is told in. Data only, and each part can be written as JSON.

The figures of a Game Turn: points, money, Areas under Control, the two indexes.

The balance of every region: who controls its Areas, and what they are worth.

Where the Victory Points of a player came from, by the lines of his record sheets.

Rules: VIC-006, VIC-009, VIC-011, VIC-015, VIC-016, VIC-018, VIC-020

The course of a game, gathered from its acts; positions are asked for where a Game Turn ends only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from paxtui.games.pax.board.status import holdings
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.state.diplomacy import ENDED, TREATY, Congress, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.state.war import GREAT, OTTOMAN, REBELLION, War
from paxtui.games.pax.text.display import join_with_and, power_name
from paxtui.games.pax.turn import victory


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


class PointsBonus(msgspec.Struct, frozen=True):
    """Victory Points won or lost other than by money, and why; in which Game Turn, 0 for the end of the game."""

    turn: int
    amount: int
    why: str


class PointSources(msgspec.Struct, frozen=True, omit_defaults=True):
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
    why: tuple[PointsBonus, ...] = ()

    @property
    def total(self) -> int:
        """Line 31."""
        return self.treasury + self.bonuses + self.ending + self.income + self.penalty


class AreaHolders(msgspec.Struct, frozen=True):
    """Who has Control of an Area, several in a Codominion, and who had it at the start; () for nobody."""

    area: str
    now: tuple[str, ...]
    first: tuple[str, ...]


class RegionBalance(msgspec.Struct, frozen=True):
    """A region: its Areas in the order of the table, and the Economic Value that each Power controls there.

    Attributes:
        name: of the region, as the table has it.
        areas: who holds them.
        values: Economic Value under Control now, by Power; first: at the start. Codominions count for each holder.
    """

    name: str
    areas: tuple[AreaHolders, ...]
    values: dict[str, int]
    first: dict[str, int]


SpanKind = Literal["war", "congress", "treaty"]


class TimeSpan(msgspec.Struct, frozen=True, omit_defaults=True):
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


class GameStatistics(msgspec.Struct, frozen=True):
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
    sources: dict[str, PointSources]
    regions: tuple[RegionBalance, ...]
    spans: tuple[TimeSpan, ...]
    reason: str = ""
    culprits: tuple[str, ...] = ()
    ranks: dict[str, int] = {}


def turn_figures(tables: Tables, state: State, events: Iterable[ev.Event]) -> TurnFigures:
    """The figures of the Game Turn that a position belongs to.

    Args: the tables; the position at the end of the Game Turn, or wherever it stands; what has happened in the turn.
    """
    return TurnFigures(
        turn=state.turn,
        year=tables.turns[state.turn - 1].year,
        points={seat: state.powers[seat].victory_points for seat in state.players},
        money=_most_money(state, events),
        income={power: p.record.get("22") for power, p in state.powers.items()},
        held={power: controlled_areas(state, power) for power in (*state.powers, *state.minors)},
        tension=state.tension,
        resentment=state.resentment,
    )


def _most_money(state: State, events: Iterable[ev.Event]) -> dict[str, int]:
    """The most that lay in each Treasury at once."""
    most = {power: p.treasury for power, p in state.powers.items()}
    for event in events:
        if isinstance(event, ev.TreasuryChanged):
            most[event.power] = max(most.get(event.power, 0), event.total)
    return most


def controlled_areas(state: State, power: str) -> int:
    """Areas under a Power's established Control, Codominions among them."""
    return sum(marker in CONTROL for _, marker in holdings(state, power))


def region_balances(tables: Tables, first: State, now: State) -> tuple[RegionBalance, ...]:
    """Every region in the order of the table. Args: the tables; the position at the start; the position now."""
    names: dict[str, list[str]] = {}
    for area in tables.areas.values():
        names.setdefault(area.region, []).append(area.id)
    return tuple(
        RegionBalance(
            name,
            tuple(AreaHolders(area, area_holders(now, area), area_holders(first, area)) for area in areas),
            _values(tables, now, areas),
            _values(tables, first, areas),
        )
        for name, areas in names.items()
    )


def area_holders(state: State, area: str) -> tuple[str, ...]:
    """The Powers with established Control of an Area."""
    here = state.areas.get(area)
    return tuple(m.power for m in here.markers if m.established and m.marker in CONTROL) if here else ()


def _values(tables: Tables, state: State, areas: list[str]) -> dict[str, int]:
    """Economic Values under Control by Power, the greatest sum first."""
    sums: dict[str, int] = {}
    for area in areas:
        for power in area_holders(state, area):
            sums[power] = sums.get(power, 0) + tables.areas[area].value
    return dict(sorted(sums.items(), key=lambda row: -row[1]))


def point_sources(tables: Tables, state: State, seat: str, won: Mapping[int, Iterable[ev.Event]]) -> PointSources:
    """Where a seat's Victory Points came from.

    Before the end of the game Section VI is as it would be if the game ended now without a Great War.

    Args: the tables; the position; the seat; what has happened in each Game Turn.
    """
    power = state.powers[seat]
    lines = power.record if state.result else dict(victory.final_lines(tables, state, seat))
    treasury = sum(sheet.get("24") or 0 for sheet in (*power.past.values(), power.record))
    why = [
        PointsBonus(turn, e.amount, e.reason)
        for turn, events in won.items()
        for e in events
        if isinstance(e, ev.VictoryPointsChanged) and e.power == seat and "VIC-006" not in e.rules
    ]
    why += [PointsBonus(0, points, text) for _, points, text in victory.current_bonuses(tables, state, seat)]
    return PointSources(
        treasury=treasury,
        bonuses=(lines.get("27") or 0) - treasury,
        ending=lines.get("28") or 0,
        income=lines.get("29") or 0,
        penalty=lines.get("30") or 0,
        why=tuple(why),
    )


WAR_TITLES = {REBELLION: "Chinese Rebellion", OTTOMAN: "Ottoman War", GREAT: "The Great War"}
"""What kinds of War are called where they are not called by their Powers."""

END_TEXTS = {
    "peace": "peace", "no_units": "no units left", "occupied": "occupied", "stalemate": "stalemate",
    "announced": "announced", "rebels_won": "the rebels won", "rebels_beaten": "the rebels lost",
    "island": "announced", "ottomans_won": "the Empire won", "ottomans_beaten": "the Empire lost",
    "cut_off": "announced",
}  # fmt: skip
"""How a War ended, in a word or two."""


def time_spans(tables: Tables, now: State, by_turn: Mapping[int, Sequence[ev.Event]]) -> tuple[TimeSpan, ...]:
    """Everything that lasted, in the order in which it began.

    Args: the tables; the position as the seat may know it; what it has seen happen, by Game Turn.
    """
    found = [*_wars(tables, now, by_turn), *_congresses(tables, now, by_turn), *_treaties(tables, now, by_turn)]
    return tuple(sorted(found, key=lambda span: span.began))


def _wars(tables: Tables, now: State, by_turn: Mapping[int, Iterable[ev.Event]]) -> Iterable[TimeSpan]:
    """Wars by their ids; one that has merged into another has ended in it."""
    wars: dict[str, TimeSpan] = {}

    def seen(war: War, turn: int) -> None:
        began = wars[war.id].began if war.id in wars else turn
        known = _with_all(wars[war.id].sides, war.alliances) if war.id in wars else war.alliances
        wars[war.id] = TimeSpan("war", war.id, war_title(tables, war.kind, known), known, began)

    def over(id_: str, turn: int, how: str) -> None:
        if id_ in wars and not wars[id_].ended:
            wars[id_] = replace(wars[id_], ended=turn, how=how)

    for turn, events in by_turn.items():
        tests: dict[str, str] = {}
        for event in events:
            match event:
                case ev.WarDeclared(war=war) | ev.WarArose(war=war):
                    seen(war, turn)
                case ev.WarsMerged(war=war, gone=gone) | ev.GreatWarBegan(war=war, gone=gone):
                    seen(war, turn)
                    for id_ in gone:
                        over(id_, turn, "merged")
                case ev.WarDecided(war=id_, test=test):
                    tests[id_] = END_TEXTS.get(test, test.replace("_", " "))
                case ev.WarOver(war=id_):
                    over(id_, turn, tests.get(id_, ""))
    for war in now.wars:
        seen(war, now.turn)
    return wars.values()


def _with_all(sides: tuple[tuple[str, ...], ...], now: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """The sides with whoever has come, and with whoever has left."""
    width = max(len(sides), len(now))
    pairs = ((*sides[n : n + 1], *now[n : n + 1]) for n in range(width))
    return tuple(tuple(dict.fromkeys(power for side in pair for power in side)) for pair in pairs)


def war_title(tables: Tables, kind: str, sides: Sequence[Sequence[str]]) -> str:
    """What a War is called: by its kind, or by the first Power of each side."""
    if kind in WAR_TITLES:
        return WAR_TITLES[kind]
    return " – ".join(power_name(tables, side[0]) for side in sides if side)


def _congresses(tables: Tables, now: State, by_turn: Mapping[int, Iterable[ev.Event]]) -> Iterable[TimeSpan]:
    for turn, events in by_turn.items():
        last: Congress | None = None
        for event in events:
            if isinstance(event, ev.CongressChanged):
                last = event.congress
        if last is not None:
            title = f"Congress in {power_name(tables, last.site)}"
            done = [proposal.name for proposal in last.proposals if proposal.signed]
            over = turn < now.turn or now.congress is None or now.result is not None
            how = (join_with_and(done) or "no Treaty") if over else ""
            yield TimeSpan(
                "congress", f"congress-{turn}", title, (tuple(h.power for h in last.holders),), turn, turn, how
            )


def _treaties(tables: Tables, now: State, by_turn: Mapping[int, Iterable[ev.Event]]) -> Iterable[TimeSpan]:
    """Treaties that have been in force, as far as they are known."""
    ended: dict[str, int] = {}
    for turn, events in by_turn.items():
        for event in events:
            if isinstance(event, ev.TreatyEnded):
                ended.setdefault(event.id, turn)
    for treaty in now.treaties:
        if treaty.form == TREATY and treaty.since:
            end = ended.get(treaty.id, now.turn) if treaty.stage == ENDED else 0
            yield TimeSpan(
                "treaty",
                treaty.id,
                treaty.name or treaty.id,
                (treaty.parties,),
                treaty.since,
                end,
                treaty.reason if end else "",
                _broken(treaty),
                not treaty.public,
            )


def _broken(treaty: Treaty) -> tuple[tuple[int, str], ...]:
    """When it was broken, and by whom, each once a turn."""
    return tuple(dict.fromkeys((breach.turn, breach.power) for breach in treaty.breaches))


def collect_statistics(
    tables: Tables, acts: Sequence[tuple[ev.Event, ...]], after: Callable[[int], State], now: State | None = None
) -> GameStatistics:
    """The course of a game.

    Args:
        tables: of the game.
        acts: what has happened by each act in force, as the seat may know it.
        after: the position after so many acts, as the seat may know it; 0 asks for the start.
        now: the position after all of them, where it is at hand.
    """
    first = after(0)
    now = after(len(acts)) if now is None else now
    turns = []
    by_turn: dict[int, list[ev.Event]] = {first.turn: []}
    here = by_turn[first.turn]
    for n, events in enumerate(acts):
        for at, event in enumerate(events):
            if isinstance(event, ev.TurnBegan):
                end = after(n)
                for earlier in events[:at]:
                    end = evolve(end, earlier)
                turns.append(turn_figures(tables, end, here))
                here = by_turn[event.turn] = []
            elif isinstance(event, ev.PositionSet):
                # what came before has nothing to do with the new position
                turns.clear()
                by_turn.clear()
                first = after(n + 1)
                here = by_turn[first.turn] = []
            here.append(event)
    turns.append(turn_figures(tables, now, here))
    return GameStatistics(
        players=now.players,
        turns=tuple(turns),
        sources={seat: point_sources(tables, now, seat, by_turn) for seat in now.players},
        regions=region_balances(tables, first, now),
        spans=time_spans(tables, now, by_turn),
        reason=now.result.reason if now.result else "",
        culprits=now.result.culprits if now.result else (),
        ranks=dict(now.result.ranks) if now.result else {},
    )
