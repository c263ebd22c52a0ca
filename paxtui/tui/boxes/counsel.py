"""The statesman who is asked what he would do in the player's place, by every screen on which the seat acts."""

from __future__ import annotations

import asyncio

from textual.events import Key, Paste
from textual.worker import Worker

from paxtui.table.desk.advice import ADVISER, NO_ADVICE, proposed
from paxtui.table.session import Session
from paxtui.tui.boxes.advice import AdviceScreen
from paxtui.tui.stage.playing import Playing
from paxtui.tui.stage.screen import Result
from paxtui.tui.swift.keyboard import THOUGHT

SOON = 0.2
"""Seconds after which it is said that somebody is thinking."""


class Counselled(Playing[Result]):
    """A screen with an open game that asks a statesman for his counsel."""

    advised: Worker[None] | None = None
    """The statesman who is asked what he would do."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._let_be = asyncio.Event()  # the player waits for the statesman no longer

    def makes_room(self) -> None:
        """What the screen lets go before a statesman is asked."""

    async def action_advice(self) -> None:
        """Ask a statesman what he would do, and put up to three acts of his before the player.

        What is typed meanwhile waits for his answer, so that it goes where it goes when it is typed slowly.
        """
        s = self.session
        if not s.allows_advice:
            self.notify(NO_ADVICE, timeout=4)
            return
        if s.at is not None or s.live.result is not None or s.seat not in s.waiting():
            self.notify("There is nothing for you to do now.", timeout=4)
            return
        if self.advised is None or self.advised.is_finished:
            self.makes_room()
            self._let_be.clear()
            self.advised = self.run_worker(self._advise(), group=THOUGHT)

    def gives_up(self, event: Key | Paste) -> bool:
        """Esc lets the statesman be who is asked; so does the key that leaves the program, which goes on to do that."""
        if self._let_be.is_set() or not isinstance(event, Key):
            return False
        if event.key in ("escape", "ctrl+q"):
            self._let_be.set()
        return event.key == "escape"

    async def _advise(self) -> None:
        s, seat, version = self.session, self.session.seat, self.session.version
        thinks = asyncio.ensure_future(self.app.thinker.think(s.tables, s.replaced_tables, s.question(ADVISER)))
        let_be = asyncio.ensure_future(self._let_be.wait())
        try:
            done, _ = await asyncio.wait((thinks, let_be), timeout=SOON, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                self.notify("A statesman considers your position… Esc lets him be.", timeout=600)
                await asyncio.wait((thinks, let_be), return_when=asyncio.FIRST_COMPLETED)
        finally:
            let_be.cancel()
            self.app.clear_notifications()
        if self._let_be.is_set() or (s.seat, s.version, self.app.screen) != (seat, version, self):
            thinks.cancel()
            return  # the player has gone on without it
        acts = proposed(s, thinks.result().acts)
        if acts:
            self.app.push_screen(AdviceScreen(s, acts), self._advised)
        else:
            self.notify("He would do nothing more.", timeout=4)

    def _advised(self, texts: tuple[str, ...] | None) -> None:
        """Give the orders that the player has taken, as long as they are accepted."""
        if texts:
            self.act(texts[0], then=lambda: self._advised(texts[1:]))
