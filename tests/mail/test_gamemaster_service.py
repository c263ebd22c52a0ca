"""The directory of a mail game: submitted forms, reports, deadlines, and interrupted commands."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from paxtui.cli.main import main
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Adjudicate, SetPosition
from paxtui.games.pax.mail.forms import parse_form
from paxtui.games.pax.mail.stops import seats_to_ask
from paxtui.games.pax.position.setup import seats_for
from paxtui.mail import gamemaster
from paxtui.mail.game_directory import (
    GameDirectory,
    MailTerms,
    deadline_utc_text,
    parse_zoned_time,
    read_terms,
    write_terms,
)
from paxtui.mail.gamemaster import GamemasterService, stop_reports
from paxtui.mail.reports import POSITION_SUFFIX, read_position
from paxtui.mail.submissions import submit_form
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.session.tables.records import FIRST_DRAFT, new_game_tables
from tests.mail.games import NOON, MailGame, killed_after
from tests.refusals import refused
from tests.rules.harness import tables


class OpenMailGame(MailGame):
    """A mail game of four whose reports and log a test reads from their files."""

    def text_of(self, stop: int, name: str) -> str:
        return (self.folder.reports_of(stop) / name).read_text()

    def log(self) -> bytes:
        return self.folder.game.read_bytes()


@pytest.fixture
def mail(tmp_path: Path) -> OpenMailGame:
    return OpenMailGame(tmp_path)


@pytest.mark.parametrize("tables_name", ["", FIRST_DRAFT])
def test_new_mail_game_has_the_tables_of_new_games(tmp_path: Path, tables_name: str) -> None:
    words = ["--tables", tables_name] if tables_name else []
    assert main([*words, "postal", "new", str(tmp_path / "spring"), "--players", "7", "--seed", "1"]) == 0
    folder, wanted = GameDirectory(tmp_path / "spring"), load_tables(new_game_tables(tables_name)).counters
    with PaxHost.open(folder.game, write=False) as table:
        assert table.tables.counters == wanted
    position = next(folder.reports_of(1).glob(f"*{POSITION_SUFFIX}"))
    assert read_position(position).tables.counters == wanted
    assert bool(read_position(position).replaced) == (not tables_name)


@pytest.mark.rule("PBM-002", "PBM-005")
def test_new_mail_game_has_a_first_report_and_a_deadline(mail: OpenMailGame) -> None:
    terms = mail.service.terms
    assert terms.stop == 1 and terms.waits_for == seats_for(4)
    assert parse_zoned_time(terms.deadline) == NOON + timedelta(days=28)
    assert "ADMINISTRATIVE PHASE" in mail.text_of(1, "public.txt")
    assert "Sunday, 29 March 2026, 12:00 UTC" in mail.text_of(1, "france.txt")
    assert "stop: 1\nseat: france" in mail.text_of(1, "france.form")
    assert mail.folder.desk.stat().st_mode & 0o077 == 0
    assert OpenMailGame(mail.folder.root.parent / "other", days={"movement": 7}).service.terms.deadline.startswith(
        "2026-03-08"
    )


def test_public_files_do_not_contain_the_seed(mail: OpenMailGame) -> None:
    for path in mail.folder.root.rglob("*"):
        if path.is_file() and mail.folder.desk not in path.parents:
            assert "mail" not in path.read_text().replace("BY MAIL", "").replace("by mail", "")


@pytest.mark.rule("PBM-014", "PBM-020")
def test_forms_are_adjudicated_when_all_have_arrived(mail: OpenMailGame) -> None:
    mail.send("britain", "build A3\nbuild A1 if france builds A10")
    assert mail.service.status().missing == ("france", "germany", "united_states")
    early = refused(mail.service.adjudicate)
    assert early.code == "too_early" and "missing: France, Germany, United States." in early.message
    assert mail.service.terms.stop == 1
    mail.send("britain", "build A1")  # replaces the earlier form
    mail.all_send(france="build A10", britain="build A3\nbuild A1 if france builds A10")
    found = mail.service.adjudicate()
    assert found.terms.stop == 2 and not found.arrived
    assert "Line 1, build A3: carried out." in mail.text_of(2, "britain.txt")
    assert "Line 2" in mail.text_of(2, "britain.txt") and "Line 2" not in mail.text_of(2, "france.txt")
    assert "France builds A10" in mail.text_of(2, "public.txt")


def test_log_of_a_mail_game_is_sound_and_can_be_undone(mail: OpenMailGame) -> None:
    mail.all_send(france="build A1")
    mail.service.adjudicate()
    with PaxHost.open(mail.folder.game) as table:
        assert table.verify() == []
        before = table.version
        table.undo("arbiter")
        assert table.state.turn == 1 and table.version == before + 1 and table.verify() == []
    assert mail.service.status().terms.stop == 1  # the terms follow the log


@pytest.mark.rule("PBM-113", "PBM-114")
def test_caretaker_plays_a_seat_without_a_form(mail: OpenMailGame) -> None:
    for _ in range(3):
        for seat in ("britain", "france", "germany"):
            mail.send(seat, "")
        mail.later(days=29)
        mail.service.adjudicate()
    with PaxHost.open(mail.folder.game, write=False) as table:
        sheets = {s["seat"]: s for s in table.game.lines[-1].action["sheets"]}
    assert sheets["united_states"]["missed"] and not sheets["france"].get("missed")
    assert "United States has missed 3 moves in succession: the seat is open" in mail.text_of(4, "public.txt")
    mail.all_send()
    mail.service.adjudicate()
    assert "has missed" not in mail.text_of(5, "public.txt")


@pytest.mark.rule("PBM-018")
@pytest.mark.parametrize(
    ("seat", "text", "code"),
    [
        ("france", "game: other\nbuild A1", "other_game"),
        ("france", "stop: 7\nbuild A1", "other_stop"),
        ("italy", "build A1", "unknown_seat"),
        ("", "build A1", "unknown_seat"),
        ("france", "seat: britain\nbuild A1", "other_seat"),
        ("france", "build A1\nbuild nonsense", "bad_form"),
        ("", "seat: nowhere\nbuild A1", "bad_form"),
    ],
)
def test_invalid_form_is_refused_with_its_code(mail: OpenMailGame, seat: str, text: str, code: str) -> None:
    found = refused(mail.send, seat, text)
    assert found.code == code and found.message
    assert not mail.service.status().arrived


def test_form_can_order_more_than_the_treasury_pays(mail: OpenMailGame) -> None:
    mail.send("france", "build A10\n" * 20)
    assert mail.service.status().arrived == ("france",)


@pytest.mark.rule("PBM-054")
def test_form_after_the_deadline_is_refused(mail: OpenMailGame) -> None:
    mail.later(days=28)
    assert refused(mail.send, "france", "build A1").code == "late"
    mail.service.extend("2026-04-30T12:00+02:00")
    assert mail.send("france", "build A1").exists()


def test_invalid_files_in_the_directory_are_moved_aside(mail: OpenMailGame) -> None:
    mail.all_send(france="build A1")
    directory = mail.folder.orders_of(1)
    (directory / "britain.form").write_bytes(b"\xff\xfe\x00")
    (directory / "germany.form").write_text("build A1\nbuild ")
    (directory / "italy.form").write_text("build A1")
    os.utime(directory / "united_states.form", (4e9, 4e9))
    (directory / "letter.txt").write_text("hello")
    (directory / "huge.form").write_bytes(b"x" * 300_000)
    refusals = mail.service.status().refused
    assert refusals.keys() == {"britain.form", "germany.form", "huge.form", "italy.form", "united_states.form"}
    assert "UTF-8" in refusals["britain.form"] and "line 2" in refusals["germany.form"]
    mail.later(days=29)
    found = mail.service.adjudicate()
    assert found.terms.stop == 2 and "Line 1, build A1: carried out." in mail.text_of(2, "france.txt")
    assert "line 2" in (directory / "refused" / "germany.form.why.txt").read_text()
    assert (directory / "letter.txt").exists() and not (directory / "germany.form").exists()


def test_dry_run_returns_the_reports_and_saves_nothing(mail: OpenMailGame) -> None:
    mail.all_send(france="build A1")
    before, files = mail.log(), sorted(mail.folder.root.rglob("*"))
    dry = mail.service.dry_run().reports
    assert mail.log() == before and sorted(mail.folder.root.rglob("*")) == files
    mail.service.adjudicate()
    assert {name: mail.text_of(2, name) for name in dry} == dry
    mail.later(days=-1)
    assert refused(mail.service.dry_run).code == "too_early"


def test_reports_are_reproducible_from_the_log(mail: OpenMailGame) -> None:
    mail.all_send(france="build A1")
    mail.service.adjudicate()
    mail.all_send()
    mail.service.adjudicate()
    mail.service.extend("2027-01-01T12:00+00:00")
    for stop in (1, 2, 3):
        again = mail.service.reports(stop)
        assert {name: mail.text_of(stop, name) for name in again} == again
        assert len(again) == 2 + 4 * 4
    assert refused(mail.service.reports, 4).code == "no_such_stop"


@pytest.mark.parametrize("after", range(4))
def test_killed_adjudication_is_finished_by_the_next_command(
    mail: OpenMailGame, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail.all_send(france="build A1")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(gamemaster, "write_whole", killed_after(after))
        mail.service.adjudicate()
    with PaxHost.open(mail.folder.game, write=False) as table:
        assert table.state.turn == 2
    assert mail.service.terms.stop == 1
    found = mail.service.status()
    assert found.terms.stop == 2 and "build A1: carried out" in mail.text_of(2, "france.txt")


def test_finished_mail_game_accepts_no_forms(mail: OpenMailGame) -> None:
    with PaxHost.open(mail.folder.game) as table:
        table.act(ARBITER, SetPosition({"phase": "movement", "turn": 10}))
    mail.later(days=40)
    assert mail.service.adjudicate().terms.over
    terms = mail.service.terms
    assert terms.over and not terms.deadline and not terms.waits_for
    assert "THE GAME IS OVER" in mail.text_of(terms.stop, "public.txt")
    assert refused(mail.send, "france", "build A1").code == "game_over"
    assert refused(mail.service.adjudicate).code == "game_over"


def test_deadlines_need_a_zone() -> None:
    assert deadline_utc_text("2026-12-24T18:00:00+01:00") == "Thursday, 24 December 2026, 17:00 UTC"
    for text in ("2026-12-24T18:00", "soon", ""):
        assert refused(parse_zoned_time, text).code == "no_time"


def test_directory_without_a_valid_game_is_refused(tmp_path: Path) -> None:
    assert refused(read_terms, GameDirectory(tmp_path)).code == "no_mail_game"
    (tmp_path / "postal.json").write_text('{"format": 99, "game": "x"}')
    assert refused(read_terms, GameDirectory(tmp_path)).code == "bad_postal"
    (tmp_path / "postal.json").write_text("[")
    assert refused(read_terms, GameDirectory(tmp_path)).code == "bad_postal"
    assert refused(GameDirectory.made, tmp_path).code == "exists"


def test_form_lists_the_areas_to_be_divided(tmp_path: Path) -> None:
    areas = {"fiji": {"markers": [{"power": "britain", "marker": "possession"}], "units": []},
             "papua": {"markers": [], "units": [{"power": "germany", "kind": "army", "strength": 1}]}}  # fmt: skip
    war = {"alliances": [["britain"], ["germany"]], "phase": "end", "cycle": 3, "turn_of": None, "unsupplied": [],
           "conquered": [{"area": "fiji", "alliance": 2}]}  # fmt: skip
    with PaxHost.new(tables(), seats_for(4), "s", clock=empty_clock) as table:
        everywhere = {area: {"markers": [], "units": []} for area in table.state.areas}
        table.act(ARBITER, SetPosition({"phase": "war", "wars": [war], "areas": {**everywhere, **areas}}))
        table.act(ARBITER, Adjudicate(begins=True))
        terms = MailTerms(game="g", stop=1, waits_for=seats_to_ask(tables(), table.state))
        form = stop_reports(table, terms)["germany.form"]
    assert "# To be divided:\n#   fiji\n" in form and not parse_form(tables(), form)[1]


def test_order_of_arriving_forms_makes_no_difference(tmp_path: Path) -> None:
    logs = []
    for turned in (False, True):
        mail = OpenMailGame(tmp_path / str(turned))
        forms = {"britain": "build A3\nbuild A1 if france builds A1", "france": "build A1 unless germany builds N10",
                 "germany": "build A1 if britain builds A3", "united_states": ""}  # fmt: skip
        for seat in sorted(forms, reverse=turned):
            mail.send(seat, forms[seat])
        mail.service.adjudicate()
        logs.append(mail.log())
    assert logs[0] == logs[1]


def play(
    folder: GameDirectory, seed: int, seats_in_order: list[str], shuffle: Callable[[list[str]], None]
) -> dict[str, bytes]:
    """Play three stops of seven seats, some without forms; return the log and the reports."""
    clock = [NOON]
    players = {seat: seat.title() for seat in seats_in_order}
    service = GamemasterService.begin(
        folder, tables(), seats_in_order, seed=str(seed), game_id="g", players=players, now=lambda: clock[-1]
    )
    for stop in range(1, 4):
        terms = read_terms(folder)
        waited, seats = list(terms.waits_for), list(terms.players)
        shuffle(waited)
        shuffle(seats)
        write_terms(folder, replace(terms, waits_for=tuple(waited), players={s: terms.players[s] for s in seats}))
        orders = "build A1\nbuild A3 if anyone builds A1" if "Movement" in terms.asks else ""
        for seat in waited:
            if (len(seat) + stop) % 3:
                submit_form(folder, service.terms, tables(), orders, seat, lambda: clock[-1])
        clock.append(clock[-1] + timedelta(days=40))
        service.adjudicate()
    reports = {str(path.relative_to(folder.root)): path.read_bytes() for path in folder.root.glob("reports/*/*")}
    return {"log": folder.game.read_bytes(), **reports}


@pytest.mark.parametrize("seed", [3, 8])
def test_order_of_seats_makes_no_difference(tmp_path: Path, seed: int) -> None:
    """Another order of the seats at the start and in the terms gives the same dice, events and reports."""
    chance, seats = Random(seed), list(seats_for(7))
    once = play(GameDirectory.made(tmp_path / "once"), seed, seats, lambda seats_in_order: None)
    chance.shuffle(seats)
    assert seats != list(seats_for(7))
    again = play(GameDirectory.made(tmp_path / "again"), seed, seats, chance.shuffle)
    assert [name for name in once if once[name] != again[name]] == [] and once.keys() == again.keys()
