"""Measure the client on a pseudo-terminal, as a player meets it: keys are written, frames are read. Linux and macOS.

Nothing answers the terminal's queries. Keys are pressed in the middle of a game with 300 pieces on the board, each
after the frame of the last one. The time of a key ends with the last byte of its frame; the silence after it does not
count. Nothing is warmed up: the first opening of a pane counts too. A lone Esc does not count, because it is recognised
only by waiting.

`measure_rendering` compares the client with one in which Textual's own method replaces a part of the fast rendering.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from types import TracebackType
from typing import NamedTuple

from paxtui.games.pax.state.model import State
from paxtui.tui.map.canvas import Canvas
from paxtui.tui.map.layout import lay_out
from paxtui.tui.widgets.map_scene import build_scene
from tools.bench.core import Sample, percentile

COLUMNS, ROWS = 160, 50
TITLE = b"PAX BRITANNICA"
QUIET_S = 0.15
"""Seconds without output after which the first frame is finished."""
QUIET_SETTINGS = 'reports = "none"\nremind = false\ndice = "log"\ntitle = false\n'
"""Settings without automatic pages: each key goes to the map."""
PATIENCE = 20.0
"""Seconds after which a client that shows nothing is given up."""
START_RUNS = 5
ESCAPE = "5"
"""Milliseconds after which an escape byte is a lone Esc."""


class NoTerminal(Exception):
    """The client showed no frame; the text says what it showed instead."""


class FirstFrame(NamedTuple):
    """`ms` from the command to the last byte of the first finished frame; `rss_mb` of the client then."""

    ms: float
    rss_mb: float


class Burst(NamedTuple):
    """What the client wrote before it went quiet: `data`, and when its last byte came."""

    data: bytes
    last: float


class Client:
    """A command on a pseudo-terminal of 160x50. A context manager: the command ends with it.

    Args: the command; the player's directory.
    """

    def __init__(self, command: list[str], home: Path) -> None:
        environment = {
            **os.environ,
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LC_ALL": "C.UTF-8",
            "PAXTUI_HOME": str(home),
            "ESCDELAY": ESCAPE,
        }
        if environment.pop("PYTHONDONTWRITEBYTECODE", ""):
            # a warm cache holds the compiled modules too, as every installation does; here they must go elsewhere
            environment["PYTHONPYCACHEPREFIX"] = str(home / "compiled")
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
        settings = home / "settings.toml"
        if not settings.exists():
            settings.write_text(QUIET_SETTINGS, encoding="utf-8")
        self.start = perf_counter()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            try:
                os.execvpe(command[0], command, environment)
            finally:
                os._exit(127)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def press(self, data: bytes) -> float:
        """Write a key's bytes; the moment just before."""
        now = perf_counter()
        os.write(self.terminal, data)
        return now

    def burst(self, quiet: float, patience: float, wanted: bytes = b"") -> Burst:
        """What is written until it stays quiet for `quiet` seconds, with `wanted` in it.

        Args: seconds of silence that end a burst; seconds to wait for its first byte, or for what is wanted.

        Raises: NoTerminal: the client has ended, or has not shown what is wanted.
        """
        seen = bytearray()
        begun = last = perf_counter()
        while True:
            found = bool(seen) and wanted in seen
            left = quiet if found else begun + patience - perf_counter()
            if select.select([self.terminal], [], [], max(0.0, left))[0]:
                try:
                    data = os.read(self.terminal, 1 << 16)
                except OSError:
                    data = b""
                if not data:
                    raise NoTerminal(seen[-300:].decode("utf-8", "replace") or "it has ended")
                seen += data
                last = perf_counter()
            elif found or not wanted:
                return Burst(bytes(seen), last)
            else:
                raise NoTerminal(seen[-300:].decode("utf-8", "replace") or "it showed nothing")

    def until(self, moment: float) -> Iterator[Burst]:
        """What is written before a moment, piece by piece as it comes. Raises: NoTerminal: the client has ended."""
        while (left := moment - perf_counter()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    data = os.read(self.terminal, 1 << 16)
                except OSError as error:
                    raise NoTerminal("it has ended") from error
                yield Burst(data, perf_counter())

    def first_frame(self) -> FirstFrame:
        """The first finished frame. Raises: NoTerminal."""
        shown = self.burst(QUIET_S, PATIENCE, TITLE).last - self.start
        return FirstFrame(shown * 1000, rss_mb(self.pid))

    def end(self) -> None:
        """End the command that was started here."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                break
            limit = perf_counter() + 1
            while perf_counter() < limit:
                # the client may want to write its farewell: nobody reads it, so make room
                if select.select([self.terminal], [], [], 0.01)[0]:
                    with suppress(OSError):
                        os.read(self.terminal, 1 << 16)
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    os.close(self.terminal)
                    return
        os.close(self.terminal)


def play_command(game: Path) -> list[str]:
    """The command that plays a game."""
    return [sys.executable, "-m", "paxtui.cli.main", "play", str(game)]


def measure_client(game: Path) -> dict[str, float]:
    """Median time of the first frame and memory after it, of several runs after one that warms the caches.

    Raises: NoTerminal.
    """
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory) / "bench.jsonl"
        shutil.copyfile(game, copy)
        command = play_command(copy)
        first_frame(command, Path(directory))
        frames = [first_frame(command, Path(directory)) for _ in range(START_RUNS)]
    return {
        "first_frame_ms": median(f.ms for f in frames),
        "client_rss_mb": median(f.rss_mb for f in frames),
    }


def first_frame(command: list[str], home: Path) -> FirstFrame:
    """Run a command on a pseudo-terminal until its first frame is finished, then end it.

    Raises: NoTerminal.
    """
    with Client(command, home) as client:
        return client.first_frame()


def rss_mb(pid: int) -> float:
    """Resident memory of a process in millions of bytes, its children not counted."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024 / 1e6
    out = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(out.stdout) * 1024 / 1e6


PIECES = 300
"""Markers, units and Merchant Fleets that the board shall bear at least."""
ROUNDS = 6
"""How often a player's keys are gone through."""
STILL = 0.08
"""Seconds without output after which the frame of a key is finished: several times the pause between two frames."""
UNMOVED = 0.5
"""Seconds after which a key is known to change nothing on the screen."""
REDRAW_RUNS = 9
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


class KeyEffect(NamedTuple):
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
        write_cut_log(sample.path, middle_line(sample), log)
        keys = press_keys(log, home)
        moves = [s.bytes for s in walk_cursor(log, home)]
        fps = scroll_fps(log, home)
    times = [s.ms for s in keys if s.key != ESC]
    return {
        "key_to_frame_ms_p95": percentile(times, 95),
        "key_to_frame_ms_p99": percentile(times, 99),
        "scroll_fps": fps,
        "bytes_per_cursor_move": fmean(moves),
    }


def piece_count(state: State) -> int:
    """Markers, units and Merchant Fleets on the board."""
    areas = state.areas.values()
    on_land = sum(len(area.markers) + len(area.units) for area in areas)
    return on_land + sum(map(len, state.homes.values())) + sum(map(len, state.sea_zones.values()))


def middle_line(sample: Sample) -> int:
    """The line nearest to the middle of the log after which a Movement Phase has 300 pieces on the board.

    A game without one gives the line with the most pieces.
    """
    lines = [line.n - 1 for line in sample.acts]
    half = lines[len(lines) // 2]
    by_line = dict(zip(lines, sample.before, strict=True))
    full = [n for n, state in by_line.items() if state.phase == "movement" and piece_count(state) >= PIECES]
    return min(full, key=lambda n: abs(n - half)) if full else max(lines, key=lambda n: piece_count(by_line[n]))


def write_cut_log(log: Path, line: int, to: Path) -> None:
    """Write a log up to a line."""
    rows = log.read_bytes().splitlines(keepends=True)
    to.write_bytes(b"".join(rows[:line]))


def press_keys(log: Path, home: Path) -> list[KeyEffect]:
    """Rounds of a player's keys, and what each did. Raises: NoTerminal."""
    with Client(play_command(log), home) as client:
        client.first_frame()
        return [shown for key in KEYS * ROUNDS if (shown := press_key(client, key)) is not None]


def walk_cursor(log: Path, home: Path) -> list[KeyEffect]:
    """Steps of the cursor on the world map. Raises: NoTerminal."""
    with Client(play_command(log), home) as client:
        client.first_frame()
        return [shown for key in ARROWS * 4 if (shown := press_key(client, key)) is not None]


def press_key(client: Client, key: bytes) -> KeyEffect | None:
    """Press a key and wait for its frame; None where the screen stays as it is. Raises: NoTerminal."""
    start = client.press(key)
    data, last = client.burst(STILL, UNMOVED)
    if data and not POINTER.sub(b"", data):  # a new screen asks for its pointer long before it is drawn
        data, last = client.burst(STILL, UNMOVED)
    return KeyEffect(key, (last - start) * 1000, len(data)) if data else None


def scroll_fps(log: Path, home: Path) -> float:
    """Frames a second while an arrow key is held at theatre zoom and the map scrolls under the cursor.

    The terminal reports that it has synchronized output, so the client marks the end of each frame. If a busy machine
    shows fewer than two frames in that time, the key is held longer.

    Raises: NoTerminal.
    """
    with Client(play_command(log), home) as client:
        client.burst(QUIET_S, PATIENCE, SYNC_QUERY)
        client.press(SYNC_YES)
        client.burst(QUIET_S, 1.0)
        client.press(b"z")
        client.burst(QUIET_S, PATIENCE, FRAME_END)
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
    canvas.show(build_scene(sample.tables, sample.seek(middle_line(sample)), "home:britain", "britain"))
    canvas.warm()
    runs = []
    for _ in range(REDRAW_RUNS):
        canvas.forget()
        start = perf_counter()
        canvas.warm()
        runs.append((perf_counter() - start) * 1000)
    return median(runs)


RENDERING_ROUNDS = 5
"""How often the keys of a part are pressed."""


class RenderingPart(NamedTuple):
    """A part of the quick drawing: what puts Textual's own in its place, and the keys that show the difference.

    `counted`: those of the `keys` that are measured; `bytes`: by the bytes of their frames, not by their time.
    """

    textual: str
    keys: Sequence[bytes]
    counted: Sequence[bytes]
    bytes: bool = False


RENDERING_PARTS = {
    "sheet": RenderingPart(
        "from paxtui.tui.rendering.app import RenderingApp; del RenderingApp._display", ARROWS, ARROWS, bytes=True
    ),
    "frame": RenderingPart(
        "from paxtui.tui.rendering.compositor import RenderingScreen; del RenderingScreen.__init__", ARROWS, ARROWS
    ),
    "driver": RenderingPart(
        "from paxtui.tui.rendering.app import RenderingApp; del RenderingApp.get_driver_class", (ENTER, ESC), (ESC,)
    ),
    "overlay": RenderingPart(
        "import paxtui.tui.rendering.compositor as over; del over.DimmingModalScreen.render_lines",
        (b"X", ESC),  # the dialog for sharing is never prepared in advance
        (b"X",),
    ),
    "rows": RenderingPart(
        "from paxtui.tui.rendering.text_widgets import LazyText; del LazyText.visualize", (b"l", ESC), (b"l",)
    ),
}
"""The parts by the module in which each stands."""

PLAY = "import sys; from paxtui.cli.main import main; sys.exit(main(sys.argv[1:]))"


def measure_rendering(sample: Sample) -> dict[str, float]:
    """How many times as much each part would take if it were left to Textual: `sheet_saves` and so on.

    Raises: NoTerminal.
    """
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        log = home / "bench.jsonl"
        write_cut_log(sample.path, middle_line(sample), log)
        return {
            f"{name}_saves": rendering_cost(part, log, home, True) / rendering_cost(part, log, home)
            for name, part in RENDERING_PARTS.items()
        }


def rendering_cost(part: RenderingPart, log: Path, home: Path, textual: bool = False) -> float:
    """Bytes or milliseconds of a key that shows a part, with the part or with Textual's own. Raises: NoTerminal."""
    program = f"{part.textual}; {PLAY}" if textual else PLAY
    with Client([sys.executable, "-c", program, "play", str(log)], home) as client:
        client.first_frame()
        seen = [press_key(client, key) for key in tuple(part.keys) * RENDERING_ROUNDS]
    shown: list[KeyEffect] = [one for one in seen if one is not None and one.key in part.counted]
    return fmean(one.bytes for one in shown) if part.bytes else median(one.ms for one in shown)
