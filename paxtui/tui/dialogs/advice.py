"""Advice of a bot: up to three orders with reasons and effects, and the base of screens that ask for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key, Paste
from textual.widgets.option_list import Option
from textual.worker import Worker

from paxtui.session.local_session import Session
from paxtui.session.order_planning import ADVISER, NO_ADVICE, Advice, choose_proposals, describe_subject
from paxtui.tui.base.dialogs import LETTERS
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.base.screen import ChoiceList, KeyHints, ModalDialog, PlainText, Result
from paxtui.tui.formatting.look import wrap_hanging
from paxtui.tui.formatting.reports import effect_sentences
from paxtui.tui.rendering.key_queue import AWAITED_GROUP

MAX_WIDTH = 92
"""Maximum width in cells."""
FRAME_CELLS = 10
"""Cells of frame and padding."""


class AdviceDialog(ModalDialog[tuple[str, ...] | None]):
    """Choose from the advised orders; return those taken.

    Args: the open game; the advice.
    """

    TOPIC = "advice"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,g", "close", "Close", id="advice.close", tooltip="Take none of it"),
    ]

    def __init__(self, session: Session, acts: Sequence[Advice]) -> None:
        super().__init__()
        self._session, self._acts = session, list(acts)

    def compose(self) -> ComposeResult:
        """Lay out the advised orders, a paragraph each."""
        room = min(MAX_WIDTH, self.app.size.width - 4) - FRAME_CELLS
        with Vertical(classes="box"):
            yield PlainText("What a statesman would do", classes="title")
            rows = [Option(self._advice_row(n, act, room), id=str(n)) for n, act in enumerate(self._acts)]
            yield ChoiceList(*rows, id="advice")
            yield KeyHints(self.format_keys("a letter or Enter does it · {advice.close} leaves it"))

    def _advice_row(self, n: int, act: Advice, room: int) -> Text:
        """Format an order with its reason and effects."""
        s, look = self._session, self.look
        parts = [Text.assemble((f"{LETTERS[n]} ", look.key), (act.text, "bold"))]
        if said := describe_subject(s, act.texts[0]):
            parts.append(Text(f"  {said}"))
        if act.why:
            parts.append(Text(f"  {act.why}.".replace("..", "."), look.faint))
        if act.foresight is not None:
            brings = effect_sentences(s, look, act.foresight)
            parts += [Text("  ").append_text(brings)] if brings else []
        return look.signs(Text("\n").join(wrap_hanging(part, room, 2) for part in parts))

    def on_mount(self) -> None:
        """Highlight the first order."""
        self.query_one(".box").styles.width = min(MAX_WIDTH, self.app.size.width - 4)
        rows = self.query_one(ChoiceList)
        self.set_focus(rows)
        rows.highlighted = 0

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        self.dismiss(self._acts[event.option_index].texts)

    def on_key(self, event: Key) -> None:
        """Take the order of a letter."""
        if event.character and event.character in LETTERS[: len(self._acts)]:
            event.stop()
            self.dismiss(self._acts[LETTERS.index(event.character)].texts)

    def action_close(self) -> None:
        """Cancel."""
        self.dismiss(None)


NOTICE_DELAY_S = 0.2
"""Delay before the thinking notice is shown."""


class AdvisedScreen(SessionScreen[Result]):
    """A screen of an open game that can ask a bot for advice."""

    advised: Worker[None] | None = None
    """The bot that gives advice."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._let_be = asyncio.Event()  # the player waits for the statesman no longer

    def prepare_for_advice(self) -> None:
        """Release what the screen holds before advice is asked for."""

    async def action_advice(self) -> None:
        """Ask a bot for advice and show up to three orders.

        Keys typed meanwhile wait for the answer.
        """
        s = self.session
        if not s.allows_advice:
            self.notify(NO_ADVICE, timeout=4)
            return
        if s.at is not None or s.live.result is not None or s.seat not in s.waiting():
            self.notify("There is nothing for you to do now.", timeout=4)
            return
        if self.advised is None or self.advised.is_finished:
            self.prepare_for_advice()
            self._let_be.clear()
            self.advised = self.run_worker(self._advise(), group=AWAITED_GROUP)

    def cancels_wait(self, event: Key | Paste) -> bool:
        """Cancel the advice on Esc and on the quit key, which then quits."""
        if self._let_be.is_set() or not isinstance(event, Key):
            return False
        if event.key in ("escape", "ctrl+q"):
            self._let_be.set()
        return event.key == "escape"

    async def _advise(self) -> None:
        s, seat, version = self.session, self.session.seat, self.session.version
        thinks = asyncio.ensure_future(self.app.thinker.think(s.game_log, s.question(ADVISER)))
        let_be = asyncio.ensure_future(self._let_be.wait())
        try:
            done, _ = await asyncio.wait((thinks, let_be), timeout=NOTICE_DELAY_S, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                self.notify("A statesman considers your position… Esc lets him be.", timeout=600)
                await asyncio.wait((thinks, let_be), return_when=asyncio.FIRST_COMPLETED)
        finally:
            let_be.cancel()
            self.app.clear_notifications()
        if self._let_be.is_set() or (s.seat, s.version, self.app.screen) != (seat, version, self):
            thinks.cancel()
            return  # the player has gone on without it
        acts = choose_proposals(s, thinks.result().acts)
        if acts:
            self.app.push_screen(AdviceDialog(s, acts), self._apply_advice)
        else:
            self.notify("He would do nothing more.", timeout=4)

    def _apply_advice(self, texts: tuple[str, ...] | None) -> None:
        """Give the orders that the player has taken; stop at the first refusal."""
        if texts:
            self.act(texts[0], then=lambda: self._apply_advice(texts[1:]))
