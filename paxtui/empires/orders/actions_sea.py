"""What a Power does with its fleets."""

from __future__ import annotations

from paxtui.empires.orders.action import Action


class Sail(Action, frozen=True, tag="sail"):
    """Sail with fleets that are in one place, from place to place; `off_brest` is the blockade box of Brest.

    Corps go aboard where the fleets are in port with them. `seeking` is `battle` for who wishes to be met in the
    blockade box of a port that it enters.
    """

    fleets: tuple[str, ...]
    route: tuple[str, ...]
    corps: tuple[str, ...] = ()
    seeking: str = ""


class AttackFleet(Action, frozen=True, tag="attack_fleet"):
    """Attack the stack of a Power at a place; `declaring` names Powers on whom war is declared by it."""

    place: str
    power: str
    declaring: tuple[str, ...] = ()


class PlaceShips(Action, frozen=True, tag="place_ships"):
    """Put ships that are due into a fleet."""

    fleet: str
    ships: int


class PlaceFleet(Action, frozen=True, tag="place_fleet"):
    """Put a fleet counter that is due into a port, or beside another fleet, with ships that are due."""

    fleet: str
    place: str
    ships: int = 0
    giver: str = ""


class TransferShips(Action, frozen=True, tag="transfer_ships"):
    """Give ships of a fleet to another one beside it."""

    ships: int
    giver: str
    taker: str


class Scuttle(Action, frozen=True, tag="scuttle"):
    """Remove a fleet and its ships."""

    fleet: str


FORMS: dict[type[Action], str] = {
    Sail: "sail {fleets} to {route} [with {corps}] [seeking {seeking}]",
    AttackFleet: "strike {power} at {place} [declaring {declaring}]",
    PlaceShips: "commission {ships} ships into {fleet}",
    PlaceFleet: "launch {fleet} at {place} [ships {ships}] [from {giver}]",
    TransferShips: "shift {ships} ships from {giver} to {taker}",
    Scuttle: "scuttle {fleet}",
}
