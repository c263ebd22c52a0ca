"""The tables of the game as frozen structs: the board, prices, dice tables and options.

`paxtui.session.tables.loader` loads `data/` and creates `Tables`. No code refers to an Area by name.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from paxtui.games.pax.state.options import Option
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE

HOME = "home:"
"""Prefix of a Home Country among the places of `Tables.routes`, as in `home:britain`."""


class Area(msgspec.Struct, frozen=True):
    """One of the 104 Areas. `value` in pounds of trade, `strength` in strength points."""

    id: str
    name: str
    region: str
    type: str  # independent | ottoman | chinese_empire | chinese_vassal | unorganized
    value: int
    strength: int
    sea_zones: tuple[str, ...] = ()
    upgrade: str = ""  # "state" or "dominion" where the Area may become one
    passage: str = ""  # "canal" (may be built), "suez" or "straits" where the map prints a note


class SeaZone(msgspec.Struct, frozen=True):
    """One of the 12 Sea Zones, with the Sea Zones next to it (Cape Zones ignored, as in peace)."""

    id: str
    name: str
    adjacent: tuple[str, ...]


class Cape(msgspec.Struct, frozen=True):
    """A Cape Zone. It exists only in War."""

    id: str
    name: str
    adjacent: tuple[str, ...]


PLAYED_BY_GERMANY = "played_by_germany"
"""Kind of the Power that the seat of another one plays (SET-002): Austria-Hungary."""
MINOR_OR_EIGHTH_PLAYER = "minor_or_eighth_player"
"""Kind of the Minor Power that an optional eighth player plays (BEL-001): Belgium."""

PORT_BOXES = ("united_states", "russia")
"""Powers whose Naval Units leave home only by the Sea Zones of their port box (L714, Decision 57)."""


class Home(msgspec.Struct, frozen=True):
    """A Home Country. `boxes` are its Naval Unit boxes, each a tuple of the Sea Zones the box opens on."""

    power: str
    sea_zones: tuple[str, ...]
    boxes: tuple[tuple[str, ...], ...]

    @property
    def port_boxes(self) -> tuple[tuple[str, ...], ...]:
        """The boxes through which fleets leave in War; empty if they may leave into any Sea Zone of the coast."""
        return self.boxes if self.power in PORT_BOXES else ()

    def box_on(self, zones: Collection[str] = ()) -> str:
        """Return the name of the box on some Sea Zones, which is its first Sea Zone; of the first box if none is."""
        boxes = sorted(self.boxes, key=lambda box: set(box).isdisjoint(zones))
        return boxes[0][0] if boxes else ""


class Power(msgspec.Struct, frozen=True):
    """A Colonial Power. The Victory Point divisor is `vp_pounds` pounds for `vp_points` points (5 for 2 = 2.5)."""

    id: str
    name: str
    letters: str
    kind: str  # great | great_or_minor | played_by_germany | minor_or_eighth_player | minor
    european: bool
    vp_pounds: int = 0
    vp_points: int = 1
    active_on: int = 0  # highest die on which it is active as a Minor Power
    seat: str = ""  # the Power whose seat plays it, if not its own


class MarkerType(msgspec.Struct, frozen=True):
    """A kind of Status marker: price and maintenance in pounds, income multiplier, place on the ladder (1 to 5)."""

    id: str
    name: str
    sign: str
    level: int
    pool: str  # round | hexagon | state | dominion
    price: int
    maintenance: int
    multiplier: int
    control: bool
    only_for: str = ""


class UnitCost(msgspec.Struct, frozen=True):
    """Prices in pounds of a Military Unit of one strength, and the European Tensions a Naval Unit raises."""

    strength: int
    army: int
    naval: int
    tension: int


class Resentment(msgspec.Struct, frozen=True):
    """Chinese Resentment points of one kind of marker."""

    marker: str
    placed_in_empire: int
    placed_in_vassal: int
    per_phase: int
    per_phase_sheet: int


class UnrestTable(msgspec.Struct, frozen=True):
    """Unrest Table A, B, C or D: `dice` rolled in order, `rows` keyed "d" or "d-d"."""

    id: str
    dice: int
    rows: dict[str, str]


class Permit(msgspec.Struct, frozen=True):
    """A permission of a Random Event: `power` may place Control markers in quiet `areas`, in `at_most` of them."""

    power: str
    areas: tuple[str, ...]
    at_most: int


class Pressure(msgspec.Struct, frozen=True):
    """A demand of a Random Event: `power` makes `area` a `marker` this turn or loses `points` Victory Points."""

    power: str
    area: str
    marker: str
    points: int


class RandomEvent(msgspec.Struct, frozen=True):
    """One of the 36 results of the Random Events Table; its effects are typed, never sentences."""

    dice: str  # "2-5"
    title: str
    says: str = ""  # what it does and forbids, in a sentence or two for people
    power: str = ""  # the Power named
    tension: int = 0
    resentment: int = 0
    office: str = ""  # Colonial Office income of `power`: "double" | "halve" | "none"
    spend_at_least: int = 0  # pounds on Military Units this turn
    spend_on: str = "units"  # "units" | "naval"
    spend_except: str = ""  # "indian_army"
    units_at_most: int = -1  # pounds on buying units this turn, -1 for no cap
    permit: Permit | None = None
    pressure: Pressure | None = None
    casus_belli_against: str = ""
    excludes: tuple[str, ...] = ()  # other results it cannot share a Random Events Phase with
    unrest: str = ""  # letter of the Unrest Table to roll on
    with_player: str = ""  # if this Power has a player, the headline `extra` happens too
    extra: str = ""  # "colonial_expansion"
    balkan_war: bool = False
    rules: tuple[str, ...] = ()


class MapChange(msgspec.Struct, frozen=True):
    """A change of the map by an option after `balkan_wars` Balkan wars.

    `change`: route_added or route_removed between Areas `a` and `b`, or coast_added: Area `a` gets Sea Zone `b`.
    """

    option: str
    value: str
    balkan_wars: int
    change: str
    a: str
    b: str


class StartUnits(msgspec.Struct, frozen=True):
    """A row of the 1880 deployment: `unit` army | naval | merchant_fleet, `count` of `strength` in `place`."""

    power: str
    place: str
    unit: str
    strength: int
    count: int
    coast: str = ""
    only_as_minor: bool = False  # deployed only where the Power is a Minor Power


class StartMarker(msgspec.Struct, frozen=True):
    """An established Status marker of the 1880 deployment."""

    power: str
    area: str
    marker: str
    codominion: bool = False


class RecordLine(msgspec.Struct, frozen=True):
    """A printed line of the Administrative Record Sheet."""

    line: str  # "01" to "31"
    section: str
    what: str
    rules: tuple[str, ...] = ()


class TurnRow(msgspec.Struct, frozen=True):
    """A space of the Game Turn Track: Powers that receive a Merchant Fleet, Great War penalty in Victory Points."""

    year: int
    merchant_fleets: tuple[str, ...]
    great_war_penalty: int


class CounterLimits(msgspec.Struct, frozen=True):
    """Pieces of one Power: units of strength 10, 3 and 1 (army and naval share them), markers, fleets."""

    tens: int
    threes: int
    ones: int
    round: int
    hexagon: int
    dominion: int = 0
    state: int = 0
    merchant_fleet: int = 0


class ControlTest(msgspec.Struct, frozen=True):
    """Predicate of a bonus: `by` (a Power, "others", "european_others", "anyone") holds Control in `areas`."""

    by: str
    areas: tuple[str, ...]  # expanded ids
    at_least: int = 1
    except_start: bool = False


BONUS_KINDS = ("defensive", "offensive")
"""Kinds of clause that the Bonus Summary may count."""

ANY_KIND = "any"
"""Value that counts Treaties of any of BONUS_KINDS."""


class TreatyTest(msgspec.Struct, frozen=True):
    """Predicate of a bonus: Treaties with a clause of one of BONUS_KINDS, or of ANY_KIND."""

    kind: str
    against: str = ""
    revealed: bool = True
    partners: tuple[str, ...] = ()
    at_most: int = 0


class Bonus(msgspec.Struct, frozen=True):
    """A Bonus Victory Point row. `when` must hold, `unless` must not; `per_area_lost` multiplies by Areas missing.

    `players`: numbers of players for which the row counts; empty: for all.
    """

    power: str  # a Power id, or "each"
    id: str
    points: int
    what: str
    when: ControlTest | None = None
    unless: ControlTest | None = None
    per_area_lost: ControlTest | None = None
    treaty: TreatyTest | None = None
    players: tuple[int, ...] = ()
    reconstructed: bool = False
    rules: tuple[str, ...] = ()

    def is_for(self, player_count: int) -> bool:
        """Whether the row counts in a game of so many players."""
        return not self.players or player_count in self.players


class AfricaPath(msgspec.Struct, frozen=True):
    """A path across Africa: Control from one of `one_end` to one of `other_end` through `through` Areas overland."""

    id: str
    what: str
    points: int
    one_end: tuple[str, ...]
    other_end: tuple[str, ...]
    through: tuple[str, ...]
    rules: tuple[str, ...] = ()


class Cause(msgspec.Struct, frozen=True):
    """A cause of war of the Casus Belli Summary."""

    id: str
    what: str
    rules: tuple[str, ...] = ()
    reconstructed: bool = False
    holder: str = ""  # who has it against a placer of Control in `areas`, where the cause is of that kind
    areas: tuple[str, ...] = ()
    start_holders_exempt_in: tuple[str, ...] = ()  # Areas where the holders of the 1880 deployment give no cause


class OtherArmies(msgspec.Struct, frozen=True):
    """Armies shared by Chinese and Ottomans: their strength and the number of pieces."""

    strength: int = 5
    count: int = 6


class Rule(msgspec.Struct, frozen=True):
    """An atomic rule of the catalogue, the in-game rule reference."""

    id: str
    part: str
    lines: str
    phase: str
    kind: str
    edition: str
    statement: str


class Ratio(msgspec.Struct, frozen=True):
    """A column of the Combat Results Tables: attackers to defenders."""

    attack: int
    defend: int


class PredictionWeights(msgspec.Struct, frozen=True):
    """Weights of the prediction of results, fitted to games of bots.

    Attributes:
        features: names of the features, in the order of the weights.
        weights: by Game Turn, one number for each feature.
        spread: by Game Turn, Victory Points by which expected totals must differ for odds of e to 1.
        powers: further Victory Points of a Power for each turn to come.
    """

    features: tuple[str, ...] = ()
    weights: tuple[tuple[float, ...], ...] = ()
    spread: tuple[float, ...] = ()
    powers: dict[str, float] = {}


class Tables(msgspec.Struct, frozen=True):
    """All tables of a game, loaded and checked once."""

    areas: dict[str, Area]
    sea_zones: dict[str, SeaZone]
    capes: dict[str, Cape]
    homes: dict[str, Home]  # by Power
    routes: dict[str, tuple[str, ...]]  # place -> places joined by one Overland Route, both ways
    powers: dict[str, Power]
    markers: dict[str, MarkerType]
    units: dict[int, UnitCost]
    resentment: dict[str, Resentment]
    colonial_office: dict[str, tuple[int, ...]]  # six amounts
    ratios: tuple[Ratio, ...]  # from the worst to the best for the attacker
    combat: dict[int, tuple[tuple[str, ...], ...]]  # table -> die 1..6 -> column
    minor_activity: dict[str, dict[int, str]]
    minor_order: tuple[str, ...]
    unrest: dict[str, UnrestTable]
    events: dict[str, RandomEvent]
    start_units: tuple[StartUnits, ...]
    start_markers: tuple[StartMarker, ...]
    record: dict[str, RecordLine]
    turns: tuple[TurnRow, ...]  # reconstructed
    chinese_armies: dict[int, str]  # reconstructed
    counters: dict[str, CounterLimits]  # reconstructed
    area_lists: dict[str, tuple[str, ...]]
    bonuses_per_turn: tuple[Bonus, ...]  # reconstructed
    bonuses_at_end: tuple[Bonus, ...]  # reconstructed
    africa_paths: tuple[AfricaPath, ...]
    placement_effects: dict[str, dict[str, str]]  # reconstructed
    causes: tuple[Cause, ...]
    options: dict[str, Option]
    map_changes: tuple[MapChange, ...]
    tension_without: tuple[str, ...]  # Powers whose Naval Units raise no tension
    reconstructed: tuple[str, ...]  # names of the fields above that stand in for lost tables
    replaced: tuple[str, ...] = ()  # file names taken from --tables instead of the shipped ones
    other_armies: OtherArmies = OtherArmies()  # Chinese and Ottoman (reconstructed with `counters`)
    french_names: dict[str, str] = {}  # Power -> its name in French, by which delegates sit
    treaty_cities: dict[str, tuple[str, ...]] = {}  # Power -> cities that its Treaties may be called after
    prediction: PredictionWeights = PredictionWeights()  # not a table of the game: bots use it

    @property
    def parties(self) -> tuple[str, ...]:
        """Possible parties to a dispute, in table order; the Ottoman Empire last, by its expansion. Rules: EVT-035."""
        return (*self.powers, OTTOMAN_EMPIRE)
