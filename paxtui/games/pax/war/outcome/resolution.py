"""War Resolution: return of Units after a War.

Surrendered Units and Units at sea go home. Units leave Areas without Control of their owner, by the rules of Movement,
or else go home. Their owners choose where there are several ways. Units of a victorious Minor Power return to their
posts.
"""

from __future__ import annotations

from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.routes import army_path, army_paths
from paxtui.games.pax.board.status import controls, seat_of
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.combat import results
from paxtui.games.pax.combat.results import nearest_way_home, retreat_harbours
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.garrisons import has_garrison
from paxtui.games.pax.state.model import units_at
from paxtui.games.pax.state.pieces import ARMY, NAVAL, Unit, home_place, unit_from_name
from paxtui.games.pax.state.questions import Pending, Return
from paxtui.games.pax.state.war import OTTOMAN, REBELLION, War
from paxtui.games.pax.text.display import place_name
from paxtui.games.pax.text.parsing import HOME_WORD
from paxtui.games.pax.transaction import Transaction, single_answer
from paxtui.games.pax.war.outcome import ends, rebellion, spoils

RETURN_RULES = {REBELLION: ("REB-050",), OTTOMAN: ("WEN-034", "OTT-018")}
"""Rules by which Units leave after a War of a kind; for other kinds WEN-034."""


def post_minor_units(play: Transaction, war: War) -> None:
    """Send the Units of the victorious Minor Powers to their posts. Rules: WEN-047, WEN-048, WEN-049, WEN-050."""
    for power in war.alliance(war.victor):
        if power in play.state.minors and power in play.tables.homes:
            _post_armies(play, power)
            _post_fleets(play, war, power)


def _post_armies(play: Transaction, power: str) -> None:
    """Leave one Army (1) in each Area under the Power's Control, if necessary from home; send all others home.

    Rules: WEN-047, WEN-048 (R-WEN-16)
    """
    controlled = [a for a in play.state.areas if controls(play.state, a, power)]
    for area, here in tuple(play.state.areas.items()):
        spare = [u for u in here.units if u.power == power and u.kind == ARMY]
        kept = next((u for u in spare if u.strength == 1), None) if area in controlled else None
        if kept:
            spare.remove(kept)
        for unit in spare:
            _move_unit(play, unit, (area, home_place(power)), "", ("WEN-047",))
    controlled.sort(key=lambda a: (-play.tables.areas[a].value, a))
    for area in controlled:
        if has_garrison(play.state, area, power):
            continue
        ready = next((u for u in units_at(play.state, home_place(power)) if u.kind == ARMY and u.strength == 1), None)
        if ready:
            _move_unit(play, ready, (home_place(power), area), "", ("WEN-047",))
        else:
            play.emit(events.UnitsBuilt(power=power, units=("A1",), place=area, rules=("WEN-048",)))


def _post_fleets(play: Transaction, war: War, power: str) -> None:
    """Send the strongest fleet home, then one to each Area that had fleets, the best Areas first, and the rest home.

    Rules: WEN-049, WEN-050 (Decision 52)
    """
    places = [home_place(power), *play.state.areas]
    fleets = [(u, p) for p in places for u in units_at(play.state, p) if u.power == power and u.kind == NAVAL]
    origins = list(dict.fromkeys(f.area for f in war.began if f.power == power))
    origins = [a for a in origins if controls(play.state, a, power)]
    origins.sort(key=lambda a: (-play.tables.areas[a].value, a))
    for post in (home_place(power), *origins):
        if not fleets:
            return
        strongest = max(u.strength for u, _ in fleets)
        # of equal fleets the one that is already there stays
        unit, place = min((f for f in fleets if f[0].strength == strongest), key=lambda f: f[1] != post)
        fleets.remove((unit, place))
        _post_fleet(play, unit, place, post, ("WEN-049", "WEN-050"))
    for unit, place in fleets:
        _post_fleet(play, unit, place, home_place(power), ("WEN-049",))


def _post_fleet(play: Transaction, unit: Unit, place: str, post: str, rules: tuple[str, ...]) -> None:
    """Move a fleet to the first box of its Home Country or the first coast of an Area, if it is not there."""
    if place == post:
        return
    if post.startswith(HOME):
        coast = play.tables.homes[unit.power].box_on()
    else:
        coast = next(iter(board(play.tables, play.state).split_coasts(post)), "")
    _move_unit(play, unit, (place, post), coast, rules)


def _move_unit(play: Transaction, unit: Unit, path: tuple[str, ...], coast: str, rules: tuple[str, ...]) -> None:
    play.emit(
        events.UnitsMoved(
            power=unit.power,
            units=(unit.name,),
            path=path,
            coast=coast,
            reason="home",
            was_halted=unit.halted,
            start_coast=unit.coast,
            rules=rules,
        )
    )


def return_stragglers(play: Transaction) -> None:
    """Return the Units of Powers that have left a War which others continue.

    Rules: WEN-034, WEN-051, SUP-024 (R-WEN-09)
    """
    for war in play.state.wars:
        left_powers = tuple(p for p in war.left if not any(w.side_of(p) for w in play.state.wars))
        if left_powers:
            return_prisoners(play, war, left_powers)
            return_from_sea(play, war, left_powers)
            for area, power in results.units_without_control(play.state):
                if power in left_powers and power in play.tables.homes:
                    results.send_home(play, power, area, ("WEN-034",))
            return_from_allied_home(play, war, left_powers)


def return_prisoners(play: Transaction, war: War, owners: tuple[str, ...] = ()) -> None:
    """Return surrendered Units to their owners' Home Areas; `owners`: only of these Powers. Rules: SUP-024, WEN-051."""
    for power in dict.fromkeys(s.power for s in war.surrendered):
        if power in play.tables.homes and (not owners or power in owners):
            play.emit(
                events.UnitsReturned(
                    war=war.id,
                    power=power,
                    units=tuple(s.name for s in war.surrendered if s.power == power),
                    place=HOME + power,
                    coast=play.tables.homes[power].box_on(),
                    rules=("SUP-024", "WEN-051"),
                )
            )


def return_from_sea(play: Transaction, war: War, owners: tuple[str, ...] = ()) -> None:
    """Return the War's Units in Sea and Cape Zones to their owners' Home Areas, fleets to the nearest box.

    Rules: WEN-051 (R-WEN-10)
    """
    for zone in tuple(play.state.at_sea):
        for unit in units_at(play.state, zone):
            if unit.power in (owners or war.powers) and unit.power in play.tables.homes:
                coast = play.tables.homes[unit.power].box_on(_zones_at(play, zone)) if unit.kind == NAVAL else ""
                _move_unit(play, unit, (zone, HOME + unit.power), coast, ("WEN-051",))


def _zones_at(play: Transaction, zone: str) -> tuple[str, ...]:
    """Return a Sea Zone, or the Sea Zones of a Cape Zone."""
    return play.tables.capes[zone].adjacent if zone in play.tables.capes else (zone,)


def return_from_allied_home(play: Transaction, war: War, owners: tuple[str, ...] = ()) -> None:
    """Return the War's Armies from the Home Country of the other Power of their seat. Rules: WEN-034, WMV-017."""
    for country, units in tuple(play.state.homes.items()):
        for unit in units:
            if unit.power != country and unit.power in (owners or war.powers):
                _move_unit(play, unit, (HOME + country, HOME + unit.power), "", ("WEN-034", "WMV-017"))


def return_places(play: Transaction, unit: Unit, area: str) -> dict[str, tuple[tuple[str, ...], str]]:
    """Return the possible destinations of a Unit, as in answers, with path and coast.

    Home is first for an army, the nearest port for a fleet.

    Rules: REB-050 (R-REB-14)
    """
    tables, state, power = play.tables, play.state, unit.power
    if unit.kind != ARMY:
        return {
            text: ((area, place), coast)
            for text, (place, coast) in retreat_harbours(tables, state, power, area).items()
        }
    found = {HOME_WORD: (army_path(tables, state, power, area, home_place(power)) or (area, home_place(power)), "")}
    for place, path in army_paths(tables, state, power, area).items():
        if controls(state, place, power):
            found[place] = path, ""
    return found


def return_ports(play: Transaction, unit: Unit, zone: str) -> dict[str, tuple[tuple[str, ...], str]]:
    """Return the home boxes that a fleet may go to from a Sea or Cape Zone, the nearest first.

    For a surrendered fleet (from "") they are in table order; `home` if the Home Country has none.

    Rules: WEN-034, WEN-051 (R-WEN-10)
    """
    country = home_place(unit.power)
    home, beside = play.tables.homes[unit.power], _zones_at(play, zone)
    known = sorted(home.boxes, key=lambda box: not set(box).intersection(beside))
    if len(home.port_boxes) > 1:
        return {f"{HOME_WORD} {box[0]}": ((zone, country), box[0]) for box in known}
    return {HOME_WORD: ((zone, country), known[0][0] if known else "")}


def ask_where_to_return(play: Transaction, war: War) -> bool:
    """Ask about Units of Powers with a player that must leave; return whether no question is left.

    These are Units without Control of their Power, and fleets at sea or surrendered whose Home Country has several
    boxes. Units with only one way take it. Units of Minor Powers go home.

    Rules: REB-050, OTT-018, WEN-034, WEN-051 (R-REB-14, R-WEN-10)
    """
    has_asked = False
    for area in tuple(play.state.areas):
        for unit in units_at(play.state, area):
            if unit.power not in war.powers or unit.power not in play.tables.homes:
                continue
            if controls(play.state, area, unit.power):
                continue
            destinations = return_places(play, unit, area)
            if len(destinations) > 1 and seat_of(play.tables, play.state, unit.power):
                _ask_unit(play, war, unit, area, tuple(destinations))
                has_asked = True
            else:
                _return_unit(play, war, unit, *nearest_way_home(destinations))
    return not (_ask_fleets(play, war) or has_asked)


def _ask_fleets(play: Transaction, war: War) -> bool:
    """Ask about fleets, at sea or surrendered, whose Home Country has several boxes; return whether there are any."""
    prisoners = [(Unit(s.power, s.kind, s.strength), "") for s in war.surrendered]
    at_sea = [(unit, zone) for zone, units in play.state.at_sea.items() for unit in units]
    found = [
        (unit, zone)
        for unit, zone in (*at_sea, *prisoners)
        if unit.kind == NAVAL and unit.power in war.powers and seat_of(play.tables, play.state, unit.power)
    ]
    found = [(unit, zone) for unit, zone in found if len(play.tables.homes[unit.power].port_boxes) > 1]
    for unit, zone in found:
        _ask_unit(play, war, unit, zone, tuple(return_ports(play, unit, zone)))
    return bool(found)


def _ask_unit(play: Transaction, war: War, unit: Unit, area: str, options: tuple[str, ...]) -> None:
    play.offer(
        unit.power,
        Return(war=war.id, unit=unit.name, start=area),
        options,
        options[0],
        area,
        f"{unit.name} has to leave {place_name(play.tables, area)}. Where does it go?"
        if area
        else f"{unit.name} is set free. To which box of its Home Country does it go?",
        RETURN_RULES.get(war.kind, ("WEN-034",)),
    )


def answer_return(play: Transaction, choice: Pending, about: Return, words: tuple[str, ...]) -> None:
    """Send the Unit to the named place. Rules: REB-050, WEN-034, WEN-051."""
    text = single_answer(choice, words)
    war = next(w for w in play.state.wars if w.id == about.war)
    if not about.start:
        unit = unit_from_name(about.unit, choice.power)
        play.emit(
            events.UnitsReturned(
                war=about.war,
                power=unit.power,
                units=(unit.name,),
                place=home_place(unit.power),
                coast=_chosen_port(play, unit, "", text)[1],
                rules=("SUP-024", "WEN-051"),
            )
        )
        return
    unit = next(u for u in units_at(play.state, about.start) if (u.power, u.name) == (choice.power, about.unit))
    if about.start in play.state.areas:
        path, coast = return_places(play, unit, about.start)[text]
    else:
        path, coast = _chosen_port(play, unit, about.start, text)
    _return_unit(play, war, unit, path, coast)


def _chosen_port(play: Transaction, unit: Unit, zone: str, text: str) -> tuple[tuple[str, ...], str]:
    """Return path and box for an answer; a game of 0.2.0 may also offer the bare `home`, or boxes without a port."""
    ports = return_ports(play, unit, zone)
    if text in ports:
        return ports[text]
    boxes = {f"{HOME_WORD} {box[0]}": box[0] for box in play.tables.homes[unit.power].boxes}
    (path, nearest), *_ = ports.values()
    return path, boxes.get(text, nearest)


def _return_unit(play: Transaction, war: War, unit: Unit, path: tuple[str, ...], coast: str) -> None:
    _move_unit(play, unit, path, coast, RETURN_RULES.get(war.kind, ("WEN-034",)))


def resolve_war(play: Transaction, war: War) -> bool:
    """Continue the Resolution of a War; return whether it is complete.

    Rules: WEN-034, WEN-040, WEN-044, WEN-047, WEN-051, WEN-056, SUP-024, REB-037, REB-050
    """
    ends.resolve_ottoman_war(play, war)
    if war.kind == REBELLION:
        if not rebellion.settle_cessions(play, war):
            return False
    elif not spoils.divide_spoils(play, war):
        return False
    spoils.reduce_conflicts(play, war)
    if not ask_where_to_return(play, war):
        return False
    return_prisoners(play, war)
    return_from_sea(play, war)
    return_from_allied_home(play, war)
    post_minor_units(play, war)
    return True
