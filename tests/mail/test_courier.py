"""Mail games through a real SMTP and IMAP server: whole turns, and letters of strangers, machines and accidents."""

from __future__ import annotations

import imaplib
import smtplib
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from email.utils import make_msgid
from hashlib import sha256
from pathlib import Path

import pytest

from paxtui.cli.mail.pages import report_pages
from paxtui.games.pax.position.setup import seats_for
from paxtui.mail import courier, fair_dice, keys, sealed_letters
from paxtui.mail.courier import Courier, RoundResult
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import GamemasterService
from paxtui.mail.submissions import submit_form
from paxtui.mail.transport import Mailbox, read_settings, settings_path
from tests.mail.servers import MISSING, MailServer, mail_server
from tests.refusals import refused
from tests.rules.harness import tables

pytestmark = pytest.mark.skipif(MISSING, reason="dovecot is not installed: run .ci/system-packages")

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PLAYERS = {"britain": "ben", "france": "ann", "germany": "gus", "united_states": "uma"}
HOOK = """
import os
open("{}", "a").write(os.environ["PAXTUI_EVENT"] + os.environ["PAXTUI_SEAT"] + " ")
"""
SETTINGS = """
address = "pax@test"
hook = "{hook}"

[imap]
host = "127.0.0.1"
port = {server.imap}
user = "pax"
security = "none"
password_env = "PAX_TEST_PASSWORD"

[smtp]
host = "127.0.0.1"
port = {server.smtp}
security = "none"

[players]
"""


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    """One server for all tests of this module; it takes a second to start."""
    with mail_server(("pax", "eve", *PLAYERS.values())) as server:
        yield server


class MailedGame:
    """A game of four by e-mail, and the mail programs of its players."""

    def __init__(self, root: Path, server: MailServer, **rest: bool) -> None:
        self.server, self.time = server, NOON
        server.time, server.down = NOON, False
        for user in ("pax", "eve", *PLAYERS.values()):
            for path in (server.root / "mail" / user).glob("[cn]*/*"):
                path.unlink()
        folder = GameDirectory.made(root / "spring")
        self.service = GamemasterService.begin(
            folder, tables(), seats_for(4), seed="mail", game_id="g1", now=lambda: self.time, draw=report_pages, **rest
        )
        self.hook_output = root / "hook_output"
        (root / "hook.py").write_text(HOOK.format(self.hook_output))
        text = SETTINGS.format(server=server, hook=f"{sys.executable} {root / 'hook.py'}")
        settings_path(folder).write_text(text + "".join(f'{seat} = "{name}@test"\n' for seat, name in PLAYERS.items()))

    def courier(self) -> Courier:
        return Courier(self.service, read_settings(self.service.folder, self.service.terms.players))

    def round(self) -> RoundResult:
        return self.courier().round()

    def send(self, user: str, subject: str, body: str, *, id_: str = "", form: str | bytes = "", **heads: str) -> None:
        """Send a letter to the gamemaster's address."""
        message = EmailMessage(policy=default)
        message["From"], message["To"], message["Subject"] = heads.pop("sender", f"{user}@test"), "pax@test", subject
        message["Message-ID"] = id_ or make_msgid(domain="test")
        for name, value in heads.items():
            message[name.replace("_", "-")] = value
        message.set_content(body)
        if form:
            data = form.encode() if isinstance(form, str) else form
            message.add_attachment(data, maintype="application", subtype="octet-stream", filename=heads.get("X_file"))
        self.server.time = self.time
        with smtplib.SMTP("127.0.0.1", self.server.smtp) as smtp:
            smtp.send_message(message)

    def inbox(self, user: str) -> list[EmailMessage]:
        """Fetch the letters of a player by IMAP."""
        found = []
        with imaplib.IMAP4("127.0.0.1", self.server.imap) as imap:
            imap.login(user, user)
            imap.select("INBOX")
            for uid in imap.uid("search", "ALL")[1][0].split():
                data = imap.uid("fetch", uid, "(BODY.PEEK[])")[1][0][1]
                found.append(_message(data))
        return found

    def count(self, user: str) -> int:
        """Return the number of letters of a player."""
        return len(list((self.server.root / "mail" / user).glob("[cn]*/*")))

    def last(self, user: str) -> str:
        """Return the text of the last letter of a player."""
        body = self.inbox(user)[-1].get_body(("plain",))
        assert body is not None
        return str(body.get_content())

    def subject(self, user: str) -> str:
        """Return the subject of an answer to the last report."""
        return "Re: " + next(str(m["Subject"]) for m in reversed(self.inbox(user)) if ": report" in str(m["Subject"]))

    def files(self, user: str) -> dict[str, bytes]:
        """Return the files attached to the last report of a player."""
        report = next(m for m in reversed(self.inbox(user)) if ": report" in str(m["Subject"]))
        return {str(part.get_filename()): part.get_payload(decode=True) for part in report.iter_attachments()}


def _message(data: bytes) -> EmailMessage:
    from email import message_from_bytes

    return message_from_bytes(data, EmailMessage, policy=default)


@pytest.fixture
def game(tmp_path: Path, server: MailServer, monkeypatch: pytest.MonkeyPatch, home: Path) -> MailedGame:
    monkeypatch.setenv("PAX_TEST_PASSWORD", "pax")
    return MailedGame(tmp_path, server)


@pytest.mark.rule("PBM-001")
def test_whole_turn_by_mail(game: MailedGame) -> None:
    assert game.round() == RoundResult(sent=4)
    assert set(game.files("ann")) == {"france.html", "france.form", "france.position", "public.html"}
    assert "For France." in game.last("ann") and "For France." not in game.last("ben")
    blank = game.files("ben")["britain.form"].decode()
    game.send("ann", game.subject("ann"), "build A1\n\nOn Sunday the desk wrote:\n> build nonsense\n-- \nAnn\n")
    game.send("ben", game.subject("ben"), "See the form.", form=blank + "build A3\n", X_file="britain.form")
    game.send("gus", game.subject("gus"), "build A1\nbuild hope\n")
    game.send("uma", game.subject("uma"), "no orders")
    done = game.round()
    assert sorted(done.taken) == ["britain", "france", "united_states"] and done.sent == 4
    assert "Your orders for France, stop 1, were accepted." in game.last("ann")
    assert "line 2, column 7" in game.last("gus") and done.refused[0][0] == "gus@test"
    assert game.service.status().missing == ("germany",)
    game.send("gus", game.subject("gus"), "build A1\n")
    assert game.round().taken == ("germany",)
    game.service.adjudicate()
    assert game.round() == RoundResult(sent=4)
    assert "Line 1, build A1: carried out." in game.last("ann")
    assert "build A3: carried out." in game.last("ben") and b"stop 2" in game.files("uma")["united_states.form"]
    assert game.round() == RoundResult()  # nothing is sent twice
    assert "arrivedfrance " in game.hook_output.read_text() and "sentfrance " in game.hook_output.read_text()


@pytest.mark.rule("PBM-018")
def test_invalid_letter_is_refused_to_its_sender_only(game: MailedGame) -> None:
    game.round()
    subject, french = game.subject("ann"), "build A1\n"
    before = {user: game.count(user) for user in (*PLAYERS.values(), "eve")}

    def check_refusal(user: str, words: str) -> None:
        """Check that only this user got an answer, with these words, and that no form was accepted."""
        (refusal,) = game.round().refused
        assert words in refusal[1] and not game.service.status().arrived
        for other, count in before.items():
            before[other] = game.count(other)
            assert before[other] == count + (other == user), other
        assert words in game.last(user).replace("\n", " ")

    game.send("ann", "my orders", french)
    check_refusal("ann", "no reply token")
    game.send("ann", subject[:-5] + "0000]", french)
    check_refusal("ann", "written in your name by another person")
    game.send("ben", subject, french)  # the token of France, sent by Britain's player
    check_refusal("ben", "not the one sent to you")
    game.send("eve", subject, french)
    check_refusal("eve", "eve@test is not the address of a player")
    game.send("eve", subject[:-5] + "0000]", french, sender="ann@test")
    check_refusal("ann", "written in your name by another person")
    game.send("ann", subject.replace("g1", "g2"), french)
    check_refusal("ann", "for game g2")
    game.send("ann", subject, "stop: 3\n" + french)
    check_refusal("ann", "for stop 3")
    game.send("ann", subject, "x" * 600_000)
    check_refusal("ann", "the maximum")
    game.send("ann", subject, "build A1\n" * 20_000)
    check_refusal("ann", "65536 characters")
    game.send("ann", subject, "", form=b"\xff\xfe\x00", X_file="france.form")
    check_refusal("ann", "not UTF-8")
    aside = list((game.service.folder.desk / "refused").glob("*.why.txt"))
    assert len(aside) >= 9 and all(path.stat().st_mode & 0o077 == 0 for path in aside)
    game.time += timedelta(days=28)
    game.send("ann", subject, french)
    check_refusal("ann", "Too late")


def test_letter_without_orders_replaces_no_orders(game: MailedGame) -> None:
    game.round()
    subject = game.subject("ann")
    game.send("ann", subject, "build A1")
    game.send("ann", subject, "")
    done = game.round()
    assert done.taken == ("france",) and "contains no orders" in done.refused[0][1]
    assert "Your earlier orders, if any, still count" in game.last("ann").replace("\n", " ")
    assert game.service.folder.form_of(1, "france").read_text() == "build A1\n"
    game.send("ann", subject, "attached", form="build A3\n", X_file="orders.txt")
    assert game.round().taken == ("france",)
    assert game.service.folder.form_of(1, "france").read_text() == "build A3\n"
    assert "1  build A3" in game.last("ann") and "Not read as orders:" in game.last("ann")
    game.send("ann", subject, "Hi,\nwithdraw orders\nAnn")
    game.round()
    assert "were withdrawn" in game.last("ann").replace("\n", " ") and "france" in game.service.status().missing


def test_request_for_more_time_keeps_the_orders(game: MailedGame) -> None:
    game.round()
    game.send("ann", game.subject("ann"), "build A1")
    game.send("ann", game.subject("ann"), "Hello,\nextend: 3\nAnn")
    assert game.round().taken == ("france", "france")
    assert game.service.folder.form_of(1, "france").read_text() == "extend: 3\nbuild A1\n"


def test_letter_delivered_twice_in_one_round_is_a_duplicate(game: MailedGame) -> None:
    game.round()
    for _ in range(2):
        game.send("ann", game.subject("ann"), "build A1", id_="<twin@test>")
    done = game.round()
    assert done.taken == ("france",) and not done.refused and done.sent == 2
    texts = [str(m.get_body(("plain",)).get_content()).replace("\n", " ") for m in game.inbox("ann")[-2:]]
    assert "were accepted" in texts[0] and "It was accepted the first time" in texts[1]


MACHINES = [
    {"Auto_Submitted": "auto-replied (vacation)"}, {"Precedence": "bulk"}, {"List_Id": "<games.test>"},
    {"X_Autoreply": "yes"}, {"X_Auto_Response_Suppress": "All"}, {"sender": "MAILER-DAEMON@test"},
    {"X_Failed_Recipients": "x@test"}, {"sender": "no-reply@test"},
]  # fmt: skip


def test_machines_bounces_and_lists_get_no_answer(game: MailedGame) -> None:
    game.round()
    for heads in MACHINES:
        game.send("eve", "hello", "let me in", **dict(heads))
    done = game.round()
    assert len(done.refused) == len(MACHINES) and done.sent == 0


def test_answers_to_strangers_are_limited_for_each_day(game: MailedGame) -> None:
    game.round()
    for n in range(courier.MOST_STRANGERS + 5):
        game.send("eve", "hello", "let me in", sender=f"eve{n}@test")
    done = game.round()
    assert len(done.refused) == courier.MOST_STRANGERS + 5 and done.sent == courier.MOST_STRANGERS


def test_time_of_arrival_counts(game: MailedGame) -> None:
    game.round()
    game.time += timedelta(days=27)
    game.send("ann", game.subject("ann"), "build A1")
    game.time += timedelta(days=3)
    assert game.round().taken == ("france",)
    assert game.service.status().arrived == ("france",)


def test_later_letter_replaces_orders_and_duplicates_do_not(game: MailedGame) -> None:
    game.round()
    subject = game.subject("ann")
    game.send("ann", subject, "build A1", id_="<one@test>")
    game.send("ann", subject, "build A3")
    assert game.round().taken == ("france", "france")
    game.send("ann", subject, "build A1", id_="<one@test>")
    done = game.round()
    assert not done.refused and "duplicate letter; it was accepted the first time" in done.told[0]
    assert "It was accepted the first time" in game.last("ann").replace("\n", " ")
    assert game.service.folder.form_of(1, "france").read_text() == "build A3\n"


def test_strangers_get_one_answer_each_day(game: MailedGame) -> None:
    game.round()
    game.send("ann", game.subject("ann"), "I am away.", Auto_Submitted="auto-replied")
    before = len(game.inbox("ann"))
    assert game.round().sent == 0 and len(game.inbox("ann")) == before
    for n in range(5):
        game.send("eve", f"hello {n}", "let me in")
    assert len(game.round().refused) == 5
    assert len(game.inbox("eve")) == 1
    game.time += timedelta(days=1)
    game.send("eve", "hello again", "let me in")
    game.round()
    assert len(game.inbox("eve")) == 2


def test_reminder_is_sent_once_a_day_to_missing_players(game: MailedGame) -> None:
    game.round()
    game.send("ann", game.subject("ann"), "no orders")
    game.round()
    assert game.courier().remind() == ("britain", "germany", "united_states")
    assert game.courier().remind() == ()
    assert game.round().sent == 3
    assert "Your orders for stop 1 are missing" in game.last("ben") and "reminder" not in str(game.inbox("ann")[-1])
    game.time += timedelta(days=1)
    assert len(game.courier().remind()) == 3
    game.send("ben", str(game.inbox("ben")[-1]["Subject"]), "build A1")  # a reminder can also be answered
    assert game.round().taken == ("britain",)


def test_letters_refused_by_the_server_are_sent_later(game: MailedGame) -> None:
    game.server.down = True
    done = game.round()
    assert (done.sent, done.waiting) == (0, 4) and "451" in done.told[0]
    game.server.down = False
    assert game.round().sent == 4 and len(game.inbox("ann")) == 1


@pytest.mark.parametrize("where", ["form", "noted", "seen", "sent"])
def test_killed_round_loses_and_repeats_nothing(game: MailedGame, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game.round()
    game.send("ann", game.subject("ann"), "build A1")

    def killed(*args: object, **rest: object) -> None:
        raise KeyboardInterrupt

    place = {
        "form": (Courier, "_answer"),
        "noted": (courier.Outbox, "save_processed"),
        "seen": (Mailbox, "mark_processed"),
        "sent": (Courier, "_send"),
    }[where]
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(*place, killed)
        game.round()
    done = game.round()
    assert not done.refused and game.service.status().arrived == ("france",)
    assert sum("were accepted" in str(m.get_body(("plain",))) for m in game.inbox("ann")) == 1
    assert game.round() == RoundResult()


def test_sealed_turn_by_mail(tmp_path: Path, server: MailServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nacl")
    monkeypatch.setenv("PAX_TEST_PASSWORD", "pax")
    game = MailedGame(tmp_path, server, sealed=True)
    assert game.round().sent == 4
    assert set(game.files("ann")) == {"public.html", "postal.json"} and "For everybody." in game.last("ann")
    own = GameDirectory(tmp_path / "ann")  # the player's own directory, with the files from the mail
    (own.root / "orders").mkdir(parents=True)
    own.terms.write_bytes(game.files("ann")["postal.json"])
    terms = game.service.terms
    keys.request_seat(own, terms, game.service.new_code("france"), "Ann")
    game.send("ann", "a key", "", form=keys.join_letter_path(own, "france").read_bytes(), X_file="france.join")
    assert game.round().taken == ("france",)
    assert {"france.sealed", "postal.json", "public.html"} == set(game.files("ann"))
    assert "Your own report is not attached" in game.last("ben").replace("\n", " ")
    accepted = " ".join(str(m.get_body(("plain",)).get_content()) for m in game.inbox("ann")).replace("\n", " ")
    assert "your code was accepted" in accepted and "orders were accepted" not in accepted
    terms = game.service.terms
    path = submit_form(own, terms, tables(), "build A1", "france", lambda: game.time)
    form = path.read_bytes()
    assert b"build" not in form
    game.send("eve", "orders", "", form=form, X_file="france.sealed", sender="ben@test")
    game.send("ann", "orders", "", form=form[:-1], X_file="france.sealed")
    game.send("ben", "orders", "", form=form, X_file="britain.sealed")
    game.send("ann", "orders", "build A3")
    for _ in range(2):
        game.send("ann", "orders", "", form=form, X_file="france.sealed")
    done = game.round()
    reasons = (
        "does not belong to its player",
        "not sealed for this key",
        "No player has joined",
        "no sealed form attached",
        "An old form",
    )
    assert all(words in why for words, (_, why) in zip(reasons, done.refused, strict=True)), done.refused
    assert done.taken == ("france",) and game.service.status().arrived == ("france",)
    letter = next(m for m in game.inbox("ann") if "receipt" in str(list(m.iter_attachments())[-1:] and
                  list(m.iter_attachments())[-1].get_filename()))  # fmt: skip
    signed = list(letter.iter_attachments())[-1].get_payload(decode=True)
    receipt, _, text = sealed_letters.open_receipt(signed, keys.player_key(terms, "france"))
    assert receipt.form == sha256(form).hexdigest() and "build A1" in text


def test_fair_dice_by_mail(tmp_path: Path, server: MailServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAX_TEST_PASSWORD", "pax")
    game = MailedGame(tmp_path, server, fair=True)
    assert game.round().sent == 4
    for stage in ("hashes", "words"):
        assert f"{stage}.dice" in game.last("ann")
        terms = game.service.terms
        for seat, name in PLAYERS.items():
            own = GameDirectory(tmp_path / name)
            assert fair_dice.send_dice_answer(own, terms, seat) == stage
            word = fair_dice.dice_letter_path(own, seat, stage).read_bytes()
            subject = f"Re: {game.inbox(name)[-1]['Subject']}"
            if name == "ann":
                game.send("ann", subject, "", form=word, X_file="britain-hashes.dice")
                game.send("ann", subject, "", form=word, X_file="france-dots.dice")
            game.send(name, subject, "", form=word, X_file=f"{seat}-{stage}.dice")
        done = game.round()
        assert sorted(done.taken) == sorted(PLAYERS)
        (_, other), (_, dots) = done.refused
        assert "another seat" in other and "do not need" in dots
        assert done.sent == 4 + 2 + 4  # answers, refusals, and the next request or the first report
    assert game.service.terms.stop == 1 and b"stop: 1" in game.files("ann")["france.form"]


def test_key_of_a_locked_form_by_mail(
    tmp_path: Path, server: MailServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nacl")
    monkeypatch.setenv("PAX_TEST_PASSWORD", "pax")
    game = MailedGame(tmp_path, server, two_step=True)
    own = GameDirectory(tmp_path / "ann")
    keys.request_seat(own, game.service.terms, game.service.new_code("france"), "Ann")
    game.send("ann", "a key", "", form=keys.join_letter_path(own, "france").read_bytes(), X_file="france.join")
    game.round()
    path = submit_form(own, game.service.terms, tables(), "build A1", "france", lambda: game.time)
    game.send("ann", "orders", "", form=path.read_bytes(), X_file="france.sealed")
    assert game.round().taken == ("france",)
    game.send("ann", "a key", "", form=b"x" * 100, X_file="france.unlock")
    assert "not sealed for this key" in game.round().refused[0][1]
    game.time += timedelta(days=29)
    assert game.round().sent == 1 and "france.unlock" in game.last("ann")
    assert sealed_letters.send_unlock_key(own, game.service.terms, keys.player_key(game.service.terms, "france"))
    key = sealed_letters.unlock_path(own, 1, "france").read_bytes()
    game.send("ben", "a key", "", form=key, X_file="france.unlock")
    game.send("ann", "a key", "", form=key, X_file="france.unlock")
    done = game.round()
    assert done.taken == ("france",) and "does not belong to its player" in done.refused[0][1]
    assert game.service.status().arrived == ("france",)


def test_only_one_courier_runs_at_a_time(game: MailedGame) -> None:
    with game.courier()._alone():
        assert refused(game.round).code == "busy"


def test_wrong_password_gives_a_sentence(game: MailedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAX_TEST_PASSWORD", "wrong")
    found = refused(game.round)
    assert found.code == "mailbox" and "127.0.0.1" in found.message and "wrong" not in found.message
    monkeypatch.delenv("PAX_TEST_PASSWORD")
    assert refused(game.round).code == "no_password"
