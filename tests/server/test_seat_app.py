"""The screen of a seat on a server: it shows the acts of others at once, and lost connections."""

from __future__ import annotations

import asyncio

import pytest

from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.cli.plain.repl import Repl
from paxtui.engine.seats import SPECTATOR
from paxtui.session.player_news import undo_request_text
from paxtui.tui.base.settings import Settings
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.game.view import ViewController
from paxtui.tui.panes.status_lines import top_line
from paxtui.tui.panes.what_now import what_now
from tests.server.waiting import in_movement, wait
from tests.waiting import until


async def shown(app, *wanted: str, gone: str = "") -> None:
    """Wait until the top line has some texts."""

    def text() -> str:
        return top_line(app._session, app.look, 160).plain

    def is_shown() -> bool:
        return all(w in text() for w in wanted) and not (gone and gone in text())

    await until(is_shown, lambda: f"{wanted} not in {text()!r}")


async def noted(app, text: str) -> None:
    """Wait for a notification that begins with a text."""
    await until(lambda: any(note.message.startswith(text) for note in app._notifications), lambda: text)


async def test_acts_of_others_are_shown_at_once(running, home):
    britain = running.session("britain")
    in_movement(britain)
    app = SeatApp(running.session("france"), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(160, 50)) as pilot:
        await shown(app, "MOVEMENT", "●GB")
        britain.receive()
        britain.act_text("ready")
        await shown(app, "GB✓")
        await pilot.press("r")
        await shown(app, "FR✓")
        assert app._session.seat == "france"
        britain.close()
        await shown(app, gone="●GB")


async def test_lost_connection_is_shown_and_restored(running, home):
    app = SeatApp(running.session("france"), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(100, 30)):
        running.stop()
        await shown(app, "NO CONNECTION")
        running.start()
        await shown(app, gone="NO CONNECTION")


async def test_player_who_lost_the_seat_is_informed(running, home):
    player = running.register("Pierre", "france")
    app = SeatApp(running.session("france", player), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(100, 30)):
        running.do(_given_away(running))
        await shown(app, "NO CONNECTION")
        await noted(app, "Your seat has been given to another player. The game continues without you.")
        assert len(app._notifications) == 1


async def _given_away(running) -> None:
    running.hub.admin_api._seat(game="friday", seat="france")


async def test_spectator_sees_no_secret(running, home):
    britain = running.session("britain")
    in_movement(britain)
    britain.act_text("treaty Entente with france secret: non-aggression")
    app = SeatApp(running.session(SPECTATOR), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(100, 30)) as pilot:
        await shown(app, "SPECTATOR", "MOVEMENT")
        assert app._session.live.treaties == ()
        await pilot.press("r", "enter", "escape", "t", "escape", "2", "5", "f", "z")
        assert app.crash is None


@pytest.fixture
def seconds(monkeypatch) -> list[float]:
    """The monotonic clock of a client; the test moves it."""
    seconds = [1000.0]
    monkeypatch.setattr("paxtui.session.session.monotonic", lambda: seconds[0])
    return seconds


async def test_clock_and_pause_are_on_the_top_line(timed, home, seconds):
    """The hub sends the time that is left, and the client counts it down."""
    running = timed
    britain = running.session("britain")
    in_movement(britain)
    app = SeatApp(running.session("france"), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(160, 50)) as pilot:
        await shown(app, "MOVEMENT", gone="9:59")
        await pilot.pause()  # messages that arrive before the first drawing are not notified
        admin_api = running.hub.admin_api
        await run_in_hub(running, lambda: admin_api._time("friday", "set", limits="any=599", warn="598"))
        await shown(app, " 9:59")
        seconds[0] += 1.5
        for width in (80, 100, 160):
            assert " 9:57" in top_line(app._session, app.look, width).plain[:24]
        await noted(app, "The clock: each Phase 9 minutes 59 seconds")
        await run_in_hub(running, lambda: admin_api._time("friday", "pause", why="dinner"))
        await shown(app, "PAUSED", gone=" 9:5")
        await noted(app, "The game is paused: dinner.")


async def test_short_time_is_notified_once(timed, home, seconds):
    running = timed
    in_movement(running.session("britain"))
    app = SeatApp(running.session("france"), Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(100, 30)) as pilot:
        admin_api = running.hub.admin_api
        await run_in_hub(running, lambda: admin_api._time("friday", "set", limits="any=6000", warn="600"))
        await shown(app, "1:40:00")
        for passed, count in ((5000.0, 0), (5500.0, 1), (5600.0, 1)):
            seconds[0] = 1000.0 + passed
            app._look_after_connection()
            await pilot.pause()
            await pilot.pause()
            assert len([note for note in app._notifications if note.message.endswith(" left.")]) == count


async def run_in_hub(running, act) -> None:
    """Run a function in the loop of the hub."""

    async def done() -> None:
        act()

    await asyncio.to_thread(running.do, done())


async def test_clock_ticks_before_the_screen_is_drawn(running, home, monkeypatch):
    """On a slow machine a second passes between opening a screen and drawing its first line."""
    france = running.session("france")
    app = SeatApp(france, Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        france.clock.update(30.0)
        drawn = []
        monkeypatch.setattr(ViewController, "draw_top", lambda view: drawn.append(view.screen))
        coming = GameScreen(france)
        monkeypatch.setattr(SeatApp, "screen_stack", [app.screen, coming])
        app._tell_time(france)
        assert drawn == [app.screen], "and not the one that has no lines yet"


async def test_undo_request_is_shown_and_answered_by_key(running, home):
    """The proposer reads that nothing has changed yet; the other sees a notification and a line under "what now"."""
    britain = running.session("britain")
    in_movement(britain)
    before = britain.version
    britain.act_text("place influence siam")
    france = running.session("france")
    app = SeatApp(france, Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(160, 50)) as pilot:
        france.act_text("place influence marocco")
        britain.receive()
        await pilot.press("left_square_bracket", "left_square_bracket", "U")
        await pilot.pause()
        choices = list(app.screen._lines)
        assert choices == ["Ask the others", "No, only look at it"]  # there is no other player at this keyboard
        await pilot.press("home", "enter")
        await noted(app, f"You asked the others to go back to line {before}. Nothing has changed yet")
        assert running.host.state.phase == "movement"
        wait(britain, lambda: britain.view.undo_requests())
        entry = britain.view.log()[-1]
        assert (entry.text, entry.kind) == (
            f"France asks to undo to line {before}; the others must agree", "undo_request"
        )  # fmt: skip
        when = "(1880, Movement/Status Change)"
        assert undo_request_text(britain) == f"France asks to undo to line {before} {when}."
        now = what_now(britain, app.look, 200, lambda id_, key: key).plain
        assert f"! {undo_request_text(britain)} U answers." in now
        assert any("'undo" in line and "agrees" in line for line in Repl(britain).status())
    other = SeatApp(britain, Settings(reports="none", remind=False, animation=False))
    async with other.run_test(size=(160, 50)) as pilot:
        await pilot.press("U")
        await pilot.pause()
        await pilot.press("home", "enter")
        await noted(other, f"The game is now at line {before}.")
    table = running.host
    assert table.game.lines[-1].kind == "undo" and table.verify() == []


async def test_undo_request_is_answered_by_a_typed_order(running, home):
    britain, france = running.session("britain"), running.session("france")
    in_movement(britain)
    before = britain.version
    britain.act_text("place influence siam")
    wait(france, lambda: france.version == britain.version)
    france.act_text("place influence marocco")
    wait(britain, lambda: britain.version == france.version)
    app = SeatApp(britain, Settings(reports="none", remind=False, animation=False))
    async with app.run_test(size=(100, 30)):
        france.undo(before)
        await noted(app, f"France asks to undo to line {before}")
    britain.act_text(f"undo {before}")
    assert running.host.game.lines[-1].kind == "undo"
