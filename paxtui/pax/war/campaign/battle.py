"""The Alliance Attack Phase: combats of the phasing Alliance, in the order it wishes, one a place and kind of Unit.

Rules: WCB-002 to WCB-020, WCB-029 to WCB-039, REB-016 to REB-018, REB-022, REB-023 (R-WCB-03, R-WCB-08)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.board.tables import Tables
from paxtui.pax.combat import combat_table
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, NAVAL, Unit
from paxtui.pax.state.questions import JoinAttack, Pending
from paxtui.pax.state.war import ATTACK, War
from paxtui.pax.war import empire
from paxtui.pax.war.alliances import commanded, commanders
from paxtui.pax.war.campaign import battle_result, conquest
from paxtui.pax.war.campaign.surrender import after_combat, stranded
from paxtui.pax.war.campaign.ways import is_sea
from paxtui.pax.war.cycle import current, phase_of
from paxtui.pax.words.spoken import place_name, power_name, powers_named

JOIN, ASIDE = "attack", "stand aside"
"""What an ally may answer when it is asked to join an attack."""


def waits(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The seats of the phasing Alliance that could attack.

    Rules: WCB-002
    """
    open_ = places(tables, state, war)
    found = {seat for place, kind in open_ for seat in _could_attack(tables, state, war, place, kind)}
    return tuple(seat for seat in state.players if seat in found)


def places(tables: Tables, state: State, war: War) -> tuple[tuple[str, str], ...]:
    """Where the phasing Alliance could attack: place and kind of Unit, no combat having been there in the Phase.

    An Area of an Empire that defends itself can be attacked whether or not Armies stand in it.

    Rules: WCB-003, WCB-004, REB-022, REB-056 (R-WCB-08)
    """
    fought = {(clash.place, clash.kind) for clash in war.clashes}
    side_of = {p: n for n, alliance in enumerate(war.alliances, start=1) for p in alliance}
    found = []
    for place, units in (*((name, here.units) for name, here in state.areas.items()), *state.at_sea.items()):
        if not units:
            continue
        for kind in (ARMY, NAVAL) if place in state.areas else (NAVAL,):
            sides = {side_of.get(u.power, 0) for u in units if u.kind == kind and not u.halted} - {0}
            if war.turn_of not in sides or (place, kind) in fought:
                continue
            if len(sides) > 1 or (kind == ARMY and defence(tables, state, war, place)):
                found.append((place, kind))
    return tuple(found)


def _could_attack(tables: Tables, state: State, war: War, place: str, kind: str) -> tuple[str, ...]:
    """The seats that could order an attack in a place; a Minor Power attacks with its Great Power allies there."""
    there = {u.power for u in attackers(state, war, place, kind)}
    powers = {p for p in there if not leaders(state, war, p, place, kind)}
    seats = {seat for p in powers for seat in commanders(tables, state, war, p)}
    return tuple(s for s in state.players if s in seats)


def attackers(
    state: State, war: War, place: str, kind: str, aside: tuple[str, ...] = (), arrived: bool = False
) -> tuple[Unit, ...]:
    """Units of the phasing Alliance that can attack in a place, without those of the allies that stand `aside`.

    Units that have retreated in this Phase do not attack; `arrived`: with those of them that came there, which suffer
    with their side.

    Rules: WCB-010, WCB-011, WCB-016, WCB-038 (R-WCB-08)
    """
    powers = set(war.alliance(war.turn_of)) - set(aside)
    return tuple(
        u for u in units_at(state, place) if u.kind == kind and u.power in powers and (arrived or not u.halted)
    )


def defenders(state: State, war: War, place: str, kind: str, arrived: bool = False) -> tuple[Unit, ...]:
    """Enemy Units in a place: all of them defend together, whoever owns them; `arrived` as above.

    Rules: WCB-012, WCB-038
    """
    foes = {p for n, alliance in enumerate(war.alliances, start=1) if n != war.turn_of for p in alliance}
    return tuple(
        u for u in units_at(state, place) if u.kind == kind and u.power in foes and (arrived or not u.halted)
    )


def bound(tables: Tables, state: State, war: War) -> dict[str, tuple[str, ...]]:
    """Where Powers of the phasing Alliance have to attack still: Areas of an Empire that they have entered.

    Rules: REB-030 (R-REB-06)
    """
    found: dict[str, tuple[str, ...]] = {}
    if war.stage != ATTACK or not war.invaded:
        return found
    for place in (place for place, kind in places(tables, state, war) if kind == ARMY):
        there = {u.power for u in attackers(state, war, place, ARMY)}
        powers = tuple(p for p in war.alliance(war.turn_of) if p in there and f"{p} {place}" in war.invaded)
        if powers:
            found[place] = powers
    return found


def must_attack(tables: Tables, state: State, war: War, seat: str) -> str:
    """An Area that Armies which a seat commands have entered and have to attack still, "" for none.

    Rules: REB-030
    """
    for place, powers in bound(tables, state, war).items():
        if seat in _could_attack(tables, state, war, place, ARMY):
            if not set(powers).isdisjoint(commanded(tables, state, war, seat)):
                return place
    return ""


def owed(play: Play, war: War) -> None:
    """Make the attacks that have to be made and that nobody has ordered, until one has a choice to be made.

    Rules: REB-030
    """
    for place, powers in bound(play.tables, play.state, war).items():
        greats = _greats(play.state, war, place, ARMY)
        now = next(w for w in play.state.wars if w.id == war.id)
        fight(play, now, place, ARMY, tuple(p for p in greats if p not in powers))
        if any(c.about.pressing for c in play.state.choices):
            return


def defence(tables: Tables, state: State, war: War, place: str) -> int:
    """Strength points by which an Area of an Empire itself defends against the phasing Alliance.

    Rules: REB-022, REB-023, REB-056
    """
    hostile = empire.against(war, war.alliance(war.turn_of))
    return empire.strength(tables, state, war, place) if hostile else 0


def support(tables: Tables, state: State, war: War, place: str) -> int:
    """Strength points by which an Area of an Empire helps the Empire's Armies that attack in it.

    Rules: REB-022, REB-023
    """
    own = empire.of(war) in war.alliance(war.turn_of)
    attacks = own and any(u.power == empire.of(war) and not u.halted for u in units_at(state, place))
    return empire.strength(tables, state, war, place) if attacks else 0


def strengths(
    tables: Tables, state: State, war: War, place: str, kind: str, aside: tuple[str, ...] = ()
) -> tuple[int, int]:
    """Strength points of those that could attack in a place, and of those that would defend, Areas that fight included.

    Rules: WCB-011, WCB-012, REB-023
    """
    ours, theirs = attackers(state, war, place, kind, aside), defenders(state, war, place, kind)
    attack_, defend = sum(u.strength for u in ours), sum(u.strength for u in theirs)
    if kind != ARMY:
        return attack_, defend
    return attack_ + support(tables, state, war, place), defend + defence(tables, state, war, place)


# --- the order ------------------------------------------------------------------------------------------------------


def attack(play: Play, power: str, action: ac.Attack) -> None:
    """Attack the enemy in a place with all own Units there; allies with Units there are asked to join.

    Raises: Refusal `no_war`, `not_your_turn`, `choose_first`, `fought_here`, `no_units`, `no_enemy`, `with_its_ally`.
    Rules: WCB-002, WCB-003, WCB-004, WCB-005, WCB-006, WCB-007, WCB-010, WCB-011, WCB-012, WCB-032
    """
    tables, state = play.tables, play.state
    war = current(state)
    kind, place = NAVAL if action.naval else ARMY, action.place
    if war is None:
        refuse("no_war", ("WCB-002",), "Units attack in the Attack Phases of a War.")
    if war.stage != ATTACK:
        now = phase_of(tables, war)
        refuse("other_war_phase", ("WCB-002",), f"This is {now}: Units attack in the Attack Phase of their Alliance.")
    if war.side_of(power) != war.turn_of:
        refuse("not_your_turn", ("WCB-002",), "It is the Attack Phase of another Alliance.")
    if any(c.about.pressing for c in state.choices):
        refuse("choose_first", ("SEQ-010",), "A choice has to be made first.")
    where = place_name(tables, place)
    if any((c.place, c.kind) == (place, kind) for c in war.clashes):
        refuse("fought_here", ("WCB-006",), f"There has been a combat in {where} in this Phase.")
    if not any(u.power == power for u in attackers(state, war, place, kind)):
        if any(u.power == power and u.kind == ARMY for u in units_at(state, place)) and is_sea(tables, place):
            refuse("no_units", ("WCB-004",), f"Only fleets fight in {where}; armies at sea attack nobody.")
        refuse("no_units", ("WCB-006",), f"No Unit of yours can attack in {where}.")
    if not defenders(state, war, place, kind) and not (kind == ARMY and defence(tables, state, war, place)):
        refuse("no_enemy", ("WCB-003",), f"There is no enemy in {where} to attack.")
    greats = leaders(state, war, power, place, kind)
    if greats:
        names = powers_named(tables, greats)
        refuse(
            "with_its_ally",
            ("WCB-007",),
            f"The Units of {power_name(tables, power)} attack in {where} together with those of {names}.",
        )
    _ask_next(play, war, place, JoinAttack(war=war.id, by=power, unit_kind=kind), power)


def _greats(state: State, war: War, place: str, kind: str) -> tuple[str, ...]:
    """Powers with a player that could attack in a place, in the order of their Alliance."""
    there = {u.power for u in attackers(state, war, place, kind)}
    return tuple(p for p in war.alliance(war.turn_of) if p in there and p in state.powers)


def leaders(state: State, war: War, power: str, place: str, kind: str) -> tuple[str, ...]:
    """The Great Power allies with which alone a Minor Power's Units attack in a place; none for others.

    Rules: WCB-007
    """
    return () if power in state.powers else _greats(state, war, place, kind)


def _ask_next(play: Play, war: War, place: str, about: JoinAttack, after: str) -> None:
    """Ask the next ally with Units in the place, in the order of the Alliance; when all have answered, fight.

    Minor Powers attack with their allies and are not asked, nor is who has to attack there.

    Rules: WCB-006, WCB-007, REB-030
    """
    must = bound(play.tables, play.state, war).get(place, ()) if about.unit_kind == ARMY else ()
    allies = tuple(p for p in _greats(play.state, war, place, about.unit_kind) if p != about.by and p not in must)
    rest = allies if after == about.by else allies[allies.index(after) + 1 :]
    if not rest:
        fight(play, war, place, about.unit_kind, about.aside)
        return
    where, by = place_name(play.tables, place), power_name(play.tables, about.by)
    play.offer(
        rest[0],
        about,
        (JOIN, ASIDE),
        JOIN,
        place,
        f"{by} attacks the enemy in {where}. Join with all your Units there, or stand aside?",
        ("WCB-006", "WCB-010"),
        next(iter(commanders(play.tables, play.state, war, rest[0])), ""),
    )


def answer_join(play: Play, choice: Pending, about: JoinAttack, words: tuple[str, ...]) -> None:
    """An ally joins an attack or stands aside; the die falls when all have answered.

    Raises: Refusal `bad_answer`.
    Rules: WCB-006, WCB-016
    """
    war = next((w for w in play.state.wars if w.id == about.war), None)
    if war is None:
        return
    stands = one_of(choice, words) == ASIDE
    aside = (*about.aside, choice.power) if stands else about.aside
    _ask_next(play, war, choice.area, replace(about, aside=aside), choice.power)


def fight(play: Play, war: War, place: str, kind: str, aside: tuple[str, ...] = ()) -> None:
    """One combat: strengths, column, die, and what the result does to both sides.

    An Area of an Empire adds its Combat Strength to the Empire's side of a combat of armies.

    Rules: WCB-011, WCB-012, WCB-013, WCB-014, WCB-017, WCB-018, WCB-033, REB-016 to REB-018, REB-023
    """
    ours, theirs = attackers(play.state, war, place, kind, aside), defenders(play.state, war, place, kind)
    attack_, defend = strengths(play.tables, play.state, war, place, kind, aside)
    area = attack_ + defend - sum(u.strength for u in (*ours, *theirs))
    table = combat_table.table_for(attack_, defend)
    column = combat_table.column(play.tables, attack_, defend)
    die = play.dice.roll()
    result = combat_table.look_up(play.tables, table, die, column)
    play.emit(
        ev.BattleFought(
            war=war.id,
            place=place,
            kind=kind,
            attackers=tuple(dict.fromkeys(u.power for u in ours)),
            defenders=tuple(dict.fromkeys(u.power for u in theirs)),
            attack=attack_,
            defend=defend,
            table=table,
            column=combat_table.label(play.tables.ratios[column]),
            die=die,
            result=result,
            aside=aside,
            area=area,
            rules=("WCB-018", "WCB-014", "WCB-017", *(("REB-023",) if area else ())),
        )
    )
    battle_result.apply(
        play,
        war,
        place,
        battle_result.Combat(
            result,
            attack_,
            defend,
            attackers(play.state, war, place, kind, aside, arrived=True),
            defenders(play.state, war, place, kind, arrived=True),
            area,
        ),
    )
    after_combat(play, war, place)


def close(play: Play, war: War) -> None:
    """The end of an Attack Phase: Armies stranded at sea surrender, Areas are conquered.

    Rules: WCB-039, WMV-035, SUP-003
    """
    stranded(play, war)
    conquest.close(play, war)
