"""The plain mode: the whole game as questions and answers in lines, for screen readers, logs and slow links.

It speaks the notation and a few words besides, prints no escape code and moves no cursor. Stdin and stdout may be
pipes: a list of lines plays a game, and what it prints reads like a conversation.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from shutil import get_terminal_size

from paxtui.cli.outward.outlet import clean, printable
from paxtui.cli.plain.conversation import Conversation, completions
from paxtui.cli.plain.curtain import Curtain
from paxtui.table.authority import Table
from paxtui.table.games.replay import ReplaySession
from paxtui.table.session import Session

LONGEST = 100_000
"""Signs of a line that are read at once; the rest counts as the next one."""


def converse(session: Session, lines: Iterable[str], write: Callable[[str], None]) -> Conversation:
    """Hold the conversation until the lines end or `quit` is said. What is typed is repeated after the prompt.

    Args:
        session: the open game.
        lines: what is typed.
        write: takes pieces of text, newlines among them.
    """
    talk = Conversation(session)
    for said in talk.greeting():
        write(clean(said) + "\n")
    typed = iter(lines)
    while not talk.over:
        write(clean(talk.prompt))
        line = next(typed, None)
        if line is None:
            write("\n")
            break
        write(clean(line).strip() + "\n")
        for said in talk.hear(line):
            write(clean(said) + "\n")
    return talk


def run_game(path: Path, replay: bool = False) -> int:
    """Play a saved game line by line on stdin and stdout; the exit code, 1 where the file was lost meanwhile.

    Args: the file; whether it is only looked at.

    Raises: BrokenLog, Locked, OSError: the log cannot be used.
    """
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            with suppress(ValueError, OSError):
                stream.reconfigure(errors="replace")
    if replay:
        _converse(ReplaySession(path))
        return 0
    with Table.open(path) as table:
        talk = _converse(Session(table))
        if table.trouble and not talk.over:  # else it has been told
            _say(f"{table.trouble}.")
        return 1 if table.trouble else 0


def _converse(session: Session) -> Conversation:
    """Talk until one leaves."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        with heard_at_once():
            return _at_a_terminal(session)
    return converse(session, iter(lambda: sys.stdin.readline(LONGEST), ""), _write)


def _write(text: str) -> None:
    """A piece of text on stdout, at once."""
    sys.stdout.write(printable(text, sys.stdout.encoding or "ascii"))
    sys.stdout.flush()


def _say(line: str) -> None:
    """One line on stdout, at once."""
    _write(clean(line) + "\n")


def _at_a_terminal(session: Session) -> Conversation:
    """With editing, history and completion where there is a readline; interrupt drops a line, end of file leaves."""
    talk = Conversation(session, Curtain(lambda: get_terminal_size().lines, _forget))
    with suppress(ImportError):
        _editing(talk)
    for said in talk.greeting():
        _say(said)
    while not talk.over:
        try:
            line = input(clean(talk.prompt))
        except EOFError:
            _say("")
            break
        except KeyboardInterrupt:
            _say("")
            _say("'quit' leaves.")
            continue
        for said in talk.hear(line):
            _say(said)
    return talk


def _forget() -> None:
    """What was typed is not to be recalled by whoever sits down next."""
    with suppress(ImportError):
        import readline

        readline.clear_history()


KNOCKS = (0.05, 0.2, 0.5, 1.0)
"""Seconds between a signal and the knocks that see to it that it is heard."""


@contextmanager
def heard_at_once() -> Iterator[None]:
    """Let a signal end the wait for a key whenever it comes.

    Python's readline looks for a signal only when one breaks off its wait: of one that came just before, as at a
    prompt that has just been written, it would hear after the next key. So a thread breaks off the wait once more.
    """
    heard, tell = os.pipe()
    os.set_blocking(tell, False)
    before = signal.signal(signal.SIGURG, lambda number, frame: None)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    listener = threading.current_thread().ident or 0

    def knock() -> None:
        while number := os.read(heard, 1):
            if number[0] != signal.SIGURG:
                for seconds in KNOCKS:
                    time.sleep(seconds)
                    signal.pthread_kill(listener, signal.SIGURG)
        os.close(heard)

    threading.Thread(target=knock, daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(-1)
        os.close(tell)
        signal.signal(signal.SIGURG, before)


def _editing(talk: Conversation) -> None:
    """Switch line editing on, without the escape codes that it would send by itself."""
    import readline

    for setting in ("enable-bracketed-paste off", "enable-meta-key off", "bell-style none"):
        readline.parse_and_bind(f"set {setting}")
    apple = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if apple else "tab: complete")
    readline.set_completer_delims("")
    found: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if state == 0:
            found[:] = map(clean, completions(talk, text))
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
