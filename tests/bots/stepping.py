"""Games of bots step by step: in a game without people, `PaxBotRunner.run` returns only at its end."""

from __future__ import annotations

from collections.abc import Callable

from paxtui.games.pax.state.model import State
from paxtui.session.bot_process import BotRequest, compute_response
from paxtui.session.bot_runner import BotRunner, next_step
from paxtui.session.pax_host import PaxHost


def play_until(table: PaxHost, runner: BotRunner, reached: Callable[[State], bool]) -> None:
    """Let the bots of all seats play until a position is reached; fail if they stop earlier."""
    table.advance()
    course = runner.course()
    step = next(course, None)
    while not reached(table.state):
        assert step is not None, "the bots have stopped"
        step = next_step(course, compute_response(table.rules, step) if isinstance(step, BotRequest) else None)
