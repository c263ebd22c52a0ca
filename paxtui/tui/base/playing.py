"""Screens of an open game: they execute orders for the seat and report refusals."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import ClassVar

from textual.events import Key, Paste

from paxtui.engine.refusal import Refusal
from paxtui.session.reference import remedy_of
from paxtui.session.session import Operation, Order, Session, SessionChange
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.screen import BaseScreen, ModalDialog, Result

INTERNAL_ERROR = "Internal error; the game has not changed"
"""Beginning of the message about an error of the program."""


class SessionScreen(BaseScreen[Result]):
    """A screen with an open game."""

    STAYS: ClassVar[bool] = False
    """Whether the screen stays open when the seat changes; screens with secret content close."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._change_count = 0
        self._unsubscribe: Callable[[], None] = lambda: None

    def on_mount(self) -> None:
        self._unsubscribe = self.session.listen(self._report_change)

    def on_unmount(self) -> None:
        self._unsubscribe()

    @property
    def moment(self) -> object:
        """What other screens of the game show: it differs after each change of the game or of the moment shown."""
        s = self.session
        return self._change_count, s.version, s.at, s.seat, s.power

    def _report_change(self, change: SessionChange) -> None:
        self._change_count += 1
        if self.is_open:
            self.session_changed(change)

    def session_changed(self, change: SessionChange) -> None:
        """Handle a change of the game, of the moment shown, or of the seat."""

    def end_session(self) -> str:
        self.session.bots.finish()
        return self.session.trouble

    # --- while bots move -----------------------------------------------------------------------------------------

    FREE: ClassVar[frozenset[str]] = frozenset(
        ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "escape", "tab", "f1", "ctrl+l", "ctrl+q")
    )
    """Keys that only view or close; they do not wait for bots."""

    ALWAYS: ClassVar[frozenset[str]] = frozenset(("ctrl+l", "ctrl+q"))
    """Keys that do not wait for the answer of a server."""

    def awaits_answer(self, event: Key | Paste) -> bool:
        """Return whether a key waits for the answer to an order, so that keys and orders stay in sequence."""
        return self.session.is_answer_pending and not (isinstance(event, Key) and event.key in self.ALWAYS)

    def holds(self, event: Key | Paste) -> bool:
        """Return whether a key waits for an answer, the bots or the last save: each key that could act does."""
        if self.awaits_answer(event):
            return True
        waits = self.session.bots.is_at_work or self.session.file.is_saving
        return waits and not (isinstance(event, Key) and event.key in self.FREE)

    def handles_immediately(self, event: Key | Paste) -> bool:
        """Return whether a key cannot wait for earlier ones."""
        return False

    def cancels_wait(self, event: Key | Paste) -> bool:
        """Return whether the next key cancelled an awaited search."""
        return False

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(
        self,
        order: Order,
        then: Callable[[], object] = lambda: None,
        shown: Collection[str] = (),
        otherwise: Callable[[], object] = lambda: None,
    ) -> None:
        """Execute an order for the seat.

        Ask first if the order breaks a Treaty of the seat or costs it supply in War.

        Args:
            order: the order.
            then: callback after acceptance.
            shown: warnings that the screen shows already.
            otherwise: callback if the order is refused, or if the player is asked first.
        """
        warned = [text for text in self.session.warnings(order) if text not in shown]
        if not warned:
            self.carry_out(order, then, otherwise)
            return
        title = "War" if self.session.live.phase == "war" else "A Treaty"
        self.app.ask(ConfirmDialog(title, "\n".join(warned), "do it anyway"), lambda _: self.carry_out(order, then))
        otherwise()

    def act_text(
        self, text: str, then: Callable[[], object] = lambda: None, otherwise: Callable[[], object] = lambda: None
    ) -> None:
        """Parse an order and execute it. Args: the text; the callbacks of `act`."""
        try:
            order = self.session.parse(text)
        except Refusal as refusal:
            self.app.clear_notifications()
            self.tell(refusal)
            otherwise()
        else:
            self.act(order, then, otherwise=otherwise)

    def carry_out(
        self,
        operation: Operation,
        then: Callable[[], object] = lambda: None,
        otherwise: Callable[[], object] = lambda: None,
    ) -> None:
        """Carry out an operation. Its result is known at once, in a game on a server when the answer has come.

        Args: the operation; a callback after success; one after a failure, whose reason the screen shows.
        """
        self.app.clear_notifications()

        def done(failure: Exception | None) -> None:
            if failure is None:
                if self.is_attached:
                    then()
                return
            self._show_failure(failure)
            otherwise()

        self.session.submit(operation, done)

    def _show_failure(self, failure: Exception) -> None:
        if isinstance(failure, Refusal):
            self.tell(failure)
        else:
            self.notify_failure(failure)

    def notify_failure(self, failure: Exception, title: str = "") -> None:
        """Show why an operation failed in a message with a title."""
        if isinstance(failure, Refusal):
            self.notify(failure.message, title=title, severity="warning", timeout=8)
        elif isinstance(failure, OSError):
            self.notify(self.session.describe_failure(failure), title=title, severity="error", timeout=15)
        else:
            # a bug must not close the player's screen
            self.notify(f"{INTERNAL_ERROR}: {failure}", title=title, severity="error", timeout=20)

    def tell(self, refusal: Refusal) -> None:
        """Show a refusal, its rules and what would make the order legal; `?` shows all of it."""
        self.session.refusal = refusal
        rules = f" [{' '.join(refusal.rules[:3])}]" if refusal.rules else ""
        lines = (refusal.message, remedy_of(refusal), f"{self.app.key_of('game.why', 'question_mark')} tells more")
        text = "\n".join(line for line in lines if line)
        self.notify(text, title=f"Not allowed{rules}", severity="warning", timeout=6)


class SessionDialog(SessionScreen[Result], ModalDialog[Result]):
    """A modal dialog of an open game."""
