"""Canals between the Caribbean Sea and the South Pacific.

Several Powers may build one together: the builder proposes shares of price and points, and all of them must agree.
"""

from __future__ import annotations

from paxtui.games.pax import transaction, visibility
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import canals
from paxtui.games.pax.board.status import area_state, established, level, seat_of
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import duties
from paxtui.games.pax.expansion.placement import check_names
from paxtui.games.pax.state.pieces import INFLUENCE, LEVEL
from paxtui.games.pax.state.questions import CanalOffer, CanalShare, Pending
from paxtui.games.pax.text.display import place_name, powers_text
from paxtui.games.pax.transaction import ActTable, Transaction, refuse

CANAL_PRICE = 30
"""Pounds for a canal (CAN-003)."""
CANAL_POINTS = 15
"""Victory Points for the first canal of the game (CAN-009)."""


def build_canal(play: Transaction, power: str, action: actions.Canal) -> None:
    """Build a canal in an Area, or propose to others to build it together.

    Raises: Refusal `no_canal_here`, `canal_there`, `unrest`, `no_influence`, `no_money`, or those of a division.
    Rules: CAN-001, CAN-002, CAN-003, CAN-009, CAN-011 (R-CAN-03, Decision 16)
    """
    check_site(play, power, action.area)
    points = 0 if canals(play.state) else CANAL_POINTS
    if not (action.also or action.costs or action.points):
        open_canal(play, action.area, (CanalShare(power, CANAL_PRICE, points),))
        return
    shares = divide_shares(play, power, action, points)
    check_shares(play, shares)
    own_seat = seat_of(play.tables, play.state, power)
    others = [s for s in shares if seat_of(play.tables, play.state, s.power) != own_seat]
    if not others:
        open_canal(play, action.area, shares)
        return
    _propose_canal(play, action.area, shares, others)


def check_site(play: Transaction, power: str, site: str) -> None:
    """Check that `power` may build a canal in the Area.

    Raises: Refusal `no_canal_here`, `canal_there`, `unrest`, `no_influence`.
    Rules: CAN-001, CAN-002, CAN-004, CAN-014
    """
    check_names(play, site)
    area = play.tables.areas[site]
    here = area_state(play.state, site)
    if area.passage != "canal":
        places = [a.name for a in play.tables.areas.values() if a.passage == "canal"]
        refuse("no_canal_here", ("CAN-001",), f"A canal can only be built in {' or '.join(places)}.")
    if here.canal:
        refuse("canal_there", ("CAN-014",), f"{area.name} already has its canal.")
    if here.unrest:
        refuse("unrest", ("CAN-004",), f"{area.name} is in Unrest, so no canal can be built there this turn.")
    if level(established(play.state, site, power)) < LEVEL[INFLUENCE]:
        refuse(
            "no_influence",
            ("CAN-002",),
            f"A canal builder needs an established Influence or Control marker in {area.name} itself.",
        )


def open_canal(play: Transaction, site: str, shares: tuple[CanalShare, ...]) -> None:
    """Open the canal at once and permanently; the first of the game scores its points at once.

    Raises: Refusal `no_money`.
    Rules: CAN-003, CAN-006, CAN-009, CAN-010, CAN-011, CAN-013 (Decision 14)
    """
    name = play.tables.areas[site].name
    check_shares(play, shares)
    joint = ("CAN-011",) if len(shares) > 1 else ()
    for share in shares:
        if share.pounds:
            play.money(share.power, -share.pounds, f"canal in {name}", ("CAN-003", *joint))
    play.emit(events.CanalBuilt(area=site, power=shares[0].power, rules=("CAN-001", "CAN-002", "CAN-006", *joint)))
    for share in shares:
        if share.points:
            why = ("CAN-009", "CAN-013", *joint)
            play.victory_points(share.power, share.points, f"first canal, in {name}", why, bonus=True)


def divide_shares(play: Transaction, power: str, action: actions.Canal, points: int) -> tuple[CanalShare, ...]:
    """Return the shares of the price and the `points` in a proposal.

    Raises: Refusal `unknown_power`, `minor`, `twice`, `bad_division`.
    Rules: CAN-011 (Decision 16)
    """
    tables, powers = play.tables, (power, *action.also)
    for other in action.also:
        if other not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {other!r}.")
        if other not in play.state.powers:
            refuse(
                "minor", ("CAN-011",), f"{tables.powers[other].name} is a Minor Power and cannot help to build a canal."
            )
    if len(set(powers)) < len(powers) or not action.also:
        refuse("twice", ("CAN-011",), "Name each other builder once, and not the first builder.")
    gains = action.points or (() if points else (0,) * len(powers))
    right = (len(action.costs), len(gains)) == (len(powers), len(powers)) and min(*action.costs, *gains) >= 0
    if not right or sum(action.costs) != CANAL_PRICE or sum(gains) != points:
        what = f" and {points} Victory Points" if points else " (only the first canal brings Victory Points)"
        refuse(
            "bad_division",
            ("CAN-011", "CAN-003", "CAN-009" if points else "CAN-010"),
            f"The builders divide £{CANAL_PRICE}{what} in whole numbers. Give one number for each builder, in the "
            "order of their names.",
            pounds=CANAL_PRICE,
            points=points,
        )
    return tuple(CanalShare(*row) for row in zip(powers, action.costs, gains, strict=True))


def check_shares(play: Transaction, shares: tuple[CanalShare, ...]) -> None:
    """Check that each builder can pay its share. Raises: Refusal `no_money`, or another of spending."""
    for share in shares:
        if share.pounds:
            duties.check_spending(play, share.power, share.pounds)


def _propose_canal(play: Transaction, site: str, shares: tuple[CanalShare, ...], others: list[CanalShare]) -> None:
    members, proposer = tuple(s.power for s in shares), shares[0].power
    proposal = visibility.private_id("p", play.state.turn, site, members, shares, proposer)
    offer = CanalOffer(site, members, proposal, proposer, shares)
    if transaction.open_questions(play, offer):
        refuse("offered", ("CAN-011",), "The same proposal is already waiting for answers.")
    together = f"{powers_text(play.tables, members)} build a canal in {place_name(play.tables, site)} together"
    for share in others:
        own = f"{together}: £{share.pounds} and {share.points} Victory Points of it are yours"
        play.offer(share.power, offer, transaction.OFFER_ANSWERS, transaction.DECLINE, site, own, ("CAN-011",))


def answer_canal(play: Transaction, choice: Pending, offer: CanalOffer, answer: tuple[str, ...]) -> None:
    """Accept or reject a joint canal: the last agreement builds it, one refusal ends the proposal.

    Raises: Refusal, if it can no longer be built like that.
    Rules: CAN-011 (Decision 16)
    """
    if not transaction.is_offer_accepted(choice, answer):
        transaction.void_proposal(play, offer)
        return
    shares = offer.shares
    check_site(play, shares[0].power, choice.area)
    points = 0 if canals(play.state) else CANAL_POINTS
    if sum(s.points for s in shares) != points:
        refuse("changed", ("CAN-010", "CAN-011"), "Another canal was the first of the game: this one brings no points.")
    check_shares(play, shares)
    if not transaction.open_questions(play, offer):
        open_canal(play, choice.area, shares)


ACTS: ActTable = {actions.Canal: {"movement": build_canal}}
