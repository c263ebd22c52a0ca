"""What changes on the map in plain words: markers, units, fleets, canals, and causes of war."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.words.spoken import marker_name, place_name, power_name, powers_named


def _placed(t: Tables, e: ev.MarkerPlaced) -> str:
    verb = "holds from now on" if e.established else "places"
    over = f" over its {e.replaces.title()}" if e.replaces else ""
    return f"{power_name(t, e.power)} {verb} {marker_name(t, e.marker)} in {place_name(t, e.area)}{over}"


def _established(t: Tables, e: ev.MarkerEstablished) -> str:
    return f"{power_name(t, e.power)}'s {marker_name(t, e.marker)} in {place_name(t, e.area)} is established"


def _lowered(t: Tables, e: ev.MarkerLowered) -> str:
    new = "" if e.established else "unestablished "
    gone = f"becomes {marker_name(t, e.to)}" if e.to else "is removed"
    return f"{power_name(t, e.power)}'s {new}{marker_name(t, e.marker)} in {place_name(t, e.area)} {gone}: {e.reason}"


def _given(t: Tables, e: ev.MarkerTransferred) -> str:
    what = marker_name(t, e.marker)
    return f"{power_name(t, e.power)} hands its {what} in {place_name(t, e.area)} to {power_name(t, e.to)}"


def _shared(t: Tables, e: ev.CodominionSet) -> str:
    where = place_name(t, e.area)
    return f"{where} is a Codominion of {powers_named(t, e.powers)}" if e.powers else f"{where} is no Codominion now"


def _built(t: Tables, e: ev.UnitsBuilt) -> str:
    where = place_name(t, e.place) + (f" ({place_name(t, e.coast)})" if e.coast else "")
    return f"{power_name(t, e.power)} builds {' '.join(e.units)} in {where}"


def _moved(t: Tables, e: ev.UnitsMoved) -> str:
    verb = {"retreat": "retreats with", "fix": "garrisons with", "minor": "sends"}.get(e.reason, "moves")
    route = " → ".join(place_name(t, p) for p in e.path)
    return f"{power_name(t, e.power)} {verb} {' '.join(e.units)}: {route}"


def _lost(t: Tables, e: ev.UnitsLost) -> str:
    return f"{power_name(t, e.power)} loses {' '.join(e.units)} in {place_name(t, e.place)}: {e.reason}"


def _coast(t: Tables, e: ev.CoastChosen) -> str:
    return f"{power_name(t, e.power)}'s {e.unit} in {place_name(t, e.place)} lies on the {place_name(t, e.coast)}"


def _merchant(t: Tables, e: ev.MerchantMoved) -> str:
    start = "a new one" if e.start == "new" else place_name(t, e.start)
    return f"{power_name(t, e.power)}'s Merchant Fleet: {start} → {place_name(t, e.to)}"


def _cause(t: Tables, e: ev.CasusBelliArose) -> str:
    where = f" over {place_name(t, e.area)}" if e.area else ""
    whom = f", for {power_name(t, e.minor)}" if e.minor else ""
    ours = " (reconstructed)" if any(c.id == e.cause and c.reconstructed for c in t.causes) else ""
    return f"⚔ Casus Belli {e.id}: {power_name(t, e.holder)} against {power_name(t, e.against)}{where}{whom}{ours}"


WORDS: dict[type, Callable[[Tables, Any], str]] = {
    ev.MarkerPlaced: _placed,
    ev.MarkerEstablished: _established,
    ev.MarkerLowered: _lowered,
    ev.MarkerTransferred: _given,
    ev.CodominionSet: _shared,
    ev.AreaTypeChanged: lambda t, e: f"{place_name(t, e.area)} is now of type {e.to.replace('_', ' ')}",
    ev.UnitsBuilt: _built,
    ev.UnitsMoved: _moved,
    ev.UnitsHalted: lambda t, e: "",
    ev.UnitsLost: _lost,
    ev.CoastChosen: _coast,
    ev.MerchantMoved: _merchant,
    ev.CanalBuilt: lambda t, e: f"{power_name(t, e.power)} opens a canal in {place_name(t, e.area)}",
    ev.CasusBelliArose: _cause,
    ev.CasusBelliEnded: lambda t, e: f"Casus Belli {e.id} is {e.reason}",
    ev.GarrisonMissing: lambda t, e: f"{place_name(t, e.area)} is without a garrison of {power_name(t, e.power)}",
    ev.DutyWaived: lambda t, e: (
        f"{power_name(t, e.power)}'s duty is waived: {e.duty}" + (f" (£{e.amount})" if e.amount else "")
    ),
    ev.MinorSentArmies: lambda t, e: "",
    ev.WarDue: lambda t, e: (
        "A Chinese Rebellion is due"
        if e.war == "chinese_rebellion"
        else f"The Ottoman Empire would declare War on {power_name(t, e.power)} over {place_name(t, e.area)}"
    ),
}
"""A line for each of these events, for `paxtui.pax.narration.narrate`."""
