"""Sealed mail games: codes and keys, signed and sealed forms, and invalid files."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from paxtui.games.pax.position.setup import seats_for
from paxtui.mail import keys, sealed_letters
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import GamemasterService
from paxtui.session.pax_host import PaxHost
from tests.mail.games import NOON, MailGame
from tests.refusals import refused
from tests.rules.harness import tables


class Sealed(MailGame):
    """A sealed game of four with a player at each seat; all keys are in one directory."""

    def __init__(self, root: Path) -> None:
        self.codes: dict[str, str] = {}
        super().__init__(root, sealed=True)

    def join(self, seat: str, code: str, name: str) -> None:
        self.codes[seat] = code
        super().join(seat, code, name)

    def opened_report(self, seat: str) -> sealed_letters.ReportLetter:
        path = self.folder.reports_of(self.service.terms.stop) / f"{seat}.sealed"
        return sealed_letters.open_report(path.read_bytes(), self.key[seat])


@pytest.fixture
def sealed(tmp_path: Path, home: Path) -> Sealed:
    return Sealed(tmp_path)


def test_codes_become_keys_and_are_reported(sealed: Sealed) -> None:
    terms = sealed.service.terms
    assert terms.keys == {seat: keys.public_key(key.seed) for seat, key in sealed.key.items()}
    assert terms.players["france"] == "France" and keys.read_code_hashes(sealed.folder) == {}
    assert (keys.key_directory() / "g1-france.key").stat().st_mode & 0o077 == 0
    for seat in terms.players:
        sealed.send(seat, "")
    sealed.service.adjudicate()
    assert "France (France) takes the seat:" in (sealed.folder.reports_of(2) / "public.txt").read_text()


def test_forms_and_reports_are_sealed_for_their_readers(sealed: Sealed) -> None:
    path = sealed.send("france", "build A3")
    for seat in ("britain", "germany", "united_states"):
        sealed.send(seat, "")
    assert path.suffix == ".sealed" and b"build" not in path.read_bytes()
    found = sealed.service.adjudicate()
    assert found.terms.stop == 2
    report = sealed.opened_report("france")
    assert "Line 1, build A3: carried out." in report.report and "seat: france" in report.form
    directory = sealed.folder.reports_of(2)
    assert sorted(path.name for path in directory.iterdir()) == [
        "britain.sealed", "france.sealed", "germany.sealed", "public.md", "public.txt", "united_states.sealed",
    ]  # fmt: skip
    other = refused(sealed_letters.open_report, (directory / "france.sealed").read_bytes(), sealed.key["britain"])
    assert other.code == "not_for_us"
    with PaxHost.open(sealed.folder.game, write=False) as table:
        assert table.verify() == []


def test_invalid_sealed_forms_are_refused(sealed: Sealed) -> None:
    terms = sealed.service.terms
    directory = sealed.folder.orders_of(1)
    directory.mkdir(exist_ok=True)

    def form(signs: str, seat: str, stop: int = 1, game: str = "g1") -> bytes:
        letter = sealed_letters.FormLetter(game, stop, seat, "build A1")
        return keys.seal_message(msgspec.json.encode(letter), sealed.key[signs].seed, terms.desk_key)

    for name, data, code in (
        ("france.sealed", form("britain", "france"), "not signed with the key of its sender"),
        ("france.sealed", form("france", "britain"), "the form is for britain"),
        ("france.sealed", form("france", "france", stop=2), "for stop 2"),
        ("france.sealed", form("france", "france", game="other"), "for game other"),
        ("france.sealed", b"\0" * 200, "not sealed for this key"),
        ("france.sealed", form("france", "france")[:-1], "not sealed for this key"),
        ("italy.sealed", form("france", "italy"), "No player has joined for italy"),
        ("france.form", b"build A1", "Forms of this game are sealed"),
    ):
        (directory / name).write_bytes(data)
        found = sealed.service.status()
        assert code in found.refused[name] and not found.arrived, name
        (directory / name).unlink()
    (directory / "france.sealed").write_bytes(form("france", "france"))
    os.utime(directory / "france.sealed", (NOON.timestamp(), NOON.timestamp()))
    assert sealed.service.status().arrived == ("france",)


def test_code_is_valid_once_and_for_its_game(sealed: Sealed, tmp_path: Path) -> None:
    terms = sealed.service.terms
    keys.request_seat(sealed.folder, terms, sealed.codes["france"], "thief")
    sealed.service.status()
    assert sealed.service.terms.keys == terms.keys
    aside = sealed.folder.orders / "joining" / "refused" / "france.join.why.txt"
    assert "or it was used" in aside.read_text()
    assert refused(keys.request_seat, sealed.folder, terms, "france-00").code == "bad_code"
    assert refused(keys.request_seat, sealed.folder, terms, "france-00-0000000000000000").code == "other_desk"
    sealed.folder.orders.joinpath("joining", "x.join").write_bytes(b"nonsense")
    sealed.service.status()
    assert aside.with_name("x.join.why.txt").exists()


def test_lost_key_is_replaced_by_a_new_code_and_reported(sealed: Sealed) -> None:
    old = sealed.key["france"]
    code = sealed.service.new_code("france")
    sealed.key["france"] = keys.request_seat(sealed.folder, sealed.service.terms, code, "Ann")
    assert sealed.service.status().terms.keys["france"] != keys.public_key(old.seed)
    assert "report 1" in sealed.report("france")  # sealed again for the new key
    for seat in sealed.service.terms.players:
        sealed.send(seat, "")
    sealed.service.adjudicate()
    assert "France (Ann) has a new key:" in sealed.report("britain")


def test_changed_deadline_is_in_the_next_report(sealed: Sealed) -> None:
    sealed.service.extend("2026-02-01T12:00+00:00")
    sealed.time += timedelta(minutes=1)
    sealed.service.adjudicate()
    assert "The deadline of stop 1 was set to Sunday, 01 February 2026" in sealed.report("france")
    assert sealed.service.terms.stop == 2


def test_keys_of_a_player(sealed: Sealed) -> None:
    terms = sealed.service.terms
    assert keys.player_key(terms, "france") == sealed.key["france"]
    assert refused(keys.player_key, terms, "").code == "which_seat"
    assert refused(keys.player_key, terms, "italy").code == "no_key"
    (keys.key_directory() / "g1-france.key").write_text("{")
    assert refused(keys.player_key, terms, "france").code == "bad_seat_key"


def test_open_game_has_no_keys(tmp_path: Path, home: Path) -> None:
    service = GamemasterService.begin(
        GameDirectory.made(tmp_path / "open"), tables(), seats_for(4), seed="x", now=lambda: NOON
    )
    assert refused(service.new_code, "france").code == "not_sealed"
    assert refused(keys.request_seat, service.folder, service.terms, "france-0-0").code == "not_sealed"
    directory = service.folder.orders_of(1)
    (directory / "france.sealed").write_bytes(b"x")
    assert "not sealed" in service.status().refused["france.sealed"]
