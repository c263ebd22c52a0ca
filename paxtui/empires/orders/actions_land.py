"""What a Power does on land: reinforcements, depots, marches, garrisons, supply."""

from __future__ import annotations

from paxtui.empires.orders.action import Action

# --- army reinforcement ---------------------------------------------------------------------------------------------


class Reinforce(Action, frozen=True, tag="reinforce"):
    """Place factors that are due: in a corps, or in the garrison of the city of an area."""

    where: str
    factors: dict[str, int]


class Exchange(Action, frozen=True, tag="exchange"):
    """Give factors from a corps to another, or to the garrison of the city (`city`) or the depot (`depot`)."""

    corps: str
    factors: dict[str, int]
    to: str


class Demobilize(Action, frozen=True, tag="demobilize"):
    """Disband a corps, or garrisons of an area.

    Attributes:
        where: a corps or an area.
        factors: factors of a garrison; empty for the whole corps or garrison.
        source: `city` or `depot`; empty for the whole garrisons of both, or for some factors of the city's.
    """

    where: str
    factors: dict[str, int] = {}
    source: str = ""


class Retire(Action, frozen=True, tag="retire"):
    """Take a leader off the map."""

    leader: str


class Appoint(Action, frozen=True, tag="appoint"):
    """Bring a leader back, with a corps."""

    leader: str
    corps: str


# --- depots ----------------------------------------------------------------------------------------------------


class PlaceDepot(Action, frozen=True, tag="place_depot"):
    """Buy a depot and place it in an area, or on a fleet."""

    where: str


class RemoveDepot(Action, frozen=True, tag="remove_depot"):
    """Take a depot off the map."""

    where: str


# --- movement ----------------------------------------------------------------------------------------------------


class March(Action, frozen=True, tag="march"):
    """Move a counter along areas."""

    corps: str
    path: tuple[str, ...]


class ForceMarch(Action, frozen=True, tag="force_march"):
    """The same with a force march."""

    corps: str
    path: tuple[str, ...]


class Disembark(Action, frozen=True, tag="disembark"):
    """Land a corps from its fleet in an area, or in the besieged friendly port there (`port`)."""

    corps: str
    area: str
    into: str = "area"


class Detach(Action, frozen=True, tag="detach"):
    """Leave factors of a corps in the city or with the depot of its area."""

    corps: str
    factors: dict[str, int]
    to: str = "city"


class Absorb(Action, frozen=True, tag="absorb"):
    """Take factors of a garrison into a corps."""

    corps: str
    factors: dict[str, int]
    source: str = "city"


class Enter(Action, frozen=True, tag="enter"):
    """Go into the city of the area."""

    corps: str


class Leave(Action, frozen=True, tag="leave"):
    """Come out of the city into its area."""

    corps: str


class Besiege(Action, frozen=True, tag="besiege"):
    """Besiege the city of the area, with all that stands there."""

    corps: str


class LiftSiege(Action, frozen=True, tag="lift_siege"):
    """Give up a siege."""

    area: str


class DestroyDepot(Action, frozen=True, tag="destroy_depot"):
    """Destroy the ungarrisoned enemy depot in the area of a counter."""

    corps: str


class ConvertDepot(Action, frozen=True, tag="convert_depot"):
    """Make that depot one's own."""

    corps: str


class Forage(Action, frozen=True, tag="forage"):
    """End the march of a corps, and let it live off the country."""

    corps: str


class AskSupply(Action, frozen=True, tag="ask_supply"):
    """Ask an ally to supply a corps from his depots, at his cost."""

    corps: str
    ally: str


class PickChit(Action, frozen=True, tag="pick_chit"):
    """Pick a chit for the field combat, unseen by the other side."""

    chit: str


FORMS: dict[type[Action], str] = {
    Reinforce: "reinforce {where} with {factors}",
    Exchange: "exchange {corps} {factors} to {to}",
    Demobilize: "demobilize {where} [{factors}] [from {source}]",
    Retire: "retire {leader}",
    Appoint: "appoint {leader} to {corps}",
    PlaceDepot: "depot {where}",
    RemoveDepot: "remove depot {where}",
    March: "march {corps} to {path}",
    ForceMarch: "force march {corps} to {path}",
    Disembark: "disembark {corps} in {area} [into {into}]",
    Detach: "detach {corps} {factors} [to {to}]",
    Absorb: "absorb {corps} {factors} [from {source}]",
    Enter: "enter {corps}",
    Leave: "leave {corps}",
    Besiege: "besiege {corps}",
    LiftSiege: "lift siege {area}",
    DestroyDepot: "destroy depot {corps}",
    ConvertDepot: "convert depot {corps}",
    Forage: "forage {corps}",
    AskSupply: "ask {ally} to supply {corps}",
    PickChit: "chit {chit}",
}
