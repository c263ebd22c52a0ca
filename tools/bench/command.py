"""The command `bench`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

BENCH_USAGE = """Measure speed and size with the sample game, and compare them with the limits that a release keeps.

first_frame_ms           from the command `play` to its first complete frame, on a pseudo-terminal of 160x50 with a warm
                         disk cache: the last byte before the screen stays unchanged
fold_events_per_s        events applied to positions by `evolve`
decide_actions_per_s     acts decided again, each in its position with its dice
verify_lines_per_s       lines verified as `paxtui verify` does after reading the log
menu_ms_p95              legal actions of a seat as text, in the Movement Phases of turns 3 to 8
war_menu_ms_p95          legal actions of a seat as text, in a Maneuver Phase of a War of all Powers
view_ms_p95              the view of a seat, in positions of the whole game
supply_ms_p95            supply of all Units and Areas with all Powers at War, in positions of the whole game
chinese_turn_ms_p95      moves of China in the Maneuver and Attack Phase of a Rebellion: six Armies against all Powers
seek_ms_max              going to a line of a log of 10,000 events (lines of the game, repeated), in random order
tables_ms                reading and checking all tables
client_rss_mb            memory of the client after its first frame
key_to_frame_ms_p95      from a key to the last byte of its frame on that pseudo-terminal, in the middle of a game with
                         300 pieces: moving, panes, a menu, zooms, an order that is started and left, history, filters.
                         First openings are included. Esc is not: a terminal recognizes it only after a delay
key_to_frame_ms_p99      the same keys
map_redraw_ms            composing all rows of the map at theatre zoom, 240x72 cells; land and sea are cached
scroll_fps               frames per second while an arrow key is held and the map scrolls at theatre zoom
bytes_per_cursor_move    output for an arrow key on the world map, mean
log_bytes                size of the finished game
append_fsync_ms_median   writing one line with fsync; depends on the disk, so it has no limit
caretaker_game_s         a game of eight caretakers of ten Game Turns in one process
statesman_game_s         CPU seconds of a game of seven normal statesmen of ten Game Turns
statesman_movement_s_p95 one statesman's orders in a Movement/Status Change Phase
statesman_answer_ms_p95  one statesman's answer to a question
worker_rss_mb            memory of a worker of `paxtui simulate` after ten caretaker games
simulate_speedup_2_jobs  speed of two workers compared with one, for forty caretaker games with their start; valid only
                         on two idle cores
ssh_connect_ms           from `ssh` to the first complete frame of a seat
ssh_connect_16_s         the last of sixteen clients that connect at the same time
ssh_client_pss_mb        memory of a client of 32, with its share of the common memory
ssh_key_to_frame_extra_ms additional time of a frame over SSH
table_act_to_players_ms_p95 from the key of an act to the last byte on the last of eight screens
table_act_to_last_screen_ms_p95 the same with 32 screens
hub_act_ms_p99           an act in the hub, from its arrival to the last message about it, with fsync
hub_200_asleep_mb        additional memory of a hub with 200 sleeping games
hub_8_awake_mb           the same with eight of them awake
hub_wake_ms_p95          waking one of them
postal_adjudicate_s      opening the forms of eight seats with forty conditional orders each
postal_audit_s           verifying a whole mail game of eight from its files
postal_report_s          all reports of a turn of a mail game of eight, each with an HTML page and two maps
sheet_saves              bytes of a cursor move if Textual wrote the frames, as a multiple
frame_saves              time of a cursor move if Textual drew hidden parts, as a multiple
driver_saves             time of Esc in a menu if Textual read the keys, as a multiple
overlay_saves            time of opening an unprepared dialog if Textual dimmed the screen below it, as a multiple
rows_saves               time of opening the log if Textual measured its lines, as a multiple

Times are medians of several runs unless the name says otherwise. The exit code is always 0.

examples:
  paxtui bench                     a table with the limits
  paxtui bench --json              one JSON object, for programs
  paxtui bench --game my.jsonl     another finished game
  paxtui bench --no-client         without the terminal
  paxtui bench --no-games          without the games of bots
  paxtui bench --no-hub            without the clients of a shared table
  paxtui bench --against OLD.json  each figure as a multiple of the one in OLD.json, written by --json
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
    part.add_argument("--game", metavar="FILE", help="a finished game (default: the sample game)")
    part.add_argument("--no-client", action="store_true", help="without the terminal client")
    part.add_argument("--no-games", action="store_true", help="without whole games")
    part.add_argument("--no-hub", action="store_true", help="without a shared table")
    part.add_argument("--against", metavar="OLD.json", help="compare with figures written by --json")


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
