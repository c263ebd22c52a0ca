"""Orders ahead in a shared game: the hub carries them out, keeps them when it restarts, and tells no other seat."""

from __future__ import annotations

import pytest

from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.engine.refusal import Refusal
from paxtui.server import messages
from paxtui.server.client import HubClient
from paxtui.server.messages import frame_message
from paxtui.session.session import LeaveOrders
from paxtui.tui.base.screen import ChoiceList
from paxtui.tui.base.settings import Settings
from paxtui.tui.diplomacy.orders_ahead import OrdersAheadScreen
from tests.server.waiting import in_movement, wait
from tests.waiting import until

SECRET = "place interest siam if britain places interest in egypt"


def leave_orders(session, *lines: str, standing: bool = False) -> None:
    session.perform(LeaveOrders(session.orders_ahead.version, tuple((line, standing) for line in lines)))


def connect_britain_and_france(running):
    """Return the sessions of Britain and France in the Movement Phase, France with its list of orders ahead."""
    britain = running.session("britain")
    in_movement(britain)
    france = running.session("france")
    wait(france, lambda: france.orders_ahead is not None)
    return britain, france


def test_hub_carries_out_orders_of_absent_players(running):
    britain, france = connect_britain_and_france(running)
    leave_orders(france, SECRET, "ready")
    wait(france, lambda: len(france.orders_ahead.lines) == 2 and france.orders_ahead.lines[0].why)
    france.close()
    running.stop()
    running.start()
    britain = running.session("britain")
    britain.act_text("place interest egypt")
    wait(britain, lambda: any(m.power == "france" for m in britain.live.areas["siam"].markers))
    france = running.session("france")
    wait(france, lambda: france.orders_ahead and france.orders_ahead.outcomes)
    assert (SECRET, "done") in [(outcome.text, outcome.kind) for outcome in france.orders_ahead.outcomes]


def test_orders_ahead_reach_no_other_seat(running):
    britain, france = connect_britain_and_france(running)
    spectator = HubClient(running.data_directory.socket)
    spectator.join(running.ask("ticket", game="friday", seat="spectator")["ticket"])
    spectator.watch_orders_ahead()
    received: list[bytes] = []
    read = britain.game._client._frames.take
    britain.game._client._frames.take = lambda data: (received.append(data), read(data))[1]
    leave_orders(france, SECRET)
    wait(france, lambda: france.orders_ahead.lines)
    britain.act_text("place interest kongo")
    assert not any(b"siam if britain" in data for data in received)
    assert britain.orders_ahead is not None and not britain.orders_ahead.lines
    spectator.wait_for_data()
    assert all(m.orders is None for m in spectator.receive() if isinstance(m, messages.OrdersAheadList))
    for answer in (running.ask("status"), running.ask("log", game="friday", seat="")):
        assert "siam if britain" not in str(answer)
    root = running.data_directory.root
    found = [p.name for p in root.rglob("*") if p.is_file() and b"siam if britain" in p.read_bytes()]
    assert found == ["friday.ahead.json"]


def test_new_player_of_a_seat_gets_an_empty_list(running):
    _, france = connect_britain_and_france(running)
    leave_orders(france, SECRET)
    ann = running.hub.players.redeem("ssh-ed25519 Ann", running.hub.players.invite("x", "japan"), "Ann")[0]
    running.ask("seat", game="friday", seat="france", player=ann)
    wait(france, lambda: not france.orders_ahead.lines)
    assert b"siam" not in (running.data_directory.games / "friday.ahead.json").read_bytes()


def test_wrong_and_stale_lists_are_refused(running):
    _, france = connect_britain_and_france(running)
    with pytest.raises(Refusal, match="Order 1"):
        leave_orders(france, "dance")
    leave_orders(france, SECRET)
    with pytest.raises(Refusal, match="just been carried out"):
        france.perform(LeaveOrders(0, ()))
    wire = HubClient(running.data_directory.socket)
    wire._socket.sendall(frame_message(messages.encode(messages.WatchOrdersAhead())))
    with pytest.raises(OSError):  # this connection has not joined a game
        while True:
            wire.wait_for_data()


async def test_screen_of_orders_ahead(running, home):
    _, france = connect_britain_and_france(running)
    app = SeatApp(france, Settings(reports="none", remind=False))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("x")
        await until(lambda: isinstance(app.screen, OrdersAheadScreen), pilot=pilot)
        await pilot.press("a", *"dance", "enter")
        assert "dance" in app.screen.words()
        await pilot.press("escape")
        await pilot.press("a", *"negotiation:ready", "enter")
        await until(lambda: france.orders_ahead.lines, pilot=pilot)
        await pilot.press("s", *"garrison", "enter")
        await until(lambda: len(france.orders_ahead.lines) == 2, pilot=pilot)
        rows = app.screen.query_one(ChoiceList).options
        assert [str(row.prompt) for row in rows] == ["       negotiation:ready", "stays  garrison"]
        await pilot.press("plus")
        await until(lambda: france.orders_ahead.lines[0].text == "negotiation:ready", pilot=pilot)
        await pilot.press("end", "plus")
        await until(lambda: france.orders_ahead.lines[0].text == "garrison", pilot=pilot)
        await pilot.press("d")
        await until(lambda: [line.text for line in france.orders_ahead.lines] == ["negotiation:ready"], pilot=pilot)
        await pilot.press("escape")
        leave_orders(france, "place interest siam")
        await until(lambda: any("was carried out" in n.message for n in app._notifications), pilot=pilot)


async def test_hub_keeps_a_seat_ready_until_something_concerns_it(running, home):
    britain, france = connect_britain_and_france(running)
    france.act_text("place interest siam")
    app = SeatApp(france, Settings(reports="none", remind=False))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("R")
        await until(lambda: france.orders_ahead.stays_ready and "france" in france.live.ready, pilot=pilot)
        await until(lambda: "until something concerns you" in app.screen.words(), pilot=pilot)
    wait(britain, lambda: "france" in britain.live.ready)
    britain.act_text("place influence egypt")  # makes France unready; the hub makes it ready again
    wait(britain, lambda: "france" in britain.live.ready)
    britain.act_text("place influence siam")
    france = running.session("france")
    wait(france, lambda: france.orders_ahead and france.orders_ahead.outcomes)
    assert "france" not in france.live.ready and not france.orders_ahead.stays_ready
