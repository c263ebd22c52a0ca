"""Hosting a saved game: the house is opened, and the line and the code for each friend are shown, ready to copy."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.pax.words.spoken import power_name
from paxtui.table.tables import load_tables
from paxtui.tui.stage.prose import Prose, Rows
from paxtui.tui.stage.screen import PaxOverlay


class Offer(NamedTuple):
    """A seat of a hosted game.

    Attributes:
        seat: which.
        code: what its player types once; "" where there is none to be told.
        holder: who sits there, or that it has been offered already; "" for nobody.
    """

    seat: str
    code: str = ""
    holder: str = ""


class Hosted(NamedTuple):
    """A game that is open for friends.

    Attributes:
        game: what it is called in the house.
        line: what a friend types.
        fingerprint: the key of the house, for a friend to compare.
        offers: its seats.
    """

    game: str
    line: str
    fingerprint: str
    offers: tuple[Offer, ...]


class Keeper(Protocol):
    """Keeps the player's house. Everything may take some seconds. Raises: Refusal, OSError, each with a sentence."""

    def missing(self) -> str:
        """What is missing on this machine, in a sentence; "" for nothing."""

    def host(self, path: Path) -> Hosted:
        """Move a saved game into the house, and open that where it is not open yet."""

    def offer(self, game: str, seat: str) -> str:
        """A new code for a seat; an earlier one is no longer good."""

    def close(self) -> None:
        """Close the house; nothing is lost."""


class HostScreen(PaxOverlay[None]):
    """A game that is open for friends.

    Args: who keeps the house; the log of the game.
    """

    TOPIC = "hosting"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Back", id="hosting.close", tooltip="Back; the house stays open"),
        Binding("p", "play", "Sit down", id="hosting.play", tooltip="Sit down at a seat of yours"),
        Binding("i", "invite", "New code", id="hosting.invite", tooltip="A new code for the seat under the cursor"),
        Binding("X", "shut", "Close the house", id="hosting.shut", tooltip="Close the house; nothing is lost"),
    ]

    class Enters(Message):
        """The host wants to sit down himself."""

    def __init__(self, keeper: Keeper, path: Path) -> None:
        super().__init__()
        self._keeper, self._path = keeper, path
        self._hosted: Hosted | None = None
        self._offers: list[Offer] = []
        self._tables = load_tables()

    def compose(self) -> ComposeResult:
        """What a friend types, the seats with their codes."""
        with Vertical(classes="box", id="hosting-box"):
            yield Prose("Host this game", classes="title")
            yield Prose("The house is being opened…", id="hosting-line")
            yield Rows(id="hosting-seats")
            told = (
                "Enter copies what a friend needs · {hosting.invite} new code · {hosting.play} sit down yourself · "
                "{hosting.shut} close the house · {hosting.close} back"
            )
            yield Prose(self.keyed(told), classes="note")

    def on_mount(self) -> None:
        """Open the house, while the screen goes on."""
        self.set_focus(self.query_one(Rows))
        missing = self._keeper.missing()
        if missing:
            self._say(missing)
        else:
            self.run_worker(self._open, thread=True, group="house")

    def _open(self) -> None:
        try:
            hosted = self._keeper.host(self._path)
        except (Refusal, OSError) as error:
            text = error.message if isinstance(error, Refusal) else str(error)
            self.app.call_from_thread(self._say, text)
        else:
            self.app.call_from_thread(self._show, hosted)

    def _say(self, text: str) -> None:
        """Say why it could not be done."""
        if self.is_attached:
            self.query_one("#hosting-line", Prose).update(Text(text, self.look.alarm))

    def _show(self, hosted: Hosted) -> None:
        if not self.is_attached:
            return
        self._hosted, self._offers = hosted, list(hosted.offers)
        text = Text("Your friends need an SSH client and a key, and type\n\n    ")
        text.append(hosted.line, "bold")
        text.append("\n\nand once the code of their seat. The key of the house, to compare:\n    ")
        text.append(hosted.fingerprint, self.look.faint)
        text.append("\n\nIt stays open when you leave. Who reads its disk knows every secret.\n")
        self.query_one("#hosting-line", Prose).update(text)
        self._fill()

    def _fill(self) -> None:
        rows = self.query_one(Rows)
        at = rows.highlighted or 0
        rows.clear_options()
        for n, offer in enumerate(self._offers):
            text = Text(f"{power_name(self._tables, offer.seat):<18}", no_wrap=True, overflow="ellipsis")
            text.append(offer.code or offer.holder, self.look.key if offer.code else self.look.faint)
            rows.add_option(Option(text, id=str(n)))
        rows.highlighted = min(at, len(self._offers) - 1) if self._offers else None

    @on(Rows.OptionSelected)
    def _copy(self, event: Rows.OptionSelected) -> None:
        """Copy what the friend at a seat needs."""
        offer, hosted = self._offers[event.option_index], self._hosted
        if hosted is None or not offer.code:
            key = self.keyed("{hosting.invite}")
            self.notify(f"There is no code to copy for this seat: {key} makes one.", timeout=4)
            return
        name = power_name(self._tables, offer.seat)
        self.app.copy_to_clipboard(
            f"Pax Britannica, {hosted.game}: you are {name}.\n{hosted.line}\n"
            f"Your code, once: {offer.code}\nThe key of the house: {hosted.fingerprint}\n"
        )
        self.notify(f"What {name} needs is in the clipboard.", timeout=3)

    def action_invite(self) -> None:
        """A new code for the seat under the cursor."""
        at, hosted = self.query_one(Rows).highlighted, self._hosted
        if at is None or hosted is None:
            return
        seat = self._offers[at].seat
        try:
            self._offers[at] = Offer(seat, self._keeper.offer(hosted.game, seat))
        except (Refusal, OSError) as error:
            self.notify(error.message if isinstance(error, Refusal) else str(error), severity="warning", timeout=6)
        else:
            self._fill()

    def action_play(self) -> None:
        """Sit down oneself."""
        if self._hosted is not None:
            self.post_message(self.Enters())

    def action_shut(self) -> None:
        """Close the house."""
        try:
            self._keeper.close()
        except (Refusal, OSError) as error:
            self.notify(error.message if isinstance(error, Refusal) else str(error), severity="warning", timeout=6)
        else:
            self.app.notify("The house is closed; its games are where they were left.", timeout=6)
            self.dismiss(None)

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)
