"""How an Ottoman War ends in which no Great Power stands beside the Empire, and what every Ottoman War leaves behind.

With a Great Power beside the Empire it ends like any other War.

Rules: OTT-013 to OTT-017, OTT-022 to OTT-024, EVT-034, WEN-027, WEN-031, WEN-032 (R-OTT-08, R-OTT-12 to R-OTT-15,
Decision 9)
"""

from __future__ import annotations

from collections.abc import Iterable

from paxtui.pax.board.status import at, controls
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, EXPANSION
from paxtui.pax.state.questions import Announce, Pending
from paxtui.pax.state.war import OTTOMAN, War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import commanders, enemies
from paxtui.pax.war.ottomans import heart
from paxtui.pax.war.outcome import demanded_end
from paxtui.pax.war.outcome.demanded_end import Demand, Entitled
from paxtui.pax.war.outcome.ends import OTTOMANS_BEATEN, QUIET, STALEMATE, decide
from paxtui.pax.words.spoken import place_name

REASON = "ottoman_war_over"
"""Why Ottoman Armies leave the map."""

WON, CUT_OFF = "ottomans_won", "cut_off"
"""Tests that end the War: for the Empire, and by the demand of those whom its Armies cannot reach."""


def test(play: Play, war: War) -> None:
    """Make the end tests of the War; it is decided, somebody is asked, or it goes on. Nobody can waive them.

    Rules: OTT-014, OTT-015, OTT-016, OTT-023 (R-OTT-12, R-OTT-13, Decision 9)
    """
    invaders = held(play.tables, play.state, war)
    stands = _stands(play.tables, play.state, war)
    number = war.side_of(EXPANSION)
    if not invaders and not stands:
        _stalemate(play, war)
    elif not invaders:
        decide(play, war, WON, number, ("OTT-014", "OTT-015"))
    elif not stands:
        victor = next(n for n, side in enumerate(war.alliances, start=1) if side and n != number)
        decide(play, war, OTTOMANS_BEATEN, victor, ("OTT-014", "OTT-016"))
    elif not war.attacked and war.quiet + 1 >= QUIET:
        _stalemate(play, war)
    elif (demand := _demand(play.tables, play.state, war)).entitled:
        demanded_end.ask(play, war, demand)


def held(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The Areas of the Empire with Military Units of its enemies, fleets among them.

    Rules: OTT-014 (Decision 9)
    """
    foes = enemies(war, EXPANSION)
    land = sorted(empire.land(tables, state, war))
    return tuple(area for area in land if any(u.power in foes for u in units_at(state, area)))


def _stands(tables: Tables, state: State, war: War) -> bool:
    """Whether an Army of the Empire is left in it, or in Egypt. Rules: OTT-014 (R-OTT-13)."""
    places = empire.land(tables, state, war) | {empire.egypt(tables)}
    return any(u.power == EXPANSION and u.kind == ARMY for area in places for u in units_at(state, area))


def _stalemate(play: Play, war: War) -> None:
    """Nobody has won: the Empire's enemies lose what they have where Ottoman Armies stand without theirs.

    Rules: OTT-014, WEN-032 (R-OTT-12, R-OTT-13)
    """
    decide(play, war, STALEMATE, 0, ("OTT-014", "WEN-032"))
    lost = [
        area
        for area in sorted(empire.land(play.tables, play.state, war))
        if empire.armies(play.state, area, (EXPANSION,)) and not empire.held_down(play.state, war, area)
    ]
    clear(play, war, lost, ("WEN-032",))


# --- Tripoli --------------------------------------------------------------------------------------------------------


def beyond(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The Areas of the Empire that its Armies cannot reach from its heart, a neutral's Egypt lying between: Tripoli.

    Rules: OTT-022
    """
    found = {heart(tables)}
    todo = list(found)
    while todo:
        for area in empire.steps(tables, state, war, todo.pop()):
            if area not in found:
                found.add(area)
                todo.append(area)
    return tuple(sorted(empire.land(tables, state, war) - found))


def _demand(tables: Tables, state: State, war: War) -> Demand:
    """Who may demand the end now: an enemy with Units in an Area of the Empire that its Armies cannot reach.

    Rules: OTT-022, OTT-023 (R-OTT-13)
    """
    areas = [a for a in beyond(tables, state, war) if not empire.armies(state, a, (EXPANSION,))]
    entitled: dict[str, Entitled] = {}
    for area in areas:
        for power in enemies(war, EXPANSION):
            seats = commanders(tables, state, war, power)
            if power in state.powers and seats and any(u.power == power for u in units_at(state, area)):
                entitled.setdefault(power, Entitled(power, seats[0], area))
    names = ", ".join(place_name(tables, a) for a in areas)
    return Demand(
        tuple(entitled.values()),
        f"Ottoman Armies cannot come to {names}, a neutral holding Egypt. Announce the end of the War? The markers of "
        f"the Empire's enemies in {names} would stay, those elsewhere in the Empire would go.",
        f"The end of the War is announced: the markers of the Empire's enemies in {names} would stay, those elsewhere "
        f"in the Empire would go. Do you object?",
        ("OTT-022", "OTT-023", "OTT-024"),
    )


def answer_announce(play: Play, choice: Pending, about: Announce, words: tuple[str, ...]) -> None:
    """A Power demands the end or not; what one demands stands unless another entitled one objects.

    Raises: Refusal `bad_answer`.
    Rules: OTT-023, OTT-024 (R-OTT-08, R-OTT-13)
    """
    war = next(w for w in play.state.wars if w.id == about.war)
    kept = beyond(play.tables, play.state, war)
    by = demanded_end.answer(play, war, choice, about, words, _demand(play.tables, play.state, war))
    if by:
        decide(play, war, CUT_OFF, 0, ("OTT-023",), by)
        land = sorted(empire.land(play.tables, play.state, war))
        clear(play, war, [area for area in land if area not in kept], ("OTT-024",))


# --- afterwards -----------------------------------------------------------------------------------------------------


def clear(play: Play, war: War, areas: Iterable[str], rules: tuple[str, ...]) -> None:
    """The Status markers of the Empire's enemies in some Areas go, without tension; those of neutrals stay.

    Rules: OTT-015, OTT-024 (R-OTT-08)
    """
    foes = enemies(war, EXPANSION)
    for area in areas:
        for m in at(play.state, area).markers:
            if m.power in foes:
                play.lower(area, m.power, m.marker, "", "the Ottoman Empire has prevailed", rules, None, m.established)


def resolve(play: Play, war: War) -> None:
    """Before spoils are divided: where the Empire's side has won, its enemies lose what they have in it; and its Armies
    leave the map, but for the one that holds each of its possessions.

    Rules: OTT-013, OTT-015, EVT-034 (R-OTT-14, R-OTT-15)
    """
    if war.kind != OTTOMAN:
        return
    if war.victor and war.victor == war.side_of(EXPANSION):
        clear(play, war, sorted(empire.land(play.tables, play.state, war)), ("OTT-013", "OTT-015"))
    for place in play.state.areas:
        armies = [u for u in units_at(play.state, place) if u.power == EXPANSION and u.kind == ARMY]
        gone = armies[1:] if controls(play.state, place, EXPANSION) else armies
        if gone:
            names = tuple(u.name for u in gone)
            play.emit(ev.UnitsLost(power=EXPANSION, units=names, place=place, reason=REASON, rules=("OTT-012",)))
