"""The opener of games: a game that cannot be opened stops no other."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from paxtui.server.game_opener import GameOpener


@pytest.mark.parametrize("failure", [OSError("too many open files"), KeyError("unexpected")])
def test_a_game_that_cannot_be_opened_lets_nobody_wait(failure: Exception) -> None:
    opened: list[str] = []

    def open_game(name: str) -> None:
        opened.append(name)
        if name == "broken":
            raise failure

    peers: Any = SimpleNamespace(
        is_own_game=lambda name: True,
        holders=lambda names, own: dict.fromkeys(names, ""),
        read_ahead=lambda names: nullcontext(),
    )
    games: Any = SimpleNamespace(awake=lambda name: None, game=open_game)
    journal: Any = SimpleNamespace(note=lambda *args, **more: None)

    async def visit() -> list[str]:
        opener = GameOpener(peers, games, journal)
        opener.take_over(["broken", "orphan"])
        for _ in range(20):
            await asyncio.sleep(0)
        async with asyncio.timeout(5):
            found = [await opener.hub_of("broken", True), await opener.hub_of("whole", True)]
        opener.close()
        return found

    assert asyncio.run(visit()) == ["", ""]
    assert opened[0] == "broken" and opened[-1] == "whole"
