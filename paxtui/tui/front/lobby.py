"""The lobby of a kept house: the games that concern a visitor, and his ways to a seat."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import ClassVar, Protocol

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.pax.position.setup import seats_for
from paxtui.pax.words.spoken import power_name
from paxtui.table.games.kept import Lobby
from paxtui.table.games.lobby_words import Row, about, rows
from paxtui.table.tables import load_tables
from paxtui.tui.boxes.ask import AskScreen
from paxtui.tui.boxes.pick import PickScreen
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxScreen

AGAIN = 5.0
"""Seconds between two looks at what the others do."""

TITLE = """P A X   B R I T A N N I C A

the lobby"""

COUNTS = (4, 5, 6, 7, 8)


class Desk(Protocol):
    """Where a visitor asks; each of these but `look` gives a ticket. Raises: Refusal; OSError where nobody answers."""

    def look(self) -> Lobby:
        """What there is."""

    def sit(self, game: str, seat: str) -> str:
        """Sit down at a seat of his."""

    def take(self, game: str, seat: str) -> str:
        """Take a seat that is free."""

    def watch(self, game: str) -> str:
        """Look on."""

    def redeem(self, code: str) -> str:
        """Take the seat of an invitation."""

    def open(self, name: str, players: int, seat: str) -> str:
        """Open a game."""


class LobbyScreen(PaxScreen[None]):
    """Where to sit down.

    Args: where the visitor asks; the time.
    """

    TOPIC = "lobby"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "code", "Code", id="lobby.code", tooltip="Take the seat of an invitation"),
        Binding("o", "open", "Open a game", id="lobby.open", tooltip="Open a new game in this house"),
        Binding("slash", "search", "Search", id="lobby.search", tooltip="Show only the games that match"),
        Binding("r", "again", "Look again", id="lobby.again", tooltip="Look again what the others do"),
        Binding("q,escape", "leave", "Leave", id="lobby.leave", tooltip="Leave the house"),
    ]

    class Seated(Message):
        """A ticket for a seat."""

        def __init__(self, ticket: str) -> None:
            super().__init__()
            self.ticket = ticket

    class Left(Message):
        """The visitor goes."""

    def __init__(self, desk: Desk, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__()
        self._desk, self._now = desk, now
        self._lobby = Lobby()
        self._rows: list[Row] = []
        self._wanted = ""
        self._tables = load_tables()

    def compose(self) -> ComposeResult:
        """Title, list, what there is to know of the game under the cursor."""
        with Vertical(classes="box", id="lobby-box"):
            yield Prose(TITLE, classes="title", id="lobby-title")
            yield Rows(id="lobby-rows")
            yield Prose(id="lobby-about", classes="note")
            told = "Enter go · {lobby.search} search · {lobby.code} code · {lobby.again} refresh · {lobby.leave} leave"
            yield Prose(self.keyed(told), classes="note")

    def on_mount(self) -> None:
        """Look around."""
        self.set_focus(self.query_one(Rows))
        self.action_again()
        self.set_interval(AGAIN, self._look)

    def on_screen_resume(self) -> None:
        """Back from a game: others have acted meanwhile."""
        self._look()

    def action_again(self) -> None:
        """Look again, and say it."""
        self._tried(self._look_at_it)

    def _look(self) -> None:
        if self.is_current:
            self._tried(self._look_at_it)

    def _look_at_it(self) -> None:
        self._lobby = self._desk.look()
        found = rows(self._tables, self._lobby, self._now(), self._wanted)
        if found == self._rows:
            self._tell()
            return
        self._rows = found
        lines, look = self.query_one(Rows), self.look
        at = lines.highlighted or 0
        lines.clear_options()
        for n, row in enumerate(found):
            text = Text(no_wrap=True, overflow="ellipsis")
            text.append(row.text, f"{look.key} bold" if row.waits else "")
            lines.add_option(Option(look.signs(text), id=str(n)))
        lines.highlighted = min(at, len(found) - 1)
        who = f" of {self._lobby.name}" if self._lobby.name else ""
        search = f' · games with "{self._wanted}"' if self._wanted else ""
        self.query_one("#lobby-title", Prose).update(look.palette.text(TITLE + who + search))
        self._tell()

    def _tell(self) -> None:
        at = self.query_one(Rows).highlighted
        table = self._rows[at].table if at is not None and at < len(self._rows) else None
        lines = about(self._tables, table, self._now()) if table else [""]
        self.query_one("#lobby-about", Prose).update(self.look.signs(Text("\n".join(lines))))

    def restyle(self) -> None:
        """Other colours."""
        self._rows = []
        self._look()

    @on(Rows.OptionHighlighted)
    def _highlighted(self) -> None:
        self._tell()

    @on(Rows.OptionSelected)
    def _chosen(self, event: Rows.OptionSelected) -> None:
        self._follow(self._rows[event.option_index])

    def _follow(self, row: Row) -> None:
        """Do what a line of the lobby says."""
        desk = self._desk
        game, seat = row.table.name if row.table else "", row.seat
        if row.way == "sit":
            self._go(lambda: desk.sit(game, seat))
        elif row.way == "take":
            self._go(lambda: desk.take(game, seat))
        elif row.way == "watch":
            self._go(lambda: desk.watch(game))
        elif row.way == "choose":
            self._choose(row)
        elif row.way == "code":
            self.action_code()
        elif row.way == "open":
            self.action_open()
        elif row.way == "leave":
            self.action_leave()

    def _choose(self, row: Row) -> None:
        """Let the visitor choose one of several seats or games."""

        def chosen(number: int | None) -> None:
            if number is not None:
                self._follow(row.choices[number])

        title = row.table.name if row.table else row.text
        self.app.push_screen(PickScreen(title, [choice.text for choice in row.choices]), chosen)

    def action_search(self) -> None:
        """Ask for words, and show only the games in which they occur; an empty answer shows all."""

        def given(words: str | None) -> None:
            if words is not None:
                self._wanted = words.strip()
                self.query_one(Rows).highlighted = 0
                self._look()

        self.app.push_screen(AskScreen("Search games", self._wanted, hint="a name, a Power, a player"), given)

    def _go(self, ticket: Callable[[], str]) -> None:
        """Go where a ticket leads, if there is one."""
        self._tried(lambda: self.post_message(self.Seated(ticket())))

    def _tried(self, act: Callable[[], object]) -> bool:
        """Ask for something; what stands in its way is said."""
        try:
            act()
        except Refusal as refusal:
            self.notify(refusal.message, severity="warning", timeout=6)
        except OSError as error:
            self.notify(f"{error.strerror or error} Try again in a moment.", severity="error", timeout=4)
        else:
            return True
        return False

    def action_code(self) -> None:
        """Take the seat of an invitation."""

        def given(code: str | None) -> None:
            if code:
                self._go(lambda: self._desk.redeem(code))

        self.app.push_screen(AskScreen("Your code of invitation", hint="ABCD-EFGH-JKLM"), given)

    def action_open(self) -> None:
        """Open a game: its name, how many play, his own seat."""
        if not self._lobby.opens:
            self.notify("Games are opened by the host of this house.", timeout=4)
            return

        def named(name: str | None) -> None:
            if name:
                self.app.push_screen(PickScreen("How many play?", [f"{n} players" for n in COUNTS]), counted(name))

        def counted(name: str) -> Callable[[int | None], None]:
            def done(number: int | None) -> None:
                if number is not None:
                    seats = seats_for(COUNTS[number])
                    titles = [power_name(self._tables, seat) for seat in seats]
                    self.app.push_screen(PickScreen("Which Power is yours?", titles), seated(name, COUNTS[number]))

            return done

        def seated(name: str, players: int) -> Callable[[int | None], None]:
            def done(number: int | None) -> None:
                if number is not None:
                    self._go(lambda: self._desk.open(name, players, seats_for(players)[number]))

            return done

        self.app.push_screen(AskScreen("What is the game called?"), named)

    def action_leave(self) -> None:
        """Leave the house."""
        self.post_message(self.Left())
