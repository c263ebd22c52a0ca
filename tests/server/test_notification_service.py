"""Messages to players whose seat must act: settings, quiet hours, retries, e-mail, and what a message contains."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.server.access_control import PlayerRegistry
from paxtui.server.data_directory import DataDirectory, Journal
from paxtui.server.notification_service import NotificationService, quiet_left
from tests.server.conftest import HubClocks
from tests.waiting import until

HOOK = "https://hooks.example/secret-path"


class Service:
    """A service with one player at France, whose requests are kept."""

    def __init__(self, root) -> None:
        self.times, self.data_directory = HubClocks(), DataDirectory(root / "data")
        players = PlayerRegistry(self.data_directory.register)
        self.ann = players.redeem("ssh-ed25519 Ann", players.invite("friday", "france"), "Ann")[0]
        self.waiting = {("friday", "france")}
        self.service = NotificationService(
            self.data_directory,
            players,
            lambda game, seat: (game, seat) in self.waiting,
            self.times.clock,
            self.times.steady,
            Journal(self.data_directory.journal),
        )
        self.sent: list[tuple[str, dict[str, object], dict[str, str]]] = []
        self.letters: list[bytes] = []
        self.slept: list[float] = []
        self.answers = [204]
        self.service.post, self.service.sleep = self.post, self.sleep
        self.service.send_mail = lambda server, letter: self.letters.append(letter)

    async def post(self, target, body, headers) -> int:
        self.sent.append((target.host, json.loads(body), dict(headers)))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.times.pass_(seconds)

    def ask(self, text: str) -> str:
        return self.service.request(self.ann, text)

    async def tell(self, seat: str = "france", here: str = "no", **more: str) -> None:
        """Report a seat that must act, and wait for what follows."""
        known = {"GAME": "friday", "SEAT": seat, "SEAT_NAME": seat.capitalize(), "TURN": "2", "YEAR": "1884"}
        known |= {"PHASE": "movement", "PHASE_NAME": "Movement", "HERE": here, **more}
        self.service.tell({f"PAXTUI_{name}": value for name, value in known.items()})
        await self.done()

    async def done(self) -> None:
        await asyncio.sleep(0)
        await until(lambda: not self.service._tasks)


@pytest.fixture
async def service(tmp_path):
    found = Service(tmp_path)
    yield found
    await found.service.close()


async def test_absent_player_gets_one_message_without_secrets(service):
    service.ask(f"webhook {HOOK}")
    await service.tell()
    await service.tell("germany")  # a seat without a player
    await service.tell(here="yes")
    ((host, body, headers),) = service.sent
    assert host == "hooks.example"
    assert body == {
        "event": "must_act", "game": "friday", "seats": ["france"], "turn": 2, "year": 1884, "phase": "movement",
        "text": "France must act in friday: Movement, 1884.",
    }  # fmt: skip
    assert "X-Paxtui-Signature" not in headers
    service.ask("when always")
    await service.tell(here="yes", LEFT="3600")
    assert service.sent[-1][1]["text"] == "France must act in friday: Movement, 1884. 1 hour left."
    service.ask("secret")
    await service.tell()
    assert service.sent[-1][2]["X-Paxtui-Signature"].startswith("sha256=")


async def test_failures_are_retried_while_the_seat_must_act(service):
    service.ask(f"webhook {HOOK}")
    service.answers = [OSError(111, "Connection refused"), 503, 429, 200]
    await service.tell()
    assert (len(service.sent), service.slept) == (4, [10.0, 60.0, 300.0])
    assert "webhook sent" in service.ask("")
    service.answers, service.sent = [500], []
    service.service.sleep = lambda seconds: _act(service)
    await service.tell()
    assert len(service.sent) == 1  # the player acted meanwhile
    service.waiting.add(("friday", "france"))
    service.answers, service.sent = [404], []
    await service.tell()
    assert len(service.sent) == 1
    assert "hooks.example answers 404" in service.ask("")


async def _act(service) -> None:
    service.waiting.clear()


async def test_quiet_hours_delay_a_message(service):
    service.ask(f"webhook {HOOK}")
    service.ask("quiet 22:00-07:00 Europe/Paris")
    service.times.now = datetime(2026, 1, 1, 22, 30, tzinfo=UTC)  # 23:30 in Paris
    await service.tell()
    assert (service.slept, len(service.sent)) == ([7.5 * 3600], 1)
    for wrong in ("quiet 22-7", "quiet 22:00-22:00", "quiet 22:00-07:00 Nowhere/Atlantis", "quiet 25:00-07:00"):
        with pytest.raises(Refusal):
            service.ask(wrong)
    service.ask("quiet off")
    assert "quiet     -" in service.ask("")


def test_quiet_hours_within_a_day_and_over_midnight():
    def left(quiet: str, hour: int) -> float:
        return quiet_left(f"{quiet} Etc/UTC", datetime(2026, 1, 1, hour, tzinfo=UTC)) / 3600

    assert [left("22:00-07:00", hour) for hour in (21, 22, 0, 6, 7)] == [0, 9, 7, 1, 0]
    assert [left("09:00-17:00", hour) for hour in (8, 9, 16, 17)] == [0, 8, 1, 0]


async def test_webhook_of_a_game_gets_one_message_for_all_seats(service):
    (service.data_directory.root / "notify.toml").write_text(f'[tables.friday]\nwebhook = "{HOOK}"\nformat = "slack"\n')
    for seat in ("france", "germany"):
        service.service.tell(
            {"PAXTUI_GAME": "friday", "PAXTUI_SEAT": seat, "PAXTUI_SEAT_NAME": seat.capitalize(), "PAXTUI_HERE": "no"}
            | {"PAXTUI_TURN": "2", "PAXTUI_YEAR": "1884", "PAXTUI_PHASE": "war", "PAXTUI_PHASE_NAME": "War"}
        )
    await service.done()
    assert [body for _, body, _ in service.sent] == [{"text": "France and Germany must act in friday: War, 1884."}]


async def test_webhooks_in_the_own_network_must_be_allowed(service):
    for url in ("http://ntfy.lan:8080/pax", "https://ntfy.lan:8080/pax"):
        with pytest.raises(Refusal, match="port 443"):
            service.ask(f"webhook {url}")
    (service.data_directory.root / "notify.toml").write_text('allow_hosts = ["ntfy.lan:8080"]\n')
    service.ask("webhook http://ntfy.lan:8080/pax ntfy")
    (service.data_directory.root / "notify.toml").unlink()
    await service.tell()
    assert not service.sent  # checked again before each message
    (service.data_directory.root / "notify.toml").write_text("allow_hosts = 5\n")
    await service.tell()
    assert "notify.toml is invalid" in service.ask("")


async def test_email_address_is_confirmed_by_a_code(service):
    with pytest.raises(Refusal, match="sends no e-mail"):
        service.ask("email ann@example.org")
    (service.data_directory.root / "notify.toml").write_text(
        'address = "pax@example.org"\n[smtp]\nhost = "127.0.0.1"\nsecurity = "none"\n'
    )
    for wrong in ("ann", "ann@example.org,bob@example.org", "ann@example.org\tX"):
        with pytest.raises(Refusal):
            service.ask(f"email {wrong}")
    service.ask("email ann@example.org")
    await service.done()
    await service.tell()
    assert len(service.letters) == 1  # not confirmed: no message yet
    code = service.letters[0].decode().partition("notify confirm ")[2][:6]
    with pytest.raises(Refusal):
        service.ask(f"confirm {int(code) ^ 1:06}")
    service.ask(f"confirm {code}")
    await service.tell()
    assert b"To: ann@example.org" in service.letters[1]
    assert b"France must act in friday: Movement, 1884." in service.letters[1]
    for _ in range(2):
        service.ask("email bob@example.org")
    with pytest.raises(Refusal, match="Too many"):
        service.ask("email bob@example.org")
    await service.done()


async def test_notification_settings_are_private(service):
    service.ask(f"webhook {HOOK}")
    assert "secret-path" not in service.ask("")
    path = service.data_directory.people / service.ann / "notify.json"
    assert path.stat().st_mode & 0o777 == 0o600
    service.ask("test")
    await service.done()
    assert service.sent[-1][1]["event"] == "test"
    service.ask("off")
    assert not path.exists()
    for wrong in ("dance", "when never", "webhook", "webhook https://a.example xml", "test", "confirm 1"):
        with pytest.raises(Refusal):
            service.ask(wrong)
    with pytest.raises(Refusal):
        service.service.request("", "")
    journal = service.data_directory.journal.read_text()
    assert "hooks.example" not in journal
