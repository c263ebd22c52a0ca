"""Canals between the Caribbean Sea and the South Pacific.

Several may build one together: whoever builds proposes how they divide price and points, all of them must agree.

Rules: CAN-001 to CAN-004, CAN-006, CAN-009 to CAN-011, CAN-013, CAN-014 (Decision 16)
"""

from __future__ import annotations

from paxtui.pax.board.neighbours import canals
from paxtui.pax.board.status import at, established, level, seat_of
from paxtui.pax.expansion import duties
from paxtui.pax.expansion.placement import check_words
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import offers, secrecy
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.pieces import INFLUENCE, LEVEL
from paxtui.pax.state.questions import CanalOffer, Pending, Share
from paxtui.pax.words.spoken import place_name, powers_named

PRICE = 30
"""Pounds for a canal (CAN-003)."""
POINTS = 15
"""Victory Points for the first canal of the game (CAN-009)."""


def build(play: Play, power: str, action: ac.Canal) -> None:
    """Build a canal in an Area, or propose to others to build it together.

    Raises: Refusal `no_canal_here`, `canal_there`, `unrest`, `no_influence`, `no_money`, or those of a division.
    Rules: CAN-001, CAN-002, CAN-003, CAN-009, CAN-011 (R-CAN-03, Decision 16)
    """
    check_site(play, power, action.area)
    points = 0 if canals(play.state) else POINTS
    if not (action.also or action.costs or action.points):
        open_canal(play, action.area, (Share(power, PRICE, points),))
        return
    shares = divided(play, power, action, points)
    check_shares(play, shares)
    own_seat = seat_of(play.tables, play.state, power)
    asked = [s for s in shares if seat_of(play.tables, play.state, s.power) != own_seat]
    if not asked:
        open_canal(play, action.area, shares)
        return
    _propose(play, action.area, shares, asked)


def check_site(play: Play, power: str, site: str) -> None:
    """Whether `power` may build a canal in the Area.

    Raises: Refusal `no_canal_here`, `canal_there`, `unrest`, `no_influence`.
    Rules: CAN-001, CAN-002, CAN-004, CAN-014
    """
    check_words(play, site)
    area = play.tables.areas[site]
    here = at(play.state, site)
    if area.passage != "canal":
        places = [a.name for a in play.tables.areas.values() if a.passage == "canal"]
        refuse("no_canal_here", ("CAN-001",), f"A canal can be built in {' or '.join(places)} only.")
    if here.canal:
        refuse("canal_there", ("CAN-014",), f"{area.name} has its canal already.")
    if here.unrest:
        refuse("unrest", ("CAN-004",), f"{area.name} is in Unrest: no canal can be built there this turn.")
    if level(established(play.state, site, power)) < LEVEL[INFLUENCE]:
        refuse(
            "no_influence",
            ("CAN-002",),
            f"Whoever builds a canal needs an established Influence or Control marker in {area.name} itself.",
        )


def open_canal(play: Play, site: str, shares: tuple[Share, ...]) -> None:
    """The canal is there at once and for ever; the first of the game brings its points at once.

    Raises: Refusal `no_money`.
    Rules: CAN-003, CAN-006, CAN-009, CAN-010, CAN-011, CAN-013 (Decision 14)
    """
    name = play.tables.areas[site].name
    check_shares(play, shares)
    joint = ("CAN-011",) if len(shares) > 1 else ()
    for share in shares:
        if share.pounds:
            play.money(share.power, -share.pounds, f"canal in {name}", ("CAN-003", *joint))
    play.emit(ev.CanalBuilt(area=site, power=shares[0].power, rules=("CAN-001", "CAN-002", "CAN-006", *joint)))
    for share in shares:
        if share.points:
            why = ("CAN-009", "CAN-013", *joint)
            play.victory_points(share.power, share.points, f"first canal, in {name}", why, bonus=True)


# --- together -------------------------------------------------------------------------------------------------------


def divided(play: Play, power: str, action: ac.Canal, points: int) -> tuple[Share, ...]:
    """The shares that a proposal divides the price and the `points` of the canal into.

    Raises: Refusal `unknown_power`, `minor`, `twice`, `bad_division`.
    Rules: CAN-011 (Decision 16)
    """
    tables, powers = play.tables, (power, *action.also)
    for other in action.also:
        if other not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {other!r}.")
        if other not in play.state.powers:
            refuse("minor", ("CAN-011",), f"{tables.powers[other].name} is a Minor Power and builds with nobody.")
    if len(set(powers)) < len(powers) or not action.also:
        refuse("twice", ("CAN-011",), "Whoever builds together with the builder is named, each Power once.")
    gains = action.points or (() if points else (0,) * len(powers))
    right = (len(action.costs), len(gains)) == (len(powers), len(powers)) and min(*action.costs, *gains) >= 0
    if not right or sum(action.costs) != PRICE or sum(gains) != points:
        what = f"its {points} Victory Points" if points else "no Victory Points, since it is not the first of the game"
        refuse(
            "bad_division",
            ("CAN-011", "CAN-003", "CAN-009" if points else "CAN-010"),
            f"The builders divide its £{PRICE} and {what} in whole numbers, one for each of them in the order in which "
            f"they are named.",
            pounds=PRICE,
            points=points,
        )
    return tuple(Share(*row) for row in zip(powers, action.costs, gains, strict=True))


def check_shares(play: Play, shares: tuple[Share, ...]) -> None:
    """Whether every builder can pay his share. Raises: Refusal `no_money`, or another of spending."""
    for share in shares:
        if share.pounds:
            duties.check_spending(play, share.power, share.pounds)


def _propose(play: Play, site: str, shares: tuple[Share, ...], asked: list[Share]) -> None:
    """Ask everybody who is to build with the first of the shares.

    Raises: Refusal `offered`.
    Rules: CAN-011
    """
    members, proposer = tuple(s.power for s in shares), shares[0].power
    proposal = secrecy.private_id("p", play.state.turn, site, members, shares, proposer)
    offer = CanalOffer(site, members, proposal, proposer, shares)
    if offers.rest_of(play, offer):
        refuse("offered", ("CAN-011",), "This very proposal waits for its answers already.")
    together = f"{powers_named(play.tables, members)} build a canal in {place_name(play.tables, site)} together"
    for share in asked:
        own = f"{together}: £{share.pounds} and {share.points} Victory Points of it are yours"
        play.offer(share.power, offer, offers.ANSWERS, offers.DECLINE, site, own, ("CAN-011",))


def answer_canal(play: Play, choice: Pending, offer: CanalOffer, answer: tuple[str, ...]) -> None:
    """Agree to build together or not: with the last agreement the canal is built, one refusal ends the proposal.

    Raises: Refusal, when it can no longer be built like that.
    Rules: CAN-011 (Decision 16)
    """
    if not offers.accepted(choice, answer):
        offers.void_rest(play, offer)
        return
    shares = offer.shares
    check_site(play, shares[0].power, choice.area)
    points = 0 if canals(play.state) else POINTS
    if sum(s.points for s in shares) != points:
        refuse("changed", ("CAN-010", "CAN-011"), "Another canal was the first of the game: this one brings no points.")
    check_shares(play, shares)
    if not offers.rest_of(play, offer):
        open_canal(play, choice.area, shares)
