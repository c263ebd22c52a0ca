"""Retreats in War: whole forces that have to leave a place, each Unit to a place that it could enter, or to prison.

Rules: WCB-020, WCB-021, WCB-022, WCB-029, WCB-034 to WCB-037, SUP-020, WCD-001, REB-019 to REB-021
(R-WCB-07, R-WCB-09, R-WCB-10, R-WCB-12, R-REB-22, R-REB-23)
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from paxtui.pax.board.status import controllers
from paxtui.pax.board.tables import HOME
from paxtui.pax.combat import losses
from paxtui.pax.combat import retreats as peace
from paxtui.pax.play.choices import default_of
from paxtui.pax.play.play import Play, Trial, refuse
from paxtui.pax.state.model import units_at
from paxtui.pax.state.pieces import ARMY, NAVAL, Unit
from paxtui.pax.state.questions import Pending, WarRetreat
from paxtui.pax.state.war import War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import allies, commanders, enemies, unallied_empire
from paxtui.pax.war.campaign import coaling, codominion_entry, lines, stepping, surrender
from paxtui.pax.war.campaign.maneuver import open_steps
from paxtui.pax.war.campaign.ways import Step, is_sea
from paxtui.pax.words.names import place_text
from paxtui.pax.words.spoken import place_name, power_name

Units = tuple[Unit, ...]


# --- where to -------------------------------------------------------------------------------------------------------


def open_to(play: Play, war: War, unit: Unit, place: str) -> list[Step]:
    """The places a Unit may retreat to, the one it takes by itself first.

    By itself it goes to an own Area or home, where it is supplied before where it is not; then armies to land, fleets
    to sea; to allies before enemies; to friends before empty places, and to waters that only enemies hold last of all.

    Rules: WCB-020, WCB-034, WCB-035, WCB-036 (R-WCB-07, R-WCB-09, R-WCB-10)
    """
    found = [s for s in open_steps(play.tables, play.state, war, unit, place) if _bearable(play, war, unit, place, s)]
    return sorted(found, key=lambda step: _preference(play, war, unit, step))


def _bearable(play: Play, war: War, unit: Unit, place: str, step: Step) -> bool:
    """Whether enemy Units, or an Area that fights by itself, leave a place open for retreat.

    Rules: WCB-034, WCB-035, WCB-036 (R-WCB-07, R-REB-22)
    """
    if step.place == place:
        return False
    if unit.kind == ARMY and empire.against(war, (unit.power,)):
        if empire.resists(play.tables, play.state, war, step.place):
            return False
    there = units_at(play.state, step.place)
    foes = [u for u in there if u.power in enemies(war, unit.power)]
    if unit.kind == ARMY:
        return not any(u.kind == ARMY for u in foes)
    if is_sea(play.tables, step.place) or not foes:
        return True
    return any(u.power in allies(war, unit.power) for u in there)


def _preference(play: Play, war: War, unit: Unit, step: Step) -> tuple[int, ...]:
    """How far down its list a place stands for a Unit that nobody sends."""
    tables, state = play.tables, play.state
    at_sea = is_sea(tables, step.place)
    there = units_at(state, step.place)
    foes = any(u.power in enemies(war, unit.power) for u in there)
    friends = any(u.power in allies(war, unit.power) for u in there)
    holders = controllers(state, step.place) if step.place in state.areas else ()
    own = unit.power in holders or step.place == HOME + unit.power
    hungry = not step.place.startswith(HOME) and not supplied(play, war, unit, step)
    allied = not set(holders).isdisjoint(allies(war, unit.power))
    company = 2 if foes else 0 if friends else 1
    return hungry, not own, at_sea and foes and not friends, at_sea != (unit.kind == NAVAL), not allied, company


def supplied(play: Play, war: War, unit: Unit, step: Step) -> bool:
    """Whether a Unit would be in supply at a place abroad, as the board stands. Rules: R-WCB-10."""
    if unit.kind == ARMY:
        return lines.army_supplied(play.tables, play.state, war, unit.power, step.place)
    return coaling.coaled(play.tables, play.state, war, replace(unit, coast=step.coast), step.place)


# --- going ----------------------------------------------------------------------------------------------------------


def retreat(play: Play, war: War, place: str, units: Units, rules: tuple[str, ...]) -> None:
    """Units leave a place; those without a way out surrender, those with several go where their owner sends them.

    With the fleets that leave a Sea Zone go the armies of their side there.

    Rules: WCB-020, WCB-021, WCB-022, WCB-029, WCB-037, SUP-020
    """
    for power in dict.fromkeys(u.power for u in units):
        _leave(play, war, place, tuple(u for u in units if u.power == power), rules)
    if units and units[0].kind == NAVAL:
        _take_along(play, war, place, units[0].power, rules)


def _leave(play: Play, war: War, place: str, units: Units, rules: tuple[str, ...]) -> None:
    """The Units of one Power leave: as they are sent where there is a choice and somebody to make it."""
    if units[0].power == unallied_empire(play.state, war):
        _scatter(play, war, place, units)
        return
    stuck = tuple(u for u in units if not open_to(play, war, u, place))
    for unit in stuck:
        _go(play, war, place, unit, None, rules)
    rest = tuple(u for u in units if u not in stuck)
    seats = commanders(play.tables, play.state, war, rest[0].power) if rest else ()
    if len(seats) == 1 and any(len(open_to(play, war, u, place)) > 1 for u in rest):
        _ask(play, war, place, rest, seats[0], rules)
        return
    for unit in rest:
        _go(play, war, place, unit, next(iter(open_to(play, war, unit, place)), None), rules)


def _scatter(play: Play, war: War, place: str, units: Units) -> None:
    """Armies of an Empire that fights alone retreat within it, each by itself, or are eliminated.

    Rules: REB-019, REB-020, REB-021 (R-REB-23)
    """
    for unit in units:
        ways = empire.refuges(play.tables, play.state, war, place)
        if not ways:
            losses.remove(play, place, ((unit.power, unit.name),), "combat", ("REB-021",))
            continue
        to = ways[0] if len(ways) == 1 else ways[play.dice.draw(len(ways))]
        _go(play, war, place, unit, Step(to), ("REB-019", "REB-020"))


def _go(play: Play, war: War, place: str, unit: Unit, step: Step | None, rules: tuple[str, ...]) -> None:
    """A Unit goes to a place beside it, or surrenders."""
    if step is None:
        surrender.surrender(
            play, war, unit.power, (unit.name,), place, "no way of retreat", ("WCB-021", "SUP-020", *rules)
        )
        return
    stepping.take(play, unit, place, step, "retreat", rules)
    codominion_entry.entered(play, war.id, unit.power, step.place)


def _take_along(play: Play, war: War, place: str, power: str, rules: tuple[str, ...]) -> None:
    """Armies at sea leave with the fleets of their side, unless fleets of their own or of allies stay.

    Nothing happens while a fleet still has to be sent.

    Rules: WCB-037 (R-WCB-12)
    """
    if not is_sea(play.tables, place) or any(
        isinstance(c.about, WarRetreat) and c.area == place for c in play.state.choices
    ):
        return
    side = allies(war, power)
    there = tuple(u for u in units_at(play.state, place) if u.power in side)
    if any(u.kind == NAVAL for u in there):
        return
    for owner in dict.fromkeys(u.power for u in there):
        _leave(play, war, place, tuple(u for u in there if u.power == owner), (*rules, "WCB-037"))


# --- asking ---------------------------------------------------------------------------------------------------------


def _text(unit: Unit, place: str, step: Step) -> str:
    """A Unit and where it goes, as answers name it: "A3 manchuria > korea"."""
    return f"{unit.name} {place} > {place_text(step.place)}"


def _ask(play: Play, war: War, place: str, units: Units, seat: str, rules: tuple[str, ...]) -> None:
    """Ask a seat where the Units of a Power go, each by itself."""
    options = tuple(
        dict.fromkeys(_text(unit, place, step) for unit in units for step in open_to(play, war, unit, place))
    )
    trial = Trial(play.tables, play.state)
    default = []
    for unit in units:  # one after the other, for one may be free to go where two are not
        step = next(iter(open_to(trial, war, unit, place)), None)
        _go(trial, war, place, unit, step, rules)
        default.append(_text(unit, place, step or open_to(play, war, unit, place)[0]))
    power = units[0].power
    names = " ".join(u.name for u in units)
    play.offer(
        power,
        WarRetreat(war=war.id, units=tuple(u.name for u in units)),
        options,
        tuple(default) if len(default) > 1 else default[0],
        place,
        f"Where do the Units of {power_name(play.tables, power)} in {place_name(play.tables, place)} ({names}) "
        f"retreat to, each by itself?",
        (*rules, "WCB-022"),
        seat,
    )


def answer_retreat(play: Play, choice: Pending, about: WarRetreat, answer: tuple[str, ...]) -> None:
    """The Units go where they are sent; the armies that they carried along follow.

    Raises: Refusal `bad_answer` where not every Unit gets exactly one place, `no_way_there`.
    Rules: WCB-020, WCB-022, WCB-029, WCB-037
    """
    war = next((w for w in play.state.wars if w.id == about.war), None)
    if war is None:
        return
    place, power = choice.area, choice.power
    orders = peace.sent(answer)
    if Counter(name for name, _ in orders) != Counter(about.units):
        names = " ".join(about.units)
        refuse("bad_answer", choice.rules, f"Name every one of {names} once, with the place it goes to.")
    rules = tuple(rule for rule in choice.rules if rule != "WCB-022")
    by_itself = answer == default_of(choice)  # what others have done meanwhile may have closed the way
    for name, to in orders:
        _send(play, war, place, power, name, to, rules, by_itself)
    if orders[0][0].startswith("N"):
        _take_along(play, war, place, power, rules)
    surrender.after_combat(play, war, place)


def sent_by_schedule(play: Play, choice: Pending, war: War, ways: list[tuple[Unit, Step | None]]) -> None:
    """The Units of a choice that its seat has said nothing about go, or surrender where there is no step for them.

    Rules: PBM-086, PBM-087
    """
    rules = (*(rule for rule in choice.rules if rule != "WCB-022"), "PBM-087")
    for unit, step in ways:
        _go(play, war, choice.area, unit, step, rules)
    if ways[0][0].kind == NAVAL:
        _take_along(play, war, choice.area, choice.power, rules)
    surrender.after_combat(play, war, choice.area)


def _send(
    play: Play, war: War, place: str, power: str, name: str, to: str, rules: tuple[str, ...], by_itself: bool
) -> None:
    """Send one Unit of that name to a place; of like Units on two coasts the one that can go. `by_itself`: where that
    way is closed it takes the next one.

    Raises: Refusal `no_way_there`.
    """
    ways = [
        (unit, step)
        for unit in units_at(play.state, place)
        if (unit.power, unit.name) == (power, name)
        for step in open_to(play, war, unit, place)
    ]
    unit, step = next(((u, s) for u, s in ways if place_text(s.place) == to), (None, None))
    if unit is None:
        if ways and by_itself:
            _go(play, war, place, *ways[0], rules)
            return
        if ways:
            refuse("no_way_there", rules, f"{name} cannot retreat to {to} once the others have gone.")
        unit = next(u for u in units_at(play.state, place) if (u.power, u.name) == (power, name))
    _go(play, war, place, unit, step, rules)
