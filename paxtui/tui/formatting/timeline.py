"""The timeline: the scrubber with its marks, chapters of a game, and differences between two moments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import NamedTuple

from rich.text import Text

from paxtui.games.pax import casus_belli
from paxtui.games.pax.board.status import area_state, units_line
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.events.war import END_TEST_NAMES, WAR_COMBAT_RESULTS
from paxtui.games.pax.figures import FigureChange, compare_figures
from paxtui.games.pax.narration.narrator import Narrator, ReportLine
from paxtui.games.pax.reports import war_status
from paxtui.games.pax.reports.war_changes import describe_war_changes
from paxtui.games.pax.state.diplomacy import OVER
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import LEVEL
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import marker_name, place_name, power_name, the_power, the_powers
from paxtui.session.game_viewer import LogEntry
from paxtui.session.session import Session
from paxtui.tui.formatting.look import Look

MARKS = (
    ("✗", ("BattleFought", "WarDeclared", "WarArose", "WarDecided")),
    ("⚔", ("CasusBelliArose",)),
    ("!", ("UnrestBegan",)),
    ("◆", ("MarkerPlaced", "MarkerEstablished", "MarkerLowered", "MarkerTransferred")),
    ("·", ("ColonialCombat", "RandomEventRolled", "OfficeIncome", "RebellionChecked", "MinorDirected")),
)
"""Signs of the scrubber by priority: Wars and battles, disputes, Unrest, markers, dice."""
NO_DIFFERENCE = "No change on the map."
"""Message for two equal moments."""
COMPARISON_WIDTH = 70
"""Row width in cells of the comparison of two moments, if the screen is wide enough."""
FRAME_CELLS = 12
"""Cells of the box's frame and padding."""
PROMINENT_COUNT = 3
"""Number of signs in `MARKS` that are highlighted."""


def scrubber(session: Session, look: Look, width: int) -> Text:
    """Format the game as one line: turns, marks of events, and the current moment.

    Args: the game; the colours; the width of the screen, which has a blank at both sides of the line.
    """
    span = max(10, width - 2)
    last = max(2, session.version)
    log = session.view.log()
    known = session.derived("scrubber", lambda: dict[tuple[int, int, int], ScrubberCells]())
    cells = known.get((span, last, len(log)))
    if cells is None:
        cells = known[span, last, len(log)] = _scrubber_cells(session, log, span, last)
    here = (session.line - 1) * (span - 1) // (last - 1)
    annotated = {(line - 1) * (span - 1) // (last - 1): sign for line, sign in session.line_signs.items()}
    out = Text(no_wrap=True, overflow="crop")
    x = free = 0
    while x < span:
        year = cells.years.get(x)
        # adjacent years would look like one number
        if year and x != here and free <= x <= span - 4:
            is_covered = x < here < x + 4 or any(at in annotated for at in range(x, x + 4))
            if not is_covered:
                out.append(year, look.faint)
                x += 4
                free = x + 1
                continue
        if x in annotated and x != here:
            out.append(annotated[x], f"{look.key} reverse")
            x += 1
            continue
        is_prominent = cells.rank[x] < PROMINENT_COUNT
        style = f"{look.key} reverse" if x == here else look.alarm if is_prominent else look.faint
        out.append(look.palette.text("▮" if x == here else cells.signs[x]), style)
        x += 1
    return out


class ScrubberCells(NamedTuple):
    """The cells of the scrubber.

    Attributes:
        signs, rank: by column, the sign of the most important event and its index in `MARKS`.
        years: by column, the year of the Game Turn that begins there.
    """

    signs: list[str]
    rank: list[int]
    years: dict[int, str]


_RANKS = {kind: n for n, (_, kinds) in reversed([*enumerate(MARKS)]) for kind in kinds}
"""The index in `MARKS` of each kind of event."""


def _scrubber_cells(session: Session, log: Sequence[LogEntry], span: int, last: int) -> ScrubberCells:
    """Compute the cells for a number of columns. Args: the number of the last line."""
    cells = ScrubberCells(["─"] * span, [len(MARKS)] * span, {0: str(session.tables.turns[0].year)})
    for entry in log:
        rank = _RANKS.get(entry.kind, len(MARKS))
        x = (entry.line - 1) * (span - 1) // (last - 1)
        if rank < cells.rank[x]:
            cells.signs[x], cells.rank[x] = MARKS[rank][0], rank
        if entry.kind == "TurnBegan":
            cells.years[x] = entry.text.strip("═ ")[:4]
    return cells


class Chapter(NamedTuple):
    """A titled moment of the game, with the line of the log at which it begins.

    `stops`: whether a replay stops there.
    """

    line: int
    title: str
    stops: bool = True


def chapters(session: Session) -> list[Chapter]:
    """Return the chapters known to the session: turns, Congresses, breaches of Treaties, Wars, battles, the end.

    A replay stops at Wars but not at battles.
    """
    found: list[Chapter] = []
    sitting = False
    fought: dict[str, War] = {}
    for line in session.view.seen_lines():
        for event in line.events:
            title = ""
            match event:
                case events.TurnBegan(year=year, turn=turn):
                    title = f"{year}, Game Turn {turn}"
                case events.CongressChanged(congress=congress, step=step):
                    if not sitting:
                        title = f"  Congress of Europe in {power_name(session.tables, congress.site)}"
                    sitting = step != OVER
                case events.BreachOpened(power=power) | events.TreatyBroken(power=power):
                    title = f"  {power_name(session.tables, power)} breaks a Treaty"
                case events.GameEnded():
                    title = "The end of the game"
                case _:
                    title = _of_war(session.tables, fought, event)
            stops = not isinstance(event, events.BattleFought)
            if title and (line.number, title) not in [(c.line, c.title) for c in found]:
                found.append(Chapter(line.number, title, stops))
    return found


def _of_war(tables: Tables, fought: dict[str, War], event: events.Event) -> str:
    """Return the title of a chapter of War; "" for none. Args: `fought`: the known Wars, updated in place."""
    if isinstance(event, events.WarDeclared | events.WarArose | events.WarsMerged | events.GreatWarBegan):
        fought[event.war.id] = event.war
    match event:
        case events.WarDeclared(power=power, on=on):
            return f"  War: {the_power(tables, power)} against {the_powers(tables, on)}"
        case events.WarArose(war=war):
            return f"  War: {war_status.war_title(tables, war)}"
        case events.WarsMerged(war=war):
            return f"  The Wars become one: {war_status.war_title(tables, war)}"
        case events.GreatWarBegan():
            return "  The Great War"
        case events.BattleFought(place=place, attackers=attackers, result=result):
            verb = "attacks" if len(attackers) == 1 else "attack"
            who = f"{the_powers(tables, attackers)} {verb}"
            return f"    Battle in {place_name(tables, place)}: {who}, {WAR_COMBAT_RESULTS[result]}"
        case events.WarDecided(war=war_id, test=test) if war_id in fought:
            how = END_TEST_NAMES.get(test, "")
            return f"  War ends: {war_status.war_title(tables, fought[war_id])}, {how}".rstrip(" ,")
    return ""


def line_at(session: Session, width: int, x: int) -> int:
    """Return the first line of the log whose cell is at column `x` of the screen."""
    span = max(10, width - 2)
    return 1 + ceil(max(0, min(span - 1, x - 1)) * (max(2, session.version) - 1) / (span - 1))


def differences(tables: Tables, before: State, after: State, look: Look, wars: Text | None = None) -> Text:
    """List the differences between two moments, before on the left, after on the right.

    A higher figure is marked as a gain and a lower one as a loss, the reverse for the two Indexes. Places have the
    colour of their holder. Args: `wars`: the changes of Wars, which follow.
    """
    rows: list[tuple[str, str, str]] = []
    years = (str(tables.turns[before.turn - 1].year), str(tables.turns[after.turn - 1].year))
    rows.append(("year", *years))
    figures = {figure.what: figure for figure in compare_figures(tables, before, after)}
    rows += [(what, f"{f.unit}{f.before}", f"{f.unit}{f.after}") for what, f in figures.items()]
    for area in tables.areas:
        rows.append((place_name(tables, area), _area(tables, before, area), _area(tables, after, area)))
    stood, stands = ({c.id: c for c in s.casus_belli} for s in (before, after))
    for id_, cause in {**stood, **stands}.items():
        description = casus_belli.describe_cause(tables, cause)
        rows.append(("Casus Belli", description if id_ in stood else "", description if id_ in stands else "ended"))
    for power in after.homes:
        old, new = (units_line(state.homes[power]) for state in (before, after))
        rows.append((f"{power_name(tables, power)}, at home", old, new))
    for zone in tables.sea_zones:
        fleets = [" ".join(tables.powers[p].letters for p in s.sea_zones.get(zone, ())) for s in (before, after)]
        rows.append((place_name(tables, zone), fleets[0], fleets[1]))
    holders = {place_name(tables, area): _holder(after, area) or _holder(before, area) for area in tables.areas}
    holders |= {f"{power_name(tables, power)}, at home": power for power in after.homes}
    out = Text()
    for what, old_text, new_text in rows:
        if old_text != new_text:
            out.append(f"{what:<30}", f"bold {look.ink(holders.get(what, ''))}" if holders.get(what) else "bold")
            out.append(look.palette.text(f"{old_text or 'nothing':<25} "), look.faint)
            style, note = _changed(look, figures.get(what))
            out.append(look.palette.text(f"→ {new_text or 'nothing'}{note}\n"), style)
    return out.append_text(wars or Text()) or Text(NO_DIFFERENCE)


def comparison_width(columns: int) -> int:
    """Return the cells per row of a comparison. Args: the columns of the screen."""
    return min(COMPARISON_WIDTH, columns - FRAME_CELLS)


def war_differences(session: Session, before: int, after: int, look: Look, width: int) -> Text:
    """List the changes of Wars between two lines of the session's log, a row for each sentence.

    Args: the open game; the lines, the earlier one first; the colours; cells per row.
    """
    then, now = session.view.position(before), session.view.position(after)
    events = session.view.events_between(before, after)
    return _war_rows(describe_war_changes(session.view.narrator, then, now, events, session.powers()), look, width)


def war_differences_of_logs(narrator: Narrator, then: State, now: State, look: Look, width: int) -> Text:
    """List how the Wars of two positions differ that no events connect. Args: as `war_differences`."""
    old, new = (
        {war.id: war_status.war_title(narrator.known.tables, war) for war in state.wars} for state in (then, now)
    )
    lines = [ReportLine(f"Ended: {old[id_]}.") for id_ in old if id_ not in new]
    lines += [ReportLine(f"New War: {new[id_]}.") for id_ in new if id_ not in old]
    return _war_rows([*lines, *describe_war_changes(narrator, then, now, (), ())], look, width)


def _war_rows(lines: Iterable[ReportLine], look: Look, width: int) -> Text:
    rows = look.bullets(lines, width)
    return Text().append("\nWars\n", "bold").append_text(rows) if rows else rows


def _holder(state: State, area: str) -> str:
    """Return the Power with the highest marker in an Area, "" if there is none."""
    markers = area_state(state, area).markers
    return max(markers, key=lambda m: LEVEL[m.marker]).power if markers else ""


def _changed(look: Look, figure: FigureChange | None) -> tuple[str, str]:
    """Return the style of a change and a word: better, worse, or neither."""
    if figure is None:
        return "", ""
    is_better = (figure.after > figure.before) == figure.more_is_better
    return (look.good, "  better") if is_better else (look.alarm, "  worse")


def _area(tables: Tables, state: State, area: str) -> str:
    """Summarize markers, units and Unrest of an Area."""
    here = area_state(state, area)
    parts = []
    for m in here.markers:
        letters = tables.powers[m.power].letters if m.power in tables.powers else "OT"
        parts.append(f"{marker_name(tables, m.marker).split(' ')[0]}{letters}{'' if m.established else '?'}")
    for power in dict.fromkeys(u.power for u in here.units):
        parts.append(units_line(tuple(u for u in here.units if u.power == power)))
    return " ".join(parts + ["!"] * here.unrest)
