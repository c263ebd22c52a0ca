"""Screens of an open game: they execute orders for the seat and report refusals."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import ClassVar

from textual.events import Key, Paste

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import Order
from paxtui.session.local_session import InternalError, Session, SessionChange
from paxtui.session.reference import remedy_of
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.base.screen import BaseScreen, ModalDialog, Result


class SessionScreen(BaseScreen[Result]):
    """A screen with an open game.

    Args:
        session: the open game; its seat acts.
    """

    STAYS: ClassVar[bool] = False
    """Whether the screen stays open when the seat changes; screens with secret content close."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._deaf: Callable[[], None] = lambda: None

    def on_mount(self) -> None:
        """Subscribe to changes of the session."""
        self._deaf = self.session.listen(self.session_changed)

    def on_unmount(self) -> None:
        """Unsubscribe from the session."""
        self._deaf()

    def session_changed(self, change: SessionChange) -> None:
        """Handle a change of the game, of the moment shown, or of the seat."""

    def end_session(self) -> str:
        self.session.finish_bots()
        return self.session.trouble

    # --- while bots move -----------------------------------------------------------------------------------------

    FREE: ClassVar[frozenset[str]] = frozenset(
        ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "escape", "tab", "f1", "ctrl+l", "ctrl+q")
    )
    """Keys that only view or close; they do not wait for bots."""

    def holds(self, event: Key | Paste) -> bool:
        """Return whether a key waits for the bots and the last save: each key that could act does."""
        waits = self.session.bots_at_work or self.session.saving
        return waits and not (isinstance(event, Key) and event.key in self.FREE)

    def handles_immediately(self, event: Key | Paste) -> bool:
        """Return whether a key cannot wait for earlier ones."""
        return False

    def cancels_wait(self, event: Key | Paste) -> bool:
        """Return whether the next key cancelled an awaited search."""
        return False

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(
        self, order: str | Order | actions.Action, then: Callable[[], object] = lambda: None, told: Collection[str] = ()
    ) -> bool:
        """Execute an order for the seat; return whether it was accepted at once.

        Ask first if the order breaks a Treaty of the seat or costs it supply in War.

        Args: the order; a callback after acceptance; warnings that the screen shows already.
        """

        def give() -> bool:
            done = self.tried(lambda: self.session.act(order))
            if done:
                then()
            return done

        def answered(wanted: bool | None) -> None:
            if wanted:
                give()

        warned = [text for text in self.session.warnings(order) if text not in told]
        if not warned:
            return give()
        title = "War" if self.session.live.phase == "war" else "A Treaty"
        self.app.push_screen(ConfirmDialog(title, "\n".join(warned), "do it all the same"), answered)
        return False

    def tried(self, act: Callable[[], object]) -> bool:
        """Call `act`; on failure show the reason and return False."""
        self.app.clear_notifications()
        try:
            act()
        except Refusal as refusal:
            self.tell(refusal)
        except OSError as error:
            self.notify(self.session.describe_failure(error), severity="error", timeout=15)
        except InternalError as error:
            # a bug must not close the player's screen
            self.notify(f"A mistake of the program, nothing has changed: {error}", severity="error", timeout=20)
        else:
            return True
        return False

    def tell(self, refusal: Refusal) -> None:
        """Show a refusal, its rules and what would make the order legal; `?` shows all of it."""
        self.session.refusal = refusal
        rules = f" [{' '.join(refusal.rules[:3])}]" if refusal.rules else ""
        lines = (refusal.message, remedy_of(refusal), f"{self.app.key_of('game.why', 'question_mark')} tells more")
        text = "\n".join(line for line in lines if line)
        self.notify(text, title=f"Not allowed{rules}", severity="warning", timeout=6)


class SessionDialog(SessionScreen[Result], ModalDialog[Result]):
    """A modal dialog of an open game."""
