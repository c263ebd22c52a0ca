"""Fork client processes from a process with all imports done, so that they start fast and share memory.

The fork server has one thread and no event loop, so that a fork copies no half-done work. A request is one line of
JSON on a Unix socket. The answers are lines that report start and exit code. Closing the connection does not end
the client; closing the terminal does. `end_with_parent` ends child processes of the hub with the hub.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import os
import selectors
import signal
import socket
import sys
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import msgspec

LONGEST_REQUEST = 16 * 1024
"""Maximum length of a request, in bytes."""

EXIT_FAILED = 70
"""Exit code of a client that could not start."""


class ClientRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a client process.

    Attributes:
        tty: the terminal.
        ticket: the ticket for the seat.
        home: the directory of the player's settings.
        environment: forwarded variables: TERM, COLORTERM, LANG.
        plain: line mode, without a screen.
        lobby: the ticket is for the lobby.
    """

    tty: str
    ticket: str
    home: str
    environment: dict[str, str]
    plain: bool = False
    lobby: bool = False


RunClient = Callable[[ClientRequest], int]
"""Runs a client and returns its exit code."""


class ForkServer:
    """The process that clients are forked from.

    Args:
        path: the socket to listen on.
        run: runs a client.
        parent: a pipe whose end stops the server, because the hub has ended.

    Raises:
        OSError: the socket cannot be opened.
    """

    def __init__(self, path: Path, run: RunClient, parent: int) -> None:
        self._run, self._parent = run, parent
        self._watched = selectors.DefaultSelector()
        self._clients_of_children: dict[int, socket.socket] = {}
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            self._listener.bind(str(path))
        finally:
            os.umask(before)
        self._listener.listen(64)

    def serve(self) -> NoReturn:
        """Fork clients until the process is ended."""
        if threading.active_count() != 1:
            raise RuntimeError("a process with several threads cannot be forked safely")
        gc.collect()
        gc.freeze()
        reader, writer = socket.socketpair()
        reader.setblocking(False)
        writer.setblocking(False)
        signal.set_wakeup_fd(writer.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: self._end())
        self._watched.register(self._listener, selectors.EVENT_READ)
        self._watched.register(reader, selectors.EVENT_READ)
        self._watched.register(self._parent, selectors.EVENT_READ)
        while True:
            for key, _ in self._watched.select():
                if key.fileobj == self._parent:
                    self._end()
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj is reader:
                    with suppress(BlockingIOError):
                        reader.recv(4096)
                elif isinstance(key.fileobj, socket.socket):
                    self._hear(key.fileobj)
            self._reap()

    def _end(self) -> NoReturn:
        for child in self._clients_of_children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGHUP)
        raise SystemExit(0)

    def _accept(self) -> None:
        with suppress(OSError):
            caller, _ = self._listener.accept()
            self._watched.register(caller, selectors.EVENT_READ)

    def _hear(self, caller: socket.socket) -> None:
        """Read a request, which comes in one piece, and fork; forget a closed connection."""
        try:
            data = caller.recv(LONGEST_REQUEST)
            order = msgspec.json.decode(data, type=ClientRequest) if data else None
        except (OSError, msgspec.MsgspecError, ValueError):
            order = None
        self._watched.unregister(caller)
        if order is None:
            caller.close()
            return
        child = os.fork()
        if child == 0:
            self._become(order)
        self._clients_of_children[child] = caller
        self._tell(caller, "started")

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while True:
                child, status = os.waitpid(-1, os.WNOHANG)
                if not child:
                    return
                caller = self._clients_of_children.pop(child, None)
                if caller is not None:
                    self._tell(caller, f"exit {os.waitstatus_to_exitcode(status)}")
                    caller.close()

    @staticmethod
    def _tell(caller: socket.socket, text: str) -> None:
        with suppress(OSError):
            caller.sendall(text.encode() + b"\n")

    def _become(self, order: ClientRequest) -> NoReturn:
        """Run the client in the forked child, with nothing of the parent but its imports."""
        code = EXIT_FAILED
        try:
            signal.set_wakeup_fd(-1)
            for number in signal.valid_signals():
                with suppress(OSError, ValueError):
                    signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            _take_terminal(order.tty)
            os.environ.clear()
            os.environ.update(order.environment)
            os.environ["PAXTUI_HOME"] = order.home
            gc.enable()
            if sys.platform == "linux":
                with suppress(OSError):
                    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
            code = self._run(order)
            sys.stdout.flush()
            sys.stderr.flush()
        except BaseException:
            code = EXIT_FAILED
        finally:
            os._exit(code & 0xFF)


def _take_terminal(name: str) -> None:
    """Make a terminal the controlling one and redirect the standard streams to it; close all other descriptors."""
    os.setsid()
    terminal = os.open(name, os.O_RDWR)
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for descriptor in (0, 1, 2):
        os.dup2(terminal, descriptor)
    os.closerange(3, 65536 if terminal < 65536 else terminal + 1)


_SET_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux."""


def end_with_parent() -> None:
    """Have the kernel send SIGTERM to this process when its parent ends; Linux only.

    A process needs this while it does not watch the pipe to its parent, for instance during imports.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:  # the parent ended before the signal was set
        raise SystemExit(0)
