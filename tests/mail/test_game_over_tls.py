"""A game of four over IMAP and SMTP with TLS, through a Congress and a War."""

from __future__ import annotations

import imaplib
import smtplib
import ssl
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path

import pytest

from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.model import State
from paxtui.mail import reports
from paxtui.mail.audit import audit_game
from paxtui.mail.courier import Courier
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import GamemasterService
from paxtui.mail.submissions import caretaker_form
from paxtui.mail.transport import read_settings, settings_path
from paxtui.session.pax_host import PaxHost
from tests.mail.servers import MISSING, MailServer, mail_server
from tests.mail.whole_game import START, claim_area
from tests.rules.harness import tables

pytestmark = pytest.mark.skipif(MISSING, reason="dovecot is not installed: run .ci/system-packages")

PLAYERS = {"britain": "ben", "france": "ann", "germany": "gus", "united_states": "uma"}
SETTINGS = """
address = "pax@test"
[imap]
host = "127.0.0.1"
port = {server.imap}
user = "pax"
password_env = "PAX_TEST_PASSWORD"
[smtp]
host = "127.0.0.1"
port = {server.smtp}
[players]
"""
LETTER = (
    "Hello,\n\n{}\nEND\nBest regards, {}\n\n"
    "On Sun, Mar 1, 2026 at 12:00 PM Pax Britannica <pax@test> wrote:\n\n> build A9\n"
)
MOST_STOPS = 60


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    with mail_server(("pax", *PLAYERS.values()), tls=True) as server:
        yield server


class MailedGame:
    """The game, its server and its four players."""

    def __init__(self, root: Path, server: MailServer) -> None:
        self.time, self.server = START, server
        self.trust = ssl.create_default_context(cafile=server.root / "cert.pem")
        folder = GameDirectory.made(root / "spring")
        self.service = GamemasterService.begin(
            folder, tables(), seats_for(4), seed="over tls 4", game_id="g1", now=self._now
        )
        text = SETTINGS.format(server=server)
        settings_path(folder).write_text(text + "".join(f'{seat} = "{name}@test"\n' for seat, name in PLAYERS.items()))
        self.had_congress, self.had_war, self.area = False, False, dict[str, str]()
        self.stops: Counter[int] = Counter()

    def _now(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time

    def stop(self) -> None:
        """Send the reports, let the players answer, receive the answers, and adjudicate."""
        courier = Courier(self.service, read_settings(self.service.folder, self.service.terms.players))
        courier.round()
        with PaxHost.open(self.service.folder.game, write=False) as table:
            self.had_congress |= table.state.congress is not None
            self.had_war |= any(war.cycle > 1 for war in table.state.wars)
            self.stops[table.state.turn] += 1
            forms = {seat: self.form(table, seat) for seat in self.service.terms.waits_for}
        for seat, text in forms.items():
            self.answer(PLAYERS[seat], text if text.strip() else "no orders")
        done = Courier(self.service, read_settings(self.service.folder, self.service.terms.players)).round()
        assert sorted(done.taken) == sorted(forms), done.refused
        self.service.adjudicate()

    def answer(self, user: str, text: str) -> None:
        """Answer the last report of a player."""
        with imaplib.IMAP4_SSL("127.0.0.1", self.server.imap, ssl_context=self.trust) as imap:
            imap.login(user, user)
            imap.select("INBOX")
            found = imap.uid("search", "SUBJECT", f'"report {self.service.terms.stop} [pax"')[1][0].split()
            head = imap.uid("fetch", found[-1], "(BODY.PEEK[HEADER.FIELDS (SUBJECT)])")[1][0][1].decode()
        message = EmailMessage()
        message["From"], message["To"] = f"{user}@test", "pax@test"
        message["Subject"] = "Re: " + " ".join(head.partition(":")[2].split())
        message["Message-ID"] = make_msgid(domain="test")
        message.set_content(LETTER.format(text, user.title()))
        self.server.time = self.time
        with smtplib.SMTP_SSL("127.0.0.1", self.server.smtp, context=self.trust) as smtp:
            smtp.send_message(message)

    def form(self, table: PaxHost, seat: str) -> str:
        """Return the orders of a player: a dispute that leads to a Congress, then one that leads to a War."""
        state = table.state
        dispute = None if self.had_war or state.wars else ("war", "britain", "germany") if self.had_congress else (
            "congress", "france", "germany")  # fmt: skip
        if state.phase == "movement":
            claim = claim_area(table, self.area, *dispute, seat) if dispute and seat in dispute else ""
            return f"{claim}\n{caretaker_form(table, seat).text}"
        talk = self.talk(state, seat)
        return talk if state.phase == "negotiation" else f"{talk}\n{caretaker_form(table, seat).text}"

    def talk(self, state: State, seat: str) -> str:
        own = {cause.area: cause for cause in state.casus_belli if cause.holder == seat}
        lines = []
        if (
            state.phase == "negotiation"
            and seat == "france"
            and not self.had_congress
            and self.area.get("congress") in own
        ):
            lines.append(f"congress britain over {own[self.area['congress']].id}")
        if state.phase == "negotiation" and seat == "germany" and self.area.get("war") in own:
            lines.append(f"declare war britain over {own[self.area['war']].id}")
        if state.phase == "congress" and seat == "france" and state.congress and not state.congress.proposals:
            lines.append(f"propose Act: germany lowers {self.area['congress']} to interest; france pays germany 1")
        if state.phase == "congress" and state.congress:
            lines += [f"vote {proposal.id} yes sign" for proposal in state.congress.proposals]
        return "\n".join(lines)


def test_game_over_tls_with_a_congress_and_a_war(
    tmp_path: Path, server: MailServer, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAX_TEST_PASSWORD", "pax")
    monkeypatch.setenv("SSL_CERT_FILE", str(server.root / "cert.pem"))
    game = MailedGame(tmp_path, server)
    for _ in range(MOST_STOPS):
        if (game.had_congress and game.had_war) or game.service.terms.over:
            break
        game.stop()
    with PaxHost.open(game.service.folder.game, write=False) as table:
        kinds = Counter(event["type"] for line in table.game.lines for event in line.events)
        assert len(reports.adjudications(table)) == game.service.terms.stop
    assert game.had_congress and game.had_war, kinds
    assert audit_game(game.service).fault is None
    assert max(game.stops.values()) <= 8, game.stops  # earlier versions needed 17 stops with a Congress
