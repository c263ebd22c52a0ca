"""The clock of a shared table: it ends turns, warns, stands still in a pause, and ends nobody's because it was set."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paxtui.cli.main import main
from paxtui.cli.plain.status import standing_lines
from paxtui.engine.refusal import Refusal
from paxtui.server.client import HubClient
from tests.server.conftest import POWERS, Running, Times
from tests.server.waiting import in_movement, wait


class Timed(Running):
    """A hub whose clocks go when they are told to."""

    def __init__(self, root: Path) -> None:
        self.times = Times()
        self.told: list[dict[str, str]] = []
        super().__init__(root, times=self.times, tell=lambda said: self.told.append(dict(said)))

    @property
    def table_there(self):
        """The game, as the hub has it."""
        return self.hub.game("friday").host

    @property
    def left(self):
        """Seconds that are left, by the hub."""
        return self.hub.game("friday").time.now.left

    def pass_(self, seconds: float) -> None:
        """Time passes, and the hub looks."""
        self.times.pass_(seconds)
        self.tend()

    def ask(self, ask: str = "clock", **about: str):
        """Ask as the host."""
        wire = HubClient(self.data_directory.socket)
        try:
            return wire.admin_request(ask, game="friday", **about)
        finally:
            wire.close()

    def set_clock(self, limits: str = "any=600", then: str = "default", warn: str = "60") -> None:
        """Give the table a clock."""
        self.ask(what="set", limits=limits, then=then, warn=warn)


@pytest.fixture
def timed():
    with TemporaryDirectory(prefix="pax") as root:
        running = Timed(Path(root) / "house")
        yield running
        running.stop()


def seated(timed, seats=POWERS):
    """Everybody sits, in the first Movement Phase, with ten minutes."""
    sessions = [timed.session(seat) for seat in seats]
    in_movement(*sessions)
    timed.set_clock()
    wait(sessions[0], lambda: sessions[0].clock.left_s is not None)
    return sessions


def log_of(session) -> list[str]:
    return [entry.text for entry in session.view.log() if entry.kind == "clock"]


def test_when_the_time_is_over_defaults_are_taken_and_everybody_is_told(timed):
    britain, france, *_ = seated(timed)
    britain.act_text("ready")
    timed.pass_(599)
    assert timed.table_there.state.phase == "movement"
    timed.pass_(1)
    wait(france, lambda: france.live.phase != "movement")
    assert "The time is over for France, Germany, United States: defaults are taken." in log_of(france)
    assert timed.table_there.verify() == []
    assert timed.left > 590 or timed.left == -1  # a new Phase has its own time


def test_the_caretaker_acts_for_who_is_late(timed):
    britain, france, *_ = seated(timed)
    timed.set_clock(then="caretaker")
    britain.receive()
    britain.act_text("ready")
    timed.pass_(600)
    wait(france, lambda: france.live.phase != "movement")
    acts = [line for line in timed.table_there.game.lines if line.kind == "act" and line.seat == "france"]
    assert acts and acts[-1].action["type"] in ("ready", "choose")
    assert "The time is over for France, Germany, United States: the caretaker acts." in log_of(france)
    assert not any(timed.table_there.occupant(seat).is_automatic for seat in POWERS)  # they have their seats back
    assert timed.table_there.verify() == []


def test_the_host_is_asked_and_says_what_is_done(timed, capsys):
    _, france, *_ = seated(timed)
    timed.set_clock(then="arbiter")
    timed.pass_(600)
    wait(france, lambda: any("the host is asked" in text for text in log_of(france)))
    assert timed.table_there.state.phase == "movement"
    asked = "The time of Great Britain, France, Germany, United States is over. The host must decide (--end or --give)."
    assert asked in timed.ask()["told"]
    france.act_text("ready")
    assert "The time of Great Britain, Germany, United States is over" in timed.ask()["told"]
    timed.ask(what="give", seconds="60")
    assert "The host must decide" not in timed.ask()["told"]
    timed.pass_(700)
    assert main(["status", "--data", str(timed.data_directory.root)]) == 0
    assert "The time of Great Britain" in capsys.readouterr().out
    timed.ask(what="end", then="default")
    wait(france, lambda: france.live.phase != "movement")
    assert "The host must decide" not in timed.ask()["told"]
    assert timed.table_there.verify() == []


def test_each_phase_may_have_its_own_time(timed):
    sessions = [timed.session(seat) for seat in POWERS]
    in_movement(*sessions)
    timed.set_clock("movement=1800,any=60", warn="10")
    assert timed.left == 1800
    timed.pass_(1800)
    assert timed.table_there.state.phase != "movement"
    assert timed.left in (60, -1)


def test_who_is_ready_and_takes_it_back_has_no_new_time(timed):
    britain, *_ = seated(timed)
    timed.pass_(500)
    britain.act_text("ready")
    britain.act_text("unready")
    assert timed.left == 100


def test_the_program_of_the_host_is_told_once_of_who_is_late(timed):
    britain, *_ = seated(timed)
    britain.act_text("ready")
    for seconds in (500, 39, 1, 30):
        timed.pass_(seconds)
    told = [said for said in timed.told if "PAXTUI_LEFT" in said]
    assert [(said["PAXTUI_SEAT"], said["PAXTUI_LEFT"]) for said in told] == [
        ("france", "60"), ("germany", "60"), ("united_states", "60"),
    ]  # fmt: skip
    timed.ask(what="give", seconds="600")
    timed.pass_(600)
    assert len([said for said in timed.told if "PAXTUI_LEFT" in said]) == 6


def test_a_client_counts_by_itself_and_is_warned(timed, monkeypatch):
    britain, *_ = seated(timed)
    seconds = [0.0]
    monkeypatch.setattr("paxtui.session.session.monotonic", lambda: seconds[0])
    timed.ask(what="give", seconds="60")
    wait(britain, lambda: britain.clock.left_s == 660)
    assert not britain.clock.is_short
    seconds[0] = 599.0
    assert britain.clock.left_s == 61
    seconds[0] = 600.0
    assert (britain.clock.left_s, britain.clock.is_short) == (60, True)
    assert "The host gives 1 minute more." in log_of(britain)
    late = timed.session("france")
    wait(late, lambda: late.clock.left_s is not None)
    assert late.clock.left_s == 660  # by a client's own clock, from when it was told


class TestPause:
    """The host pauses the table: nobody acts, the clock stands still, everybody is told."""

    def test_nobody_acts_and_no_time_passes(self, timed):
        _, france, *_ = seated(timed)
        timed.pass_(100)
        timed.ask(what="pause", why="the pizza is here")
        wait(france, lambda: france.clock.is_paused)
        assert "The game is paused: the pizza is here." in log_of(france)
        for act in (lambda: france.act_text("ready"), france.undo, france.redo):
            with pytest.raises(Refusal, match="The game is paused: the pizza is here") as refused:
                act()
            assert refused.value.code == "paused"
        france.act_text("dispatch britain: back in a minute")
        timed.pass_(100_000)
        assert timed.table_there.state.phase == "movement"
        timed.ask(what="resume")
        wait(france, lambda: not france.clock.is_paused)
        assert timed.left == 500
        france.act_text("ready")
        timed.pass_(500)
        wait(france, lambda: france.live.phase != "movement")
        assert timed.table_there.verify() == []

    def test_bots_stand_still_too(self, timed):
        britain, *_ = seated(timed)
        timed.ask(what="pause")
        for seat in POWERS:
            timed.ask("sit", seat=seat, who="caretaker")
        version = timed.table_there.version
        timed.pass_(10)
        assert timed.table_there.version == version
        timed.ask(what="resume")
        wait(britain, lambda: britain.live.phase != "movement")

    def test_what_makes_no_sense_is_refused(self, timed):
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
                timed.ask(**about)
            assert refused.value.code == code


class TestClocksThatAreWrong:
    """Neither a clock that is set nor a house that was closed ends anybody's turn."""

    @pytest.mark.parametrize("seconds", [86_400, -86_400])
    def test_a_clock_that_is_set_pauses_the_table_and_says_so(self, timed, seconds):
        _, france, *_ = seated(timed)
        timed.pass_(100)
        timed.times.set(seconds)
        timed.tend()
        wait(france, lambda: france.clock.is_paused)
        assert timed.table_there.state.phase == "movement"
        assert any("the clock of the server was set from 01 Jan 20:01 UTC to" in text for text in log_of(france))
        timed.ask(what="resume")
        timed.tend()
        assert timed.left == 500
        assert not timed.hub.game("friday").time.paused
        assert timed.table_there.verify() == []

    def again(self, timed, seconds: float) -> None:
        """The server is closed for some time."""
        timed.stop()
        timed.times.set(seconds)
        timed.times.seconds = 5.0  # a new process has a steady clock of its own
        timed.start()
        timed.do(self.opened(timed))

    async def opened(self, timed) -> None:
        timed.hub.game("friday").tend()

    def test_a_house_that_was_closed_a_while_goes_on(self, timed):
        seated(timed)
        timed.pass_(100)
        self.again(timed, 200)
        assert timed.left == 300
        timed.pass_(300)
        assert timed.table_there.state.phase != "movement"

    @pytest.mark.parametrize("seconds", [700, -700])
    def test_a_house_in_which_the_time_ran_out_is_paused_and_says_so(self, timed, seconds):
        seated(timed)
        timed.pass_(100)
        self.again(timed, seconds)
        assert timed.hub.game("friday").time.paused
        assert timed.table_there.state.phase == "movement"
        france = timed.session("france")
        wait(france, lambda: france.clock.is_paused)
        why = "kept running while the server was stopped" if seconds > 0 else "was set back"
        assert any(why in text for text in log_of(france))
        timed.ask(what="resume")
        assert timed.left == (60 if seconds > 0 else 600)
        timed.pass_(timed.left)
        assert timed.table_there.state.phase != "movement"

    def test_a_pause_lasts_over_a_restart(self, timed):
        seated(timed)
        timed.pass_(100)
        timed.ask(what="pause")
        self.again(timed, 10_000)
        assert timed.hub.game("friday").time.paused
        timed.ask(what="resume")
        assert timed.left == 500

    def test_notes_that_are_spoilt_begin_the_time_anew(self, timed):
        seated(timed)
        timed.pass_(100)
        timed.stop()
        (timed.data_directory.games / "friday.clock").write_bytes(b"\xff{")
        timed.start()
        timed.tend()
        assert timed.left == 600

    def test_what_is_left_is_never_in_the_log(self, timed):
        seated(timed)
        assert b'"left"' not in (timed.data_directory.games / "friday.jsonl").read_bytes()
        assert b'"left"' in (timed.data_directory.games / "friday.clock").read_bytes()


def test_the_commands_of_the_host(timed, capsys):
    in_movement(*[timed.session(seat) for seat in POWERS])
    data = ["--data", str(timed.data_directory.root)]
    assert main(["clock", "friday", *data]) == 0
    assert main(["clock", "friday", "--each", "10m", "--phase", "movement=1h30m", "--then", "caretaker", *data]) == 0
    told = capsys.readouterr().out
    assert "The clock: Movement/Status Change 1 hour 30 minutes, any other Phase 10 minutes" in told
    assert "1 hour 30 minutes left." in told
    assert main(["clock", "friday", "--give", "30m", "--pause", "dinner", *data]) == 0
    assert "Paused: dinner." in capsys.readouterr().out
    assert main(["status", *data]) == 0
    assert "Paused: dinner." in capsys.readouterr().out
    assert main(["clock", "friday", "--resume", "--end", "default", *data]) == 0
    assert timed.table_there.state.phase != "movement"
    assert main(["clock", "friday", "--off", *data]) == 0
    capsys.readouterr()
    for wrong in (["--each", "soon"], ["--phase", "movement"], ["--then", "default"]):
        assert main(["clock", "friday", *wrong, *data]) == 2
    assert capsys.readouterr().err.count("paxtui: ") == 3


def test_since_when_a_seat_is_waited_for_is_known_after_a_restart(timed, capsys):
    sessions = [timed.session(seat) for seat in POWERS]
    in_movement(*sessions)
    timed.times.pass_(3600)
    sessions[0].act_text("place influence siam")
    timed.stop()
    timed.times.pass_(3600)
    timed.start()
    assert main(["status", "--data", str(timed.data_directory.root)]) == 0
    told = capsys.readouterr().out
    assert "france (since 2026-01-01 20:00)" in told
    assert "ready      -" in told


def test_line_by_line_the_time_is_reported_too(timed, monkeypatch):
    britain, *_ = seated(timed)
    wait(britain, lambda: britain.clock.left_s is not None)
    monkeypatch.setattr("paxtui.session.session.monotonic", lambda: britain.clock._at_s + 328.0)
    assert "4 minutes 32 seconds left." in standing_lines(britain)
    timed.ask(what="pause", why="dinner")
    wait(britain, lambda: britain.clock.is_paused)
    assert "The game is paused." in standing_lines(britain)
