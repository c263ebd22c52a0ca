"""The screens for hosting a saved game and for the lobby of a server, with the protocols that they call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol, TypeVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.text.display import power_name
from paxtui.session.lobby import LobbyRow, LobbyView, game_details, lobby_rows
from paxtui.session.tables.loader import load_tables
from paxtui.session.tables.scenarios import hosted_scenarios
from paxtui.tui.base.dialogs import InputDialog, PickDialog, TextDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import BaseScreen, ChoiceList, ModalDialog, PlainText
from paxtui.tui.rendering.key_queue import AWAITED_GROUP, BACKGROUND_GROUP

T = TypeVar("T")


class SeatInvitation(NamedTuple):
    """A seat of a hosted game.

    Attributes:
        seat: id of the Power.
        code: invitation code, valid once; "" if none can be shown.
        holder: name of the player, or a note that the seat is already offered; "" if it is free.
    """

    seat: str
    code: str = ""
    holder: str = ""


class HostingInfo(NamedTuple):
    """A game that the server hosts.

    Attributes:
        game: name of the game on the server.
        line: command that players type to connect.
        fingerprint: fingerprint of the server's host key.
        offers: seats of the game.
        web: address for browsers, "" for none.
    """

    game: str
    line: str
    fingerprint: str
    offers: tuple[SeatInvitation, ...]
    web: str = ""

    def link(self, code: str) -> str:
        """Return the link with an invitation code, which works once."""
        return f"{self.web}/join#{code}"


class HostingService(Protocol):
    """Runs the player's own server. Calls can take several seconds.

    Raises: Refusal, OSError, each with a message for the player.
    """

    def missing(self) -> str:
        """Return a sentence that names what this machine lacks; "" if hosting is possible."""

    def host(self, path: Path) -> HostingInfo:
        """Move a saved game to the server, and start the server if it does not run."""

    def offer(self, game: str, seat: str) -> str:
        """Return a new invitation code for a seat. Earlier codes of the seat become invalid."""

    def close(self) -> None:
        """Stop the server. Its games are kept."""


class HostScreen(ModalDialog[None]):
    """A game that is open for friends."""

    TOPIC = "hosting"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("hosting.close", "escape,q", "close", "Back", "Back; the server keeps running"),
        bind("hosting.play", "p", "play", "Take the seat", "Play a seat of yours"),
        bind("hosting.invite", "i", "invite", "New code", "New code for the selected seat"),
        bind("hosting.shut", "X", "shut", "Stop the server", "Stop the server; everything is saved"),
    ]

    class Enters(Message):
        """The host opens the lobby to play."""

    def __init__(self, service: HostingService, path: Path) -> None:
        super().__init__()
        self._service, self._path = service, path
        self._hosted: HostingInfo | None = None
        self._offers: list[SeatInvitation] = []
        self._tables = load_tables()

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="hosting-box"):
            yield PlainText("Host this game", classes="title")
            yield PlainText("Starting the server…", id="hosting-line")
            yield ChoiceList(id="hosting-seats")
            keys = (
                "Enter copy the invitation · {hosting.invite} new code · {hosting.play} play · "
                "{hosting.shut} stop the server · {hosting.close} back"
            )
            yield PlainText(self.format_keys(keys), classes="note")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(ChoiceList))
        missing = self._service.missing()
        if missing:
            self._write_message(missing)
        else:
            self.run_worker(self._open, thread=True, group="house")

    def _open(self) -> None:
        try:
            hosted = self._service.host(self._path)
        except (Refusal, OSError) as error:
            text = str(error)
            self.app.call_from_thread(self._write_message, text)
        else:
            self.app.call_from_thread(self._show, hosted)

    def _write_message(self, text: str) -> None:
        if self.is_attached:
            self.query_one("#hosting-line", PlainText).update(Text(text, self.look.alarm))

    def _show(self, hosted: HostingInfo) -> None:
        if not self.is_attached:
            return
        self._hosted, self._offers = hosted, list(hosted.offers)
        text = Text()
        if hosted.web:
            text.append("Your friends open the link of their seat, which Enter copies:\n    ")
            text.append(f"{hosted.web}/join#...", "bold")
            text.append("\nor, with an SSH client and a key, type\n    ")
        else:
            text.append("Your friends need an SSH client and a key, and type\n    ")
        text.append(hosted.line, "bold")
        text.append("\nand, the first time, the code of their seat. Fingerprint of the server key:\n    ")
        text.append(hosted.fingerprint, self.look.faint)
        text.append("\nThe server keeps running when you leave. Anybody who can read its disk can read all secrets.\n")
        self.query_one("#hosting-line", PlainText).update(text)
        self._fill()

    def _fill(self) -> None:
        rows, options = self.query_one(ChoiceList), []
        for offer in self._offers:
            whose = (offer.code, self.look.key) if offer.code else (offer.holder, self.look.faint)
            options.append(Option(self.look.line(f"{power_name(self._tables, offer.seat):<18}", whose)))
        rows.refill(options, rows.highlighted or 0)

    @on(ChoiceList.OptionSelected)
    def _copy(self, event: ChoiceList.OptionSelected) -> None:
        """Copy link, connection command, code and fingerprint for a seat to the clipboard."""
        offer, hosted = self._offers[event.option_index], self._hosted
        if hosted is None or not offer.code:
            key = self.format_keys("{hosting.invite}")
            self.notify(f"This seat has no code to copy. {key} makes one.", timeout=4)
            return
        name = power_name(self._tables, offer.seat)
        browser = f"In a browser: {hosted.link(offer.code)}\nOr over SSH: " if hosted.web else ""
        self.app.copy_to_clipboard(
            f"{hosted.game}: you are {name}.\n{browser}{hosted.line}\n"
            f"Your code (valid once): {offer.code}\nFingerprint of the server key: {hosted.fingerprint}\n"
        )
        self.notify(f"The invitation for {name} is in the clipboard.", timeout=3)

    def action_invite(self) -> None:
        at, hosted = self.query_one(ChoiceList).highlighted, self._hosted
        if at is None or hosted is None:
            return
        seat = self._offers[at].seat
        try:
            self._offers[at] = SeatInvitation(seat, self._service.offer(hosted.game, seat))
        except (Refusal, OSError) as error:
            self.notify(str(error), severity="warning", timeout=6)
        else:
            self._fill()

    def action_play(self) -> None:
        if self._hosted is not None:
            self.post_message(self.Enters())

    def action_shut(self) -> None:
        try:
            self._service.close()
        except (Refusal, OSError) as error:
            self.notify(str(error), severity="warning", timeout=6)
        else:
            self.app.notify("The server has stopped. Its games are saved.", timeout=6)
            self.dismiss(None)


REFRESH_S = 5.0
"""Interval between two queries of the lobby, in seconds."""

TITLE = """P A X   B R I T A N N I C A

the lobby"""

COUNT_WORDS = (4, 5, 6, 7, 8)


NOTIFICATION_ROWS = {
    "Webhook": ("webhook", "The URL of a webhook, or off", "https://ntfy.sh/my-topic"),
    "E-mail": ("email", "Your e-mail address, or off", "ann@example.org"),
    "Type the code from the e-mail": ("confirm", "The code from the e-mail", "123456"),
    "Quiet hours": ("quiet", "Quiet hours, or off", "22:00-07:00 Europe/Paris"),
    "Only while I am not connected": ("when away", "", ""),
    "Also while I am connected": ("when always", "", ""),
    "Send a test message": ("test", "", ""),
    "Delete these settings": ("off", "", ""),
}
"""Row of the notification settings -> command, question for its value, example."""


CLUB_ROWS = {
    "Your profile": ("profile", ""),
    "Ratings": ("ratings", ""),
    "Standings of the season": ("season", ""),
    "Profile of a player": ("profile", "The name of the player or bot"),
    "Mark a favourite, or remove the mark": ("favourite", "The name of the player or bot"),
    "Follow a game or a player, or stop": ("follow", "The name of the game, player or bot"),
    "Open a table with conditions": ("table", "friday: 7 france each 1d in-time 90 unrated"),
    "Rematch: the same players, each with the next Power": ("rematch", "The name of the finished game"),
    "Export everything that the club knows about you": ("export", ""),
    "Delete your name, keys and settings": ("delete", "Your name, to confirm"),
}
"""Row of the club -> request, question for the rest of the request."""


class LobbyClient(Protocol):
    """Queries and requests of the lobby. Every method but `look` returns a ticket for a seat.

    Raises: Refusal; OSError if the server does not respond.
    """

    def look(self) -> LobbyView:
        """Return the games of the server."""

    def sit(self, game: str, seat: str) -> str:
        """Join the game at a seat that already belongs to the visitor."""

    def take(self, game: str, seat: str) -> str:
        """Take a free seat."""

    def watch(self, game: str) -> str:
        """Join a game as an observer."""

    def redeem(self, code: str) -> str:
        """Use an invitation code."""

    def open(self, name: str, players: int | str, seat: str) -> str:
        """Create a game."""

    def notify(self, words: str) -> str:
        """Carry out a command for the visitor's notifications; return the answer, not a ticket."""

    def club(self, words: str) -> str:
        """Carry out a request to the club; return the answer, not a ticket."""


class LobbyScreen(BaseScreen[None]):
    """The list of the games and seats on a server."""

    TOPIC = "lobby"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("lobby.code", "c", "code", "Code", "Use an invitation code"),
        bind("lobby.open", "o", "open", "Open a game", "Open a new game on this server"),
        bind("lobby.search", "slash", "search", "Search", "Show only the games that match"),
        bind("lobby.notify", "n", "notifications", "Notifications", "How you are told that you must act"),
        bind("lobby.club", "p", "club", "Club", "Your profile, ratings, seasons, favourites, a rematch"),
        bind("lobby.again", "r", "again", "Refresh", "Refresh"),
        bind("lobby.leave", "q,escape", "leave", "Leave", "Leave the server"),
    ]

    class TicketReceived(Message):
        """The visitor has a ticket for a seat."""

        def __init__(self, ticket: str) -> None:
            super().__init__()
            self.ticket = ticket

    class Left(Message):
        """The visitor leaves the server."""

    def __init__(self, client: LobbyClient) -> None:
        super().__init__()
        self._client = client
        self._lobby = LobbyView()
        self._rows: list[LobbyRow] = []
        self._wanted = ""
        self._tables = load_tables()
        self._request = asyncio.Lock()  # the requests to the server come one after the other

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="lobby-box"):
            yield PlainText(TITLE, classes="title", id="lobby-title")
            yield ChoiceList(id="lobby-rows")
            yield PlainText(id="lobby-about", classes="note")
            keys = "Enter go · {lobby.search} search · {lobby.code} code · {lobby.notify} notify · {lobby.club} club · "
            keys += "{lobby.again} refresh · {lobby.leave} leave"
            yield PlainText(self.format_keys(keys), classes="note")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(ChoiceList))
        self._look()
        self.set_interval(REFRESH_S, self._look)

    def on_screen_resume(self) -> None:
        """Refresh after a game: its state has changed."""
        self._look()

    def action_again(self) -> None:
        self._ask(self._client.look, self._show)

    def _look(self) -> None:
        """Refresh the list in the background."""
        if self.is_current and not self._request.locked():
            self._ask(self._client.look, self._show, BACKGROUND_GROUP)

    def _show(self, view: LobbyView) -> None:
        """List the games."""
        self._lobby = view
        found = lobby_rows(self._lobby, datetime.now(UTC), self._wanted)
        if found == self._rows:
            self._tell()
            return
        self._rows = found
        rows, look = self.query_one(ChoiceList), self.look
        lines = (look.line((row.text, f"{look.key} bold" if row.waits else "")) for row in found)
        rows.refill(map(Option, lines), rows.highlighted or 0)
        who = f" of {self._lobby.name}" if self._lobby.name else ""
        search = f' · games with "{self._wanted}"' if self._wanted else ""
        self.query_one("#lobby-title", PlainText).update(look.palette.text(TITLE + who + search))
        self._tell()

    def _tell(self) -> None:
        at = self.query_one(ChoiceList).highlighted
        table = self._rows[at].table if at is not None and at < len(self._rows) else None
        lines = game_details(table, datetime.now(UTC)) if table else [""]
        self.query_one("#lobby-about", PlainText).update(self.look.signs(Text("\n".join(lines))))

    def restyle(self) -> None:
        self._rows = []
        self._show(self._lobby)

    @on(ChoiceList.OptionHighlighted)
    def _highlighted(self) -> None:
        self._tell()

    @on(ChoiceList.OptionSelected)
    def _chosen(self, event: ChoiceList.OptionSelected) -> None:
        self._follow(self._rows[event.option_index])

    def _follow(self, row: LobbyRow) -> None:
        client = self._client
        game, seat = row.table.name if row.table else "", row.seat
        if row.way == "sit":
            self._go(lambda: client.sit(game, seat))
        elif row.way == "take":
            self._go(lambda: client.take(game, seat))
        elif row.way == "watch":
            self._go(lambda: client.watch(game))
        elif row.way == "choose":
            self._choose(row)
        elif row.way == "code":
            self.action_code()
        elif row.way == "open":
            self.action_open()
        elif row.way == "leave":
            self.action_leave()

    def _choose(self, row: LobbyRow) -> None:
        """Ask for one of several seats or games."""
        title = row.table.name if row.table else row.text
        dialog = PickDialog(title, [choice.text for choice in row.choices])
        self.app.ask(dialog, lambda number: self._follow(row.choices[number]))

    def action_search(self) -> None:
        """Ask for search words and list only the games that match. An empty answer lists all."""

        def given(words: str) -> None:
            self._wanted = words.strip()
            self.query_one(ChoiceList).highlighted = 0
            self._look()

        self.app.ask(InputDialog("Search games", self._wanted, hint="a name, a Power, a player"), given)

    def _go(self, ticket: Callable[[], str]) -> None:
        self._ask(ticket, lambda found: self.post_message(self.TicketReceived(found)))

    def _ask(self, request: Callable[[], T], then: Callable[[T], object], group: str = AWAITED_GROUP) -> None:
        """Ask the server in a thread, so that the screen stays responsive.

        Args: the request; called with the answer; the worker group: keys wait for `AWAITED_GROUP`.
        """
        self.run_worker(self._answer(request, then), group=group)

    async def _answer(self, request: Callable[[], T], then: Callable[[T], object]) -> None:
        try:
            async with self._request:
                answer = await asyncio.to_thread(request)
        except Refusal as refusal:
            self.notify(refusal.message, severity="warning", timeout=6)
        except OSError as error:
            self.notify(f"{error.strerror or error} Try again in a moment.", severity="error", timeout=4)
        else:
            if self.is_attached:
                then(answer)

    def action_code(self) -> None:
        def given(code: str) -> None:
            if code:
                self._go(lambda: self._client.redeem(code))

        self.app.ask(InputDialog("Your invitation code", hint="ABCD-EFGH-JKLM"), given)

    def action_notifications(self) -> None:
        """Show the notification settings, and change them."""

        def send(words: str) -> None:
            self._ask(lambda: self._client.notify(words), done)

        def done(answer: str) -> None:
            if "\n" not in answer:
                self.notify(answer, timeout=8)
            show_again()

        def show(settings: str) -> None:
            rows = [*NOTIFICATION_ROWS]
            self.app.ask(PickDialog("Notifications", rows, more=[settings] * len(rows)), chosen)

        def chosen(row: int) -> None:
            command, title, hint = list(NOTIFICATION_ROWS.values())[row]
            if not title:
                send(command)
                return
            dialog = InputDialog(title, hint=hint)
            self.app.push_screen(dialog, lambda words: send(f"{command} {words}") if words else show_again())

        def show_again() -> None:
            self._ask(lambda: self._client.notify(""), show)

        show_again()

    def action_club(self) -> None:
        """Show the list of requests to the club, then the answer."""

        def send(words: str) -> None:
            self._ask(lambda: self._client.club(words), show)

        def show(answer: str) -> None:
            self.app.push_screen(TextDialog("Club", Text(self.look.palette.text(answer))), again)

        def again(closed: None = None) -> None:
            self.app.ask(PickDialog("Club", [*CLUB_ROWS]), chosen)

        def chosen(row: int) -> None:
            request, question = list(CLUB_ROWS.values())[row]
            if not question:
                send(request)
            else:
                dialog = InputDialog(question)
                self.app.push_screen(dialog, lambda words: send(f"{request} {words}") if words else again())

        again()

    def action_open(self) -> None:
        """Ask for name, number of players and own seat, and create the game."""
        if not self._lobby.opens:
            self.notify("Only the host of this server can open games.", timeout=4)
            return

        scenarios = hosted_scenarios()
        seats_of: dict[int | str, tuple[str, ...]] = {n: seats_for(n) for n in COUNT_WORDS}
        seats_of |= {name: one.free_seats for name, one in scenarios.items()}

        def ask_players(name: str) -> None:
            if name:
                lines = [f"{n} players" for n in COUNT_WORDS] + [f"{s.title}: {s.about}" for s in scenarios.values()]
                self.app.ask(PickDialog("How many play?", lines), lambda row: ask_seat(name, list(seats_of)[row]))

        def ask_seat(name: str, players: int | str) -> None:
            seats = seats_of[players]
            dialog = PickDialog("Which Power do you play?", [power_name(self._tables, seat) for seat in seats])
            self.app.ask(dialog, lambda row: self._go(lambda: self._client.open(name, players, seats[row])))

        self.app.ask(InputDialog("Name of the game?"), ask_players)

    def action_leave(self) -> None:
        self.post_message(self.Left())
