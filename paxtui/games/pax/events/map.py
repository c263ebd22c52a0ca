"""Events on the map (markers, units, fleets, canals, disputes, duties): what they change and how they read."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events.encoding import Event
from paxtui.games.pax.events.names import Names
from paxtui.games.pax.state.diplomacy import CasusBelli
from paxtui.games.pax.state.model import EMPTY_AREA, PowerState, State, units_at, with_area, with_power, with_units
from paxtui.games.pax.state.pieces import (
    ARMY,
    CHINA,
    CONTROL,
    NAVAL,
    POSSESSION,
    PROTECTORATE,
    Holding,
    Marker,
    SentArmies,
    Unit,
    unit_from_name,
)
from paxtui.games.pax.text.display import marker_name, of_power, place_name, the_place, the_power, the_powers, the_zone

LOSS_REASONS = {
    "unrest": "lost in the Unrest",
    "not defeated": "the Area was not defeated",
    "failed upgrade": "the upgrade failed",
    "no garrison": "it had no garrison",
    "deficit": "given up to meet a deficit",
    "no_retreat": "they could not retreat",
    "gives way in a dispute": "lowered in a dispute",
    "consents to the Codominion": "consent to the Codominion",
}
"""Texts of the loss reasons in the rules; other reasons are used unchanged."""


def loss_reason(reason: str) -> str:
    """Return the reason of a loss, worded to follow a colon."""
    return LOSS_REASONS.get(reason, reason.replace("_", " "))


class MarkerPlaced(Event, frozen=True):
    """A Status marker is placed; `replaces` is the Power's own marker of the same standing that it covers."""

    area: str
    power: str
    marker: str
    established: bool
    turn: int
    replaces: str = ""

    def evolve(self, s: State) -> State:
        removed = [
            m
            for m in s.areas.get(self.area, EMPTY_AREA).markers
            if not (
                m.power == self.power
                and m.established == self.established
                and (not self.replaces or m.marker == self.replaces)
            )
        ]
        power = s.powers.get(self.power)
        s = with_area(s, self.area, markers=(*removed, Marker(self.power, self.marker, self.established, self.turn)))
        if s.handed_over and (handed := Holding(self.power, self.area)) in s.handed_over:
            s = replace(s, handed_over=tuple(h for h in s.handed_over if h != handed))
        if self.established and power and not power.had_control and self.marker in CONTROL:
            s = with_power(s, self.power, had_control=True)
        if power and self.marker in (PROTECTORATE, POSSESSION) and s.phase == "movement":
            s = with_power(s, self.power, bought_control=True)
        return s

    def describe(self, t: Tables, names: Names) -> str:
        verb = "takes" if self.established else "places"
        over = f", over its {t.markers[self.replaces].name}" if self.replaces else ""
        return f"{the_power(t, self.power)} {verb} {marker_name(t, self.marker)} in {place_name(t, self.area)}{over}"


class MarkerEstablished(Event, frozen=True):
    """An unestablished marker is established and replaces the Power's older established one."""

    area: str
    power: str
    marker: str

    def evolve(self, s: State) -> State:
        kept = []
        for m in s.areas.get(self.area, EMPTY_AREA).markers:
            if m.power != self.power:
                kept.append(m)
            elif not m.established and m.marker == self.marker:
                kept.append(replace(m, established=True, since=s.turn))
        s = with_area(s, self.area, markers=tuple(kept))
        if self.power in s.powers and self.marker in CONTROL and not s.powers[self.power].had_control:
            s = with_power(s, self.power, had_control=True)
        return s

    def describe(self, t: Tables, names: Names) -> str:
        return f"{of_power(t, self.power)} {marker_name(t, self.marker)} in {place_name(t, self.area)} is established"


class MarkerLowered(Event, frozen=True):
    """A marker is lowered from `marker` to `to` ("" removes it)."""

    area: str
    power: str
    marker: str
    to: str
    reason: str
    established: bool = True
    turn: int = 0

    def evolve(self, s: State) -> State:
        markers = []
        for m in s.areas.get(self.area, EMPTY_AREA).markers:
            if m.power == self.power and m.established == self.established and m.marker == self.marker:
                if self.to:
                    markers.append(Marker(self.power, self.to, self.established, self.turn))
            else:
                markers.append(m)
        return with_area(s, self.area, markers=tuple(markers))

    def describe(self, t: Tables, names: Names) -> str:
        new = "" if self.established else "unestablished "
        result = f"becomes {marker_name(t, self.to)}" if self.to else "is removed"
        what = f"{of_power(t, self.power)} {new}{marker_name(t, self.marker)} in {place_name(t, self.area)}"
        if self.reason == "gives way to Control":
            return f"{what} {result}: another Power placed Control there"
        return f"{what} {result}: {loss_reason(self.reason)}"


class MarkerTransferred(Event, frozen=True):
    """An established marker changes hands.

    It replaces the receiver's marker, and the place in a Codominion passes on.
    """

    area: str
    power: str
    to: str
    marker: str
    turn: int

    def evolve(self, s: State) -> State:
        area = s.areas.get(self.area, EMPTY_AREA)
        markers = [
            m
            for m in area.markers
            if m.power != self.to and not (m.power == self.power and m.established and m.marker == self.marker)
        ]
        shared = tuple(dict.fromkeys(self.to if p == self.power else p for p in area.codominion))
        codominion = shared if len(shared) > 1 else ()
        s = with_area(
            s, self.area, markers=(*markers, Marker(self.to, self.marker, True, self.turn)), codominion=codominion
        )
        s = replace(s, handed_over=(*s.handed_over, Holding(self.to, self.area)))
        if self.to in s.powers and self.marker in CONTROL and not s.powers[self.to].had_control:
            s = with_power(s, self.to, had_control=True)
        return s

    def describe(self, t: Tables, names: Names) -> str:
        what = marker_name(t, self.marker)
        return f"{the_power(t, self.power)} hands its {what} in {place_name(t, self.area)} to {the_power(t, self.to)}"


class CodominionSet(Event, frozen=True):
    """`powers` share the Area; with none, the Codominion ends."""

    area: str
    powers: tuple[str, ...]

    def evolve(self, s: State) -> State:
        return with_area(s, self.area, codominion=self.powers)

    def describe(self, t: Tables, names: Names) -> str:
        where = place_name(t, self.area)
        return (
            f"{where} is a Codominion of {the_powers(t, self.powers)}"
            if self.powers
            else f"{where} is no longer a Codominion"
        )


class AreaTypeChanged(Event, frozen=True):
    """The optional Ottoman expansion changes an Area's type."""

    area: str
    to: str

    def evolve(self, s: State) -> State:
        return with_area(s, self.area, type=self.to)

    def describe(self, t: Tables, names: Names) -> str:
        return f"{place_name(t, self.area)} is now of type {self.to.replace('_', ' ')}"


class UnitsBuilt(Event, frozen=True):
    """Military Units appear at `place` (a Home Country, or the Area of a Minor Power's draw from stock)."""

    power: str
    units: tuple[str, ...]
    place: str
    coast: str = ""

    def evolve(self, s: State) -> State:
        new = [unit_from_name(name, self.power, self.coast if name[0] == "N" else "") for name in self.units]
        return with_units(s, self.place, (*units_at(s, self.place), *new))

    def describe(self, t: Tables, names: Names) -> str:
        if self.power == CHINA:  # the dice event reports it
            return ""
        where = the_place(t, self.place) + (f" ({place_name(t, self.coast)})" if self.coast else "")
        return f"{the_power(t, self.power)} builds {' '.join(self.units)} in {where}"


class UnitsMoved(Event, frozen=True):
    """Units of one Power move along `path`. `coast`: where Naval Units end. `halted`: they move no more this Phase."""

    power: str
    units: tuple[str, ...]
    path: tuple[str, ...]
    coast: str = ""
    halted: bool = False
    reason: str = "move"  # move | retreat | fix | minor | transfer
    was_halted: bool = False
    start_coast: str = ""

    def evolve(self, s: State) -> State:
        start, end = self.path[0], self.path[-1]
        left = take_units(units_at(s, start), self.power, self.units, self.start_coast, self.was_halted)
        if len(left) + len(self.units) != len(units_at(s, start)):
            return s
        s = with_units(s, start, left)
        there = [
            unit_from_name(name, self.power, self.coast if name[0] == "N" else "", self.halted) for name in self.units
        ]
        return with_units(s, end, (*units_at(s, end), *there))

    def describe(self, t: Tables, names: Names) -> str:
        verb = {"retreat": "retreats with", "fix": "garrisons with", "minor": "sends", "sent_home": "takes home"}
        route = " → ".join(place_name(t, p) for p in self.path)
        return f"{the_power(t, self.power)} {verb.get(self.reason, 'moves')} {' '.join(self.units)}: {route}"


class UnitsHalted(Event, frozen=True):
    """All Army Units of a Power at a place end their movement for the Phase."""

    power: str
    place: str

    def evolve(self, s: State) -> State:
        units = [
            replace(u, halted=True) if (u.power, u.kind) == (self.power, ARMY) else u for u in units_at(s, self.place)
        ]
        return with_units(s, self.place, units)


class UnitsLost(Event, frozen=True):
    """Units leave the map."""

    power: str
    units: tuple[str, ...]
    place: str
    reason: str

    def evolve(self, s: State) -> State:
        return with_units(s, self.place, take_units(units_at(s, self.place), self.power, self.units, "", False))

    def describe(self, t: Tables, names: Names) -> str:
        who, what, where = the_power(t, self.power), " ".join(self.units), the_place(t, self.place)
        if self.reason == "rebellion_over":
            return f"{who}: {what} in {where} disperse" + ("s" if len(self.units) == 1 else "")
        if self.reason == "combat":
            return f"{who} loses {what} in the combat for {where}"
        return f"{who} loses {what} in {where}: {loss_reason(self.reason)}"


class CoastChosen(Event, frozen=True):
    """A Naval Unit changes to another coast of its Area or another home box."""

    power: str
    unit: str
    place: str
    start: str
    coast: str

    def evolve(self, s: State) -> State:
        units = list(units_at(s, self.place))
        wanted = unit_from_name(self.unit, self.power, self.start)
        for i, unit in enumerate(units):
            if replace(unit, halted=False) == wanted:
                units[i] = replace(unit, coast=self.coast)
                break
        return with_units(s, self.place, units)

    def describe(self, t: Tables, names: Names) -> str:
        if not self.coast:  # at peace again
            return ""
        return f"{of_power(t, self.power)} {self.unit} in {the_place(t, self.place)} lies on {the_zone(t, self.coast)}"


class MerchantMoved(Event, frozen=True):
    """A Merchant Fleet moves from a Sea Zone, or from the track ("new"), to a Sea Zone."""

    power: str
    start: str
    to: str

    def evolve(self, s: State) -> State:
        zones = dict(s.sea_zones)
        if self.start != "new":
            zones[self.start] = tuple(p for p in zones.get(self.start, ()) if p != self.power)
        zones[self.to] = (*zones.get(self.to, ()), self.power)
        s = replace(s, sea_zones=zones)
        if self.start == "new":
            p = s.powers.get(self.power, PowerState())
            s = with_power(s, self.power, merchants_due=max(0, p.merchants_due - 1))
        return s

    def describe(self, t: Tables, names: Names) -> str:
        owner, to = of_power(t, self.power), the_zone(t, self.to)
        if self.start == "new":
            return f"{owner} new Merchant Fleet enters {to}"
        return f"{owner} Merchant Fleet sails from {the_zone(t, self.start)} to {to}"


class CanalBuilt(Event, frozen=True):
    """A permanent canal joins the Caribbean Sea and the South Pacific."""

    area: str
    power: str

    def evolve(self, s: State) -> State:
        return with_area(s, self.area, canal=True)

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.power)} opens a canal in {place_name(t, self.area)}"


class CasusBelliArose(Event, frozen=True):
    """`holder` gets a Casus Belli against `against`; other fields as in `CasusBelli`."""

    id: str
    holder: str
    against: str
    area: str = ""
    cause: str = ""
    lapses: str = ""
    treaty: str = ""
    minor: str = ""
    demanded: bool = False

    def evolve(self, s: State) -> State:
        rule = self.rules[0] if self.rules else ""
        cause = CasusBelli(
            self.id,
            self.holder,
            self.against,
            self.area,
            rule,
            self.cause,
            self.lapses,
            self.treaty,
            self.minor,
            self.demanded,
        )
        return replace(s, casus_belli=(*s.casus_belli, cause), next_cause=s.next_cause + 1)

    def describe(self, t: Tables, names: Names) -> str:
        where = f" over {place_name(t, self.area)}" if self.area else ""
        minor_text = f", for {the_power(t, self.minor)}" if self.minor else ""
        return (
            f"⚔ {the_power(t, self.holder)} has a Casus Belli against {the_power(t, self.against)}{where}{minor_text}"
        )


class CasusBelliEnded(Event, frozen=True):
    """A Casus Belli ends: "waived", "settled", "lapsed"."""

    id: str
    reason: str

    def evolve(self, s: State) -> State:
        return replace(s, casus_belli=tuple(c for c in s.casus_belli if c.id != self.id))

    def describe(self, t: Tables, names: Names) -> str:
        ends = {"lapsed": "has lapsed", "waived": "is given up", "settled": "is settled"}.get(self.reason, "ends")
        return f"{names.cause(self.id)} {ends}"


class GarrisonMissing(Event, frozen=True):
    """A Control marker has no Army Unit of its Power at the end of the Movement/Status Change Phase."""

    area: str
    power: str

    def evolve(self, s: State) -> State:
        return replace(s, ungarrisoned=(*s.ungarrisoned, Holding(self.power, self.area)))

    def describe(self, t: Tables, names: Names) -> str:
        return f"{the_power(t, self.power)} has no garrison in {place_name(t, self.area)}"


class DutyWaived(Event, frozen=True):
    """The arbiter ends a Phase although a Power still has a duty, such as pounds to spend on units."""

    power: str
    duty: str
    amount: int = 0

    def describe(self, t: Tables, names: Names) -> str:
        return f"{of_power(t, self.power)} duty is waived: {self.duty}" + (f" (£{self.amount})" if self.amount else "")


class MinorSentArmies(Event, frozen=True):
    """A Minor Power sends units to its Area in Unrest, or (`home`) takes the surplus back."""

    power: str
    area: str
    turn: int
    home: bool = False

    def evolve(self, s: State) -> State:
        rest = tuple(sent for sent in s.moved_minors if (sent.power, sent.area) != (self.power, self.area))
        return replace(s, moved_minors=rest if self.home else (*rest, SentArmies(self.power, self.area, self.turn)))


class WarDue(Event, frozen=True):
    """A War begins in this Game Turn ("chinese_rebellion", "ottoman") or in the next one ("ottoman_next")."""

    war: str
    power: str = ""
    area: str = ""

    def evolve(self, s: State) -> State:
        due = Holding(self.power, self.area)
        if self.war == "ottoman":
            return replace(s, ottoman_wars=(*s.ottoman_wars, due))
        return replace(s, ottoman_next=(*s.ottoman_next, due)) if self.war == "ottoman_next" else s

    def describe(self, t: Tables, names: Names) -> str:
        if self.war == "chinese_rebellion":
            return "a Chinese Rebellion is due"
        when = " next turn" if self.war == "ottoman_next" else ""
        return (
            f"the Ottoman Empire will declare War on {the_power(t, self.power)} over {place_name(t, self.area)}{when}"
        )


def take_units(units: tuple[Unit, ...], power: str, names: Iterable[str], coast: str, halted: bool) -> list[Unit]:
    """Return `units` without one unit of `power` for each name, preferring this coast and halt."""
    left = list(units)
    for name in names:
        kind, strength = (ARMY if name[0] == "A" else NAVAL), int(name[1:])
        found = [i for i, u in enumerate(left) if u.power == power and u.kind == kind and u.strength == strength]
        if found:
            best = max(found, key=lambda i: ((left[i].coast == coast) + (left[i].halted == halted), -i))
            del left[best]
    return left


def without_halts(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Return units that may all move again."""
    return tuple(replace(u, halted=False) if u.halted else u for u in units)
