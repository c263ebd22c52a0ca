"""War by mail: where Units retreat that no order sends, and which ally orders a Minor Power or an Empire.

Of retreats the schedule of the rules for mail: among the places that the rules leave open, supplied before unsupplied;
armies to land, fleets to sea, but to waters that only enemies hold last of all; by who controls the place; by who is
there; the nearest to its own lands; dice.

Rules: PBM-086 to PBM-094, PBM-098, PBM-099 (R-PBM-15, R-PBM-30, R-PBM-31)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.status import controllers, seat_of
from paxtui.pax.board.tables import HOME, Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play import choices
from paxtui.pax.play.play import Play, Trial
from paxtui.pax.postal.forms import Standing
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import DOMINION, NAVAL, STATE, Unit
from paxtui.pax.state.questions import Pending, WarRetreat
from paxtui.pax.state.war import REBELLION, War
from paxtui.pax.war.alliances import allies, ally_seats, enemies
from paxtui.pax.war.campaign import battle_retreat, stepping, surrender
from paxtui.pax.war.campaign.ways import Step, is_sea
from paxtui.pax.words.names import place_text

OWN, ALLY, NOBODY, ENEMY = range(4)
"""Who controls a place, the best first (R-PBM-30)."""

FRIENDS, EMPTY, MIXED = range(3)
"""Who is in a place, the best first."""

FAR = 999


def by_schedule(play: Play, choice: Pending, about: WarRetreat) -> bool:
    """Units of which nobody has said where they go leave by the schedule, one after the other; whether they did.

    One that could only go where it would be out of supply surrenders.

    Rules: PBM-086, PBM-087, PBM-094
    """
    war = next((w for w in play.state.wars if w.id == about.war), None)
    if war is None:
        return False
    trial = Trial(play.tables, play.state)
    texts, chosen = list[str](), list[tuple[Unit, Step | None]]()
    for name in about.units:
        here = units_at(trial.state, choice.area)
        unit = next((u for u in here if (u.power, u.name) == (choice.power, name)), None)
        ways = battle_retreat.open_to(trial, war, unit, choice.area) if unit is not None else []
        if unit is None or not ways:
            return False
        ranked = sorted((preference(trial, war, unit, step), n) for n, step in enumerate(ways))
        best = [n for rank, n in ranked if rank == ranked[0][0]]
        step = ways[best[0] if len(best) == 1 else best[play.dice.draw(len(best))]]
        hungry = bool(ranked[0][0][0])
        if hungry:
            surrender.surrender(trial, war, unit.power, (name,), choice.area, "no supply", ("PBM-087",))
        else:
            texts.append(f"{name} {choice.area} > {place_text(step.place)}")
            stepping.take(trial, unit, choice.area, step, "retreat", choice.rules)
        chosen.append((unit, None if hungry else step))
    choices.made(play, choice, tuple(texts), by_default=True)
    battle_retreat.sent_by_schedule(play, choice, war, chosen)
    return True


def preference(play: Play, war: War, unit: Unit, step: Step) -> tuple[int, ...]:
    """How far down the schedule a place stands for a Unit; the least is taken.

    Rules: PBM-087 to PBM-093 (R-PBM-15, R-PBM-30)
    """
    tables, state, place = play.tables, play.state, step.place
    at_sea = is_sea(tables, place)
    there = units_at(state, place)
    friends = any(u.power in allies(war, unit.power) for u in there)
    foes = any(u.power in enemies(war, unit.power) for u in there)
    hungry = not place.startswith(HOME) and not battle_retreat.supplied(play, war, unit, step)
    shunned = unit.kind == NAVAL and at_sea and foes and not friends
    company = MIXED if foes else FRIENDS if friends else EMPTY
    control = NOBODY if at_sea else _control(state, war, unit.power, place)
    steps = _distance(tables, state, unit.power, place)
    return hungry, shunned, at_sea != (unit.kind == NAVAL), control, company, steps


def _control(state: State, war: War, power: str, place: str) -> int:
    """Who controls a place on land, as the schedule counts it."""
    holders = {place.removeprefix(HOME)} if place.startswith(HOME) else set(controllers(state, place))
    if power in holders:
        return OWN
    if not holders.isdisjoint(allies(war, power)):
        return ALLY
    return NOBODY if holders.isdisjoint(enemies(war, power)) else ENEMY


def _distance(tables: Tables, state: State, power: str, place: str) -> int:
    """Steps from a place to the nearest Home Country, State or Dominion of a Power. Rules: PBM-093."""
    ends = {HOME + power} | {
        area
        for area, here in state.areas.items()
        if any(m.power == power and m.marker in (DOMINION, STATE) and m.established for m in here.markers)
    }
    map_, seen, todo = board(tables, state), {place: 0}, deque([place])
    while todo:
        here = todo.popleft()
        if here in ends:
            return seen[here]
        for other in map_.around(here):
            if other not in seen:
                seen[other] = seen[here] + 1
                todo.append(other)
    return FAR


# --- who orders a Minor Power -----------------------------------------------------------------------------------------


def name_commanders(play: Play) -> None:
    """Name the one ally that orders each Minor Power with several: the first that came to its aid, else by lot.

    Rules: PBM-098 (R-PBM-31)
    """
    for war in play.state.wars:
        for power in war.powers if war.kind != REBELLION else ():
            seats = ally_seats(play.tables, play.state, war, power) if power not in play.state.powers else ()
            if len(seats) > 1 and war.commands.get(power) not in seats:
                _give(play, war, power, _first(play, war, power, seats), "PBM-098")


def hand_on(play: Play, instructions: Mapping[str, Sequence[Standing]]) -> None:
    """Whoever orders a Minor Power hands the command to another of its allies, as his form says.

    Args: the decision in progress; the standing instructions by seat, of which `command spain germany` is one.
    Rules: PBM-099
    """
    for seat, told in instructions.items():
        for said in told:
            for war in play.state.wars if said.verb == "command" else ():
                minor, to = said.answer
                allies = ally_seats(play.tables, play.state, war, minor)
                if war.commands.get(minor) == seat and to in allies:
                    _give(play, war, minor, to, "PBM-099")


def _first(play: Play, war: War, power: str, seats: tuple[str, ...]) -> str:
    """The seat that came first to the aid of a Power; a lot where none did before the others. Rules: R-PBM-31."""
    for minor, defender in war.defended:
        seat = seat_of(play.tables, play.state, defender)
        if minor == power and seat in seats:
            return seat
    return seats[play.dice.draw(len(seats))]


def _give(play: Play, war: War, minor: str, seat: str, rule: str) -> None:
    play.emit(ev.CommandGiven(war=war.id, minor=minor, seat=seat, rules=(rule,)))
