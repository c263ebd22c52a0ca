"""Transfers between Powers: gifts of money, markers that change hands, new shared markers, and the bills of a
settlement.

Each offer is checked again when it is accepted. Offers between Powers of one seat take effect at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paxtui.games.pax import casus_belli, transaction
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board import status
from paxtui.games.pax.board.status import (
    area_state,
    controllers,
    established,
    influence_holders,
    level,
    seat_of,
    unestablished,
)
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat.colonial_combat import make_ottoman_war_due
from paxtui.games.pax.diplomacy import disputes
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import duties
from paxtui.games.pax.expansion.garrisons import has_garrison
from paxtui.games.pax.expansion.placement import check_names
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import TRADING_PHASES
from paxtui.games.pax.state.pieces import (
    CONTROL,
    FULL_CONTROL,
    INFLUENCE,
    INTEREST,
    LEVEL,
    OTTOMAN_EMPIRE,
    POSSESSION,
    PROTECTORATE,
    STATE,
    Marker,
)
from paxtui.games.pax.state.questions import MarkerOffer, MoneyOffer, Pending
from paxtui.games.pax.text.display import marker_with_article, place_name, power_name
from paxtui.games.pax.transaction import ActTable, Transaction, refuse

JOINING_PRICE = 10
"""Pounds for the Influence that becomes a Protectorate in a Codominion (COD-004)."""


def offer_money(play: Transaction, power: str, action: actions.Pay) -> None:
    """Offer pounds to another Power; Germany's gifts to Austria-Hungary arrive at once.

    Raises: Refusal.
    Rules: MOV-020, NEG-014, EVT-018 (R-MOV-06)
    """
    check_gift(play, power, action.to, action.amount)
    duties.check_spending(play, power, action.amount)
    if seat_of(play.tables, play.state, power) == seat_of(play.tables, play.state, action.to):
        transfer_money(play, power, action.to, action.amount, _gift_rules(play))
        return
    prompt = f"{play.tables.powers[power].name} offers £{action.amount}"
    transaction.put_offer(play, MoneyOffer(power, action.to, action.amount), "", prompt, "MOV-020")


def answer_money(play: Transaction, choice: Pending, offer: MoneyOffer, answer: tuple[str, ...]) -> None:
    """Accept or decline an offer of money. Raises: Refusal, if the giver can no longer pay."""
    if transaction.is_offer_accepted(choice, answer):
        check_gift(play, offer.giver, offer.to, offer.amount)
        duties.check_spending(play, offer.giver, offer.amount)
        transfer_money(play, offer.giver, offer.to, offer.amount, _gift_rules(play))


def check_gift(play: Transaction, giver: str, to: str, amount: int) -> None:
    """Check that one Power may give another money, whatever its Treasury.

    Raises: Refusal `unknown_power`, `no_treasury`, `yourself`, `gives_nobody`, `one_giver`, `amount`.
    Rules: MOV-020, SET-030, AUS-010, AUS-011 (R-MOV-06)
    """
    tables, state = play.tables, play.state
    for power in (giver, to):
        if power not in tables.powers:
            refuse("unknown_power", (), f"There is no Power {power!r}.")
        if power not in state.powers:
            refuse(
                "no_treasury",
                ("MOV-020", "SET-030"),
                f"{tables.powers[power].name} is a Minor Power without a Treasury: it cannot give or receive money.",
            )
    if giver == to:
        refuse("yourself", ("MOV-020",), "You can only give money to another Power.")
    if tables.powers[giver].seat:
        refuse("gives_nobody", ("MOV-020", "AUS-011"), f"{tables.powers[giver].name} cannot give money.")
    if tables.powers[to].seat not in ("", giver):
        refuse(
            "one_giver",
            ("MOV-020", "AUS-010"),
            f"{tables.powers[to].name} can receive money only from {tables.powers[tables.powers[to].seat].name}.",
        )
    if amount < 1:
        refuse("amount", ("MOV-020",), f"A gift is at least £1, not £{amount}.")


def _gift_rules(play: Transaction) -> tuple[str, ...]:
    return ("MOV-020",) if play.state.phase == "movement" else ("NEG-014",)


def transfer_money(play: Transaction, giver: str, to: str, amount: int, rules: tuple[str, ...]) -> None:
    """Move pounds from one Treasury to another. `rules`: the reason."""
    play.money(giver, -amount, f"gift to {play.tables.powers[to].name}", rules)
    play.money(to, amount, f"gift of {play.tables.powers[giver].name}", rules)


class Bill(NamedTuple):
    """Pounds that `payer` spends on `what` (`to` empty), or gives to `to`."""

    payer: str
    to: str
    pounds: int
    what: str
    rules: tuple[str, ...]


def pay_bills(play: Transaction, bills: Sequence[Bill]) -> None:
    """Pay all bills of a settlement; money received in it may be spent in it.

    Raises: Refusal `no_money`, or another of spending.
    Rules: NEG-014, NEG-015, STA-004, EVT-018 (R-NEG-03)
    """
    balance: dict[str, int] = {}
    for bill in bills:
        balance[bill.payer] = balance.get(bill.payer, 0) + bill.pounds
        if bill.to:
            balance[bill.to] = balance.get(bill.to, 0) - bill.pounds
    for power, due in balance.items():
        treasury = play.state.powers[power].treasury
        if due > treasury:
            refuse(
                "no_money",
                ("NEG-015", "NEG-014", "STA-004"),
                f"Together this costs {power_name(play.tables, power)} £{due}, but it has £{treasury} in the Treasury.",
                price=due,
                treasury=treasury,
            )
        if due > 0:
            duties.check_spending(play, power, due)
    left = list(bills)
    while left:
        # if possible, in an order in which each payer has already received the money
        powers = play.state.powers
        bill = next((b for b in left if b.pounds <= powers[b.payer].treasury), left[0])
        left.remove(bill)
        if bill.to:
            transfer_money(play, bill.payer, bill.to, bill.pounds, bill.rules)
        else:
            play.money(bill.payer, -bill.pounds, bill.what, bill.rules)


def offer_marker(play: Transaction, power: str, action: actions.Transfer) -> None:
    """Offer an established marker in an Area to another Power.

    Raises: Refusal.
    Rules: STA-034, STA-035, STA-036, SET-039 (R-STA-08)
    """
    marker = check_transfer(play, power, action.to, action.area)
    if seat_of(play.tables, play.state, power) == seat_of(play.tables, play.state, action.to):
        _transfer_alone(play, power, action.to, action.area, marker)
        return
    name = play.tables.areas[action.area].name
    prompt = f"{play.tables.powers[power].name} offers its {marker.marker.title()} in {name}"
    transaction.put_offer(
        play, MarkerOffer(power, action.to, action.area, marker.marker), action.area, prompt, "STA-034"
    )


def answer_transfer(play: Transaction, choice: Pending, offer: MarkerOffer, answer: tuple[str, ...]) -> None:
    """Accept or decline a marker.

    Raises: Refusal, if it can no longer change hands, or is no longer the one offered.
    """
    if not transaction.is_offer_accepted(choice, answer):
        return
    marker = check_transfer(play, offer.giver, offer.to, offer.area)
    if marker.marker != offer.marker:
        refuse(
            "changed",
            ("STA-035",),
            f"The marker is now {marker_with_article(play.tables, marker.marker)}, not the "
            f"{offer.marker.title()} that was offered.",
        )
    _transfer_alone(play, offer.giver, offer.to, offer.area, marker)


def _transfer_alone(play: Transaction, giver: str, to: str, area: str, marker: Marker) -> None:
    """Transfer a marker outside a settlement, with the disputes over the Area."""
    transfer_marker(play, giver, to, area, marker)
    casus_belli.settle_causes(play, area, ("NEG-003", "NEG-011", "STA-034"))
    if play.state.phase != "movement":
        casus_belli.create_from_markers(play, area, (to,), disputes.area_waivers(play.state, area))


def check_transfer(play: Transaction, giver: str, to: str, area: str, congress: bool = False) -> Marker:
    """Return the marker that would change hands. In a Congress of Europe a Minor Power may receive one.

    Raises: Refusal `no_marker`, `not_established`, `crown`, `minor`, `receiver_has`, `being_upgraded`, `no_piece`.
    Rules: STA-034, STA-035, STA-036, SET-039 (R-STA-08, R-NEG-05)
    """
    tables, state = play.tables, play.state
    check_names(play, area)
    name = tables.areas[area].name
    if to not in tables.powers:
        refuse("unknown_power", (), f"There is no Power {to!r}.")
    marker = established(state, area, giver)
    new = unestablished(state, area, giver)
    if marker is None:
        why = "only an established marker can be handed over" if new else "there is nothing to hand over"
        refuse(
            "not_established" if new else "no_marker",
            ("STA-034",),
            f"{power_name(tables, giver)} has no established marker in {name}: {why}.",
        )
    if tables.markers[marker.marker].only_for:
        refuse("crown", ("STA-036",), "States and Dominions cannot be handed over.")
    if to not in state.powers and not congress:
        refuse("minor", ("STA-034",), f"{tables.powers[to].name} is a Minor Power and cannot agree to a transfer.")
    if giver == to:
        refuse("yourself", ("STA-034",), "You can only hand a marker to another Power.")
    if new is not None:
        refuse(
            "being_upgraded",
            ("STA-034", "STA-028"),
            f"The marker in {name} is being upgraded and cannot be handed over now.",
        )
    receiver_markers = [m for m in area_state(state, area).markers if m.power == to]
    if receiver_markers and max(map(level, receiver_markers)) >= level(marker):
        refuse(
            "receiver_has",
            ("STA-034", "SET-082"),
            f"{tables.powers[to].name} already has an equal or higher marker in {name} and can have only one.",
        )
    pool = tables.markers[marker.marker].pool
    flips = any(tables.markers[m.marker].pool == pool for m in receiver_markers)
    if not flips and status.free_pieces(tables, state, to, pool) <= 0:
        refuse(
            "no_piece",
            ("STA-034", "SET-039"),
            f"{tables.powers[to].name} has no free {pool} piece for a {marker.marker.title()}"
            f"{status.limits_note(tables)}.",
        )
    return marker


def transfer_marker(
    play: Transaction, giver: str, to: str, area: str, marker: Marker, more: tuple[str, ...] = ()
) -> None:
    """Change the owner of a marker; armies of the giver there cannot move any more. `more`: additional rules.

    A share of a Codominion passes on; a transfer between its members reduces their number by one.

    Rules: STA-034, STA-035, COD-001, NEG-011, NEG-016 (R-STA-08, R-NEG-02, R-COD-05)
    """
    state = play.state
    shared = area_state(state, area).codominion
    moving = state.phase == "movement"
    own = ("STA-034", "STA-035") if moving else ("STA-035", "NEG-011", "NEG-016")
    rules = tuple(dict.fromkeys((*own, *more)))
    handed = events.MarkerTransferred(area=area, power=giver, to=to, marker=marker.marker, turn=state.turn, rules=rules)
    play.emit(handed, agreed=(giver, to))
    if giver in shared and to in shared:
        rest = tuple(p for p in shared if p != giver)
        play.emit(events.CodominionSet(area=area, powers=rest if len(rest) > 1 else (), rules=("COD-001", *rules)))
    if moving and marker.marker in CONTROL and has_garrison(state, area, giver):
        play.emit(events.UnitsHalted(power=giver, place=area, rules=("STA-034", "MOV-009")))
    if state.options.transfer_raises_eti:
        play.tension(1, "marker handed over", ("STA-034",), giver, area)


def possible_sharers(tables: Tables, state: State, area: str) -> tuple[str, ...]:
    """Return the Powers that could agree to share the Area: holders of Control, then of Influence; () for none.

    Rules: COD-001, COD-004, COD-013, NEG-018, NEG-019 (Decision 23)
    """
    holders = controllers(state, area)
    crown = any(m.established and LEVEL[m.marker] == LEVEL[STATE] for m in area_state(state, area).markers)
    if crown or not holders or OTTOMAN_EMPIRE in holders or any(p in state.minors for p in holders):
        return ()
    return (*holders, *(p for p in influence_holders(state, area) if p in state.powers))


def sharable_controllers(play: Transaction, area: str) -> tuple[str, ...]:
    """Return the Powers with Control of an Area that may be shared; victors may divide spoils without any.

    Raises: Refusal `no_control`, `crown`, `minor`.
    Rules: COD-001, COD-003, COD-013, NEG-012, WEN-042
    """
    here, name = area_state(play.state, area), place_name(play.tables, area)
    if any(m.established and LEVEL[m.marker] == LEVEL[STATE] for m in here.markers):
        refuse("crown", ("COD-013",), f"{name} is a State or Dominion, which cannot be shared.")
    holders = controllers(play.state, area)
    if OTTOMAN_EMPIRE in holders:
        refuse("minor", ("EVT-035",), f"{power_name(play.tables, OTTOMAN_EMPIRE)} shares {name} with no other Power.")
    if not holders and not quarrelling_victors(play.state, area):
        refuse(
            "no_control",
            ("COD-001", "COD-003", "NEG-012"),
            f"No Power has Control of {name}, so it cannot be shared.",
        )
    return holders


def quarrelling_victors(state: State, area: str) -> tuple[str, ...]:
    """Return the victors whose quarrel over an Area is before a Congress. Rules: WEN-042, CON-016 (R-WEN-08)."""
    put = state.congress.causes if state.congress else ()
    about = [c for c in state.casus_belli if (c.cause, c.area) == (casus_belli.SPOILS, area) and c.id in put]
    return tuple(dict.fromkeys(p for c in about for p in (c.holder, c.against)))


def grant_spoils(play: Transaction, area: str, power: str, kind: str, rules: tuple[str, ...]) -> None:
    """Give a victor Control of an Area over which its Alliance has quarrelled, by a Congress.

    Conflicting markers are removed without tensions, except Control of other Powers.

    Raises: Refusal as for new Control.
    Rules: WEN-041, WEN-042, WEN-055 (R-WEN-08, R-WEN-15)
    """
    place_shared_marker(play, area, power, kind, rules, True)
    for m in area_state(play.state, area).markers:
        if m.established and m.power != power and m.marker not in CONTROL:
            left = "" if kind in FULL_CONTROL else INTEREST
            if LEVEL[m.marker] > LEVEL[left]:
                play.lower(area, m.power, m.marker, left, "spoils of War", ("WEN-055", *rules), None)


def place_shared_marker(
    play: Transaction, area: str, power: str, kind: str, rules: tuple[str, ...], congress: bool
) -> str:
    """Place a new Control marker beside others, established at once, without combat, link, army or Resentment.

    Returns the Power's previous marker there, "" for none. `rules`: those of the agreement.

    Raises: Refusal `unknown_power`, `not_control`, `no_piece`.
    Rules: NEG-012, NEG-017, NEG-021, COD-003, COD-004, SET-039, CRI-006, CON-020, OTT-002 (R-NEG-04, R-NEG-07)
    """
    tables, state = play.tables, play.state
    if power not in tables.powers:
        refuse("unknown_power", (), f"There is no Power {power!r}.")
    if kind not in (PROTECTORATE, POSSESSION):
        refuse(
            "not_control",
            ("COD-003", "COD-012", "COD-013"),
            "Only Protectorates and Possessions can share an Area.",
        )
    pool = tables.markers[kind].pool
    if status.free_pieces(tables, state, power, pool) <= 0:
        refuse(
            "no_piece",
            ("SET-039",),
            f"{power_name(tables, power)} has no free {pool} piece{status.limits_note(tables)}.",
        )
    own = established(state, area, power)
    had = own.marker if own else ""
    joins = ("COD-003", "COD-004", "NEG-021") if had == INFLUENCE else ("COD-003", "NEG-012", "NEG-017")
    by = ("CRI-006", *(("CON-020",) if congress else ()), *rules)
    play.establish(area, power, kind, own, tuple(dict.fromkeys((*joins, *by))))
    if state.options.granted_control_angers_ottomans:
        make_ottoman_war_due(play, area, power)
    return had


def marker_bill(
    play: Transaction, area: str, power: str, kind: str, had: str, payer: str, rules: tuple[str, ...]
) -> Bill | None:
    """Return the price of a new Control marker: the difference to the marker the Power `had`; None for a Minor Power.

    Raises: Refusal as for a gift, if another Power pays.
    Rules: NEG-015, NEG-017, NEG-021, COD-004 (R-NEG-03, R-NEG-06, R-COD-04)
    """
    tables, state = play.tables, play.state
    joins = had == INFLUENCE and kind == PROTECTORATE
    pounds = JOINING_PRICE if joins else tables.markers[kind].price - (tables.markers[had].price if had else 0)
    what = f"{tables.markers[kind].name} in {place_name(tables, area)}"
    if payer != power:
        check_gift(play, payer, power, pounds)
        what += f" for {power_name(tables, power)}"
    elif power not in state.powers:
        return None  # a Minor Power has no Treasury
    why = ("COD-004", "NEG-021") if joins else ("NEG-015", "NEG-017")
    return Bill(payer, "", pounds, what, tuple(dict.fromkeys((*why, *rules))))


ACTS: ActTable = {
    actions.Transfer: dict.fromkeys(TRADING_PHASES, offer_marker),
    actions.Pay: dict.fromkeys(TRADING_PHASES, offer_money),
}
