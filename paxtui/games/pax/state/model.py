"""The state of a game as frozen structs, and helpers that return changed copies.

The rules are in other modules; `evolve` applies events to the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.games.pax.state.diplomacy import CasusBelli, Congress, Treaty
from paxtui.games.pax.state.options import Options
from paxtui.games.pax.state.phases import PHASES, InProgress
from paxtui.games.pax.state.pieces import AreaState, Holding, SentArmies, Unit
from paxtui.games.pax.state.questions import DECLARATION_QUESTIONS, Pending
from paxtui.games.pax.state.war import Declaration, War


class PowerState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Power with a player, or Austria-Hungary. Money is in pounds; spending is of the current turn."""

    treasury: int = 0
    victory_points: int = 0
    merchants_due: int = 0
    record: dict[str, int | None] = {}
    past: dict[str, dict[str, int | None]] = {}  # finished record sheets by turn number
    upkeep: int = 0  # maintenance of units paid this turn that counts towards a forced expenditure
    spent_on_units: int = 0
    spent_on_naval: int = 0
    had_control: bool = False
    bought_control: bool = False  # a Protectorate or Possession in this turn's Movement/Status Change Phase
    bonus: int = 0  # Victory Points awarded or lost this turn outside lines 24 and 25 (canal, refused Dominion)
    declared_on: tuple[str, ...] = ()  # Powers on which it has declared War this turn


ACCOUNTS_OF_THE_TURN = (
    "record", "past", "upkeep", "spent_on_units", "spent_on_naval", "bought_control", "bonus", "declared_on",
)  # fmt: skip
"""Fields of a Power that texts of positions do not contain."""


class PhaseStart(msgspec.Struct, frozen=True):
    """The map as it was when the Phase began. Duties of a Phase refer to it (Decisions 33 and 38)."""

    areas: dict[str, AreaState]
    homes: dict[str, tuple[Unit, ...]]
    sea_zones: dict[str, tuple[str, ...]]


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """End of a game: `reason` is "last_turn" or "great_war"; ranks are by seat."""

    reason: str
    turn: int
    culprits: tuple[str, ...] = ()
    ranks: dict[str, int] = {}
    totals: dict[str, int] = {}


SET_ASIDE, SWAPPED, JOINED = "set_aside", "swapped", "joined"
"""States of a Congress beside a War: set aside, swapped with the War, or over."""


class Background(msgspec.Struct, frozen=True, omit_defaults=True):
    """The Congress or War Phase that waits while the other one is played (PBM-057)."""

    frames: tuple[InProgress, ...]
    choices: tuple[Pending, ...] = ()
    ready: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position of the game. `frames` is the stack of Phases and procedures in progress."""

    turn: int
    frames: tuple[InProgress, ...]
    areas: dict[str, AreaState]
    homes: dict[str, tuple[Unit, ...]]
    sea_zones: dict[str, tuple[str, ...]]  # Powers with a Merchant Fleet there
    powers: dict[str, PowerState]
    players: tuple[str, ...]  # seats, in the order of the powers table
    minors: tuple[str, ...]  # Minor Powers in the order in which they act
    options: Options
    tension: int = 0
    resentment: int = 0
    events: tuple[str, ...] = ()  # Random Events in force this turn, by dice
    balkan_wars: int = 0
    casus_belli: tuple[CasusBelli, ...] = ()
    treaties: tuple[Treaty, ...] = ()  # drafts, settlements and Treaties, ended ones included
    choices: tuple[Pending, ...] = ()
    ready: tuple[str, ...] = ()
    cleared: dict[str, int] = {}  # how often a seat has cleared the others' flags this Phase
    active_minors: dict[str, str] = {}  # Minor Power -> Area of its activity this turn
    moved_minors: tuple[SentArmies, ...] = ()  # armies that have not returned yet
    ungarrisoned: tuple[Holding, ...] = ()  # Areas that failed the garrison test of this turn
    handed_over: tuple[Holding, ...] = ()  # markers transferred this turn
    leopold: bool = False
    rebellion: bool = False
    ottoman_wars: tuple[Holding, ...] = ()  # Wars that the Ottoman Empire will declare this turn
    ottoman_next: tuple[Holding, ...] = ()  # Wars of the next turn, over spoils of another War
    congress: Congress | None = None  # Congress of this Game Turn, once it is called
    ballots: dict[str, tuple[str, str]] = {}  # by seat: sealed vote, and sign or defy
    at_sea: dict[str, tuple[Unit, ...]] = {}  # Military Units in Sea and Cape Zones, only in War
    wars: tuple[War, ...] = ()  # the Rebellion, then the Ottoman War, then the others as they were declared
    declarations: tuple[Declaration, ...] = ()  # queue of declarations of War
    phase_start: PhaseStart | None = None  # only in Phases whose duties refer to it
    next_choice: int = 1
    next_cause: int = 1
    next_war: int = 1
    abandoned: tuple[str, ...] = ()  # seats without a player: their Powers follow the General Orders
    result: Result | None = None
    waiting_phase: Background | None = msgspec.field(default=None, name="beside")  # in mail games
    negotiated: bool = False  # a Negotiation Phase has begun; hidden agreements are possible
    asked_unseen: bool = False  # in views: other seats may have hidden calls to answer
    scenario: str = ""  # id of the scenario whose position the game began with

    @property
    def declaring(self) -> bool:
        """Whether a declaration of War is in progress: the seats that it calls must answer, later ones wait."""
        has_questions = any(isinstance(choice.about, DECLARATION_QUESTIONS) for choice in self.choices)
        return has_questions or self.asked_unseen or bool(self.declarations)

    @property
    def has_pressing_choice(self) -> bool:
        """Whether play waits for the answer to a choice."""
        return any(choice.about.pressing for choice in self.choices)

    @property
    def last_turn(self) -> int:
        """Game Turn after which the game ends."""
        return self.options.last_turn

    @property
    def phase(self) -> str:
        """Phase in progress, without the procedure on top of it."""
        frames = self.frames
        return frames[0].phase if len(frames) == 1 else next(f.phase for f in reversed(frames) if f.phase in PHASES)

    @property
    def top(self) -> InProgress:
        """The Phase or procedure that decides which seats must act."""
        return self.frames[-1]

    def war(self, id_: str) -> War | None:
        return next((war for war in self.wars if war.id == id_), None)

    def treaty(self, id_: str) -> Treaty | None:
        return next((treaty for treaty in self.treaties if treaty.id == id_), None)

    def choice(self, id_: str) -> Pending | None:
        return next((choice for choice in self.choices if choice.id == id_), None)


def at_phase_start(state: State) -> State:
    """Return the position with the map as it was when the Phase began, for Phases that refer to it."""
    start = state.phase_start
    return replace(state, areas=start.areas, homes=start.homes, sea_zones=start.sea_zones) if start else state


def units_at(state: State, place: str) -> tuple[Unit, ...]:
    """Return the Military Units in an Area, a Home Country, a Sea Zone or a Cape Zone."""
    area = state.areas.get(place)
    if area is not None:
        return area.units
    return state.homes.get(place[5:], ()) if place.startswith("home:") else state.at_sea.get(place, ())


def all_units(state: State) -> Iterator[Unit]:
    """Return every Military Unit on the map and at sea, and the surrendered ones."""
    for units in (*(here.units for here in state.areas.values()), *state.homes.values(), *state.at_sea.values()):
        yield from units
    for war in state.wars:
        yield from (Unit(prisoner.power, prisoner.kind, prisoner.strength) for prisoner in war.surrendered)


EMPTY_AREA = AreaState()
"""Contents of an Area that the state does not list."""


def with_units(state: State, place: str, units: Iterable[Unit]) -> State:
    """Return the state with other Military Units in a place."""
    if place.startswith("home:"):
        return replace(state, homes={**state.homes, place[5:]: tuple(units)})
    area = state.areas.get(place)
    if area is None:
        there = {**state.at_sea, place: tuple(units)}
        return replace(state, at_sea={zone: left for zone, left in there.items() if left})
    return replace(state, areas={**state.areas, place: replace(area, units=tuple(units))})


def with_area(state: State, area: str, **changes: Any) -> State:
    """Return the state with some fields of an Area changed."""
    return replace(state, areas={**state.areas, area: replace(state.areas.get(area, EMPTY_AREA), **changes)})


def with_power(state: State, power: str, **changes: Any) -> State:
    """Return the state with some fields of a Power changed."""
    return replace(state, powers={**state.powers, power: replace(state.powers.get(power, PowerState()), **changes)})
