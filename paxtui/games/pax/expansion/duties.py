"""Duties to spend: forced expenditure, the cap of an event, lost garrisons to rebuild, King Leopold's demand.

All spending of the Movement/Status Change Phase calls `check_spending` before it pays.
"""

from __future__ import annotations

import msgspec

from paxtui.games.pax.board import status
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import RandomEvent, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import placement
from paxtui.games.pax.expansion.garrisons import HEAVY, INDIAN, KEPT_ARMIES, WESTERN, india_zone, is_heavy, western_zone
from paxtui.games.pax.state.model import State, at_phase_start, units_at
from paxtui.games.pax.state.pieces import ARMY, NAVAL, POSSESSION, PROTECTORATE, home_place
from paxtui.games.pax.text.display import power_name
from paxtui.games.pax.transaction import Transaction, refuse


class Rebuilding(msgspec.Struct, frozen=True):
    """A special garrison that has lost units: `missing` Armies (10); `rule` of the catalogue."""

    what: str
    missing: int
    rule: str


def forcing_event(tables: Tables, state: State, power: str) -> RandomEvent | None:
    """Return the event of this turn that forces the Power to spend on units (EVT-022)."""
    for dice in state.events:
        event = tables.events[dice]
        if event.spend_at_least and event.power == power and power in state.powers:
            return event
    return None


def outstanding_pounds(tables: Tables, state: State, power: str) -> int:
    """Return the pounds that the Power still has to spend on units, 0 outside the Movement/Status Change Phase.

    Maintenance and new units of the required kind count. The duty lapses when no piece is free; it does not depend on
    the Treasury.

    Rules: EVT-017, EVT-018, EVT-022, EVT-023, EVT-063
    """
    event = forcing_event(tables, state, power)
    if event is None or state.phase != "movement":
        return 0
    p = state.powers[power]
    spent = p.spent_on_naval if event.spend_on == NAVAL else p.spent_on_units
    due = event.spend_at_least - p.upkeep - spent
    return due if due > 0 and cheapest_unit_price(tables, state, power) else 0


def cheapest_unit_price(tables: Tables, state: State, power: str) -> int:
    """Return the price in pounds of the cheapest Military Unit with a free piece, 0 if there is none."""
    prices = [
        min(cost.army, cost.naval)
        for strength, cost in tables.units.items()
        if status.free_pieces(tables, state, power, str(strength)) > 0
    ]
    return min(prices, default=0)


def counted_pounds(tables: Tables, state: State, power: str, pounds: int, tens: int) -> int:
    """Return the pounds of a purchase of units that count towards a duty or against a cap.

    `pounds`: its whole price; `tens`: Armies (10) in it. Units that rebuild the Indian Army count nothing under an
    event that excludes the Indian Army.

    Rules: EVT-043, EVT-063
    """
    event = forcing_event(tables, state, power)
    due = required_rebuilding(tables, state, power)
    if event is None or not event.spend_except or due is None:
        return pounds
    return pounds - min(tens, due.missing) * tables.units[HEAVY].army


def naval_blame(play: Transaction, power: str) -> str:
    """Return the Power to blame for the tension of a new Naval Unit: the buyer, or "" for a required one.

    Rules: EVT-025, ETI-009
    """
    event = forcing_event(play.tables, play.state, power)
    required = event is not None and event.spend_on == NAVAL and outstanding_pounds(play.tables, play.state, power) > 0
    return "" if required else power


def spending_cap(tables: Tables, state: State, power: str) -> int | None:
    """Return the pounds that an event of this turn still lets the Power spend on units; None for no limit.

    Rules: EVT-045
    """
    limits = [
        tables.events[d].units_at_most
        for d in state.events
        if tables.events[d].power == power and tables.events[d].units_at_most >= 0
    ]
    return max(0, min(limits) - state.powers[power].spent_on_units) if limits else None


def check_purse(play: Transaction, power: str, pounds: int) -> None:
    """Check that the Treasury holds `pounds`. Raises: Refusal `no_money`. Rules: STA-004."""
    treasury = play.state.powers[power].treasury
    if pounds > treasury:
        refuse(
            "no_money",
            ("STA-004",),
            f"That costs £{pounds}; {play.tables.powers[power].name} has £{treasury} in the Treasury.",
            price=pounds,
            treasury=treasury,
        )


def check_spending(play: Transaction, power: str, pounds: int, counts: str = "", tens: int = 0) -> None:
    """Check that the Power may spend `pounds` now.

    `counts`: "army" or "naval" for a purchase of such units, "control" for a Protectorate or Possession, "" for
    anything else; `tens`: Armies (10) in the purchase.

    Raises: Refusal `no_money`, `cap`, `rebuild_first`, `duty_first`, `leopold_first`.
    Rules: STA-004, EVT-018, EVT-045, STA-046, STA-049, BEL-012
    """
    tables, state = play.tables, play.state
    check_purse(play, power, pounds)
    if state.phase != "movement":
        return
    if counts in (ARMY, NAVAL):
        _check_cap(tables, state, power, pounds)
    _check_rebuilding(tables, state, power, tens)
    _check_forced(tables, state, power, pounds, counts)
    if counts != "control":
        _check_leopold(tables, state, power, pounds)


def _check_cap(tables: Tables, state: State, power: str, pounds: int) -> None:
    left = spending_cap(tables, state, power)
    if left is not None and pounds > left:
        refuse(
            "cap",
            ("EVT-045", "EVT-007"),
            f"An event of this turn allows {tables.powers[power].name} only £{left} for units, not £{pounds}.",
            left=left,
        )


def _check_rebuilding(tables: Tables, state: State, power: str, tens: int) -> None:
    due = required_rebuilding(tables, state, power)
    if due is not None and not tens:
        refuse(
            "rebuild_first",
            (due.rule,),
            f"The {due.what} has lost {due.missing} of its Army (10) Units. Build one for "
            f"£{tables.units[HEAVY].army} before you buy anything else.",
            missing=due.missing,
        )


def _check_forced(tables: Tables, state: State, power: str, pounds: int, counts: str) -> None:
    event = forcing_event(tables, state, power)
    if event is None or counts == NAVAL or (counts == ARMY and event.spend_on != NAVAL):
        return
    due = reserved_pounds(tables, state, power)
    treasury = state.powers[power].treasury
    if due and treasury - pounds < due:
        kind = "Naval" if event.spend_on == NAVAL else "Military"
        refuse(
            "duty_first",
            ("EVT-018", *event.rules),
            f"{tables.powers[power].name} must still spend £{outstanding_pounds(tables, state, power)} on "
            f"{kind} Units this turn ({event.title}). Keep £{due} of its £{treasury} for them, or buy them "
            "first.",
            outstanding=outstanding_pounds(tables, state, power),
            reserve=due,
        )


def reserved_pounds(tables: Tables, state: State, power: str) -> int:
    """Return the pounds to reserve for a forced expenditure; 0 when no unit can be bought any more. Rules: EVT-018."""
    due = outstanding_pounds(tables, state, power)
    treasury = state.powers[power].treasury
    price = cheapest_unit_price(tables, state, power) if due else 0
    return max(min(due, treasury), price) if due and treasury >= price else 0


def required_rebuilding(tables: Tables, state: State, power: str) -> Rebuilding | None:
    """Return the special garrison that the Power must and can rebuild: a piece is free, and it has the money.

    Units at home count as rebuilt. A cap on buying units takes precedence (Decision 18).

    Rules: STA-046, STA-049
    """
    if power not in (INDIAN, WESTERN) or state.phase != "movement":
        return None
    price = tables.units[HEAVY].army
    left = spending_cap(tables, state, power)
    if state.powers[power].treasury < price or (left is not None and left < price):
        return None
    indian = power == INDIAN
    zone = india_zone(tables, state) if indian else western_zone(tables)
    units = [unit for place in {*zone, home_place(power)} for unit in units_at(state, place)]
    missing = KEPT_ARMIES - sum(is_heavy(unit, power) for unit in units)
    if missing <= 0:
        return None
    if status.free_pieces(tables, state, power, str(HEAVY)) <= 0:
        return None
    what, rule = ("Indian Army", "STA-046") if indian else ("Western Garrison", "STA-049")
    return Rebuilding(what, missing, rule)


def leopold_price(tables: Tables, state: State, power: str) -> int:
    """Return the pounds for the cheapest Control marker that meets King Leopold's demand, else 0.

    It is 0 if there is no demand, if a purchase has met it, or if it could not be met now nor at the start of the Phase
    (R-BEL-03). Moving a fleet away or giving up a marker does not end the demand.

    Rules: BEL-012 (Decisions 33 and 36)
    """
    if not state.leopold or state.phase != "movement" or state.powers[power].bought_control:
        return 0
    if not any(tables.events[d].extra and tables.events[d].with_player == power for d in state.events):
        return 0
    return _cheapest_control(tables, state, power) or _cheapest_control(tables, at_phase_start(state), power)


def _cheapest_control(tables: Tables, state: State, power: str) -> int:
    """Return the pounds for the cheapest Protectorate or Possession that the Power may place and can pay, or 0."""
    treasury = state.powers[power].treasury
    prices = [
        placement.marker_price(tables, state, power, area, marker)
        for area in tables.areas
        for marker in (PROTECTORATE, POSSESSION)
        if placement.may_place(tables, state, power, area, marker)
    ]
    return min((p for p in prices if p <= treasury), default=0)


def _check_leopold(tables: Tables, state: State, power: str, pounds: int) -> None:
    price = leopold_price(tables, state, power)
    if price and state.powers[power].treasury - pounds < price:
        refuse(
            "leopold_first",
            ("BEL-012",),
            f"King Leopold demands a Protectorate or a Possession this turn. Keep £{price} for it.",
            reserve=price,
        )


def check_duties(play: Transaction, seat: str) -> None:
    """Check that the Powers of a seat have met each duty that they can meet.

    Raises: Refusal `rebuild_due`, `spend_due`, `leopold_due`.
    Rules: EVT-017, EVT-018, EVT-019, EVT-021, STA-046, STA-049, BEL-012
    """
    tables, state = play.tables, play.state
    for power in powers_of(tables, state, seat):
        name = tables.powers[power].name
        due = required_rebuilding(tables, state, power)
        if due:
            refuse(
                "rebuild_due",
                (due.rule,),
                f"The {due.what} has lost {due.missing} of its Army (10) Units. {name} must build one "
                f"(£{tables.units[HEAVY].army}) before it is ready.",
                power=power,
                missing=due.missing,
            )
        event = forcing_event(tables, state, power)
        if event and reserved_pounds(tables, state, power):
            kind = "Naval" if event.spend_on == NAVAL else "Military"
            owed, has = outstanding_pounds(tables, state, power), state.powers[power].treasury
            poor = f", or as much of it as its £{has} allow" if has < owed else ""
            refuse(
                "spend_due",
                ("EVT-017", "EVT-018", *event.rules),
                f"{name} must still spend £{owed} on {kind} Units ({event.title}){poor}.",
                power=power,
                outstanding=owed,
            )
        price = leopold_price(tables, state, power)
        if price:
            refuse(
                "leopold_due",
                ("BEL-012",),
                f"King Leopold demands that {name} places a Protectorate or a Possession this turn. The "
                "cheapest "
                f"{'costs' if _cheapest_control(tables, state, power) else 'cost at the start of the Phase'} "
                f"£{price}.",
                power=power,
                price=price,
            )


def forfeit_money(play: Transaction, seat: str) -> None:
    """Take the money that a seat's Powers had to spend on units and could have spent.

    In mail games the Phase ends with the forms: a Power that orders too few units loses the rest of the sum.

    Rules: EVT-018, EVT-019 (R-EVT-05)
    """
    for power in powers_of(play.tables, play.state, seat):
        event = forcing_event(play.tables, play.state, power)
        lost = min(outstanding_pounds(play.tables, play.state, power), reserved_pounds(play.tables, play.state, power))
        if event is not None and lost:
            left = outstanding_pounds(play.tables, play.state, power)
            naval = left if event.spend_on == NAVAL else 0
            reason = f"not spent on units as {event.title} demands"
            play.money(power, -lost, reason, ("EVT-018",), units=left, naval=naval)
            text = f"{power_name(play.tables, power)} loses £{lost}: {reason}."
            play.add_note("forfeit", text, ("EVT-018",), power)


def waive_duties(play: Transaction, seat: str) -> None:
    """Waive all duties of a seat's Powers that could still be met, because the arbiter continues. Rules: EVT-019."""
    tables = play.tables
    for power in powers_of(tables, play.state, seat):
        due = required_rebuilding(tables, play.state, power)
        if due:
            play.emit(events.DutyWaived(power=power, duty=f"rebuild the {due.what}", rules=(due.rule,)))
        if reserved_pounds(tables, play.state, power):
            amount = outstanding_pounds(tables, play.state, power)
            play.emit(events.DutyWaived(power=power, duty="spend on units", amount=amount, rules=("EVT-018",)))
        if leopold_price(tables, play.state, power):
            play.emit(events.DutyWaived(power=power, duty="King Leopold's demand", rules=("BEL-012",)))
