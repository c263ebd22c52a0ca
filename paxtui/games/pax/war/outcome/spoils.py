"""The spoils of a War: Area by Area, the best Economic Value first, what the victors place there.

After a victory the Areas that the victors have conquered or could reach, after a Stalemate and an announced end those
that each side has conquered. What Great Powers of one Alliance demand differently is a quarrel.

Rules: WEN-040 to WEN-044, WEN-047, WEN-053, WEN-054, WEN-055, ETI-013 (R-WCD-01, R-WEN-04, R-WEN-06, R-WEN-07,
R-WEN-15)

Victors who cannot agree on the spoils: a Casus Belli for each against the others, and a Congress of Europe.

The Congress is called when the War Phase is over (`congress.calling`); by its Treaty one of them grants the Area to
another, or they share it (`diplomacy.sharing.won`).

Rules: WEN-042, WEN-043 (R-WEN-08)
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
from paxtui.games.pax.war.alliances import unallied_empire
from paxtui.games.pax.war.campaign.maneuver import can_reach
from paxtui.games.pax.war.outcome.ends import ANNOUNCED, NO_UNITS, OCCUPIED, OTTOMANS_BEATEN, STALEMATE


def record_quarrel(play: Transaction, war: War, side: int, area: str, demanding: tuple[str, ...]) -> None:
    """Note that the Great Powers of an Alliance quarrel over an Area: the losers keep an Influence there at most.

    Args: the Alliance's number; `demanding`: those of its Powers that have demanded something of the Area.
    Rules: WEN-042 (R-WEN-08, Decision 68)
    """
    for m in area_state(play.state, area).markers:
        if m.established and m.marker in CONTROL and war.side_of(m.power) not in (0, side):
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


PLACED_MARKERS = (POSSESSION, PROTECTORATE, INFLUENCE, INTEREST)
"""Markers that victors may place."""
SHARED_MARKERS = (POSSESSION, PROTECTORATE)
"""Markers by which they may share an Area."""

VICTORIOUS_ENDS = (NO_UNITS, OCCUPIED)
EVEN_ENDS = (STALEMATE, ANNOUNCED)


class SpoilsDemand(NamedTuple):
    """What a victor wants of an Area: a marker for a Power, or for several that share the Area."""

    marker: str
    powers: tuple[str, ...]


# --- what there is to divide ----------------------------------------------------------------------------------------


def spoils_due(tables: Tables, state: State, war: War) -> Iterator[tuple[int, str]]:
    """The Areas that are still to be divided, the best first, each with the Alliance that takes it.

    Of an Ottoman Empire that has fought alone only the Areas that the War was about may be disposed of; where it was
    about the Empire's expansion nothing else of it, whoever stood beside it.

    Rules: EVT-036, WEN-040, WEN-044, WEN-053, OTT-013, OTT-016, OTT-017 (R-WEN-04, R-OTT-07, R-OTT-15)
    """
    if war.outcome == OTTOMANS_BEATEN:
        yield from ((war.victor, area) for area in war.over if area in state.areas and area not in war.divided)
        return
    if war.kind == REBELLION or unallied_empire(state, war) or war.outcome not in (*VICTORIOUS_ENDS, *EVEN_ENDS):
        return
    for area in sorted(state.areas, key=lambda a: (-tables.areas[a].value, a)):
        if area in war.divided:
            continue
        side = war.conqueror(area)
        if war.outcome in VICTORIOUS_ENDS:
            lost = any(war.side_of(p) not in (0, war.victor) for p in controllers(state, area))
            if war.side_of(OTTOMAN_EMPIRE) not in (0, war.victor):
                lost = lost or empire.is_unmarked(tables, state, war, area)
            lost = lost and not empire.is_spared(tables, state, war, war.victor, area)
            reached = lost and can_reach(tables, state, war, war.victor, area)
            side = war.victor if side == war.victor or reached else 0
        if side and played_victors(state, war, side):
            yield side, area


def played_victors(state: State, war: War, side: int) -> tuple[str, ...]:
    """The Powers of an Alliance that have a player, and so a say about its spoils."""
    return tuple(p for p in war.alliance(side) if p in state.powers)


def divide_spoils(play: Transaction, war: War) -> bool:
    """Ask about the next Area; whether nothing is left to be asked.

    Rules: WEN-040, WEN-041, WEN-044
    """
    first = next(spoils_due(play.tables, play.state, war), None)
    return first is None or not _ask_victor(play, war, *first, {})


# --- the demands ----------------------------------------------------------------------------------------------------


def possible_demands(tables: Tables, state: State, war: War, side: int, area: str) -> dict[str, SpoilsDemand]:
    """What may be demanded of an Area, by the texts, as its victors would say it for one of them.

    Rules: WEN-041, WEN-047, WEN-054 (R-WEN-06, R-WEN-16)
    """
    found: dict[str, SpoilsDemand] = {}
    members = tuple(p for p in war.alliance(side) if p not in empire.EMPIRES)  # these have no markers to place
    others = tuple(p for p in (*state.powers, *state.minors) if p not in members)
    for power in (*members, *(others if state.options.spoils_any_marker else ())):
        for marker in PLACED_MARKERS:
            if (power in state.powers or marker == POSSESSION) and has_free_piece(tables, state, power, area, marker):
                demand = SpoilsDemand(marker, (power,))
                if is_legal_division(state, war, area, demand):
                    found[f"{power}: place {marker} {area}"] = demand
    sets = [pair for n in range(2, len(members) + 1) for pair in combinations(members, n)]
    for marker in SHARED_MARKERS:
        for powers in sets:
            new = [p for p in powers if has_free_piece(tables, state, p, area, marker)]
            demand = SpoilsDemand(marker, powers)
            if new and all(p in new or _has_marker(state, p, area, marker) for p in powers):
                if is_legal_division(state, war, area, demand):
                    found[f"codominion {marker} of {' '.join(powers)} {area}"] = demand
    return found


def demands_by_victor(
    tables: Tables, state: State, war: War, side: int, area: str, said: dict[str, tuple[str, ...]]
) -> dict[str, SpoilsDemand]:
    """What each victor wants of an Area by what he has said; who leaves it to the others is not among them.

    Rules: WEN-041
    """
    known = possible_demands(tables, state, war, side, area)
    texts = {power: words[0] if words[0] in known else f"{power}: {words[0]}" for power, words in said.items()}
    return {power: known[text] for power, text in texts.items() if text in known}


def is_legal_division(state: State, war: War, area: str, *demanded: SpoilsDemand) -> bool:
    """Whether the markers demanded may stand beside each other and beside the markers that stay.

    No Influence beside Control, no Interest beside a Possession, State or Dominion. Two demands give each Power one
    marker, and Control to one of them only: victors that share an Area demand a Codominion.

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
    """Whether the victors' demands cannot all be granted. Rules: WEN-041, WEN-042 (L814, Decision 59)."""
    different = tuple(dict.fromkeys(demanded))
    return len(different) > 1 and not is_legal_division(state, war, area, *different)


def has_free_piece(tables: Tables, state: State, power: str, area: str, marker: str) -> bool:
    """Whether a Power has no such marker in the Area, and a piece for it. Rules: SET-039, WEN-041 (R-WEN-06)."""
    own = established(state, area, power)
    if own and level(own) >= LEVEL[marker]:
        return False
    pool = tables.markers[marker].pool
    flips = own is not None and tables.markers[own.marker].pool == pool
    return flips or status.free_pieces(tables, state, power, pool) > 0


def _has_marker(state: State, power: str, area: str, marker: str) -> bool:
    """Whether a Power has this very marker in the Area, as one of those who are to share it. Rules: OTT-017."""
    own = established(state, area, power)
    return own is not None and own.marker == marker


def _ask_victor(play: Transaction, war: War, side: int, area: str, said: dict[str, tuple[str, ...]]) -> bool:
    """Ask the next of the victors what is placed in an Area; whether there was one, or all have spoken now.

    Rules: WEN-041
    """
    asked = next((p for p in played_victors(play.state, war, side) if p not in said), None)
    if asked is None:
        _settle_area(play, war, side, area, said)
        return False
    own = f"{asked}: "
    known = possible_demands(play.tables, play.state, war, side, area)
    texts = tuple(text.removeprefix(own) for text in known)
    leave = f"leave {area}"
    where = place_name(play.tables, area)
    heard = "; ".join(f"{power}: {' '.join(words)}" for power, words in said.items())
    play.offer(
        asked,
        Spoils(war=war.id, said=said),
        (*texts, leave),
        leave,
        area,
        f"Spoils of War: what is placed in {where}?" + (f" Said so far: {heard}." if heard else ""),
        ("WEN-040", "WEN-041"),
    )
    return True


def answer_spoils(play: Transaction, choice: Pending, about: Spoils, words: tuple[str, ...]) -> None:
    """A victor says what is placed in an Area; once all have, it is placed, or they quarrel.

    Raises: Refusal `bad_answer`; GameOver.
    Rules: WEN-041, WEN-042
    """
    single_answer(choice, words)
    war = next(w for w in play.state.wars if w.id == about.war)
    side = war.side_of(choice.power)
    if not _ask_victor(play, war, side, choice.area, {**about.said, choice.power: words}):
        divide_spoils(play, next(w for w in play.state.wars if w.id == about.war))


def _settle_area(play: Transaction, war: War, side: int, area: str, said: dict[str, tuple[str, ...]]) -> None:
    """What the victors have said of an Area is done; who leaves it agrees to what the others demand.

    Rules: WEN-041, WEN-042, WEN-055 (R-WEN-07, R-WEN-08)
    """
    wanted = demands_by_victor(play.tables, play.state, war, side, area, said)
    play.emit(events.SpoilsDivided(war=war.id, area=area, rules=("WEN-040", "WEN-041")))
    if is_quarrel(play.state, war, area, wanted.values()):
        record_quarrel(play, war, side, area, tuple(wanted))
    elif wanted:
        place_spoils(play, war, area, *dict.fromkeys(wanted.values()))


# --- the markers ----------------------------------------------------------------------------------------------------


def place_spoils(play: Transaction, war: War, area: str, *demanded: SpoilsDemand) -> None:
    """Place the victors' markers in an Area, at no cost, and remove what conflicts with them, without tensions.

    Neutrals' Control in a Codominion stays, and the victor joins it.

    Rules: WEN-041, WEN-054, WEN-055, WCD-006 (R-WCD-01, R-WEN-07, R-WEN-15)
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
        if not (own and own.marker in CONTROL):
            _anger_ottomans(play, war, area, power)
        calls.record_profit(play, war, power)
    held = controllers(play.state, area)
    shared = held if len(held) > 1 else ()
    if set(shared) != set(area_state(play.state, area).codominion):
        play.emit(events.CodominionSet(area=area, powers=shared, rules=("WEN-041", "WCD-006")))


def _markers_left(state: State, war: War, area: str, demanded: tuple[SpoilsDemand, ...]) -> list[tuple[Marker, str]]:
    """The markers in an Area, each with what is left of it ("" for nothing) once the demanded ones are placed."""
    receivers = {power for demand in demanded for power in demand.powers}
    highest = max((demand.marker for demand in demanded), key=LEVEL.__getitem__)
    found = []
    for m in area_state(state, area).markers:
        stays = m.power in receivers or (m.marker in CONTROL and _is_marker_kept(war, m.power, area))
        found.append((m, m.marker if stays or not m.established else _marker_left(m.marker, highest)))
    return found


def _anger_ottomans(play: Transaction, war: War, area: str, power: str) -> None:
    """New Control in the Ottoman Empire, taken as spoils of another War, brings War with it in the next turn.

    Rules: OTT-002, OTT-036 (R-OTT-16)
    """
    if war.kind != OTTOMAN and area_type(play.tables, play.state, area) == OTTOMAN:
        play.emit(events.WarDue(war="ottoman_next", power=power, area=area, rules=("OTT-002", "OTT-036")))


def _is_marker_kept(war: War, power: str, area: str) -> bool:
    """Whether a Control marker outlives the spoils: a neutral's, or a victor's own. Rules: SUP-029, WCD-006."""
    side = war.side_of(power)
    return (not side and power not in war.left) or side == (war.conqueror(area) or war.victor)


def _marker_left(marker: str, placed: str) -> str:
    """What is left of another's marker beside a victor's new one, "" for nothing. Rules: WEN-055, STA-053."""
    if marker in CONTROL or placed in FULL_CONTROL:
        return ""
    if placed in CONTROL and marker == INFLUENCE:
        return INTEREST
    return marker


# --- what cannot stand together ---------------------------------------------------------------------------------------


def reduce_conflicts(play: Transaction, war: War) -> None:
    """Markers of enemies that cannot stand together come down, where the War leaves them so and no Treaty settles it.

    In an Area that one side has conquered, or has won, its own markers prevail. Where nobody has, Control against
    Control becomes Influence on all sides, and an Influence gives way to Control. No tensions rise.

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
    """Established Control and Influences in an Area that no Codominion shares, each with the side of its owner: 0 of a
    neutral, his own name of one who has left the War."""
    here = area_state(play.state, area)
    found = [m for m in here.markers if m.established and (m.marker in CONTROL or m.marker == INFLUENCE)]
    return [
        (m.power if m.power in war.left else war.side_of(m.power), m) for m in found if m.power not in here.codominion
    ]


def _apply_victory(play: Transaction, war: War, area: str, winner: int) -> None:
    """What the losers have beside the winners' own markers goes, or goes down beside an Influence. Rules: WEN-055."""
    there = _contending_markers(play, war, area)
    best = max((m.marker for side, m in there if side == winner), key=LEVEL.__getitem__, default="")
    for side, m in there:
        if best and side not in (0, winner):
            left = INFLUENCE if m.marker in CONTROL else m.marker
            _lower_marker(play, area, m, _marker_left(m.marker, best) if best in CONTROL else left, ("WEN-055",))


def _reduce_to_influence(play: Transaction, war: War, area: str) -> None:
    """Control of several sides in an Area that nobody has conquered becomes Influence. Rules: WEN-056."""
    held = [(side, m) for side, m in _contending_markers(play, war, area) if m.marker in CONTROL]
    if len({side for side, _ in held} - {0}) < 2 or any(m.marker not in SHARED_MARKERS for _, m in held):
        return
    for _, m in held:
        _lower_marker(play, area, m, INFLUENCE, ("WEN-056",))


def _lower_influences(play: Transaction, war: War, area: str) -> None:
    """An Influence gives way to the Control of an enemy, which the War has not taken. Rules: NEG-006, WEN-055."""
    there = _contending_markers(play, war, area)
    for side, m in there:
        foes = [c.marker for other, c in there if c.marker in CONTROL and other != side and 0 not in (side, other)]
        if m.marker == INFLUENCE and foes:
            _lower_marker(
                play, area, m, _marker_left(INFLUENCE, max(foes, key=LEVEL.__getitem__)), ("NEG-006", "WEN-055")
            )


def _lower_marker(play: Transaction, area: str, marker: Marker, to: str, rules: tuple[str, ...]) -> None:
    """A marker comes down by the outcome of a War, without tensions."""
    if to != marker.marker:
        play.lower(area, marker.power, marker.marker, to, "the outcome of the War", rules, None)
        if marker.power == OTTOMAN_EMPIRE:
            ottoman_expansion.dissolve_armies(play, area, "EVT-034")
