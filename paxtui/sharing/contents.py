"""What a shared page contains: the game as one viewpoint sees it, as data for the script of the page.

Everything comes from a `GameViewer`, so nothing that is hidden from the viewpoint is in the result. Texts are plain;
the page inserts them as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from paxtui import __version__
from paxtui.charts.chart import Curves
from paxtui.charts.game_charts import all_charts, outcome_sentence, power_letters, region_name
from paxtui.engine.free_text import clean_text
from paxtui.engine.seating import occupant_label, seat_occupants
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.board.status import area_state, units_line
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.figures import FIGURES, Figure
from paxtui.games.pax.reports.war_status import war_title
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE, AreaState, Unit
from paxtui.games.pax.text.display import capitalize, phase_name, power_name, the_power
from paxtui.session.game_viewer import GameViewer, LogEntry, game_course
from paxtui.session.pax_host import PaxHost
from paxtui.sharing.atlas import vector_atlas
from paxtui.sharing.remarks import SharedRemark, review_heading, review_remarks, study_remarks, viewpoint_review
from paxtui.sharing.turns import GameTurn, game_turns
from paxtui.tui.colors import LETTERS, POWERS
from paxtui.tui.formatting.review import chances_chart
from paxtui.tui.map.scene import PlaceMark
from paxtui.tui.widgets.map_scene import area_mark

Change = tuple[int, str, Any]
"""A change of the position: line, key, and value after the line."""


class SharedPower(msgspec.Struct, frozen=True):
    """A Power: its id, name, letters, whether it has a player, and the occupant of its seat."""

    id: str
    name: str
    letters: str
    seat: bool
    player: str


class SharedPlace(msgspec.Struct, frozen=True):
    """A place on the map: kind, code, name, region, type, Economic Value and Resistance."""

    id: str
    kind: str
    code: str
    name: str
    region: str = ""
    type: str = ""
    value: int = 0
    strength: int = 0


class SharedEntry(msgspec.Struct, frozen=True, array_like=True):
    """An entry of the log: line, Powers concerned, group, place, whether it is bookkeeping, text."""

    line: int
    powers: tuple[str, ...]
    group: str
    place: str
    quiet: bool
    text: str


class SharedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game on a page.

    Attributes:
        title: of the page.
        viewpoint: whose knowledge the page has, as a sentence.
        warning: a warning while the game runs, "" for none.
        outcome: the standing or the result, in a sentence.
        over: whether the game is over.
        last: number of the last line.
        figures: headings of the table of Powers, with their explanations.
        ranks: by seat, empty during the game.
        groups: the kinds of log entries, by id.
        start: the position of line 1 by key.
        changes: what each line changes, in order. Keys are `a:` and an Area, `h:` and a Home Country, `s:` and a Sea
            Zone, `p:` and a Power, `turn`, `phase`, `indexes`, `wars`.
        log: the events in words.
        chapters: marks of the timeline: line, sign and title.
        charts: the line charts; their ticks are the turns, and perhaps the end.
        chances: the chart of the chances to win, at the beginning of each turn and at the end.
        sources: the chart of the sources of Victory Points.
        spans: Wars, Congresses and Treaties.
        review: the turning points.
        review_heading: their heading, and how they were found.
        comments: what readers wrote.
    """

    program: str
    title: str
    viewpoint: str
    warning: str
    outcome: str
    over: bool
    last: int
    turn_count: int
    powers: tuple[SharedPower, ...]
    places: tuple[SharedPlace, ...]
    figures: tuple[tuple[str, str, str], ...]
    turns: tuple[GameTurn, ...]
    ranks: dict[str, int]
    groups: dict[str, str]
    start: dict[str, Any]
    changes: tuple[Change, ...]
    log: tuple[SharedEntry, ...]
    chapters: tuple[tuple[int, str, str], ...]
    charts: tuple[Curves, ...]
    chances: Curves | None
    sources: Any
    spans: tuple[dict[str, Any], ...]
    review: tuple[SharedRemark, ...] = ()
    review_heading: tuple[str, str] = ("", "")
    comments: tuple[SharedRemark, ...] = ()


def share_game(
    host: PaxHost, viewpoint: str, title: str, log: Path | None = None, study: Path | None = None
) -> SharedGame:
    """Return the contents of a page.

    Args:
        host: the game.
        viewpoint: a seat, SPECTATOR or ARBITER.
        title: the title of the page.
        log: the file of the game, beside which a review and a study may be.
        study: the study whose notes the page shows, if it is not the one beside the log.

    Raises: Refusal `unknown_seat`; ReviewError, StudyError, OSError: review or study cannot be used.
    """
    view, tables = GameViewer(host, viewpoint), host.tables
    course = game_course(host, viewpoint)
    last = view.version
    first, changes = _positions(view, last)
    entries = tuple(_entries(view.log(), tables))
    turns = game_turns(view)
    charts = all_charts(tables, course)
    curves = [chart for chart in charts.values() if isinstance(chart, Curves)]
    review = viewpoint_review(host, viewpoint, log)
    return SharedGame(
        program=f"paxtui {__version__}",
        title=clean_text(title),
        viewpoint=_viewpoint_sentence(tables, viewpoint),
        warning=view_warning(host, viewpoint),
        outcome=outcome_sentence(tables, course),
        over=host.is_over,
        last=last,
        turn_count=len(tables.turns),
        powers=_powers(host, viewpoint),
        places=_places(tables),
        figures=tuple((f.name, f.column, f.title) for f in FIGURES if f.column),
        turns=turns,
        ranks=course.ranks,
        groups=GROUPS,
        start=first,
        changes=changes,
        log=entries,
        chapters=tuple(_chapters(view.log())),
        charts=tuple(curves),
        chances=chances_chart(tables, review) if review is not None else None,
        sources=charts["sources"],
        spans=tuple(msgspec.to_builtins(span) for span in course.spans),
        review=review_remarks(host, review) if review is not None else (),
        review_heading=review_heading(review) if review is not None else ("", ""),
        comments=study_remarks(host, log, viewpoint, study).remarks if log is not None else (),
    )


def _viewpoint_sentence(tables: Tables, viewpoint: str) -> str:
    if viewpoint == ARBITER:
        return "This page shows everything, also what was secret."
    if viewpoint == SPECTATOR:
        return "This page shows what every player could see."
    return f"This page shows what {the_power(tables, viewpoint)} could see."


def view_warning(host: PaxHost, viewpoint: str) -> str:
    """Return the warning for a view with secrets of a game that is not over; "" for none."""
    if host.is_over or viewpoint == SPECTATOR:
        return ""
    if viewpoint == ARBITER:
        return "This game is not over, and this page contains all its secrets. Show it to no player."
    name = the_power(host.tables, viewpoint)
    return f"This game is not over, and this page contains what only {name} knows. Show it to no other player."


def _powers(host: PaxHost, viewpoint: str) -> tuple[SharedPower, ...]:
    tables, players = host.tables, host.state.players
    occupants = seat_occupants(host.known(viewpoint).lines, host.rules.first_occupants(host.game.header))
    known = [*players, *(power for power in POWERS if power not in players)]
    return tuple(
        SharedPower(
            power,
            power_name(tables, power),
            LETTERS.get(power, power_letters(tables, power)),
            power in players,
            clean_text(occupant_label(occupants[power])) if power in occupants else "",
        )
        for power in (*known, OTTOMAN_EMPIRE)
        if power != "ottoman"
    )


def _places(tables: Tables) -> tuple[SharedPlace, ...]:
    found = []
    for label in vector_atlas().labels:
        area = tables.areas.get(label.id)
        if area is None:
            found.append(SharedPlace(label.id, label.kind, label.code, label.name))
        else:
            facts = region_name(area.region), area.type, area.value, area.strength
            found.append(SharedPlace(label.id, label.kind, label.code, area.name, *facts))
    return tuple(found)


# --- positions --------------------------------------------------------------------------------------------------------


def _positions(view: GameViewer, last: int) -> tuple[dict[str, Any], tuple[Change, ...]]:
    """Return the position of line 1 and the changes of all lines."""
    describe = _PositionDescriber(view.tables)
    start: dict[str, Any] = describe.describe(view.position(1))
    known = dict(start)
    changes: list[Change] = []
    for line in range(2, last + 1):
        for key, value in describe.describe(view.position(line)).items():
            if known.get(key) != value:
                known[key] = value
                changes.append((line, key, value))
    return start, tuple(changes)


class _PositionDescriber:
    """Describes positions by key; equal contents of Areas are described once."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._areas: dict[tuple[str, bool], tuple[AreaState, Any]] = {}

    def describe(self, state: State) -> dict[str, Any]:
        tables = self._tables
        disputed = {cause.area for cause in state.casus_belli}
        found: dict[str, Any] = {}
        for area in tables.areas:
            found[f"a:{area}"] = self._area(state, area, area in disputed)
        for power, units in state.homes.items():
            found[f"h:{power}"] = units_line(units)
        for zone in tables.sea_zones:
            found[f"s:{zone}"] = [list(state.sea_zones.get(zone, ())), _fleets(state.at_sea.get(zone, ()))]
        for power in state.powers:
            found[f"p:{power}"] = [_figure(figure, tables, state, power) for figure in FIGURES if figure.column]
        found["turn"] = state.turn
        found["phase"] = phase_name(state.phase)
        found["indexes"] = [state.tension, state.resentment]
        found["wars"] = [capitalize(war_title(tables, war)) for war in state.wars]
        return found

    def _area(self, state: State, area: str, disputed: bool) -> Any:
        """Return markers (Power, marker, established), status, holders, Units by Power, and flags."""
        here = area_state(state, area)
        known = self._areas.get((area, disputed))
        if known is not None and known[0] == here:
            return known[1]
        value = _describe_area(area_mark(self._tables, state, area), here)
        self._areas[area, disputed] = here, value
        return value


def _figure(figure: Figure, tables: Tables, state: State, power: str) -> int | None:
    return None if figure.of_seats and power not in state.players else figure.value(tables, state, power)


def _describe_area(mark: PlaceMark, here: AreaState) -> Any:
    flags = mark.unrest + 2 * mark.casus_belli + 4 * mark.canal + 8 * mark.unestablished
    markers = [[m.power, m.marker, int(m.established)] for m in here.markers]
    return [markers, mark.status, list(mark.holders), _fleets(here.units), flags]


def _fleets(units: Sequence[Unit]) -> list[list[str]]:
    """Return the Units of each Power in one text."""
    powers = dict.fromkeys(unit.power for unit in units)
    return [[power, units_line(tuple(u for u in units if u.power == power))] for power in powers]


# --- log ----------------------------------------------------------------------------------------------------------


GROUPS = {
    "markers": "Markers and Unrest",
    "units": "Units and fleets",
    "money": "Money and points",
    "events": "Random Events and indexes",
    "war": "War",
    "treaties": "Treaties and Congress",
    "dispatches": "Dispatches",
    "other": "Other",
}
"""The groups of log entries, by id. Headings have the groups `turn` and `phase`."""

_KINDS = {
    "markers": (
        *("MarkerPlaced", "MarkerEstablished", "MarkerLowered", "MarkerTransferred", "CodominionSet"),
        *("AreaTypeChanged", "CanalBuilt", "UnrestBegan", "UnrestEnded", "ColonialCombat", "MinorActivity"),
        *("MinorDirected", "GarrisonMissing"),
    ),
    "units": (
        *("UnitsBuilt", "UnitsMoved", "UnitsHalted", "UnitsLost", "CoastChosen", "MerchantMoved", "MinorSentArmies"),
    ),
    "money": ("TreasuryChanged", "OfficeIncome", "VictoryPointsChanged", "RecordWritten", "GameEnded"),
    "events": (
        *("RandomEventRolled", "DiceRolled", "TensionRaised", "ResentmentRaised", "ResentmentReset"),
        *("RebellionChecked", "CasusBelliArose", "CasusBelliEnded"),
    ),
    "war": ("WarDue", "BattleFought"),
    "dispatches": ("dispatch",),
    "turn": ("TurnBegan",),
    "phase": ("PhaseBegan",),
}
_GROUP_OF = {kind: group for group, kinds in _KINDS.items() for kind in kinds}


def _group(kind: str) -> str:
    group = _GROUP_OF.get(kind)
    if group is None:
        module = getattr(getattr(ev, kind, None), "__module__", "").rpartition(".")[2]
        group = {"war": "war", "treaties": "treaties"}.get(module, "other")
    return group


def _entries(log: Sequence[LogEntry], tables: Tables) -> Iterator[SharedEntry]:
    names = {power_name(tables, power): power for power in POWERS}
    for entry in log:
        text = clean_text(entry.text).strip("═— ")
        seat = (entry.seat,) if entry.seat in tables.powers else ()
        named = tuple(power for name, power in names.items() if name in text)
        powers = tuple(dict.fromkeys((*seat, *named)))
        yield SharedEntry(entry.line, powers, _group(entry.kind), entry.place, entry.quiet, text)


CHAPTER_SIGNS = {
    **dict.fromkeys(("WarDeclared", "WarArose", "GreatWarBegan", "BattleFought"), "⚔"),
    **dict.fromkeys(("TreatyBroken", "BreachOpened"), "✗"),
    "TreatyInForce": "§",
    "CanalBuilt": "=",
    "GameEnded": "■",
}
"""Events that the timeline marks, with their signs."""


def _chapters(log: Sequence[LogEntry]) -> Iterator[tuple[int, str, str]]:
    for entry in log:
        if entry.kind in CHAPTER_SIGNS:
            yield entry.line, CHAPTER_SIGNS[entry.kind], clean_text(entry.text)
