"""What a seat may ask. One frozen struct an action; `power` is the Power acting ("" means the seat's own).

Every action has one text in the notation (`paxtui.pax.orders.notation`), and the same shape as JSON in the protocol
and the log, told apart by `type`.
"""

from __future__ import annotations

from paxtui.engine.upcast import Raw
from paxtui.pax.orders.action import Action as Action
from paxtui.pax.orders.action import AreaId, FleetStart, MarkerId, PartyId, Path, Pounds, PowerId, Units, ZoneId
from paxtui.pax.orders.postal_actions import Adjudicate as Adjudicate
from paxtui.pax.orders.postal_actions import Sheet as Sheet
from paxtui.pax.orders.war_actions import *  # noqa: F403
from paxtui.pax.orders.war_actions import AnyWarAction
from paxtui.pax.state.treaty import TREATY, Clause


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

    units: Units
    box: ZoneId = ""
    power: PartyId = ""


class Move(Action, frozen=True):
    """Move units along `path`: places from start to end, or just the two ends (`move A3 A1 home > egypt`).

    `coast` is the Sea Zone side of an Area, or the home box, where a Naval Unit ends; `start_coast`, in War, the one
    where it lies (`move N3 egypt:mediterranean > egypt:indian_ocean`).
    """

    units: Units
    path: Path
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
    """Move armies so that every Area that can be garrisoned is, by the automatic fix (`garrison`)."""

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
    """Answer a pending choice (`choose c12 A3 A1`); `answer` holds the texts of the options named."""

    id: str
    answer: tuple[str, ...]


class Codominion(Action, frozen=True):
    """Propose that all who hold Control in `area`, and the Influence holders `also`, share it (`codominion tunis`)."""

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
    """Draft an agreement and offer it to `parties`; drafting signs it (`treaty Trianon with france: pay france 10`).

    `form`: "treaty", "settlement" or "congress". `instead`: id of a draft that this one answers with changes.
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

    `over` says for the sake of which Casus Belli; whatever is open comes before it all the same.
    """

    site: PowerId
    over: tuple[str, ...] = ()
    power: PartyId = ""


class Sign(Action, frozen=True):
    """Sign a draft (`sign kq7d`)."""

    id: str
    power: PartyId = ""


class Reject(Action, frozen=True):
    """Turn a draft down, or take back one's own that is not in force yet (`reject kq7d`)."""

    id: str
    power: PartyId = ""


class Reveal(Action, frozen=True):
    """Make a secret Treaty, or its secret articles, public (`reveal kq7d`, `reveal kq7d 2` for one article)."""

    id: str
    article: int = 0
    power: PartyId = ""


class Lapse(Action, frozen=True):
    """Agree that a Treaty ends; it does when all its parties agree (`lapse kq7d`)."""

    id: str
    power: PartyId = ""


class Release(Action, frozen=True):
    """Agree that a party leaves a Treaty (`release kq7d italy`); one's own name asks for it."""

    id: str
    who: PowerId
    power: PartyId = ""


class Renounce(Action, frozen=True):
    """Leave a Treaty without the others' leave: that breaks it (`renounce kq7d`)."""

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
    """Nothing more to do in this Phase (`ready`)."""


class Unready(Action, frozen=True):
    """Take one's ready flag back (`unready`)."""


class Advance(Action, frozen=True):
    """Arbiter: play what is automatic until somebody is waited for; `force` takes every default first (`advance!`)."""

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
