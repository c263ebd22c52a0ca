"""Exercises of Empires in Arms on a server: two players over SSH, a bot, secrets, undo, the clock."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pexpect
import pytest

from paxtui.cli.hosting.remote_screen import SeatApp
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import SPECTATOR
from paxtui.games.empires.calendar import turn_of
from paxtui.server.data_directory import DataDirectory
from paxtui.server.remote_exercise import RemoteExercise
from paxtui.session.bot_runner import suggest_orders
from paxtui.session.game_host import GameHost
from paxtui.session.hosts import new_game, open_game
from paxtui.tui.base.settings import Settings
from paxtui.tui.rendering import key_queue
from tests.server.conftest import HubClocks, RunningHub
from tests.server.ssh import PlainSshPlayer, ServerProcess
from tests.waiting import until, wait_until

PLAYERS = {"ann": "great_britain", "pierre": "france"}
STEADY = SeatOccupant(by="bot", level="steady")


def make_exercise(path: Path, name: str = "channel-1805") -> None:
    """Write an exercise in which a bot plays Spain."""
    new_game("empires", "7", scenario=name, path=path, occupants={"spain": STEADY}).close()


@pytest.fixture
def hosted():
    """A hub with one exercise, whose clocks the test moves."""
    with TemporaryDirectory(prefix="pax") as root:
        data = DataDirectory(Path(root) / "data")
        make_exercise(data.games / "friday.jsonl")
        running = RunningHub(data.root, times=HubClocks())
        yield running
        running.stop()


def exercise(running: RunningHub, seat: str) -> RemoteExercise:
    return RemoteExercise(running.table(seat))


def wait_for(session: RemoteExercise, known) -> None:
    def is_known() -> bool:
        session.game.receive()
        return known()

    wait_until(is_known)


def host_of(running: RunningHub) -> GameHost:
    return running.host


def players(running: RunningHub) -> dict[str, RemoteExercise]:
    """Connect both players, and wait until the bot has acted."""
    found = {seat: exercise(running, seat) for seat in PLAYERS.values()}
    for session in found.values():
        wait_for(session, lambda session=session: set(session.game.waiting) & set(found))
    return found


def act(running: RunningHub, sessions: dict[str, RemoteExercise]) -> str:
    """Let the player whose turn it is do what a bot would do; return its seat."""
    host = host_of(running)
    wait_until(lambda: set(host.waiting) & set(sessions))
    seat = next(seat for seat in host.waiting if seat in sessions)
    session = sessions[seat]
    wait_for(session, lambda: seat in session.game.waiting)
    session.act(suggest_orders(host, seat, "steady")[0].text)
    return seat


def test_each_client_has_the_position_of_its_seat_in_an_exercise(hosted):
    sessions = players(hosted)
    watcher = exercise(hosted, SPECTATOR)
    for _ in range(12):
        act(hosted, sessions)
    for session in (*sessions.values(), watcher):
        wait_for(session, lambda s=session: s.game.version == host_of(hosted).version_for(s.seat))
        assert session.state == host_of(hosted).state_for(session.seat)
        assert session.menu == () or session.seat in session.game.waiting
    assert [*watcher.log()], "a spectator reads what is public"
    with pytest.raises(Refusal, match="spectator"):
        watcher.act("done")
    assert host_of(hosted).verify() == []


def test_stale_order_is_refused_in_an_exercise(hosted):
    sessions = players(hosted)
    host = host_of(hosted)
    first = next(seat for seat in host.waiting if seat in sessions)
    again = exercise(hosted, first)
    order = suggest_orders(host, first, "steady")[0].text
    sessions[first].act(order)
    with pytest.raises(Refusal) as refused:
        again.act(order)
    assert refused.value.code == "stale" or first not in host.waiting


def test_undo_in_an_exercise(hosted):
    sessions = players(hosted)
    before = host_of(hosted).state
    seat = act(hosted, sessions)
    sessions[seat].undo()
    wait_for(sessions[seat], lambda: sessions[seat].game.version == host_of(hosted).version_for(seat))
    assert host_of(hosted).state == before or "undo_request" in str(host_of(hosted).game.lines[-1].action)


def test_timeout_takes_the_default_in_an_exercise(hosted):
    sessions = players(hosted)
    hosted.ask("clock", game="friday", what="set", limits="any=60", then="default", warn="10")
    late = next(seat for seat in host_of(hosted).waiting if seat in sessions)
    wait_for(sessions[late], lambda: sessions[late].game.clock.left_s is not None)
    before = host_of(hosted).version
    hosted.times.pass_(61)
    hosted.tend()
    assert host_of(hosted).version > before
    assert any(line.seat == late for line in host_of(hosted).game.lines_after(before))


def test_exercise_in_lobby_status_and_backup(hosted, tmp_path):
    sessions = players(hosted)
    (game,) = hosted.ask("status")["games"]
    assert (game["year"], set(game["seats"])) == (1805, {"great_britain", "france", "spain"})
    assert set(game["waits_for"]) <= set(game["seats"]) and "trouble" not in game
    view = hosted.do(_look(hosted))
    (table,) = view.tables
    assert {seat.title for seat in table.seats} >= {"Great Britain", "France"} and table.phase.endswith("navy")
    sessions["france"].close()
    hosted.ask("backup", path=str(tmp_path / "backup"))
    assert hosted.ask("log", game="friday", seat="")["log"].count('"rulebook":"empires"') == 1


async def _look(running: RunningHub):
    return running.hub._lobby.look("")


def screen_of(running: RunningHub, seat: str) -> SeatApp:
    return SeatApp(exercise(running, seat), Settings())


def shown(app: SeatApp) -> str:
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


async def is_shown(app: SeatApp, *wanted: str) -> None:
    await until(lambda: all(text in shown(app) for text in wanted), lambda: shown(app))


async def test_exercise_is_played_on_the_screen(hosted, home, monkeypatch):
    """The first player chooses an act from the list, sees the other player's act, and leaves."""
    monkeypatch.setattr(key_queue, "MIN_VISIBLE_S", 0.0)
    sessions, host = players(hosted), host_of(hosted)
    first = next(seat for seat in host.waiting if seat in sessions)
    app = screen_of(hosted, first)
    async with app.run_test(size=(160, 50)) as pilot:
        await is_shown(app, f"{host.rules.seat_name(first)} is to act.", "Record sheet")
        before = host.version
        await pilot.press("down", "enter")
        await until(lambda: len(app.screen_stack) > 2 or host.version > before)
        if len(app.screen_stack) > 2:  # a group: its first act
            await pilot.press("down", "enter")
        await until(lambda: host.version > before)
        await until(lambda: app._session.game.version == host.version_for(first))
        assert any(line.seat == first and line.kind == "act" for line in host.game.lines_after(before))
        while first in host.waiting:
            app.screen._do(suggest_orders(host, first, "steady")[0].text)
            await until(lambda: not app._session.is_answer_pending)
        await is_shown(app, "Waiting for ")
        other = act(hosted, {seat: one for seat, one in sessions.items() if seat != first})
        text = next(text for n, text in reversed([*sessions[other].log()]))
        await is_shown(app, text[:40])
        await pilot.press("q", "y")
        await until(lambda: app._exit)
    assert app.crash is None and app.return_code in (0, None)
    assert host.verify() == []


async def test_spectator_has_the_screen_of_an_exercise(hosted, home):
    players(hosted)
    app = screen_of(hosted, SPECTATOR)
    async with app.run_test(size=(160, 50)) as pilot:
        await is_shown(app, "Waiting for ")
        await pilot.press("d")
        await until(lambda: app._notifications)
        assert "spectator" in next(iter(app._notifications)).message


class ExercisePlayer(PlainSshPlayer):
    """A player in plain mode, connected with OpenSSH."""

    def __init__(self, served: ServerProcess, name: str, code: str) -> None:
        super().__init__(served, name)
        self.expect("code")
        self.send_line(code)
        self.expect("order> ")

    def order(self, text: str, is_done: Callable[[], bool]) -> bool:
        """Type an order; return whether it was carried out. It is refused if another has acted in between."""
        self.send_line(text)
        output = b""

        def is_answered() -> bool:
            nonlocal output
            with suppress(pexpect.TIMEOUT):
                output += self.child.read_nonblocking(1 << 16, timeout=0)
            return is_done() or b"No: " in output

        wait_until(is_answered, lambda: output.decode()[-2000:])
        self.output += output
        return b"No: " not in output


EXERCISES = {
    "channel-1805": (PLAYERS, {"spain"}),
    "ulm-1805-two": ({"ann": "france", "pierre": "austria"}, set()),
}
"""The players of each exercise that is played over SSH, by their names, and the seats of bots."""
MOST_REFUSED = 50
"""Maximum number of orders that are refused one after the other, because a bot acted in between."""


class GrowingLog:
    """A game that a server writes. It is read again only when its log has grown."""

    def __init__(self, path: Path) -> None:
        self.path, self._read_bytes = path, 0

    def size(self) -> int:
        """Return the size of the log in bytes."""
        return self.path.stat().st_size

    def has_ended(self) -> bool:
        """Whether the last line ends the game, which need not be read for that."""
        return b'"ended"' in self.path.read_bytes().rstrip().rpartition(b"\n")[2]

    @property
    def game(self) -> GameHost:
        """The game so far."""
        if (size := self.size()) > self._read_bytes:
            self._game, self._read_bytes = open_game(self.path, write=False), size
        return self._game


@pytest.mark.parametrize("exercise", EXERCISES)
def test_two_players_finish_an_exercise_over_ssh(exercise):
    """Each player types what a bot would do. In the campaign bots of the server take over after two months."""
    people, bots = EXERCISES[exercise]
    with TemporaryDirectory(prefix="pax") as root:
        path = Path(root) / "friday.jsonl"
        new_game("empires", "7", scenario=exercise, path=path, occupants=dict.fromkeys(bots, STEADY)).close()
        served = ServerProcess(Path(root), path, options=("--dice", "plain"))
        log = GrowingLog(served.data / "games" / "friday.jsonl")

        def game_for_a_person() -> GameHost:
            """Return the game as soon as a person must act, or it is over."""
            wait_until(lambda: log.game.is_over or {*log.game.waiting} & {*people.values()})
            return log.game

        try:
            at = {seat: ExercisePlayer(served, name, served.code("friday", seat)) for name, seat in people.items()}
            refused = 0
            while not (game := game_for_a_person()).is_over:
                if exercise == "ulm-1805-two" and game.state.turn > turn_of("1805-10"):
                    for seat in at:
                        served.command("seat", "friday", seat, "--to", "steady")
                    break
                seat = next(seat for seat in game.waiting if seat in at)
                size = log.size()
                first, *_ = suggest_orders(game, seat, "steady")  # the rest may be out of date when others have acted
                if at[seat].order(first.text, lambda size=size: log.size() > size):
                    refused = 0
                else:
                    refused += 1
                    assert refused < MOST_REFUSED, at[seat].output[-2000:]
            while not log.has_ended():  # on a busy machine all moves of the bots take longer than one wait
                size = log.size()
                wait_until(lambda size=size: log.size() > size or log.has_ended())
            for player in at.values():
                player.send_line("")
                player.expect("The exercise is over. Won by")
                player.send_line("quit")
            assert "friday" in served.command("status")
        finally:
            served.stop()
        with open_game(log.path, write=False) as game:
            assert game.is_over and game.verify() == []
            assert {line.seat for line in game.game.lines if line.kind == "act"} == {*people.values(), *bots}
