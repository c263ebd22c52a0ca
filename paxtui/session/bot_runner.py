"""Run bots and empty seats after each act of a person, and when a game is opened.

The bots run as a generator of steps (`BotMoves`): it yields requests to bots and completed log lines. The log is the
same whether the steps run at once or at the pace of a screen. If a bot fails, or none of its orders is legal, the log
says so and the substitute bot acts for it, or the default is taken.

A runner with late seats plays these by the substitute bot until the end of the Phase.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from paxtui.engine.bots import BotAction, BotRequest
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import WITH_PERSONS, BotOrder
from paxtui.engine.seats import ARBITER
from paxtui.session.bot_process import BotResponse, bot_request, compute_acts, compute_response
from paxtui.session.game_host import GameHost
from paxtui.session.games import bots_of

ROUNDS = 5000
"""Maximum number of rounds before a person must act again."""

ACTS_IN_ROUND = 1000
"""Maximum number of acts of one seat in a round."""


class CompletedStep(NamedTuple):
    """A completed step. Attributes: its log line; the seat."""

    line: int
    seat: str


BotStep = BotRequest | CompletedStep
BotMoves = Generator[BotStep, BotResponse | None, None]
"""Generator of steps: a request is answered with a response; a completed step needs none."""


class BotRunner:
    """The bots and empty seats of a game.

    Args:
        table: the game.
        memory: that of a previous runner of the same game, or None.
        late: seats of persons whose time is over; the substitute bot plays them in the current Phase.

    Attributes:
        order: when bots act in a simultaneous Phase.
    """

    def __init__(self, table: GameHost, memory: Any = None, late: Sequence[str] = ()) -> None:
        self._table = table
        self._bots = bots_of(table.rules)
        self._late = tuple(late)
        self.plays_unattended = False
        self.order: BotOrder = WITH_PERSONS
        self._moment = self._now
        self._acts = 0  # number of completed acts
        self._replaced: set[tuple[str, int, str]] = set()

    @property
    def memory(self) -> Any:
        """What bots were already asked, so that a reopened game does not ask again."""
        return None

    @property
    def seats(self) -> tuple[str, ...]:
        """The bots and empty seats that this process moves, and the late seats."""
        table = self._table
        if not table.moves_rivals:
            return ()
        return tuple(seat for seat in table.seats if seat in self._late or table.occupant(seat).is_automatic)

    @property
    def waited_for(self) -> bool:
        """Whether the Phase still waits for a late seat."""
        return self._now == self._moment and bool(set(self._late) & set(self._table.waiting))

    @property
    def _now(self) -> tuple[int, str, bool]:
        phase = self._table.rules.phase(self._table.state)
        return phase.turn, phase.id, self._table.is_over

    def run(self, seat: str = ARBITER) -> tuple[Any, ...]:
        """Run until a person must act, the game is over, or nothing is left to do.

        Returns: the events, as `seat` may know them.
        """
        table, before, course = self._table, self._table.version, self.course()
        step = next(course, None)
        while step is not None:
            step = next_step(course, compute_response(table.rules, step) if isinstance(step, BotRequest) else None)
        return events_since(table, before, seat)

    def course(self) -> BotMoves:
        """Yield the same moves step by step."""
        table, seats = self._table, self.seats
        if self._late:
            for _ in range(ROUNDS):
                if not self.waited_for or not (yield from self._round(seats)):
                    break
            return
        with suppress(OSError, Refusal):  # the next act of a person reports the same disk error
            self._prepare()
            for _ in range(ROUNDS if seats else 0):
                if table.is_over:
                    break
                has_acted, before = (yield from self._round(seats)), table.version
                if has_acted or self._plays_alone:
                    table.advance()
                if table.version > before:
                    yield CompletedStep(table.version, ARBITER)
                elif not has_acted:
                    break

    @property
    def _plays_alone(self) -> bool:
        """Whether no person is left, in a game that plays on then."""
        return self.plays_unattended and set(self.seats) == set(self._table.seats)

    def forget(self) -> None:
        """Reset after an undo."""

    def _prepare(self) -> None:
        """Do what is due before the bots move."""

    def _round(self, seats: Sequence[str]) -> Generator[BotStep, BotResponse | None, bool]:
        """Run one round: each seat acts while play waits for it. Returns: whether anything was done."""
        table, before = self._table, self._acts
        for seat in seats:
            for _ in range(ACTS_IN_ROUND):
                if seat not in table.waiting or (self._late and not self.waited_for):
                    break
                acted = self._acts
                if self._is_bot(seat):
                    yield from self._try(seat, (yield from self._orders(seat)))
                if self._acts == acted:
                    line, _ = table.act(seat, table.rules.default_action(table.state, seat))
                    self._acts += 1
                    yield CompletedStep(line.n, seat)
        return self._acts > before

    def _is_bot(self, seat: str) -> bool:
        return seat in self._late or self._table.occupant(seat).by == "bot"

    def _bot(self, seat: str) -> str:
        return self._bots.substitute if seat in self._late else self._bots.name_of(self._table.occupant(seat))

    def _try(self, seat: str, orders: Sequence[BotAction]) -> BotMoves:
        """Carry out orders in turn; skip refused ones, and stop when the seat is ready or must wait for an answer."""
        phase, was_waited_for = self._now, seat in self._table.waiting
        for order in orders:
            try:
                line, _ = self._table.act(seat, order.text, why=order.why)
            except OSError:
                raise
            except Exception:  # refusal or internal error: nothing has changed
                continue
            self._acts += 1
            yield CompletedStep(line.n, seat)
            must_wait = was_waited_for and seat not in self._table.waiting
            if order.text == "ready" or must_wait or self._now != phase:
                break

    def _orders(self, seat: str) -> Generator[BotStep, BotResponse | None, Sequence[BotAction]]:
        """Return the orders of a bot; if it fails, those of the substitute."""
        response = yield bot_request(self._table, seat, self._bot(seat))
        if response is None or response.failure:
            return self._fallback_orders(seat, response.failure if response else "because it was not asked")
        return response.acts

    def _fallback_orders(self, seat: str, why: str) -> Sequence[BotAction]:
        """Return the substitute's orders for a bot; the log says so once per Phase.

        Args: the seat; why the bot does not act itself.
        """
        table, bot, substitute = self._table, self._bot(seat), self._bots.substitute
        if bot == substitute:
            return ()
        now = (seat, *self._now[:2])
        if now not in self._replaced:
            self._replaced.add(now)
            table.log_bot_fallback(seat, bot, why)
        return compute_response(table.rules, bot_request(table, seat, substitute)).acts


def suggest_orders(table: GameHost, seat: str, bot: str) -> list[BotAction]:
    """Return what a bot would do now at a seat. `bot`: its name.

    Raises: Refusal `unknown_seat`; ValueError for an unknown bot.
    """
    return compute_acts(table.rules, bot_request(table, seat, bot))


def next_step(course: BotMoves, response: BotResponse | None) -> BotStep | None:
    """Return the next step, None at the end. Args: the generator; the response to its last step."""
    try:
        return course.send(response)
    except StopIteration:
        return None


def events_since(table: GameHost, before: int, seat: str) -> tuple[Any, ...]:
    """Return the events after a log line, as a seat may know them."""
    lines = (table.game.line(n) for n in range(before + 1, table.version + 1))
    return tuple(event for line in lines if line.kind == "act" for event in table.visible_events(seat, line.n))
