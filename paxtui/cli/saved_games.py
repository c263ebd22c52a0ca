"""The commands `show`, `verify`, `stats` and `chronicle`: read a saved game."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from paxtui.cli.game_arguments import line_of, open_pax_game, viewpoint_of
from paxtui.cli.runtime import CommandError, clean_line, escape_json, explain
from paxtui.engine.log import BrokenLog
from paxtui.session.game_viewer import GameViewer, game_course
from paxtui.session.hosts import open_game
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import write_named
from paxtui.session.tables.records import TableError
from paxtui.session.verification import Verdict, dice_taken_back, is_seat_log, overall_verdict

if TYPE_CHECKING:
    from paxtui.charts.chart import Chart
    from paxtui.engine.verify import Difference
    from paxtui.games.pax.board.tables import Tables
    from paxtui.games.pax.narration.narrator import ReportPage
    from paxtui.session.game_host import GameHost

SHOW_USAGE = """Print any moment of a saved game, as everybody or one seat sees it.

examples:
  paxtui show game.jsonl                      the present
  paxtui show game.jsonl --at 120             after line 120
  paxtui show game.jsonl --seat france        what France sees
  paxtui show game.jsonl --json               the view of the protocol, for programs
  paxtui show game.jsonl --log                every line in plain words
  paxtui show game.jsonl --toml > here.toml   the position as text: paxtui new --position here.toml

With --seat the lines have that seat's numbers, and what is hidden from it is left out. The file itself hides nothing:
it is plain text, and people who can read it can read its secrets.
"""

SCENARIO_SUFFIX = ".toml"

VERIFY_USAGE = """Check a saved game: each line of the hash chain, and each act against today's rules.
A file named *.toml is a scenario: paxtui checks that a game can begin with it.

exit codes:
  0  sound: header, start, acts, undos, notes and the order of times are right, and the rules of today decide every
     act alike
  3  the chain is sound, but some acts, which are listed, cannot be confirmed: the game began under an earlier version
     of the rules that decided them differently; or they rolled fair dice, whose seed is published when the game is
     over; or the file is the log of one seat, which shows too little to decide acts again
  1  anything else differs: the file was changed or damaged
  2  a file is not a readable log, or its chain is broken
Of several files the worst counts, in the order 2, 1, 3, 0.

A last line that was cut off while it was written is a warning: no player saw that its act was accepted. The lines
before it are checked as usual.

The hash chain has no key. It does not show that somebody wrote a whole log anew by the rules, or removed whole lines
from its end.

examples:
  paxtui verify saves/ten-turns.jsonl
  paxtui verify game.jsonl && echo sound
  paxtui verify --store postgresql://ann@db.example.org/paxtui    all games of a database
"""

STATS_USAGE = """Show charts of a saved game: Victory Points, Treasuries, tension and resentment, sources of points,
regions, Wars and Treaties.

A finished game shows everything, another one what everybody may know. With --seat you see what that seat knows.

examples:
  paxtui stats game.jsonl                     every chart, on the terminal
  paxtui stats game.jsonl points times        these two
  paxtui stats game.jsonl --seat france --at 120
  paxtui stats game.jsonl --json              all figures, for programs
  paxtui stats game.jsonl --html > game.html  one page that needs nothing else
"""


def show_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", metavar="FILE", help="a saved game")
    part.add_argument("--at", type=int, metavar="N", help="the position after line N, by the number of the seat")
    part.add_argument("--seat", default="arbiter", metavar="SEAT", help="a Power's seat, spectator or arbiter")
    part.add_argument("--json", action="store_true", help="as JSON")
    part.add_argument("--toml", action="store_true", help="the position as a patch of the 1880 start")
    part.add_argument("--log", action="store_true", help="the events instead of the position")


def run_show(args: argparse.Namespace) -> int:
    """Print a position of a game."""
    table = open_game(Path(args.file), write=False)
    seat = viewpoint_of(table, args.seat)
    last = table.version_for(seat)
    at = line_of(args.at, last)
    state = table.state_for(seat, at)
    if args.log:
        known, narrate = table.known(seat), table.rules.narrator(table.state_for(seat, 1))
        for n in range(2, table.log_line(seat, at) + 1):
            for event in table.visible_events(seat, n):
                text = narrate(event)
                if text:
                    print(clean_line(f"{known.number(n):>5} {text}"))
        return 0
    if args.toml:
        print(_position_toml(table, state), end="")
    elif args.json:
        print(escape_json(msgspec.json.encode(table.view(seat, at)).decode()))
    else:
        print(f"line {at} of {last}")
        for line in table.rules.describe_position(state):
            print(clean_line(line))
    if table.notice:
        print(f"paxtui: {table.notice}", file=sys.stderr)
    return 0


def _position_toml(table: GameHost, state: Any) -> str:
    """Return a position as a patch of the 1880 start. Raises: CommandError for a game without patches."""
    from paxtui.games.pax.position.setup import start_position
    from paxtui.games.pax.position.writer import diff_positions, dump_position, write_toml

    if not isinstance(table, PaxHost):
        raise CommandError("--toml writes positions of Pax Britannica only; --json writes this one")
    start = start_position(table.tables, state.players, state.options)
    return write_toml(diff_positions(dump_position(start), dump_position(state)))


def verify_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", nargs="*", metavar="FILE", help="saved games, or scenario files (*.toml)")
    part.add_argument("--store", metavar="URL", help="check games of this database; without FILE, all of them")


def run_verify(args: argparse.Namespace) -> int:
    """Verify each file; return the worst exit code."""
    from paxtui.session.storage.interface import FILES

    storage, named = FILES, {name: Path(name) for name in args.file}
    if args.store:
        from paxtui.cli.hosting.store import open_database

        place = Path.cwd()
        storage = open_database(args.store, place, make=False)
        names = args.file or sorted(storage.names(place / "games"))
        named = {name: place / "games" / f"{name}.jsonl" for name in names}
    elif not named:
        raise CommandError("name the games to check, as in 'paxtui verify friday.jsonl'")
    worst = (Verdict.SOUND, Verdict.ACTS_ALONE, Verdict.DIFFERENT, Verdict.UNREADABLE)
    found = Verdict.SOUND
    for name, path in named.items():
        if name.endswith(SCENARIO_SUFFIX):
            found = max(found, _verify_scenario(Path(name)), key=worst.index)
            continue
        try:
            table = open_game(path, write=False, storage=storage)
            differences = table.verify()
        except OSError as error:  # which names the file
            print(f"paxtui: {explain(error)}", file=sys.stderr)
            one = Verdict.UNREADABLE
        except (BrokenLog, TableError) as error:
            print(f"paxtui: {name}: {error}", file=sys.stderr)
            one = Verdict.UNREADABLE
        else:
            one = _print_verdict(name, table, differences)
        found = max(found, one, key=worst.index)
    return int(found)


def _verify_scenario(path: Path) -> Verdict:
    """Check a scenario file and print the result."""
    from paxtui.session.tables.scenarios import load_scenario

    try:
        scenario = load_scenario(path)
    except (OSError, TableError) as error:
        print(f"paxtui: {explain(error)}", file=sys.stderr)
        return Verdict.UNREADABLE
    turns = f"Game Turns {scenario.first_turn} to {scenario.last_turn}"
    print(f"{path}: sound; the scenario '{scenario.title}', {len(scenario.seats)} seats, {turns}")
    return Verdict.SOUND


def _print_verdict(name: str, table: GameHost, differences: list[Difference]) -> Verdict:
    """Print the differences, then the verdict."""
    header, lines = table.game.header, table.game.lines
    is_of_seat = is_seat_log(header, lines)
    came_to = overall_verdict(header, differences, table.rules.rules_number)
    acts = sum(1 for line in lines if line.kind == "act")
    seedless = [difference for difference in differences if difference.what == "no_seed"]
    for difference in differences:
        if difference in seedless[1:]:
            continue
        print(f"{name}: {_describe_line(table, difference.line)}: {difference.message}")
    if len(seedless) > 1:
        print(f"{name}: the same holds for {len(seedless) - 1} more acts that rolled dice")
    if came_to is Verdict.SOUND and is_of_seat:
        came_to = Verdict.ACTS_ALONE
        print(f"{name}: the log of one seat; its {table.version} lines form one chain, and its events fit together")
        print(f"{name}: its {acts} acts cannot be decided again without the acts of others; check the complete log")
    elif came_to is Verdict.SOUND:
        print(f"{name}: sound; {table.version} lines, {acts} acts, all decided the same way today")
    elif came_to is Verdict.ACTS_ALONE:
        print(f"{name}: the chain is sound; {_describe_open_acts(table, len(differences), len(seedless), acts)}")
    else:
        print(f"{name}: not sound; {len(differences)} of {table.version} lines differ")
    if table.notice:
        print(f"{name}: warning: {table.notice}")
    if header.parent is not None:
        print(f"{name}: it begins after line {header.parent.line} of another log, which was not checked")
    for text in _describe_dice(table):
        print(f"{name}: {text}")
    by_hand = [line.n for line in lines if line.queue]
    if by_hand:
        print(f"{name}: dice were set by hand in {len(by_hand)} lines, first in line {by_hand[0]}")
    return came_to


def _describe_open_acts(table: GameHost, open_: int, seedless: int, acts: int) -> str:
    """Describe the unverified acts. Args: the game; the number of acts; of those without a seed; of all acts."""
    began, today = table.game.header.rules, table.rules.rules_number
    reasons = []
    if open_ > seedless:
        reasons.append(
            f"{open_ - seedless} of {acts} acts would be decided differently today: the game began under rules version "
            f"{began}, today's version is {today}"
        )
    if seedless:
        reasons.append(
            f"{acts - open_} of {acts} acts are decided the same way today, and the {seedless} that rolled dice can be "
            "checked when the seed is published, as the header promises"
        )
    return "; ".join(reasons)


def _describe_dice(table: GameHost) -> list[str]:
    """Describe the state of fair dice, one sentence each."""
    from paxtui.engine.notes import dice_status

    dice = table.game.dice
    if not dice.fair:
        return []
    used = table.game.dice_used
    fell = f", {used} number{'s' * (used != 1)} drawn" if dice.stage in ("made", "told") else ""
    lines = [f"dice: {dice_status(table.rules, dice.contributors, dice.stage, dice.lacking)}{fell}"]
    if not table.game.has_seed:
        lines.append("the seed is not in the log or beside it, so dice cannot be checked yet")
    back = dice_taken_back(table.game)
    if back:
        numbers = ", ".join(f"line {n} ({drawn})" for n, drawn in back)
        lines.append(f"dice were undone and not used again: {numbers}")
    return lines


def _describe_line(table: GameHost, number: int) -> str:
    if number == 1:
        return "line 1, the header"
    if number > table.version:
        return f"after line {table.version}"
    line = table.game.line(number)
    if line.kind != "act":
        return f"line {number}, {line.kind} of {line.seat}"
    kind = line.action.get("type", "") if isinstance(line.action, dict) else ""
    return f"line {number}, {line.seat}: {str(kind).replace('_', ' ')[:40]}"


def stats_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", metavar="FILE", help="a saved game")
    part.add_argument("charts", metavar="CHART", nargs="*", help="which charts (default all of them)")
    part.add_argument("--at", type=int, metavar="N", help="up to line N, by the number of the seat")
    part.add_argument("--seat", default="", metavar="SEAT", help="a Power's seat, spectator or arbiter")
    part.add_argument("--json", action="store_true", help="the figures as JSON")
    part.add_argument("--html", action="store_true", help="one page of HTML")
    part.add_argument("-o", "--output", metavar="FILE", help="write it there")


def run_stats(args: argparse.Namespace) -> int:
    from paxtui.charts.game_charts import CHARTS
    from paxtui.charts.html import render_page
    from paxtui.cli.terminal_output import charts_text, page_colours, print_charts

    if args.json and args.html:
        raise CommandError("--json and --html: only one of them")
    table = open_game(Path(args.file), write=False)
    names = [chart.name for chart in CHARTS] if isinstance(table, PaxHost) else [*EXERCISE_CHARTS]
    for name in args.charts:
        if name not in names:
            raise CommandError(f"there is no chart {name!r}; there are {', '.join(names)}")
    seat = viewpoint_of(table, args.seat)
    game, figures, charts, outcome = _course(table, seat, line_of(args.at, table.version_for(seat)))
    wanted = [chart for name, chart in charts.items() if not args.charts or name in args.charts]
    if args.json:
        out = escape_json(msgspec.json.encode(figures).decode()) + "\n"
    elif args.html:
        title = f"{game} · {Path(args.file).name}"
        whole = render_page(title, [f"<p>{escape(outcome)}</p>"], wanted, page_colours("light"), page_colours("dark"))
        out = "\n".join(map(clean_line, whole.split("\n")))
    elif args.output:
        out = charts_text(outcome, wanted)
    else:
        print_charts(outcome, wanted)
        return 0
    return _print_or_write(out, args.output)


EXERCISE_CHARTS = "points", "money", "factors"
"""The charts of a game of Empires in Arms."""


def _course(table: GameHost, seat: str, last: int) -> tuple[str, Any, Mapping[str, Chart], str]:
    """Return the name of the game, its figures for programs, its charts by name, and how it ended.

    Args: the game; a viewpoint; the last line, by its number for that viewpoint.
    """
    from paxtui.charts.exercise_charts import exercise_charts, exercise_outcome
    from paxtui.charts.game_charts import all_charts, outcome_sentence

    if isinstance(table, PaxHost):
        course = game_course(table, seat, last)
        return "Pax Britannica", course, all_charts(table.tables, course), outcome_sentence(table.tables, course)
    first_lines: dict[int, int] = {}
    for n in range(1, last + 1):
        first_lines.setdefault(table.state_for(seat, n).turn, n)
    months = [table.state_for(seat, n) for n in (*[*first_lines.values()][1:], last)]
    charts = exercise_charts(table.tables, months)
    figures = {
        name: {"ticks": chart.ticks, "values": {one.label: one.values for one in chart.series}}
        for name, chart in charts.items()
    }
    return "Empires in Arms", figures, charts, exercise_outcome(table.tables, months[-1])


def _print_or_write(text: str, path: str | None) -> int:
    """Print a text, or write it to a file and print its path; return the exit code."""
    if path:
        write_named(Path(path), text.encode())
        print(path)
    else:
        print(text, end="")
    return 0


CHRONICLE_USAGE = """Tell a saved game as a newspaper, a page for each Game Turn. Every sentence comes from the log.

examples:
  paxtui chronicle game.jsonl                       what everybody may know; of a finished game, everything
  paxtui chronicle game.jsonl --seat france         what France knows
  paxtui chronicle game.jsonl --turn 3              one Game Turn
  paxtui chronicle game.jsonl --html -o game.html   one page of HTML, or --markdown
"""


def chronicle_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", metavar="FILE", help="a saved game")
    part.add_argument("--turn", type=int, metavar="N", help="this Game Turn only")
    part.add_argument("--seat", default="", metavar="SEAT", help="a Power's seat, spectator or arbiter")
    form = part.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="Markdown")
    form.add_argument("--html", action="store_true", help="one page of HTML")
    part.add_argument("-o", "--output", metavar="FILE", help="write it there")


def run_chronicle(args: argparse.Namespace) -> int:
    from paxtui.charts.html import render_page
    from paxtui.cli.terminal_output import page_colours
    from paxtui.session.player_news import chronicle_pages

    otherwise = "only games of Pax Britannica have a chronicle; 'paxtui show --log' prints this log"
    host = open_pax_game(args.file, otherwise)
    pages = chronicle_pages(GameViewer(host, viewpoint_of(host, args.seat)))
    if args.turn is not None:
        if args.turn not in pages:
            raise CommandError(f"--turn takes a Game Turn from {min(pages)} to {max(pages)}, not {args.turn}")
        pages = {args.turn: pages[args.turn]}
    if args.html:
        body = [part for page in pages.values() for part in _page_html(host.tables, page)]
        title = f"Pax Britannica · {Path(args.file).name}"
        whole = render_page(title, body, (), page_colours("light"), page_colours("dark"), style=CHRONICLE_STYLE)
        out = "\n".join(map(clean_line, whole.split("\n")))
    else:
        lines = [line for page in pages.values() for line in _page_text(host.tables, page, args.markdown)]
        out = "\n".join(map(clean_line, lines)).rstrip() + "\n"
    return _print_or_write(out, args.output)


CHRONICLE_STYLE = "article { max-width: 44em } h2 { border-bottom: 3px double } h3 { margin: 1em 0 0 }"
TEXT_WIDTH = 78


def _page_text(tables: Tables, page: ReportPage, markdown: bool) -> Iterator[str]:
    """Yield a page as text, or as Markdown, in which no text of the game acts as markup."""
    from paxtui.games.pax.reports.todo import standing_lines

    if markdown:
        yield from (f"## {_markdown(page.title)}", "")
        for section in page.sections:
            yield f"### {_markdown(section.title)}"
            yield ""
            yield from (f"- {_markdown(line.text)}" for line in section.lines)
            yield ""
        yield from (f"    {line}" for line in standing_lines(tables, page))
        yield ""
        return
    yield from (page.title, "=" * len(page.title), "")
    for section in page.sections:
        yield section.title.upper()
        for line in section.lines:
            yield from textwrap.wrap(line.text, TEXT_WIDTH, initial_indent="  ", subsequent_indent="  ")
        yield ""
    yield from (f"  {line}" for line in standing_lines(tables, page))
    yield ""


def _markdown(text: str) -> str:
    """Escape the signs that Markdown and HTML give a meaning."""
    return re.sub(r"([\\`*_{}\[\]<>#|&])", r"\\\1", text)


def _page_html(tables: Tables, page: ReportPage) -> Iterator[str]:
    from paxtui.games.pax.reports.todo import standing_lines

    yield f"<article><h2>{escape(page.title)}</h2>"
    for section in page.sections:
        yield f"<h3>{escape(section.title)}</h3>"
        yield from (f"<p>{escape(line.text)}</p>" for line in section.lines)
    standings = standing_lines(tables, page)
    if standings:
        yield "<h3>The Powers</h3><ol>"
        yield from (f"<li>{escape(line.partition('. ')[2])}</li>" for line in standings)
        yield "</ol>"
    yield "</article>"
