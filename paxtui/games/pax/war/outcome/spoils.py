"""Spoils of a War: markers that the victors place, and quarrels between them.

The Areas are divided one by one, the best Economic Value first. After a victory these are the Areas that the victors
have conquered or can reach; after a Stalemate or an announced end, those that each side has conquered. Different
demands of Great Powers of one Alliance are a quarrel: each gets a Casus Belli against the others. A Congress of Europe
follows the War Phase (`congress.calling`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from paxtui.games.pax import casus_belli
from paxtui.games.pax.board import status
from paxtui.games.pax.board.adjacency import area_type
from paxtui.games.pax.board.status import area_state, controllers, established, level
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat import ottoman_expansion
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion.status_change import raise_resentment
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import (
    CONTROL,
    FULL_CONTROL,
    INFLUENCE,
    INTEREST,
    LEVEL,
    OTTOMAN_EMPIRE,
    POSSESSION,
    PROTECTORATE,
    Marker,
)
from paxtui.games.pax.state.questions import Pending, Spoils
from paxtui.games.pax.state.war import OTTOMAN, REBELLION, War
from paxtui.games.pax.text.display import place_name
from paxtui.games.pax.transaction import Transaction, single_answer
from paxtui.games.pax.war import calls, empire
from paxtui.games.pax.war.alliances import current_form, unallied_empire
from paxtui.games.pax.war.campaign.maneuver import can_reach
from paxtui.games.pax.war.outcome.ends import ANNOUNCED, NO_UNITS, OCCUPIED, OTTOMANS_BEATEN, PEACE, STALEMATE

PLACED_MARKERS = (POSSESSION, PROTECTORATE, INFLUENCE, INTEREST)
"""Markers that victors may place."""
SHARED_MARKERS = (POSSESSION, PROTECTORATE)
"""Markers that victors may share."""
VICTORIOUS_ENDS = (NO_UNITS, OCCUPIED)
EVEN_ENDS = (STALEMATE, ANNOUNCED)


def record_quarrel(play: Transaction, war: War, side: int, area: str, demanding: tuple[str, ...]) -> None:
    """Record that Great Powers of an Alliance quarrel over an Area; the losers keep at most an Influence there.

    Args: number of the Alliance; `demanding`: its Powers that have demanded something of the Area.
    Rules: WEN-042 (R-WEN-08, Decision 68)
    """
    for m in area_state(play.state, area).markers:
        if m.established and m.marker in CONTROL and war.is_against(m.power, side):
            play.lower(area, m.power, m.marker, INFLUENCE, "the victors quarrel", ("WEN-042",), None)
    members = [p for p in war.alliance(side) if p in play.state.powers]
    for holder in members:
        for against in members:
            casus_belli.create_casus_belli(
                play,
                holder,
                against,
                area,
                casus_belli.SPOILS,
                ("WEN-042", "WEN-043"),
                demanded=holder in demanding,
            )


class SpoilsDemand(NamedTuple):
    """Demand of a victor for an Area: a marker for a Power, or for several that share the Area."""

    marker: str
    powers: tuple[str, ...]


def spoils_due(tables: Tables, state: State, war: War) -> Iterator[tuple[int, str]]:
    """Return the Areas still to be divided, the best first, with the Alliance that takes each.

    If the Ottoman Empire had no ally, these are only the Areas over which the War began. In a War over the Empire's
    expansion no other Ottoman Area is included. A peace divides nothing but what was conquered from an Alliance that
    had been defeated before.

    Rules: EVT-036, WEN-040, WEN-044, WEN-053, OTT-013, OTT-016, OTT-017 (R-WEN-04, R-OTT-07, R-OTT-15)
    """
    if war.outcome == OTTOMANS_BEATEN:
        yield from ((war.victor, area) for area in war.over if area in state.areas and area not in war.divided)
        return
    if war.kind == REBELLION or unallied_empire(state, war) or war.outcome not in (*VICTORIOUS_ENDS, *EVEN_ENDS, PEACE):
        return
    for area in sorted(state.areas, key=lambda a: (-tables.areas[a].value, a)):
        if area in war.divided:
            continue
        side = war.conqueror(area)
        holders = controllers(state, area)
        if war.outcome == PEACE:
            side = side if any(p in war.beaten for p in holders) and not any(map(war.side_of, holders)) else 0
        elif war.outcome in VICTORIOUS_ENDS:
            lost = any(war.is_against(p, war.victor) for p in holders)
            if war.side_of(OTTOMAN_EMPIRE) not in (0, war.victor):
                lost = lost or empire.is_unmarked(tables, state, war, area)
            lost = lost and not empire.is_spared(tables, state, war, war.victor, area)
            reached = lost and can_reach(tables, state, war, war.victor, area)
            side = war.victor if side == war.victor or reached else 0
        if side and played_victors(state, war, side):
            yield side, area


def played_victors(state: State, war: War, side: int) -> tuple[str, ...]:
    """Return the Powers of an Alliance with a player: they decide about its spoils."""
    return tuple(p for p in war.alliance(side) if p in state.powers)


def divide_spoils(play: Transaction, war: War) -> bool:
    """Ask about the next Area; return whether no question is left. Rules: WEN-040, WEN-041, WEN-044."""
    first = next(spoils_due(play.tables, play.state, war), None)
    return first is None or not _ask_victor(play, war, *first, {})


def possible_demands(tables: Tables, state: State, war: War, side: int, area: str) -> dict[str, SpoilsDemand]:
    """Return the possible demands for an Area by their texts, as its victors would name them for one of them.

    A victor that has a share of the Area already may demand it alone, so that the losers' shares go.

    Rules: WEN-041, WEN-047, WEN-054 (R-WEN-06, R-WEN-07, R-WEN-16)
    """
    found: dict[str, SpoilsDemand] = {}
    members = tuple(p for p in war.alliance(side) if p not in empire.EMPIRES)  # these have no markers to place
    shared = area_state(state, area).codominion
    keepers = [p for p in members if p in shared and not all(_is_marker_kept(war, other, area) for other in shared)]

    def can_place(power: str, marker: str) -> bool:
        own = established(state, area, power)
        keeps = power in keepers and own is not None and own.marker == marker
        return keeps or has_free_piece(tables, state, power, area, marker)

    others = tuple(p for p in (*state.powers, *state.minors) if p not in members)
    for power in (*members, *(others if state.options.spoils_any_marker else ())):
        for marker in PLACED_MARKERS:
            if (power in state.powers or marker == POSSESSION) and can_place(power, marker):
                demand = SpoilsDemand(marker, (power,))
                if is_legal_division(state, war, area, demand):
                    found[f"{power}: place {marker} {area}"] = demand
    sets = [pair for n in range(2, len(members) + 1) for pair in combinations(members, n)]
    for marker in SHARED_MARKERS:
        for powers in sets:
            new = [p for p in powers if can_place(p, marker)]
            demand = SpoilsDemand(marker, powers)
            present = [p for p in powers if (own := established(state, area, p)) and own.marker == marker]
            if new and all(p in new or p in present for p in powers):
                if is_legal_division(state, war, area, demand):
                    found[f"codominion {marker} of {' '.join(powers)} {area}"] = demand
    return found


def demands_by_victor(
    tables: Tables, state: State, war: War, side: int, area: str, answers: dict[str, tuple[str, ...]]
) -> dict[str, SpoilsDemand]:
    """Return the demand of each victor from its answer; victors that leave the Area to the others are left out.

    Rules: WEN-041
    """
    known = possible_demands(tables, state, war, side, area)
    texts = {power: words[0] if words[0] in known else f"{power}: {words[0]}" for power, words in answers.items()}
    return {power: known[text] for power, text in texts.items() if text in known}


def is_legal_division(state: State, war: War, area: str, *demanded: SpoilsDemand) -> bool:
    """Return whether the demanded markers are compatible with each other and with the markers that stay.

    An Influence cannot stay with Control, or an Interest with a Possession, State or Dominion. Of two demands, each
    gives one Power one marker, and at most one gives Control: to share an Area, victors demand a Codominion.

    Rules: WEN-041, STA-012, STA-013 (L342, L345, L394, L814, Decision 59)
    """
    new = [(power, demand.marker) for demand in demanded for power in demand.powers]
    if len({power for power, _ in new}) < len(new) or sum(demand.marker in CONTROL for demand in demanded) > 1:
        return False
    stays = [(m.power, to) for m, to in _markers_left(state, war, area, demanded) if to in CONTROL]
    for power, marker in new:
        control = {other for holder, other in (*stays, *new) if holder != power and other in CONTROL}
        if (marker == INFLUENCE and control) or (marker == INTEREST and control.intersection(FULL_CONTROL)):
            return False
    return True


def is_quarrel(state: State, war: War, area: str, demanded: Iterable[SpoilsDemand]) -> bool:
    """Return whether the victors' demands cannot all be granted. Rules: WEN-041, WEN-042 (L814, Decision 59)."""
    different = tuple(dict.fromkeys(demanded))
    return len(different) > 1 and not is_legal_division(state, war, area, *different)


def has_free_piece(tables: Tables, state: State, power: str, area: str, marker: str) -> bool:
    """Return whether a Power can place a marker in the Area: it has none of this kind there, and a free piece.

    Rules: SET-039, WEN-041 (R-WEN-06)
    """
    own = established(state, area, power)
    if own and level(own) >= LEVEL[marker]:
        return False
    pool = tables.markers[marker].pool
    flips = own is not None and tables.markers[own.marker].pool == pool
    return flips or status.free_pieces(tables, state, power, pool) > 0


def _ask_victor(play: Transaction, war: War, side: int, area: str, answers: dict[str, tuple[str, ...]]) -> bool:
    """Ask the next victor about an Area; return whether there was one.

    Two Powers of one player cannot quarrel.

    Rules: WEN-041, WEN-042, AUS-006
    """
    next_power = next((p for p in played_victors(play.state, war, side) if p not in answers), None)
    if next_power is None:
        _settle_area(play, war, side, area, answers)
        return False
    own = f"{next_power}: "
    seat = status.seat_of(play.tables, play.state, next_power)
    before = {p: words for p, words in answers.items() if status.seat_of(play.tables, play.state, p) == seat}
    given = demands_by_victor(play.tables, play.state, war, side, area, before).values()
    known = possible_demands(play.tables, play.state, war, side, area)
    texts = tuple(
        text.removeprefix(own)
        for text, demand in known.items()
        if not is_quarrel(play.state, war, area, (*given, demand))
    )
    leave = f"leave {area}"
    where = place_name(play.tables, area)
    answers_text = "; ".join(f"{power}: {' '.join(words)}" for power, words in answers.items())
    play.offer(
        next_power,
        Spoils(war=war.id, said=answers),
        (*texts, leave),
        leave,
        area,
        f"Spoils of War: what is placed in {where}?" + (f" Said so far: {answers_text}." if answers_text else ""),
        ("WEN-040", "WEN-041"),
    )
    return True


def answer_spoils(play: Transaction, choice: Pending, about: Spoils, words: tuple[str, ...]) -> None:
    """Demand a marker in an Area. After the last answer the markers are placed, or the victors quarrel.

    Rules: WEN-041, WEN-042
    """
    single_answer(choice, words)
    war = next(w for w in play.state.wars if w.id == about.war)
    side = war.side_of(choice.power)
    if not _ask_victor(play, war, side, choice.area, {**about.said, choice.power: words}):
        divide_spoils(play, current_form(play.state, war))


def _settle_area(play: Transaction, war: War, side: int, area: str, answers: dict[str, tuple[str, ...]]) -> None:
    """Carry out the victors' answers for an Area. A victor that leaves it agrees to the other demands."""
    wanted = demands_by_victor(play.tables, play.state, war, side, area, answers)
    play.emit(events.SpoilsDivided(war=war.id, area=area, rules=("WEN-040", "WEN-041")))
    if is_quarrel(play.state, war, area, wanted.values()):
        record_quarrel(play, war, side, area, tuple(wanted))
    elif wanted:
        place_spoils(play, war, area, *dict.fromkeys(wanted.values()))


def place_spoils(play: Transaction, war: War, area: str, *demanded: SpoilsDemand) -> None:
    """Place the victors' markers in an Area for free, and remove conflicting markers without tension.

    Control of neutrals in a Codominion stays, and the victor joins it. A new marker in China raises Chinese Resentment.

    Rules: WEN-041, WEN-054, WEN-055, WCD-006, CRI-001 (R-WCD-01, R-WEN-07, R-WEN-15, R-CRI-07)
    """
    rules = ("WEN-041", "WEN-055")
    for m, to in _markers_left(play.state, war, area, demanded):
        if to != m.marker:
            play.lower(area, m.power, m.marker, to, "spoils of War", rules, None)
            if m.power == OTTOMAN_EMPIRE:
                ottoman_expansion.dissolve_armies(play, area, "EVT-034")
    for power, marker in ((power, demand.marker) for demand in demanded for power in demand.powers):
        own = established(play.state, area, power)
        if own and own.marker == marker:
            continue
        play.establish(area, power, marker, own, rules)
        raise_resentment(play, power, area, marker, own)
        if not (own and own.marker in CONTROL):
            if war.kind != OTTOMAN and area_type(play.tables, play.state, area) == OTTOMAN:  # a War in the next turn
                play.emit(events.WarDue(war="ottoman_next", power=power, area=area, rules=("OTT-002", "OTT-036")))
        calls.record_profit(play, war, power)
    holders = controllers(play.state, area)
    shared = holders if len(holders) > 1 else ()
    if set(shared) != set(area_state(play.state, area).codominion):
        play.emit(events.CodominionSet(area=area, powers=shared, rules=("WEN-041", "WCD-006")))


def _markers_left(state: State, war: War, area: str, demanded: tuple[SpoilsDemand, ...]) -> list[tuple[Marker, str]]:
    """Return the markers in an Area, each with what the demanded markers leave of it ("" for nothing)."""
    receivers = {power for demand in demanded for power in demand.powers}
    highest = max((demand.marker for demand in demanded), key=LEVEL.__getitem__)
    found = []
    for m in area_state(state, area).markers:
        stays = m.power in receivers or (m.marker in CONTROL and _is_marker_kept(war, m.power, area))
        found.append((m, m.marker if stays or not m.established else _marker_left(m.marker, highest)))
    return found


def _is_marker_kept(war: War, power: str, area: str) -> bool:
    """Return whether a Control marker stays: that of a neutral, or a victor's own.

    A Power that has left the War by a separate peace is a neutral.

    Rules: SUP-029, WCD-006, WEN-037
    """
    side = war.side_of(power)
    return (not side and power not in war.beaten) or side == (war.conqueror(area) or war.victor)


def _marker_left(marker: str, placed: str) -> str:
    """Return what is left of another Power's marker when a victor places a new one, "" for nothing.

    Rules: WEN-055, STA-053
    """
    if marker in CONTROL or placed in FULL_CONTROL:
        return ""
    if placed in CONTROL and marker == INFLUENCE:
        return INTEREST
    return marker


def reduce_conflicts(play: Transaction, war: War) -> None:
    """Lower incompatible markers of enemies that the War leaves in an Area, if no Treaty settles it.

    In an Area that one side has conquered or won, its markers prevail. Elsewhere Control against Control becomes
    Influence on all sides, and an Influence beside enemy Control is lowered. No tensions rise.

    Rules: WEN-055, WEN-056, NEG-006 (R-WAR-02, R-WEN-15)
    """
    for area in play.state.areas:
        winner = war.conqueror(area) or (war.victor if area in war.divided else 0)
        if winner:
            _apply_victory(play, war, area, winner)
        else:
            _reduce_to_influence(play, war, area)
        _lower_influences(play, war, area)


def _contending_markers(play: Transaction, war: War, area: str) -> list[tuple[int | str, Marker]]:
    """Return established Control and Influences in an Area without a Codominion, with the side of each owner.

    The side is 0 for a neutral; a Power that has left the War is a side of its own.
    """
    here = area_state(play.state, area)
    found = [m for m in here.markers if m.established and (m.marker in CONTROL or m.marker == INFLUENCE)]
    return [
        (war.side_of(m.power) or (m.power if m.power in war.left else 0), m)
        for m in found
        if m.power not in here.codominion
    ]


def _apply_victory(play: Transaction, war: War, area: str, winner: int) -> None:
    """Lower or remove the losers' markers that are incompatible with the winners' own markers."""
    there = _contending_markers(play, war, area)
    best = max((m.marker for side, m in there if side == winner), key=LEVEL.__getitem__, default="")
    for side, m in there:
        if best and side not in (0, winner):
            left = INFLUENCE if m.marker in CONTROL else m.marker
            _lower_marker(play, area, m, _marker_left(m.marker, best) if best in CONTROL else left, ("WEN-055",))


def _reduce_to_influence(play: Transaction, war: War, area: str) -> None:
    """Lower Control of several sides to Influence in an Area that no side has conquered."""
    contenders = [(side, m) for side, m in _contending_markers(play, war, area) if m.marker in CONTROL]
    if len({side for side, _ in contenders} - {0}) < 2 or any(m.marker not in SHARED_MARKERS for _, m in contenders):
        return
    for _, m in contenders:
        _lower_marker(play, area, m, INFLUENCE, ("WEN-056",))


def _lower_influences(play: Transaction, war: War, area: str) -> None:
    """Lower an Influence beside the Control of an enemy that the War has not taken."""
    there = _contending_markers(play, war, area)
    for side, m in there:
        foes = [c.marker for other, c in there if c.marker in CONTROL and other != side and 0 not in (side, other)]
        if m.marker == INFLUENCE and foes:
            _lower_marker(
                play, area, m, _marker_left(INFLUENCE, max(foes, key=LEVEL.__getitem__)), ("NEG-006", "WEN-055")
            )


def _lower_marker(play: Transaction, area: str, marker: Marker, to: str, rules: tuple[str, ...]) -> None:
    """Lower a marker as an outcome of a War, without tension."""
    if to != marker.marker:
        play.lower(area, marker.power, marker.marker, to, "the outcome of the War", rules, None)
        if marker.power == OTTOMAN_EMPIRE:
            ottoman_expansion.dissolve_armies(play, area, "EVT-034")
