"""Events on the map: Status markers, units, fleets and canals, the disputes over them and the duties they bring."""

from __future__ import annotations

from paxtui.pax.history.event import Event

# --- markers ------------------------------------------------------------------------------------------------------


class MarkerPlaced(Event, frozen=True):
    """A Status marker is placed; `replaces`: its own of the same standing (established or not) that it covers."""

    area: str
    power: str
    marker: str
    established: bool
    turn: int
    replaces: str = ""


class MarkerEstablished(Event, frozen=True):
    """The unestablished marker of a Power is established; an older established one of its own goes."""

    area: str
    power: str
    marker: str


class MarkerLowered(Event, frozen=True):
    """A marker goes down from `marker` to `to` ("" for off the map)."""

    area: str
    power: str
    marker: str
    to: str
    reason: str
    established: bool = True
    turn: int = 0


class MarkerTransferred(Event, frozen=True):
    """An established marker changes hands; what the receiver had there goes, its place in a Codominion passes on."""

    area: str
    power: str
    to: str
    marker: str
    turn: int


class CodominionSet(Event, frozen=True):
    """The Area is shared by `powers` (none: a Codominion no longer)."""

    area: str
    powers: tuple[str, ...]


class AreaTypeChanged(Event, frozen=True):
    """The optional Ottoman expansion changes an Area's type."""

    area: str
    to: str


# --- pieces -------------------------------------------------------------------------------------------------------


class UnitsBuilt(Event, frozen=True):
    """Military Units appear at `place` (a Home Country, or the Area of a Minor Power's draw from stock)."""

    power: str
    units: tuple[str, ...]
    place: str
    coast: str = ""


class UnitsMoved(Event, frozen=True):
    """Units of one Power move along `path`. `coast`: where naval ones end. `halted`: they move no more this Phase."""

    power: str
    units: tuple[str, ...]
    path: tuple[str, ...]
    coast: str = ""
    halted: bool = False
    reason: str = "move"  # move | retreat | fix | minor | transfer
    was_halted: bool = False
    start_coast: str = ""


class UnitsHalted(Event, frozen=True):
    """All Army Units of a Power at a place have ended their movement for the Phase."""

    power: str
    place: str


class UnitsLost(Event, frozen=True):
    """Units leave the map."""

    power: str
    units: tuple[str, ...]
    place: str
    reason: str


class CoastChosen(Event, frozen=True):
    """A Naval Unit lies on another coast of its Area or in another home box."""

    power: str
    unit: str
    place: str
    start: str
    coast: str


class MerchantMoved(Event, frozen=True):
    """A Merchant Fleet goes from a Sea Zone, or "new" from the track, to a Sea Zone."""

    power: str
    start: str
    to: str


class CanalBuilt(Event, frozen=True):
    """A canal joins the Caribbean Sea and the South Pacific; it stays for ever."""

    area: str
    power: str


# --- disputes and duties ------------------------------------------------------------------------------------------


class CasusBelliArose(Event, frozen=True):
    """`holder` has a cause of war against `against`; `lapses`, `treaty`, `minor`, `demanded` as in
    `CasusBelli`."""

    id: str
    holder: str
    against: str
    area: str = ""
    cause: str = ""
    lapses: str = ""
    treaty: str = ""
    minor: str = ""
    demanded: bool = False


class CasusBelliEnded(Event, frozen=True):
    """A cause of war is gone: "waived", "settled", "lapsed"."""

    id: str
    reason: str


class GarrisonMissing(Event, frozen=True):
    """A Control marker stood without an Army Unit of its Power at the end of the Movement/Status Change Phase."""

    area: str
    power: str


class DutyWaived(Event, frozen=True):
    """The arbiter went on although a Power still had pounds to spend on units, or another duty."""

    power: str
    duty: str
    amount: int = 0


class MinorSentArmies(Event, frozen=True):
    """A Minor Power has sent units to its Area in Unrest this turn, or (`home`) the surplus went back."""

    power: str
    area: str
    turn: int
    home: bool = False


class WarDue(Event, frozen=True):
    """A war is due that this version of the game does not play out: "chinese_rebellion", "ottoman"."""

    war: str
    power: str = ""
    area: str = ""


MapEvent = (
    MarkerPlaced
    | MarkerEstablished
    | MarkerLowered
    | MarkerTransferred
    | CodominionSet
    | AreaTypeChanged
    | UnitsBuilt
    | UnitsMoved
    | UnitsHalted
    | UnitsLost
    | CoastChosen
    | MerchantMoved
    | CanalBuilt
    | CasusBelliArose
    | CasusBelliEnded
    | GarrisonMissing
    | DutyWaived
    | MinorSentArmies
    | WarDue
)
