"""Wars, their sides and their command, and the order of the Wars in the War Sequence.

A War is a set of Powers linked by being at War; its sides are its Alliances. All Powers of a side are allies, Powers of
different sides are at War.

The Rebellion is fought first, then the Ottoman War, then all other Wars side by side. These play each Phase War by War,
in the order of `State.wars`. Each War stores its position (`stage`, `turn_of`, `order`); the War furthest behind comes
next.

Rules: REB-004, WAR-056, WAR-065
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from paxtui.games.pax.board.status import is_abandoned, powers_of, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events.war import STAGE_NAMES
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CHINA, OTTOMAN_EMPIRE
from paxtui.games.pax.state.war import (
    ALLIANCES,
    ATTACK,
    END,
    GREAT,
    INITIATIVE,
    MANEUVER,
    OTTOMAN,
    REBELLION,
    RESOLUTION,
    SUPPLY,
    War,
)
from paxtui.games.pax.text.display import power_name, the_powers
from paxtui.games.pax.transaction import Transaction, refuse

DECLARED = ("war", GREAT)
"""Kinds of War that Powers declare on each other, and that merge."""

REGENTS = {"russia": "france", "japan": "britain"}
"""Minor Power -> the seat that plays it in a Chinese Rebellion (REB-048)."""
ALLIANCE_PHASES = (MANEUVER, ATTACK, SUPPLY)
"""Phases that each Alliance plays, in the order of the cycle."""
_AFTER_ALLIANCES = 100
"""Position in the Sequence after the Phases of all Alliances."""


def declared_war_of(state: State, power: str) -> War | None:
    """Return the declared War of a Power; the Rebellion and the Ottoman War do not count."""
    return next((w for w in state.wars if w.kind in DECLARED and w.side_of(power)), None)


def ottoman_war(state: State) -> War | None:
    return next((w for w in state.wars if w.kind == OTTOMAN), None)


def current_form(state: State, war: War) -> War:
    """Return a War as it is in a position; unchanged if it is over."""
    return next((w for w in state.wars if w.id == war.id), war)


def at_war(state: State, one: str, other: str) -> bool:
    """Return whether two Powers are at War with each other in any War. Rules: WAR-064."""
    return any(war.opposes(one, other) for war in state.wars)


def enemies(war: War, power: str) -> tuple[str, ...]:
    """Return the Powers of all other sides; none for a neutral."""
    side = war.side_of(power)
    if not side:
        return ()
    return tuple(p for n, alliance in enumerate(war.alliances, start=1) if n != side for p in alliance)


def allies(war: War, power: str) -> tuple[str, ...]:
    """Return the Powers of the same side, including the Power itself; only itself for a neutral."""
    return war.alliance(war.side_of(power)) or (power,)


def great_allies(state: State, war: War, power: str) -> tuple[str, ...]:
    """Return the other Powers with a player on the side of a Power."""
    return tuple(p for p in allies(war, power) if p in state.powers and p != power)


def commanders(tables: Tables, state: State, war: War, power: str) -> tuple[str, ...]:
    """Return the seats that command the Units of a Power; none if the engine does. All of them have to agree.

    A Power with a player is commanded by its own seat. A Minor Power or an Empire is commanded by the seats of its
    Great Power allies (by mail, by the appointed one of them), without allies by the seat appointed for this War. An
    abandoned Great Power is commanded by the first of its Great Power allies with a player.

    Rules: WAR-021, WMV-031, OTT-010, OTT-013, REB-048, ORD-036, PBM-098 (R-WAR-09, R-WMV-13, R-ORD-11, R-REB-24)
    """
    if power in state.powers and not is_abandoned(tables, state, power):
        return (seat_of(tables, state, power),)
    if war.kind == REBELLION and power in war.commands:
        return tuple(s for s in (war.commands[power],) if s not in state.abandoned)
    seats = ally_seats(tables, state, war, power)
    if power in state.powers:
        return seats[:1]
    if war.commands.get(power) in seats:
        return (war.commands[power],)
    if not seats and power in war.commands:
        return tuple(s for s in (war.commands[power],) if s not in state.abandoned and s not in war.powers)
    return seats


def ally_seats(tables: Tables, state: State, war: War, power: str) -> tuple[str, ...]:
    """Return the seats with a player whose Powers are allied with a Power in a War, in seat order."""
    seats = {seat_of(tables, state, p) for p in great_allies(state, war, power)}.difference(state.abandoned)
    return tuple(s for s in state.players if s in seats)


def regents(state: State, members: Iterable[str]) -> dict[str, str]:
    """Return the seats that play minor Russia and Japan in a Rebellion, members of it or not.

    Rules: REB-048, REB-049 (R-REB-15)
    """
    minors = [p for p in members if p in state.minors]
    return {minor: seat for minor, seat in REGENTS.items() if minor in minors and seat in state.players}


def commanded_powers(tables: Tables, state: State, war: War, seat: str) -> tuple[str, ...]:
    """Return the belligerents that a seat commands in a War, alone or with others."""
    return tuple(p for p in war.powers if seat in commanders(tables, state, war, p))


def engine_commanded(tables: Tables, state: State, war: War, number: int) -> tuple[str, ...]:
    """Return the Powers of an Alliance that the engine commands."""
    return tuple(p for p in war.alliance(number) if not commanders(tables, state, war, p))


def unallied_empire(state: State, war: War) -> str:
    """Return the Empire that fights a War without an allied Great Power, "" if there is none.

    Rules: REB-001, OTT-008, WAR-022, WAR-023
    """
    for empire in (CHINA, OTTOMAN_EMPIRE):
        if war.kind in (REBELLION, OTTOMAN) and war.side_of(empire) and not great_allies(state, war, empire):
            return empire
    return ""


def new_war(state: State, power: str, on: tuple[str, ...], over: tuple[str, ...]) -> War:
    """Return the War that a declaration between Powers at peace begins. Rules: WAR-020, WAR-064."""
    return War(f"w{state.next_war}", ((power,), on), declared=(power,), over=over)


def war_against_empire(state: State, powers: tuple[str, ...], over: tuple[str, ...]) -> War:
    """Return the War of some Powers with the Ottoman Empire: begun, or joined on its enemies' side.

    Rules: EVT-036, WAR-061, OTT-002, OTT-004
    """
    war = ottoman_war(state)
    if war is None:
        return War(f"w{state.next_war}", ((OTTOMAN_EMPIRE,), powers), kind=OTTOMAN, declared=powers, over=over)
    return replace(with_more_enemies(war, powers), over=tuple(dict.fromkeys((*war.over, *over))))


def with_more_enemies(war: War, powers: tuple[str, ...]) -> War:
    """Return an Ottoman War with more enemies of the Empire."""
    foes = 2 if war.side_of(OTTOMAN_EMPIRE) == 1 else 1
    return with_members(war, foes, tuple(p for p in powers if not war.side_of(p)))


def with_members(war: War, number: int, powers: tuple[str, ...]) -> War:
    """Return a War with more Powers in an Alliance."""
    sides = ((*side, *powers) if n == number else side for n, side in enumerate(war.alliances, start=1))
    return replace(war, alliances=tuple(sides))


def follows_to_empire(war: War, partner: str, on: tuple[str, ...]) -> bool:
    """Return whether a declarer called by a partner follows it to the Ottoman Empire's side.

    Rules: OTT-005, WAR-048
    """
    side = war.side_of(OTTOMAN_EMPIRE)
    return war.side_of(partner) == side and all(war.side_of(p) not in (0, side) for p in on)


def powers_of_one_seat(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the Powers of a seat that plays several, which never fight each other. Rules: AUS-001, AUS-014."""
    groups = (powers_of(tables, state, seat) for seat in state.players)
    return next((group for group in groups if len(group) > 1), ())


def own_power_beside(tables: Tables, state: State, power: str, target: str) -> str:
    """Return the Power of the same seat that a declaration on `target` would make an enemy; "" for none.

    That is the target itself, or a Power that is its ally in a declared or in an Ottoman War.

    Rules: AUS-014
    """
    wars = [war for war in state.wars if war.kind != REBELLION and war.side_of(target)]
    if target == OTTOMAN_EMPIRE:
        wars = [war for war in wars if war.kind == OTTOMAN]
    beside = (target, *(p for war in wars for p in war.alliance(war.side_of(target))))
    seat = seat_of(tables, state, power)
    return next((p for p in beside if seat_of(tables, state, p) == seat and (p != power or p == target)), "")


def with_declaration(
    war: War, power: str, on: tuple[str, ...], partner: str = "", inseparable: tuple[str, ...] = ()
) -> War:
    """Return a War after a declaration between Powers of which at least one is in it.

    A declarer from outside joins the Alliance of the partner it helps, otherwise the first Alliance that it does not
    declare War on. A Power that is attacked joins the first Alliance opposed to the declarer's. A Power that declares
    War on its ally, or on each Alliance, fights alone in a further Alliance. One of the `inseparable` Powers joins the
    Alliance of the other.

    Rules: WAR-055, WAR-061, WAR-064, AUS-014 (R-WAR-03, R-WAR-08, Decision 58)
    """
    sides = [list(side) for side in war.alliances]
    helped = _side_of(sides, partner)
    if helped is not None and not set(helped).intersection(on):
        if deserted := _side_of(sides, power):
            deserted.remove(power)
        helped.append(power)
    elif _side_of(sides, power) is None:
        open_ = [side for side in sides if not set(side).intersection(on)]
        if 0 < len(open_) < len(sides):
            own = [side for side in open_ if power in inseparable and set(side).intersection(inseparable)]
            (own or open_)[0].append(power)
        else:
            sides.append([power])
    for target in on:
        own_side, other_side = _side_of(sides, power), _side_of(sides, target)
        if other_side is None and target in inseparable:
            other_side = next((side for side in sides if set(side).intersection(inseparable)), None)
            if other_side is not None:
                other_side.append(target)
        if other_side is None:
            opposed = next((side for side in sides if side is not own_side), None)
            if opposed is None:
                sides.append([target])
            else:
                opposed.append(target)
        elif own_side is other_side:
            other_side.remove(power)
            sides.append([power])
    return replace(war, alliances=tuple(tuple(side) for side in sides if side))


def _side_of(sides: list[list[str]], power: str) -> list[str] | None:
    return next((side for side in sides if power in side), None)


def linked_wars(state: State) -> Iterator[tuple[War, War]]:
    """Return pairs of Wars with Powers at War with each other, the older War first."""
    known = [war for war in state.wars if war.kind in DECLARED]
    for n, war in enumerate(known):
        for other in known[n + 1 :]:
            if any(_is_between(war, other, *pair) for pair in (*war.links, *other.links)):
                yield war, other


def will_merge(state: State, war: War) -> bool:
    """Return whether a Power of a War is at War with one of another declared War. Rules: WAR-064."""
    return any(war.id in (one.id, other.id) for one, other in linked_wars(state))


def merge_wars(older: War, newer: War, inseparable: tuple[str, ...] = ()) -> War:
    """Merge two Wars: the sides of the newer join the sides of the older that oppose their enemies.

    The cycle count of the older War stays, the count towards a Stalemate starts again, and Alliance 1 is that of the
    older War. Links to a third War stay. If enemies would become allies, or the `inseparable` Powers enemies, the War
    has more than two Alliances.

    Rules: WAR-055, WAR-064, GWR-015, AUS-014 (R-WAR-08)
    """
    helps = next((pair for pair in (*older.helps, *newer.helps) if _is_between(older, newer, *pair)), None)
    opposed = next((pair for pair in (*older.links, *newer.links) if _is_between(older, newer, *pair)), None)
    shared = next((p for p in older.powers if newer.side_of(p)), "")
    there = ""
    if pair := helps or opposed:
        here, there = pair if older.side_of(pair[0]) and newer.side_of(pair[1]) else pair[::-1]
        war = _merge(older, newer, here, there, inseparable, allied=bool(helps))
    else:
        war = _merge_around(older, newer, shared) if shared else older
    one = next((p for p in inseparable if older.side_of(p)), "")
    other = next((p for p in inseparable if newer.side_of(p) and p != one), "")
    if one and other and war.side_of(one) != war.side_of(other):
        war = _merge_blocs(older, newer, one, other, inseparable)
    stays = [next((p for p in (other, there) if p in side), side[0]) if side else "" for side in newer.alliances]
    number = {n: war.side_of(p) for n, p in enumerate(stays, start=1) if p}
    return replace(
        war,
        declared=tuple(dict.fromkeys((*older.declared, *newer.declared))),
        over=tuple(dict.fromkeys((*older.over, *newer.over))),
        commands={**newer.commands, **older.commands},
        quiet=0,
        links=tuple(pair for pair in older.links + newer.links if not all(map(war.side_of, pair))),
        helps=tuple(pair for pair in older.helps + newer.helps if not all(map(war.side_of, pair))),
        coaling=(*older.coaling, *(replace(c, to=number[c.to]) for c in newer.coaling if c.to in number)),
        denied=(*older.denied, *(d for d in newer.denied if d not in older.denied)),
        conquered=(
            *older.conquered,
            *(replace(c, alliance=number[c.alliance]) for c in newer.conquered if c.alliance in number),
        ),
        defeated=tuple(dict.fromkeys((*older.defeated, *newer.defeated))),
        surrendered=(*older.surrendered, *newer.surrendered),
        began=(*older.began, *newer.began),
        entered=(*older.entered, *newer.entered),
        unsupplied=(*older.unsupplied, *newer.unsupplied),
        looked_at=(*older.looked_at, *newer.looked_at),
        left=(*older.left, *newer.left),
        beaten=(*older.beaten, *newer.beaten),
        defended=(*older.defended, *newer.defended),
    )


def merge_all(wars: Iterable[War], inseparable: tuple[str, ...] = ()) -> War:
    """Merge Wars that count as one into the first: each when it is linked to those before, or shares a Power with them.

    Rules: WAR-064, GWR-014
    """
    one, *others = wars
    while others:
        number = next((n for n, other in enumerate(others) if _overlap(one, other)), 0)
        one = merge_wars(one, others.pop(number), inseparable)
    return one


def _overlap(one: War, other: War) -> bool:
    pairs = (*one.links, *one.helps, *other.links, *other.helps)
    return any(other.side_of(p) for p in one.powers) or any(_is_between(one, other, *pair) for pair in pairs)


def _is_between(older: War, newer: War, one: str, two: str) -> bool:
    """Return whether one Power fights in one War and the other Power in the other War."""
    return bool((older.side_of(one) and newer.side_of(two)) or (older.side_of(two) and newer.side_of(one)))


def _are_enemies(older: War, newer: War, some: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether a Power of some is at War with one of others, in one of two Wars or by a link between them."""
    linked = {frozenset(pair) for pair in (*older.links, *newer.links)}
    pairs = ((p, q) for p in tuple(some) for q in tuple(others))
    return any(older.opposes(p, q) or newer.opposes(p, q) or frozenset((p, q)) in linked for p, q in pairs)


def _merge(older: War, newer: War, here: str, there: str, inseparable: tuple[str, ...], allied: bool) -> War:
    """Return the older War with the Powers of the newer; `here` and `there` of them are allies, or enemies.

    Alliances whose Powers help each other become one. Of the others, the first opposed to `there` joins a side opposed
    to it; each other one stays an Alliance of its own. An Alliance joins no side that it is at War with.

    Rules: WAR-055, WAR-064 (Decision 58)
    """
    sides = [list(side) for side in older.alliances]
    own = sides[older.side_of(here) - 1]
    rest = [side for side in sides if side is not own]
    others = [list(side) for side in newer.alliances]
    theirs = others.pop(newer.side_of(there) - 1)
    if allied and _are_enemies(older, newer, own, theirs):
        return _merge_blocs(older, newer, here, there, inseparable)
    friends = _join_side(older, newer, [own] if allied else rest, theirs)
    _join_helped(older, newer, sides, others)
    foes = None
    if others:
        opposed = [side for side in (rest if allied else [own, *rest]) if side is not friends]
        foes = _join_side(older, newer, opposed, others.pop(0))
    apart = (bloc for bloc in (friends, foes) if bloc and not any(bloc is side for side in sides))
    return replace(older, alliances=tuple(tuple(side) for side in (*sides, *apart, *others)))


def _join_side(older: War, newer: War, sides: Iterable[list[str]], bloc: list[str]) -> list[str]:
    """Return the first side that some Powers are not at War with, with them added; themselves if there is none."""
    side = next((side for side in sides if not _are_enemies(older, newer, side, bloc)), None)
    if side is None:
        return bloc
    side.extend(bloc)
    return side


def _join_helped(older: War, newer: War, sides: list[list[str]], blocs: list[list[str]]) -> None:
    """Move each bloc to the side of a Power that its Powers help, or that helps them, unless these are enemies."""
    for pair in (*older.helps, *newer.helps):
        side = next((side for side in sides if any(p in side and older.side_of(p) for p in pair)), None)
        bloc = next((bloc for bloc in blocs if any(p in bloc and newer.side_of(p) for p in pair)), None)
        if side and bloc and not _are_enemies(older, newer, side, bloc):
            side.extend(bloc)
            blocs.remove(bloc)


def _merge_blocs(older: War, newer: War, one: str, other: str, inseparable: tuple[str, ...]) -> War:
    """Return the older War with the Powers of the newer: `one` and `other` are allies, and so are those who help.

    A Power that has declared War on one of its new allies fights beside the enemies of its target instead, or alone.
    Powers in both Wars keep their place in the older one.

    Rules: WAR-055, WAR-064, AUS-014 (ours)
    """
    sides = [list(side) for side in older.alliances]
    common = sides[older.side_of(one) - 1]
    others = [[p for p in side if not older.side_of(p)] for side in newer.alliances]
    common += others.pop(newer.side_of(other) - 1)
    _join_helped(older, newer, sides, others)
    alone: list[list[str]] = []
    in_both = ((p, q) for p in older.powers if newer.side_of(p) for q in enemies(newer, p))
    for pair in (*older.links, *newer.links, *in_both):
        if {*pair} <= {*common}:
            leaver = min(pair, key=lambda p: (p in inseparable, p in (one, other)))
            common.remove(leaver)
            opposed = others if older.side_of(leaver) else [side for side in sides if side is not common]
            open_ = [side for side in opposed if not _are_enemies(older, newer, side, (leaver,))]
            if open_:
                open_[0].append(leaver)
            else:
                alone.append([leaver])
    return replace(older, alliances=tuple(tuple(side) for side in (*sides, *(x for x in (*others, *alone) if x))))


def _merge_around(older: War, newer: War, power: str) -> War:
    """Return the older War with the Powers of the newer, if `power` fights in both: its allies become allies.

    Powers in both Wars keep their place in the older one. Powers at War with each side that they could join stay apart.
    """
    sides = [list(side) for side in older.alliances]
    own = sides[older.side_of(power) - 1]
    rest = [side for side in sides if side is not own]
    for number, alliance in enumerate(newer.alliances, start=1):
        new = [p for p in alliance if not older.side_of(p)]
        joined = _join_side(older, newer, [own] if number == newer.side_of(power) else rest, new)
        if joined is new and new:
            sides.append(new)
    return replace(older, alliances=tuple(tuple(side) for side in sides))


def active_wars(state: State) -> tuple[War, ...]:
    """Return the Wars that are fought now or next: the Rebellion, else the Ottoman War, else all others.

    Rules: WAR-018, WAR-019
    """
    if len(state.wars) < 2:
        return state.wars
    for kind in (REBELLION, OTTOMAN):
        first = tuple(war for war in state.wars if war.kind == kind)
        if first:
            return first[:1]
    return state.wars


def cycle_position(war: War) -> int:
    """Return how far a War is in its cycle: 0 at Initiative Determination, -1 before its begin."""
    if war.stage == ALLIANCES:
        return -1
    if war.stage == INITIATIVE:
        return 0
    if war.stage in ALLIANCE_PHASES:
        return 1 + 3 * war.order.index(war.turn_of) + ALLIANCE_PHASES.index(war.stage)
    return _AFTER_ALLIANCES + (war.stage == RESOLUTION)


def current_war(state: State) -> War | None:
    """Return the War whose Phase is played now: of those that are fought, the one furthest behind.

    Rules: WAR-019, WAR-026
    """
    wars = [war for war in active_wars(state) if war.stage != ALLIANCES]
    if len(wars) < 2:
        return wars[0] if wars else None
    late = [war for war in wars if cycle_position(war) >= _AFTER_ALLIANCES]
    if late and any(war.stage == INITIATIVE for war in wars):
        wars = late  # the others have begun the next cycle already
    return min(wars, key=cycle_position)


def following_phase(war: War) -> tuple[str, int]:
    """Return the next Phase of the cycle: its name, and the number of its Alliance (0 for none).

    Rules: WAR-026, WAR-055
    """
    if war.stage in (ALLIANCES, END, RESOLUTION):
        return INITIATIVE, 0
    if war.stage == INITIATIVE:
        return MANEUVER, war.order[0]
    if war.stage != SUPPLY:
        return ALLIANCE_PHASES[ALLIANCE_PHASES.index(war.stage) + 1], war.turn_of
    turn = following_turn(war)
    return (MANEUVER, turn) if turn else (END, 0)


def phasing_war(play: Transaction, power: str, stage: str, verb: str, rule: str, question_rule: str) -> War:
    """Return the War in which a Power may move or attack now.

    Args:
        stage: the Phase of its Alliance in which it may.
        verb: "move" or "attack".
        rule: the rule of that Phase.
        question_rule: the rule by which an open question comes first.

    Raises: Refusal `no_war`, `neutral`, `other_war_phase`, `not_your_turn`, `choose_first`.
    """
    war, phase = current_war(play.state), STAGE_NAMES[stage]
    if war is None:
        refuse("no_war", (rule,), f"Units {verb} only in the {phase}s of a War.")
    if not any(w.side_of(power) for w in play.state.wars):
        name = power_name(play.tables, power)
        refuse("neutral", (rule,), f"{name} is not in a War, so its Units cannot move or fight in this Phase.")
    if war.stage != stage:
        now = war_phase_name(play.tables, war)
        refuse("other_war_phase", (rule,), f"This is {now}. Units {verb} in the {phase} of their Alliance.")
    if war.side_of(power) != war.turn_of:
        refuse("not_your_turn", (rule,), f"This is the {phase} of another Alliance.")
    if play.state.has_pressing_choice:
        refuse("choose_first", (question_rule,), "A question of this War is still open. Answer it first.")
    return war


def war_phase_name(tables: Tables, war: War) -> str:
    """Return the name of the Phase of a War: "the Attack Phase of Japan"."""
    alliance_text = f" of {the_powers(tables, war.alliance(war.turn_of))}" if war.stage in ALLIANCE_PHASES else ""
    return f"the {STAGE_NAMES[war.stage]}{alliance_text}" if alliance_text else STAGE_NAMES[war.stage]


def war_positions(state: State) -> tuple[tuple[str, int, str, int], ...]:
    """Return the position of each War in the Sequence, to detect progress."""
    return tuple((war.id, war.cycle, war.stage, war.turn_of) for war in state.wars)


def following_turn(war: War) -> int:
    """Return the number of the next Alliance in this cycle, 0 if there is none."""
    later = war.order[war.order.index(war.turn_of) + 1 :] if war.turn_of in war.order else ()
    return later[0] if later else 0
