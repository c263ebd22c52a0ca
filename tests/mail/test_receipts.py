"""Receipts, withdrawn forms, void keys, dry runs, and their audit."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from paxtui.mail import keys, sealed_letters
from paxtui.mail.audit import audit_game
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.sealed_letters import FormLetter, read_letter
from paxtui.mail.submissions import WITHDRAWAL, submit_form, withdraw_form
from tests.mail.games import MailGame
from tests.refusals import refused
from tests.rules.harness import tables

pytest.importorskip("nacl")


@pytest.fixture
def sealed(tmp_path: Path, home: Path) -> MailGame:
    return MailGame(tmp_path, sealed=True)


def save_receipt(game: MailGame, seat: str) -> str:
    """Let a player open and save the receipt of a seat; return its text."""
    path = game.folder.reports_of(game.service.terms.stop) / (seat + sealed_letters.RECEIPT_SUFFIX)
    receipt, signed, text = sealed_letters.open_receipt(path.read_bytes(), game.key[seat])
    sealed_letters.save_receipt(receipt, signed)
    return text


def test_receipt_has_the_orders_with_prices_and_warnings(sealed: MailGame) -> None:
    sealed.send("france", "build A1\nmove A10 home > tunis\nstanding:\nfight tunis")
    sealed.service.status()
    text = save_receipt(sealed, "france")
    assert "   1  build A1\n" in text and "costs £" in text and "WARNING: not possible" in text
    path = sealed.folder.reports_of(1) / "france.receipt"
    assert refused(sealed_letters.open_receipt, path.read_bytes(), sealed.key["britain"]).code == "not_for_us"
    before = path.read_bytes()
    sealed.service.status()
    assert path.read_bytes() == before


def test_audit_finds_a_form_removed_after_its_receipt(sealed: MailGame) -> None:
    sealed.all_send(france="build A1")
    sealed.service.status()
    save_receipt(sealed, "france")
    sealed.folder.form_of(1, "france").with_suffix(".sealed").unlink()
    sealed.later(days=40)
    sealed.service.adjudicate()
    assert "form of france for stop 1: the gamemaster signed a receipt for a form" in str(
        audit_game(sealed.service).fault
    )


def test_withdrawn_form_passes_the_audit(sealed: MailGame) -> None:
    sealed.all_send(france="build A1")
    sealed.service.status()
    save_receipt(sealed, "france")
    sealed.later(minutes=5)
    withdraw_form(sealed.folder, sealed.service.terms, tables(), "france", sealed.time)
    found = sealed.service.status()
    assert found.missing == ("france",) and found.refused == {"france.sealed": WITHDRAWAL}
    assert "were withdrawn" in save_receipt(sealed, "france")
    sealed.later(days=40)
    sealed.service.adjudicate()
    assert audit_game(sealed.service).fault is None


def test_form_of_an_open_game_is_withdrawn(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path)
    assert refused(withdraw_form, game.folder, game.service.terms, tables(), "france", game.time).code == "nothing_sent"
    game.send("france", "build A1")
    withdraw_form(game.folder, game.service.terms, tables(), "france", game.time)
    assert "france" in game.service.status().missing
    game.later(days=40)
    assert refused(withdraw_form, game.folder, game.service.terms, tables(), "france", game.time).code == "late"


def test_void_key_replaces_no_form(sealed: MailGame) -> None:
    path = sealed.send("france", "build A1")
    before = path.read_bytes()
    sealed.service.new_code("france")
    terms = sealed.service.terms
    void = msgspec.structs.replace(terms, keys={**terms.keys, "france": "0" * 64})
    unknown = msgspec.structs.replace(terms, keys={})
    for wrong in (void, unknown):
        found = refused(submit_form, sealed.folder, wrong, tables(), "build A3", "france", lambda: sealed.time)
        assert found.code == "void_key"
    assert path.read_bytes() == before


def test_wrong_code_replaces_no_key(sealed: MailGame) -> None:
    code = sealed.service.new_code("france")
    at = len("france-")
    mistyped = code[:at] + ("1" if code[at] == "0" else "0") + code[at + 1 :]
    assert "mistyped" in refused(keys.request_seat, sealed.folder, sealed.service.terms, mistyped).message
    used = keys.new_code("france", sealed.service.terms.desk_key)  # well formed, but not from this game
    keys.request_seat(sealed.folder, sealed.service.terms, used, "Ann")
    sealed.service.status()
    assert keys.player_key(sealed.service.terms, "france") == sealed.key["france"]
    sealed.send("france", "build A1")
    assert "france" in sealed.service.status().arrived


def test_two_requests_for_a_seat_are_both_read(sealed: MailGame) -> None:
    good = sealed.service.new_code("france")
    keys.request_seat(sealed.folder, sealed.service.terms, good, "Ann")
    keys.request_seat(
        sealed.folder, sealed.service.terms, keys.new_code("france", sealed.service.terms.desk_key), "Eve"
    )
    sealed.service.status()
    assert sealed.service.terms.players["france"] == "Ann"
    sealed.send("france", "build A1")
    assert "france" in sealed.service.status().arrived


def test_dry_run_closes_submissions_and_is_reported(sealed: MailGame) -> None:
    sealed.all_send(france="build A1")
    assert "carried out" in sealed.service.dry_run().reports["france.txt"]
    assert refused(sealed.send, "france", "build A3").code == "late"
    path = sealed.folder.form_of(1, "france").with_suffix(".sealed")
    letter = FormLetter("g1", 1, "france", "build A3")
    first = path.read_bytes()
    key = sealed.key["france"]
    path.write_bytes(keys.seal_message(msgspec.json.encode(letter), key.seed, key.desk))
    os.utime(path, (sealed.time.timestamp(), sealed.time.timestamp()))
    assert "submissions were closed" in sealed.service.status().refused["france.sealed"]
    path.write_bytes(first)
    os.utime(path, (sealed.time.timestamp(), sealed.time.timestamp()))
    sealed.service.adjudicate()
    assert "The gamemaster tried stop 1 out before opening it" in sealed.public()
    assert audit_game(sealed.service).fault is None and not sealed.service.terms.boxes


def test_audit_finds_a_deadline_changed_by_hand(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path)
    assert audit_game(game.service).fault is None
    game.service.extend("2026-04-01T12:00+00:00")
    assert audit_game(game.service).fault is None
    raw = msgspec.json.decode(game.folder.terms.read_bytes())
    game.folder.terms.write_bytes(msgspec.json.encode({**raw, "deadline": "2026-04-02T12:00+00:00"}))
    assert str(audit_game(game.service).fault) == "postal.json: its deadline differs from the log's"


def test_form_filled_in_among_the_reports_is_no_fault(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path)
    path = game.folder.reports_of(1) / "france.form"
    path.write_text(path.read_text() + "build A1\n")
    assert audit_game(game.service).fault is None


def test_wait_for_keys_names_missing_seats_and_can_be_ended(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path, two_step=True)
    game.all_send()
    game.service.status()
    game.unlock("france", "germany")
    why = refused(game.service.adjudicate).message
    assert "keys missing: Great Britain, United States" in why
    game.service.extend(game.time.isoformat())
    assert audit_game(game.service).fault is None
    assert game.service.adjudicate().terms.stop == 2


def test_damaged_box_or_letter_is_refused() -> None:
    key = "00" * 32
    for box in ("%%%%", "AAAA\n!", "", "ä"):
        assert refused(sealed_letters.open_box, box, key).code == "locked"
    assert refused(sealed_letters.open_box, "AAAA", "no hex").code == "locked"
    for data in (b"\xff\xfe", b'{"type":"form","game":"\xff"}', b"{", b""):
        assert refused(read_letter, data, FormLetter).code == "not_text"


def test_base64_of_a_box_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Characters that are not base 64 are refused and not skipped, so a box has only one reading."""
    monkeypatch.setattr(keys, "unlock_message", lambda box, lock: box)
    assert sealed_letters.open_box("AAAA", "00" * 32) == b"\0\0\0"
    assert refused(sealed_letters.open_box, "A!AAA", "00" * 32).code == "locked"


def test_directories_of_a_failed_attempt_are_reused(tmp_path: Path) -> None:
    root = tmp_path / "spring"
    for part in ("desk", "orders", "reports"):
        (root / part).mkdir(parents=True)
    GameDirectory.made(root)
    (root / "orders" / "x").write_text("")
    assert refused(GameDirectory.made, root).code == "exists"
