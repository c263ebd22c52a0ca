"""Administration of a mail game: fair dice, locked forms, early opening, pauses, new players, automatic runs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from paxtui.engine.fair_dice import word_hash
from paxtui.mail import administration, fair_dice, gamemaster
from paxtui.mail.audit import audit_game
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import GamemasterService
from paxtui.session.pax_host import PaxHost
from tests.mail.games import MailGame, killed_after
from tests.refusals import refused
from tests.rules.harness import tables

# --- fair dice --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sealed", [True, False])
def test_fair_dice_have_a_word_of_each_seat(tmp_path: Path, home: Path, sealed: bool) -> None:
    game = MailGame(tmp_path, fair=True, sealed=sealed)
    terms = game.service.terms
    assert terms.dice == "hashes" and terms.stop == 0 and set(terms.waits_for) == set(game.seats)
    game.words()
    assert game.service.terms.dice == "words" and not game.service.status().may_open
    word = (home / "postal" / "g1-france.word").read_text() if (home / "postal").is_dir() else ""
    assert not word or word not in "".join(p.read_text("latin1") for p in game.folder.orders.rglob("*.dice"))
    game.words()
    terms = game.service.terms
    assert (terms.dice, terms.stop) == ("made", 1) and terms.waits_for == game.seats
    assert "ADMINISTRATIVE PHASE" in game.public()
    game.all_send(france="build A1")
    assert game.service.adjudicate().terms.stop == 2 and game.sound()
    with PaxHost.open(game.folder.game, write=False) as table:
        assert table.game.dice.contributors == game.seats and not table.game.header.seed
        assert all(word_hash(terms.fair, s, table.game.dice.words[s]) == terms.hashes[s] for s in game.seats)


def test_seat_without_a_word_in_a_day_is_left_out(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path, fair=True)
    game.words("italy", "france")
    game.later(hours=23)
    assert game.service.status().terms.dice == "hashes"
    game.later(hours=2)
    assert game.service.status().terms.dice == "words"
    game.words("france", "germany")
    game.later(hours=25)
    assert game.service.status().terms.stop == 1
    with PaxHost.open(game.folder.game, write=False) as table:
        assert table.game.dice.contributors == ("britain", "united_states")
        assert table.verify() == []


def test_sealed_game_requests_words_when_all_have_joined(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path, fair=True, sealed=True)
    assert game.service.terms.dice == "hashes"
    service = GamemasterService.begin(
        GameDirectory.made(tmp_path / "other"), tables(), game.seats, game_id="g2", sealed=True, fair=True,
        now=lambda: game.time,
    )  # fmt: skip
    assert service.status().terms.dice == "joining" and service.terms.asks == "a player for every seat"
    game.later(days=29)
    assert service.status().terms.dice == "hashes", "missing players are not awaited for ever"


def test_word_that_differs_from_its_hash_is_moved_aside(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path, fair=True)
    game.words()
    (home / "postal" / "g1-france.word").write_text("another")
    assert refused(fair_dice.send_dice_answer, game.folder, game.service.terms, "france").code == "no_word"
    forged = fair_dice.dice_letter_path(game.folder, "france", "words")
    forged.parent.mkdir(parents=True, exist_ok=True)
    forged.write_text('{"type":"dice","game":"g1","seat":"france","word":"another"}')
    game.service.status()
    assert game.service.terms.waits_for == game.seats
    assert (forged.parent / "refused" / f"{forged.name}.why.txt").exists()


# --- locked forms -----------------------------------------------------------------------------------------------------


@pytest.fixture
def locked(tmp_path: Path, home: Path) -> MailGame:
    return MailGame(tmp_path, two_step=True)


def test_locked_forms_are_opened_with_keys_sent_later(locked: MailGame) -> None:
    locked.all_send(france="build A3")
    assert locked.unlock("france") == [False], "it is too early"
    found = locked.service.status()
    assert found.arrived == locked.seats and not found.may_open and found.terms.opening
    assert refused(locked.send, "france", "build A1").code == "late"
    assert locked.unlock(*locked.seats) == [True] * 4 and locked.unlock("france") == [False]
    assert locked.service.status().may_open
    assert locked.service.adjudicate().terms.stop == 2
    assert "Line 1, build A3: carried out." in locked.report("france")
    assert "No more forms of stop 1 are taken (Great Britain " in locked.public() and locked.sound()
    assert not locked.service.terms.opening


def test_locked_forms_cannot_be_read_early(locked: MailGame) -> None:
    locked.all_send(france="build A3")
    assert refused(administration.open_forms_early, locked.service).code == "locked"
    assert refused(locked.service.adjudicate).code == "too_early"


def test_missing_key_is_a_missed_move(locked: MailGame) -> None:
    locked.all_send(france="build A3")
    locked.service.status()
    locked.unlock("britain", "germany", "united_states")
    assert not locked.service.status().may_open
    locked.later(days=3)
    locked.service.adjudicate()
    assert "France has missed its last move" in locked.public() and "build A3" not in locked.report("france")


def test_form_changed_after_closing_is_refused(locked: MailGame) -> None:
    locked.all_send(france="build A3")
    other = locked.send("britain", "build A1").read_bytes()
    locked.send("britain", "")
    locked.service.status()
    (locked.folder.orders_of(1) / "britain.sealed").write_bytes(other)
    locked.unlock(*locked.seats)
    assert "submissions were closed" in locked.service.status().refused["britain.sealed"]


# --- between two stops ------------------------------------------------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path, home: Path) -> MailGame:
    return MailGame(tmp_path)


def test_early_opening_is_in_all_reports(game: MailGame) -> None:
    assert refused(administration.open_forms_early, game.service).code == "nothing_there"
    game.send("france", "build A3")
    assert administration.open_forms_early(game.service) == {"france": "build A3"}
    game.all_send()
    game.service.adjudicate()
    for report in (game.public(), *(game.report(seat) for seat in game.seats)):
        assert "The gamemaster looked at the forms of stop 1 before they were due: France." in report
    assert game.sound()


def test_pause_stops_the_clock(game: MailGame) -> None:
    game.later(days=27)
    administration.pause_game(game.service)
    assert refused(administration.pause_game, game.service).code == "paused"
    game.later(days=30)
    found = game.service.status()
    assert not found.may_open and not found.closed and found.terms.paused
    game.send("france", "build A3")
    administration.resume_game(game.service)
    assert refused(administration.resume_game, game.service).code == "not_paused"
    game.later(hours=23)
    assert not game.service.status().may_open
    game.later(hours=1)
    assert game.service.adjudicate().terms.stop == 2
    assert "The game was paused at stop 1." in game.public() and "The game goes on" in game.public()


def test_seat_of_the_caretaker_is_not_awaited_and_gets_a_player(game: MailGame) -> None:
    administration.assign_caretaker(game.service, "germany")
    assert refused(administration.assign_caretaker, game.service, "germany").code == "already"
    assert "germany" not in game.service.terms.waits_for
    game.all_send()
    found = game.service.adjudicate()
    assert found.terms.stop == 2 and "Germany is played by the caretaker from now on." in game.public()
    assert "germany" not in found.terms.waits_for
    administration.assign_player(game.service, "germany", "Carla")
    assert game.service.terms.players["germany"] == "Carla" and "germany" in game.service.terms.waits_for
    game.all_send(germany="build A1")
    game.service.adjudicate()
    assert "Germany has a new player: Carla." in game.public() and "build A1: carried out" in game.report("germany")
    assert game.sound() and refused(administration.assign_player, game.service, "italy", "Dan").code == "unknown_seat"


def test_key_of_a_replaced_player_is_invalid(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path, sealed=True)
    before = game.send("france", "build A10")
    code = administration.assign_player(game.service, "france", "Carla")
    assert "No player has joined" in game.service.status().refused[before.name]
    game.join("france", code, "Carla")
    assert "not signed with the key" in game.service.status().refused[before.name]
    game.send("france", "build A1")
    assert game.service.status().arrived == ("france",)


# --- without a gamemaster ---------------------------------------------------------------------------------------------


def test_due_tasks_run_when_all_forms_are_in_or_late(game: MailGame) -> None:
    assert list(administration.run_due_tasks(game.service)) == []
    game.all_send()
    assert list(administration.run_due_tasks(game.service)) == ["stop 1 was adjudicated: stop 2 has begun"]
    game.later(days=29)
    assert list(administration.run_due_tasks(game.service)) == ["stop 2 was adjudicated: stop 3 has begun"]
    for seat in game.seats[:3]:
        administration.assign_caretaker(game.service, seat)
    assert refused(administration.assign_caretaker, game.service, "united_states").code == "last_player"
    assert game.service.terms.waits_for == ("united_states",)
    game.send("united_states", "")
    assert (
        list(administration.run_due_tasks(game.service)) == ["stop 3 was adjudicated: stop 4 has begun"]
        and game.sound()
    )


def test_run_until_over_reports_errors_and_retries(game: MailGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the third pause the test deletes the directory."""
    messages, pauses = list[str](), list[float]()
    game.all_send()
    log = game.folder.game.read_bytes()
    game.folder.game.write_bytes(b"nonsense" + log)

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 1:
            game.folder.game.write_bytes(log)
        if len(pauses) == 3:
            game.folder.terms.unlink()

    monkeypatch.setattr("paxtui.mail.administration.time.sleep", sleep)
    assert refused(administration.run_until_over, game.service, 60, messages.append).code == "no_mail_game"
    assert len(messages) == 2 and messages[1] == "stop 1 was adjudicated: stop 2 has begun" and pauses == [60] * 3


@pytest.mark.parametrize("after", range(14))
def test_killed_write_is_repeated(tmp_path: Path, home: Path, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = MailGame(tmp_path)
    game.all_send(france="build A1")
    with monkeypatch.context() as patch:
        patch.setattr(gamemaster, "write_whole", killed_after(after))
        with suppress(KeyboardInterrupt):
            list(administration.run_due_tasks(game.service))
    list(administration.run_due_tasks(game.service))
    assert game.service.terms.stop == 2 and game.sound()
    made = game.service.reports(2)
    assert {name: (game.folder.reports_of(2) / name).read_text() for name in made} == made


def test_form_with_a_request_for_time_is_not_ready(tmp_path: Path) -> None:
    game = MailGame(tmp_path)
    game.all_send("italy", "france")
    seat = game.service.terms.waits_for[0]
    game.all_send(**{seat: "extend: 3\nbuild A1"})
    status = game.service.status()
    assert status.extend == {seat: 3} and status.missing == (seat,) and not status.may_open
    game.send(seat, "build A1")
    assert game.service.status().may_open
    assert "as in 'extend: 3'" in refused(game.send, seat, "extend: soon").message


@pytest.mark.parametrize("sealed", [True, False])
def test_player_on_vacation_is_not_awaited_until_a_form_arrives(tmp_path: Path, home: Path, sealed: bool) -> None:
    game = MailGame(tmp_path, sealed=sealed)
    keys = dict(game.service.terms.keys)
    game.all_send(france="vacation: until 1900\nbuild A1")
    game.service.adjudicate()
    assert "build A1: carried out" in game.report("france")
    assert game.service.terms.away == {"france": "1900"} and "france" not in game.service.terms.waits_for
    game.all_send()
    game.service.adjudicate()
    assert "France is on vacation until 1900: the caretaker plays." in game.public()
    game.all_send()
    game.send("france", "build A1")
    assert "france" in game.service.status().arrived and not game.service.terms.away
    assert "france" in game.service.terms.waits_for and game.service.terms.keys == keys
    game.service.adjudicate()
    assert "France is back from vacation." in game.public() and game.sound()
    assert audit_game(game.service).fault is None


def test_vacation_ends_after_its_days(tmp_path: Path) -> None:
    game = MailGame(tmp_path)
    game.all_send(france="vacation 40")
    game.service.adjudicate()
    assert game.service.terms.away == {"france": "2026-04-10"}
    game.later(days=39)
    assert "france" not in game.service.status().terms.waits_for
    game.later(days=1)
    assert "france" in game.service.status().terms.waits_for and not game.service.terms.away
    for wrong in ("vacation: soon", "vacation: until 2026-02-30"):
        assert "vacation: until 1888" in refused(game.send, "france", wrong).message


def test_locked_form_ends_a_vacation(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path, two_step=True)
    game.all_send(france="vacation: until 1900\nbuild A1")
    game.service.status()
    game.unlock(*game.service.terms.waits_for)
    game.service.adjudicate()
    assert game.service.terms.away == {"france": "1900"}
    game.all_send()
    game.send("france", "build A1")
    assert "france" in game.service.status().terms.waits_for and not game.service.terms.away


def test_seat_of_the_caretaker_passes_the_audit(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path, sealed=True)
    administration.assign_caretaker(game.service, "france")
    game.all_send()
    game.service.adjudicate()
    assert audit_game(game.service).fault is None
