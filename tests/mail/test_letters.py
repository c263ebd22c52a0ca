"""Reading letters: orders without quotations, encodings, random bytes, tokens, addresses and settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paxtui.engine.refusal import Refusal
from paxtui.mail import message_parser
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.intake import letter_orders
from paxtui.mail.message_parser import enclosed_files, order_sources, parse_message, unfold_text
from paxtui.mail.order_extraction import extract_orders
from paxtui.mail.transport import is_address, read_settings, settings_path
from tests.refusals import refused
from tests.rules.harness import tables

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("written", "own"),
    [
        ("build A1\n", "build A1\n"),
        ("build A1\n\nAm 1.3.2026 schrieb Pax:\n> build A3\n> more\n", "build A1\n"),
        ("> build A3\nbuild A1\n", "build A1\n"),
        ("build A1\n-- \nAnn\nif britain: nothing", "build A1\n"),
        ("standing:\n> quoted\nfight tunis\n", "standing:\nfight tunis\n"),
        ("> all\n> quoted\n", ""),
        ("", ""),
    ],
)
def test_quotations_are_not_read(written: str, own: str) -> None:
    assert extract_orders(tables(), written).text == own


def test_folded_lines_are_joined() -> None:
    text = "build A1 if britain places \nprotectorate tunis\nbuild A3\n-- \nAnn"
    assert unfold_text(text) == "build A1 if britain places protectorate tunis\nbuild A3\n-- \nAnn"


def test_form_in_another_charset_and_encoding() -> None:
    head = b"From: a@b\nContent-Type: text/plain; charset=%s; format=flowed\nContent-Transfer-Encoding: %s\n\n"
    latin = head % (b"iso-8859-1", b"quoted-printable") + b"# =A320 for tunis\nbuild A1 \nif x"
    assert order_sources(parse_message(latin))[0].text == "# £20 for tunis\nbuild A1 if x"
    assert refused(order_sources, parse_message(head % (b"utf-8", b"8bit") + b"\xff\xfe")).code == "not_text"
    assert refused(order_sources, parse_message(head % (b"no-such", b"8bit") + b"x")).code == "not_text"


@pytest.mark.parametrize(
    "content",
    [
        b"Content-Type: text/plain; charset=undefined\n\nbuild A1",
        b"Content-Type: text/plain; charset=punycode\n\na.b",
        b"Content-Type: text/html\n\n<![foo[build A1]]>",
    ],
)
def test_letter_that_the_standard_library_cannot_read_is_refused(content: bytes) -> None:
    assert refused(order_sources, parse_message(b"From: a@b\n" + content)).code == "not_text"


def test_attached_form_of_an_unusable_charset_is_read_as_utf_8_or_windows_1252() -> None:
    head = b"From: a@b\nContent-Type: text/plain; charset=undefined; name=x.txt\n"
    sources = order_sources(parse_message(head + b"Content-Transfer-Encoding: 8bit\n\nbuild A1 \xe9.\n"))
    assert [source.text.strip() for source in sources] == ["", "build A1 é."]


def test_attached_form_contains_only_what_utf_8_can_hold() -> None:
    head = b"From: a@b\nContent-Type: text/plain; charset=unicode_escape; name=x.txt\n"
    _, form = order_sources(parse_message(head + b"Content-Transfer-Encoding: 8bit\n\nbuild A1 # \xe9 \\ud800"))
    assert form.text.encode().startswith(b"build A1 # ")


LINES = (
    b"From: a@b", b"From: \xff<", b"Subject: =?utf-8?b?!!?=", b"Subject: [pax g 1 france 00000000]", b"", b"--b",
    b"Content-Type: multipart/mixed; boundary=b", b"Content-Type: text/plain; charset=\xff", b"--b--", b"Message-ID: <",
    b"Content-Transfer-Encoding: base64", b"Content-Disposition: attachment; filename*=x''%ff.form", b"Date: x",
    b"Content-Type: message/rfc822", b"name=\"a.sealed\"", b"build A1", b"Auto-Submitted: ;",
)  # fmt: skip


@given(st.binary(max_size=400) | st.lists(st.sampled_from(LINES), max_size=14).map(b"\n".join))
def test_random_letters_are_read_or_refused(data: bytes) -> None:
    try:
        written = parse_message(data)
        enclosed_files(written)
        letter_orders(tables(), written, ("france",))
    except Refusal as refusal:
        assert refusal.message


def test_token_is_valid_for_its_game_stop_and_seat() -> None:
    key = b"k" * 32
    mark = message_parser.parse_token(f"Re: AW: x {message_parser.make_token(key, 'g1', 2, 'france')}")
    assert (
        mark is not None
        and message_parser.is_valid_token(key, mark)
        and not message_parser.is_valid_token(b"o" * 32, mark)
    )
    for field, value in {"game": "g2", "stop": 3, "seat": "italy", "proof": "0" * 20}.items():
        assert not message_parser.is_valid_token(key, mark._replace(**{field: value}))
    assert message_parser.parse_token("no mark [pax g1]") is None


def test_addresses() -> None:
    assert is_address("ann@example.org")
    for wrong in ("ann", "Ann <a@b>", "a@b\nBcc: c@d", "a@b, c@d", "@b", "a@", "", "a@b..c", "a@\\", "a@b[c]"):
        assert not is_address(wrong)


GOOD = 'address = "p@x"\n[imap]\nhost = "h"\n[smtp]\nhost = "h"\n[players]\nfrance = "a@b"\n'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"p@x"', '"p"', "is not an address"),
        ("france", "atlantis", "unknown seat"),
        ('host = "h"\n[smtp]', 'host = "h"\nsecurity = "none"\n[smtp]', "unencrypted"),
        ('host = "h"\n[smtp]', 'host = "h"\nport = "x"\n[smtp]', "Expected `int"),
        ("[players]", "[player]", "unknown field"),
        ("[imap]", "[imap", "Expected ']'"),
    ],
)
def test_errors_of_mail_settings(tmp_path: Path, old: str, new: str, message: str) -> None:
    folder = GameDirectory.made(tmp_path / "g")
    assert refused(read_settings, folder, ("france",)).code == "no_mail_settings"
    settings_path(folder).write_text(GOOD)
    found = read_settings(folder, ("france",))
    assert (found.imap.port, found.smtp.port, found.seats_of("A@B")) == (993, 465, ("france",))
    settings_path(folder).write_text(GOOD.replace(old, new))
    wrong = refused(read_settings, folder, ("france",))
    assert wrong.code == "bad_mail_settings" and message in wrong.message


def test_wrapped_orders_are_joined() -> None:
    units = " ".join(["A10"] * 4 + ["A3"] * 6 + ["A1"] * 6)
    found = extract_orders(tables(), f"build {units}\nA1 A1\n")
    assert found.text == f"build {units} A1 A1\n" and found.joined and not found.faults
    short = extract_orders(tables(), "build A10\nA1 A1\n")
    assert short.text == "build A10\n" and [fault.line for fault in short.faults] == [2]
