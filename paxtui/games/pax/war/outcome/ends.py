"""War End Determination: end tests, waivers, and announced ends of Wars.

An Ottoman War without a Great Power on the Empire's side has end tests of its own. A belligerent may announce the end
when the forces left cannot reach each other. The end of an Ottoman War or a Rebellion that some Powers demand stands
unless another entitled Power objects.

Rules: R-WEN-11
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import distances
from paxtui.games.pax.board.status import area_state, controlled_areas, controllers, controls
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat.ottoman_expansion import heart_area
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import ARMY, OTTOMAN_EMPIRE
from paxtui.games.pax.state.questions import Announce, EndWaiver, Pending
from paxtui.games.pax.state.war import ALLIANCES, END, OTTOMAN, REBELLION, RESOLUTION, War
from paxtui.games.pax.text.display import place_name, powers_text
from paxtui.games.pax.transaction import ActTable, Transaction, refuse, single_answer, void_choices
from paxtui.games.pax.war import empire
from paxtui.games.pax.war.alliances import commanders, current_form, enemies, unallied_empire, will_merge
from paxtui.games.pax.war.campaign.maneuver import can_reach

NO_UNITS, OCCUPIED, STALEMATE, PEACE = "no_units", "occupied", "stalemate", "peace"
OTTOMANS_WON, OTTOMANS_BEATEN, CUT_OFF = "ottomans_won", "ottomans_beaten", "cut_off"
ANNOUNCED = "announced"
"""Ends of a War. Only an Ottoman Empire without an ally has won, is beaten (OTT-014), or is cut off from Areas."""
QUIET_CYCLES = 3
"""Number of cycles in a row without an attack that make a Stalemate (WEN-032)."""
EARLY_CYCLES = 2
"""Number of cycles in which a belligerent may waive the tests of Units and Areas (WEN-031)."""
END_IT, GO_ON = "end", "go on"
"""Answers of a belligerent."""

BeatenAlliances = dict[int, str]
"""Numbers of the Alliances that meet an end test, and the test."""
ANNOUNCE, LET_GO_ON, OBJECT, AGREE = "announce end", "go on", "object", "agree"
"""Answers of the entitled Power, and of the other entitled Powers."""
OTTOMAN_WAR_OVER = "ottoman_war_over"
"""Reason for the removal of Ottoman Armies."""


def remaining_sides(war: War) -> tuple[int, ...]:
    """Return the numbers of the Alliances that are still in a War."""
    return tuple(n for n, side in enumerate(war.alliances, start=1) if side)


def test_end(play: Transaction, war: War) -> None:
    """Make the end tests of a War in order: the War is decided, a seat is asked, or the War continues.

    A War that will merge with another one continues.

    Rules: WEN-029 to WEN-033, WEN-039, WAR-064 (R-WEN-01 to R-WEN-03, R-WEN-12, Decision 10)
    """
    if will_merge(play.state, war):
        return
    if not war.waived:
        met = beaten_alliances(play.tables, play.state, war)
        if met and war.cycle <= EARLY_CYCLES and not unallied_empire(play.state, war):
            _ask_waiver(play, war, met)
            return
        conclude_tests(play, war, met)
    now = current_form(play.state, war)
    if now.stage == END and not now.attacked and now.quiet + 1 >= QUIET_CYCLES:
        decide_war(play, now, STALEMATE, 0, ("WEN-032",))


def beaten_alliances(tables: Tables, state: State, war: War) -> BeatenAlliances:
    """Return the Alliances without a Unit abroad, or with all Areas held by enemy Armies.

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
    """Apply the tests of Units and Areas: a victory, a Stalemate, or the exit of an Alliance.

    A single remaining Alliance wins; if none remains, no side wins. If several continue, the beaten Alliances leave the
    War.

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
            settlement.end_war_ties(play, war, war.alliance(number), ("WEN-039", "STR-016", "WAR-064"))
        return
    test_: str = next(iter(met.values())) if left else STALEMATE
    why = ("WEN-030",) if test_ == OCCUPIED else ("WEN-029", "WEN-039")
    decide_war(play, war, test_, left[0] if left else 0, why)


def decide_war(play: Transaction, war: War, test_: str, victor: int, rules: tuple[str, ...], power: str = "") -> None:
    """End a War by a test, with victory for an Alliance (0 for none), and cancel its open questions."""
    play.emit(events.WarDecided(war=war.id, test=test_, victor=victor, power=power, rules=rules))


def has_units_abroad(state: State, war: War, number: int) -> bool:
    """Return whether an Alliance has a Military Unit outside its Home Countries, in an Area or at sea.

    With the option `armies_only` only Army Units in Areas count.

    Rules: WEN-029 (R-WEN-01)
    """
    side = war.alliance(number)
    areas = (here.units for here in state.areas.values())
    if state.options.armies_only:
        return any(u.power in side and u.kind == ARMY for units in areas for u in units)
    return any(u.power in side for units in (*areas, *state.at_sea.values()) for u in units)


def is_occupied(tables: Tables, state: State, war: War, number: int) -> bool:
    """Return whether only enemy Armies are in each Area under an Alliance's Control; False if it Controls none.

    Rules: WEN-030 (R-WEN-02)
    """
    side = frozenset(war.alliance(number))
    areas = [a for a, held in controlled_areas(state).items() if not side.isdisjoint(held)]
    if empire.empire_of(war) in side:
        areas += [a for a in state.areas if empire.is_unmarked(tables, state, war, a)]
    return bool(areas) and all(are_enemies_alone(state, war, number, area) for area in areas)


def are_enemies_alone(state: State, war: War, number: int, area: str) -> bool:
    """Return whether there are Armies in an Area, all of them enemies of an Alliance. Rules: WEN-030."""
    armies = {war.side_of(u.power) for u in state.areas[area].units if u.kind == ARMY}
    return bool(armies) and not armies.intersection((0, number))


def _ask_waiver(play: Transaction, war: War, met: BeatenAlliances) -> None:
    # logs contain this text, so it cannot change; players read that of `labels.describe_question`
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
    """Let the War end, or continue it; one belligerent is enough to continue. Rules: WEN-031 (R-WEN-12)."""
    war = next(w for w in play.state.wars if w.id == about.war)
    others = [c for c in play.state.choices if isinstance(c.about, EndWaiver) and c.about.war == war.id]
    if single_answer(choice, words) == GO_ON:
        play.emit(events.EndTestsWaived(war=war.id, power=choice.power, rules=("WEN-031",)))
        void_choices(play, others, "WEN-031")
    elif not others:
        conclude_tests(play, war, beaten_alliances(play.tables, play.state, war))


def announceable_war(tables: Tables, state: State, power: str) -> War | None:
    """Return the War whose end a Power may announce now, None if there is none.

    Rules: WEN-052, WAR-064 (R-WEN-05)
    """
    for war in state.wars:
        apart = war.kind != REBELLION and not unallied_empire(state, war) and not will_merge(state, war)
        going_on = apart and war.stage not in (ALLIANCES, RESOLUTION)
        if going_on and war.side_of(power) and _are_apart(tables, state, war):
            return war
    return None


def _are_apart(tables: Tables, state: State, war: War) -> bool:
    """Return whether of each two Alliances at least one cannot reach the other's remaining forces."""
    numbers = remaining_sides(war)
    pairs = [(one, other) for one in numbers for other in numbers if one < other]
    return all(
        _is_beyond_reach(tables, state, war, one, other) or _is_beyond_reach(tables, state, war, other, one)
        for one, other in pairs
    )


def _is_beyond_reach(tables: Tables, state: State, war: War, side: int, enemy: int) -> bool:
    """Return whether the Armies of an Alliance cannot reach any enemy Unit outside its Home Countries.

    False if there is no such Unit.

    Rules: WEN-052, SUP-017 (R-WEN-05)
    """
    places = [
        place
        for place, units in (*((a, here.units) for a, here in state.areas.items()), *state.at_sea.items())
        if any(war.side_of(u.power) == enemy for u in units)
    ]
    return bool(places) and not any(can_reach(tables, state, war, side, place) for place in places)


def announce_end(play: Transaction, power: str, action: actions.AnnounceEnd) -> None:
    """Announce the end of a War. Alliances that cannot reach the enemy's Units take the Areas that they can reach.

    Raises: Refusal `no_end_to_announce`.
    Rules: WEN-052, WEN-053 (R-WEN-05, Decision 17)
    """
    tables, state = play.tables, play.state
    war = announceable_war(tables, state, power)
    if war is None:
        refuse(
            "no_end_to_announce",
            ("WEN-052",),
            "A belligerent can announce the end of a War only when the forces left on one side cannot "
            "reach those of the other.",
        )
    stuck = [
        (one, other)
        for one in remaining_sides(war)
        for other in remaining_sides(war)
        if one != other and _is_beyond_reach(tables, state, war, one, other)
    ]
    for side, enemy in stuck:
        for area in state.areas:
            is_enemy = any(war.side_of(p) == enemy for p in controllers(state, area))
            is_enemy_held = war.conqueror(area) in (0, enemy)
            if (
                (is_enemy or war.conqueror(area) == enemy)
                and is_enemy_held
                and can_reach(tables, state, war, side, area)
            ):
                own = not any(war.side_of(p) not in (0, side) for p in controllers(state, area))
                play.emit(events.AreaConquered(war=war.id, area=area, alliance=0 if own else side, rules=("WEN-053",)))
    winners = {side for side, _ in stuck}
    victor = winners.pop() if len(winners) == 1 and len(remaining_sides(war)) == 2 else 0
    decide_war(play, war, ANNOUNCED, victor, ("WEN-052", "WEN-053"), power)


class EntitledPower(NamedTuple):
    """Power that may demand the end: its seat, and the place of its Units."""

    power: str
    seat: str
    area: str


class EndDemand(NamedTuple):
    """Powers that may demand the end of a War now, with the question and its rules."""

    entitled: tuple[EntitledPower, ...]
    prompt: str
    objection: str
    rules: tuple[str, ...]


def ask_for_end(play: Transaction, war: War, demand: EndDemand) -> None:
    """Ask each entitled Power once in a cycle. Rules: REB-033, OTT-023."""
    for power, seat, area in demand.entitled:
        if power not in war.waived:
            play.offer(
                power, Announce(war=war.id), (ANNOUNCE, LET_GO_ON), LET_GO_ON, area, demand.prompt, demand.rules, seat
            )


def take_demand_answer(
    play: Transaction, war: War, choice: Pending, about: Announce, words: tuple[str, ...], demand: EndDemand
) -> str:
    """Take an answer; return the Power whose demand stands now, "" for none.

    Rules: REB-033, OTT-023 (Decision 7)
    """
    answer = single_answer(choice, words)
    if answer == LET_GO_ON:
        _waive_demand(play, war, choice.power, demand)
    elif answer == OBJECT:
        void_choices(play, _open_questions(play, war), *demand.rules)
        for entitled in demand.entitled:
            _waive_demand(play, war, entitled.power, demand)
    elif answer == ANNOUNCE:
        void_choices(play, _open_questions(play, war), *demand.rules)
        for power, seat, area in demand.entitled:
            if power != choice.power:
                about = Announce(war=war.id, by=choice.power)
                play.offer(power, about, (OBJECT, AGREE), AGREE, area, demand.objection, demand.rules, seat)
    return (about.by or choice.power) if answer in (ANNOUNCE, AGREE) and not _open_questions(play, war) else ""


def _open_questions(play: Transaction, war: War) -> list[Pending]:
    return [c for c in play.state.choices if isinstance(c.about, Announce) and c.about.war == war.id]


def _waive_demand(play: Transaction, war: War, power: str, demand: EndDemand) -> None:
    """Record that a Power continues the War; it is not asked again in this cycle."""
    play.emit(events.EndTestsWaived(war=war.id, power=power, rules=demand.rules))


def test_ottoman_end(play: Transaction, war: War) -> None:
    """Make the end tests of the War, which cannot be waived: it is decided, a seat is asked, or it continues.

    Rules: OTT-014, OTT-015, OTT-016, OTT-023 (R-OTT-12, R-OTT-13, Decision 9)
    """
    number, foes = war.side_of(OTTOMAN_EMPIRE), enemies(war, OTTOMAN_EMPIRE)
    own = empire.empire_areas(play.tables, play.state, war)
    invaded = any(u.power in foes for area in own for u in units_at(play.state, area))  # by fleets, too
    places = own | {empire.egypt_area(play.tables)}
    stands = any(empire.armies_in(play.state, area, (OTTOMAN_EMPIRE,)) for area in places)
    if not invaded and not stands:
        _end_in_stalemate(play, war)
    elif not invaded:
        decide_war(play, war, OTTOMANS_WON, number, ("OTT-014", "OTT-015"))
    elif not stands:
        victor = next(n for n, side in enumerate(war.alliances, start=1) if side and n != number)
        decide_war(play, war, OTTOMANS_BEATEN, victor, ("OTT-014", "OTT-016"))
    elif not war.attacked and war.quiet + 1 >= QUIET_CYCLES:
        _end_in_stalemate(play, war)
    elif (demand := _ottoman_end_demand(play.tables, play.state, war)).entitled:
        ask_for_end(play, war, demand)


def _end_in_stalemate(play: Transaction, war: War) -> None:
    """End the War without a victor: the Empire's enemies lose their markers where only Ottoman Armies are."""
    decide_war(play, war, STALEMATE, 0, ("OTT-014", "WEN-032"))
    lost = [
        area
        for area in sorted(empire.empire_areas(play.tables, play.state, war))
        if empire.armies_in(play.state, area, (OTTOMAN_EMPIRE,)) and not empire.is_pinned_down(play.state, war, area)
    ]
    clear_enemy_markers(play, war, lost, ("WEN-032",))


def unreachable_areas(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """Return the Areas that the Empire's Armies cannot reach, because a neutral holds Egypt: Tripoli.

    Rules: OTT-022
    """
    found = distances((heart_area(tables),), lambda area: empire.empire_steps(tables, state, war, area))
    return tuple(sorted(empire.empire_areas(tables, state, war).difference(found)))


def _ottoman_end_demand(tables: Tables, state: State, war: War) -> EndDemand:
    """Return the Powers that may demand the end now: enemies in an Area that the Empire's Armies cannot reach."""
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
    """Demand the end or not. A demand stands unless another entitled Power objects.

    Rules: OTT-023, OTT-024 (R-OTT-08, R-OTT-13)
    """
    war = next(w for w in play.state.wars if w.id == about.war)
    kept = unreachable_areas(play.tables, play.state, war)
    by = take_demand_answer(play, war, choice, about, words, _ottoman_end_demand(play.tables, play.state, war))
    if by:
        decide_war(play, war, CUT_OFF, 0, ("OTT-023",), by)
        areas = sorted(empire.empire_areas(play.tables, play.state, war))
        clear_enemy_markers(play, war, [area for area in areas if area not in kept], ("OTT-024",))


def clear_enemy_markers(play: Transaction, war: War, areas: Iterable[str], rules: tuple[str, ...]) -> None:
    """Remove the Status markers of the Empire's enemies from some Areas, without tension; neutrals keep theirs.

    Rules: OTT-015, OTT-024 (R-OTT-08)
    """
    foes = enemies(war, OTTOMAN_EMPIRE)
    for area in areas:
        for m in area_state(play.state, area).markers:
            if m.power in foes:
                play.lower(area, m.power, m.marker, "", "the Ottoman Empire has prevailed", rules, None, m.established)


def resolve_ottoman_war(play: Transaction, war: War) -> None:
    """Resolve an Ottoman War before spoils are divided.

    If the Empire's side has won, its enemies lose their markers in the Empire. Its Armies leave the map, except one in
    each of its possessions.

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
        removed = armies[1:] if controls(play.state, place, OTTOMAN_EMPIRE) else armies
        if removed:
            names = tuple(u.name for u in removed)
            play.emit(
                events.UnitsLost(
                    power=OTTOMAN_EMPIRE, units=names, place=place, reason=OTTOMAN_WAR_OVER, rules=("OTT-012",)
                )
            )


ACTS: ActTable = {actions.AnnounceEnd: {"war": announce_end}}
