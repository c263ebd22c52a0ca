"""How Powers stand to each other, and whose land is whose."""

from __future__ import annotations

from paxtui.empires.state.model import State
from paxtui.empires.state.relations import Kind, Relation
from paxtui.empires.tables.tables import Tables


def relation(state: State, kind: Kind, a: str, b: str) -> Relation | None:
    """The fact of a kind between two, None where there is none."""
    return next((one for one in state.relations if one.kind == kind and one.between(a, b)), None)


def at_war(state: State, a: str, b: str) -> bool:
    """Whether two Powers, or a Power and a minor country, are at war. A minor country that a Power runs is at war with
    whom that Power is, and with those who declared war on itself. Rules: EIA 4.2.3, EIA 4.6.5.2
    """
    pairs = {(one, other) for one in (a, runner(state, a)) for other in (b, runner(state, b))}
    return any(one.kind == "war" and ((one.a, one.b) in pairs or (one.b, one.a) in pairs) for one in state.relations)


def runner(state: State, nation: str) -> str:
    """The Power that acts for a nation: itself, or the controller of a minor country; a neutral one for itself."""
    minor = state.minors.get(nation)
    return minor.controller or nation if minor else nation


def allied(state: State, a: str, b: str) -> bool:
    """Whether two Powers have an alliance."""
    return relation(state, "alliance", a, b) is not None


def enemies(state: State, power: str) -> tuple[str, ...]:
    """Those with whom a Power is at war, in the order in which it went to war with them."""
    wars = sorted((one for one in state.relations if one.kind == "war" and power in (one.a, one.b)), key=_order)
    return tuple(one.b if one.a == power else one.a for one in wars)


def allies(state: State, power: str) -> tuple[str, ...]:
    """Those with whom a Power has an alliance."""
    pairs = (one for one in state.relations if one.kind == "alliance" and power in (one.a, one.b))
    return tuple(one.b if one.a == power else one.a for one in pairs)


def _order(war: Relation) -> int:
    return war.order


def bound(state: State, power: str, other: str) -> bool:
    """Whether an enforced peace forbids a Power to declare war on another now. Rules: EIA 4.4.6.3"""
    return any(
        one.kind == "enforced_peace" and one.a == power and one.b == other and state.turn <= one.until
        for one in state.relations
    )


def home(tables: Tables, area: str) -> str:
    """The nation whose territory an area is on the map, whoever controls it now."""
    return tables.areas[area].owner


def forces_in(tables: Tables, state: State, power: str, nation: str) -> bool:
    """Whether a Power has corps or garrisons in the territory of a nation."""
    places = [corps.where for corps in state.corps.values() if corps.power == power]
    places += [garrison.where for garrison in state.garrisons if garrison.power == power]
    return any(place in tables.areas and owner_of(tables, state, place) == nation for place in places)


def owner_of(tables: Tables, state: State, area: str) -> str:
    """The nation in whose territory an area lies now: a minor country stays one, whoever runs it."""
    return state.control.get(area) or tables.areas[area].owner


def owner(tables: Tables, state: State, area: str) -> str:
    """The Power or the neutral minor country that controls an area; "" for nobody's."""
    found = state.control.get(area) or tables.areas[area].owner
    return runner(state, found)


def friendly(tables: Tables, state: State, power: str, area: str) -> bool:
    """Whether a Power controls an area, by itself or by a minor country."""
    return owner(tables, state, area) == power
