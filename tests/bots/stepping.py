"""Games of bots step by step: `PaxBotRunner.run` does not return before a game without persons is over."""

from __future__ import annotations

from collections.abc import Callable

from paxtui.session.bot_process import BotRequest, compute_response
from paxtui.session.bot_runner import BotRunner, next_step
from paxtui.session.game_host import GameHost


def play_until(table: GameHost, runner: BotRunner, reached: Callable[[], bool]) -> None:
    """Let the bots of all seats play until something is reached. Fails if they stop before it."""
    table.advance()
    course = runner.course()
    step = next(course, None)
    while not reached():
        assert step is not None, "the bots play on"
        step = next_step(course, compute_response(table.rules, step) if isinstance(step, BotRequest) else None)
