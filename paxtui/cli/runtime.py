"""Run commands: error messages and crash reports, safe output, terminal checks, the app, idle timeout.

`without_tls` hides OpenSSL from asyncio and hashlib, which saves 5 of 64 MB; a later import of `ssl` still works.
Every text that a command prints passes through `safe_streams`, because logs, tables and file names are untrusted.
"""

from __future__ import annotations

import gc
import os
import platform
import re
import sys
import traceback
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib import import_module
from importlib.machinery import ModuleSpec
from itertools import count
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, TextIO, cast

from paxtui import __version__

if TYPE_CHECKING:
    from textual.screen import Screen

    from paxtui.tui.app import PaxApp


EXIT_CRASHED = 70
"""Exit code after an internal error."""

MOST_REPORTS = 20
"""Maximum number of crash reports kept."""


class CommandError(Exception):
    """A command cannot run. The message says what is wrong, where, and what to do."""


def explain(error: Exception) -> str | None:
    """Return the message for an error, or None for an internal error."""
    from paxtui.engine.log import BrokenLog
    from paxtui.engine.refusal import Refusal
    from paxtui.session.storage.extras import MissingExtra
    from paxtui.session.storage.files import StorageError, describe_error
    from paxtui.session.tables.records import TableError

    if isinstance(error, Refusal):
        rules = f" [{', '.join(error.rules)}]" if error.rules else ""
        return f"{error.message}{rules}"
    if isinstance(error, CommandError | BrokenLog | MissingExtra | StorageError | TableError):
        return str(error)
    if isinstance(error, OSError):
        return describe_error(error)
    return None


# --- crashes ----------------------------------------------------------------------------------------------------------


def report_crash(error: BaseException, command: str) -> str:
    """Save a crash report and return the message for the user.

    Args:
        error: the error.
        command: the name of the command, without its arguments.
    """
    message = "internal error. All accepted actions are saved in the log of the game"
    try:
        path = _write_report(_crash_report(error, command))
    except OSError as failed:
        return f"{message}. The crash report could not be written ({explain(failed)})"
    return f"{message}. Crash report, without data of the game: {path}"


def _crash_report(error: BaseException, command: str) -> str:
    """Return the code locations of an error, without messages or values, which could reveal secrets of the game."""
    lines = [
        f"paxtui {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"command: {command or 'none'}",
    ]
    for one in _error_chain(error):
        lines.append(f"{type(one).__module__}.{type(one).__qualname__}")
        frames = traceback.extract_tb(one.__traceback__)
        lines += [f"  {_code_place(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
    return "\n".join(lines) + "\n"


def _error_chain(error: BaseException | None) -> Iterator[BaseException]:
    """Return an error and its causes, the last first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        inner = getattr(error, "error", None)  # a failed worker of Textual keeps its error there
        error = error.__cause__ or error.__context__ or (inner if isinstance(inner, BaseException) else None)


def _code_place(name: str) -> str:
    """Return a source file relative to its package, without the place of installation."""
    parts = Path(name).parts
    for root in ("site-packages", "paxtui"):
        if root in parts:
            at = len(parts) - 1 - parts[::-1].index(root)
            return "/".join(parts[at + (root == "site-packages") :])
    return parts[-1] if parts else "?"


def _write_report(report: str) -> Path:
    """Write a private report and delete old ones. Raises: OSError."""
    from paxtui.session.storage.files import player_data, write_new

    directory = player_data() / "crashes"
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for n in count(1):
        path = directory / f"crash-{stamp}{f'-{n}' if n > 1 else ''}.txt"
        with suppress(FileExistsError):
            write_new(path, report.encode())
            break
    for old in sorted(directory.glob("crash-*.txt"))[:-MOST_REPORTS]:
        with suppress(OSError):
            old.unlink()
    return path


HIDDEN = ("ssl", "_hashlib")
"""Modules that load OpenSSL."""
ASKING = ("asyncio", "hashlib", "hmac")
"""Modules that import them optionally."""


class _Absent:
    """An import hook that reports the hidden modules as missing."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Raise ModuleNotFoundError for a hidden module."""
        if name in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def without_tls() -> None:
    """Import asyncio and hashlib without OpenSSL, unless they are imported already."""
    if any(name in sys.modules for name in (*HIDDEN, *ASKING)):
        return
    absent = _Absent()
    sys.meta_path.insert(0, absent)
    try:
        for name in ASKING:
            import_module(name)
    finally:
        sys.meta_path.remove(absent)


_STEERING = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Unicode categories that are no text: controls, bidirectional marks, surrogates, line ends, private use and
unassigned.
"""

_ASCII = str.maketrans(
    {"£": "L", "→": "->", "×": "x", "·": ",", "–": "-", "—": "-", "−": "-", "’": "'", "‘": "'", "…": "..."}
    | {"“": '"', "”": '"', "●": "*", "○": "o", "◆": "*", "◇": "o", "★": "*", "☆": "*", "⚔": "x", "▸": ">", "═": "="}
    | {"█": "#", "░": ".", "─": "-", "│": "|", "↑": "Up", "↓": "Down", "←": "Left", "≥": ">=", "≤": "<=", "½": "1/2"}
    | {"•": "*", "┃": "|", "━": "-", **dict.fromkeys("▁▂▃▄▅▆▇▉▊▋▌▍▎▏▐", "#"), **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+")}
)


def clean_line(text: str) -> str:
    """Return `text` as one line without control characters."""
    if text.isprintable():
        return text
    return "".join(" " if unicodedata.category(c) in _STEERING else c for c in text)


def printable(text: str, encoding: str) -> str:
    """Return `text` as a stream of this encoding can show it."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        plain = unicodedata.normalize("NFKD", text.translate(_ASCII))
        return plain.encode("ascii", "ignore").decode()
    return text


def escape_json(json: str) -> str:
    """Return equivalent JSON in which control characters are escaped."""
    if json.isprintable():
        return json
    return re.sub(r"[^ -~]", lambda m: _escape_char(m[0]) if unicodedata.category(m[0]) in _STEERING else m[0], json)


def _escape_char(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


class SafeStream:
    """A text stream that removes control characters line by line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the printable part of `text`."""
        shown = "\n".join(map(clean_line, text.split("\n")))
        return self._stream.write(printable(shown, self._stream.encoding or "ascii"))

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def safe_streams() -> Iterator[None]:
    """Replace the standard streams by safe ones."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast("TextIO", SafeStream(out)), cast("TextIO", SafeStream(err))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def discard_unwritable_output() -> None:
    """Drop buffered output whose terminal is gone: flushing it at exit would replace the exit code by 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            detach(stream)


def detach(stream: TextIO) -> None:
    """Detach a stream whose other end is gone, so that the program ends without an error message."""
    with suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)


def need_terminal() -> None:
    """Check that input and output are a terminal.

    Raises:
        CommandError: they are not.
    """
    # The screen reads one of these and draws on the other.
    if not (_is_terminal(sys.__stdin__) and _is_terminal(sys.__stderr__)):
        raise CommandError(
            "the screen needs a terminal; without one, use 'paxtui new --plain' or 'paxtui play --plain'"
        )


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def run_single_screen(command: str, only: Callable[[], Screen[None]]) -> int:
    """Show one screen and return the exit code. Args: the command; the factory. Raises: CommandError without a
    terminal.
    """
    need_terminal()
    from paxtui.tui.app import PaxApp

    return run_app(PaxApp(only=only), command)


def run_app(app: PaxApp, command: str) -> int:
    """Run the app, report errors, and return the exit code. Args: the app; the command."""
    # modules, tables and the log are permanent: the garbage collector need not scan them before the first frame
    gc.freeze()
    gc.enable()
    app.run()
    if app.crash is not None:
        print(f"paxtui: {report_crash(app.crash, command)}", file=sys.stderr)
        return EXIT_CRASHED
    if app.trouble:
        print(f"paxtui: {app.trouble}", file=sys.stderr)
    return app.return_code or (1 if app.trouble else 0)


IDLE_LIMIT_S = 8 * 3600.0
"""Idle time after which a remote client is disconnected, in seconds."""

IDLE_WARNING_S = 300.0
"""Warning time before that, in seconds."""

IDLE_WARNING = (
    "You have been idle for hours: the connection closes in five minutes. Press any key to stay. Nothing is lost."
)
IDLE_ENDED = "Disconnected after eight idle hours. Everything is saved; connect again at any time."


class IdleTimer:
    """The time since the last key.

    Args:
        clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._has_warned = False

    def typed(self) -> None:
        """Record a key."""
        self._last, self._has_warned = self._clock(), False

    @property
    def over(self) -> bool:
        """Whether the idle limit is reached."""
        return self._clock() - self._last >= IDLE_LIMIT_S

    def warns(self) -> bool:
        """Whether to show the warning; true once."""
        if self._has_warned or self._clock() - self._last < IDLE_LIMIT_S - IDLE_WARNING_S:
            return False
        self._has_warned = True
        return True
