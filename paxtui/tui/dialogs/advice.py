"""Advice of a bot: up to three orders with reasons and effects, and the search for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Key, Paste
from textual.worker import Worker

from paxtui.session.order_planning import ADVISER, NO_ADVICE, Advice, choose_proposals, describe_subject
from paxtui.session.session import Session
from paxtui.tui.base.dialogs import LETTERS, ListDialog
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.formatting.look import wrap_hanging
from paxtui.tui.formatting.reports import effect_sentences
from paxtui.tui.rendering.key_queue import AWAITED_GROUP

MAX_WIDTH = 92
"""Maximum width in cells."""
FRAME_CELLS = 10
"""Cells of frame and padding."""


class AdviceDialog(ListDialog[tuple[str, ...] | None]):
    """Choose from the advised orders; return those taken.

    Args: the open game; the advice.
    """

    TOPIC = "advice"
    list_id = "advice"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,g", "close", "Close", id="advice.close", tooltip="Cancel"),
    ]

    def __init__(self, session: Session, acts: Sequence[Advice]) -> None:
        super().__init__()
        self._session, self._acts = session, list(acts)

    def heading(self) -> str:
        """Return the title."""
        return "What a statesman would do"

    def lines(self) -> Iterable[Text]:
        """Return the advised orders, a paragraph each."""
        room = min(MAX_WIDTH, self.app.size.width - 4) - FRAME_CELLS
        return (self._advice_row(n, act, room) for n, act in enumerate(self._acts))

    def letters(self) -> str:
        """Return a letter for each order."""
        return LETTERS[: len(self._acts)]

    def hints(self) -> str:
        """Return what the keys do."""
        return "Enter or a letter choose · {advice.close} cancel"

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
        """Set the width."""
        self.query_one(".box").styles.width = min(MAX_WIDTH, self.app.size.width - 4)

    def choose(self, row: int) -> None:
        """Take an order."""
        self.dismiss(self._acts[row].texts)


NOTICE_DELAY_S = 0.2
"""Delay before the thinking notice is shown."""


class Adviser:
    """Asks a bot for advice on behalf of a screen and carries out the orders that the player takes.

    Args:
        screen: the screen, which shows the advice.
        prepare: called before the question; releases what the screen holds.
    """

    def __init__(self, screen: SessionScreen[None], prepare: Callable[[], None] = lambda: None) -> None:
        self._screen, self._prepare = screen, prepare
        self._search: Worker[None] | None = None
        self._cancelled = asyncio.Event()

    def ask(self) -> None:
        """Ask a bot for advice and show up to three orders. Keys typed meanwhile wait for the answer."""
        screen, s = self._screen, self._screen.session
        if not s.bots.allows_advice:
            screen.notify(NO_ADVICE, timeout=4)
            return
        if s.at is not None or s.live.result is not None or s.seat not in s.waiting():
            screen.notify("You have nothing to decide now.", timeout=4)
            return
        if self._search is None or self._search.is_finished:
            self._prepare()
            self._cancelled.clear()
            self._search = screen.run_worker(self._advise(), group=AWAITED_GROUP)

    def cancels_wait(self, event: Key | Paste) -> bool:
        """Cancel the search on Esc and on the quit key, which then quits."""
        if self._cancelled.is_set() or not isinstance(event, Key):
            return False
        if event.key in ("escape", "ctrl+q"):
            self._cancelled.set()
        return event.key == "escape"

    async def _advise(self) -> None:
        screen = self._screen
        app, s = screen.app, screen.session
        asked = s.seat, s.version, screen
        search = asyncio.ensure_future(app.thinker.think(s.view.game_log, s.bots.advice_request(s.seat, ADVISER)))
        cancelled = asyncio.ensure_future(self._cancelled.wait())
        both = (search, cancelled)
        try:
            done, _ = await asyncio.wait(both, timeout=NOTICE_DELAY_S, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                screen.notify("A bot analyses your position. Esc cancels.", timeout=600)
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            cancelled.cancel()
            app.clear_notifications()
        if self._cancelled.is_set() or (s.seat, s.version, app.screen) != asked:
            search.cancel()
            return  # the player has gone on without it
        advice = choose_proposals(s, search.result().acts)
        if advice:
            app.push_screen(AdviceDialog(s, advice), self._apply)
        else:
            screen.notify("The bot proposes no further order.", timeout=4)

    def _apply(self, texts: tuple[str, ...] | None) -> None:
        """Give the orders that the player has taken; stop at the first refusal."""
        if texts:
            self._screen.act_text(texts[0], then=lambda: self._apply(texts[1:]))
