"""Games of bots step by step: `PaxBotRunner.run` does not return before a game without persons is over."""

from __future__ import annotations

from collections.abc import Callable

from paxtui.games.pax.state.model import State
from paxtui.session.bot_process import BotRequest, compute_response
from paxtui.session.bot_runner import BotRunner, next_step
from paxtui.session.pax_host import PaxHost


def play_until(table: PaxHost, runner: BotRunner, reached: Callable[[State], bool]) -> None:
    """Let the bots of all seats play until a position is reached. Fails if they stop before it."""
    table.advance()
    course = runner.course()
    step = next(course, None)
    while not reached(table.state):
        assert step is not None, "the bots play on"
        step = next_step(course, compute_response(table.rules, step) if isinstance(step, BotRequest) else None)
