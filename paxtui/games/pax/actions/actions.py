"""Actions: one frozen struct for each thing that a seat or the arbiter may ask for.

Each action has one text in the notation (`paxtui.games.pax.actions.notation`) and one JSON object, told apart by
`type`, in the protocol and the log. `power` is the acting Power; "" means the seat's own. The type of a field says what
it names (`paxtui.games.pax.actions.structured`).

Rules: PBM-001
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Annotated

import msgspec

from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Raw
from paxtui.games.pax.events.encoding import type_tag
from paxtui.games.pax.state.diplomacy import TREATY, Clause
from paxtui.games.pax.text.parsing import WordReader


class FieldKind(Enum):
    """Kind of object that a field names."""

    AREA = auto()
    MARKER = auto()
    PARTY = auto()
    PASSAGE = auto()
    PATH = auto()
    PLACE = auto()
    POWER = auto()
    START = auto()
    UNITS = auto()
    ZONE = auto()
    POUNDS = auto()


AreaId = Annotated[str, FieldKind.AREA]
MarkerId = Annotated[str, FieldKind.MARKER]
"""A kind of Status marker, in the `area` of the same action."""
PartyId = Annotated[str, FieldKind.PARTY]
"""A Power, or the Ottoman Empire."""
PassageId = Annotated[str, FieldKind.PASSAGE]
PlacePath = Annotated[tuple[str, ...], FieldKind.PATH]
"""Places from start to end; `home` is the Home Country of the `power` of the same action."""
PlaceId = Annotated[str, FieldKind.PLACE]
"""An Area, a Sea Zone or a Home Country."""
PowerId = Annotated[str, FieldKind.POWER]
FleetStart = Annotated[str, FieldKind.START]
"""A Sea Zone, or "new"."""
UnitNames = Annotated[tuple[str, ...], FieldKind.UNITS]
ZoneId = Annotated[str, FieldKind.ZONE]
Pounds = Annotated[int, FieldKind.POUNDS]


class Action(
    msgspec.Struct, frozen=True, tag_field="type", tag=type_tag, omit_defaults=True, forbid_unknown_fields=True
):
    """Base of all actions."""


class DeclareWar(Action, frozen=True):
    """Declare War on one or several Powers, over the Casus Belli named (`declare war germany russia over cb3`).

    `beside` is a Power of the Alliance to join, if there are several (`declare war russia beside italy`).
    """

    on: tuple[PartyId, ...]
    over: tuple[str, ...] = ()
    power: PartyId = ""
    beside: PartyId = ""


class JoinWar(Action, frozen=True):
    """Join the side of a Power where the rules require no Casus Belli (`join ottoman_empire`)."""

    side: PartyId
    power: PartyId = ""


class InviteAid(Action, frozen=True):
    """Ask Powers for aid against the Ottoman Empire (`invite france italy`)."""

    guests: tuple[PowerId, ...]
    power: PartyId = ""


class Volunteer(Action, frozen=True):
    """Volunteer an own Area to an Alliance for coaling, for the whole War (`volunteer aden to japan`)."""

    area: AreaId
    to: PowerId
    power: PartyId = ""


class Deny(Action, frozen=True):
    """Deny a Power a passage: suez, straits, panama or central_america (`deny suez to france`)."""

    passage: PassageId
    to: PowerId
    power: PartyId = ""


class Allow(Action, frozen=True):
    """Stop denying a Power a passage (`allow suez to france`)."""

    passage: PassageId
    to: PowerId
    power: PartyId = ""


class Attack(Action, frozen=True):
    """Attack the enemy's Units in a place, fleets (`naval`) or armies (`attack manchuria`, `attack manchuria naval`).

    At sea only fleets can attack.
    """

    place: PlaceId
    naval: bool = False
    power: PartyId = ""


class AnnounceEnd(Action, frozen=True):
    """Announce the end of a War in which the remaining forces cannot reach each other (`announce end`)."""

    power: PartyId = ""


class Pass(Action, frozen=True):
    """Pass in this Phase of the War, for the whole seat (`pass`)."""


class Abandon(Action, frozen=True):
    """Arbiter: mark seats as abandoned, so that their Powers follow the General Orders (`abandon france`), or, with
    `lifted`, as played again (`resume france`).
    """

    seats: tuple[PowerId, ...]
    lifted: bool = False


AnyWarAction = DeclareWar | JoinWar | InviteAid | Volunteer | Deny | Allow | Attack | AnnounceEnd | Pass | Abandon


CURRENT_STOP = "here"


class SubmittedForm(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The form of a seat for one stop of a mail game.

    Attributes:
        seat: id of the seat.
        text: unchanged text of the form.
        missed: whether the seat sent none and the substitute bot wrote this one.
        signature: signature of its letter by the key of the seat, in hexadecimal; "" if forms are not signed.
    """

    seat: str
    text: str
    missed: bool = False
    signature: str = ""


class Adjudicate(Action, frozen=True):
    """Arbiter: carry out the forms of a stop of a mail game, and play to the next (`adjudicate [SHEETS]`).

    `sheets` are JSON in the notation. A seat without a form gives no orders. With `begins` (`adjudicate here`) a game
    continues by mail at its present position.
    """

    sheets: tuple[SubmittedForm, ...] = ()
    begins: bool = False


def parse_adjudicate(verb: str, words: WordReader) -> Adjudicate:
    """Parse `adjudicate [{"seat": ..., "text": ...}, ...]`.

    Raises:
        Refusal: `notation`.
    """
    at = words.first
    text, _ = words.rest()
    if text.strip().casefold() == CURRENT_STOP:
        return Adjudicate(begins=True)
    try:
        return Adjudicate(msgspec.json.decode(text.encode("utf-8", "replace"), type=tuple[SubmittedForm, ...]))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refusal("notation", (), f"Word {at}: forms in JSON are expected here ({error}).", position=at) from None


def format_adjudicate(action: Adjudicate) -> str:
    """Return the action in the notation."""
    return (
        f"adjudicate {CURRENT_STOP}" if action.begins else "adjudicate " + msgspec.json.encode(action.sheets).decode()
    )


class Place(Action, frozen=True):
    """Buy a Status marker and place it, over a lower one of the Power if there is one (`place protectorate egypt`)."""

    marker: MarkerId
    area: AreaId
    power: PartyId = ""


class Upgrade(Action, frozen=True):
    """Raise the Power's Status marker to `marker`, paying the difference (`upgrade possession cuba`)."""

    marker: MarkerId
    area: AreaId
    power: PartyId = ""


class Downgrade(Action, frozen=True):
    """Lower the Power's Status marker to `marker` without refund (`downgrade interest siam`)."""

    marker: MarkerId
    area: AreaId
    power: PartyId = ""


class Withdraw(Action, frozen=True):
    """Take the Power's Status marker of kind `marker` off the map (`withdraw influence persia`)."""

    marker: MarkerId
    area: AreaId
    power: PartyId = ""


class Transfer(Action, frozen=True):
    """Offer the Power's established marker in `area` to another Power (`transfer tunis to italy`)."""

    area: AreaId
    to: PowerId
    power: PartyId = ""


class Build(Action, frozen=True):
    """Buy Military Units, named A10 A3 N1; Naval Units go into the home box `box` (`build N10 baltic`)."""

    units: UnitNames
    box: ZoneId = ""
    power: PartyId = ""


class Move(Action, frozen=True):
    """Move units along `path`: places from start to end, or just the two ends (`move A3 A1 home > egypt`).

    `coast` is the Sea Zone side of an Area, or the home box, where a Naval Unit ends; `start_coast`, in War, the one
    where it lies (`move N3 egypt:mediterranean > egypt:indian_ocean`).
    """

    units: UnitNames
    path: PlacePath
    coast: ZoneId = ""
    power: PartyId = ""
    start_coast: ZoneId = ""


class Merchant(Action, frozen=True):
    """Move a Merchant Fleet, or take one due from the track with `start` "new" (`merchant new > caribbean`)."""

    start: FleetStart
    to: ZoneId
    power: PartyId = ""


class Canal(Action, frozen=True):
    """Build a Caribbean-South Pacific canal in `area` (`canal panama`).

    With the Powers `also` it is built together: `costs` in pounds and `points`, the builder's first
    (`canal panama with france 15/15 points 8/7`).
    """

    area: AreaId
    power: PartyId = ""
    also: tuple[PowerId, ...] = ()
    costs: tuple[int, ...] = ()
    points: tuple[int, ...] = ()


class Pay(Action, frozen=True):
    """Offer `amount` pounds to another Power (`pay france 20`)."""

    to: PowerId
    amount: Pounds
    power: PartyId = ""


class Garrison(Action, frozen=True):
    """Move armies automatically so that every Area that can be garrisoned is (`garrison`)."""

    power: PartyId = ""


class Fight(Action, frozen=True):
    """Attack the Area's Combat Strength in Colonial Combat (`fight manchuria`)."""

    area: AreaId
    power: PartyId = ""


class Decline(Action, frozen=True):
    """Do not attack in Colonial Combat (`decline manchuria`)."""

    area: AreaId
    power: PartyId = ""


class Choose(Action, frozen=True):
    """Answer a pending choice (`choose c12 A3 A1`); `answer` holds the texts of the chosen options."""

    id: str
    answer: tuple[str, ...]


class Codominion(Action, frozen=True):
    """Propose that all Powers with Control in `area`, and the Influence holders `also`, share it (`codominion
    tunis`).
    """

    area: AreaId
    also: tuple[PowerId, ...] = ()
    power: PartyId = ""


class Waive(Action, frozen=True):
    """Give up a Casus Belli (`waive cb4`)."""

    id: str


class Defend(Action, frozen=True):
    """Announce that a Minor Power's Influence in `area` is defended: a Congress must meet (`defend belgium kongo`)."""

    minor: PowerId
    area: AreaId
    power: PartyId = ""


class Draft(Action, frozen=True):
    """Draft and sign an agreement and offer it to `parties` (`treaty Trianon with france: pay france 10`).

    `form` is "treaty", "settlement" or "congress". `instead` is the id of a draft that this one amends.
    """

    name: str
    parties: tuple[str, ...]
    clauses: tuple[Clause, ...]
    form: str = TREATY
    public: bool = False
    instead: str = ""
    power: PartyId = ""


class CallCongress(Action, frozen=True):
    """Call a Congress of Europe to `site` (`congress france over cb1`).

    `over` names the Casus Belli behind the call; the Congress discusses all open ones.
    """

    site: PowerId
    over: tuple[str, ...] = ()
    power: PartyId = ""


class Sign(Action, frozen=True):
    """Sign a draft (`sign kq7d`)."""

    id: str
    power: PartyId = ""


class Reject(Action, frozen=True):
    """Reject a draft, or withdraw one's own that is not in force yet (`reject kq7d`)."""

    id: str
    power: PartyId = ""


class Reveal(Action, frozen=True):
    """Make a secret Treaty, or its secret articles, public (`reveal kq7d`, `reveal kq7d 2` for one article)."""

    id: str
    article: int = 0
    power: PartyId = ""


class Lapse(Action, frozen=True):
    """Agree to end a Treaty; it ends when all its parties agree (`lapse kq7d`)."""

    id: str
    power: PartyId = ""


class Release(Action, frozen=True):
    """Agree that a party leaves a Treaty (`release kq7d italy`); the party's own action asks for it."""

    id: str
    who: PowerId
    power: PartyId = ""


class Renounce(Action, frozen=True):
    """Leave a Treaty without the other parties' leave, which breaks it (`renounce kq7d`)."""

    id: str
    power: PartyId = ""


class Charge(Action, frozen=True):
    """Charge another party with breaking article `article` (from 1) of a Treaty (`charge kq7d 2 germany`)."""

    id: str
    article: int
    against: PowerId
    power: PartyId = ""


class Judge(Action, frozen=True):
    """Give a verdict on a charge (`judge kq7d 2 germany guilty`, `... innocent`)."""

    id: str
    article: int
    against: PowerId
    guilty: bool
    power: PartyId = ""


class Ready(Action, frozen=True):
    """Report that the seat has finished this Phase (`ready`)."""


class Unready(Action, frozen=True):
    """Clear the own ready flag (`unready`)."""


class Advance(Action, frozen=True):
    """Arbiter: play the automatic parts until play waits for a seat; `force` takes all defaults first (`advance!`)."""

    force: bool = False


class Step(Action, frozen=True):
    """Arbiter: take the defaults, mark every seat ready and play to the end of the current Phase (`step`)."""


class SetPosition(Action, frozen=True):
    """Arbiter: replace the position by the 1880 start with `patch` applied (test positions, puzzles)."""

    patch: Raw


AnyAction = (
    Place
    | Upgrade
    | Downgrade
    | Withdraw
    | Transfer
    | Build
    | Move
    | Merchant
    | Canal
    | Pay
    | Garrison
    | Fight
    | Decline
    | Choose
    | Codominion
    | Waive
    | Defend
    | Draft
    | CallCongress
    | Sign
    | Reject
    | Reveal
    | Lapse
    | Release
    | Renounce
    | Charge
    | Judge
    | Ready
    | Unready
    | Advance
    | Step
    | SetPosition
    | Adjudicate
    | AnyWarAction
)
