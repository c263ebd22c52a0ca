"""Enemy depots that a counter comes upon: destroyed or converted, and burnt by their own garrisons.

Rules: EIA 7.3.6
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.history.land_events import DepotPlaced, DepotRemoved
from paxtui.empires.land.depots import disperse
from paxtui.empires.orders.action import Action
from paxtui.empires.orders.actions_land import ConvertDepot, DestroyDepot
from paxtui.empires.play.play import Play, refuse
from paxtui.empires.play.presence import depot_at, garrison, is_corps
from paxtui.empires.play.standing import at_war
from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Depot
from paxtui.empires.state.questions import Question
from paxtui.empires.supply.lines import is_source, would_chain
from paxtui.empires.tables.tables import Tables

BURN = "burn_depot"
"""What the owner of a garrisoned depot is asked when an enemy comes."""

BURNT, KEPT = "destroy", "keep"


def enemy_depot(state: State, power: str, area: str) -> Depot | None:
    """The enemy depot in an area, outside its city."""
    found = depot_at(state, area)
    return found if found and at_war(state, power, found.power) else None


def offered_to_owner(play: Play, power: str, area: str) -> None:
    """Ask who holds a garrisoned depot whether to destroy it before the enemy goes on. Rules: EIA 7.3.6.2"""
    found = enemy_depot(play.state, power, area)
    if found and garrison(play.state, found.power, area, of_depot=True).total:
        play.ask(BURN, found.power, (KEPT, BURNT), area, rules=("EIA 7.3.6.2",))


def burn(play: Play, question: Question, choice: str) -> None:
    """The owner's answer. Rules: EIA 7.3.6.2"""
    if choice == BURNT:
        area = question.about[0]
        play.emit(DepotRemoved(where=area, power=question.power, why="burnt", rules=("EIA 7.3.6.2",)))
        disperse(play, question.power, area, "EIA 7.3.6.2")


def _prey(play: Play, power: str, name: str) -> tuple[str, Depot]:
    """The area of a counter and the ungarrisoned enemy depot there. Raises: Refusal."""
    corps = play.state.corps.get(name)
    if corps is None or corps.power != power or not corps.where or corps.inside:
        refuse("no_corps", f"There is no counter '{name}' of one's own in the open.", "EIA 7.3.6.1")
    found = enemy_depot(play.state, power, corps.where)
    if found is None:
        refuse("no_depot", f"There is no enemy depot with {name}.", "EIA 7.3.6.1")
    if garrison(play.state, found.power, corps.where, of_depot=True).total:
        refuse("guarded", "The depot has a garrison, which must be beaten first.", "EIA 7.3.6.2")
    return corps.where, found


def destroy(play: Play, power: str, action: DestroyDepot) -> None:
    """Destroy an ungarrisoned enemy depot. A corps that ends its march there is supplied by it.

    Raises: Refusal. Rules: EIA 7.3.6.1
    """
    area, found = _prey(play, power, action.corps)
    trek = play.state.campaign.treks.get(action.corps)
    supplies = is_corps(play.state.corps[action.corps]) and trek is not None and trek.path and not trek.fed
    by = action.corps if supplies else ""
    play.emit(DepotRemoved(where=area, power=found.power, why="destroyed", by=by, rules=("EIA 7.3.6.1",)))


def convert(play: Play, power: str, action: ConvertDepot) -> None:
    """Make an ungarrisoned enemy depot one's own. Raises: Refusal. Rules: EIA 7.3.6.1"""
    area, found = _prey(play, power, action.corps)
    take_over(play, power, area, found)


def may_take_over(play: Play, power: str, area: str) -> bool:
    """Return whether a Power has a depot counter left for an area, and it would be a source or continue a valid chain.

    Rules: EIA 7.2, 7.3.6.1
    """
    return not _no_counter(play, power) and _in_chain(play, power, area)


def _no_counter(play: Play, power: str) -> bool:
    return sum(one.power == power for one in play.state.depots) >= play.tables.number(f"depots.{power}")


def _in_chain(play: Play, power: str, area: str) -> bool:
    tables, state = play.tables, play.state
    return is_source(tables, state, power, area) or would_chain(tables, state, power, area)


def take_over(play: Play, power: str, area: str, found: Depot) -> None:
    """Put a depot of one's own in place of an enemy's, at no cost. Raises: Refusal. Rules: EIA 7.3.6.1"""
    if not _in_chain(play, power, area):
        refuse("no_chain", "It would neither be a source nor continue a valid chain.", "EIA 7.3.6.1")
    if _no_counter(play, power):
        refuse("no_depot", "All depot counters are on the map.", "EIA 7.2")
    play.emit(DepotRemoved(where=area, power=found.power, why="converted", rules=("EIA 7.3.6.1",)))
    play.emit(DepotPlaced(depot=Depot(where=area, power=power, since=play.state.turn), rules=("EIA 7.3.6.1",)))


def offers(tables: Tables, state: State, power: str) -> Iterator[Action]:
    """What counters of a Power may do to enemy depots."""
    for corps in state.corps.values():
        if corps.power == power and corps.where and enemy_depot(state, power, corps.where):
            yield DestroyDepot(corps.id)
            yield ConvertDepot(corps.id)
