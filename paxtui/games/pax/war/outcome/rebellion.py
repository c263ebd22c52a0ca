"""The Chinese Rebellion: its start and its Armies, end tests, announced end on an island, and cessions of China.

After a victory each Great Power with Army Units in China demands one defeated Area, in turn. If there are enough Areas,
each gets its own. Otherwise the demands are one list: all sign it, or China cedes nothing. A Treaty known to all
records the cessions.

Rules: R-WEN-13
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.games.pax import visibility
from paxtui.games.pax.board.status import area_state, established, is_chinese, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.status_change import raise_resentment
from paxtui.games.pax.state.diplomacy import TREATY, Clause, Treaty
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.pieces import CHINA, CONTROL, INFLUENCE, INTEREST, POSSESSION, PROTECTORATE
from paxtui.games.pax.state.questions import Announce, Cession, Cessions, Pending
from paxtui.games.pax.state.war import REBELLION, War
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.transaction import Transaction, single_answer, void_choices
from paxtui.games.pax.treaties import lookup
from paxtui.games.pax.war import empire
from paxtui.games.pax.war.alliances import commanders, regents
from paxtui.games.pax.war.outcome import ends
from paxtui.games.pax.war.outcome.ends import (
    QUIET_CYCLES,
    STALEMATE,
    EndDemand,
    EntitledPower,
    decide_war,
    remaining_sides,
)
from paxtui.games.pax.war.outcome.spoils import has_free_piece

REBELS_WON, REBELS_BEATEN, ISLAND_END = "rebels_won", "rebels_beaten", "island"
"""Ends of a Rebellion: China has won, the colonial Powers have won, and the end that Powers on an island announce."""

Rules = tuple[str, ...]
NO_DEMAND, SIGN_LIST, REJECT_LIST = "none", "sign", "reject"
"""Answers that demand nothing, and answers to the list."""
CEDED_MARKERS = (PROTECTORATE, POSSESSION)
"""Control markers from which the receiver chooses one."""
FIRST_CLAIMANTS = ("russia", "japan")
"""Minor Powers in the order of their demands; others follow (REB-045)."""
MAX_ROLLS = 100
"""Maximum number of rolls for the Area of one Army; then the Army is not placed (R-REB-01)."""


def rebellion_members(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the Powers, Great and Minor, with an Influence or Control marker in an Area of China or its Vassals.

    Rules: REB-003, REB-049
    """
    found = {
        m.power
        for area, here in state.areas.items()
        if here.markers and is_chinese(tables, state, area)
        for m in here.markers
        if m.established and (m.marker in CONTROL or m.marker == INFLUENCE)
    }
    return tuple(p for p in tables.powers if p in found)


def open_rebellion(play: Transaction) -> None:
    """Begin the Chinese Rebellion of this turn, if there is one. Its members stay the same until it ends.

    If no Power has more than an Interest to defend, the Rebellion wins without a fight.

    Rules: CRI-003, REB-001, REB-002, REB-003, REB-048, REB-049, REB-054 (R-REB-10, R-REB-25)
    """
    state = play.state
    if not state.rebellion:
        return
    colonial = rebellion_members(play.tables, state)
    war = War(
        f"w{state.next_war}",
        ((CHINA,), colonial) if colonial else ((CHINA,),),
        kind=REBELLION,
        commands=regents(state, colonial),
    )
    play.emit(events.WarArose(war=war, rules=("REB-001", "REB-002", "REB-003")))
    if not colonial:
        record_china_won(play, war, ("REB-054",))


def place_rebel_armies(play: Transaction, war: War) -> None:
    """Roll one die for the number of Chinese Armies, and two dice for the Area of each.

    Rules: REB-006, REB-007, REB-008 (R-REB-02)
    """
    number = play.dice.roll()
    play.emit(events.ArmiesRolled(war=war.id, die=number, rules=("REB-006",)))
    for _ in range(number):
        _place_rebel_army(play, war)


def _place_rebel_army(play: Transaction, war: War) -> None:
    """Place one Army by two dice; roll again for an Area that holds a Possession."""
    throws: list[tuple[int, ...]] = []
    area = ""
    while not area and len(throws) < MAX_ROLLS:
        throws.append(play.dice.roll_many(2))
        rolled = play.tables.chinese_armies[sum(throws[-1])]
        if not any(m.established and m.marker == POSSESSION for m in play.state.areas[rolled].markers):
            area = rolled
    play.emit(events.ArmyRolled(war=war.id, dice=tuple(throws), area=area, rules=("REB-007", "REB-008")))
    if area:
        unit = f"A{play.tables.other_armies.strength}"
        play.emit(events.UnitsBuilt(power=CHINA, units=(unit,), place=area, rules=("REB-006", "REB-007")))


def colonial_areas(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """Return the Areas of China with Army Units of the colonial Powers. Rules: REB-031, REB-037."""
    areas = empire.empire_areas(tables, state, war)
    return tuple(a for a in state.areas if a in areas and empire.is_pinned_down(state, war, a))


def island_areas(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """Return the Areas of China without an Overland Route to others: Chinese Armies cannot go there. Rules: REB-033."""
    areas, routes = empire.empire_areas(tables, state, war), empire.empire_routes(tables, state, war)
    return tuple(a for a in state.areas if a in areas and not routes.get(a))


def test_rebellion_end(play: Transaction, war: War) -> None:
    """Make the end tests of a Rebellion, which cannot be waived: it is decided, a seat is asked, or it continues.

    Rules: REB-031, REB-033, REB-035, REB-053, REB-057, REB-058 (R-REB-17, R-REB-18, R-REB-21, Decisions 10, 24, 28)
    """
    occupied = colonial_areas(play.tables, play.state, war)
    risen = any(u.power == CHINA for here in play.state.areas.values() for u in here.units)
    cut_off = bool(occupied) and set(occupied) <= set(island_areas(play.tables, play.state, war))
    if not occupied and not risen:
        _end_in_stalemate(play, war, False, ("REB-031", "REB-035", "REB-057"))
    elif not occupied:
        record_china_won(play, war, ("REB-031", "REB-032"))
    elif not risen:
        victor = next(n for n in remaining_sides(war) if n != war.side_of(CHINA))
        decide_war(play, war, REBELS_BEATEN, victor, ("REB-035", "REB-036"))
        _restore_china(play, war, None, ("REB-036",))
    elif not war.attacked and war.quiet + 1 >= QUIET_CYCLES:
        _end_in_stalemate(play, war, cut_off, ("REB-057",))
    elif cut_off:
        ends.ask_for_end(play, war, _rebellion_end_demand(play.tables, play.state, war))


def record_china_won(play: Transaction, war: War, rules: Rules) -> None:
    """Record the victory of China: all Status markers in it are removed. Rules: REB-031, REB-032, REB-054."""
    decide_war(play, war, REBELS_WON, war.side_of(CHINA), rules)
    _restore_china(play, war, (), ("REB-032",))


def _end_in_stalemate(play: Transaction, war: War, cut_off: bool, rules: Rules) -> None:
    """End the Rebellion without a victor: all markers stay, or only those of the island."""
    decide_war(play, war, STALEMATE, 0, rules)
    kept = island_areas(play.tables, play.state, war) if cut_off else None
    _restore_china(play, war, kept, ("REB-057",))


def _restore_china(play: Transaction, war: War, kept: tuple[str, ...] | None, rules: Rules) -> None:
    """Remove the Status markers and Armies of China, and set the Chinese Resentment Index to 0, without tension.

    Markers in the Areas `kept` stay; None keeps all.
    """
    for area in sorted(empire.empire_areas(play.tables, play.state, war)):
        if kept is not None and area not in kept:
            for m in play.state.areas[area].markers:
                play.lower(area, m.power, m.marker, "", "the Rebellion has won", rules, None, m.established)
        units = tuple(u.name for u in units_at(play.state, area) if u.power == CHINA)
        if units:
            play.emit(events.UnitsLost(power=CHINA, units=units, place=area, reason="rebellion_over", rules=rules))
    play.emit(events.ResentmentReset(reason="the Chinese Rebellion is over", rules=rules))


def _rebellion_end_demand(tables: Tables, state: State, war: War) -> EndDemand:
    """Return the Powers that may announce the end of the Rebellion: those with Army Units on the island."""
    found: dict[str, EntitledPower] = {}
    for area in island_areas(tables, state, war):
        for power in war.powers:
            seats = commanders(tables, state, war, power)
            if len(seats) == 1 and empire.armies_in(state, area, (power,)):
                found[power] = EntitledPower(power, seats[0], area)
    where = " and ".join(dict.fromkeys(place_name(tables, entitled.area) for entitled in found.values()))
    return EndDemand(
        tuple(found.values()),
        f"The only colonial armies left in China stand in {where}. Announce the end of the Rebellion? The markers in "
        f"{where} would stay, all others in China would go.",
        f"The end of the Rebellion is announced: the markers in {where} would stay, all others in China would go. Do "
        f"you object?",
        ("REB-033", "REB-034", "WEN-003"),
    )


def answer_rebellion_end(play: Transaction, choice: Pending, about: Announce, words: tuple[str, ...]) -> None:
    """Announce the end or not, as a Power on the island. An announcement stands unless another Power there objects.

    Rules: REB-033, REB-034, WEN-003, WEN-004 (Decision 7)
    """
    war = next(w for w in play.state.wars if w.id == about.war)
    by = ends.take_demand_answer(play, war, choice, about, words, _rebellion_end_demand(play.tables, play.state, war))
    if by:
        decide_war(play, war, ISLAND_END, 0, ("REB-033", "WEN-003"), by)
        kept = island_areas(play.tables, play.state, war)
        _restore_china(play, war, kept, ("REB-034", "WEN-004"))


def record_cession_treaty(play: Transaction, signers: tuple[str, ...], ceded: tuple[tuple[str, ...], ...]) -> None:
    """Record the cessions as a Treaty of the Great Powers that took part in the decision.

    A single Power needs no Treaty.

    Rules: REB-041
    """
    if len(signers) < 2:
        return
    turn = play.state.turn
    clauses = tuple(
        Clause(
            kind="text",
            text=f"China cedes {place_name(play.tables, area)} to {power_name(play.tables, power)} as a {marker}",
        )
        for power, area, marker in ceded
    )
    treaty = Treaty(
        id=visibility.private_id("", turn, signers, ceded),
        name=lookup.propose_name(play.tables, play.state, seat_of(play.tables, play.state, signers[0]), signers),
        form=TREATY,
        drafter=signers[0],
        parties=signers,
        clauses=clauses,
        public=True,
        signed=signers,
        drafted=turn,
    )
    play.emit(events.TreatyDrafted(treaty=treaty, rules=("REB-041",)))
    play.emit(events.TreatyInForce(id=treaty.id, turn=turn, rules=("REB-041",)))


class CededArea(NamedTuple):
    """Area that China cedes to a Power, and the marker placed there."""

    power: str
    area: str
    marker: str


def claimants(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """Return the Powers with Army Units in China, Great Powers before Minor Powers.

    Rules: REB-037, REB-042, REB-044, REB-045
    """
    areas = colonial_areas(tables, state, war)
    there = [p for p in war.powers if p != CHINA and any(empire.armies_in(state, area, (p,)) for area in areas)]
    minors = [p for p in there if p not in state.powers]
    first = [p for p in FIRST_CLAIMANTS if p in minors]
    return (*(p for p in there if p in state.powers), *first, *(p for p in minors if p not in first))


def played_claimants(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """Return the claimants with a player: only they decide. Rules: REB-044."""
    return tuple(p for p in claimants(tables, state, war) if p in state.powers)


def cedable_areas(war: War) -> tuple[str, ...]:
    """Return the defeated Areas that are not decided yet. Rules: REB-038."""
    return tuple(a for a in war.defeated if a not in war.divided)


def possible_cessions(tables: Tables, state: State, power: str, areas: tuple[str, ...]) -> dict[str, CededArea]:
    """Return the possible demands of a Power, by the texts of its answers.

    Rules: REB-038, REB-041, REB-059, SET-039
    """
    return {
        f"place {marker} {area}": CededArea(power, area, marker)
        for area in areas
        for marker in CEDED_MARKERS
        if has_free_piece(tables, state, power, area, marker)
    }


def settle_cessions(play: Transaction, war: War) -> bool:
    """Ask for the next demand if the Powers have won; return whether no question is left.

    Rules: REB-037, REB-044, REB-047
    """
    if war.outcome != REBELS_BEATEN or not cedable_areas(war) or not played_claimants(play.tables, play.state, war):
        return True
    return not _ask_cession(play, war, {})


def _ask_cession(play: Transaction, war: War, answers: dict[str, tuple[str, ...]]) -> bool:
    """Ask the next Great Power for its demand; return whether there was one."""
    next_power = next((p for p in played_claimants(play.tables, play.state, war) if p not in answers), None)
    if next_power is None:
        return _divide_areas(play, war, answers)
    answers_text = "; ".join(f"{power_name(play.tables, p)}: {' '.join(words)}" for p, words in answers.items())
    play.offer(
        next_power,
        Cession(war=war.id, said=answers),
        (*possible_cessions(play.tables, play.state, next_power, cedable_areas(war)), NO_DEMAND),
        NO_DEMAND,
        "",
        "Which defeated Area shall China cede to you, under which marker? It costs nothing."
        + (f" Said so far: {answers_text}." if answers_text else ""),
        ("REB-037", "REB-038", "REB-041"),
    )
    return True


def answer_cession(play: Transaction, choice: Pending, about: Cession, words: tuple[str, ...]) -> None:
    """Demand an Area or none. After the last answer the Areas are ceded, or the seats sign the list.

    Rules: REB-037, REB-039, REB-040, REB-043
    """
    single_answer(choice, words)
    war = next(w for w in play.state.wars if w.id == about.war)
    _ask_cession(play, war, {**about.said, choice.power: words})


def _divide_areas(play: Transaction, war: War, answers: dict[str, tuple[str, ...]]) -> bool:
    """Cede the Areas if there are enough and no two Powers want the same; otherwise ask for signatures of the list.

    Returns whether the list must be signed.
    """
    tables, state = play.tables, play.state
    areas, powers = cedable_areas(war), claimants(tables, state, war)
    demands = [
        possible_cessions(tables, state, p, areas)[words[0]] for p, words in answers.items() if words[0] != NO_DEMAND
    ]
    wanted = [demand.area for demand in demands]
    first: dict[str, CededArea] = {}
    for demand in demands:
        first.setdefault(demand.area, demand)
    list_ = _with_minor_cessions(tables, state, war, list(first.values()))
    if not list_:
        _close_cessions(play, war)
        return False
    if len(areas) >= len(powers) and len(set(wanted)) == len(wanted):
        _cede_areas(play, war, list_)
        return False
    text = ", ".join(f"{place_name(tables, c.area)} to {power_name(tables, c.power)} ({c.marker})" for c in list_)
    for power in played_claimants(tables, state, war):
        play.offer(
            power,
            Cessions(war=war.id, cessions=tuple((c.power, c.area, c.marker) for c in list_)),
            (SIGN_LIST, REJECT_LIST),
            REJECT_LIST,
            "",
            f"The cessions demanded of China: {text}. All have to sign, or nothing is ceded.",
            ("REB-039", "REB-043", "REB-044"),
        )
    return True


def _with_minor_cessions(tables: Tables, state: State, war: War, ceded: list[CededArea]) -> list[CededArea]:
    """Add the cessions to Minor Powers: a Possession in the best Area left, by Economic Value.

    If no Great Power takes an Area, no Minor Power gets one.
    """
    out = list(ceded)
    for power in claimants(tables, state, war) if ceded else ():
        taken = {c.area for c in out}
        left = [a for a in cedable_areas(war) if a not in taken and has_free_piece(tables, state, power, a, POSSESSION)]
        if power not in state.powers and left:
            best = min(left, key=lambda a: (-tables.areas[a].value, a))
            out.append(CededArea(power, best, POSSESSION))
    return out


def answer_cessions(play: Transaction, choice: Pending, about: Cessions, words: tuple[str, ...]) -> None:
    """Sign the list or not; one refusal is enough, and China cedes nothing.

    Rules: REB-043, REB-044, REB-046, REB-047 (Decision 53)
    """
    answer = single_answer(choice, words)
    war = next(w for w in play.state.wars if w.id == about.war)
    others = [c for c in play.state.choices if isinstance(c.about, Cessions) and c.about.war == war.id]
    if answer == REJECT_LIST:
        void_choices(play, others, "REB-043")
        _close_cessions(play, war)
    elif not others:
        _cede_areas(play, war, [CededArea(*row) for row in about.cessions])


def _cede_areas(play: Transaction, war: War, list_: list[CededArea]) -> None:
    """Cede the Areas of the list and record a Treaty; all other questions are closed."""
    signers = played_claimants(play.tables, play.state, war)
    _close_cessions(play, war)
    for ceded in list_:
        place_ceded_marker(play, war, ceded)
    record_cession_treaty(play, signers, tuple(tuple(c) for c in list_))


def _close_cessions(play: Transaction, war: War) -> None:
    for area in cedable_areas(war):
        play.emit(events.SpoilsDivided(war=war.id, area=area, rules=("REB-038", "REB-043")))


def place_ceded_marker(play: Transaction, war: War, ceded: CededArea) -> None:
    """Place a free marker in a ceded Area, remove conflicting markers without tension, and raise Chinese Resentment.

    Rules: REB-041, REB-059, CRI-010, CRI-011 (R-REB-12, R-CRI-07)
    """
    power, area, marker = ceded
    removed_kinds = (INFLUENCE, INTEREST) if marker == POSSESSION else (INFLUENCE,)
    for m in area_state(play.state, area).markers:
        if m.power != power and m.marker in removed_kinds:
            play.lower(area, m.power, m.marker, "", "ceded by China", ("REB-059",), None, m.established)
    own = established(play.state, area, power)
    play.emit(events.AreaCeded(war=war.id, power=power, area=area, marker=marker, rules=("REB-041", "REB-059")))
    play.establish(area, power, marker, own, ("REB-041",))
    raise_resentment(play, power, area, marker, own, "CRI-010", "CRI-011")
