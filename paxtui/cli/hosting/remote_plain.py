"""Plain mode of games on a server, and of the lobby: for screen readers and slow links.

Acts of others are printed as they arrive; the line that the player types is not changed.
"""

from __future__ import annotations

import os
import select
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from paxtui.cli.exercise_repl import EXERCISE_HELP, ExerciseNews, answer_line
from paxtui.cli.plain.repl import Repl
from paxtui.cli.runtime import IDLE_ENDED, IDLE_WARNING, IdleTimer, clean_line, printable
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.text.display import power_name
from paxtui.server.client import ConnectionLost, LobbyClient
from paxtui.server.remote_exercise import RemoteExercise
from paxtui.server.remote_game import RemoteGame, open_remote_game
from paxtui.server.remote_seat import RemoteSeat
from paxtui.server.remote_session import RemoteSession
from paxtui.session.lobby import LobbyRow, game_details, lobby_rows
from paxtui.session.tables.loader import load_tables
from paxtui.session.tables.scenarios import hosted_scenarios

RETRY_S = 1.0
"""Seconds between two attempts to reconnect."""

FEW_GAMES = 5
"""Number of games up to which the lobby prints details of all; of more, only of those that wait for the player."""

CTRL_C, CTRL_D = b"\x03", b"\x04"
"""Keys that leave."""

MAX_LINE_BYTES = 10_000
"""Maximum length of a line."""


class LineTerminal:
    """A terminal that reads lines and watches a second descriptor meanwhile.

    Args:
        keys: the input descriptor.
        screen: the output descriptor.
        patience: ends an idle session; None for no limit.
    """

    def __init__(self, keys: int = 0, screen: int = 1, patience: IdleTimer | None = None) -> None:
        self._keys, self._screen, self._patience = keys, screen, patience
        self._typed = b""
        self.over = False

    def print_lines(self, lines: list[str]) -> None:
        self.write("".join(f"{clean_line(line)}\n" for line in lines))

    def write(self, text: str) -> None:
        data = printable(text, "utf-8").encode()
        while data:
            data = data[os.write(self._screen, data) :]

    def line(self, descriptor: Callable[[], int] = lambda: -1, on_data: Callable[[], None] = lambda: None) -> str:
        """Return the next line; "" at the end, and then `over` is set.

        Args: returns the second descriptor, -1 for none; called when it has data, and each second without one.
        """
        while b"\n" not in self._typed and len(self._typed) < MAX_LINE_BYTES and not self.over:
            other = descriptor()
            ready, _, _ = select.select([self._keys, *([other] if other >= 0 else [])], [], [], RETRY_S)
            if other in ready or other < 0:
                on_data()
            if self._keys in ready:
                data = _read(self._keys)
                self._typed += data
                self.over = not data or CTRL_C in data or CTRL_D in data
                if self._patience is not None:
                    self._patience.typed()
            self._be_patient()
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode("utf-8", "replace").strip("\r")

    def _be_patient(self) -> None:
        """Warn an idle player, and end the session later."""
        if self._patience is None:
            return
        if self._patience.over:
            self.print_lines(["", IDLE_ENDED])
            self.over = True
        elif self._patience.warns():
            self.print_lines(["", IDLE_WARNING])


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""


def play_plain(socket: Path, ticket: str, far: bool = False) -> int:
    """Play a seat in plain mode until the player leaves; return the exit code.

    Args: the socket of the hub; the ticket; whether the player is remote, so that an idle session ends.
    """
    _lines_at_the_terminal()
    return _play_seat(LineTerminal(patience=IdleTimer() if far else None), socket, ticket)


def _play_seat(lines: LineTerminal, socket: Path, ticket: str) -> int:
    try:
        game = open_remote_game(socket, ticket)
    except (ConnectionLost, BrokenLog) as error:
        lines.print_lines([str(error)])
        return 1
    return _play_game(lines, game)


def session_of(game: RemoteGame) -> RemoteSeat:
    """Return the session of a game on a server."""
    session: RemoteSeat = REMOTE_KINDS[game.rules.rulebook].session(game)
    return session


def _play_game(lines: LineTerminal, game: RemoteGame) -> int:
    REMOTE_KINDS[game.rules.rulebook].play(lines, session_of(game))
    game.close()
    return 0


def _play_pax(lines: LineTerminal, session: RemoteSession) -> None:
    repl = Repl(session)
    with suppress(Refusal, OSError):
        lines.print_lines(repl.greeting())

    def receive() -> list[str]:
        session.receive()
        return repl.remote_news()

    def reconnect() -> list[str] | None:
        return [session.game.outcome, *repl.remote_news()] if session.reconnect() else None

    watch = ConnectionWatch(lines, session.game, receive, reconnect, lambda: repl.prompt)
    while not repl.over:
        lines.print_lines(repl.remote_news())
        lines.write(clean_line(repl.prompt))
        line = lines.line(session.game.fileno, watch.look)
        if lines.over:
            break
        lines.print_lines(repl.hear(line))


def _play_exercise(lines: LineTerminal, session: RemoteExercise) -> None:
    game, news = session.game, ExerciseNews(session)

    def describe_news() -> list[str]:
        waiting = [game.rules.seat_name(seat) for seat in game.waiting if seat != game.seat]
        waits = [f"Waiting for {', '.join(waiting)}."] if waiting and not game.is_over else []
        return [*news(), *waits, *filter(None, [session.begin_notice()])]

    def receive() -> list[str]:
        before = game.version
        game.receive()
        return describe_news() if game.version > before else []

    def reconnect() -> list[str] | None:
        return [game.outcome, *describe_news()] if game.reconnect() else None

    def answer(word: str) -> list[str]:
        """Return the answer to an input line."""
        before = game.version
        try:
            found = list(answer_line(session, word))
        except Refusal as refusal:
            return [f"No: {refusal.message} ({', '.join(refusal.rules) or refusal.code})"]
        except OSError as error:
            return [str(error)]
        return found + (describe_news() if game.version > before or not found else [])

    exercise = session.tables.exercise
    lines.print_lines([f"{exercise.title}. {' '.join(exercise.about.split())}", EXERCISE_HELP, *describe_news()])
    watch = ConnectionWatch(lines, game, receive, reconnect, lambda: EXERCISE_PROMPT)
    while not lines.over:
        lines.write(EXERCISE_PROMPT)
        word = lines.line(game.fileno, watch.look).strip()
        if lines.over or word == "quit":
            break
        lines.print_lines(answer(word))


EXERCISE_PROMPT = "order> "
"""Prompt of an exercise."""


class RemoteKind(NamedTuple):
    """A kind of game on a server: its session, and the function that plays it line by line."""

    session: Callable[[Any], RemoteSeat]
    play: Callable[[LineTerminal, Any], None]


REMOTE_KINDS = {
    FIRST_RULEBOOK: RemoteKind(RemoteSession, _play_pax),
    "empires": RemoteKind(RemoteExercise, _play_exercise),
}
"""The kinds of games on a server by rulebook."""


class ConnectionWatch:
    """Print what arrives while a player types; report a lost connection once, and restore it.

    Args:
        lines: the terminal.
        game: the game.
        receive: processes what arrived and returns the lines to print.
        reconnect: connects again; returns the lines to print, None for a failure.
        prompt: returns the prompt.
    """

    def __init__(
        self,
        lines: LineTerminal,
        game: RemoteGame,
        receive: Callable[[], list[str]],
        reconnect: Callable[[], list[str] | None],
        prompt: Callable[[], str],
    ) -> None:
        self._lines, self._game, self._prompt = lines, game, prompt
        self._receive, self._reconnect = receive, reconnect
        self._is_lost = False

    def look(self) -> None:
        """Handle data that arrived, or try to reconnect."""
        if self._game.fileno() < 0:
            news = self._reconnect()
            if news is not None:
                self._is_lost = False
                self._print(["You are connected again.", *filter(None, news)])
            return
        news = self._receive()
        if self._game.fileno() < 0 and not self._is_lost:
            self._is_lost = True
            hint = "The game is saved. Reconnecting..." if self._game.will_reconnect else "'quit' leaves."
            news = [*news, f"{self._game.trouble} {hint}"]
        if news:
            self._print(news)

    def _print(self, news: list[str]) -> None:
        self._lines.print_lines(["", *news])
        self._lines.write(clean_line(self._prompt()))


def open_lobby_plain(socket: Path, ticket: str, lines: LineTerminal | None = None, far: bool = False) -> int:
    """Run the lobby in plain mode, and the games chosen there; return the exit code.

    Args: as `play_plain`; the terminal, by default that of the program.
    """
    if lines is None:
        _lines_at_the_terminal()
        lines = LineTerminal(patience=IdleTimer() if far else None)
    try:
        lobby = LobbyClient(socket, ticket)
        wanted, inside = "", None
        while not lines.over:
            found = _print_lobby(lines, lobby, wanted) if inside is None else _print_choices(lines, inside)
            lines.write("Which number? ")
            line = lines.line().strip()
            if line.startswith("/"):
                wanted, inside = line[1:].strip(), None
                continue
            if lines.over or line.casefold() in ("q", "quit", "leave"):
                break
            what, _, words = line.partition(" ")
            if what in ("notify", "club"):
                lines.print_lines(_answer(lobby.notify if what == "notify" else lobby.club, words))
                continue
            if not line:
                inside = None
                continue
            if not line.isdecimal() or not 1 <= int(line[:6]) <= len(found):
                known = "'/' with search words, 'notify', 'club', or 'leave'. Enter refreshes."
                lines.print_lines([f"Type a number from 1 to {len(found)}, {known}"])
                continue
            row = found[int(line) - 1]
            if row.way == "choose":
                inside = row
                continue
            inside = None
            if row.way == "leave":
                break
            try:
                given = _choose_ticket(lines, lobby, row)
            except Refusal as refusal:
                lines.print_lines([refusal.message])
                continue
            if given:
                _play_seat(lines, socket, given)
    except ConnectionLost as lost:
        lines.print_lines([str(lost)])
        return 1
    return 0


def _answer(request: Callable[[str], str], words: str) -> list[str]:
    """Carry out a command for notifications or the club; return the answer or the refusal in lines."""
    try:
        return request(words.strip()).splitlines()
    except Refusal as refusal:
        return refusal.message.splitlines()


def _print_choices(lines: LineTerminal, row: LobbyRow) -> list[LobbyRow]:
    """Print the choices of a line of the lobby, and return them."""
    lines.print_lines([f"{row.table.name if row.table else row.text}. An empty line goes back."])
    lines.print_lines([f"{n}. {choice.text}" for n, choice in enumerate(row.choices, 1)])
    return list(row.choices)


def _print_lobby(lines: LineTerminal, lobby: LobbyClient, wanted: str) -> list[LobbyRow]:
    """Print the lobby, and return its numbered lines. Args: the search words, "" for all games."""
    there, now = lobby.look(), datetime.now(UTC)
    all_rows = lobby_rows(there, now, wanted)
    out = [f"The lobby: games with \"{wanted}\". '/' alone shows all." if wanted else "The lobby."]
    for row in all_rows:
        if row.table is not None and (row.waits or row.way == "none" or len(there.tables) <= FEW_GAMES):
            out += game_details(row.table, now)
    found = [row for row in all_rows if row.way != "none"]
    lines.print_lines([*out, *(f"{n}. {row.text}" for n, row in enumerate(found, 1))])
    return found


def _choose_ticket(lines: LineTerminal, lobby: LobbyClient, row: LobbyRow) -> str:
    """Return the ticket of a line of the lobby, "" for none. Raises: Refusal, ConnectionLost."""
    game = row.table.name if row.table else ""
    if row.way == "sit":
        return lobby.sit(game, row.seat)
    if row.way == "take":
        return lobby.take(game, row.seat)
    if row.way == "watch":
        return lobby.watch(game)
    if row.way == "code":
        lines.write("Your invitation code? ")
        code = lines.line().strip()
        return lobby.redeem(code) if code else ""
    return _open_game(lines, lobby) if row.way == "open" else ""


def _open_game(lines: LineTerminal, lobby: LobbyClient) -> str:
    """Open a game; return its ticket, "" if the player cancels. Raises: Refusal, ConnectionLost."""
    lines.write("Name of the game? ")
    name = lines.line().strip()
    scenarios = hosted_scenarios()
    lines.write(f"Number of players, 4 to 8, or a scenario ({', '.join(scenarios)})? ")
    count = lines.line().strip()
    if not name or count not in ("4", "5", "6", "7", "8", *scenarios):
        lines.print_lines(["No game was opened: enter a name, and 4 to 8 players or a scenario."])
        return ""
    tables = load_tables()
    seats = scenarios[count].free_seats if count in scenarios else seats_for(int(count))
    lines.print_lines([f"{n}. {power_name(tables, seat)}" for n, seat in enumerate(seats, 1)])
    lines.write("Number of your seat? ")
    number = lines.line().strip()
    if not number.isdecimal() or not 1 <= int(number[:3]) <= len(seats):
        lines.print_lines(["No game was opened: the list has no such number."])
        return ""
    return lobby.open(name, count, seats[int(number) - 1])


def _lines_at_the_terminal() -> None:
    """Set the terminal to line input with echo."""
    sys.stdout.flush()
    with suppress(termios.error):
        modes = termios.tcgetattr(0)
        modes[0] |= termios.ICRNL
        modes[1] |= termios.OPOST | termios.ONLCR
        modes[3] |= termios.ECHO | termios.ECHOE | termios.ECHOK | termios.ICANON
        modes[6][termios.VEOF] = b"\x04"
        modes[6][termios.VEOL] = CTRL_C  # ends a line at once, without a signal
        modes[6][termios.VERASE] = b"\x7f"
        termios.tcsetattr(0, termios.TCSANOW, modes)
