"""The seats that play themselves: bots move and answer, empty seats are ready and take the defaults.

The table moves them, whatever screen or program a person sits at: after each act of a person's, and when a game is
opened. A bot moves once in each Phase in which all act at once, as soon as it begins, and is ready when no person is
waited for any more; so nobody is asked twice because of it. A caretaker leaves the Negotiation Phase to the others
first: only what they have not settled is its to give up.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile

from paxtui.bots.act import Act
from paxtui.bots.players import CARETAKER, choose_acts, name_of
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.pax.history import events as ev
from paxtui.pax.orders.actions import Advance
from paxtui.pax.play.choices import default_of
from paxtui.pax.sequence import OPEN
from paxtui.table.authority import Table

ROUNDS = 200
"""Rounds of moves and questions after which a person is asked again, whatever happens."""

READY = (Act("ready"), Act("garrison"), Act("ready"))
"""What makes a seat ready: where a garrison is missing it is sent first."""


class Rivals:
    """The seats of a table that play themselves.

    Args:
        table: the game.

    Attributes:
        in_earnest: whether bots move of their own accord; in a lesson they are only ready, and answer.
        reasons: line of the log -> why the bot has done that, for those that say it; the log does not keep them.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._tried: dict[str, int] = {}  # the line that began the Phase in which a bot has moved
        self.in_earnest = True
        self.reasons: dict[int, str] = {}

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that play themselves, where this table moves them."""
        if not self._table.moves_rivals:
            return ()
        return tuple(seat for seat in self._table.state.players if self._table.sitter(seat).plays_itself)

    def go_on(self, seat: str = ARBITER) -> tuple[ev.Event, ...]:
        """Let them do what there is to do, until a person is waited for, the game is over, or nothing is left.

        Returns: what happened, as `seat` may know it.
        """
        table = self._table
        seats, before = self.seats, table.version
        with suppress(OSError, Refusal):  # the next act of a person's meets the same disk, and says so
            if self.in_earnest:
                table.keep_abandoned()
            for _ in range(ROUNDS if seats else 0):
                if table.state.result is not None or not self._round(seats):
                    break
                table.advance()
        lines = (table.game.line(n) for n in range(before + 1, table.version + 1))
        return tuple(event for line in lines if line.kind == "act" for event in table.events_seen(seat, line.n))

    def _round(self, seats: Sequence[str]) -> bool:
        """One round; whether anything was done."""
        table, before = self._table, self._table.version
        for seat in seats:
            self._answer(seat)
            if self._is_bot(seat) and self.in_earnest:
                self._move(seat)
        if table.version == before and table.waiting and not set(table.waiting) - set(seats):
            self._be_ready(seats)
        return table.version > before

    def _is_bot(self, seat: str) -> bool:
        return self._table.sitter(seat).by == "bot"

    def _answer(self, seat: str) -> None:
        """Answer what a seat is asked: a bot as it likes, and where that will not do, by the default."""
        table = self._table
        before = -1
        while self._is_bot(seat) and before < table.version and self._asked(seat):
            before = table.version  # an answer may bring the next question
            self._try(seat, self._orders(seat))
        for choice in table.state.choices:
            if choice.seat == seat and seat in table.waiting:
                self._try(seat, [Act(f"choose {choice.id} {' '.join(default_of(choice))}".strip())])

    def _asked(self, seat: str) -> bool:
        return any(choice.seat == seat for choice in self._table.state.choices)

    def _move(self, seat: str) -> None:
        """Let a bot move, once in a Phase in which all act at once."""
        table = self._table
        if table.state.phase not in OPEN or seat not in table.waiting:
            return
        began, moved = self._since_phase_began(seat)
        if moved or self._tried.get(seat) == began or self._holds_back(seat):
            return
        self._tried[seat] = began
        self._try(seat, list(takewhile(lambda order: order.text != "ready", self._orders(seat))))

    def _holds_back(self, seat: str) -> bool:
        """Whether a bot waits until all others are ready."""
        return self._table.state.phase == "negotiation" and self._table.sitter(seat).level == CARETAKER

    def _since_phase_began(self, seat: str) -> tuple[int, bool]:
        """The line in force that began the Phase, and whether a seat has done more since than to answer questions."""
        game, moved = self._table.game, False
        for line in reversed(game.effective_lines()):
            if any(isinstance(event, ev.PhaseBegan) for event in game.events(line.n)):
                return line.n, moved
            moved = moved or (line.seat == seat and line.action.get("type") != "choose")
        return 1, moved

    def _be_ready(self, seats: Sequence[str]) -> None:
        """Nobody else is waited for: they are ready, too, or the arbiter takes what stands in the way for granted."""
        table, before = self._table, self._table.version
        for seat in seats:
            waited = seat in table.waiting and self._is_bot(seat)
            if waited and (table.state.phase == "war" or self._holds_back(seat)):
                self._try(seat, self._orders(seat))
            if self._may_be_ready(seat):
                self._try(seat, READY)
            if self._may_be_ready(seat) and self._is_bot(seat):
                self._try(seat, self._orders(seat))
        if table.version == before:
            table.act(ARBITER, Advance(force=True))

    def _may_be_ready(self, seat: str) -> bool:
        return self._table.state.phase in OPEN and seat in self._table.waiting

    def _try(self, seat: str, orders: Sequence[Act]) -> None:
        """Give orders one after the other; what cannot be done is left out, and what follows on being ready is void."""
        phase = self._table.state.phase, self._table.state.turn
        for order in orders:
            try:
                line, _ = self._table.act(seat, order.text)
            except OSError:
                raise
            except Exception:  # a refusal, or a mistake of the program: nothing has changed, and a person sits here
                continue
            if order.why:
                self.reasons[line.n] = order.why
            if order.text == "ready" or (self._table.state.phase, self._table.state.turn) != phase:
                break

    def _orders(self, seat: str) -> list[Act]:
        """What the bot would do at a seat; nothing where it stumbles, for then the defaults are taken."""
        try:
            return suggested(self._table, seat, name_of(self._table.sitter(seat)))
        except Exception:  # a mistake of a bot's must not end the game of those who sit with it
            return []


def suggested(table: Table, seat: str, bot: str) -> list[Act]:
    """What a bot would do now at a seat, whoever sits there. `bot`: its name, as `paxtui.bots.players` has them.

    Raises: Refusal `unknown_seat`; ValueError for a name that no bot has.
    """
    state = table.state_for(seat)
    return choose_acts(bot, table.tables, state, lambda: table.view(seat), seat, table.game.header.seed)
