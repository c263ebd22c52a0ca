"""The chronicle: a game told as a newspaper, one page for each Game Turn.

Every sentence comes from events that its reader knows. Headlines are chosen by the kind of the event and by a count,
never by chance, so the same game always has the same chronicle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.turn import points_reason
from paxtui.games.pax.narration.narrator import (
    BAD,
    Narrator,
    ReportLine,
    ReportPage,
    ReportSection,
    SeatStanding,
    VisibleAct,
)
from paxtui.games.pax.reports.briefing import split_by_turn
from paxtui.games.pax.reports.war_changes import battle_reports, describe_battle
from paxtui.games.pax.reports.war_status import war_title
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import (
    capitalize,
    join_with_and,
    of_power,
    place_name,
    sentence,
    the_power,
    the_powers,
)

MOST_LINES = 8
"""Most lines of one article. The last one counts what is left out."""

MOST_ARTICLES = 9
"""Most articles of a page; the least important ones are left out."""

HIGH_TENSION, STEEP_RISE = 80, 10
"""Index points from which European Tensions are news: their height, and their rise in a Game Turn."""


class Article(NamedTuple):
    """One item of a page.

    Attributes:
        weight: its importance; the first article of a page has the most.
        headline: a short sentence without a full stop.
        lines: complete sentences.
    """

    weight: int
    headline: str
    lines: tuple[ReportLine, ...]


class Chronicle:
    """Writes the pages of a game in order.

    Args:
        start: the position at the start, as the reader knows it.
    """

    def __init__(self, tables: Tables, start: State) -> None:
        self._tables = tables
        self._narrator = Narrator(tables, start)
        self._wars: dict[str, War] = {war.id: war for war in start.wars}
        self._points = {seat: start.powers[seat].victory_points for seat in start.players}
        self._seats = start.players
        self._printed = 0

    def page(self, turn: int, events: Sequence[ev.Event], over: bool) -> ReportPage:
        """Write the page of a Game Turn.

        Args:
            turn: its number.
            events: all events of the turn, as the reader knows them.
            over: whether the turn is over.
        """
        before = dict(self._points)
        tables = self._tables
        articles = [
            *self._result(events),
            *self._war_articles(events),
            *self._congress(events),
            *self._broken_promises(events),
            *self._treaties(events),
            *self._gains(events),
            *self._losses(events),
            *self._random_events(events),
            *self._tension(events),
            *self._china(events),
            *self._quarrels(events),
            *self._works(events),
        ]
        standings = self._standings(events)
        articles += self._exchange(before)
        articles.sort(key=lambda article: -article.weight)
        year = tables.turns[turn - 1].year
        following = tables.turns[turn].year - 1 if turn < len(tables.turns) else year
        years = f"{year} to {following}" if following > year else str(year)
        sections = tuple(ReportSection(a.headline, _shorten(a.lines)) for a in articles[:MOST_ARTICLES])
        if not sections:
            sections = (ReportSection("A quiet time", (ReportLine("Nothing notable has happened."),)),)
        title = f"The Chronicle, {years}" + ("" if over else ", so far")
        self._narrator.learn(events)
        return ReportPage(title, sections, standings)

    def _headline(self, *some: str) -> str:
        """Choose one of several wordings, in turn."""
        self._printed += 1
        return some[self._printed % len(some)]

    def _name(self, power: str) -> str:
        return capitalize(the_power(self._tables, power))

    def _tell(self, event: ev.Event, place: str = "", tone: str = "") -> ReportLine:
        return ReportLine(sentence(self._narrator.tell(event)), place, tone)

    def _result(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        for event in events:
            if not isinstance(event, ev.GameEnded):
                continue
            first = [seat for seat, rank in event.result.ranks.items() if rank == 1]
            lines = [self._tell(event)]
            if event.result.culprits:
                who = the_powers(self._tables, event.result.culprits)
                lines.append(ReportLine(sentence(f"the Great War is the work of {who}"), tone=BAD))
            verb = "share the first place" if len(first) > 1 else "has won"
            winners = the_powers(self._tables, first)
            yield Article(1000, f"{capitalize(winners)} {verb}", tuple(lines))

    def _war_articles(self, events: Sequence[ev.Event]) -> Iterator[Article]:
        """One article for each War in which something happened."""
        battles = {id(battle.fought): battle for battle in battle_reports(events)}
        reported = {id(event) for battle in battles.values() for event in battle.follows}
        lines: dict[str, list[ReportLine]] = {}
        began: dict[str, bool] = {}
        ended: dict[str, ev.WarDecided] = {}
        for event in events:
            if isinstance(event, ev.WarDeclared | ev.WarArose | ev.WarsMerged | ev.GreatWarBegan):
                self._wars[event.war.id] = event.war
                began[event.war.id] = True
                if isinstance(event, ev.WarsMerged | ev.GreatWarBegan):
                    earlier = [line for gone in event.gone for line in lines.pop(gone, [])]
                    lines[event.war.id] = [*earlier, *lines.get(event.war.id, [])]
                lines.setdefault(event.war.id, []).append(self._tell(event, tone=BAD))
            elif id(event) in battles:
                self._narrator.learn((event,))
                assert isinstance(event, ev.BattleFought)
                lines.setdefault(event.war, []).append(describe_battle(self._narrator, battles[id(event)], ()))
            elif isinstance(event, ev.AreaConquered | ev.PowerLeftWar | ev.WarDecided) and id(event) not in reported:
                if isinstance(event, ev.WarDecided):
                    ended[event.war] = event
                lines.setdefault(event.war, []).append(self._tell(event, getattr(event, "area", "")))
        for id_, some in lines.items():
            if id_ in self._wars:
                yield Article(*self._war_headline(self._wars[id_], id_ in began, ended.get(id_)), tuple(some))

    def _war_headline(self, war: War, began: bool, end: ev.WarDecided | None) -> tuple[int, str]:
        title = war_title(self._tables, war)
        if war.kind == "great":
            return 900, "The Great War"
        if end is None:
            return (700, f"War: {title}") if began else (600, f"The War goes on: {title}")
        if end.victor:
            victors = the_powers(self._tables, war.alliances[end.victor - 1])
            return 650, f"Victory of {victors}: {title}"
        return 650, f"The War is over: {title}"

    def _congress(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        notes = [event for event in events if isinstance(event, ev.CongressChanged) and event.note]
        lines = tuple(dict.fromkeys(self._tell(event) for event in notes))
        if lines:
            yield Article(500, self._headline("The Congress of Europe", "The Powers meet in Congress"), lines)

    def _broken_promises(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        broken: dict[str, list[ReportLine]] = {}
        for event in events:
            if isinstance(event, ev.TreatyBroken | ev.BreachOpened):
                broken.setdefault(event.power, []).append(self._tell(event, tone=BAD))
        for power, lines in broken.items():
            who = self._name(power)
            headline = self._headline(f"{who} breaks its word", f"{who} does not keep its promise")
            yield Article(550, headline, tuple(lines))

    def _treaties(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        made: list[ReportLine] = []
        revealed: list[ReportLine] = []
        for event in events:
            if isinstance(event, ev.TreatyInForce):
                made.append(self._tell(event))
            elif isinstance(event, ev.TreatyRevealed):
                revealed.append(self._tell(event))
            elif isinstance(event, ev.TreatyDrafted):
                self._narrator.learn((event,))
        if revealed:
            yield Article(450, self._headline("A secret comes to light", "What the Treaties say"), tuple(revealed))
        if made:
            headline = self._headline("New Treaties", "The diplomats have signed")
            yield Article(200 + 10 * len(made), headline, tuple(made))

    def _gains(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        """One article for each Power that has won Control of Areas."""
        gained: dict[str, dict[str, list[str]]] = {}
        for event in events:
            if isinstance(event, ev.MarkerEstablished) or (isinstance(event, ev.MarkerPlaced) and event.established):
                if event.marker in CONTROL:
                    gained.setdefault(event.power, {}).setdefault(event.marker, []).append(event.area)
            elif isinstance(event, ev.MarkerTransferred) and event.marker in CONTROL:
                yield Article(400, self._handed_headline(event), (self._tell(event, event.area),))
        for power, by_marker in gained.items():
            areas = [area for some in by_marker.values() for area in some]
            lines = tuple(self._marker_line(power, marker, some) for marker, some in by_marker.items())
            value = sum(self._tables.areas[area].value for area in areas)
            yield Article(250 + min(value, 100), self._gain_headline(power, areas), lines)

    def _handed_headline(self, event: ev.MarkerTransferred) -> str:
        where, giver = place_name(self._tables, event.area), of_power(self._tables, event.power)
        return self._headline(
            f"{where} changes hands", f"{where} passes from {giver} hands to {the_power(self._tables, event.to)}"
        )

    def _gain_headline(self, power: str, areas: Sequence[str]) -> str:
        who = self._name(power)
        best = max(areas, key=lambda area: self._tables.areas[area].value)
        where = place_name(self._tables, best)
        if len(areas) == 1:
            inside = the_power(self._tables, power)
            flag = f"The flag of {inside} over {where}"
            return self._headline(f"{who} takes {where}", flag, f"{where} falls to {inside}")
        more = len(areas) - 1
        return self._headline(
            f"{who} takes {len(areas)} Areas",
            f"{who} in {where} and {more} more Area{'s' * (more > 1)}",
            f"{who} expands",
        )

    def _marker_line(self, power: str, marker: str, areas: Sequence[str]) -> ReportLine:
        where = join_with_and([place_name(self._tables, area) for area in dict.fromkeys(areas)])
        name = self._tables.markers[marker].name
        text = f"{the_power(self._tables, power)} has {f'{name}s' if areas[1:] else f'a {name}'} in {where}"
        return ReportLine(sentence(text), areas[0] if len(areas) == 1 else "")

    def _losses(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        lost: dict[str, list[ReportLine]] = {}
        for event in events:
            if isinstance(event, ev.MarkerLowered) and event.marker in CONTROL and event.established:
                lost.setdefault(event.power, []).append(self._tell(event, event.area, BAD))
        for power, lines in lost.items():
            who = self._name(power)
            yield Article(350 + len(lines), self._headline(f"{who} gives way", f"{who} loses ground"), tuple(lines))

    def _random_events(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        """One article for the Random Events, and one for Unrest."""
        news: list[ReportLine] = []
        unrest: list[str] = []
        title = ""
        for event in events:
            if isinstance(event, ev.RandomEventRolled) and event.happens:
                row = self._tables.events.get(event.event)
                if row is not None and not row.unrest:
                    title = title or event.title
                    # the headline is the first title
                    news.append(ReportLine(sentence(f"{event.title}. {row.says}".rstrip() if news else row.says)))
            elif isinstance(event, ev.UnrestBegan) and event.happens:
                unrest.append(event.area)
        if unrest:
            areas = list(dict.fromkeys(unrest))
            where = join_with_and([place_name(self._tables, area) for area in areas])
            lines = [ReportLine(sentence(f"unrest in {place_name(self._tables, area)}"), area) for area in areas]
            headline = self._headline(f"Unrest in {where}", f"Disorder in {where}")
            yield Article(180, headline, tuple(lines) if len(lines) > 1 else ())
        if news:
            yield Article(300, title, tuple(news))

    def _tension(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        rises = [event for event in events if isinstance(event, ev.TensionRaised)]
        total = sum(event.amount for event in rises)
        if not rises or (total < STEEP_RISE and rises[-1].total < HIGH_TENSION):
            return
        blamed: dict[str, int] = {}
        for event in rises:
            if event.blame:
                blamed[event.blame] = blamed.get(event.blame, 0) + event.amount
        lines = [ReportLine(f"European Tensions have risen by {total}, to {rises[-1].total} of 100.", tone=BAD)]
        if blamed:
            power = max(blamed, key=lambda power: blamed[power])
            most = the_power(self._tables, power)
            lines.append(ReportLine(sentence(f"{most} is to blame for {blamed[power]} of them")))
        danger = rises[-1].total >= HIGH_TENSION
        headline = "Europe is close to the Great War" if danger else self._headline("Europe is uneasy", "Tensions rise")
        yield Article(480 if danger else 220, headline, tuple(lines))

    def _china(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        rises = [event for event in events if isinstance(event, ev.ResentmentRaised)]
        other = [event for event in events if isinstance(event, ev.ResentmentReset)]
        total = sum(event.amount for event in rises)
        if total < STEEP_RISE and not other:
            return
        lines = [ReportLine(f"Chinese Resentment has risen by {total}, to {rises[-1].total}.")] if rises else []
        yield Article(210, "News from China", (*lines, *(self._tell(event) for event in other)))

    def _quarrels(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        arose = [event for event in events if isinstance(event, ev.CasusBelliArose)]
        if not arose:
            return
        over: dict[tuple[str, str], list[str]] = {}
        for event in arose:
            holders = over.setdefault((event.against, event.area), [])
            if event.holder not in holders:
                holders.append(event.holder)
        lines = tuple(self._quarrel(holders, *about) for about, holders in over.items())
        pairs = dict.fromkeys(tuple(sorted((event.holder, event.against))) for event in arose)
        quarrel = the_powers(self._tables, next(iter(pairs))) + " quarrel"
        several = self._headline("Quarrels of the Powers", "Causes of War")
        yield Article(240, several if len(pairs) > 1 else capitalize(quarrel), lines)

    def _quarrel(self, holders: Sequence[str], against: str, area: str) -> ReportLine:
        verb = "have" if len(holders) > 1 else "has"
        where = f" over {place_name(self._tables, area)}" if area else ""
        target = the_power(self._tables, against)
        text = f"{the_powers(self._tables, holders)} {verb} a Casus Belli against {target}{where}"
        return ReportLine(sentence(text), area)

    def _works(self, events: Iterable[ev.Event]) -> Iterator[Article]:
        for event in events:
            if isinstance(event, ev.CanalBuilt):
                yield Article(420, "A canal joins two oceans", (self._tell(event, event.area),))

    def _standings(self, events: Iterable[ev.Event]) -> tuple[SeatStanding, ...]:
        """All seats by Victory Points, highest first; updates the known totals."""
        gained: dict[str, list[ev.VictoryPointsChanged]] = {}
        final: dict[str, int] = {}
        before = dict(self._points)
        for event in events:
            if isinstance(event, ev.VictoryPointsChanged) and event.power in self._points:
                gained.setdefault(event.power, []).append(event)
                self._points[event.power] = event.total
            elif isinstance(event, ev.PositionSet):
                self._points = {seat: event.state.powers[seat].victory_points for seat in event.state.players}
                self._seats, before = event.state.players, dict(self._points)
            elif isinstance(event, ev.GameEnded):
                final = dict(event.result.totals)
        if final:
            self._points.update(final)
        if not gained and not final:
            return ()
        out = []
        for seat in sorted(self._seats, key=lambda seat: -self._points[seat]):
            rank = 1 + sum(points > self._points[seat] for points in self._points.values())
            why = "; ".join(f"{e.amount:+d} {points_reason(e.reason)}" for e in gained.get(seat, ()))
            out.append(SeatStanding(seat, rank, self._points[seat], self._points[seat] - before.get(seat, 0), why))
        return tuple(out)

    def _exchange(self, before: dict[str, int]) -> Iterator[Article]:
        if self._points == before or not any(before.values()):
            return
        old = [seat for seat in before if before[seat] == max(before.values())]
        new = [seat for seat in self._points if self._points[seat] == max(self._points.values())]
        if len(new) == 1 and new != old:
            who = self._name(new[0])
            lead = self._points[new[0]] - max((p for seat, p in self._points.items() if seat != new[0]), default=0)
            points = "Victory Point" + "s" * (lead != 1)
            text = f"{who} leads by {lead} {points}"
            overtaken = [seat for seat in old if seat != new[0]]
            ahead = f", ahead of {the_powers(self._tables, overtaken)}" if new[0] not in old else ""
            yield Article(430, f"{who} takes the lead", (ReportLine(sentence(text + ahead)),))


def _shorten(lines: tuple[ReportLine, ...]) -> tuple[ReportLine, ...]:
    if len(lines) <= MOST_LINES:
        return lines
    left = len(lines) - MOST_LINES + 1
    return (*lines[: MOST_LINES - 1], ReportLine(f"{left} more reports follow in the log."))


def chronicle(tables: Tables, start: State, acts: Sequence[VisibleAct]) -> dict[int, ReportPage]:
    """Write a chronicle of a game.

    Args:
        start: the position at the start, as the reader knows it.
        acts: all acts in force, as the reader knows them.

    Returns:
        Game Turn -> its page; the last one may be unfinished.
    """
    writer = Chronicle(tables, start)
    turns = split_by_turn(acts, start.turn, start.phase)
    return {turn.turn: writer.page(turn.turn, turn.events, turn.over) for turn in turns if turn.events}
