"""The words for the dice at a table where everybody sits: when they are asked for, and how long each is waited for.

Nobody is left out because a clock was set forward or because the program was away: besides the time that the log has
told, it must itself have waited as long, by a clock that only goes forward.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from paxtui.engine.refusal import Refusal
from paxtui.pax.words.spoken import power_name
from paxtui.table.arbiter.fair_dice import BY_MAIL, LIVE, DiceKeeper
from paxtui.table.authority import Clock, Table

Steady = Callable[[], float]
"""Seconds on a clock that nobody sets."""


def now_of(clock: Clock) -> datetime:
    """The time that a table's clock tells; one that tells none is taken for the machine's."""
    text = clock()
    return datetime.fromisoformat(text) if text else datetime.now(UTC)


class DiceWords:
    """The words of one game.

    Args:
        table: the game.
        clock: the time, ISO 8601 in UTC.
        steady: seconds on a clock that nobody sets.
        patience: seconds for which a word is waited for.
    """

    def __init__(self, table: Table, clock: Clock, steady: Steady, patience: float = LIVE) -> None:
        self._table, self._steady = table, steady
        self._patience = patience
        self._keeper = DiceKeeper(table, patience, lambda: now_of(clock))
        self._stage, self._since = "", 0.0

    @property
    def waits(self) -> bool:
        """Whether the dice have still to be made."""
        return self._keeper.waits

    @property
    def asked(self) -> bool:
        """Whether somebody's word is waited for now."""
        return self._keeper.asked

    @property
    def lacking(self) -> tuple[str, ...]:
        """The seats of persons whose hash or word is waited for."""
        return tuple(s for s in self._table.game.dice.lacking if not self._table.sitter(s).plays_itself)

    def begin(self) -> None:
        """Somebody wants the game to begin: ask for words. Raises: Refusal `dice_wait` as long as they are not there;
        OSError.
        """
        self.ask()
        self.check_made()

    def ask(self) -> None:
        """Ask for words, once. Raises: OSError."""
        self._keeper.patience = self._patience
        self._keeper.ask()

    def check_made(self) -> None:
        """Raises: Refusal `dice_wait`, as long as the dice are not made: it says who is waited for."""
        if not self.waits:
            return
        dice = self._table.game.dice
        names = ", ".join(power_name(self._table.tables, seat) for seat in self.lacking)
        if self.asked and dice.asked:
            message = f"The dice wait for a word of each seat: {names}, until {dice.until[11:16]} UTC at the latest."
        elif self.asked:
            message = f"The dice wait for a word of each seat: {names}."
        else:
            message = f"The game has not begun. It begins when all players are ready, or the host begins it: {names}."
        raise Refusal("dice_wait", (), message, lacking=list(dice.lacking), until=dice.until)

    def look(self) -> bool:
        """Do what is due; whether the dice have been made by it. Raises: OSError."""
        if not self.waits:
            self._keeper.tend()
            return False
        table = self._table
        if all(table.sitter(seat).plays_itself for seat in table.state.players):
            self.ask()
        stage = table.game.dice.stage if self._keeper.asked else ""
        if stage != self._stage:
            self._stage, self._since = stage, self._steady()
        # where all players have agreed to begin, one who is away has time to come back and tell the word
        self._keeper.patience = self._patience if table.game.dice.asked else BY_MAIL
        waited = self._steady() - self._since >= self._keeper.patience
        self._keeper.tend(leave_out=waited and self._keeper.late)
        return not self.waits
