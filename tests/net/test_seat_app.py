"""The screen of a seat at a kept table: it shows what others do without being asked, and says when it is alone."""

from __future__ import annotations

import asyncio

from paxtui.cli.hosting.screen import SeatApp
from paxtui.engine.seats import SPECTATOR
from paxtui.tui.panes.lines import top_line
from paxtui.tui.stage.settings import Settings


def in_movement(session) -> None:
    while session.live.phase != "movement":
        session.advance()


async def shown(app, *wanted: str, gone: str = "") -> None:
    """Wait until the top line says something."""
    for _ in range(500):
        text = top_line(app._session, app.look, 160).plain
        if all(w in text for w in wanted) and not (gone and gone in text):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{wanted} not in {text!r}")


async def test_what_another_does_is_on_the_screen_at_once(running, home):
    britain = running.session("britain")
    in_movement(britain)
    app = SeatApp(running.session("france"), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(160, 50)) as pilot:
        await shown(app, "MOVEMENT", "●GB")
        britain.take()
        britain.act("ready")
        await shown(app, "GB✓")
        await pilot.press("r")
        await shown(app, "FR✓")
        assert app._session.seat == "france"
        britain.close()
        await shown(app, gone="●GB")


async def test_a_lost_table_is_said_and_found_again(running, home):
    app = SeatApp(running.session("france"), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(100, 30)):
        running.stop()
        await shown(app, "NO CONNECTION")
        running.start()
        await shown(app, gone="NO CONNECTION")


async def test_a_spectator_sees_the_table_and_no_secret(running, home):
    britain = running.session("britain")
    in_movement(britain)
    britain.act("treaty Entente with france secret: non-aggression")
    app = SeatApp(running.session(SPECTATOR), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(100, 30)) as pilot:
        await shown(app, "SPECTATOR", "MOVEMENT")
        assert app._session.live.treaties == ()
        await pilot.press("r", "enter", "escape", "t", "escape", "2", "5", "f", "z")
        assert app.crash is None
