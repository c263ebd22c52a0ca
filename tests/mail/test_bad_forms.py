"""Files and letters that are no valid forms: refused with the reason, moved aside, without any delay for others."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from paxtui.mail import keys, sealed_letters
from tests.mail.games import MailGame
from tests.refusals import refused

LINES = "build A1\n" * 1_000_000


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"game: other\nbuild A1", "game other"),
        (b"stop: 2\nbuild A1", "stop 2"),
        (b"seat: france\nbuild A1", "for France"),
        (b"seat: italy\nbuild A1", "for Italy"),
        (b"build A1\nbui", "line 2"),
        (b"build A1\n\xc3", "UTF-8"),
        (b"\0" * 100, "line 1"),
        (LINES.encode(), "bytes"),
        (b"#" * 200_000, "at most 65536 characters"),
        (b"build A1\n" * 500, "line"),
        (b"build A1 if " + b"(" * 5000, "line 1"),
    ],
    ids=["game", "stop", "seat", "stranger", "half", "coded", "binary", "million", "long", "many", "deep"],
)
def test_invalid_form_is_moved_aside_without_delay(tmp_path: Path, home: Path, data: bytes, why: str) -> None:
    game = MailGame(tmp_path)
    game.all_send("britain", france="build A3")
    path = game.folder.form_of(1, "britain")
    path.write_bytes(data)
    os.utime(path, (game.time.timestamp(), game.time.timestamp()))
    found = game.service.status()
    assert why in found.refused["britain.form"] and found.missing == ("britain",)
    game.later(days=29)
    assert game.service.adjudicate().terms.stop == 2
    assert "Line 1, build A3: carried out." in game.report("france") and not path.exists()
    aside = path.parent / "refused"
    assert (aside / "britain.form").read_bytes() == data and why in (aside / "britain.form.why.txt").read_text()


def test_form_of_a_million_lines_is_refused(tmp_path: Path, home: Path) -> None:
    assert refused(MailGame(tmp_path).send, "france", LINES).code == "bad_form"


def test_late_and_repeated_forms(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path)
    game.send("france", "build A10")
    first = game.send("france", "build A3")
    game.send("britain", "build A1")
    game.later(days=28)
    assert refused(game.send, "germany", "build A1").code == "late"
    late = first.with_name("germany.form")
    late.write_text("build A1")
    os.utime(late, (game.time.timestamp(), game.time.timestamp()))
    game.service.adjudicate()
    assert "build A3: carried out" in game.report("france") and "build A10" not in game.report("france")
    assert "after the deadline" in (late.parent / "refused" / "germany.form.why.txt").read_text()


MakeLetter = Callable[[MailGame], bytes]


def letter(mail: MailGame, signs: str, **changes: object) -> bytes:
    """Return a letter with France's form, changed or not, signed by a seat."""
    fields = {"game": "g1", "stop": 1, "seat": "france", "text": "build A1", **changes}
    form = sealed_letters.FormLetter(**fields)  # type: ignore[arg-type]
    return keys.seal_message(msgspec.json.encode(form), mail.key[signs].seed, mail.service.terms.desk_key)


WRONG: tuple[tuple[MakeLetter, str], ...] = (
    (lambda mail: letter(mail, "britain"), "not signed with the key"),
    (lambda mail: letter(mail, "france", stop=2), "stop 2"),
    (lambda mail: letter(mail, "france", game="other"), "game other"),
    (lambda mail: letter(mail, "france", seat="britain"), "for britain"),
    (lambda mail: letter(mail, "france")[:-1], "damaged"),
    (lambda mail: letter(mail, "france", text="bui"), "line 1"),
    (lambda mail: letter(mail, "france", text="build A1\n" * 30_000), "bytes"),
    (lambda mail: b"", "damaged"),
)


def test_invalid_letter_is_moved_aside(tmp_path: Path, home: Path) -> None:
    game = MailGame(tmp_path, sealed=True)
    game.all_send("france", britain="build A1")
    path = game.folder.orders_of(1) / "france.sealed"
    for make_letter, why in WRONG:
        path.write_bytes(make_letter(game))
        os.utime(path, (game.time.timestamp(), game.time.timestamp()))
        found = game.service.status()
        assert why in found.refused["france.sealed"] and found.missing == ("france",), why
    game.later(days=29)
    game.service.adjudicate()
    assert "build A1: carried out" in game.report("britain") and (path.parent / "refused" / path.name).exists()
