"""Advice of a bot: its plan, the steps with reasons and effects, and the search for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.events import Key, Paste
from textual.worker import Worker

from paxtui.engine.bots import BotRequest
from paxtui.session.advice import NO_ADVICE, Advice, PlanAdviser, step_title
from paxtui.session.bot_process import BotResponse
from paxtui.session.session import Session
from paxtui.tui.base.dialogs import LETTERS, ListDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.formatting.look import wrap_hanging
from paxtui.tui.formatting.reports import effect_sentences
from paxtui.tui.rendering.key_queue import AWAITED_GROUP

MAX_WIDTH = 92
"""Maximum width in cells."""
STEP_LETTERS = "".join(letter for letter in LETTERS if letter not in "gq")
"""Letters of the steps; the others close the dialog."""
FRAME_CELLS = 10
"""Cells of frame and padding."""


class AdviceDialog(ListDialog[list[Advice] | None]):
    """Choose a step of the plan, or all of them; return the steps to carry out."""

    TOPIC = "advice"
    list_id = "advice"
    title_text = "A statesman's plan"
    hint_text = "Enter or a letter carry out a step · {advice.all} do all · {advice.close} cancel"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("advice.close", "escape,q,g", "close", "Close", "Cancel"),
        bind("advice.all", "A", "all", "All steps", "Carry out all steps in order"),
    ]

    def __init__(self, session: Session, acts: Sequence[Advice]) -> None:
        super().__init__()
        self._session, self._acts = session, list(acts)

    def lines(self) -> Iterable[Text]:
        """Return the steps, a paragraph each."""
        room = min(MAX_WIDTH, self.app.size.width - 4) - FRAME_CELLS
        return (self._advice_row(n, act, room) for n, act in enumerate(self._acts))

    def letters(self) -> str:
        return STEP_LETTERS[: len(self._acts)]

    def _advice_row(self, n: int, act: Advice, room: int) -> Text:
        """Format a step with its reason and effects."""
        s, look = self._session, self.look
        title, question = step_title(s, act)
        parts = [Text.assemble((f"{STEP_LETTERS[n : n + 1] or ' '} ", look.key), (title, "bold"))]
        if question:
            parts.append(Text(f"  {question}"))
        if act.after:
            letters = ", ".join(STEP_LETTERS[one : one + 1] or str(one + 1) for one in act.after)
            parts.append(Text(f"  Needs {letters} first: Enter does all of them.", look.key))
        if act.why:
            parts.append(Text(f"  {act.why}.".replace("..", "."), look.faint))
        if act.foresight is not None:
            brings = effect_sentences(s, look, act.foresight)
            parts += [Text("  ").append_text(brings)] if brings else []
        return look.signs(Text("\n").join(wrap_hanging(part, room, 2) for part in parts))

    def on_mount(self) -> None:
        self.query_one(".box").styles.width = min(MAX_WIDTH, self.app.size.width - 4)

    def choose(self, row: int) -> None:
        """Take a step, after those that it needs."""
        self.dismiss([self._acts[one] for one in (*self._acts[row].after, row)])

    def action_all(self) -> None:
        self.dismiss(self._acts)


NOTICE_DELAY_S = 0.2
"""Delay before the thinking notice is shown."""


class Adviser:
    """Asks a bot for advice on behalf of a screen and carries out the steps that the player takes.

    Args:
        screen: the screen, which shows the advice.
        prepare: called before the question; releases what the screen holds.
    """

    def __init__(self, screen: SessionScreen[None], prepare: Callable[[], None] = lambda: None) -> None:
        self._screen, self._prepare = screen, prepare
        self._plan: PlanAdviser | None = None
        self._search: Worker[None] | None = None
        self._cancelled = asyncio.Event()

    def ask(self) -> None:
        """Show the plan of a bot; ask for it if it has changed. Keys typed meanwhile wait for the answer."""
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
        """Show the plan. If a rival moves during the search, the bot is asked again."""
        screen, s = self._screen, self._screen.session
        asked = s.seat, screen
        plan = self._plan = self._plan or PlanAdviser(s)
        is_found = False
        while not is_found and (request := plan.request()) is not None:
            version = s.version
            response = await self._respond(request)
            if response is None or (s.seat, screen.app.screen) != asked or s.seat not in s.waiting():
                return  # the player has gone on without it
            is_found = s.version == version and not plan.accept(response)
        self._show(plan)

    async def _respond(self, request: BotRequest) -> BotResponse | None:
        """Return the response of the bot, or None if the player cancels."""
        screen, app = self._screen, self._screen.app
        search = asyncio.ensure_future(app.thinker.think(screen.session.view.game_log, request))
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
        if self._cancelled.is_set():
            search.cancel()
            return None
        return search.result()

    def _show(self, plan: PlanAdviser) -> None:
        steps = plan.steps()
        if not steps:
            self._screen.notify("The bot proposes no further order.", timeout=4)
            return

        self._screen.app.ask(AdviceDialog(self._screen.session, steps), lambda taken: self._carry_out(plan, taken))

    def _carry_out(self, plan: PlanAdviser, steps: Sequence[Advice]) -> None:
        """Carry out steps in order; stop at the first refusal."""
        if not steps:
            return

        def done() -> None:
            plan.mark_done(steps[0])
            self._carry_out(plan, steps[1:])

        self._order(steps[0].texts, done)

    def _order(self, texts: Sequence[str], done: Callable[[], None]) -> None:
        """Give orders in turn. Args: the orders; a callback after the last one."""
        if texts:
            self._screen.act_text(texts[0], then=lambda: self._order(texts[1:], done))
        else:
            done()
