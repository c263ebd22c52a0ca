"""How an Ottoman War ends in which no Great Power stands beside the Empire, and what every Ottoman War leaves behind.

With a Great Power beside the Empire it ends like any other War.

Rules: OTT-013 to OTT-017, OTT-022 to OTT-024, EVT-034, WEN-027, WEN-031, WEN-032 (R-OTT-08, R-OTT-12 to R-OTT-15,
Decision 9)

War End Determination: what ends a War, for whom, and who may have it go on all the same.

Rules: WEN-027 to WEN-033, WEN-039 (R-WEN-01, R-WEN-02, R-WEN-03, R-WEN-11, R-WEN-12)

The end of a War that is announced, because the forces left cannot get at each other.

Rules: WEN-052, WEN-053 (R-WEN-05, Decision 17)

An end that some Powers may demand in War End Determination, and that stands unless another of them objects.

Rules: REB-033, OTT-023 (Decision 7, R-OTT-13)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import area_state, controllers, controls
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, OTTOMAN_EMPIRE
from paxtui.games.pax.state.questions import Announce, EndWaiver, Pending
from paxtui.games.pax.state.war import ALLIANCES, END, OTTOMAN, REBELLION, RESOLUTION, War
from paxtui.games.pax.text.display import place_name, powers_text
from paxtui.games.pax.transaction import ActTable, Transaction, refuse, single_answer
from paxtui.games.pax.war import empire
from paxtui.games.pax.war.alliances import commanders, enemies, unallied_empire
from paxtui.games.pax.war.campaign.maneuver import can_reach
from paxtui.games.pax.war.ottomans import heart_area

NO_UNITS, OCCUPIED, STALEMATE = "no_units", "occupied", "stalemate"
OTTOMANS_BEATEN = "ottomans_beaten"
"""How a War ends; the last one only with an Ottoman Empire that fights alone (OTT-014)."""
QUIET_CYCLES = 3
"""Cycles in a row without an attack that make a Stalemate (WEN-032)."""
EARLY_CYCLES = 2
"""Cycles in which any belligerent may have the tests of Units and Areas ignored (WEN-031)."""
END_IT, GO_ON = "end", "go on"
"""What a belligerent may answer."""

BeatenAlliances = dict[int, str]
"""Numbers of the Alliances that meet an end test, with the test."""


def remaining_sides(war: War) -> tuple[int, ...]:
    """Numbers of the Alliances that are still in a War."""
    return tuple(n for n, side in enumerate(war.alliances, start=1) if side)


def test_end(play: Transaction, war: War) -> None:
    """Make the end tests of a War, in their order; it is decided, somebody is asked, or it goes on.

    Rules: WEN-029, WEN-030, WEN-031, WEN-032, WEN-033, WEN-039 (R-WEN-01 to R-WEN-03, R-WEN-12, Decision 10)
    """
    if not war.waived:
        met = beaten_alliances(play.tables, play.state, war)
        if met and war.cycle <= EARLY_CYCLES and not unallied_empire(play.state, war):
            _ask_waiver(play, war, met)
            return
        conclude_tests(play, war, met)
    now = next((w for w in play.state.wars if w.id == war.id), war)
    if now.stage == END and not now.attacked and now.quiet + 1 >= QUIET_CYCLES:
        decide_war(play, now, STALEMATE, 0, ("WEN-032",))


def beaten_alliances(tables: Tables, state: State, war: War) -> BeatenAlliances:
    """The Alliances that have no Unit abroad, or whose Areas are all in the hands of enemy Armies.

    Rules: WEN-029, WEN-030, WEN-039 (R-WEN-01, R-WEN-02)
    """
    found: BeatenAlliances = {}
    for number in remaining_sides(war):
        if not has_units_abroad(state, war, number):
            found[number] = NO_UNITS
        elif is_occupied(tables, state, war, number):
            found[number] = OCCUPIED
    return found


def conclude_tests(play: Transaction, war: War, met: BeatenAlliances) -> None:
    """What the tests of Units and Areas bring: a victory, a Stalemate, or that an Alliance drops out.

    With one Alliance left it has won; with none nobody has; while several fight on, who is beaten is out of the War.

    Rules: WEN-029, WEN-030, WEN-039 (R-WEN-03)
    """
    left = tuple(n for n in remaining_sides(war) if n not in met)
    if not met:
        return
    if len(left) > 1:
        for number in met:
            for power in war.alliance(number):
                rules = ("WEN-029" if met[number] == NO_UNITS else "WEN-030",)
                play.emit(events.PowerLeftWar(war=war.id, power=power, reason="defeated", rules=rules))
        return
    test_: str = next(iter(met.values())) if left else STALEMATE
    why = ("WEN-030",) if test_ == OCCUPIED else ("WEN-029", "WEN-039")
    decide_war(play, war, test_, left[0] if left else 0, why)


def decide_war(play: Transaction, war: War, test_: str, victor: int, rules: tuple[str, ...], power: str = "") -> None:
    """A War ends by a test, for an Alliance or (0) for nobody; whatever is still asked in it lapses."""
    play.emit(events.WarDecided(war=war.id, test=test_, victor=victor, power=power, rules=rules))


# --- the tests ------------------------------------------------------------------------------------------------------


def has_units_abroad(state: State, war: War, number: int) -> bool:
    """Whether an Alliance has a Military Unit outside its Home Countries, in an Area or at sea.

    By the option `armies_only` only Army Units in Areas count.

    Rules: WEN-029 (R-WEN-01)
    """
    side = war.alliance(number)
    areas = (here.units for here in state.areas.values())
    if state.options.armies_only:
        return any(u.power in side and u.kind == ARMY for units in areas for u in units)
    return any(u.power in side for units in (*areas, *state.at_sea.values()) for u in units)


def is_occupied(tables: Tables, state: State, war: War, number: int) -> bool:
    """Whether enemy Armies, and nobody else's, stand in every Area that an Alliance Controls, of which it has some.

    Rules: WEN-030 (R-WEN-02)
    """
    side = war.alliance(number)
    areas = [
        a
        for a in state.areas
        if any(p in side for p in controllers(state, a))
        or (empire.empire_of(war) in side and empire.is_unmarked(tables, state, war, a))
    ]
    return bool(areas) and all(are_enemies_alone(state, war, number, area) for area in areas)


def are_enemies_alone(state: State, war: War, number: int, area: str) -> bool:
    """Whether Armies stand in an Area, all of them enemies of an Alliance. Rules: WEN-030."""
    armies = {war.side_of(u.power) for u in state.areas[area].units if u.kind == ARMY}
    return bool(armies) and not armies.intersection((0, number))


# --- the waiver -----------------------------------------------------------------------------------------------------


def _ask_waiver(play: Transaction, war: War, met: BeatenAlliances) -> None:
    """Every belligerent with a player is asked whether the War ends now.

    Rules: WEN-031 (R-WEN-12)
    """
    # the log keeps this text: its wording stays, players read that of `choice_narration.question`
    names = "; ".join(powers_text(play.tables, war.alliance(n)) for n in met)
    why = "no Unit abroad" if NO_UNITS in met.values() else "no Area that enemy Armies do not hold"
    for power in war.powers:
        if power in play.state.powers:
            play.offer(
                power,
                EndWaiver(war=war.id, test=next(iter(met.values()))),
                (END_IT, GO_ON),
                END_IT,
                "",
                f"{names}: {why}. Does the War end, or shall it go on, as any belligerent may ask in its first "
                f"{EARLY_CYCLES} cycles?",
                ("WEN-031",),
            )


def answer_waiver(play: Transaction, choice: Pending, about: EndWaiver, words: tuple[str, ...]) -> None:
    """A belligerent lets the War end, or has it go on; one who wants that is enough.

    Raises: Refusal `bad_answer`.
    Rules: WEN-031 (R-WEN-12)
    """
    war = next(w for w in play.state.wars if w.id == about.war)
    others = [c for c in play.state.choices if isinstance(c.about, EndWaiver) and c.about.war == war.id]
    if single_answer(choice, words) == GO_ON:
        play.emit(events.EndTestsWaived(war=war.id, power=choice.power, rules=("WEN-031",)))
        for other in others:
            play.emit(events.ChoiceMade(id=other.id, void=True, rules=("WEN-031",)))
    elif not others:
        conclude_tests(play, war, beaten_alliances(play.tables, play.state, war))


ANNOUNCED = "announced"


def announceable_war(tables: Tables, state: State, power: str) -> War | None:
    """The War whose end a Power may announce now, None where there is none.

    Rules: WEN-052 (R-WEN-05)
    """
    for war in state.wars:
        apart = war.kind != REBELLION and not unallied_empire(state, war)
        going_on = apart and war.stage not in (ALLIANCES, RESOLUTION)
        if going_on and war.side_of(power) and _are_apart(tables, state, war):
            return war
    return None


def _are_apart(tables: Tables, state: State, war: War) -> bool:
    """Whether of any two Alliances at least one cannot get at what the other has left."""
    numbers = remaining_sides(war)
    pairs = [(one, other) for one in numbers for other in numbers if one < other]
    return all(
        _is_beyond_reach(tables, state, war, one, other) or _is_beyond_reach(tables, state, war, other, one)
        for one, other in pairs
    )


def _is_beyond_reach(tables: Tables, state: State, war: War, side: int, enemy: int) -> bool:
    """Whether the Armies of an Alliance could come to no place where an enemy one has Units left outside its Home
    Countries, of which there are some.

    Rules: WEN-052, SUP-017 (R-WEN-05)
    """
    places = [
        place
        for place, units in (*((a, here.units) for a, here in state.areas.items()), *state.at_sea.items())
        if any(war.side_of(u.power) == enemy for u in units)
    ]
    return bool(places) and not any(can_reach(tables, state, war, side, place) for place in places)


def announce_end(play: Transaction, power: str, action: actions.AnnounceEnd) -> None:
    """Announce the end of a War: who cannot get at the enemy takes what he can reach, the enemy keeps the rest.

    Raises: Refusal `no_end_to_announce`.
    Rules: WEN-052, WEN-053 (R-WEN-05, Decision 17)
    """
    tables, state = play.tables, play.state
    war = announceable_war(tables, state, power)
    if war is None:
        refuse(
            "no_end_to_announce",
            ("WEN-052",),
            "The end of a War is announced by a belligerent once the forces left on one side cannot get at those of "
            "the other.",
        )
    stuck = [
        (one, other)
        for one in remaining_sides(war)
        for other in remaining_sides(war)
        if one != other and _is_beyond_reach(tables, state, war, one, other)
    ]
    for side, enemy in stuck:
        for area in state.areas:
            theirs = any(war.side_of(p) == enemy for p in controllers(state, area))
            held = war.conqueror(area) in (0, enemy)
            if (theirs or war.conqueror(area) == enemy) and held and can_reach(tables, state, war, side, area):
                own = not any(war.side_of(p) not in (0, side) for p in controllers(state, area))
                play.emit(
                    events.AreaConquered(war=war.id, area=area, alliance=0 if own else side, rules=("WEN-053",))
                )
    winners = {side for side, _ in stuck}
    victor = winners.pop() if len(winners) == 1 and len(remaining_sides(war)) == 2 else 0
    decide_war(play, war, ANNOUNCED, victor, ("WEN-052", "WEN-053"), power)


ANNOUNCE, LET_GO_ON, OBJECT, AGREE = "announce end", "go on", "object", "agree"
"""What who has the right may answer, and what the others who have it may."""


class EntitledPower(NamedTuple):
    """A Power that may demand the end: the seat that speaks for it, and where its Units stand."""

    power: str
    seat: str
    area: str


class EndDemand(NamedTuple):
    """Who may demand the end of a War now, what they are told, and by which rules."""

    entitled: tuple[EntitledPower, ...]
    prompt: str
    objection: str
    rules: tuple[str, ...]


def ask_for_end(play: Transaction, war: War, demand: EndDemand) -> None:
    """Whoever may demand the end is asked, each once a cycle. Rules: REB-033, OTT-023."""
    for power, seat, area in demand.entitled:
        if power not in war.waived:
            play.offer(
                power, Announce(war=war.id), (ANNOUNCE, LET_GO_ON), LET_GO_ON, area, demand.prompt, demand.rules, seat
            )


def take_demand_answer(
    play: Transaction, war: War, choice: Pending, about: Announce, words: tuple[str, ...], demand: EndDemand
) -> str:
    """Take an answer; the Power whose demand stands now, "" while none does.

    Raises: Refusal `bad_answer`.
    Rules: REB-033, OTT-023 (Decision 7)
    """
    said = single_answer(choice, words)
    if said == LET_GO_ON:
        _waive_demand(play, war, choice.power, demand)
    elif said == OBJECT:
        _withdraw_demand(play, war, demand)
        for entitled in demand.entitled:
            _waive_demand(play, war, entitled.power, demand)
    elif said == ANNOUNCE:
        _withdraw_demand(play, war, demand)
        for power, seat, area in demand.entitled:
            if power != choice.power:
                about = Announce(war=war.id, by=choice.power)
                play.offer(power, about, (OBJECT, AGREE), AGREE, area, demand.objection, demand.rules, seat)
    return (about.by or choice.power) if said in (ANNOUNCE, AGREE) and not _open_questions(play, war) else ""


def _open_questions(play: Transaction, war: War) -> list[Pending]:
    """What is still asked about it."""
    return [c for c in play.state.choices if isinstance(c.about, Announce) and c.about.war == war.id]


def _withdraw_demand(play: Transaction, war: War, demand: EndDemand) -> None:
    for choice in _open_questions(play, war):
        play.emit(events.ChoiceMade(id=choice.id, void=True, rules=demand.rules))


def _waive_demand(play: Transaction, war: War, power: str, demand: EndDemand) -> None:
    """A Power lets the War go on: it is not asked again in this cycle."""
    play.emit(events.EndTestsWaived(war=war.id, power=power, rules=demand.rules))


OTTOMAN_WAR_OVER = "ottoman_war_over"
"""Why Ottoman Armies leave the map."""

OTTOMANS_WON, CUT_OFF = "ottomans_won", "cut_off"
"""Tests that end the War: for the Empire, and by the demand of those whom its Armies cannot reach."""


def test_ottoman_end(play: Transaction, war: War) -> None:
    """Make the end tests of the War; it is decided, somebody is asked, or it goes on. Nobody can waive them.

    Rules: OTT-014, OTT-015, OTT-016, OTT-023 (R-OTT-12, R-OTT-13, Decision 9)
    """
    invaders = areas_with_enemies(play.tables, play.state, war)
    stands = _is_empire_standing(play.tables, play.state, war)
    number = war.side_of(OTTOMAN_EMPIRE)
    if not invaders and not stands:
        _end_in_stalemate(play, war)
    elif not invaders:
        decide_war(play, war, OTTOMANS_WON, number, ("OTT-014", "OTT-015"))
    elif not stands:
        victor = next(n for n, side in enumerate(war.alliances, start=1) if side and n != number)
        decide_war(play, war, OTTOMANS_BEATEN, victor, ("OTT-014", "OTT-016"))
    elif not war.attacked and war.quiet + 1 >= QUIET_CYCLES:
        _end_in_stalemate(play, war)
    elif (demand := _ottoman_end_demand(play.tables, play.state, war)).entitled:
        ask_for_end(play, war, demand)


def areas_with_enemies(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The Areas of the Empire with Military Units of its enemies, fleets among them.

    Rules: OTT-014 (Decision 9)
    """
    foes = enemies(war, OTTOMAN_EMPIRE)
    land = sorted(empire.empire_areas(tables, state, war))
    return tuple(area for area in land if any(u.power in foes for u in units_at(state, area)))


def _is_empire_standing(tables: Tables, state: State, war: War) -> bool:
    """Whether an Army of the Empire is left in it, or in Egypt. Rules: OTT-014 (R-OTT-13)."""
    places = empire.empire_areas(tables, state, war) | {empire.egypt_area(tables)}
    return any(u.power == OTTOMAN_EMPIRE and u.kind == ARMY for area in places for u in units_at(state, area))


def _end_in_stalemate(play: Transaction, war: War) -> None:
    """Nobody has won: the Empire's enemies lose what they have where Ottoman Armies stand without theirs.

    Rules: OTT-014, WEN-032 (R-OTT-12, R-OTT-13)
    """
    decide_war(play, war, STALEMATE, 0, ("OTT-014", "WEN-032"))
    lost = [
        area
        for area in sorted(empire.empire_areas(play.tables, play.state, war))
        if empire.armies_in(play.state, area, (OTTOMAN_EMPIRE,)) and not empire.is_pinned_down(play.state, war, area)
    ]
    clear_enemy_markers(play, war, lost, ("WEN-032",))


# --- Tripoli --------------------------------------------------------------------------------------------------------


def unreachable_areas(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The Areas of the Empire that its Armies cannot reach from its heart, a neutral's Egypt lying between: Tripoli.

    Rules: OTT-022
    """
    found = {heart_area(tables)}
    todo = list(found)
    while todo:
        for area in empire.empire_steps(tables, state, war, todo.pop()):
            if area not in found:
                found.add(area)
                todo.append(area)
    return tuple(sorted(empire.empire_areas(tables, state, war) - found))


def _ottoman_end_demand(tables: Tables, state: State, war: War) -> EndDemand:
    """Who may demand the end now: an enemy with Units in an Area of the Empire that its Armies cannot reach.

    Rules: OTT-022, OTT-023 (R-OTT-13)
    """
    areas = [a for a in unreachable_areas(tables, state, war) if not empire.armies_in(state, a, (OTTOMAN_EMPIRE,))]
    entitled: dict[str, EntitledPower] = {}
    for area in areas:
        for power in enemies(war, OTTOMAN_EMPIRE):
            seats = commanders(tables, state, war, power)
            if power in state.powers and seats and any(u.power == power for u in units_at(state, area)):
                entitled.setdefault(power, EntitledPower(power, seats[0], area))
    names = ", ".join(place_name(tables, a) for a in areas)
    return EndDemand(
        tuple(entitled.values()),
        f"Ottoman Armies cannot come to {names}, a neutral holding Egypt. Announce the end of the War? The markers of "
        f"the Empire's enemies in {names} would stay, those elsewhere in the Empire would go.",
        f"The end of the War is announced: the markers of the Empire's enemies in {names} would stay, those elsewhere "
        f"in the Empire would go. Do you object?",
        ("OTT-022", "OTT-023", "OTT-024"),
    )


def answer_ottoman_end(play: Transaction, choice: Pending, about: Announce, words: tuple[str, ...]) -> None:
    """A Power demands the end or not; what one demands stands unless another entitled one objects.

    Raises: Refusal `bad_answer`.
    Rules: OTT-023, OTT-024 (R-OTT-08, R-OTT-13)
    """
    war = next(w for w in play.state.wars if w.id == about.war)
    kept = unreachable_areas(play.tables, play.state, war)
    by = take_demand_answer(play, war, choice, about, words, _ottoman_end_demand(play.tables, play.state, war))
    if by:
        decide_war(play, war, CUT_OFF, 0, ("OTT-023",), by)
        land = sorted(empire.empire_areas(play.tables, play.state, war))
        clear_enemy_markers(play, war, [area for area in land if area not in kept], ("OTT-024",))


# --- afterwards -----------------------------------------------------------------------------------------------------


def clear_enemy_markers(play: Transaction, war: War, areas: Iterable[str], rules: tuple[str, ...]) -> None:
    """The Status markers of the Empire's enemies in some Areas go, without tension; those of neutrals stay.

    Rules: OTT-015, OTT-024 (R-OTT-08)
    """
    foes = enemies(war, OTTOMAN_EMPIRE)
    for area in areas:
        for m in area_state(play.state, area).markers:
            if m.power in foes:
                play.lower(area, m.power, m.marker, "", "the Ottoman Empire has prevailed", rules, None, m.established)


def resolve_ottoman_war(play: Transaction, war: War) -> None:
    """Before spoils are divided: where the Empire's side has won, its enemies lose what they have in it; and its Armies
    leave the map, but for the one that holds each of its possessions.

    Rules: OTT-013, OTT-015, EVT-034 (R-OTT-14, R-OTT-15)
    """
    if war.kind != OTTOMAN:
        return
    if war.victor and war.victor == war.side_of(OTTOMAN_EMPIRE):
        clear_enemy_markers(
            play, war, sorted(empire.empire_areas(play.tables, play.state, war)), ("OTT-013", "OTT-015")
        )
    for place in play.state.areas:
        armies = [u for u in units_at(play.state, place) if u.power == OTTOMAN_EMPIRE and u.kind == ARMY]
        gone = armies[1:] if controls(play.state, place, OTTOMAN_EMPIRE) else armies
        if gone:
            names = tuple(u.name for u in gone)
            play.emit(
                events.UnitsLost(
                    power=OTTOMAN_EMPIRE, units=names, place=place, reason=OTTOMAN_WAR_OVER, rules=("OTT-012",)
                )
            )


ACTS: ActTable = {actions.AnnounceEnd: {"war": announce_end}}
