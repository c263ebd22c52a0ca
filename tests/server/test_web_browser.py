"""The game in headless Chromium: from a link to an order, a lost network, a restarted server, eight players."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.transaction import default_answer
from paxtui.server.data_directory import DataDirectory
from paxtui.server.web import pages
from paxtui.session.pax_host import PaxHost
from tests.server.browser import CHROMIUM, PHONE, WITHOUT_WEBGL, Network, Player, chromium
from tests.server.conftest import game_in_movement
from tests.server.ssh import PAXTUI, ServerProcess
from tests.server.waiting import admin_request
from tests.tui.terminal import save_quiet_settings
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.ssh, pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="chromium is missing")]

ORDER = "place interest tunis"
SECRET = "meet me in Vienna"
TERMINAL = re.compile(r":\d+/$")
"""Address of the page with the terminal."""


@pytest.fixture(scope="module")
def browser() -> Iterator:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def served() -> Iterator[ServerProcess]:
    """A server with a game of eight in its first Movement Phase, for browsers."""
    with TemporaryDirectory(prefix="pax") as name:
        path = Path(name) / "friday.jsonl"
        game_in_movement(path, seats_for(8), {"belgium": "yes"}).close()
        with socket.create_server(("127.0.0.1", 0)) as probe:
            address = f"127.0.0.1:{probe.getsockname()[1]}"  # a restarted server has the same address
        served = ServerProcess(Path(name), path, options=("--web", address))
        served.wait_for_output(r"In a browser: +http://(\S+)")
        yield served
        served.stop()


def link_of(served: ServerProcess, seat: str, port: int = 0) -> str:
    """Return an invitation link. Args: the server; the seat; another port than the server's, for a `Network`."""
    link = served.command("invite", "friday", seat).split()[-1]
    return re.sub(r":\d+/", f":{port}/", link) if port else link


def log_of(served: ServerProcess) -> PaxHost:
    return PaxHost.open(served.data / "games" / "friday.jsonl", write=False)


def lines_of(served: ServerProcess) -> int:
    """Return the number of lines of the log on disk."""
    return (served.data / "games" / "friday.jsonl").read_bytes().count(b"\n")


def switch_off_pages(served: ServerProcess) -> None:
    """Switch off the pages that open by themselves, so that none opens between two keys."""
    data = DataDirectory(served.data)
    for player in admin_request(data, "players"):
        save_quiet_settings(data.player_directory(player["player"]))


STAND_IN = """
window.shown = [];
window.Notification = class { constructor(title, about) { shown.push(about.body); } };
Notification.permission = "default";
Notification.requestPermission = () => { Notification.permission = "granted"; };
window.WebSocket = class { constructor() { window.server = this; } send() {} close() {} };
WebSocket.CONNECTING = 0; WebSocket.OPEN = 1;
window.hear = (text) => server.onmessage({ data: new TextEncoder().encode(text).buffer });
"""
"""A script that keeps notifications, and lets the test send the data of the server."""


def test_a_browser_shows_notifications_and_the_title(browser) -> None:
    page = browser.new_context().new_page()
    files = Path(pages.__file__).parent / "static"
    replaced = {"xterm.css": "", "textual.js": "new WebSocket('ws://game.test/ws?width=80&height=24')"}

    def answer(route) -> None:
        name = Path(route.request.url).name
        route.fulfill(body=replaced[name]) if name in replaced else route.fulfill(path=str(files / name))

    page.route("**/*", answer)
    page.add_init_script(STAND_IN)
    page.goto("http://game.test/terminal.html")
    page.evaluate("hear('\\x1b]2;(!) Pax Britannica\\x07\\x1b[1mx\\x1b]9;paxtui: Fra')")
    assert page.title() == "(!) Pax Britannica"
    page.evaluate("hear('nce must act.\\x1b\\\\ ...')")
    assert page.evaluate("shown") == []
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.get_by_text("While you were away: France must act.").wait_for()
    page.get_by_role("button", name="Notify me next time").click()
    page.evaluate("hear('\\x1b]9;paxtui: Italy must act.\\x1b\\\\')")
    assert page.evaluate("shown") == ["Italy must act."]
    page.context.close()


def test_player_joins_orders_and_reconnects(served: ServerProcess, browser) -> None:
    network = Network(int(served.options[1].rpartition(":")[2]))
    pierre = Player(browser)
    try:
        pierre.join(link_of(served, "france", network.port), "Pierre")
        pierre.wait("MOVEMENT", "what can I do here")
        before = lines_of(served)
        pierre.look()
        pierre.press(":")
        pierre.wait("order:")
        pierre.type(ORDER)
        pierre.press("Enter")
        pierre.until(lambda: lines_of(served) > before)

        network.cut()
        pierre.page.get_by_text("Connection lost").wait_for()
        network.is_up = True
        pierre.page.get_by_text("Connection lost").wait_for(state="hidden")
        before = len(pierre.written)
        pierre.press("F1")  # the same client: its screen is still there
        pierre.wait_written(before, "Help")
        assert pierre.sockets >= 2

        os.kill(DataDirectory(served.data).running("web"), signal.SIGKILL)
        pierre.page.get_by_text("Connection lost").wait_for()
        pierre.wait("MOVEMENT", "what can I do here", gone="Help")

        served.stop()
        pierre.page.get_by_text("Connection lost").wait_for()
        served.start()
        pierre.page.get_by_text("Connection lost").wait_for(state="hidden")
        pierre.wait("MOVEMENT", "what can I do here")
        assert not pierre.errors
    finally:
        network.close()
        pierre.close()


def test_mouse_resize_copy_and_paste(served: ServerProcess, browser) -> None:
    """A click selects an Area, the wheel scrolls a pane, the window is resized, and texts are copied and pasted."""
    anna = Player(browser, viewport={"width": 1440, "height": 900}, permissions=["clipboard-read", "clipboard-write"])
    page, mouse = anna.page, anna.page.mouse
    try:
        anna.join(link_of(served, "italy"), "Anna")
        anna.wait("what can I do here")
        mouse.click(*anna.position_of("TUN"))
        anna.wait("Tunis · unorganized")
        assert "25 bonus of the turn" not in anna.text
        mouse.move(*anna.position_of("III  Maintenance"))
        mouse.wheel(0, 1000)
        anna.wait("25 bonus of the turn")

        page.set_viewport_size({"width": 1000, "height": 700})
        anna.until(lambda: (anna.screen.columns, anna.screen.lines) == (111, 38))
        begun = len(anna.written)
        anna.press("F1")
        anna.wait_written(begun, "Help")
        anna.look()
        anna.press("Escape")
        anna.wait("what can I do here", "Tunis", gone="Help")

        page.evaluate(f"navigator.clipboard.writeText('{ORDER}')")
        anna.look()
        anna.press(":")
        anna.wait("order:")
        anna.press("Control+v")
        anna.wait(ORDER)
        x, y = anna.position_of(ORDER)
        page.keyboard.down("Shift")
        mouse.move(x - 2, y)
        mouse.down()
        mouse.move(x + 5 * 9 - 2, y, steps=3)
        mouse.up()
        page.keyboard.up("Shift")
        anna.press("Control+Shift+C")
        anna.until(lambda: anna.clipboard() == ORDER[:5])
        anna.press("Escape")
        anna.wait("what can I do here")
        anna.press("Control+y")  # the client copies the text of its screen with OSC 52
        anna.until(lambda: "Tunis · unorganized" in anna.clipboard())
        assert not anna.errors
    finally:
        anna.close()


def test_a_phone_has_sixty_columns_and_ten_keys(served: ServerProcess, browser) -> None:
    """Taps on the bar zoom the map, move on it, open and close the menu; a tap on the map selects an Area."""
    hans = Player(browser, **PHONE)
    page = hans.page
    try:
        hans.join(link_of(served, "japan"), "Hans")
        hans.wait("what can I do here")
        assert 60 <= hans.screen.columns <= 62 and hans.screen.lines >= 50
        bar = page.locator("#bar button")
        names = [bar.nth(n).get_attribute("aria-label") for n in range(bar.count())]
        assert len(names) == 10 and all(box["width"] >= 34 and box["height"] >= 44 for box in map(_box, bar.all()))
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        sharp = (
            "[...document.querySelectorAll('canvas')].every((one) => Math.abs(one.width - 3 * one.clientWidth) <= 3)"
        )
        hans.until(lambda: page.evaluate(sharp))  # each pixel of the screen has its own pixel of the drawing

        def tap(name: str) -> None:
            page.tap(f"#bar button[aria-label='{name}']")

        tap("Zoom")
        hans.wait("Korea")  # the whole map has only the short names of Areas
        page.touchscreen.tap(*hans.position_of("Korea"))
        hans.wait("Korea · ")
        tap("Enter")
        hans.wait("Esc cancel")
        assert all(len(row) <= hans.screen.columns for row in hans.text.splitlines())
        hans.look()
        tap("Escape")
        hans.wait("what can I do here", gone="Esc cancel")
        for name in ("Left", "Right", "Up", "Down"):
            before = hans.text
            tap(name)
            hans.until(lambda before=before: hans.text != before)
        for way in ((0, -120), (0, 120), (90, 0), (-90, 0)):  # a finger drags the map
            before = hans.text
            _swipe(page, way)
            hans.until(lambda before=before: hans.text != before)
        tap("Zoom")
        hans.wait("what can I do here", gone="Nippon")
        tap("Keyboard")
        assert page.evaluate("document.activeElement.className") == "xterm-helper-textarea"
        assert not hans.errors
    finally:
        hans.close()


def _swipe(page, way: tuple[int, int]) -> None:
    """Move a finger over the middle of the screen. Args: the page; pixels to the right and down."""
    touch = page.context.new_cdp_session(page)
    for step in range(5):
        kind = "touchMove" if step else "touchStart"
        point = {"x": 195 + way[0] * step / 4, "y": 400 + way[1] * step / 4}
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def _box(button) -> dict[str, float]:
    return button.bounding_box()


def test_eight_browsers_play_a_turn(served: ServerProcess, browser) -> None:
    """One reconnects. No browser receives a secret of another seat."""
    seats = seats_for(8)
    players: dict[str, Player] = {}
    try:
        for seat in seats:
            player = players[seat] = Player(browser)
            player.page.add_init_script(WITHOUT_WEBGL)
            player.page.route(TERMINAL, lambda route: route.fulfill(body=""))  # no client starts before this
            player.join(link_of(served, seat), seat.capitalize())
        for player in players.values():
            player.page.wait_for_url(TERMINAL)
            player.page.unroute_all()
        switch_off_pages(served)
        for player in players.values():
            player.page.reload()
            player.wait("what can I do here")
        play_turn(served, players)
        for player in players.values():
            player.wait("turn 2/10")
            assert not player.errors
        having = {seat for seat, player in players.items() if SECRET.encode() in player.written}
        assert having <= {"germany", "italy"}
        assert log_of(served).verify() == []
    finally:
        for player in players.values():
            player.close()


def play_turn(served: ServerProcess, players: dict[str, Player]) -> None:
    """Play to the next Game Turn: a dispatch, and then all seats are ready or take the default answer."""
    order(served, players["germany"], f"dispatch italy: {SECRET}")
    players["italy"].page.reload()
    players["italy"].wait("what can I do here")
    first = log_of(served).state.turn
    for _ in range(200):
        before = lines_of(served)
        table = log_of(served)
        if table.state.turn > first:
            return
        seat = next(iter(table.waiting), "")
        choice = next((c for c in table.state.choices if c.seat == seat), None)
        if choice is not None:
            order(served, players[seat], " ".join(("choose", choice.id, *default_answer(choice))))
        elif seat:
            order(served, players[seat], "ready")
        else:
            wait_for_line(served, players["france"], before)  # the server is playing automatic Phases
    raise AssertionError("the game does not go on")


def order(served: ServerProcess, player: Player, text: str) -> None:
    """Type an order, and wait for its line."""
    before = lines_of(served)
    player.press(":")
    player.wait("order:")
    player.type(text)
    player.press("Enter")
    wait_for_line(served, player, before)


def wait_for_line(served: ServerProcess, player: Player, before: int) -> None:
    player.until(lambda: lines_of(served) > before)


def test_paxtui_web_for_one_player(browser, tmp_path: Path) -> None:
    """`paxtui web`: the link opens the start screen; a reloaded page shows the same program."""
    env = {**os.environ, "PAXTUI_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    program = subprocess.Popen([*PAXTUI, "web", "--no-browser"], env=env, stdout=subprocess.PIPE, text=True)
    anna = Player(browser)
    try:
        link = program.stdout.readline().split()[-1]
        anna.page.goto(link)
        anna.wait("Play alone")
        anna.press("F1")
        anna.wait("Help")
        begun = len(anna.written)
        anna.page.reload()
        anna.wait_written(begun, "Help")  # the dialog is still open: the same program
        other = Player(browser)
        other.page.goto(link)
        other.page.get_by_text("This link was used").wait_for()
        other.close()
        assert not anna.errors
    finally:
        anna.close()
        program.terminate()
        assert program.wait(PATIENCE) == 0
