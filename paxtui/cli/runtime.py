"""What a person is told when a command cannot do what it was asked, and what is kept of a mistake of the program.

A client at the keyboard talks to nobody over TLS, and need not carry OpenSSL: 5 of the 64 MB of its first frame.

Python itself provides for going without: asyncio asks for `ssl` and hashlib for `_hashlib`, and both get along where
there is none (hashlib has a SHA-256 of its own, which gives the same digests). So they are imported once as on a Python
that was built without them. Nothing is forbidden afterwards: who imports `ssl` later gets it.

Only for the commands that draw a screen at the keyboard. Tables shared by SSH need what asyncssh needs.

What leaves a command by its standard streams: no sign that could steer a terminal, none that it cannot show.

A log, a table or a file name may come from anybody. Every text that a command prints goes through here.

Whether there is a terminal: keys to read and a screen to draw on.

The app run until the player leaves, and what is said of how it ended.

How long somebody who came from far away may type nothing: his connection is one of those that others could have.
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
"""The exit code after a mistake of the program."""

MOST_REPORTS = 20
"""Reports of crashes that are kept."""


class CommandError(Exception):
    """A command cannot do what it was asked; the message says what, where, and what would be right."""


def explain(error: Exception) -> str | None:
    """The message for a person, or None for an error that is our own mistake."""
    from paxtui.engine.log import BrokenLog
    from paxtui.engine.refusal import Refusal
    from paxtui.session.storage.files import StorageError, describe_error
    from paxtui.session.tables.records import TableError

    if isinstance(error, Refusal):
        rules = f" [{', '.join(error.rules)}]" if error.rules else ""
        return f"{error.message}{rules}"
    if isinstance(error, CommandError | BrokenLog | StorageError | TableError):
        return str(error)
    if isinstance(error, OSError):
        return describe_error(error)
    return None


# --- crashes ----------------------------------------------------------------------------------------------------------


def report_crash(error: BaseException, command: str) -> str:
    """Keep a report of a mistake of the program; what a person is told.

    Args:
        error: what happened.
        command: the name of the command, without what was given to it.
    """
    told = "a mistake of the program ended it; every act that was accepted is in the file of its game"
    try:
        path = _write_report(_crash_report(error, command))
    except OSError as failed:
        return f"{told}. No report could be written ({explain(failed)})"
    return f"{told}. A report of where it happened, with nothing of the game in it, is in {path}"


def _crash_report(error: BaseException, command: str) -> str:
    """Where in the code it happened. Neither messages nor values: they could tell of seeds, Treaties or positions."""
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
    """An error and what led to it, the last first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _code_place(name: str) -> str:
    """A file of code by its name inside its package; nothing of where it is installed."""
    parts = Path(name).parts
    for root in ("site-packages", "paxtui"):
        if root in parts:
            at = len(parts) - 1 - parts[::-1].index(root)
            return "/".join(parts[at + (root == "site-packages") :])
    return parts[-1] if parts else "?"


def _write_report(report: str) -> Path:
    """Write a report for its owner's eyes; old ones go. Raises: OSError."""
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
"""What brings in OpenSSL."""
ASKING = ("asyncio", "hashlib", "hmac")
"""What asks for it, and does without."""


class _Absent:
    """Says of the hidden modules that they are not installed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module is: not here. Raises: ModuleNotFoundError for what is hidden."""
        if name in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def without_tls() -> None:
    """Have asyncio and hashlib do without OpenSSL, where this process has imported neither yet."""
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
"""Kinds of signs that are no text: controls, direction of writing among them, halves of signs, ends of lines, and
numbers that stand for nothing or for what each font likes."""

_ASCII = str.maketrans(
    {"£": "L", "→": "->", "×": "x", "·": ",", "–": "-", "—": "-", "−": "-", "’": "'", "‘": "'", "…": "..."}
    | {"“": '"', "”": '"', "●": "*", "○": "o", "◆": "*", "◇": "o", "★": "*", "☆": "*", "⚔": "x", "▸": ">", "═": "="}
    | {"█": "#", "░": ".", "─": "-", "│": "|", "↑": "Up", "↓": "Down", "←": "Left", "≥": ">=", "≤": "<=", "½": "1/2"}
    | {"•": "*", "┃": "|", "━": "-", **dict.fromkeys("▁▂▃▄▅▆▇▉▊▋▌▍▎▏▐", "#"), **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+")}
)


def clean_line(text: str) -> str:
    """`text` in one line without signs that are no text, so that nothing in it can steer a terminal."""
    if text.isprintable():
        return text
    return "".join(" " if unicodedata.category(c) in _STEERING else c for c in text)


def printable(text: str, encoding: str) -> str:
    """`text` as a stream of this encoding can show it."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        plain = unicodedata.normalize("NFKD", text.translate(_ASCII))
        return plain.encode("ascii", "ignore").decode()
    return text


def escape_json(json: str) -> str:
    """JSON that says the same, with escapes for the signs in its texts that are no text."""
    if json.isprintable():
        return json
    return re.sub(r"[^ -~]", lambda m: _escape_char(m[0]) if unicodedata.category(m[0]) in _STEERING else m[0], json)


def _escape_char(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


class SafeStream:
    """A text stream that cleans what is written to it, line by line; all else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write `text` as far as it is text."""
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
    """Let everything that is printed go through outlets."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast(TextIO, SafeStream(out)), cast(TextIO, SafeStream(err))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def detach_stdout() -> None:
    """Let go of a standard output that nobody takes any more, so that the program ends without a complaint."""
    with suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


def need_terminal() -> None:
    """Make sure that there are keys to read and a screen to draw on.

    Raises:
        CommandError: there are not.
    """
    # The screen reads one of these and draws on the other.
    if not (_is_terminal(sys.__stdin__) and _is_terminal(sys.__stderr__)):
        raise CommandError("the screen needs a terminal; 'paxtui new --plain' and 'paxtui play --plain' need none")


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def run_single_screen(command: str, only: Callable[[], Screen[None]]) -> int:
    """Show one screen; the exit code. Args: what was asked for; makes it. Raises: CommandError without a terminal."""
    need_terminal()
    from paxtui.tui.app import PaxApp

    return run_app(PaxApp(only=only), command)


def run_app(app: PaxApp, command: str) -> int:
    """Run the app, and say what went wrong; the exit code. Args: it; what was asked for."""
    # modules, tables and the log stay: the collector of garbage need not go through them before the first frame
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
"""Seconds without a key after which a seat is left."""

IDLE_WARNING_S = 300.0
"""Seconds before that at which it is said."""

IDLE_WARNING = (
    "You have typed nothing for hours: the connection ends in five minutes, unless a key comes. Nothing is lost."
)
IDLE_ENDED = "You had typed nothing for eight hours. Everything is saved: come back whenever you like."


class IdleTimer:
    """How long nothing has been typed.

    Args:
        clock: seconds on a clock that nobody sets.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._last = clock()
        self._said = False

    def typed(self) -> None:
        """Something has been typed."""
        self._last, self._said = self._clock(), False

    @property
    def over(self) -> bool:
        """Whether it has lasted too long."""
        return self._clock() - self._last >= IDLE_LIMIT_S

    def warns(self) -> bool:
        """Whether it is time to say that it soon will have; true once."""
        if self._said or self._clock() - self._last < IDLE_LIMIT_S - IDLE_WARNING_S:
            return False
        self._said = True
        return True
