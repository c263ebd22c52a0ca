"""Plan the actions of a Power on a copy of the position, under Rules 1 and 2 of the General Orders.

Rules: ORD-003, ORD-004, ORD-005, ORD-006, ORD-007, ETI-036
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from paxtui.engine.bots import BotAction
from paxtui.engine.dice import Dice, draw
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import PowerAction, format_for_seat
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import HOME, Tables
from paxtui.games.pax.decide import decide
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import CONGRESS, DRAFT, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY
from paxtui.games.pax.state.questions import Call, DummyCall
from paxtui.games.pax.state.war import War
from paxtui.games.pax.transaction import Transaction
from paxtui.games.pax.treaties import lookup
from paxtui.games.pax.war.alliances import enemies, with_declaration
from paxtui.games.pax.war.calls import DEFENSIVE
from paxtui.games.pax.war.declarations import is_great_war

PLANNING_SEED = "paper"
"""Seed for the dice of trial acts; their results are ignored."""


class Planner:
    """The planned acts of one Power.

    Args:
        tables: the tables of the game.
        state: the position as the seat sees it.
        seat: the seat.
        power: the acting Power.
        seed: seed of the dice that the orders require.

    Attributes:
        state: the position after the planned acts.
        acts: the planned acts.
        keeps_treaties: whether acts that break a Treaty are excluded; always True for the caretaker.
        may_end_game: tells whether an act may bring the Great War if the seat is first by it; never for the caretaker.
    """

    def __init__(self, tables: Tables, state: State, seat: str, power: str, seed: str) -> None:
        self.tables, self.state, self.seat, self.power = tables, state, seat, power
        self.acts: list[BotAction] = []
        self.keeps_treaties = True
        self.may_end_game: Callable[[], bool] = lambda: False
        self._seed = f"{seed}/{power}"

    @property
    def home(self) -> str:
        """Place id of the Power's Home Country."""
        return HOME + self.power

    @property
    def treasury(self) -> int:
        """The Power's money after the planned acts, in pounds."""
        return self.state.powers[self.power].treasury

    def unsigned_drafts(self) -> tuple[Treaty, ...]:
        """Drafts that wait for the Power's signature; what is before a Congress is signed there."""
        return tuple(
            treaty
            for treaty in self.state.treaties
            if treaty.stage == DRAFT and treaty.form != CONGRESS
            if self.power in treaty.parties and self.power not in treaty.signed
        )

    def dice(self, what: str, sides: int) -> int:
        """A random number from 0 to `sides - 1`, for a tie that the orders leave to dice; the same all turn."""
        return draw(f"{self._seed}/{what}", self.state.turn, sides)

    def do(self, action: PowerAction, why: str) -> bool:
        """Plan an action if the rules and Rules 1 and 2 of the orders allow it; return whether they do.

        Args:
            action: the action, without its Power.
            why: the reason, as a sentence.

        Rules: ORD-004, ORD-005, ORD-006, ORD-007, ETI-036
        """
        named = replace(action, power="" if self.power == self.seat else self.power)
        after = self.result_of(named)
        if after is None or (after.state.result is not None and not self._wins_by(after.state)):
            return False
        if self.keeps_treaties and breaks_treaty(after, self.power):
            return False
        self.state = after.state
        self.acts.append(BotAction(format_for_seat(self.tables, named, self.seat), why))
        return True

    def _wins_by(self, state: State) -> bool:
        """Whether the Power may end the game so, and is first in it."""
        return state.result is not None and state.result.ranks.get(self.seat) == 1 and self.may_end_game()

    def add_all_or_none(self, steps: Callable[[], bool]) -> bool:
        """Plan several acts; plan none of them if one is refused."""
        before, count = self.state, len(self.acts)
        if steps():
            return True
        self.state = before
        del self.acts[count:]
        return False

    def result_of(self, action: actions.Action) -> Transaction | None:
        """Return the result of an action, None if it is refused."""
        return try_action(self.tables, self.state, self.seat, action)

    def armies_at_home(self) -> list[int]:
        """Strengths of the Army Units at home, the light ones first."""
        units = self.state.homes.get(self.power, ())
        return sorted(u.strength for u in units if u.power == self.power and u.kind == ARMY and not u.halted)

    def move(self, strengths: list[int] | tuple[int, ...], start: str, end: str, why: str) -> bool:
        """Plan a move of Army Units."""
        return self.do(actions.Move(tuple(f"A{s}" for s in strengths), (start, end)), why)

    def build(self, strengths: tuple[int, ...], why: str) -> bool:
        """Plan a purchase of Army Units; an empty purchase always succeeds."""
        return not strengths or self.do(actions.Build(tuple(f"A{s}" for s in strengths)), why)


def try_action(tables: Tables, state: State, seat: str, action: actions.Action) -> Transaction | None:
    """Return the result of an action, None if it is refused."""
    try:
        return decide(tables, state, seat, action, Dice(PLANNING_SEED))
    except Refusal:
        return None


def breaks_treaty(play: Transaction, power: str) -> bool:
    """Whether a Power has broken a Treaty by what was played. Rules: ORD-007."""
    return any(isinstance(event, events.TreatyBroken) and event.power == power for event in play.events)


def brings_great_war(tables: Tables, state: State, seat: str, action: actions.Action) -> bool:
    """Whether an act ends the game by the Great War, once all whom it calls to War have come, as Treaties bind them.

    Rules: ORD-005, ORD-006, ETI-036
    """
    play = try_action(tables, state, seat, action)
    while play is not None and play.state.result is None:
        call = next((c for c in play.state.choices if isinstance(c.about, Call | DummyCall)), None)
        if call is None:
            own = powers_of(tables, state, seat)
            helped = tuple(_war_with_allies(tables, play.state, war, own) for war in play.state.wars)
            return any(is_great_war(tables, replace(play.state, wars=helped), war) for war in helped)
        join = actions.Choose(call.id, (str(call.default),))
        play = try_action(tables, play.state, call.seat, join)
    return play is not None


def _war_with_allies(tables: Tables, state: State, war: War, own: tuple[str, ...]) -> War:
    """A War with all others on its sides whom a defensive Treaty that the seat knows of still calls there.

    Others are asked unseen, so their answers cannot be looked up; Austria-Hungary's due help is such a one.

    Args: the tables, the position, the War, and the Powers of the seat that looks ahead.
    """
    for treaty in lookup.all_treaties(tables, state):
        for clause in treaty.binding_clauses:
            for partner in treaty.bound if clause.kind == DEFENSIVE else ():
                foes = enemies(war, partner) if war.side_of(partner) and partner not in war.declared else ()
                if any(foe in clause.against if clause.against else foe not in treaty.bound for foe in foes):
                    for helper in (p for p in treaty.partners(partner) if p not in own and not war.side_of(p)):
                        war = with_declaration(war, helper, foes, partner)
    return war
