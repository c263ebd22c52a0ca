"""Mail games of any rules: players send orders as text, the gamemaster plays rounds.

A round applies the forms: each seat that play waits for acts by the next order of its form. The round ends when play
waits only for seats without orders. A seat without a form takes one default. Refused orders are reported to their seat.

A round replaces the log as a whole, so an interrupted one changes nothing. Forms are not sealed.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from paxtui.engine.game import Game, Redo, Undo
from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import SPECTATOR
from paxtui.mail.game_directory import (
    FORM_SUFFIX,
    PUBLIC_REPORT,
    TEXT_SUFFIX,
    GameDirectory,
    deadline_text,
    deadline_utc_text,
    has_passed,
    parse_zoned_time,
    read_small,
    write_terms,
    write_whole,
)
from paxtui.mail.submissions import MailClock, decode_form, now_utc
from paxtui.session.game_host import GameHost
from paxtui.session.hosts import new_game, open_game
from paxtui.session.storage.files import replace_file

ROUND_DAYS = 7
"""Default number of days of a round."""

MOST_ORDERS = 1_000
"""Maximum number of orders of a form, and of actions of a round."""

EXAMPLES = 60
"""Maximum number of legal orders listed in a blank form."""


class RoundTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The file `postal.json` of a game played in rounds.

    Attributes:
        rulebook: key of `GAME_KINDS`; files of Pax Britannica have none.
        game: id of the game.
        stop: number of the current round.
        line: last log line at its start.
        deadline: ISO 8601 with a time zone; "" for none.
        waits_for: seats that play waits for.
        players: known names by seat.
        round_days: days of a round.
        over: the game has ended.
    """

    rulebook: str = FIRST_RULEBOOK
    game: str
    stop: int = 0
    line: int = 0
    deadline: str = ""
    waits_for: tuple[str, ...] = ()
    players: dict[str, str] = {}
    round_days: int = ROUND_DAYS
    over: bool = False


class RoundStatus(NamedTuple):
    """Status of a game in rounds.

    Attributes:
        terms: the public terms.
        arrived: seats with a form. missing: awaited seats without one.
        can_adjudicate: all awaited forms have arrived, or the deadline has passed.
    """

    terms: RoundTerms
    arrived: tuple[str, ...]
    missing: tuple[str, ...]
    can_adjudicate: bool


def mail_rulebook(folder: GameDirectory) -> str:
    """Return the rulebook of a mail game. Raises: Refusal `no_mail_game`, `bad_postal`; OSError."""
    return read_round_terms(folder).rulebook


def read_round_terms(folder: GameDirectory) -> RoundTerms:
    """Read the terms of a mail game. Raises: Refusal `no_mail_game`, `bad_postal`; OSError."""
    folder.check()
    try:
        return msgspec.json.decode(read_small(folder.terms), type=RoundTerms)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Refusal("bad_postal", (), f"{folder.terms} cannot be read: {error}.") from None


class RoundMaster:
    """Gamemaster operations on a game in rounds. Args: its directory; returns the current time."""

    def __init__(self, folder: GameDirectory, now: MailClock = now_utc) -> None:
        self.folder = folder
        self._now = now

    @classmethod
    def begin(
        cls,
        folder: GameDirectory,
        rulebook: str,
        *,
        scenario: str = "",
        seed: str = "",
        players: Mapping[str, str] | None = None,
        round_days: int = ROUND_DAYS,
        now: MailClock = now_utc,
    ) -> RoundMaster:
        """Create a mail game in a new directory and publish its first reports. Raises: Refusal, OSError."""
        master = cls(folder, now)
        with new_game(
            rulebook,
            seed or secrets.token_hex(16),
            scenario=scenario,
            path=folder.game,
            game_id=secrets.token_hex(4),
            clock=master._time,
        ) as table:
            named = {seat: (players or {}).get(seat, "") for seat in table.seats}
            table.advance()
            game = table.game.header.game
            master._publish(table, RoundTerms(rulebook=rulebook, game=game, players=named, round_days=round_days))
        return master

    @property
    def terms(self) -> RoundTerms:
        """Read the public terms. Raises: Refusal, OSError."""
        return read_round_terms(self.folder)

    def _time(self) -> str:
        return self._now().isoformat(timespec="seconds")

    def _open(self) -> GameHost:
        """Open the game in memory. Raises: BrokenLog, OSError."""
        return open_game(self.folder.game, write=False, clock=self._time)

    # --- forms ----------------------------------------------------------------------------------------------------

    def check_form(self, text: str, seat: str = "") -> tuple[str, list[str]]:
        """Check a form for the current round.

        Args: the form; its seat, "" if the form names it.
        Returns: the seat, and a line for each fault. Raises: Refusal `other_game`, `other_stop`, `unknown_seat`.
        """
        terms = self.terms
        with self._open() as table:
            head, orders = parse_form(text)
            if head.get("game", terms.game) != terms.game:
                raise Refusal("other_game", (), f"The form is for game {head['game'][:40]}, but this is {terms.game}.")
            if head.get("stop", str(terms.stop)) != str(terms.stop):
                text = f"The form is for stop {head['stop'][:9]}, but the current stop is {terms.stop}."
                raise Refusal("other_stop", (), text)
            named = table.rules.find_seat(seat or head.get("seat", ""))
            faults = []
            for number, order in orders:
                try:
                    _read_order(table.rules, order, table.state)
                except Refusal as refusal:
                    faults.append(f"line {number}, {order}: {refusal.message}")
            return named, faults

    def submit(self, text: str, seat: str = "") -> Path:
        """Store the form of a seat; it replaces an earlier one. Raises: Refusal `late`, `bad_form`, ...; OSError."""
        terms = self.terms
        if terms.over:
            raise Refusal("game_over", (), "The game is over.")
        if has_passed(terms.deadline, self._now()):
            raise Refusal("late", (), f"Too late: the deadline was {deadline_text(terms.deadline)}.")
        named, faults = self.check_form(text, seat)
        if faults:
            raise Refusal("bad_form", (), "\n".join(faults))
        path = self.folder.form_of(terms.stop, named)
        write_whole(path, text)
        return path

    def withdraw(self, seat: str) -> None:
        """Remove the form of a seat. Raises: Refusal `nothing_sent`, `unknown_seat`; OSError."""
        with self._open() as table:
            path = self.folder.form_of(self.terms.stop, table.rules.find_seat(seat))
        if not path.exists():
            raise Refusal("nothing_sent", (), f"No form of {seat} for stop {self.terms.stop} to withdraw.")
        path.unlink()

    def _forms(self, table: GameHost, stop: int) -> dict[str, list[str]]:
        """Read the orders of all forms of a round by seat. Raises: Refusal `not_text`; OSError."""
        found = {}
        for seat in table.seats:
            path = self.folder.form_of(stop, seat)
            if path.is_file():
                found[seat] = [order for _, order in parse_form(decode_form(read_small(path)))[1]]
        return found

    # --- rounds ---------------------------------------------------------------------------------------------------

    def status(self) -> RoundStatus:
        """Return the status, after publishing what an interrupted round left. Raises: Refusal, OSError."""
        with self._open() as table:
            return self._status(table)

    def _status(self, table: GameHost) -> RoundStatus:
        terms = self.terms
        if table.version != terms.line:
            terms = self._publish(table, terms)
        arrived = tuple(self._forms(table, terms.stop))
        missing = tuple(seat for seat in terms.waits_for if seat not in arrived)
        may_play = not missing or has_passed(terms.deadline, self._now())
        return RoundStatus(terms, arrived, missing, not terms.over and may_play)

    def extend(self, deadline: str) -> RoundTerms:
        """Change the deadline. Raises: Refusal `no_time`; OSError."""
        terms = replace(self.terms, deadline=parse_zoned_time(deadline).isoformat())
        write_terms(self.folder, terms)
        return terms

    def adjudicate(self) -> RoundStatus:
        """Play a round and publish its reports. Raises: Refusal `too_early`, `game_over`; OSError."""
        with self._open() as table:
            status = self._status(table)
            if status.terms.over:
                raise Refusal("game_over", (), "The game is over.")
            if not status.can_adjudicate:
                missing = ", ".join(map(table.rules.seat_name, status.missing))
                text = "Adjudication is possible when all forms have arrived or after the deadline"
                until = deadline_text(status.terms.deadline)
                raise Refusal("too_early", (), f"{text} ({until}); missing: {missing}.")
            refused = play_round(table, self._forms(table, status.terms.stop))
            replace_file(self.folder.game, table.log())
            self._publish(table, status.terms, refused)
            return self._status(table)

    # --- reports --------------------------------------------------------------------------------------------------

    def _publish(
        self, table: GameHost, terms: RoundTerms, refused: Mapping[str, Sequence[str]] | None = None
    ) -> RoundTerms:
        """Write the reports of the next round, then its terms. Raises: OSError."""
        until = (self._now() + timedelta(days=terms.round_days)).isoformat("T", "seconds")
        after = replace(
            terms,
            stop=terms.stop + 1,
            line=table.version,
            deadline="" if table.is_over else until,
            waits_for=() if table.is_over else table.waiting,
            over=table.is_over,
        )
        directory = self.folder.reports_of(after.stop)
        write_whole(directory / (PUBLIC_REPORT + TEXT_SUFFIX), round_report(table, terms.line, after, SPECTATOR))
        for seat in table.seats:
            report = round_report(table, terms.line, after, seat, (refused or {}).get(seat, ()))
            write_whole(directory / (seat + TEXT_SUFFIX), report, 0o600)
            if not after.over:
                write_whole(directory / (seat + FORM_SUFFIX), blank_round_form(table, after, seat), 0o600)
        self.folder.orders_of(after.stop).mkdir(parents=True, exist_ok=True)
        write_terms(self.folder, after)
        return after


def parse_form(text: str) -> tuple[dict[str, str], list[tuple[int, str]]]:
    """Split a form into head lines (`game`, `stop`, `seat`) and orders with their line numbers.

    Raises: Refusal `bad_form` for too many orders.
    """
    head: dict[str, str] = {}
    orders: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        order = line.partition("#")[0].strip()
        key, colon, value = order.partition(":")
        if colon and key.strip() in ("game", "stop", "seat") and not orders:
            head[key.strip()] = value.strip()
        elif order:
            orders.append((number, order))
    if len(orders) > MOST_ORDERS:
        raise Refusal("bad_form", (), f"A form is limited to {MOST_ORDERS} orders.")
    return head, orders


def _read_order(rules: Game[Any], order: str, state: Any) -> Any:
    """Parse an order of a form. Raises: Refusal, also for undo and redo."""
    action = rules.parse_order(order, state)
    if isinstance(action, Undo | Redo):
        raise Refusal("bad_order", (), "A form cannot undo.")
    return action


def play_round(table: GameHost, forms: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Play a round in memory.

    Args: the game; the orders by seat. A seat without a form takes one default.
    Returns: refused orders by seat, each with the reason.
    """
    left = {seat: list(orders) for seat, orders in forms.items()}
    defaulted: set[str] = set()
    refused: dict[str, list[str]] = {}
    table.advance()
    for _ in range(MOST_ORDERS):
        if table.is_over:
            break
        seat = next((one for one in table.waiting if left.get(one) or one not in (*forms, *defaulted)), None)
        if seat is None:
            break
        if seat not in forms:
            defaulted.add(seat)
            table.act(seat, table.rules.default_action(table.state, seat))
        else:
            order = left[seat].pop(0)
            try:
                table.act(seat, _read_order(table.rules, order, table.state))
            except Refusal as refusal:
                refused.setdefault(seat, []).append(f"{order}: {refusal.message}")
        table.advance()
    for seat, orders in left.items():
        refused.setdefault(seat, []).extend(f"{order}: not needed in this round." for order in orders)
    return {seat: lines for seat, lines in refused.items() if lines}


def round_report(table: GameHost, since: int, terms: RoundTerms, seat: str, refused: Sequence[str] = ()) -> str:
    """Return the report of a seat, or of `SPECTATOR` for all, on the events after a log line and refused orders."""
    rules, phase = table.rules, table.rules.phase(table.state)
    narrate = rules.narrator(rules.seat_state(table.game.seek(max(1, since)), seat))
    events = [
        text
        for n in range(max(1, since) + 1, table.version + 1)
        if table.game.line(n).kind == "act"
        for event in table.visible_events(seat, n)
        if (text := narrate(event))
    ]
    lines = [f"Game {terms.game} by mail: report {terms.stop}", f"For {rules.seat_name(seat) or 'all players'}.", ""]
    lines += ["EVENTS", *(events or ["None."]), ""]
    if refused:
        lines += ["ORDERS NOT CARRIED OUT", *refused, ""]
    lines += ["POSITION", *rules.describe_position(rules.seat_state(table.state, seat)), ""]
    result = rules.result(table.state)
    if result is not None:
        ranks = sorted(result.ranks, key=lambda one: result.ranks[one])
        lines += ["RESULT", result.reason, *(f"{rules.seat_name(one)}: rank {result.ranks[one]}" for one in ranks)]
        return "\n".join(lines) + "\n"
    waits = ", ".join(map(rules.seat_name, terms.waits_for))
    lines += ["NEXT ORDERS", f"Stop {terms.stop}: {phase.name}, from {waits}."]
    lines += [f"Deadline: {deadline_utc_text(terms.deadline)}."]
    return "\n".join(lines) + "\n"


def blank_round_form(table: GameHost, terms: RoundTerms, seat: str) -> str:
    """Return the blank form of a seat, with its questions and legal orders as comments."""
    rules, state = table.rules, table.rules.seat_state(table.state, seat)
    lines = [
        f"# {rules.seat_name(seat)}, {rules.phase(state).name}: a form for stop {terms.stop}.",
        "# Write one order per line. Text after '#' is a comment. Orders are carried out in this order, each when play",
        "# waits for you. You can add orders for later steps of the round.",
        f"game: {terms.game}",
        f"stop: {terms.stop}",
        f"seat: {seat}",
        "",
    ]
    lines += [f"# Question: you are asked {one.text}." for one in rules.pending(table.state, seat)]
    orders = rules.legal_orders(state, seat) if seat in terms.waits_for else ()
    if orders:
        lines += ["# Possible now:", *(f"#{order}" for order in orders[:EXAMPLES])]
    if len(orders) > EXAMPLES:
        lines.append(f"# ... and {len(orders) - EXAMPLES} more")
    return "\n".join(lines) + "\n"
