"""Mail games of other rules: forms as text, rounds, reports and commands."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from paxtui.cli.main import main
from paxtui.engine.refusal import Refusal
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import open_gamemaster
from paxtui.mail.rounds import RoundMaster, parse_form
from paxtui.session.bot_process import bot_request, compute_response
from paxtui.session.game_host import GameHost
from paxtui.session.hosts import open_game

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.time = NOW

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def master(tmp_path: Path, clock: Clock) -> RoundMaster:
    folder = GameDirectory.made(tmp_path / "channel")
    return RoundMaster.begin(folder, "empires", scenario="channel-1805", seed="7", players={"france": "Ann"}, now=clock)


def bot_orders(table: GameHost, seat: str) -> list[str]:
    """Return what a bot would do now."""
    return [act.text for act in compute_response(table.rules, bot_request(table, seat, "steady")).acts]


def test_mail_game_begins_with_reports_and_blank_forms(master: RoundMaster) -> None:
    terms, reports = master.terms, master.folder.reports_of(1)
    assert (terms.rulebook, terms.stop, terms.over, terms.players["france"]) == ("empires", 1, False, "Ann")
    names = {path.name for path in reports.iterdir()}
    assert {"public.txt", "france.txt", "france.form", "spain.form", "great_britain.txt"} <= names
    assert "NEXT ORDERS" in (reports / "public.txt").read_text("utf-8")
    seat = terms.waits_for[0]
    head, orders = parse_form((reports / f"{seat}.form").read_text("utf-8"))
    assert head == {"game": terms.game, "stop": "1", "seat": seat} and not orders
    assert "# Possible now:" in (reports / f"{seat}.form").read_text("utf-8")
    assert (reports / f"{seat}.form").stat().st_mode & 0o777 == 0o600


def test_forms_are_checked_replaced_and_withdrawn(master: RoundMaster) -> None:
    seat = master.terms.waits_for[0]
    with pytest.raises(Refusal, match="line 2, dance: "):
        master.submit(f"seat: {seat}\ndance\n")
    for wrong, code in (
        ("game: other\n", "other_game"),
        ("stop: 9\n", "other_stop"),
        ("seat: italy\n", "unknown_seat"),
    ):
        with pytest.raises(Refusal) as refused:
            master.submit(f"{wrong}seat: {seat}\ndone\n" if "seat" not in wrong else wrong)
        assert refused.value.code == code
    with pytest.raises(Refusal, match="cannot undo"):
        master.submit(f"seat: {seat}\nundo\n")
    master.submit("done  # nothing\n", seat)
    path = master.submit("done\n", seat)
    assert path.read_text("utf-8") == "done\n" and master.status().arrived == (seat,)
    master.withdraw(seat)
    assert master.status().missing == master.terms.waits_for
    with pytest.raises(Refusal, match="No form"):
        master.withdraw(seat)


def test_round_ends_at_a_seat_without_orders(master: RoundMaster, clock: Clock) -> None:
    seat = master.terms.waits_for[0]
    with pytest.raises(Refusal, match="Adjudication is possible when"):
        master.adjudicate()
    for one in master.terms.waits_for:
        master.submit("done\ndone\n" if one == seat else "done\n", one)
    before = open_game(master.folder.game, write=False).version
    found = master.adjudicate()
    assert found.terms.stop == 2 and found.terms.waits_for and not found.arrived
    with open_game(master.folder.game, write=False) as table:
        assert table.version > before and table.verify() == [] and table.waiting == found.terms.waits_for
    assert master.status().terms == found.terms


def test_refused_orders_are_reported_to_their_seat_only(master: RoundMaster) -> None:
    for one in master.terms.waits_for:
        master.submit("sail fr1 to nowhere\ndone\n", one)
    seat = master.terms.waits_for[0]
    reports = master.folder.reports_of(master.adjudicate().terms.stop)
    assert "ORDERS NOT CARRIED OUT\nsail fr1 to nowhere: " in (reports / f"{seat}.txt").read_text("utf-8")
    assert "NOT CARRIED OUT" not in (reports / "public.txt").read_text("utf-8")


def test_late_seat_takes_one_default(master: RoundMaster, clock: Clock) -> None:
    clock.time += timedelta(days=8)
    with pytest.raises(Refusal, match="Too late"):
        master.submit("done\n", master.terms.waits_for[0])
    assert master.adjudicate().terms.stop == 2


def test_interrupted_round_is_published_by_the_next_command(master: RoundMaster) -> None:
    terms = (master.folder.root / "postal.json").read_bytes()
    for one in master.terms.waits_for:
        master.submit("done\n", one)
    after = master.adjudicate().terms
    (master.folder.root / "postal.json").write_bytes(terms)  # as if killed after the log was written
    again = master.status().terms
    assert (again.stop, again.line, again.waits_for) == (after.stop, after.line, after.waits_for)


def orders_ahead(game: Path, seat: str) -> list[str]:
    """Return a bot's orders until another player must act, found on a copy of the game."""
    copy = game.with_name("copy.jsonl")
    shutil.copy(game, copy)
    orders: list[str] = []
    with open_game(copy) as table:
        while seat in table.waiting and len(orders) < 60:
            act = bot_orders(table, seat)[0]
            orders.append(act)
            table.act(seat, act)
    copy.unlink()
    return orders


@pytest.mark.parametrize("exercise", ["channel-1805", "ulm-1805"])
def test_whole_game_by_mail(tmp_path: Path, clock: Clock, exercise: str) -> None:
    """Each player writes what a bot would do, until another player must act."""
    master = RoundMaster.begin(GameDirectory.made(tmp_path / "game"), "empires", scenario=exercise, seed="7", now=clock)
    for _ in range(400):
        terms = master.terms
        if terms.over:
            break
        for seat in terms.waits_for:
            master.submit("\n".join(orders_ahead(master.folder.game, seat)) + "\n", seat)
        master.adjudicate()
    assert master.terms.over and master.terms.stop < 130
    public = (master.folder.reports_of(master.terms.stop) / "public.txt").read_text("utf-8")
    assert "RESULT" in public and "rank 1" in public
    with open_game(master.folder.game, write=False) as table:
        assert table.is_over and table.verify() == []


def test_commands_of_an_exercise_by_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    new = ["postal", "new", "g", "--game", "empires", "--exercise", "channel-1805"]
    assert main([*new, "--player", "france=Ann", "--days", "round=3", "--seed", "7"]) == 0
    assert "stop 1: orders from " in capsys.readouterr().out
    waits = RoundMaster(GameDirectory(Path("g"))).terms.waits_for
    Path("f.form").write_text("done\n")
    for seat in waits:
        assert main(["postal", "submit", "g", "f.form", "--seat", seat]) == 0
    assert main(["postal", "withdraw", "g", "--seat", waits[0]]) == 0
    assert main(["postal", "adjudicate", "g"]) == 2
    assert main(["postal", "submit", "g", "f.form", "--seat", waits[0]]) == 0
    assert main(["postal", "deadline", "g", "+3"]) == 0
    assert main(["postal", "adjudicate", "g"]) == 0
    capsys.readouterr()
    assert main(["postal", "status", "g"]) == 0 and "stop 2: " in capsys.readouterr().out
    assert main(["postal", "report", "g", "--stop", "1"]) == 0 and "report 1" in capsys.readouterr().out
    assert main(["verify", "g/desk/game.jsonl"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["new", "h", "--game", "empires", "--exercise", "channel-1805", "--sealed"],
            "--sealed is for Pax Britannica only",
        ),
        (["new", "h", "--game", "empires", "--exercise", "channel-1805", "--days", "war=3"], "round=N"),
        (["new", "h", "--game", "empires", "--exercise", "nowhere"], "nowhere"),
        (["desk", "g"], "'postal desk' is for Pax Britannica only"),
        (["audit", "g"], "'postal audit' is for Pax Britannica only"),
        (["adjudicate", "g", "--dry-run"], "--dry-run is for Pax Britannica only"),
    ],
)
def test_options_for_pax_only_are_refused(
    words: list[str], message: str, master: RoundMaster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "channel").rename(tmp_path / "g")
    assert main(["postal", *words]) == 2
    assert message in capsys.readouterr().err and not (tmp_path / "h").exists()


def test_gamemaster_screen_refuses_an_exercise(master: RoundMaster) -> None:
    with pytest.raises(Refusal, match="no gamemaster's screen"):
        open_gamemaster(str(master.folder.root))
