"""Find the game screen below other screens, and change seats by keys."""

from __future__ import annotations

from typing import Any

from paxtui.tui.game.screen import GameScreen
from tests.tui.playing import press


def game_screen(app: Any) -> GameScreen:
    """Return the game screen, also below other screens."""
    return next(screen for screen in app.screen_stack if isinstance(screen, GameScreen))


async def take_seat(pilot: Any, seat: str) -> None:
    """Change to a seat by keys."""
    for _ in range(8):
        if game_screen(pilot.app).session.seat == seat:
            return
        await press(pilot, "s")
    raise AssertionError(seat)
