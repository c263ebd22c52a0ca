"""A turn by e-mail through a real SMTP and a real IMAP server, with everything that strangers and accidents send."""

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


class Post:
    """A game of four whose letters go through the server, and its players at their mail programs."""

    def __init__(self, root: Path, server: MailServer, **rest: bool) -> None:
        self.server, self.time = server, NOON
        server.time, server.down = NOON, False
        for user in ("pax", "eve", *PLAYERS.values()):
            for path in (server.root / "mail" / user).glob("[cn]*/*"):
                path.unlink()
        folder = GameDirectory.made(root / "spring")
        self.desk = GamemasterService.begin(
            folder, tables(), seats_for(4), seed="mail", game_id="g1", now=lambda: self.time, draw=report_pages, **rest
        )
        self.told = root / "told"
        (root / "hook.py").write_text(HOOK.format(self.told))
        text = SETTINGS.format(server=server, hook=f"{sys.executable} {root / 'hook.py'}")
        settings_path(folder).write_text(text + "".join(f'{seat} = "{name}@test"\n' for seat, name in PLAYERS.items()))

    def courier(self) -> Courier:
        return Courier(self.desk, read_settings(self.desk.folder, self.desk.terms.players))

    def round(self) -> RoundResult:
        return self.courier().round()

    def send(self, user: str, subject: str, body: str, *, id_: str = "", form: str | bytes = "", **heads: str) -> None:
        """Somebody writes to the desk."""
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
        """The letters of a player, as his mail program fetches them by IMAP."""
        found = []
        with imaplib.IMAP4("127.0.0.1", self.server.imap) as imap:
            imap.login(user, user)
            imap.select("INBOX")
            for uid in imap.uid("search", "ALL")[1][0].split():
                data = imap.uid("fetch", uid, "(BODY.PEEK[])")[1][0][1]
                found.append(_message(data))
        return found

    def count(self, user: str) -> int:
        """How many letters a player has."""
        return len(list((self.server.root / "mail" / user).glob("[cn]*/*")))

    def last(self, user: str) -> str:
        """What the last letter of a player says."""
        body = self.inbox(user)[-1].get_body(("plain",))
        assert body is not None
        return str(body.get_content())

    def subject(self, user: str) -> str:
        """The subject that a player's answer to the last report has."""
        return "Re: " + next(str(m["Subject"]) for m in reversed(self.inbox(user)) if ": report" in str(m["Subject"]))

    def files(self, user: str) -> dict[str, bytes]:
        """What the last report of a player encloses."""
        report = next(m for m in reversed(self.inbox(user)) if ": report" in str(m["Subject"]))
        return {str(part.get_filename()): part.get_payload(decode=True) for part in report.iter_attachments()}


def _message(data: bytes) -> EmailMessage:
    from email import message_from_bytes

    return message_from_bytes(data, EmailMessage, policy=default)


@pytest.fixture
def post(tmp_path: Path, server: MailServer, monkeypatch: pytest.MonkeyPatch, home: Path) -> Post:
    monkeypatch.setenv("PAX_TEST_PASSWORD", "pax")
    return Post(tmp_path, server)


@pytest.mark.rule("PBM-001")
def test_a_whole_turn_by_mail(post: Post) -> None:
    assert post.round() == RoundResult(sent=4)
    assert set(post.files("ann")) == {"france.html", "france.form", "france.position", "public.html"}
    assert "For France." in post.last("ann") and "For France." not in post.last("ben")
    blank = post.files("ben")["britain.form"].decode()
    post.send("ann", post.subject("ann"), "build A1\n\nOn Sunday the desk wrote:\n> build nonsense\n-- \nAnn\n")
    post.send("ben", post.subject("ben"), "See the form.", form=blank + "build A3\n", X_file="britain.form")
    post.send("gus", post.subject("gus"), "build A1\nbuild hope\n")
    post.send("uma", post.subject("uma"), "no orders")
    done = post.round()
    assert sorted(done.taken) == ["britain", "france", "united_states"] and done.sent == 4
    assert "Your orders for France, stop 1, were accepted." in post.last("ann")
    assert "line 2, column 7" in post.last("gus") and done.refused[0][0] == "gus@test"
    assert post.desk.status().missing == ("germany",)
    post.send("gus", post.subject("gus"), "build A1\n")
    assert post.round().taken == ("germany",)
    post.desk.adjudicate()
    assert post.round() == RoundResult(sent=4)
    assert "Line 1, build A1: carried out." in post.last("ann")
    assert "build A3: carried out." in post.last("ben") and b"stop 2" in post.files("uma")["united_states.form"]
    assert post.round() == RoundResult()  # nobody is sent anything twice
    assert "arrivedfrance " in post.told.read_text() and "sentfrance " in post.told.read_text()


@pytest.mark.rule("PBM-018")
def test_what_cannot_be_taken_is_refused_to_its_sender_alone(post: Post) -> None:
    post.round()
    subject, french = post.subject("ann"), "build A1\n"
    before = {user: post.count(user) for user in (*PLAYERS.values(), "eve")}

    def told(user: str, words: str) -> None:
        """That user was answered with these words, and nobody else was told anything; nothing was taken."""
        (refusal,) = post.round().refused
        assert words in refusal[1] and not post.desk.status().arrived
        for other, count in before.items():
            before[other] = post.count(other)
            assert before[other] == count + (other == user), other
        assert words in post.last(user).replace("\n", " ")

    post.send("ann", "my orders", french)
    told("ann", "no reply token")
    post.send("ann", subject[:-5] + "0000]", french)
    told("ann", "written in your name by another person")
    post.send("ben", subject, french)  # the pass of France, by Britain's player
    told("ben", "not the one sent to you")
    post.send("eve", subject, french)
    told("eve", "eve@test is not the address of a player")
    post.send("eve", subject[:-5] + "0000]", french, sender="ann@test")
    told("ann", "written in your name by another person")
    post.send("ann", subject.replace("g1", "g2"), french)
    told("ann", "for game g2")
    post.send("ann", subject, "stop: 3\n" + french)
    told("ann", "for stop 3")
    post.send("ann", subject, "x" * 600_000)
    told("ann", "the maximum")
    post.send("ann", subject, "build A1\n" * 20_000)
    told("ann", "65536 characters")
    post.send("ann", subject, "", form=b"\xff\xfe\x00", X_file="france.form")
    told("ann", "not UTF-8")
    aside = list((post.desk.folder.desk / "refused").glob("*.why.txt"))
    assert len(aside) >= 9 and all(path.stat().st_mode & 0o077 == 0 for path in aside)
    post.time += timedelta(days=28)
    post.send("ann", subject, french)
    told("ann", "Too late")


def test_a_letter_without_orders_never_replaces_orders(post: Post) -> None:
    post.round()
    subject = post.subject("ann")
    post.send("ann", subject, "build A1")
    post.send("ann", subject, "")
    done = post.round()
    assert done.taken == ("france",) and "contains no orders" in done.refused[0][1]
    assert "Your earlier orders, if any, still count" in post.last("ann").replace("\n", " ")
    assert post.desk.folder.form_of(1, "france").read_text() == "build A1\n"
    post.send("ann", subject, "attached", form="build A3\n", X_file="orders.txt")
    assert post.round().taken == ("france",)
    assert post.desk.folder.form_of(1, "france").read_text() == "build A3\n"
    assert "1  build A3" in post.last("ann") and "Not read as orders:" in post.last("ann")
    post.send("ann", subject, "Hi,\nwithdraw orders\nAnn")
    post.round()
    assert "were withdrawn" in post.last("ann").replace("\n", " ") and "france" in post.desk.status().missing


def test_a_letter_that_only_asks_for_more_time_keeps_the_orders(post: Post) -> None:
    post.round()
    post.send("ann", post.subject("ann"), "build A1")
    post.send("ann", post.subject("ann"), "Hello,\nextend: 3\nAnn")
    assert post.round().taken == ("france", "france")
    assert post.desk.folder.form_of(1, "france").read_text() == "extend: 3\nbuild A1\n"


def test_a_letter_delivered_twice_in_one_round_is_said_to_be_taken(post: Post) -> None:
    post.round()
    for _ in range(2):
        post.send("ann", post.subject("ann"), "build A1", id_="<twin@test>")
    done = post.round()
    assert done.taken == ("france",) and not done.refused and done.sent == 2
    said = [str(m.get_body(("plain",)).get_content()).replace("\n", " ") for m in post.inbox("ann")[-2:]]
    assert "were accepted" in said[0] and "It was accepted the first time" in said[1]


MACHINES = [
    {"Auto_Submitted": "auto-replied (vacation)"}, {"Precedence": "bulk"}, {"List_Id": "<games.test>"},
    {"X_Autoreply": "yes"}, {"X_Auto_Response_Suppress": "All"}, {"sender": "MAILER-DAEMON@test"},
    {"X_Failed_Recipients": "x@test"}, {"sender": "no-reply@test"},
]  # fmt: skip


def test_machines_bounces_and_lists_get_no_answer(post: Post) -> None:
    post.round()
    for heads in MACHINES:
        post.send("eve", "hello", "let me in", **dict(heads))
    done = post.round()
    assert len(done.refused) == len(MACHINES) and done.sent == 0


def test_strangers_together_get_few_answers_a_day(post: Post) -> None:
    post.round()
    for n in range(courier.MOST_STRANGERS + 5):
        post.send("eve", "hello", "let me in", sender=f"eve{n}@test")
    done = post.round()
    assert len(done.refused) == courier.MOST_STRANGERS + 5 and done.sent == courier.MOST_STRANGERS


def test_when_a_letter_came_is_what_counts_and_not_when_it_is_fetched(post: Post) -> None:
    post.round()
    post.time += timedelta(days=27)
    post.send("ann", post.subject("ann"), "build A1")
    post.time += timedelta(days=3)
    assert post.round().taken == ("france",)
    assert post.desk.status().arrived == ("france",)


def test_a_letter_that_comes_twice_is_said_to_be_taken_and_a_later_one_takes_its_place(post: Post) -> None:
    post.round()
    subject = post.subject("ann")
    post.send("ann", subject, "build A1", id_="<one@test>")
    post.send("ann", subject, "build A3")
    assert post.round().taken == ("france", "france")
    post.send("ann", subject, "build A1", id_="<one@test>")
    done = post.round()
    assert not done.refused and "duplicate letter; it was accepted the first time" in done.told[0]
    assert "It was accepted the first time" in post.last("ann").replace("\n", " ")
    assert post.desk.folder.form_of(1, "france").read_text() == "build A3\n"


def test_machines_are_not_answered_and_strangers_once_a_day(post: Post) -> None:
    post.round()
    post.send("ann", post.subject("ann"), "I am away.", Auto_Submitted="auto-replied")
    before = len(post.inbox("ann"))
    assert post.round().sent == 0 and len(post.inbox("ann")) == before
    for n in range(5):
        post.send("eve", f"hello {n}", "let me in")
    assert len(post.round().refused) == 5
    assert len(post.inbox("eve")) == 1
    post.time += timedelta(days=1)
    post.send("eve", "hello again", "let me in")
    post.round()
    assert len(post.inbox("eve")) == 2


def test_a_reminder_goes_to_who_is_missing_once_a_day(post: Post) -> None:
    post.round()
    post.send("ann", post.subject("ann"), "no orders")
    post.round()
    assert post.courier().remind() == ("britain", "germany", "united_states")
    assert post.courier().remind() == ()
    assert post.round().sent == 3
    assert "Your orders for stop 1 are missing" in post.last("ben") and "reminder" not in str(post.inbox("ann")[-1])
    post.time += timedelta(days=1)
    assert len(post.courier().remind()) == 3
    post.send("ben", str(post.inbox("ben")[-1]["Subject"]), "build A1")  # a reminder can be answered, too
    assert post.round().taken == ("britain",)


def test_what_the_server_does_not_take_waits(post: Post) -> None:
    post.server.down = True
    done = post.round()
    assert (done.sent, done.waiting) == (0, 4) and "451" in done.told[0]
    post.server.down = False
    assert post.round().sent == 4 and len(post.inbox("ann")) == 1


@pytest.mark.parametrize("where", ["form", "noted", "seen", "sent"])
def test_killed_at_any_moment_nothing_is_lost_and_nothing_done_twice(
    post: Post, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.round()
    post.send("ann", post.subject("ann"), "build A1")

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
        post.round()
    done = post.round()
    assert not done.refused and post.desk.status().arrived == ("france",)
    assert sum("were accepted" in str(m.get_body(("plain",))) for m in post.inbox("ann")) == 1
    assert post.round() == RoundResult()


def test_a_sealed_turn_by_mail(tmp_path: Path, server: MailServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nacl")
    monkeypatch.setenv("PAX_TEST_PASSWORD", "pax")
    post = Post(tmp_path, server, sealed=True)
    assert post.round().sent == 4
    assert set(post.files("ann")) == {"public.html", "postal.json"} and "For everybody." in post.last("ann")
    own = GameDirectory(tmp_path / "ann")  # the player's own directory, of what came by mail
    (own.root / "orders").mkdir(parents=True)
    own.terms.write_bytes(post.files("ann")["postal.json"])
    terms = post.desk.terms
    keys.request_seat(own, terms, post.desk.new_code("france"), "Ann")
    post.send("ann", "a key", "", form=keys.join_letter_path(own, "france").read_bytes(), X_file="france.join")
    assert post.round().taken == ("france",)
    assert {"france.sealed", "postal.json", "public.html"} == set(post.files("ann"))
    assert "Your own report is not attached" in post.last("ben").replace("\n", " ")
    accepted = " ".join(str(m.get_body(("plain",)).get_content()) for m in post.inbox("ann")).replace("\n", " ")
    assert "your code was accepted" in accepted and "orders were accepted" not in accepted
    terms = post.desk.terms
    path = submit_form(own, terms, tables(), "build A1", "france", lambda: post.time)
    form = path.read_bytes()
    assert b"build" not in form
    post.send("eve", "orders", "", form=form, X_file="france.sealed", sender="ben@test")
    post.send("ann", "orders", "", form=form[:-1], X_file="france.sealed")
    post.send("ben", "orders", "", form=form, X_file="britain.sealed")
    post.send("ann", "orders", "build A3")
    for _ in range(2):
        post.send("ann", "orders", "", form=form, X_file="france.sealed")
    done = post.round()
    told = (
        "does not belong to its player",
        "not sealed for this key",
        "No player has joined",
        "no sealed form attached",
        "An old form",
    )
    assert all(words in why for words, (_, why) in zip(told, done.refused, strict=True)), done.refused
    assert done.taken == ("france",) and post.desk.status().arrived == ("france",)
    letter = next(m for m in post.inbox("ann") if "receipt" in str(list(m.iter_attachments())[-1:] and
                  list(m.iter_attachments())[-1].get_filename()))  # fmt: skip
    signed = list(letter.iter_attachments())[-1].get_payload(decode=True)
    receipt, _, text = sealed_letters.open_receipt(signed, keys.player_key(terms, "france"))
    assert receipt.form == sha256(form).hexdigest() and "build A1" in text


def test_fair_dice_by_mail(tmp_path: Path, server: MailServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAX_TEST_PASSWORD", "pax")
    post = Post(tmp_path, server, fair=True)
    assert post.round().sent == 4
    for stage in ("hashes", "words"):
        assert f"{stage}.dice" in post.last("ann")
        terms = post.desk.terms
        for seat, name in PLAYERS.items():
            own = GameDirectory(tmp_path / name)
            assert fair_dice.send_dice_answer(own, terms, seat) == stage
            word = fair_dice.dice_letter_path(own, seat, stage).read_bytes()
            subject = f"Re: {post.inbox(name)[-1]['Subject']}"
            if name == "ann":
                post.send("ann", subject, "", form=word, X_file="britain-hashes.dice")
                post.send("ann", subject, "", form=word, X_file="france-dots.dice")
            post.send(name, subject, "", form=word, X_file=f"{seat}-{stage}.dice")
        done = post.round()
        assert sorted(done.taken) == sorted(PLAYERS)
        (_, other), (_, dots) = done.refused
        assert "another seat" in other and "do not need" in dots
        assert done.sent == 4 + 2 + 4  # answers, refusals, and what is wanted next or the first report
    assert post.desk.terms.stop == 1 and b"stop: 1" in post.files("ann")["france.form"]


def test_the_key_of_a_locked_form_by_mail(
    tmp_path: Path, server: MailServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nacl")
    monkeypatch.setenv("PAX_TEST_PASSWORD", "pax")
    post = Post(tmp_path, server, two_step=True)
    own = GameDirectory(tmp_path / "ann")
    keys.request_seat(own, post.desk.terms, post.desk.new_code("france"), "Ann")
    post.send("ann", "a key", "", form=keys.join_letter_path(own, "france").read_bytes(), X_file="france.join")
    post.round()
    path = submit_form(own, post.desk.terms, tables(), "build A1", "france", lambda: post.time)
    post.send("ann", "orders", "", form=path.read_bytes(), X_file="france.sealed")
    assert post.round().taken == ("france",)
    post.send("ann", "a key", "", form=b"x" * 100, X_file="france.unlock")
    assert "not sealed for this key" in post.round().refused[0][1]
    post.time += timedelta(days=29)
    assert post.round().sent == 1 and "france.unlock" in post.last("ann")
    assert sealed_letters.send_unlock_key(own, post.desk.terms, keys.player_key(post.desk.terms, "france"))
    key = sealed_letters.unlock_path(own, 1, "france").read_bytes()
    post.send("ben", "a key", "", form=key, X_file="france.unlock")
    post.send("ann", "a key", "", form=key, X_file="france.unlock")
    done = post.round()
    assert done.taken == ("france",) and "does not belong to its player" in done.refused[0][1]
    assert post.desk.status().arrived == ("france",)


def test_two_couriers_do_not_carry_the_same_letters(post: Post) -> None:
    with post.courier()._alone():
        assert refused(post.round).code == "busy"


def test_a_wrong_password_is_reported_in_a_sentence(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAX_TEST_PASSWORD", "wrong")
    found = refused(post.round)
    assert found.code == "mailbox" and "127.0.0.1" in found.message and "wrong" not in found.message
    monkeypatch.delenv("PAX_TEST_PASSWORD")
    assert refused(post.round).code == "no_password"
