"""Statistics of a game: figures per Game Turn, sources of Victory Points, regions, and a time line.

They use only the events and Treaties that the seat may know.

Rules: VIC-006, VIC-009, VIC-011, VIC-015, VIC-016, VIC-018, VIC-020, WAR-020, TRE-001, TRE-011, CON-001
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.figures import FIGURES
from paxtui.games.pax.state.diplomacy import ENDED, TREATY, Congress, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.war import GREAT, OTTOMAN, REBELLION, War
from paxtui.games.pax.text.display import join_with_and, power_name
from paxtui.games.pax.turn import victory


class TurnFigures(msgspec.Struct, frozen=True):
    """Figures of a Game Turn, at its end or so far.

    Attributes:
        turn, year: the Game Turn.
        points: Victory Points so far, by seat, without those of Section VI.
        money: highest balance of each Power's Treasury in the turn, in pounds.
        income: line 22 of each Power, in pounds; None before it is written.
        figures: by name, the figures that have a chart, by Power.
        tension, resentment: the two indexes.
    """

    turn: int
    year: int
    points: dict[str, int]
    money: dict[str, int]
    income: dict[str, int | None]
    figures: dict[str, dict[str, int | None]]
    tension: int
    resentment: int


class PointsBonus(msgspec.Struct, frozen=True):
    """Victory Points gained or lost other than by money, with the reason; `turn` is 0 for the end of the game."""

    turn: int
    amount: int
    why: str


class PointSources(msgspec.Struct, frozen=True, omit_defaults=True):
    """Sources of a player's Victory Points.

    Attributes:
        treasury: what was left over, turn by turn (line 24).
        bonuses: bonuses and penalties of the turns (line 25).
        ending: bonuses and penalties at the end (line 28).
        income: twice the colonial income at the end (line 29).
        penalty: for the Great War, never positive (line 30).
        why: the parts of `bonuses` and `ending`.
    """

    treasury: int = 0
    bonuses: int = 0
    ending: int = 0
    income: int = 0
    penalty: int = 0
    why: tuple[PointsBonus, ...] = ()

    @property
    def amounts(self) -> tuple[int, ...]:
        """The Victory Points from each source."""
        return self.treasury, self.bonuses, self.ending, self.income, self.penalty

    @property
    def total(self) -> int:
        """Line 31."""
        return sum(self.amounts)


class AreaHolders(msgspec.Struct, frozen=True):
    """Powers with Control of an Area now and at the start; several in a Codominion, () for none."""

    area: str
    now: tuple[str, ...]
    first: tuple[str, ...]


class RegionBalance(msgspec.Struct, frozen=True):
    """A region: its Areas in table order, and the Economic Value that each Power controls.

    Attributes:
        name: name of the region in the table.
        areas: holders of each Area.
        values: Economic Value under Control now, by Power. Codominions count for each holder.
        first: the same at the start.
    """

    name: str
    areas: tuple[AreaHolders, ...]
    values: dict[str, int]
    first: dict[str, int]


SpanKind = Literal["war", "congress", "treaty"]


class TimeSpan(msgspec.Struct, frozen=True, omit_defaults=True):
    """A War, a Congress of Europe or a Treaty on the time line.

    Attributes:
        kind: which of them.
        id: id of the War or Treaty.
        title: its name.
        sides: Powers by side; a Treaty and a Congress have one side.
        began: Game Turn.
        ended: Game Turn, 0 while it lasts.
        how: how it ended, in one or two words; "" while it lasts.
        broken: Game Turns in which it was broken, with the Power that broke it.
        secret: whether only its parties know it.
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
    """The course of a game up to a moment.

    Attributes:
        players: the seats.
        turns: figures of each Game Turn; the last one may be unfinished.
        sources: by seat; during the game, Section VI is as if the game ended now.
        regions: balance of each region.
        spans: Wars, Congresses and Treaties in order of their beginning.
        reason: how the game ended, "last_turn" or "great_war"; "" during the game.
        culprits: Powers that caused the Great War.
        ranks: by seat, empty during the game.
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
    """Return the figures of the Game Turn that a position belongs to.

    Args:
        state: the position, usually at the end of the Game Turn.
        events: the events of the turn.
    """
    return TurnFigures(
        turn=state.turn,
        year=tables.turns[state.turn - 1].year,
        points={seat: state.powers[seat].victory_points for seat in state.players},
        money=_most_money(state, events),
        income={power: p.record.get("22") for power, p in state.powers.items()},
        figures={f.name: {power: f.value(tables, state, power) for power in state.powers} for f in FIGURES if f.chart},
        tension=state.tension,
        resentment=state.resentment,
    )


def _most_money(state: State, events: Iterable[ev.Event]) -> dict[str, int]:
    most = {power: p.treasury for power, p in state.powers.items()}
    for event in events:
        if isinstance(event, ev.TreasuryChanged):
            most[event.power] = max(most.get(event.power, 0), event.total)
    return most


def region_balances(tables: Tables, first: State, now: State) -> tuple[RegionBalance, ...]:
    """Return all regions in table order.

    Args:
        first: the position at the start.
        now: the present position.
    """
    names: dict[str, list[str]] = {}
    for area in tables.areas.values():
        names.setdefault(area.region, []).append(area.id)
    return tuple(
        RegionBalance(
            name,
            tuple(AreaHolders(area, controllers(now, area), controllers(first, area)) for area in areas),
            _values(tables, now, areas),
            _values(tables, first, areas),
        )
        for name, areas in names.items()
    )


def _values(tables: Tables, state: State, areas: list[str]) -> dict[str, int]:
    """Sum Economic Values under Control by Power, the greatest first."""
    sums: dict[str, int] = {}
    for area in areas:
        for power in controllers(state, area):
            sums[power] = sums.get(power, 0) + tables.areas[area].value
    return dict(sorted(sums.items(), key=lambda row: -row[1]))


def point_sources(tables: Tables, state: State, seat: str, won: Mapping[int, Iterable[ev.Event]]) -> PointSources:
    """Return the sources of a seat's Victory Points.

    During the game, Section VI is as if the game ended now without a Great War.

    Args:
        won: events by Game Turn.
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
"""Names of the kinds of War that are not named after their Powers."""

END_TEXTS = {
    "peace": "peace", "no_units": "no units left", "occupied": "occupied", "stalemate": "stalemate",
    "announced": "announced", "rebels_won": "the rebels won", "rebels_beaten": "the rebels lost",
    "island": "announced", "ottomans_won": "the Empire won", "ottomans_beaten": "the Empire lost",
    "cut_off": "announced",
}  # fmt: skip
"""How a War ended, in one or two words."""


def time_spans(tables: Tables, now: State, by_turn: Mapping[int, Sequence[ev.Event]]) -> tuple[TimeSpan, ...]:
    """Return all Wars, Congresses and Treaties in order of their beginning.

    Args:
        now: the position as the seat may know it.
        by_turn: the events that the seat has seen, by Game Turn.
    """
    found = [*_wars(tables, now, by_turn), *_congresses(tables, now, by_turn), *_treaties(now, by_turn)]
    return tuple(sorted(found, key=lambda span: span.began))


def _wars(tables: Tables, now: State, by_turn: Mapping[int, Iterable[ev.Event]]) -> Iterable[TimeSpan]:
    """Wars by id. A War that merges into another one ends."""
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
    """Merge two lists of sides: each side keeps the Powers that have left and gains those that have joined."""
    width = max(len(sides), len(now))
    pairs = ((*sides[n : n + 1], *now[n : n + 1]) for n in range(width))
    return tuple(tuple(dict.fromkeys(power for side in pair for power in side)) for pair in pairs)


def war_title(tables: Tables, kind: str, sides: Sequence[Sequence[str]]) -> str:
    """Name a War by its kind, or by the first Power of each side."""
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
            disputants = tuple(dict.fromkeys(h.power for h in last.holders))
            yield TimeSpan("congress", f"congress-{turn}", title, (disputants,), turn, turn, how)


def _treaties(now: State, by_turn: Mapping[int, Iterable[ev.Event]]) -> Iterable[TimeSpan]:
    """Known Treaties that have been in force."""
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
    return tuple(dict.fromkeys((breach.turn, breach.power) for breach in treaty.breaches))


def collect_statistics(
    tables: Tables, acts: Sequence[tuple[ev.Event, ...]], after: Callable[[int], State]
) -> GameStatistics:
    """Return the statistics of a game.

    Args:
        acts: events of each action in force, as the seat may know them.
        after: returns the position after so many actions, as the seat may know it; 0 is the start.
    """
    first = after(0)
    now = after(len(acts))
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
                # earlier events do not belong to the new position
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
