"""One decision in progress: the position so far, the dice, and the events that have happened.

A step of the rules reads `play.state` and calls `play.emit`. Ledgers are changed only through the functions here,
so that every change carries amount, reason, rules and the Power to blame, and a European Tensions Index of 100
ends the game at that very event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.frames import Option
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.counters import free
from paxtui.pax.board.status import at, seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.history.evolve import evolve
from paxtui.pax.play import secrecy
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, LEVEL, Marker
from paxtui.pax.state.questions import AnyQuestion, Pending, said_by
from paxtui.pax.state.war import RESOLUTION

BRINK = 100
"""Points of the European Tensions Index at which the Great War ends the game (ETI-001)."""


class GameOver(Exception):
    """The European Tensions Index has reached 100: whatever was in progress stops.

    Args:
        culprits: Powers that pay the triple penalty.
    """

    def __init__(self, culprits: tuple[str, ...]) -> None:
        super().__init__(culprits)
        self.culprits = culprits


class Play:
    """The position as it changes while one action is decided.

    Attributes:
        asks: whether choices are put before the seats.
        by_mail: whether the action opens the forms of a game by mail.
    """

    asks = True

    def __init__(self, tables: Tables, state: State, dice: Dice) -> None:
        self.tables = tables
        self.state = state
        self.dice = dice
        self.events: list[ev.Event] = []
        self.by_mail = False
        self.watched = 0  # how many of them have been looked at for breaches of Treaties
        self.agreed: dict[int, tuple[str, ...]] = {}  # who has agreed to what happens, by its place among them

    def emit(self, event: ev.Event, agreed: tuple[str, ...] = ()) -> None:
        """Let `event` happen, closed to the seats that may not know of it. `agreed`: Powers that have agreed to it."""
        event = secrecy.sealed(self.tables, self.state, event)
        if agreed:
            self.agreed[len(self.events)] = agreed
        self.events.append(event)
        self.state = evolve(self.state, event)

    # --- ledgers -------------------------------------------------------------------------------------------------

    def tension(self, amount: int, reason: str, rules: tuple[str, ...], blame: str = "", area: str = "") -> None:
        """Raise the European Tensions Index by `amount` points; at 100 the game ends here.

        `blame`: the Power whose act it is, "" for nobody. A Minor Power is blamed but pays nothing. Whoever declared
        first in a War that goes on is to blame besides.

        Raises: GameOver.
        Rules: ETI-001, ETI-002, ETI-009, ETI-010, ETI-029, ETI-041, SET-032 (R-ETI-10, Decision 8)
        """
        if amount <= 0:
            return
        total = self.state.tension + amount
        self.emit(ev.TensionRaised(amount=amount, total=total, reason=reason, blame=blame, area=area, rules=rules))
        if total >= BRINK:
            declared = [p for war in self.state.wars if war.stage != RESOLUTION for p in war.declared]
            seats = {seat_of(self.tables, self.state, p) for p in (blame, *declared) if p}
            raise GameOver(tuple(seat for seat in self.state.players if seat in seats))

    def resentment(self, amount: int, reason: str, rules: tuple[str, ...], power: str = "", area: str = "") -> None:
        """Raise the Chinese Resentment Index by `amount` points; it has no upper end.

        Rules: SET-031, SET-052, CRI-001, CRI-013
        """
        if amount <= 0:
            return
        total = self.state.resentment + amount
        self.emit(
            ev.ResentmentRaised(amount=amount, total=total, reason=reason, power=power, area=area, rules=rules)
        )

    def money(
        self, power: str, amount: int, reason: str, rules: tuple[str, ...], units: int = 0, naval: int = 0
    ) -> None:
        """Add `amount` pounds (negative: take) to a Treasury; `units`, `naval`: pounds of it spent on such units."""
        total = self.state.powers[power].treasury + amount
        self.emit(
            ev.TreasuryChanged(
                power=power, amount=amount, total=total, reason=reason, units=units, naval=naval, rules=rules
            )
        )

    def victory_points(
        self, power: str, amount: int, reason: str, rules: tuple[str, ...], bonus: bool = False
    ) -> None:
        """Add `amount` Victory Points to the seat that plays `power`."""
        seat = seat_of(self.tables, self.state, power)
        total = self.state.powers[seat].victory_points + amount
        self.emit(
            ev.VictoryPointsChanged(power=seat, amount=amount, total=total, reason=reason, bonus=bonus, rules=rules)
        )

    def establish(self, area: str, power: str, marker: str, own: Marker | None, rules: tuple[str, ...]) -> None:
        """Place a marker that stands established at once, over the Power's `own` of the same standing, if any."""
        over = own.marker if own else ""
        self.emit(
            ev.MarkerPlaced(
                area=area,
                power=power,
                marker=marker,
                established=True,
                turn=self.state.turn,
                replaces=over,
                rules=rules,
            )
        )

    def lower(
        self,
        area: str,
        power: str,
        marker: str,
        to: str,
        reason: str,
        rules: tuple[str, ...],
        blame: str | None,
        established: bool = True,
    ) -> str:
        """Take a marker down from `marker` to `to` ("" for off the map), step by step on the tension ledger.

        Where no piece is free for what it should become, it goes altogether. What is left is the answer.

        `blame`: Power to blame, "" for nobody, or None where the rules except it from raising tensions. An
        unestablished marker never raises anything. A Control marker lost leaves its Codominion.

        Rules: ETI-013, ETI-014, ETI-039, SET-039, R-COD-05
        """
        pool = self.tables.markers[to].pool if to else ""
        own = [m.marker for m in at(self.state, area).markers if m.power == power]
        # a piece of the kind that lies there already is turned over, or serves again
        turned = not to or power not in self.tables.powers or any(self.tables.markers[m].pool == pool for m in own)
        if not turned and not free(self.tables, self.state, power, pool):
            to, rules = "", (*rules, "SET-039")
        self.emit(
            ev.MarkerLowered(
                area=area,
                power=power,
                marker=marker,
                to=to,
                reason=reason,
                established=established,
                turn=self.state.turn,
                rules=rules,
            )
        )
        shared = at(self.state, area).codominion
        if established and marker in CONTROL and to not in CONTROL and power in shared:
            rest = tuple(p for p in shared if p != power)
            self.emit(ev.CodominionSet(area=area, powers=rest if len(rest) > 1 else (), rules=("COD-001",)))
        if established and blame is not None:
            self.tension(LEVEL[marker] - LEVEL[to], reason, ("ETI-013", *rules), blame, area)
        return to

    # --- choices -------------------------------------------------------------------------------------------------

    def offer(
        self,
        power: str,
        about: AnyQuestion,
        options: tuple[Option, ...],
        default: Option,
        area: str = "",
        prompt: str = "",
        rules: tuple[str, ...] = (),
        seat: str = "",
    ) -> str:
        """Put a choice before the seat of `power`, or before another that commands it in War; its id.

        An offer between some seats only is not counted: its id comes from what it says.
        """
        if not self.asks:
            return ""
        seat = seat or seat_of(self.tables, self.state, power)
        choice = Pending(f"c{self.state.next_choice}", seat, power, about, options, default, area, prompt, rules)
        if about.private:
            said = (self.state.turn, self.state.phase, choice.kind, power, said_by(about))
            choice = replace(choice, id=secrecy.private_id("o", *said))
        self.emit(ev.ChoiceOffered(choice=choice, rules=rules))
        return choice.id

    def noted(
        self,
        code: str,
        text: str,
        rules: tuple[str, ...] = (),
        power: str = "",
        area: str = "",
        only: tuple[str, ...] = (),
    ) -> None:
        """Tell the players something; with `only`, no more than these seats."""
        self.emit(ev.Noted(code=code, text=text, power=power, area=area, rules=rules, only=only))


class Trial(Play):
    """What would come of a step, thrown away afterwards: its dice mean nothing, and nobody is asked anything.

    Whatever could forbid an offer has been looked at before it is put.
    """

    asks = False

    def __init__(self, tables: Tables, state: State) -> None:
        super().__init__(tables, state, Dice("trial"))


def refusal_of(step: Callable[[], object]) -> Refusal | None:
    """What forbids a step; None where it can be done, be it the one that ends the game."""
    try:
        step()
    except Refusal as refusal:
        return refusal
    except GameOver:
        return None
    return None


def refuse(code: str, rules: tuple[str, ...], message: str, **detail: object) -> NoReturn:
    """Refuse what is asked: nothing has happened.

    Raises: Refusal.
    """
    raise Refusal(code, rules, message, **detail)
