"""The command `bench`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

BENCH_USAGE = """Measure speed and size on the sample game, with the bounds that a release keeps.

first_frame_ms           from the command `play` to its first finished frame, on a pseudo-terminal of 160x50 with a warm
                         disk cache: the moment of the last byte before the screen, its title there, goes quiet
fold_events_per_s        events of the game, decoded, folded into positions by `evolve`, the whole game over and over
decide_actions_per_s     every act of the game decided again at its position, with its own dice, over and over
verify_lines_per_s       every line of the game accounted for again, as `paxtui verify` does once a log is read
menu_ms_p95              the legal menu of each seat in the Movement Phases of turns 3 to 8, all its texts included
war_menu_ms_p95          the legal menu of each seat in a Maneuver Phase of a War of all Powers, all its texts included,
                         every Unit of the counter limits abroad
view_ms_p95              the view of each seat at positions all over the game
supply_ms_p95            the supply of every Unit and Area, all Powers at War, at positions all over the game
chinese_turn_ms_p95      what the engine does for China in its Maneuver and Attack Phase of a Rebellion: six Armies, and
                         all Powers against them
seek_ms_max              going to any line of a log of 10,000 events (the game's lines, repeated), in no order
tables_ms                reading all the shipped tables, every check included
client_rss_mb            memory of that client after its first frame
key_to_frame_ms_p95      from writing a key into that pseudo-terminal to the last byte of its frame, in the middle of a
                         game with 300 pieces: walking, panes, a menu, zooms, an order begun and left, history, filters;
                         the first opening of each counts too, a lone Esc does not (a terminal tells it from other
                         keys only by waiting)
key_to_frame_ms_p99      the same keys
map_redraw_ms            composing every row of the map at theatre zoom, 240x72 cells, labels included; the ground of
                         land and sea is drawn once and kept
scroll_fps               frames a second while an arrow key is held at theatre zoom and the map moves under the cursor
bytes_per_cursor_move    what the pseudo-terminal receives for an arrow key on the world map, the mean of a walk
log_bytes                size of the finished game on disk
append_fsync_ms_median   one line onto the disk, fsync included; depends on the disk, so it has no bound
caretaker_game_s         a game of eight caretakers, ten Game Turns, in one process
statesman_game_s         processor's time for a game of seven statesmen (normal), ten Game Turns
statesman_movement_s_p95 for the orders of one of them in a Movement/Status Change Phase
statesman_answer_ms_p95  for its answer to a question
worker_rss_mb            memory of a worker of `paxtui simulate` after ten such games
simulate_speedup_2_jobs  how many times as fast forty of them are with two workers as with one, their start included;
                         it tells something only where two cores have nothing else to do
ssh_connect_ms           from ssh to the first finished frame of a seat at a table of this machine
ssh_connect_16_s         the last of sixteen who come at once
ssh_client_pss_mb        memory of a client of 32, its part of what it shares with the others included
ssh_key_to_frame_extra_ms by how much a frame comes later over ssh than without it
table_act_to_players_ms_p95 from the key of an act to the last byte on the last of eight screens
table_act_to_last_screen_ms_p95 on the last of 32
hub_act_ms_p99           what an act takes the hub, from its coming to the last message about it, fsync included
hub_200_asleep_mb        memory of a hub of 200 games that sleep, over that of one without games
hub_8_awake_mb           the same with eight of them awake
hub_wake_ms_p95          waking one of them
postal_adjudicate_s      opening the forms of eight seats, with forty conditional orders on each
postal_audit_s           proving a whole mail game of eight from its files
postal_report_s          all reports of a turn of a mail game of eight, with a page of HTML and two maps for each
sheet_saves              how many times as many bytes a step of the cursor would take if Textual wrote the frames
frame_saves              how many times as long a step of the cursor would take if Textual drew what is out of sight too
driver_saves             how many times as long Esc would take to close a menu if Textual read the keys
overlay_saves            how many times as long a box would take to open if Textual dimmed the screen below it
rows_saves               how many times as long the whole log would take to open if Textual measured its lines

Each is the median of several runs where nothing else is said. The exit code is 0 whatever comes out.

examples:
  paxtui bench                     a table with the bounds
  paxtui bench --json              one JSON object, for programs
  paxtui bench --game my.jsonl     another finished game
  paxtui bench --no-client         without the terminal
  paxtui bench --no-games          without the games of bots
  paxtui bench --no-hub            without the clients of a shared table
  paxtui bench --against OLD.json  how many times as good each figure is as in OLD.json, written by --json
"""

BOUNDS: dict[str, tuple[str, float]] = {
    "first_frame_ms": ("<=", 700),
    "fold_events_per_s": (">=", 50_000),
    "decide_actions_per_s": (">=", 5_000),
    "verify_lines_per_s": (">=", 5_000),
    "menu_ms_p95": ("<=", 10),
    "war_menu_ms_p95": ("<=", 20),
    "view_ms_p95": ("<=", 2),
    "supply_ms_p95": ("<=", 5),
    "chinese_turn_ms_p95": ("<=", 5),
    "seek_ms_max": ("<=", 50),
    "tables_ms": ("<=", 40),
    "client_rss_mb": ("<=", 90),
    "key_to_frame_ms_p95": ("<=", 40),
    "key_to_frame_ms_p99": ("<=", 80),
    "map_redraw_ms": ("<=", 10),
    "scroll_fps": (">=", 55),
    "bytes_per_cursor_move": ("<=", 4096),
    "log_bytes": ("<=", 2_000_000),
    "append_fsync_ms_median": ("", 0),
    "caretaker_game_s": ("<=", 2),
    "statesman_game_s": ("<=", 60),
    "statesman_movement_s_p95": ("<=", 3),
    "statesman_answer_ms_p95": ("<=", 50),
    "worker_rss_mb": ("<=", 150),
    "simulate_speedup_2_jobs": (">=", 1.8),
    "ssh_connect_ms": ("<=", 420),
    "ssh_connect_16_s": ("<=", 3.5),
    "ssh_client_pss_mb": ("<=", 32),
    "ssh_key_to_frame_extra_ms": ("<=", 5),
    "table_act_to_players_ms_p95": ("<=", 120),
    "table_act_to_last_screen_ms_p95": ("<=", 300),
    "hub_act_ms_p99": ("<=", 40),
    "hub_200_asleep_mb": ("<=", 10),
    "hub_8_awake_mb": ("<=", 40),
    "hub_wake_ms_p95": ("<=", 75),
    "postal_adjudicate_s": ("<=", 2),
    "postal_audit_s": ("<=", 10),
    "postal_report_s": ("<=", 2),
    "sheet_saves": (">=", 2),
    "frame_saves": (">=", 1),
    "driver_saves": (">=", 1),
    "overlay_saves": (">=", 1),
    "rows_saves": (">=", 1),
}
"""By name, whether the limit of a figure is a minimum or a maximum; "" if it depends on the machine."""

SAMPLE = "sample-game.jsonl"


def bench_arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `bench`."""
    part.add_argument("--json", action="store_true", help="one JSON object")
    part.add_argument("--game", metavar="FILE", help="a finished game (default: the one that comes along)")
    part.add_argument("--no-client", action="store_true", help="leave out the measures of the terminal client")
    part.add_argument("--no-games", action="store_true", help="leave out the measures of whole games")
    part.add_argument("--no-hub", action="store_true", help="leave out the measures of a shared table")
    part.add_argument("--against", metavar="OLD.json", help="compare with figures that --json has written")


def run_bench(args: argparse.Namespace) -> int:
    """Measure and print the results."""
    import json
    import sys

    from paxtui.cli.runtime import CommandError
    from paxtui.session.storage.files import data_path
    from tools.bench.core import Sample, measure_core
    from tools.bench.screen import map_redraw, measure_rendering, measure_screen

    old: dict[str, float] | None = None
    if args.against:
        try:
            old = read_figures(Path(args.against))
        except (OSError, ValueError) as error:
            raise CommandError(f"{args.against}: no figures of 'paxtui bench --json' ({error})") from error
    path = Path(args.game) if args.game else data_path(SAMPLE)
    sample = Sample(path)
    results: dict[str, float | None] = dict.fromkeys(BOUNDS)
    results["map_redraw_ms"] = map_redraw(sample)
    if not args.no_client:
        from tools.bench.screen import NoTerminal, measure_client

        try:
            results.update(measure_client(path))
            results.update(measure_screen(sample))
            results.update(measure_rendering(sample))
        except NoTerminal as error:
            print(f"paxtui: the client could not be measured: {error}", file=sys.stderr)
    if not (args.no_client or args.no_hub):
        from tools.bench.hub import measure_hub
        from tools.bench.screen import NoTerminal

        try:
            results.update(measure_hub(sample))
        except NoTerminal as error:
            print(f"paxtui: the shared table could not be measured: {error}", file=sys.stderr)
    results.update(measure_core(sample))
    if not args.no_games:
        from tools.bench.games import measure_arena, measure_mail, measure_statesmen

        results.update(measure_arena(sample.tables))
        results.update(measure_mail(sample.tables))
        results.update(measure_statesmen())
    rounded = {name: None if value is None else _rounded(value) for name, value in results.items()}
    compared = ratios(old or {}, rounded, {name: sign == ">=" for name, (sign, _) in BOUNDS.items()})
    if args.json:
        figures = {name: round(value, 3) for name, value in compared.items()}
        print(json.dumps(rounded if old is None else {**rounded, "ratios": figures}))
        return 0
    if old is not None:
        print(f"{'':24} {'then':>14} {'now':>14}   times as good")
        for name, ratio in compared.items():
            worse = "   worse" if ratio < WORSE else ""
            print(f"{name:24} {old[name]:>14,} {rounded[name]:>14,}   {ratio:.2f}{worse}")
        return 0
    print(f"{path.name}: {len(sample.acts)} acts, {len(sample.events)} events, {sample.size} bytes")
    for name, value in rounded.items():
        sign, bound = BOUNDS[name]
        wanted = f"{sign} {bound:,.0f}" if sign else "no bound"
        print(f"{name:24} {'-' if value is None else f'{value:,}':>14}   {wanted:>12}   {_verdict(name, value)}")
    return 0


def _verdict(name: str, value: float | None) -> str:
    """Return in a word whether a figure is within its limit."""
    sign, bound = BOUNDS[name]
    if value is None:
        return "not measured"
    if not sign:
        return ""
    return "pass" if (value <= bound if sign == "<=" else value >= bound) else "FAIL"


def _rounded(value: float) -> float:
    """Round to three decimals for small figures, none for large ones."""
    return round(value) if value >= 1000 else round(value, 3 if value < 10 else 1)


WORSE = 0.95
"""Ratio below which a figure is reported as worse."""


def read_figures(path: Path) -> dict[str, float]:
    """Read the output of `paxtui bench --json`.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds no such object.
    """
    figures = json.loads(path.read_text("utf-8"))
    if not isinstance(figures, dict):
        raise ValueError("no JSON object")
    return {
        name: float(value)
        for name, value in figures.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def ratios(old: Mapping[str, float], now: Mapping[str, float | None], more: Mapping[str, bool]) -> dict[str, float]:
    """Return the improvement of each figure: 2 is twice as good, 0.5 half as good.

    Args:
        old: the earlier figures. now: the current ones, None for not measured.
        more: by name, whether more is better; other names are left out.
    """
    found: dict[str, float] = {}
    for name, value in now.items():
        before = old.get(name)
        if name in more and value and before:
            found[name] = value / before if more[name] else before / value
    return found
