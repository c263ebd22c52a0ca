"""The number of keys for common tasks; `docs/twelve-tasks.md` has those of a new player."""

from __future__ import annotations

from typing import Any

from textual.pilot import Pilot

from paxtui.games.pax.events import events as ev
from tests.rules.harness import here
from tests.tui.playing import start_at

ATTACK: dict[str, Any] = {
    "phase": "movement",
    "powers": {"britain": {"treasury": 100}},
    "areas": {"egypt": here()},
}


async def press_and_count(pilot: Pilot[None], *keys: str) -> int:
    """Press keys one after another; return their number."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
    return len(keys)


async def test_attack_takes_twelve_keys(home):
    """Marker, army, move and fight; before, it took 22."""
    async with start_at(home, ATTACK).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        assert game.session.seat == "britain"
        strokes = await press_and_count(pilot, "slash", *"egy", "enter", "enter", "d")
        strokes += await press_and_count(pilot, "V", "g", "enter")
        assert [u.name for u in game.session.live.areas["egypt"].units] == ["A10"]
        for seat in game.session.live.players:
            game.session.take_seat(seat)
            game.session.act_text("ready")
        game.session.take_seat("britain")
        await pilot.pause()
        while pilot.app.screen is not game:
            await pilot.press("space")
            await pilot.pause()
        strokes += await press_and_count(pilot, "c", "enter")
        assert strokes == 12
        events = [event for _, happened in game.session.view.in_force() for event in happened]
        assert any(isinstance(event, ev.ColonialCombat) and event.area == "egypt" for event in events)


async def test_undo_takes_one_key(home):
    async with start_at(home, ATTACK).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        game.act_text("place interest siam")
        assert await press_and_count(pilot, "u") == 1
        assert not game.session.live.areas["siam"].markers


async def test_influence_takes_seven_keys(home):
    async with start_at(home, ATTACK).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        assert await press_and_count(pilot, "slash", *"egy", "enter", "enter", "b") == 7
        assert [m.marker for m in game.session.live.areas["egypt"].markers] == ["influence"]
