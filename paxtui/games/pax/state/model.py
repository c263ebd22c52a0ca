"""The state of a game: what stands where, who owns what, and what is waited for.

Frozen structs throughout; a change copies the small part it touches. Nothing here is a rule: `decide` modules
hold the rules, `evolve` applies events to this state.

The options of a game: what the rules leave to the players, and what the editions and rulings differ in. Data only.

In a log's header, in views and in words an option has a text as its value (`yes`, `3`, `sheet`); the help, and what an
edition sets, stand in `data/options.toml` under the same names.

A state with one part of it changed: units in a place, an Area, a Power.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec.structs import replace

from paxtui.engine.frames import top
from paxtui.games.pax.state.diplomacy import CasusBelli, Congress, Treaty
from paxtui.games.pax.state.phases import PHASES, InProgress
from paxtui.games.pax.state.pieces import AreaState, Holding, SentArmies, Unit
from paxtui.games.pax.state.questions import DECLARATION_QUESTIONS, Pending
from paxtui.games.pax.state.war import Declaration, War

OptionValue = bool | int | str


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What a game is played with. Logs that do not name an option, because it came later, have its default."""

    edition: Literal["consolidated", "1993"] = "consolidated"
    fiji_south_pacific: bool = False
    balkan_routes: bool = False
    ottoman_expansion: bool = False
    cri_per_phase: Literal["flat", "sheet"] = "flat"
    counter_limits: Literal["table", "unlimited"] = "table"
    failed_upgrade_keeps_old: bool = True
    ungarrisoned_new_control_becomes_influence: bool = True
    eti_for_lost_garrisons: bool = True
    minor_fresh_protectorate_upgrades: bool = False
    transfer_raises_eti: bool = False
    belgium: bool = False
    unsettled_disputes: Literal["give_way", "removed"] = "give_way"
    granted_control_angers_ottomans: bool = True
    treaty_referee: bool = True
    unwritten_treaties: bool = False
    congress_proposals: Literal[1, 2, 3, 4, 5, 6] = 3
    congress_free_codominion: Literal["anywhere", "disputed"] = "anywhere"
    l547_full_removal: bool = True
    vienna_neutral_for_german_disputes: bool = True
    armies_only: bool = False
    neutral_command: bool = False
    spoils_any_marker: bool = False
    congress_beside_war: bool = False
    passages_denied: Literal["phase_start", "any_time"] = "phase_start"


def _option_values(kind: object) -> dict[str, OptionValue]:
    """The values of an option by their texts."""
    values: tuple[OptionValue, ...] = get_args(kind) if get_origin(kind) is Literal else (True, False)
    return {option_text(value): value for value in values}


def option_text(value: OptionValue) -> str:
    """A value as it is written and said."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


OPTION_VALUES: dict[str, dict[str, OptionValue]] = {
    field.name: _option_values(field.type) for field in msgspec.structs.fields(Options)
}
"""Every option, and its values by their texts."""


def options_to_texts(options: Options) -> dict[str, str]:
    """All options with their values as texts."""
    return {name: option_text(getattr(options, name)) for name in OPTION_VALUES}


def options_from_texts(texts: Mapping[str, object]) -> Options:
    """The options with these values; what is left out has its default.

    Raises: ValueError, when there is no such option or value.
    """
    values: dict[str, OptionValue] = {}
    for name, text in texts.items():
        if name not in OPTION_VALUES:
            raise ValueError(f"there is no option '{name[:40]}'")
        if not isinstance(text, str) or text not in OPTION_VALUES[name]:
            raise ValueError(f"option {name} takes {' or '.join(OPTION_VALUES[name])}")
        values[name] = OPTION_VALUES[name][text]
    return msgspec.convert(values, type=Options)


class PowerState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Power with a player (Austria-Hungary included). Money in pounds, spending of the current turn."""

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


class PhaseStart(msgspec.Struct, frozen=True):
    """What stood where when the Phase began. Duties of a Phase are judged against it (Decisions 33 and 38)."""

    areas: dict[str, AreaState]
    homes: dict[str, tuple[Unit, ...]]
    sea_zones: dict[str, tuple[str, ...]]


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game ended: `reason` "last_turn" or "great_war"; ranks by seat."""

    reason: str
    turn: int
    culprits: tuple[str, ...] = ()
    ranks: dict[str, int] = {}
    totals: dict[str, int] = {}


SET_ASIDE, SWAPPED, JOINED = "set_aside", "swapped", "joined"
"""What becomes of a Congress beside a War: it is set aside, changes places with the War, or is over."""


class Background(msgspec.Struct, frozen=True, omit_defaults=True):
    """The Congress or the War Phase that waits while the other one is played (PBM-057)."""

    frames: tuple[InProgress, ...]
    choices: tuple[Pending, ...] = ()
    ready: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position of the game. Its place in the sequence is the stack `frames`."""

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
    moved_minors: tuple[SentArmies, ...] = ()  # what has not gone home yet
    ungarrisoned: tuple[Holding, ...] = ()  # what failed the garrison test of this turn
    handed_over: tuple[Holding, ...] = ()  # whose marker came from another Power this turn
    leopold: bool = False
    rebellion: bool = False
    ottoman_wars: tuple[Holding, ...] = ()  # Wars that the Ottoman Empire will declare this turn
    ottoman_next: tuple[Holding, ...] = ()  # those of the next turn: Control taken as spoils of another War
    congress: Congress | None = None  # of this Game Turn, from its call on
    ballots: dict[str, tuple[str, str]] = {}  # seat -> sealed vote, and whether it would sign or defy
    at_sea: dict[str, tuple[Unit, ...]] = {}  # Military Units in Sea and Cape Zones, in War only
    wars: tuple[War, ...] = ()  # the Rebellion, then the Ottoman War, then the others as they were declared
    declarations: tuple[Declaration, ...] = ()  # declarations of War still to be worked off, first in, first out
    phase_start: PhaseStart | None = None  # in the Phases that are judged against their beginning
    next_choice: int = 1
    next_cause: int = 1
    next_war: int = 1
    abandoned: tuple[str, ...] = ()  # seats that nobody plays any more: their Powers follow the General Orders
    result: Result | None = None
    beside: Background | None = None  # in mail games, a Congress that stays open beside a War
    negotiated: bool = False  # a Negotiation Phase has begun: from then on hidden agreements are possible
    asked_unseen: bool = False  # as a seat knows it: others, maybe unseen, are asked whether a declaration calls them

    @property
    def declaring(self) -> bool:
        """Whether a declaration of War is being worked off: whom it calls is asked, and later ones wait."""
        asked = any(isinstance(choice.about, DECLARATION_QUESTIONS) for choice in self.choices)
        return asked or self.asked_unseen or bool(self.declarations)

    @property
    def phase(self) -> str:
        """Phase in progress: the topmost, whatever procedure stands on it."""
        frames = self.frames
        return frames[0].phase if len(frames) == 1 else next(f.phase for f in reversed(frames) if f.phase in PHASES)

    @property
    def top(self) -> InProgress:
        """The Phase or procedure that decides who must act."""
        return top(self.frames)


def at_phase_start(state: State) -> State:
    """The position with everything on the map where the Phase found it, where the Phase is judged against that."""
    start = state.phase_start
    return replace(state, areas=start.areas, homes=start.homes, sea_zones=start.sea_zones) if start else state


def units_at(state: State, place: str) -> tuple[Unit, ...]:
    """Military Units in an Area or a Home Country, or at sea in a Sea or Cape Zone."""
    if place.startswith("home:"):
        return state.homes.get(place[5:], ())
    area = state.areas.get(place)
    return area.units if area else state.at_sea.get(place, ())


def all_units(state: State) -> Iterator[Unit]:
    """Every Military Unit on the map and at sea, and those that have surrendered and wait for the end of their War."""
    for units in (*(here.units for here in state.areas.values()), *state.homes.values(), *state.at_sea.values()):
        yield from units
    for war in state.wars:
        yield from (Unit(prisoner.power, prisoner.kind, prisoner.strength) for prisoner in war.surrendered)


EMPTY_AREA = AreaState()
"""What is in an Area of which the state says nothing."""


def with_units(state: State, place: str, units: Iterable[Unit]) -> State:
    """The state with other Military Units in an Area or a Home Country, or at sea."""
    if place.startswith("home:"):
        return replace(state, homes={**state.homes, place[5:]: tuple(units)})
    area = state.areas.get(place)
    if area is None:
        there = {**state.at_sea, place: tuple(units)}
        return replace(state, at_sea={zone: left for zone, left in there.items() if left})
    return replace(state, areas={**state.areas, place: replace(area, units=tuple(units))})


def with_area(state: State, area: str, **changes: Any) -> State:
    """The state with some fields of an Area changed."""
    return replace(state, areas={**state.areas, area: replace(state.areas.get(area, EMPTY_AREA), **changes)})


def with_power(state: State, power: str, **changes: Any) -> State:
    """The state with some fields of a Power changed."""
    return replace(state, powers={**state.powers, power: replace(state.powers.get(power, PowerState()), **changes)})
