"""What a seat may ask in War, or on the way to it."""

from __future__ import annotations

from paxtui.pax.orders.action import Action, AreaId, PartyId, PassageId, PlaceId, PowerId


class DeclareWar(Action, frozen=True):
    """Declare War on one or several Powers, over the Casus Belli named (`declare war germany russia over cb3`).

    `beside`: a power of the alliance to join, in a war with several to choose from (`declare war russia beside italy`).
    """

    on: tuple[PartyId, ...]
    over: tuple[str, ...] = ()
    power: PartyId = ""
    beside: PartyId = ""


class JoinWar(Action, frozen=True):
    """Come to the side of a Power where the rules let one without a Casus Belli (`join ottoman_empire`)."""

    side: PartyId
    power: PartyId = ""


class InviteAid(Action, frozen=True):
    """Ask Powers for aid against the Ottoman Empire (`invite france italy`)."""

    guests: tuple[PowerId, ...]
    power: PartyId = ""


class Volunteer(Action, frozen=True):
    """Volunteer an Area of one's own to an Alliance for coaling, for the whole War (`volunteer aden to japan`)."""

    area: AreaId
    to: PowerId
    power: PartyId = ""


class Deny(Action, frozen=True):
    """Deny a Power a passage: suez, straits, panama or central_america (`deny suez to france`)."""

    passage: PassageId
    to: PowerId
    power: PartyId = ""


class Allow(Action, frozen=True):
    """Deny a Power a passage no longer (`allow suez to france`)."""

    passage: PassageId
    to: PowerId
    power: PartyId = ""


class Attack(Action, frozen=True):
    """Attack the enemy's Units in a place, fleets (`naval`) or armies (`attack manchuria`, `attack manchuria naval`).

    At sea only fleets fight.
    """

    place: PlaceId
    naval: bool = False
    power: PartyId = ""


class AnnounceEnd(Action, frozen=True):
    """Announce the end of a War in which the forces left cannot get at each other (`announce end`)."""

    power: PartyId = ""


class Pass(Action, frozen=True):
    """Nothing more to do in this Phase of the War, for the whole seat (`pass`)."""


class Abandon(Action, frozen=True):
    """Arbiter: nobody plays these seats any more, so that their Powers follow the General Orders (`abandon france`);
    or somebody does again, where it is `lifted` (`resume france`)."""

    seats: tuple[PowerId, ...]
    lifted: bool = False


AnyWarAction = DeclareWar | JoinWar | InviteAid | Volunteer | Deny | Allow | Attack | AnnounceEnd | Pass | Abandon
