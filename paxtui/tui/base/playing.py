"""Screens on which the game is played: they give the orders of the seat, and say why one is refused."""

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
    """Whether it stays open when another seat sits down; papers of one seat are nobody else's business."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._deaf: Callable[[], None] = lambda: None

    def on_mount(self) -> None:
        """Hear of every change from now on."""
        self._deaf = self.session.listen(self.session_changed)

    def on_unmount(self) -> None:
        """Hear no more."""
        self._deaf()

    def session_changed(self, change: SessionChange) -> None:
        """Something has happened in the game, or another moment or seat is looked at."""

    def end_session(self) -> str:
        self.session.finish_bots()
        return self.session.trouble

    # --- while the rivals are at their moves ------------------------------------------------------------------------

    FREE: ClassVar[frozenset[str]] = frozenset(
        ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "escape", "tab", "f1", "ctrl+l", "ctrl+q")
    )
    """Keys that only look at something, or leave: they do not wait for the rivals."""

    def holds(self, event: Key | Paste) -> bool:
        """Whether a key waits until the rivals have done and the last act is on the disk: each does that could act."""
        waits = self.session.bots_at_work or self.session.saving
        return waits and not (isinstance(event, Key) and event.key in self.FREE)

    def handles_immediately(self, event: Key | Paste) -> bool:
        """Whether a key cannot wait for those before it."""
        return False

    def cancels_wait(self, event: Key | Paste) -> bool:
        """Whether the key that comes next has given up a thought that is waited for."""
        return False

    # --- acting ---------------------------------------------------------------------------------------------------

    def act(
        self, order: str | Order | actions.Action, then: Callable[[], object] = lambda: None, told: Collection[str] = ()
    ) -> bool:
        """Give an order for the seat at the keyboard; whether it has been accepted already.

        One that would break a Treaty of the seat's, or cost it supply in War, is asked about first.

        Args: the order; what is done when it has been accepted; warnings that the screen shows already.
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
        """Do something to the game; whether it was done. What stands in its way is told, in the place of what did."""
        self.app.clear_notifications()
        try:
            act()
        except Refusal as refusal:
            self.tell(refusal)
        except OSError as error:
            self.notify(self.session.describe_failure(error), severity="error", timeout=15)
        except InternalError as error:
            # our own mistake must not cost the player the screen
            self.notify(f"A mistake of the program, nothing has changed: {error}", severity="error", timeout=20)
        else:
            return True
        return False

    def tell(self, refusal: Refusal) -> None:
        """Say what was refused, by which rules, and what would make it legal; `?` says all of it."""
        self.session.refusal = refusal
        rules = f" [{' '.join(refusal.rules[:3])}]" if refusal.rules else ""
        lines = (refusal.message, remedy_of(refusal), f"{self.app.key_of('game.why', 'question_mark')} tells more")
        text = "\n".join(line for line in lines if line)
        self.notify(text, title=f"Not allowed{rules}", severity="warning", timeout=6)


class SessionDialog(SessionScreen[Result], ModalDialog[Result]):
    """A screen with an open game that lies over another one."""
