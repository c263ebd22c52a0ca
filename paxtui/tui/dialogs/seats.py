"""The seats dialog (player, bot or nobody), and the card and privacy screen between two players.

Space confirms the handover, not Enter: a held Enter would confirm for the next player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widget import Widget

from paxtui.bots.pax.profiles import LEVEL_SUMMARIES, LEVELS, TEMPERS
from paxtui.engine.seating import PERSON, BotTemper, SeatOccupant, occupant_label
from paxtui.games.pax.text.display import power_name
from paxtui.session.session import Session
from paxtui.tui.base.app import BaseApp
from paxtui.tui.base.dialogs import ListDialog, PickDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import ModalDialog, PlainText, next_in_circle
from paxtui.tui.rendering.key_queue import DebouncedScreen

RIVAL = SeatOccupant(by="bot", level="normal")
"""Default opponent of a single player."""
STEADY = SeatOccupant(by="bot", level="steady")
CARETAKER = SeatOccupant(by="bot", level="caretaker")
OCCUPANTS = (PERSON, RIVAL, STEADY, CARETAKER, SeatOccupant(by="nobody"))
"""Possible occupants of a seat, in selection order."""
ANY_TEMPER: tuple[BotTemper, ...] = ("", *TEMPERS)


def rival_of_level(level: str) -> SeatOccupant:
    """Return the statesman of a level, `RIVAL` for any other word."""
    return next((replace(RIVAL, level=known) for known in LEVELS if known == level), RIVAL)


def ask_rival_level(app: BaseApp, then: Callable[[], None], summaries: Mapping[str, str] = LEVEL_SUMMARIES) -> None:
    """Ask for the level of the rivals, unless the settings have it, and store it there.

    Args: the app; what follows; the levels, each with how it plays.
    """
    if app.settings.rivals != "asked":
        then()
        return
    levels = list(summaries)

    def chosen(number: int) -> None:
        app.settings = replace(app.settings, rivals=levels[number])
        then()

    title = "How well do your rivals play? The settings (F4) keep the answer."
    app.ask(PickDialog(title, levels, levels.index("normal"), tuple(summaries.values())), chosen)


def next_occupant(occupant: SeatOccupant, step: int) -> SeatOccupant:
    """Return the next occupant in selection order."""
    return next_in_circle(OCCUPANTS, RIVAL if occupant.level in LEVELS else occupant, step)


def next_level(occupant: SeatOccupant) -> SeatOccupant:
    """Return a statesman with the next skill level; other occupants are unchanged."""
    if occupant.level not in LEVELS:
        return occupant
    return replace(occupant, level=next_in_circle(LEVELS, occupant.level))


def next_temper(occupant: SeatOccupant) -> SeatOccupant:
    """Return a statesman with the next temper or none; other occupants are unchanged."""
    if occupant.level not in LEVELS:
        return occupant
    return replace(occupant, temper=next_in_circle(ANY_TEMPER, occupant.temper))


class SeatsDialog(ListDialog[dict[str, SeatOccupant] | None]):
    """Assign players, bots or nobody to seats; return the changed seats.

    Args:
        session: the open game.
        heading: the title.
        seated: the occupants that are suggested; those of the game by default.
        may_watch: whether bots may have all seats; by default if they run here.
    """

    TOPIC = "sitters"
    list_id = "sitters"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("sitters.close", "escape,q", "close", "Close", "Cancel"),
        bind("sitters.next", "right", "change(1)", "Next", "Next occupant"),
        bind("sitters.previous", "left", "change(-1)", "Previous", "Previous occupant"),
        bind("sitters.level", "l", "level", "Level", "How well the statesman plays"),
        bind("sitters.temper", "t", "temper", "Temper", "How the statesman treats its neighbours"),
        bind("sitters.done", "f10", "done", "Done", "Confirm"),
    ]

    def __init__(
        self,
        session: Session,
        heading: str = "Who sits where",
        seated: Mapping[str, SeatOccupant] | None = None,
        may_watch: bool | None = None,
    ) -> None:
        super().__init__()
        self.title_text = heading
        self._tables, self._seats = session.tables, session.live.players
        self._before = dict(seated) if seated else {seat: session.seats.occupant(seat) for seat in self._seats}
        self._after = dict(self._before)
        self._may_watch = session.bots.runs_here if may_watch is None else may_watch

    def notes(self) -> Iterable[Widget]:
        return [
            PlainText("A statesman plays to win, a steady bot trades.", classes="note"),
            PlainText("A caretaker keeps its possessions, an empty seat does nothing.", classes="note"),
        ]

    def hints(self) -> str:
        how = "Enter or {sitters.previous} {sitters.next} who · {sitters.level} level · {sitters.temper} temper"
        return how + " · {sitters.done} confirm · {sitters.close} cancel"

    def lines(self) -> Iterable[Text]:
        look = self.look
        for seat in self._seats:
            changed = self._after[seat] != self._before[seat]
            text = Text(no_wrap=True)
            text.append(look.palette.text(f"{power_name(self._tables, seat):<20} "))
            text.append(look.palette.text(occupant_label(self._after[seat])), look.key if changed else "")
            yield text

    def choose(self, row: int) -> None:
        self.action_change(1)

    def action_change(self, step: int) -> None:
        self._change(lambda occupant: next_occupant(occupant, step))

    def action_level(self) -> None:
        self._change(next_level)

    def action_temper(self) -> None:
        self._change(next_temper)

    def _change(self, changed: Callable[[SeatOccupant], SeatOccupant]) -> None:
        row = self.row or 0
        seat = self._seats[row]
        self._after[seat] = changed(self._after[seat])
        self.fill(row)

    def action_done(self) -> None:
        if all(occupant.is_automatic for occupant in self._after.values()) and not self._may_watch:
            self.notify("No seat has a player. Give at least one seat to a person.", severity="warning", timeout=5)
            return
        self.dismiss({seat: who for seat, who in self._after.items() if who != self._before[seat]})


class SeatCard(DebouncedScreen, ModalDialog[None]):
    """Announce the next player, the Phase and the pending tasks."""

    TOPIC = "seat_card"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("card.sit", "space,escape", "sit", "Take the seat", "Take the keyboard"),
    ]

    def __init__(self, name: str, phase: str, waits: Sequence[str]) -> None:
        super().__init__()
        self._who, self._phase, self._waits = name, phase, waits

    def compose(self) -> ComposeResult:
        look = self.look
        with Vertical(classes="box"):
            yield PlainText(f"{self._who}, it is your turn.", classes="title")
            yield PlainText(self._phase)
            lines = [f"! {what}" for what in self._waits] or ["No pending task."]
            yield PlainText(look.signs(Text("\n".join(lines), look.alarm if self._waits else "")))
            yield PlainText(self.format_keys("\n{card.sit} start"), classes="note")

    def action_sit(self) -> None:
        self.dismiss(None)


class PrivacyScreen(DebouncedScreen, ModalDialog[None]):
    """A blank screen between two players at one keyboard.

    Args: the Power of the next player; the public part of the pending question, "" for none.
    """

    TOPIC = "curtain"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("curtain.lift", "space,escape", "lift", "Show the game", "Show the game"),
    ]

    def __init__(self, name: str, asks: str = "") -> None:
        super().__init__()
        self._who, self._asks = name, asks

    def compose(self) -> ComposeResult:
        asks = f"{self._asks}\n\n" if self._asks else ""
        text = f"{self._who}, it is your turn.\n\n{asks}" + self.format_keys("{curtain.lift} shows the game.")
        yield PlainText(text, classes="title")

    def action_lift(self) -> None:
        self.dismiss(None)
