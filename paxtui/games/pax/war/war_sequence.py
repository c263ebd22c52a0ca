"""The War Phase: Initiative Determination, and the War Sequence step by step.

Automatic steps roll dice only in `run_step`. An action of a waiting seat ends at most the Phase in which it waited. The
Chinese Rebellion begins when the declarations of the War Phase are closed, and is fought before all other Wars.

Rules: R-WAR-13, SET-037, WAR-056, WAR-065
"""

from __future__ import annotations

from paxtui.games.pax import casus_belli
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.diplomacy import disputes, settlement
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import WarNotes
from paxtui.games.pax.state.pieces import CHINA, OTTOMAN_EMPIRE
from paxtui.games.pax.state.war import (
    ALLIANCES,
    ATTACK,
    END,
    FOUGHT,
    INITIATIVE,
    MANEUVER,
    REBELLION,
    RESOLUTION,
    SUPPLY,
    WINDOW,
    War,
)
from paxtui.games.pax.text.display import place_name
from paxtui.games.pax.transaction import Phase, Transaction, refuse
from paxtui.games.pax.war import alliances, automatic_orders, calls, command, declarations, ottomans
from paxtui.games.pax.war.alliances import unallied_empire
from paxtui.games.pax.war.campaign import battle, maneuver, supply, war_adjacency
from paxtui.games.pax.war.outcome import ends, rebellion, resolution

CONTINUATION_TENSION = 2
"""Points by which the tensions rise at the end of each War Phase if a War continues (ETI-022)."""


def roll_initiative(play: Transaction, war: War) -> None:
    """Roll one die for each Alliance; tied ones roll again among themselves. Empires come first.

    Rules: WAR-022, WAR-023, WAR-024, WAR-055 (R-WAR-10, R-WAR-27)
    """
    numbers = ends.remaining_sides(war)
    empire = unallied_empire(play.state, war)
    if empire:
        first = war.side_of(empire)
        order = (first, *(n for n in numbers if n != first))
        rule = "WAR-022" if war.kind == "rebellion" else "WAR-023"
        play.emit(events.InitiativeRolled(war=war.id, rolls=(), order=order, rules=(rule,)))
        return
    rolls: list[tuple[int, ...]] = []
    order = _ranked_sides(play, numbers, len(war.alliances), rolls)
    play.emit(events.InitiativeRolled(war=war.id, rolls=tuple(rolls), order=order, rules=("WAR-024", "WAR-025")))


def _ranked_sides(
    play: Transaction, tied: tuple[int, ...], sides: int, rolls: list[tuple[int, ...]]
) -> tuple[int, ...]:
    """Return Alliances in descending order of their dice; `rolls` receives each round, 0 for no roll."""
    if len(tied) == 1:
        return tied
    dice = {number: play.dice.roll() for number in tied}
    rolls.append(tuple(dice.get(n, 0) for n in range(1, sides + 1)))
    order: tuple[int, ...] = ()
    for result in sorted(set(dice.values()), reverse=True):
        order += _ranked_sides(play, tuple(n for n in tied if dice[n] == result), sides, rolls)
    return order


def is_due(state: State) -> bool:
    """Return whether the War Phase is played: a War exists or is due, or a cause of War is left.

    Rules: SEQ-024, SEQ-028, WAR-017
    """
    causes = any(c.cause != casus_belli.DEFENCE for c in state.casus_belli)
    return bool(state.rebellion or state.ottoman_wars or state.wars or causes)


def waiting_seats(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the seats that the War Phase waits for, besides those with an open choice.

    Rules: WAR-017, WAR-061, WMV-004, WCB-002 (R-WAR-26)
    """
    if state.has_pressing_choice:  # seats with an open choice come first
        return ()
    seats = acting_seats(tables, state)
    return tuple(seat for seat in seats if seat not in state.ready)


def acting_seats(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the seats that may act in the current Phase, including those that have passed."""
    if state.top.step != FOUGHT:
        return declarations.declaring_seats(tables, state)
    war = alliances.current_war(state)
    if war is None:
        return ottomans.determining_seats(tables, state)
    if war.stage == INITIATIVE and not war.order:
        return declarations.declaring_seats(tables, state)
    if all(seat in state.abandoned for seat in state.players):
        return ()  # the engine commands all Units, as in the simulations of bots
    if war.stage == MANEUVER:
        return maneuver.waiting_seats(tables, state, war)
    if war.stage == ATTACK:
        return battle.waiting_seats(tables, state, war)
    return ()


def area_to_attack(tables: Tables, state: State, seat: str) -> str:
    """Return an Area that a seat must attack before it may pass, "" for none. Rules: REB-030."""
    war = alliances.current_war(state) if state.top.step == FOUGHT else None
    return battle.area_to_attack(tables, state, war, seat) if war else ""


def check_pass(play: Transaction, seat: str) -> None:
    """Check that a seat has no Armies left that must attack.

    Raises: Refusal `must_attack`.
    Rules: REB-030
    """
    area = area_to_attack(play.tables, play.state, seat)
    if area:
        where = place_name(play.tables, area)
        refuse("must_attack", ("REB-030",), f"Your armies are in {where}, which resists. Attack there first.")


def is_over(state: State) -> bool:
    """Return whether the War Phase is finished."""
    return state.top.step == FOUGHT and not state.wars


def begin_phase(play: Transaction) -> None:
    """End the Phase after a pass if no seat is waited for any more, without dice."""
    calls.record_separate_peaces(play)
    resolution.return_stragglers(play)
    state = play.state
    if not state.ready or state.has_pressing_choice or waiting_seats(play.tables, state):
        return
    if state.top.step != FOUGHT:
        _close_window(play)
        return
    war = alliances.current_war(state)
    if war is None:
        ottomans.continue_determination(play)
    elif war.stage in (MANEUVER, ATTACK) and not _has_automatic_step(play, war):
        _end_alliance_phase(play, war)


def _has_automatic_step(play: Transaction, war: War) -> bool:
    """Return whether the Phase of an Alliance has an automatic part, so that only `run_step` may end it."""
    if alliances.engine_commanded(play.tables, play.state, war, war.turn_of):
        return True
    return bool(battle.bound_attacks(play.tables, play.state, war))


def run_step(play: Transaction) -> None:
    """Run one automatic step: to the next Phase of the War Sequence, or to a choice."""
    if play.state.top.step != FOUGHT:
        _close_window(play)
        return
    calls.record_separate_peaces(play)
    resolution.return_stragglers(play)
    war = alliances.current_war(play.state)
    if war is None:
        if not ottomans.continue_determination(play) and not command.ask_for_commander(play):
            _begin_wars(play)
    elif war.stage == INITIATIVE:
        _determine_initiative(play, war)
    elif war.stage in (MANEUVER, ATTACK):
        battle.make_bound_attacks(play, war)
        if not play.state.has_pressing_choice:
            automatic_orders.act_for_engine(play, alliances.current_form(play.state, war))
        if not play.state.has_pressing_choice:
            _end_alliance_phase(play, alliances.current_form(play.state, war))
    elif war.stage == SUPPLY:
        supply.check_supply(play, war)
        _go_to_next_phase(play, war.id)
    elif war.stage == END:
        _end_tests(play, war)
    elif war.stage == RESOLUTION and resolution.resolve_war(play, war):
        settlement.end_war_ties(play, war, war.powers, ("WEN-034", "WAR-064"))
        play.emit(events.WarOver(war=war.id, rules=("WEN-034", "WEN-035")))
        _clear_coasts(play)
        _continue_wars(play)


def _close_window(play: Transaction) -> None:
    """Close the declarations: at the opening the Wars begin; within a War, play continues.

    Rules: WAR-016, WAR-035, WAR-061 (R-WAR-01, R-WAR-02)
    """
    if play.state.top.step == WINDOW:
        put = disputes.causes_left_to_congress(play.state)
        for cause in play.state.casus_belli:
            if casus_belli.lapse_time(cause) == casus_belli.WINDOW and cause.id not in put:
                play.emit(events.CasusBelliEnded(id=cause.id, reason="lapsed", rules=("WAR-061",)))
        _record_step(play, FOUGHT, ("WAR-061",))
        supply.note_unsupplied_minors(play)
        return
    rebellion.open_rebellion(play)
    ottomans.open_ottoman_war(play)
    disputes.settle_all(play)
    _record_step(play, FOUGHT, ("WAR-016",))


def _record_step(play: Transaction, step: str, rules: tuple[str, ...]) -> None:
    play.emit(events.WarStepTaken(step=step, since=play.state.next_cause, rules=rules))


def _begin_wars(play: Transaction) -> None:
    """Move the next Wars to be fought out of Alliance Determination. Rules: WAR-018, WAR-019, WAR-020, WEN-035."""
    for war in alliances.active_wars(play.state):
        if war.stage == ALLIANCES:
            _assign_coasts(play)
            _begin_phase_of(play, war, INITIATIVE, 0, ("WAR-018", "WAR-020"))
            if war.kind == REBELLION:
                rebellion.place_rebel_armies(play, war)
    supply.note_unsupplied_minors(play)


def _assign_coasts(play: Transaction) -> None:
    """Assign each Naval Unit in an Area with two coasts to the first coast when a War begins.

    Rules: STR-007 (R-STR-06)
    """
    for area, unit, coast in tuple(war_adjacency.units_without_coast(play.tables, play.state)):
        play.emit(
            events.CoastChosen(power=unit.power, unit=unit.name, place=area, start="", coast=coast, rules=("STR-007",))
        )


def _clear_coasts(play: Transaction) -> None:
    """Merge the two coasts of such Areas again when the last War is over. Rules: STR-007, SET-015."""
    if play.state.wars:
        return
    map_ = board(play.tables, play.state)
    for area, here in play.state.areas.items():
        for unit in here.units:
            if unit.coast and not map_.split_coasts(area):
                play.emit(
                    events.CoastChosen(
                        power=unit.power, unit=unit.name, place=area, start=unit.coast, coast="", rules=("STR-007",)
                    )
                )


def _begin_phase_of(play: Transaction, war: War, stage: str, turn_of: int, rules: tuple[str, ...]) -> None:
    since = play.state.next_cause
    play.emit(events.WarPhaseBegan(war=war.id, stage=stage, turn_of=turn_of, since=since, rules=rules))


def _determine_initiative(play: Transaction, war: War) -> None:
    """Merge linked Wars, begin new ones, then roll for the order of the cycle."""
    if all(w.stage in (ALLIANCES, INITIATIVE) and not w.order for w in alliances.active_wars(play.state)):
        if command.ask_for_commander(play):
            return
        _begin_wars(play)
        _merge_linked_wars(play)
        war = alliances.current_war(play.state) or war
    roll_initiative(play, war)
    _go_to_next_phase(play, war.id)


def _merge_linked_wars(play: Transaction) -> None:
    """Rules: WAR-064 (R-WAR-08)."""
    before = play.state
    inseparable = alliances.powers_of_one_seat(play.tables, before)
    while pair := next(alliances.linked_wars(play.state), None):
        older, newer = pair
        war = alliances.merge_wars(older, newer, inseparable)
        play.emit(events.WarsMerged(war=war, gone=(newer.id,), rules=("WAR-064",)))
    declarations.end_treaties(play, before)


def _end_alliance_phase(play: Transaction, war: War) -> None:
    """Rules: WAR-026, SUP-003, WMV-035."""
    if war.stage == ATTACK:
        supply.surrender_stranded(play, war)
        supply.conquer_areas(play, war)
    _go_to_next_phase(play, war.id)


def _go_to_next_phase(play: Transaction, id_: str) -> None:
    """Take a War to its next Phase, after a window for the causes that arose in this one.

    Rules: WAR-026, WAR-061, STR-017 (R-WAR-03)
    """
    war = next(w for w in play.state.wars if w.id == id_)
    notes = play.state.top.notes
    since = notes.since if isinstance(notes, WarNotes) else 0
    supply.note_unsupplied_minors(play)
    stage, turn_of = alliances.following_phase(war)
    _begin_phase_of(play, war, stage, turn_of, ("WAR-026",))
    war_adjacency.end_settled_pretexts(play)
    new = [c for c in play.state.casus_belli if since and int(c.id[2:]) >= since]
    if any(c in declarations.usable_causes(play.tables, play.state, c.holder) for c in new):
        _record_step(play, WINDOW, ("WAR-061",))


def _end_tests(play: Transaction, war: War) -> None:
    """Carry out War End Determination: the War is decided or goes on to the next cycle.

    Rules: WEN-027 to WEN-033, REB-058
    """
    empire_tests = {CHINA: rebellion.test_rebellion_end, OTTOMAN_EMPIRE: ends.test_ottoman_end}
    empire_tests.get(unallied_empire(play.state, war), ends.test_end)(play, war)
    now = play.state.war(war.id)
    if play.state.has_pressing_choice or now is None or now.stage != END:
        return
    quiet = 0 if now.attacked else now.quiet + 1
    play.emit(events.CycleEnded(war=now.id, cycle=now.cycle, quiet=quiet, rules=("WEN-033",)))
    _begin_phase_of(play, now, INITIATIVE, 0, ("WEN-033", "WAR-025"))
    _continue_wars(play)


def _continue_wars(play: Transaction) -> None:
    """Raise the tensions once if Wars continue after all end tests.

    Rules: ETI-022, ETI-023, ETI-010, ETI-041 (R-ETI-03, R-ETI-04, R-ETI-10)
    """
    wars = [w for w in alliances.active_wars(play.state) if w.stage != ALLIANCES]
    if not wars or any(w.stage != INITIATIVE for w in wars):
        return
    play.tension(CONTINUATION_TENSION, "A War goes on", ("ETI-022", "ETI-023"))


PHASE = Phase(
    name="war", due=is_due, begin=begin_phase, run=run_step, waits=waiting_seats, over=is_over, check_ready=check_pass
)
