"""The clock of a shared game: it ends turns, warns and stops in a pause. Setting the system clock ends no turn."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.cli.main import main
from paxtui.cli.plain.status import standing_lines
from paxtui.engine.refusal import Refusal
from tests.server.conftest import POWERS, HubClocks, RunningHub
from tests.server.waiting import in_movement, wait


class TimedHub(RunningHub):
    """A hub whose clocks the test moves."""

    def __init__(self, root: Path) -> None:
        self.notices: list[dict[str, str]] = []
        super().__init__(root, times=HubClocks(), tell=lambda notice: self.notices.append(dict(notice)))

    @property
    def left(self):
        """Seconds left."""
        return self.hub.games.game("friday").time.now.left

    def pass_(self, seconds: float) -> None:
        """Move the clocks, and let the hub act."""
        self.times.pass_(seconds)
        self.tend()

    def set_clock(self, limits: str = "any=600", then: str = "default", warn: str = "60") -> None:
        """Set the clock of the game."""
        self.ask_game("clock", what="set", limits=limits, then=then, warn=warn)


@pytest.fixture
def timed():
    with TemporaryDirectory(prefix="pax") as root:
        running = TimedHub(Path(root) / "data")
        yield running
        running.stop()


def connect_all(timed, seats=POWERS):
    """Connect all players, in the first Movement Phase, with ten minutes."""
    sessions = [timed.session(seat) for seat in seats]
    in_movement(*sessions)
    timed.set_clock()
    wait(sessions[0], lambda: sessions[0].clock.left_s is not None)
    return sessions


def log_of(session) -> list[str]:
    return [entry.text for entry in session.view.log() if entry.kind == "clock"]


def test_timeout_takes_defaults_and_is_logged(timed):
    britain, france, *_ = connect_all(timed)
    britain.act_text("ready")
    timed.pass_(599)
    assert timed.host.state.phase == "movement"
    timed.pass_(1)
    wait(france, lambda: france.live.phase != "movement")
    assert "The time is over for France, Germany, United States: defaults are taken." in log_of(france)
    assert timed.host.verify() == []
    assert timed.left > 590 or timed.left == -1  # a new Phase has its own time


def test_timeout_lets_the_caretaker_act(timed):
    britain, france, *_ = connect_all(timed)
    timed.set_clock(then="caretaker")
    britain.receive()
    britain.act_text("ready")
    timed.pass_(600)
    wait(france, lambda: france.live.phase != "movement")
    acts = [line for line in timed.host.game.lines if line.kind == "act" and line.seat == "france"]
    assert acts and acts[-1].action["type"] in ("ready", "choose")
    assert "The time is over for France, Germany, United States: the caretaker acts." in log_of(france)
    assert not any(timed.host.occupant(seat).is_automatic for seat in POWERS)  # players keep their seats
    assert timed.host.verify() == []


def test_timeout_asks_the_host(timed, capsys):
    _, france, *_ = connect_all(timed)
    timed.set_clock(then="arbiter")
    timed.pass_(600)
    wait(france, lambda: any("the host is asked" in text for text in log_of(france)))
    assert timed.host.state.phase == "movement"
    asked = "The time of Great Britain, France, Germany, United States is over. The host must decide (--end or --give)."
    assert asked in timed.ask_game("clock")["told"]
    france.act_text("ready")
    assert "The time of Great Britain, Germany, United States is over" in timed.ask_game("clock")["told"]
    timed.ask_game("clock", what="give", seconds="60")
    assert "The host must decide" not in timed.ask_game("clock")["told"]
    timed.pass_(700)
    assert main(["status", "--data", str(timed.data_directory.root)]) == 0
    assert "The time of Great Britain" in capsys.readouterr().out
    timed.ask_game("clock", what="end", then="default")
    wait(france, lambda: france.live.phase != "movement")
    assert "The host must decide" not in timed.ask_game("clock")["told"]
    assert timed.host.verify() == []


def test_each_phase_can_have_its_own_limit(timed):
    sessions = [timed.session(seat) for seat in POWERS]
    in_movement(*sessions)
    timed.set_clock("movement=1800,any=60", warn="10")
    assert timed.left == 1800
    timed.pass_(1800)
    assert timed.host.state.phase != "movement"
    assert timed.left in (60, -1)


def test_unready_gives_no_new_time(timed):
    britain, *_ = connect_all(timed)
    timed.pass_(500)
    britain.act_text("ready")
    britain.act_text("unready")
    assert timed.left == 100


def test_host_program_gets_one_warning_for_each_late_seat(timed):
    britain, *_ = connect_all(timed)
    britain.act_text("ready")
    for seconds in (500, 39, 1, 30):
        timed.pass_(seconds)
    warnings = [notice for notice in timed.notices if "PAXTUI_LEFT" in notice]
    assert [(notice["PAXTUI_SEAT"], notice["PAXTUI_LEFT"]) for notice in warnings] == [
        ("france", "60"), ("germany", "60"), ("united_states", "60"),
    ]  # fmt: skip
    timed.ask_game("clock", what="give", seconds="600")
    timed.pass_(600)
    assert len([notice for notice in timed.notices if "PAXTUI_LEFT" in notice]) == 6


def test_client_counts_down_and_warns(timed, monkeypatch):
    britain, *_ = connect_all(timed)
    seconds = [0.0]
    monkeypatch.setattr("paxtui.session.session.monotonic", lambda: seconds[0])
    timed.ask_game("clock", what="give", seconds="60")
    wait(britain, lambda: britain.clock.left_s == 660)
    assert not britain.clock.is_short
    seconds[0] = 599.0
    assert britain.clock.left_s == 61
    seconds[0] = 600.0
    assert (britain.clock.left_s, britain.clock.is_short) == (60, True)
    assert "The host gives 1 minute more." in log_of(britain)
    late = timed.session("france")
    wait(late, lambda: late.clock.left_s is not None)
    assert late.clock.left_s == 660  # from the moment when this client joined, by its own clock


class TestPause:
    """The host pauses the game: no order is accepted, the clock stops, and players read why."""

    def test_pause_refuses_orders_and_stops_the_clock(self, timed):
        _, france, *_ = connect_all(timed)
        timed.pass_(100)
        timed.ask_game("clock", what="pause", why="the pizza is here")
        wait(france, lambda: france.clock.is_paused)
        assert "The game is paused: the pizza is here." in log_of(france)
        for act in (lambda: france.act_text("ready"), france.undo, france.redo):
            with pytest.raises(Refusal, match="The game is paused: the pizza is here") as refused:
                act()
            assert refused.value.code == "paused"
        france.act_text("dispatch britain: back in a minute")
        timed.pass_(100_000)
        assert timed.host.state.phase == "movement"
        timed.ask_game("clock", what="resume")
        wait(france, lambda: not france.clock.is_paused)
        assert timed.left == 500
        france.act_text("ready")
        timed.pass_(500)
        wait(france, lambda: france.live.phase != "movement")
        assert timed.host.verify() == []

    def test_pause_stops_bots(self, timed):
        britain, *_ = connect_all(timed)
        timed.ask_game("clock", what="pause")
        for seat in POWERS:
            timed.ask_game("sit", seat=seat, who="caretaker")
        version = timed.host.version
        timed.pass_(10)
        assert timed.host.version == version
        timed.ask_game("clock", what="resume")
        wait(britain, lambda: britain.live.phase != "movement")

    def test_invalid_clock_requests_are_refused(self, timed):
        in_movement(timed.session("britain"))
        for about, code in (
            ({"what": "resume"}, "not_paused"),
            ({"what": "give", "seconds": "60"}, "bad_clock"),
            ({"what": "set", "limits": "any=soon"}, "bad_clock"),
            ({"what": "set", "limits": "noon=60", "warn": "1"}, "bad_clock"),
            ({"what": "set", "limits": "any=5", "warn": "1"}, "bad_clock"),
            ({"what": "dance"}, "bad_clock"),
        ):
            with pytest.raises(Refusal) as refused:
                timed.ask_game("clock", **about)
            assert refused.value.code == code


class TestChangedClocks:
    """Neither a system clock that is set nor a stopped server ends a turn."""

    @pytest.mark.parametrize("seconds", [86_400, -86_400])
    def test_setting_the_system_clock_pauses_the_game(self, timed, seconds):
        _, france, *_ = connect_all(timed)
        timed.pass_(100)
        timed.times.set(seconds)
        timed.tend()
        wait(france, lambda: france.clock.is_paused)
        assert timed.host.state.phase == "movement"
        assert any("the clock of the server was set from 01 Jan 20:01 UTC to" in text for text in log_of(france))
        timed.ask_game("clock", what="resume")
        timed.tend()
        assert timed.left == 500
        assert not timed.hub.games.game("friday").time.paused
        assert timed.host.verify() == []

    def restart(self, timed, seconds: float) -> None:
        """Restart the server after some time."""
        timed.stop()
        timed.times.set(seconds)
        timed.times.seconds = 5.0  # a new process has its own monotonic clock
        timed.start()
        timed.do(self.tend(timed))

    async def tend(self, timed) -> None:
        timed.hub.games.game("friday").tend()

    def test_short_stop_of_the_server_counts(self, timed):
        connect_all(timed)
        timed.pass_(100)
        self.restart(timed, 200)
        assert timed.left == 300
        timed.pass_(300)
        assert timed.host.state.phase != "movement"

    @pytest.mark.parametrize("seconds", [700, -700])
    def test_game_is_paused_if_time_ran_out_during_a_stop(self, timed, seconds):
        connect_all(timed)
        timed.pass_(100)
        self.restart(timed, seconds)
        assert timed.hub.games.game("friday").time.paused
        assert timed.host.state.phase == "movement"
        france = timed.session("france")
        wait(france, lambda: france.clock.is_paused)
        why = "kept running while the server was stopped" if seconds > 0 else "was set back"
        assert any(why in text for text in log_of(france))
        timed.ask_game("clock", what="resume")
        assert timed.left == (60 if seconds > 0 else 600)
        timed.pass_(timed.left)
        assert timed.host.state.phase != "movement"

    def test_pause_survives_a_restart(self, timed):
        connect_all(timed)
        timed.pass_(100)
        timed.ask_game("clock", what="pause")
        self.restart(timed, 10_000)
        assert timed.hub.games.game("friday").time.paused
        timed.ask_game("clock", what="resume")
        assert timed.left == 500

    def test_damaged_clock_file_restarts_the_time(self, timed):
        connect_all(timed)
        timed.pass_(100)
        timed.stop()
        (timed.data_directory.games / "friday.clock").write_bytes(b"\xff{")
        timed.start()
        timed.tend()
        assert timed.left == 600

    def test_time_left_is_not_in_the_log(self, timed):
        connect_all(timed)
        assert b'"left"' not in (timed.data_directory.games / "friday.jsonl").read_bytes()
        assert b'"left"' in (timed.data_directory.games / "friday.clock").read_bytes()


def test_clock_commands_of_the_host(timed, capsys):
    in_movement(*[timed.session(seat) for seat in POWERS])
    data = ["--data", str(timed.data_directory.root)]
    assert main(["clock", "friday", *data]) == 0
    assert main(["clock", "friday", "--each", "10m", "--phase", "movement=1h30m", "--then", "caretaker", *data]) == 0
    output = capsys.readouterr().out
    assert "The clock: Movement/Status Change 1 hour 30 minutes, any other Phase 10 minutes" in output
    assert "1 hour 30 minutes left." in output
    assert main(["clock", "friday", "--give", "30m", "--pause", "dinner", *data]) == 0
    assert "Paused: dinner." in capsys.readouterr().out
    assert main(["status", *data]) == 0
    assert "Paused: dinner." in capsys.readouterr().out
    assert main(["clock", "friday", "--resume", "--end", "default", *data]) == 0
    assert timed.host.state.phase != "movement"
    assert main(["clock", "friday", "--off", *data]) == 0
    capsys.readouterr()
    for wrong in (["--each", "soon"], ["--phase", "movement"], ["--then", "default"]):
        assert main(["clock", "friday", *wrong, *data]) == 2
    assert capsys.readouterr().err.count("paxtui: ") == 3


def test_waiting_times_survive_a_restart(timed, capsys):
    sessions = [timed.session(seat) for seat in POWERS]
    in_movement(*sessions)
    timed.times.pass_(3600)
    sessions[0].act_text("place influence siam")
    timed.stop()
    timed.times.pass_(3600)
    timed.start()
    assert main(["status", "--data", str(timed.data_directory.root)]) == 0
    output = capsys.readouterr().out
    assert "france (since 2026-01-01 20:00)" in output
    assert "ready      -" in output


def test_plain_mode_shows_the_clock(timed, monkeypatch):
    britain, *_ = connect_all(timed)
    wait(britain, lambda: britain.clock.left_s is not None)
    monkeypatch.setattr("paxtui.session.session.monotonic", lambda: britain.clock._at_s + 328.0)
    assert "4 minutes 32 seconds left." in standing_lines(britain)
    timed.ask_game("clock", what="pause", why="dinner")
    wait(britain, lambda: britain.clock.is_paused)
    assert "The game is paused." in standing_lines(britain)
