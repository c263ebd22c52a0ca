"""The game screen of a branch; leaving it returns to the study."""

from __future__ import annotations

from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.tui.base.app import BaseApp
from paxtui.tui.game.screen import GameScreen


class BranchGame(GameScreen):
    """A branch that is played on."""

    def on_mount(self) -> None:
        super().on_mount()
        leave = self.app.key_of("game.leave", "q")
        self.notify(f"This is a branch of the study. {leave} returns to the study.", timeout=6)

    def action_leave(self) -> None:
        """Return to the study. Everything is saved; if not, say so."""
        self.session.close()
        if self.session.trouble:
            self.app.notify(f"{self.session.trouble}.", title="The log", severity="error", timeout=30)
        self.dismiss(None)

    def action_study(self) -> None:
        """Refuse: a branch belongs to a study."""
        leave = self.app.key_of("game.leave", "q")
        self.notify(f"This is a branch of a study: {leave} returns to it.", timeout=5)

    def action_host(self) -> None:
        """Refuse: a branch belongs to a study."""
        self.notify("A branch of a study cannot be hosted.", severity="warning", timeout=6)


def open_branch(host: PaxHost, seat: str, app: BaseApp) -> BranchGame:
    """Return the screen that plays a branch. Args: its game, open for writing; the seat at the keyboard; the app."""
    session = LocalSession(host, step_by_step=app.leisurely, bot_order=app.settings.bot_order)
    if seat in session.seats.here():
        session.take_seat(seat)
    screen = BranchGame(session)
    screen.plays_first_steps = True
    return screen
