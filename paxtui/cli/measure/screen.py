"""The speed of the screen in the middle of a game with 300 pieces on the board.

A player's keys are written into the pseudo-terminal of a running client, one after the other, each after the frame
of the one before has stood still. Time runs from the writing of a key to the last byte of its frame; the silence by
which a frame's end is known is not counted, and nothing is warmed up: the first opening of a pane counts too. A lone
Esc is pressed with the others but not counted: it is told from the beginning of another key only by waiting.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import NamedTuple

from paxtui.cli.measure.client import PATIENCE, QUIET, Client, play_command
from paxtui.cli.measure.core import Sample, percentile
from paxtui.pax.state.model import State
from paxtui.tui.map.canvas import Canvas
from paxtui.tui.map.layout import lay_out
from paxtui.tui.widgets.scene_of import scene

PIECES = 300
"""Markers, units and Merchant Fleets that the board shall bear at least."""
ROUNDS = 6
"""How often a player's keys are gone through."""
STILL = 0.08
"""Seconds without output after which the frame of a key is finished: several times the pause between two frames."""
UNMOVED = 0.5
"""Seconds after which a key is known to change nothing on the screen."""
RUNS = 9
THEATRE = (240, 72)
HELD = 3.0
"""Seconds that an arrow key is held down."""
REPEAT = 0.011
"""Seconds between two strokes of a key held down: faster than frames come, so that the program sets the pace."""

UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"
ESC, ENTER, TAB = b"\x1b", b"\r", b"\t"
ARROWS = (RIGHT, RIGHT, DOWN, RIGHT, UP, LEFT, DOWN, LEFT, UP, RIGHT)
KEYS = (
    *ARROWS, b"2", b"3", b"4", b"5", TAB, TAB, DOWN, RIGHT, ENTER, DOWN, ESC, b"z", RIGHT, DOWN, b"z", RIGHT, b"z",
    b":", *(bytes((letter,)) for letter in b"place"), ESC, b"[", b"[", b"]", b"]", b"f", RIGHT, b"f", b"h", ENTER, ESC,
)  # fmt: skip
"""One round of what a player presses: walking, panes, a menu, the zooms, an order given up, history, filters."""
POINTER = re.compile(rb"\x1b]22;[a-z-]*\x07")
"""Asks the terminal for the shape of the mouse pointer."""
SYNC_QUERY, SYNC_YES, FRAME_END = b"\x1b[?2026$p", b"\x1b[?2026;2$y", b"\x1b[?2026l"
"""Synchronized output: the client asks whether the terminal knows it, and then marks the end of each frame."""


class Shown(NamedTuple):
    """What one key did: milliseconds to the last byte of its frame, and the bytes of the frame."""

    key: bytes
    ms: float
    bytes: int


def measure_screen(sample: Sample) -> dict[str, float]:
    """The figures of the screen that a pseudo-terminal gives, by name.

    Raises: NoTerminal.
    """
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        log = home / "bench.jsonl"
        cut(sample.path, middle(sample), log)
        keys = press_keys(log, home)
        moves = [s.bytes for s in walk(log, home)]
        fps = scroll_fps(log, home)
    times = [s.ms for s in keys if s.key != ESC]
    return {
        "key_to_frame_ms_p95": percentile(times, 95),
        "key_to_frame_ms_p99": percentile(times, 99),
        "scroll_fps": fps,
        "bytes_per_cursor_move": fmean(moves),
    }


def pieces(state: State) -> int:
    """Markers, units and Merchant Fleets on the board."""
    areas = state.areas.values()
    on_land = sum(len(area.markers) + len(area.units) for area in areas)
    return on_land + sum(map(len, state.homes.values())) + sum(map(len, state.sea_zones.values()))


def middle(sample: Sample) -> int:
    """The line nearest to the middle of the log after which a Movement Phase has 300 pieces on the board.

    A game without one gives the line with the most pieces.
    """
    lines = [line.n - 1 for line in sample.acts]
    half = lines[len(lines) // 2]
    by_line = dict(zip(lines, sample.before, strict=True))
    full = [n for n, state in by_line.items() if state.phase == "movement" and pieces(state) >= PIECES]
    return min(full, key=lambda n: abs(n - half)) if full else max(lines, key=lambda n: pieces(by_line[n]))


def cut(log: Path, line: int, to: Path) -> None:
    """Write a log up to a line."""
    rows = log.read_bytes().splitlines(keepends=True)
    to.write_bytes(b"".join(rows[:line]))


def press_keys(log: Path, home: Path) -> list[Shown]:
    """Rounds of a player's keys, and what each did. Raises: NoTerminal."""
    with Client(play_command(log), home) as client:
        client.first_frame()
        return [shown for key in KEYS * ROUNDS if (shown := press(client, key)) is not None]


def walk(log: Path, home: Path) -> list[Shown]:
    """Steps of the cursor on the world map. Raises: NoTerminal."""
    with Client(play_command(log), home) as client:
        client.first_frame()
        return [shown for key in ARROWS * 4 if (shown := press(client, key)) is not None]


def press(client: Client, key: bytes) -> Shown | None:
    """Press a key and wait for its frame; None where the screen stays as it is. Raises: NoTerminal."""
    start = client.press(key)
    data, last = client.burst(STILL, UNMOVED)
    if data and not POINTER.sub(b"", data):  # a new screen asks for its pointer long before it is drawn
        data, last = client.burst(STILL, UNMOVED)
    return Shown(key, (last - start) * 1000, len(data)) if data else None


def scroll_fps(log: Path, home: Path) -> float:
    """Frames a second while an arrow key is held at theatre zoom and the map scrolls under the cursor.

    The client is told that the terminal knows synchronized output, so that it marks the end of each frame. On a machine
    too busy for two frames in that time the key is held longer.

    Raises: NoTerminal.
    """
    with Client(play_command(log), home) as client:
        client.burst(QUIET, PATIENCE, SYNC_QUERY)
        client.press(SYNC_YES)
        client.burst(QUIET, 1.0)
        client.press(b"z")
        client.burst(QUIET, PATIENCE, FRAME_END)
        ends: list[float] = []
        start = perf_counter()
        tail = b""
        while (now := perf_counter()) < start + (HELD if len(ends) > 1 else PATIENCE):
            client.press(RIGHT)
            for data, moment in client.until(now + REPEAT):
                seen = tail + data
                ends += [moment] * seen.count(FRAME_END)
                # the mark may be torn in two, but is not to be counted twice
                tail = seen[max(seen.rfind(FRAME_END) + len(FRAME_END), len(seen) - len(FRAME_END) + 1) :]
    return (len(ends) - 1) / (ends[-1] - ends[0]) if len(ends) > 1 else 0.0


def map_redraw(sample: Sample) -> float:
    """Milliseconds to compose all strips of the map at theatre zoom, its ground already drawn once; the median."""
    canvas = Canvas(lay_out("theatre", *THEATRE))
    canvas.show(scene(sample.tables, sample.seek(middle(sample)), "home:britain", "britain"))
    canvas.warm()
    runs = []
    for _ in range(RUNS):
        canvas.forget()
        start = perf_counter()
        canvas.warm()
        runs.append((perf_counter() - start) * 1000)
    return median(runs)
