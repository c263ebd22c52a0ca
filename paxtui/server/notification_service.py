"""Tell players that their seat must act: webhooks and e-mail, with the settings of each player.

    people/ID/notify.json    settings of a player, written by the hub
    notify.toml              settings of the owner of the server, written by hand:

    allow_hosts = ["ntfy.home.example"]          # hosts that webhooks may reach in the server's own network
    address = "pax@example.org"                  # sender of e-mail

    [smtp]
    host = "smtp.example.org"
    user = "pax"
    password_file = "/home/me/.pax-password"

    [tables.friday]                              # a webhook for all seats of a game
    webhook = "https://discord.com/api/webhooks/..."

A message says which seat of which game must act, in which Phase. It contains nothing secret. Each waiting period of a
seat gets one message. A message that cannot be sent is retried while the seat must act.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import tomllib
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from paxtui.engine.clock import duration_text
from paxtui.engine.refusal import Refusal
from paxtui.server.access_control import PlayerRegistry
from paxtui.server.data_directory import NOTIFY_FILE, DataDirectory, Journal
from paxtui.server.limits import RateLimit
from paxtui.server.webhooks import (
    FORMATS,
    SERVICES,
    WebhookFormat,
    WebhookMessage,
    WebhookTarget,
    encode_message,
    parse_target,
    post,
    sign,
)
from paxtui.session.fair_dice import SteadyClock, clock_time
from paxtui.session.game_host import Clock
from paxtui.session.storage.files import describe_error, read_regular

if TYPE_CHECKING:
    from paxtui.mail.transport import MailServer

RETRIES_S = (10.0, 60.0, 300.0, 1800.0)
"""Pauses before each further attempt, in seconds."""

MAX_PENDING = 500
"""Maximum number of messages that wait to be sent."""

MAX_AT_ONCE = 8
"""Maximum number of messages that are sent at the same time."""

QUIET = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)(?: (\S{1,40}))?", re.ASCII)

CODE_LENGTH = 6

USAGE = """\
notify                              show your settings
notify webhook URL [FORMAT]         send to a webhook; formats: json, ntfy, discord, slack
notify secret                       make a secret that signs messages in the format json
notify email ADDRESS                send e-mail; you get a code by mail
notify confirm CODE                 type that code
notify quiet 22:00-07:00 [ZONE]     hold messages back; a zone is written as Europe/Paris
notify quiet off
notify when away|always             only while you are not connected, or always
notify test                         send a test message now
notify off                          delete these settings"""


class PlayerSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """Notification settings of a player, or of a game.

    Attributes:
        webhook: URL; "" for none.
        format: format of the webhook; "" for that of its host.
        secret: signs messages in the format `json`; "" for none.
        email: a confirmed address; "" for none.
        unconfirmed, code: an address that waits for its code.
        quiet: quiet hours, as in "22:00-07:00 Europe/Paris"; "" for none.
        when: whether a connected player gets messages too.
    """

    webhook: str = ""
    format: WebhookFormat | Literal[""] = ""
    secret: str = ""
    email: str = ""
    unconfirmed: str = ""
    code: str = ""
    quiet: str = ""
    when: Literal["away", "always"] = "away"


class _OwnerFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    allow_hosts: tuple[str, ...] = ()
    address: str = ""
    smtp: dict[str, Any] = {}
    tables: dict[str, PlayerSettings] = {}


class TurnNotice(NamedTuple):
    """A seat, or several, that must act.

    Attributes:
        game: name of the game; "" for a test.
        seats: the seats.
        text: what waits, in one line.
        fields: the same for programs.
    """

    game: str
    seats: tuple[str, ...]
    text: str
    fields: Mapping[str, object]


Post = Callable[[WebhookTarget, bytes, Mapping[str, str]], Awaitable[int]]
SendMail = Callable[["MailServer", bytes], None]


def send_mail(server: MailServer, letter: bytes) -> None:
    """Send a letter. Raises: Refusal `not_sent`, `no_password`; OSError."""
    from paxtui.mail.transport import open_sender

    with open_sender(server) as sender:
        sender.send(letter)


def quiet_left(quiet: str, now: datetime) -> float:
    """Return the seconds until quiet hours end; 0 outside them. Args: the setting; the time, with its zone."""
    found = QUIET.fullmatch(quiet)
    if found is None:
        return 0.0
    zone = ZoneInfo(found[5]) if found[5] else None
    local = now.astimezone(zone)
    begin, end = (local.replace(hour=int(found[n]), minute=int(found[n + 1]), second=0, microsecond=0) for n in (1, 3))
    if begin > end:
        begin, end = (begin, end + timedelta(days=1)) if local >= end else (begin - timedelta(days=1), end)
    return (end - local).total_seconds() if begin <= local < end else 0.0


class NotificationService:
    """The notifications of a server.

    Args:
        data_directory: the data directory.
        players: the players and their seats.
        is_waiting: whether a seat of a game must act.
        clock: the time, ISO 8601 in UTC.
        steady: monotonic seconds.
        journal: the journal.

    Attributes:
        post: sends a webhook request; replaced in tests.
        send_mail: sends a letter, in a thread; replaced in tests.
        sleep: waits; replaced in tests.
    """

    def __init__(
        self,
        data_directory: DataDirectory,
        players: PlayerRegistry,
        is_waiting: Callable[[str, str], bool],
        clock: Clock,
        steady: SteadyClock,
        journal: Journal,
    ) -> None:
        self._data_directory, self._players, self._is_waiting = data_directory, players, is_waiting
        self._clock, self._journal = clock, journal
        self.post: Post = post
        self.send_mail: SendMail = send_mail
        self.sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep
        self._batches: dict[str, list[Mapping[str, str]]] = {}
        self._tasks: dict[tuple[str, str, str], asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(MAX_AT_ONCE)
        self._outcomes: dict[str, str] = {}  # the last outcome of each recipient
        self._tests = RateLimit(5, 60.0, steady)
        self._letters = RateLimit(3, 3600.0, steady)
        self._wrong_codes = RateLimit(5, 600.0, steady)

    # --- seats that must act --------------------------------------------------------------------------------------

    def tell(self, environment: Mapping[str, str]) -> None:
        """Notify the player of a seat, and the webhook of its game. Args: variables as for the host's program."""
        if "PAXTUI_ASKS" in environment:
            return  # a question for the host
        game, seat = environment["PAXTUI_GAME"], environment["PAXTUI_SEAT"]
        player = self._players.at(game, seat)
        if player:
            settings = self.settings(player)
            if settings.when == "always" or environment["PAXTUI_HERE"] != "yes":
                self._start(f"people/{player}", settings, _notice((environment,)))
        batch = self._batches.setdefault(game, [])
        batch.append(environment)
        if len(batch) == 1:
            asyncio.get_running_loop().call_soon(self._tell_table, game)

    def _tell_table(self, game: str) -> None:
        batch = self._batches.pop(game, [])
        try:
            settings = self._owner().tables.get(game)
        except Refusal as refusal:
            self._journal.note("notify_failed", game=game, why=refusal.code)
            return
        if settings is not None and batch:
            self._start(f"tables/{game}", settings, _notice(batch))

    def _start(self, recipient: str, settings: PlayerSettings, notice: TurnNotice) -> None:
        """Send a notice by each way of a recipient. An unsent notice of the same game is replaced."""
        for way in ("webhook", "email"):
            if not getattr(settings, way):
                continue
            key = recipient, way, notice.game
            before = self._tasks.pop(key, None)
            if before is not None:
                before.cancel()
            if len(self._tasks) >= MAX_PENDING:
                self._journal.note("notify_failed", game=notice.game, why="too many")
                continue
            self._run(key, self._deliver(recipient, way, settings, notice))

    def _run(self, key: tuple[str, str, str], work: Coroutine[Any, Any, None]) -> None:
        task = self._tasks[key] = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(partial(self._forget, key))

    def _forget(self, key: tuple[str, str, str], done: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is done:
            del self._tasks[key]

    async def _deliver(self, recipient: str, way: str, settings: PlayerSettings, notice: TurnNotice) -> None:
        """Send a notice after quiet hours, again after failures, as long as a seat of it must act."""
        is_test = not notice.game
        while not is_test and (left := quiet_left(settings.quiet, clock_time(self._clock))):
            await self.sleep(left)
        for pause in (0.0, *(() if is_test else RETRIES_S)):
            if pause:
                await self.sleep(pause)
            if not is_test and not any(self._is_waiting(notice.game, seat) for seat in notice.seats):
                return
            async with self._slots:
                failure, is_final = await self._attempt(way, settings, notice)
            self._outcomes[recipient] = f"{self._clock()[:16].replace('T', ' ')} UTC: {way} {failure or 'sent'}"
            if not failure:
                self._journal.note("notified", game=notice.game, way=way)
                return
            if is_final:
                break
        self._journal.note("notify_failed", game=notice.game, way=way)

    async def _attempt(self, way: str, settings: PlayerSettings, notice: TurnNotice) -> tuple[str, bool]:
        """Try to send a notice. Returns: the failure, "" for none; whether another attempt is useless."""
        try:
            if way == "email":
                await self._mail(settings.email, f"paxtui: {notice.game or 'test'}", notice.text)
                return "", False
            target = parse_target(settings.webhook, self._owner().allow_hosts)
            format_ = settings.format or SERVICES.get(target.host, "json")
            title = f"paxtui: {notice.game}" if notice.game else "paxtui"
            body, headers = encode_message(WebhookMessage(title, notice.text, notice.fields), format_)
            if settings.secret:
                headers |= sign(settings.secret, body)
            status = await self.post(target, body, headers)
        except Refusal as refusal:
            return f"failed: {refusal.message}", refusal.code != "not_sent"
        except TimeoutError:
            return "failed: no answer", False
        except OSError as error:
            return f"failed: {error.strerror or type(error).__name__}", False
        if 200 <= status < 300:
            return "", False
        return f"failed: {target.host} answers {status}", status != 429 and status < 500

    async def _mail(self, address: str, subject: str, text: str) -> None:
        """Send a letter. Raises: Refusal `no_mail`, `not_sent`, `no_password`; OSError."""
        from paxtui.mail.transport import smtp_server

        owner = self._mail_owner()
        letter = EmailMessage(policy=SMTP)
        letter["From"], letter["To"], letter["Subject"] = owner.address, address, subject
        letter["Auto-Submitted"] = "auto-generated"
        letter.set_content(text + "\n")
        await asyncio.to_thread(self.send_mail, smtp_server(owner.smtp), letter.as_bytes())

    async def close(self) -> None:
        """Stop all pending messages."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- settings -------------------------------------------------------------------------------------------------

    def _owner(self) -> _OwnerFile:
        """Return the settings of the owner. Raises: Refusal `bad_notify_settings`."""
        path = self._data_directory.root / "notify.toml"
        try:
            return msgspec.convert(tomllib.loads(read_regular(path).decode()), _OwnerFile)
        except FileNotFoundError:
            return _OwnerFile()
        except (OSError, ValueError, msgspec.ValidationError) as error:
            raise Refusal("bad_notify_settings", (), f"The host's file notify.toml is invalid: {error}") from None

    def _mail_owner(self) -> _OwnerFile:
        """Return the same. Raises: Refusal `no_mail` for a server that sends no e-mail, `bad_notify_settings`."""
        owner = self._owner()
        if not owner.smtp or not owner.address:
            raise Refusal("no_mail", (), "This server sends no e-mail. Use a webhook.")
        return owner

    def _file(self, player: str) -> Path:
        return self._data_directory.people / player / NOTIFY_FILE

    def settings(self, player: str) -> PlayerSettings:
        """Return the settings of a player; the defaults if there are none."""
        with suppress(OSError, msgspec.MsgspecError, ValueError):
            return msgspec.json.decode(self._data_directory.storage.read(self._file(player)), type=PlayerSettings)
        return PlayerSettings()

    def _save(self, player: str, settings: PlayerSettings) -> None:
        """Save the settings of a player. Raises: OSError."""
        self._data_directory.player_directory(player)
        self._data_directory.storage.replace(self._file(player), msgspec.json.encode(settings))

    def request(self, player: str, words: str) -> str:
        """Carry out a command of a player, as in `USAGE` without the first word; return the answer in lines.

        Raises: Refusal; OSError.
        """
        if not self._players.is_known(player):
            raise Refusal("no_such_player", (), "Only players with a seat on this server get notifications.")
        parts, settings = words.split(), self.settings(player)
        match parts:
            case []:
                return self._describe(player, settings)
            case ["webhook", url, *format_] if len(format_) < 2:
                return self._set_webhook(player, settings, url, *format_)
            case ["secret"]:
                secret = secrets.token_hex(20)
                self._save(player, replace(settings, secret=secret))
                return f"Your secret, shown once: {secret}"
            case ["email", address]:
                return self._set_email(player, settings, address)
            case ["confirm", code]:
                return self._confirm(player, settings, code)
            case ["quiet", "off"]:
                self._save(player, replace(settings, quiet=""))
            case ["quiet", hours, *zone] if len(zone) < 2:
                self._save(player, replace(settings, quiet=_check_quiet(" ".join((hours, *zone)))))
            case ["when", "away" | "always"]:
                self._save(player, replace(settings, when="away" if parts[1] == "away" else "always"))
            case ["test"]:
                return self._test(player, settings)
            case ["off"]:
                self._data_directory.storage.remove(self._file(player))
                self._outcomes.pop(f"people/{player}", None)
                return "Your notification settings are deleted."
            case _:
                raise Refusal("bad_request", (), USAGE)
        return self._describe(player, self.settings(player))

    def _set_webhook(self, player: str, settings: PlayerSettings, url: str, format_: str = "") -> str:
        if url == "off":
            self._save(player, replace(settings, webhook="", format=""))
            return "You get no messages to a webhook."
        known = next((known for known in FORMATS if known == format_), None)
        if format_ and known is None:
            raise Refusal("bad_webhook", (), f"The formats are {', '.join(FORMATS)}.")
        parse_target(url, self._owner().allow_hosts)
        self._save(player, replace(settings, webhook=url, format=known or ""))
        return "The webhook is saved. 'notify test' sends a message now."

    def _set_email(self, player: str, settings: PlayerSettings, address: str) -> str:
        from paxtui.mail.transport import is_address

        if address == "off":
            self._save(player, replace(settings, email="", unconfirmed="", code=""))
            return "You get no e-mail."
        if not is_address(address) or len(address) > 200:
            raise Refusal("bad_address", (), "This is not an address such as ann@example.org.")
        self._mail_owner()
        if wait := self._letters.wait_s(player):
            raise Refusal("too_fast", (), f"Too many addresses. Try again in {duration_text(wait)}.")
        self._letters.use(player)
        code = f"{secrets.randbelow(10**CODE_LENGTH):0{CODE_LENGTH}}"
        self._save(player, replace(settings, unconfirmed=address, code=code))
        text = f"{self._players.name(player) or 'A player'} wants e-mail of a paxtui server at this address.\n"
        text += f"If that is you, type: notify confirm {code}\nIf not, ignore this e-mail."
        self._run((f"people/{player}", "code", ""), self._send_code(player, address, text))
        return f"A code has been sent to {address}. Type 'notify confirm CODE'."

    async def _send_code(self, player: str, address: str, text: str) -> None:
        try:
            await self._mail(address, "paxtui: your code", text)
        except Refusal as refusal:
            self._outcomes[f"people/{player}"] = f"the code was not sent: {refusal.message}"
        except OSError as error:
            self._outcomes[f"people/{player}"] = f"the code was not sent: {describe_error(error)}"

    def _confirm(self, player: str, settings: PlayerSettings, code: str) -> str:
        if wait := self._wrong_codes.wait_s(player):
            raise Refusal("wrong_code", (), f"Too many wrong codes. Try again in {duration_text(wait)}.")
        if not settings.code or not secrets.compare_digest(settings.code.encode(), code.encode()):
            self._wrong_codes.use(player)
            raise Refusal("wrong_code", (), "This is not the code from the e-mail.")
        self._save(player, replace(settings, email=settings.unconfirmed, unconfirmed="", code=""))
        return f"Your address is confirmed: {settings.unconfirmed}."

    def _test(self, player: str, settings: PlayerSettings) -> str:
        if not settings.webhook and not settings.email:
            raise Refusal("nothing_set", (), "Set a webhook or an e-mail address first: notify webhook URL.")
        if wait := self._tests.wait_s(player):
            raise Refusal("too_fast", (), f"Too many tests. Try again in {duration_text(wait)}.")
        self._tests.use(player)
        self._outcomes.pop(f"people/{player}", None)
        text = "This is a test. You get messages like this when your seat must act."
        self._start(f"people/{player}", settings, TurnNotice("", (), text, {"event": "test"}))
        return "A test message has been sent. 'notify' shows the result."

    def _describe(self, player: str, settings: PlayerSettings) -> str:
        kind = settings.format or (SERVICES.get(_host(settings.webhook), "json") if settings.webhook else "")
        waits = f" (waiting for the code: {settings.unconfirmed})" if settings.unconfirmed else ""
        lines = [
            ("webhook", f"{_shortened(settings.webhook)} ({kind})" if settings.webhook else "-"),
            ("secret", "set" if settings.secret else "-"),
            ("email", (settings.email or "-") + waits),
            ("quiet", settings.quiet or "-"),
            ("when", "only while you are not connected" if settings.when == "away" else "always"),
            ("last", self._outcomes.get(f"people/{player}", "-")),
        ]
        return "\n".join(f"{name:10}{value}" for name, value in lines)


def _host(url: str) -> str:
    with suppress(Refusal):
        return parse_target(url, ()).host
    return ""


def _shortened(url: str) -> str:
    """Return a URL without the part that works like a password."""
    host, slash, path = url.removeprefix("https://").partition("/")
    return f"{host}{slash}{path[:4]}..." if len(path) > 4 else f"{host}{slash}{path}"


def _check_quiet(quiet: str) -> str:
    """Return valid quiet hours. Raises: Refusal `bad_quiet`."""
    found = QUIET.fullmatch(quiet)
    if found is None or found[0][:5] == found[0][6:11]:
        raise Refusal("bad_quiet", (), "Quiet hours are written as 22:00-07:00, with a zone such as Europe/Paris.")
    if found[5]:
        try:
            ZoneInfo(found[5])
        except (OSError, ValueError, KeyError):
            raise Refusal("bad_quiet", (), f"There is no time zone {found[5]!r}; write it as Europe/Paris.") from None
    return quiet


def _notice(batch: list[Mapping[str, str]] | tuple[Mapping[str, str], ...]) -> TurnNotice:
    """Return the notice of seats of one game that must act in the same Phase."""
    first = batch[0]
    seats = {environment["PAXTUI_SEAT"]: environment["PAXTUI_SEAT_NAME"] for environment in batch}
    *names, last = seats.values()
    who = f"{', '.join(names)} and {last}" if names else last
    text = f"{who} must act in {first['PAXTUI_GAME']}: {first['PAXTUI_PHASE_NAME']}, {first['PAXTUI_YEAR']}."
    fields: dict[str, object] = {
        "event": "must_act",
        "game": first["PAXTUI_GAME"],
        "seats": list(seats),
        "turn": int(first["PAXTUI_TURN"]),
        "year": int(first["PAXTUI_YEAR"]),
        "phase": first["PAXTUI_PHASE"],
    }
    if "PAXTUI_LEFT" in first:
        fields["left_s"] = int(first["PAXTUI_LEFT"])
        text = f"{text[:-1]}. {duration_text(int(first['PAXTUI_LEFT'])).capitalize()} left."
    return TurnNotice(first["PAXTUI_GAME"], tuple(seats), text, fields)
