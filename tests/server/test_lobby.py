"""The lobby: visitors see only games that concern them, and take only seats that they may take."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest
from textual.widgets import Input

from paxtui.cli.hosting.remote_plain import LineTerminal, open_lobby_plain
from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.cli.plain.status import advice_lines
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.server.client import ConnectionLost, LobbyClient
from paxtui.server.remote_game import open_remote_game
from paxtui.server.remote_session import RemoteSession
from paxtui.session.advice import NO_ADVICE
from paxtui.session.lobby import LobbyGame, LobbySeat, LobbyView, game_details, lobby_rows
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import SendChat
from paxtui.session.tables.loader import load_tables
from paxtui.tui.base.dialogs import InputDialog, PickDialog
from paxtui.tui.base.settings import Settings
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.start_screens.hosting import LobbyScreen
from tests.server.conftest import POWERS
from tests.server.waiting import in_movement, wait
from tests.waiting import until

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def stranger(running, name: str = "Zoe") -> str:
    return running.hub.players.meet(f"ssh-ed25519 {name}", name)


def choices(client: LobbyClient) -> list[tuple[str, str, str]]:
    found = lobby_rows(client.look(), NOW)
    each = [choice for row in found for choice in (row.choices or (row,))]
    return [(row.way, row.table.name, row.seat) for row in each if row.table]


def test_lobby_shows_own_seat_and_other_players(running):
    ann, bob = running.register("Ann", "france"), running.register("Bob", "germany")
    britain = running.session("britain")
    in_movement(britain)
    client = running.lobby(ann)
    (table,) = client.look().tables
    france = next(seat for seat in table.seats if seat.seat == "france")
    assert (france.holder, bool(france.since)) == ("you", True)
    germany = next(seat for seat in table.seats if seat.seat == "germany")
    assert (germany.holder, germany.name, germany.here) == ("player", "Bob", False)
    assert next(seat for seat in table.seats if seat.seat == "britain").here
    assert choices(client) == [("sit", "friday", "france")]
    assert "Britain (free, here" in game_details(table, NOW)[1]
    germany = running.session("germany", player=bob)
    wait(britain, lambda: germany.game.fileno() and "germany" in britain.others.connected)
    assert "Germany (Bob, here" in game_details(client.look().tables[0], NOW)[1]


def test_lobby_gives_tickets_only_for_own_seats(running):
    ann = running.register("Ann", "france")
    client = running.lobby(ann)
    assert open_remote_game(running.data_directory.socket, client.sit("friday", "france")).seat == "france"
    for asked in (
        lambda: client.sit("friday", "germany"),
        lambda: client.take("friday", "germany"),
        lambda: client.sit("friday", "nowhere"),
        lambda: client.sit("../friday", "france"),
        lambda: client.open("mine", 4, "france"),
        lambda: client._request("no such thing"),
        lambda: client._request("sit", seat="france"),
        lambda: client._request("sit", player="", game="friday", seat="france"),
    ):
        with pytest.raises(Refusal):
            asked()


def test_lobby_and_seat_tickets_are_not_interchangeable(running):
    ann = running.register("Ann", "france")
    lobby_ticket = running.lobby_ticket(ann)
    seat_ticket = running.ask("ticket", game="friday", seat="france", player=ann)["ticket"]
    with pytest.raises(ConnectionLost):
        open_remote_game(running.data_directory.socket, lobby_ticket)
    with pytest.raises(ConnectionLost):
        LobbyClient(running.data_directory.socket, seat_ticket)


def test_free_seats_are_taken_if_the_host_allows_it(running):
    ann, zoe = running.register("Ann", "france"), stranger(running)
    running.hub.terms.set("friday", {"seats": "known"})
    assert ("take", "friday", "germany") in choices(running.lobby(ann))
    assert running.lobby(zoe).look().tables == ()
    running.hub.terms.set("friday", {"seats": "anybody"})
    running.hub.players.invite("friday", "britain")  # offered, so not free
    client = running.lobby(zoe)
    assert ("take", "friday", "britain") not in choices(client)
    assert open_remote_game(running.data_directory.socket, client.take("friday", "germany")).seat == "germany"
    assert running.hub.players.at("friday", "germany") == zoe
    with pytest.raises(Refusal):
        running.lobby(ann).take("friday", "germany")
    assert running.hub.players.is_known(zoe)


def test_code_is_redeemed_in_the_lobby_and_guessing_is_limited(running):
    ann = running.register("Ann", "france")
    code = running.hub.players.invite("friday", "germany")
    client = running.lobby(ann)
    assert open_remote_game(running.data_directory.socket, client.redeem(code)).seat == "germany"
    for _ in range(30):
        with pytest.raises(Refusal) as refused:
            client.redeem("AAAA-AAAA-AAAA")
    assert "many wrong codes" in refused.value.message
    with pytest.raises(Refusal):
        client.redeem(running.hub.players.invite("friday", "britain"))


def test_known_players_open_games_if_the_host_allows_it(running):
    ann, bob = running.register("Ann", "france"), running.register("Bob", "germany")
    running.hub.terms.let_open("known")
    client = running.lobby(ann)
    assert client.look().opens and not running.lobby(stranger(running)).look().opens
    table = open_remote_game(running.data_directory.socket, client.open("Saturday", 4, "france"))
    assert (table.name, table.seat, len(table.state.players)) == ("Saturday", "france", 4)
    assert ("take", "Saturday", "britain") in choices(running.lobby(bob))
    for name in ("Saturday", "../evil", "", "a\x1b[2J"):
        with pytest.raises(Refusal):
            client.open(name, 4, "france")
    with pytest.raises(Refusal):
        client.open("Sunday", 4, "spain")


def test_host_can_take_any_seat(running):
    running.register("Ann", "france")
    client = running.lobby()
    assert ("take", "friday", "france") in choices(client)
    assert open_remote_game(running.data_directory.socket, client.take("friday", "france")).seat == "france"
    assert running.hub.players.at("friday", "france") != ""


def test_spectators_need_permission_and_are_delayed(running):
    now = ["2035-01-01T12:00:00+00:00"]
    running.hub._clock = running.hub.games._clock = lambda: now[0]
    ann = running.register("Ann", "france")
    running.hub.terms.set("friday", {"watch": "nobody"})
    with pytest.raises(Refusal):
        running.lobby(ann).watch("friday")
    running.ask("terms", game="friday", watch="known", delay="10")
    hosted = running.hub.games.game("friday")
    hosted._clock = hosted.host._clock = running.hub._clock
    britain = running.session("britain")
    in_movement(britain)
    britain.perform(SendChat("nobody behind us hears this yet"))
    spectator = RemoteSession(open_remote_game(running.data_directory.socket, running.lobby(ann).watch("friday")))
    assert (spectator.version, spectator.chat.lines) == (1, [])
    now[0] = "2035-01-01T12:09:59+00:00"
    running.do(_catch_up(running))
    spectator.receive()
    assert spectator.version == 1
    now[0] = "2035-01-01T12:10:00+00:00"
    running.do(_catch_up(running))
    wait(spectator, lambda: spectator.live.phase == "movement" and spectator.chat.lines)
    assert running.session(SPECTATOR).version == spectator.version


async def _catch_up(running) -> None:
    hosted = running.hub.games.game("friday")
    hosted.catch_up()
    running.hub._broadcast_chat(hosted)


def test_scenario_is_opened_in_the_lobby(running):
    ann = running.register("Ann", "france")
    running.hub.terms.let_open("known")
    client = running.lobby(ann)
    table = open_remote_game(running.data_directory.socket, client.open("Saturday", "duel", "france"))
    assert (table.seat, table.state.scenario, table.state.last_turn) == ("france", "duel", 6)
    for scenario, seat in (("duel", "germany"), ("place-in-the-sun", "germany"), ("moon", "france")):
        with pytest.raises(Refusal):
            client.open("Sunday", scenario, seat)


def test_lobby_names_a_game_that_cannot_be_opened(running):
    (running.data_directory.games / "broken.jsonl").write_text("not a log\n")
    ann = running.register("Ann", "france")
    client = running.lobby(ann)
    assert [(table.name, bool(table.trouble)) for table in client.look().tables] == [
        ("friday", False),
        ("broken", True),
    ]


def test_lobby_in_plain_mode(running, home):
    PaxHost.new(load_tables(), POWERS, "2", path=running.data_directory.games / "x.jsonl").close()
    running.hub.terms.set("x", {"seats": "known"})
    ann = running.register("Ann", "france")
    ticket = running.lobby_ticket(ann)
    keys, typed = os.pipe()
    shown, screen = os.pipe()
    os.write(typed, b"99\n\n2\n3\nstatus\nquit\n2\nquit\n3\nnonsense\nleave\n")
    assert open_lobby_plain(running.data_directory.socket, ticket, LineTerminal(keys, screen)) == 0
    os.close(screen)
    with open(shown, encoding="utf-8") as stream:
        output = stream.read()
    assert "1. friday: France, yours (1880, Random Events)" in output
    assert "2. x: 4 seats to take, watch (1880, Random Events)" in output
    assert "3. x: Germany, free (1880, Random Events)" in output
    assert "Type a number from 1 to 4" in output
    assert "germany> " in output and "france> " in output
    assert "This code is not valid" in output
    assert running.hub.players.at("x", "germany") == ann


async def test_lobby_leads_to_the_seat_and_back(running, home):
    PaxHost.new(load_tables(), POWERS, "2", path=running.data_directory.games / "x.jsonl").close()
    ann = running.register("Ann", "france")
    running.hub.players.seat("x", "united_states", ann)
    app = SeatApp(None, Settings(reports="none", remind=False), running.lobby(ann), running.data_directory.socket)
    async with app.run_test(size=(100, 30)) as pilot:
        assert isinstance(app.screen, LobbyScreen)
        await until(lambda: "friday: France, yours (1880" in app.screen.words())
        await pilot.press("down", "enter")
        await until(lambda: isinstance(app.screen, GameScreen), pilot=pilot)
        assert app.screen.session.seat == "united_states"
        await pilot.press("q")
        await pilot.pause()
        assert isinstance(app.screen, LobbyScreen)
        running.hub.players.seat("x", "united_states", "")
        await pilot.press("enter")  # the host has taken the seat from her
        await pilot.pause()
        assert isinstance(app.screen, LobbyScreen) and app.crash is None
        await pilot.press("c", *"nonsense", "enter", "q")
    assert app.return_code == 0


async def test_notifications_are_set_in_the_lobby(running, home):
    ann = running.register("Ann", "france")
    app = SeatApp(None, Settings(), running.lobby(ann), running.data_directory.socket)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        await until(lambda: isinstance(app.screen, PickDialog), pilot=pilot)
        assert "webhook   -" in app.screen.words()
        await pilot.press("a")
        await until(lambda: isinstance(app.screen, InputDialog), pilot=pilot)
        app.screen.query_one(Input).value = "https://ntfy.sh/my-topic"
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, PickDialog), pilot=pilot)
        assert "ntfy.sh/my-t... (ntfy)" in app.screen.words()
        await pilot.press("escape")
        assert isinstance(app.screen, LobbyScreen)
    assert running.hub.notifications.settings(ann).webhook == "https://ntfy.sh/my-topic"
    output: list[str] = []
    terminal = LineTerminal()
    answers = iter(["notify quiet 1", "notify quiet 22:00-07:00", "leave"])
    terminal.line = lambda *_: next(answers)
    terminal.print_lines = output.extend
    open_lobby_plain(running.data_directory.socket, running.lobby_ticket(ann), terminal)
    assert any("Quiet hours are written as" in line for line in output)
    assert "quiet     22:00-07:00" in output


def test_stopped_server_opens_no_game(running):
    """A request may still be on its way when a server stops; the next one needs the log."""
    games, path = running.hub.games, running.data_directory.game_file("friday")
    running.stop()
    with pytest.raises(Refusal, match="the server is stopping"):
        games.game("friday")
    PaxHost.open(path).close()


async def test_lobby_retries_after_a_server_restart(running, home):
    client = running.lobby(running.register("Ann", "france"))
    app = SeatApp(None, Settings(), client, running.data_directory.socket)
    async with app.run_test(size=(80, 24)) as pilot:
        running.stop()
        await pilot.press("r")
        await until(lambda: any("Try again" in note.message for note in app._notifications))
        running.start()
        await pilot.press("r")
        await until(lambda: "friday" in app.screen.words())
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, GameScreen), pilot=pilot)


def fifty_games() -> LobbyView:
    """Fifty games: one waits for Ann, some are finished, each has two free seats."""
    numbers = sorted(range(1, 51), key=lambda n: n != 7)
    return LobbyView("Ann", tuple(listed_game(f"g{n}", over=n % 10 == 0) for n in numbers), True)


def listed_game(name: str, over: bool = False) -> LobbyGame:
    waits = "2029-12-31T22:00:00+00:00" if name == "g7" else ""
    seats = [LobbySeat("france", "you", since=waits, title="France")]
    seats += [LobbySeat("germany", "player", "Bob", title="Germany")]
    free = [LobbySeat(seat, "nobody", open=not over, title=seat.title()) for seat in ("britain", "russia")]
    return LobbyGame(name, 1884, 2, "Movement/Status Change", over, (*seats, *free))


def test_fifty_games_are_listed_with_finished_games_apart():
    found = lobby_rows(fifty_games(), NOW)
    assert [row.way for row in found] == ["choose"] * 46 + ["code", "open", "leave"]
    where = "(1884, Movement/Status Change)"
    assert found[0].text == f"g7: you are France, 2 seats to take {where} - waiting for you since 2 hours"
    assert found[0].waits and [row.seat for row in found[0].choices] == ["france", "britain", "russia"]
    assert found[45].text == "Finished games (5)" and {row.way for row in found[45].choices} == {"sit"}


def test_search_finds_names_powers_and_players():
    def shown(wanted: str) -> list[str]:
        found = lobby_rows(fifty_games(), NOW, wanted)
        finished = [choice for row in found if not row.table for choice in row.choices]
        return [row.table.name for row in (*found, *finished) if row.table]

    assert shown("g2") == ["g2", *(f"g2{n}" for n in range(1, 10)), "g20"]
    assert len(shown("GERMANY bob")) == 50 and shown("zoe") == []


def test_names_with_numbers_are_sorted_naturally(running):
    names = ["g1", "g2", "g10", "G11", "h"]
    for name in reversed(names):
        PaxHost.new(load_tables(), POWERS, "2", path=running.data_directory.games / f"{name}.jsonl").close()
    assert running.data_directory.names() == ["friday", *names]
    running.hub.terms.set("g10", {"watch": "anybody"})
    running.hub.terms.set("g2", {"watch": "anybody"})
    assert [t.name for t in running.lobby(stranger(running)).look().tables] == ["g2", "g10"]


async def test_lobby_search_on_the_screen(running, home):
    for name in ("g2", "g10"):
        PaxHost.new(load_tables(), POWERS, "2", path=running.data_directory.games / f"{name}.jsonl").close()
        running.hub.terms.set(name, {"seats": "known"})
    app = SeatApp(
        None,
        Settings(reports="none", remind=False),
        running.lobby(running.register("Ann", "france")),
        running.data_directory.socket,
    )
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        await pilot.press("down")
        await pilot.pause()
        assert "g2: 4 seats to take, watch" in app.screen.words()
        await pilot.press("slash", *"g10", "enter")
        await pilot.pause()
        words = app.screen.words()
        assert "g10: 4 seats" in words and 'games with "g10"' in words
        await pilot.press("enter", "down", "down")
        await pilot.pause()
        assert "g10: Germany, free" in app.screen.words()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, GameScreen) and app.screen.session.seat == "germany"


async def test_host_switches_advice_off(running, home):
    running.hub.games.advice = False
    britain = running.session("britain")
    in_movement(britain)
    assert advice_lines(britain) == [NO_ADVICE]
    app = SeatApp(running.session("france"), Settings(reports="none", remind=False))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("g")
        await pilot.pause()
        assert [note.message for note in app._notifications] == [NO_ADVICE]
        assert app.thinker.pid is None
