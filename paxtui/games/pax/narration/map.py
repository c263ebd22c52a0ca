"""Sentences for events on the map: markers, units, fleets, canals and Casus Belli."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.narration.labels import NameRegistry
from paxtui.games.pax.state.pieces import CHINA
from paxtui.games.pax.text.display import marker_name, of_power, place_name, the_power, the_powers, the_zone

LOSS_REASONS = {
    "unrest": "lost in the Unrest",
    "not defeated": "the Area was not defeated",
    "failed upgrade": "the attempt to raise it failed",
    "no garrison": "it was left without a garrison",
    "deficit": "given up to meet a deficit",
    "no_retreat": "they could not retreat",
    "given up in negotiation": "given up in negotiation",
}
"""Texts of the loss reasons in the rules; other reasons are used unchanged."""


def loss_reason(reason: str) -> str:
    """Return the reason of a loss, worded to follow a colon."""
    return LOSS_REASONS.get(reason, reason.replace("_", " "))


def _placed(t: Tables, e: events.MarkerPlaced) -> str:
    verb = "takes" if e.established else "places"
    over = f", over its {t.markers[e.replaces].name}" if e.replaces else ""
    return f"{the_power(t, e.power)} {verb} {marker_name(t, e.marker)} in {place_name(t, e.area)}{over}"


def _established(t: Tables, e: events.MarkerEstablished) -> str:
    return f"{of_power(t, e.power)} {marker_name(t, e.marker)} in {place_name(t, e.area)} is established"


def _lowered(t: Tables, e: events.MarkerLowered) -> str:
    new = "" if e.established else "unestablished "
    gone = f"becomes {marker_name(t, e.to)}" if e.to else "is removed"
    what = f"{of_power(t, e.power)} {new}{marker_name(t, e.marker)} in {place_name(t, e.area)}"
    if e.reason == "gives way to Control":
        return f"{what} gives way to another Power's Control and {gone}"
    return f"{what} {gone}: {loss_reason(e.reason)}"


def _given(t: Tables, e: events.MarkerTransferred) -> str:
    what = marker_name(t, e.marker)
    return f"{the_power(t, e.power)} hands its {what} in {place_name(t, e.area)} to {the_power(t, e.to)}"


def _shared(t: Tables, e: events.CodominionSet) -> str:
    where = place_name(t, e.area)
    return f"{where} is a Codominion of {the_powers(t, e.powers)}" if e.powers else f"{where} is no Codominion now"


def _built(t: Tables, e: events.UnitsBuilt) -> str:
    if e.power == CHINA:  # the dice event reports it
        return ""
    where = place_name(t, e.place) + (f" ({place_name(t, e.coast)})" if e.coast else "")
    return f"{the_power(t, e.power)} builds {' '.join(e.units)} in {where}"


def _moved(t: Tables, e: events.UnitsMoved) -> str:
    verb = {"retreat": "retreats with", "fix": "garrisons with", "minor": "sends", "sent_home": "takes home"}
    route = " → ".join(place_name(t, p) for p in e.path)
    return f"{the_power(t, e.power)} {verb.get(e.reason, 'moves')} {' '.join(e.units)}: {route}"


def _lost(t: Tables, e: events.UnitsLost) -> str:
    who, what, where = the_power(t, e.power), " ".join(e.units), place_name(t, e.place)
    if e.reason == "rebellion_over":
        return f"{who}: {what} in {where} disperse" + ("s" if len(e.units) == 1 else "")
    if e.reason == "combat":
        return f"{who} loses {what} in the combat for {where}"
    return f"{who} loses {what} in {where}: {loss_reason(e.reason)}"


def _coast(t: Tables, e: events.CoastChosen) -> str:
    if not e.coast:  # at peace again
        return ""
    return f"{of_power(t, e.power)} {e.unit} in {place_name(t, e.place)} lies on {the_zone(t, e.coast)}"


def _merchant(t: Tables, e: events.MerchantMoved) -> str:
    whose, to = of_power(t, e.power), the_zone(t, e.to)
    if e.start == "new":
        return f"{whose} new Merchant Fleet is put to sea in {to}"
    return f"{whose} Merchant Fleet sails from {the_zone(t, e.start)} to {to}"


def _cause(t: Tables, e: events.CasusBelliArose) -> str:
    where = f" over {place_name(t, e.area)}" if e.area else ""
    whom = f", for {the_power(t, e.minor)}" if e.minor else ""
    return f"⚔ {the_power(t, e.holder)} has a Casus Belli against {the_power(t, e.against)}{where}{whom}"


def _cause_ended(t: Tables, e: events.CasusBelliEnded, known: NameRegistry) -> str:
    ends = {"lapsed": "has lapsed", "waived": "is given up", "settled": "is settled"}.get(e.reason, "is at an end")
    return f"{known.cause(e.id)} {ends}"


def _waived(t: Tables, e: events.DutyWaived) -> str:
    return f"{of_power(t, e.power)} duty is waived: {e.duty}" + (f" (£{e.amount})" if e.amount else "")


def _war(t: Tables, e: events.WarDue) -> str:
    if e.war == "chinese_rebellion":
        return "a Chinese Rebellion is due"
    when = " next turn" if e.war == "ottoman_next" else ""
    return f"the Ottoman Empire will declare War on {the_power(t, e.power)} over {place_name(t, e.area)}{when}"


MAP_TEXTS: dict[type, Callable[[Tables, Any], str]] = {
    events.MarkerPlaced: _placed,
    events.MarkerEstablished: _established,
    events.MarkerLowered: _lowered,
    events.MarkerTransferred: _given,
    events.CodominionSet: _shared,
    events.AreaTypeChanged: lambda t, e: f"{place_name(t, e.area)} is now of type {e.to.replace('_', ' ')}",
    events.UnitsBuilt: _built,
    events.UnitsMoved: _moved,
    events.UnitsHalted: lambda t, e: "",
    events.UnitsLost: _lost,
    events.CoastChosen: _coast,
    events.MerchantMoved: _merchant,
    events.CanalBuilt: lambda t, e: f"{the_power(t, e.power)} opens a canal in {place_name(t, e.area)}",
    events.CasusBelliArose: _cause,
    events.GarrisonMissing: lambda t, e: f"{place_name(t, e.area)} is without a garrison of {the_power(t, e.power)}",
    events.DutyWaived: _waived,
    events.MinorSentArmies: lambda t, e: "",
    events.WarDue: _war,
}
"""Text functions by event type, for `paxtui.games.pax.narration.narrator`."""

MAP_NAMED_TEXTS: dict[type, Callable[[Tables, Any, NameRegistry], str]] = {events.CasusBelliEnded: _cause_ended}
"""The same for events whose text needs names of ids."""
