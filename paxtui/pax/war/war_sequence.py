"""The War Phase: its opening, the windows for new causes, and the War Sequence, war by war and Phase by Phase.

The Phase rolls only in `run`; an act of a seat that was waited for ends at most the Phase of the Sequence it was
waited for in.

Rules: SEQ-024, SET-037, WAR-016 to WAR-026, WAR-035, WAR-055, WAR-056, WAR-061, WAR-064, WAR-065, WEN-033, WEN-035,
ETI-022, ETI-023 (R-WAR-01 to R-WAR-03, R-WAR-10, R-WAR-27, R-ETI-04, R-ETI-10)
"""

from __future__ import annotations

from paxtui.pax.board.neighbours import board
from paxtui.pax.board.tables import Tables
from paxtui.pax.diplomacy import unsettled
from paxtui.pax.history import events as ev
from paxtui.pax.play import casus_belli
from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CHINA, EXPANSION
from paxtui.pax.state.progress import WarNotes
from paxtui.pax.state.war import (
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
from paxtui.pax.war import aid, alliances, calls, china, cycle, declarations, initiative, ottomans, policy
from paxtui.pax.war.alliances import unallied_empire
from paxtui.pax.war.campaign import battle, maneuver, passages, supply, ways
from paxtui.pax.war.command import neutrals
from paxtui.pax.war.outcome import ends, homecoming, ottoman_end, rebellion_end, resolution
from paxtui.pax.words.spoken import place_name

GOING_ON = 2
"""Points by which the tensions rise at the end of each War Phase past which a War goes on (ETI-022)."""


# --- who is waited for ----------------------------------------------------------------------------------------------


def due(state: State) -> bool:
    """Whether play comes to the War Phase: a War is there or due, or a cause of one is left.

    Rules: SEQ-024, SEQ-028, WAR-017
    """
    causes = any(c.cause != casus_belli.DEFENCE for c in state.casus_belli)
    return bool(state.rebellion or state.ottoman_wars or state.wars or causes)


def waits(tables: Tables, state: State) -> tuple[str, ...]:
    """The seats that the War Phase waits for now, besides those that have a choice to make.

    Rules: WAR-017, WAR-061, WMV-004, WCB-002 (R-WAR-26)
    """
    if _asked(state):  # first those who have to choose
        return ()
    seats = asked(tables, state)
    return tuple(seat for seat in seats if seat not in state.ready)


def asked(tables: Tables, state: State) -> tuple[str, ...]:
    """The seats that may do something in what is played now, those that have passed among them."""
    if state.top.step != FOUGHT:
        return declarations.may_declare(tables, state)
    war = cycle.current(state)
    if war is None:
        return aid.asked(tables, state)
    if war.stage == INITIATIVE and not war.order:
        return declarations.may_declare(tables, state)
    if war.stage == MANEUVER:
        return maneuver.waits(tables, state, war)
    if war.stage == ATTACK:
        return battle.waits(tables, state, war)
    return ()


def must_attack(tables: Tables, state: State, seat: str) -> str:
    """An Area that a seat has to attack before it may pass, "" for none. Rules: REB-030."""
    war = cycle.current(state) if state.top.step == FOUGHT else None
    return battle.must_attack(tables, state, war, seat) if war else ""


def check_pass(play: Play, seat: str) -> None:
    """Nobody passes whose Armies have to attack still.

    Raises: Refusal `must_attack`.
    Rules: REB-030
    """
    area = must_attack(play.tables, play.state, seat)
    if area:
        where = place_name(play.tables, area)
        refuse("must_attack", ("REB-030",), f"Your armies have entered {where}, which fights: attack there first.")


def over(state: State) -> bool:
    """Whether the War Phase has nothing more to do."""
    return state.top.step == FOUGHT and not state.wars


# --- going on -------------------------------------------------------------------------------------------------------


def begin(play: Play) -> None:
    """Once somebody has passed and nobody is waited for any more: end what was waited in, without dice."""
    calls.left_alone(play)
    homecoming.stragglers(play)
    state = play.state
    if not state.ready or _asked(state) or waits(play.tables, state):
        return
    if state.top.step != FOUGHT:
        _close_window(play)
        return
    war = cycle.current(state)
    if war is None:
        aid.go_on(play)
    elif war.stage in (MANEUVER, ATTACK) and not _left_to_do(play, war):
        _end_of_turn(play, war)


def _left_to_do(play: Play, war: War) -> bool:
    """Whether something in the Phase of an Alliance is automatic, so that only `run` may end it."""
    if alliances.by_engine(play.tables, play.state, war, war.turn_of):
        return True
    return bool(battle.bound(play.tables, play.state, war))


def _asked(state: State) -> bool:
    """Whether a choice that play waits for is open."""
    return any(choice.about.pressing for choice in state.choices)


def run(play: Play) -> None:
    """One step of what is automatic: to the next Phase of the War Sequence, or to a choice."""
    if play.state.top.step != FOUGHT:
        _close_window(play)
        return
    calls.left_alone(play)
    homecoming.stragglers(play)
    war = cycle.current(play.state)
    if war is None:
        if not aid.go_on(play) and not neutrals.ask(play):
            _begin_wars(play)
    elif war.stage == INITIATIVE:
        _initiative(play, war)
    elif war.stage in (MANEUVER, ATTACK):
        battle.owed(play, war)
        if not _asked(play.state):
            policy.act(play, _now(play, war))
        if not _asked(play.state):
            _end_of_turn(play, _now(play, war))
    elif war.stage == SUPPLY:
        supply.check(play, war)
        _next(play, war.id)
    elif war.stage == END:
        _end_tests(play, war)
    elif war.stage == RESOLUTION and resolution.resolve(play, war):
        play.emit(ev.WarOver(war=war.id, rules=("WEN-034", "WEN-035")))
        _off_coasts(play)
        _goes_on(play)


def _close_window(play: Play) -> None:
    """The declarations are closed: at the opening of the War Phase the Wars begin, in a War it goes on.

    Rules: WAR-016, WAR-035, WAR-061 (R-WAR-01, R-WAR-02)
    """
    if play.state.top.step == WINDOW:
        put = unsettled.left_to_congress(play.state)
        for cause in play.state.casus_belli:
            if casus_belli.lapses(cause) == casus_belli.WINDOW and cause.id not in put:
                play.emit(ev.CasusBelliEnded(id=cause.id, reason="lapsed", rules=("WAR-061",)))
        _step(play, FOUGHT, ("WAR-061",))
        supply.note_new(play)
        return
    china.open_war(play)
    ottomans.open_war(play)
    unsettled.settle_all(play)
    _step(play, FOUGHT, ("WAR-016",))


def _step(play: Play, step: str, rules: tuple[str, ...]) -> None:
    play.emit(ev.WarStepTaken(step=step, since=play.state.next_cause, rules=rules))


def _begin_wars(play: Play) -> None:
    """The next Wars to be fought leave Alliance Determination.

    Rules: WAR-018, WAR-019, WAR-020, WEN-035
    """
    for war in cycle.fought(play.state):
        if war.stage == ALLIANCES:
            _on_coasts(play)
            _phase(play, war, INITIATIVE, 0, ("WAR-018", "WAR-020"))
            if war.kind == REBELLION:
                china.rise(play, war)
    supply.note_new(play)


def _on_coasts(play: Play) -> None:
    """When a War begins every Naval Unit in an Area with two coasts comes to lie on one of them, the first.

    Rules: STR-007 (R-STR-06)
    """
    for area, unit, coast in tuple(ways.uncoasted(play.tables, play.state)):
        play.emit(
            ev.CoastChosen(
                power=unit.power, unit=unit.name, place=area, start="", coast=coast, rules=("STR-007",)
            )
        )


def _off_coasts(play: Play) -> None:
    """When the last War is over the coasts of an Area that are one in peace are one again.

    Rules: STR-007, SET-015
    """
    if play.state.wars:
        return
    map_ = board(play.tables, play.state)
    for area, here in play.state.areas.items():
        for unit in here.units:
            if unit.coast and not map_.split_coasts(area):
                play.emit(
                    ev.CoastChosen(
                        power=unit.power, unit=unit.name, place=area, start=unit.coast, coast="", rules=("STR-007",)
                    )
                )


def _phase(play: Play, war: War, stage: str, turn_of: int, rules: tuple[str, ...]) -> None:
    since = play.state.next_cause
    play.emit(ev.WarPhaseBegan(war=war.id, stage=stage, turn_of=turn_of, since=since, rules=rules))


def _initiative(play: Play, war: War) -> None:
    """Linked Wars merge, new ones begin, then the Alliances roll for the order of the cycle.

    Rules: WAR-022 to WAR-025, WAR-064 (R-WAR-08)
    """
    if all(w.stage in (ALLIANCES, INITIATIVE) and not w.order for w in cycle.fought(play.state)):
        if neutrals.ask(play):
            return
        _begin_wars(play)
        _merge(play)
        war = cycle.current(play.state) or war
    initiative.roll(play, war)
    _next(play, war.id)


def _merge(play: Play) -> None:
    """Wars that a declaration has linked become one.

    Rules: WAR-064 (R-WAR-08)
    """
    before = play.state
    while pair := next(alliances.linked(play.state), None):
        older, newer = pair
        war = alliances.merged(older, newer)
        play.emit(ev.WarsMerged(war=war, gone=(newer.id,), rules=("WAR-064",)))
    declarations.end_treaties_between_enemies(play, before)


def _now(play: Play, war: War) -> War:
    """The War as it is now."""
    return next(w for w in play.state.wars if w.id == war.id)


def _end_of_turn(play: Play, war: War) -> None:
    """The Maneuver or Attack Phase of an Alliance ends.

    Rules: WAR-026, SUP-003, WMV-035
    """
    if war.stage == ATTACK:
        battle.close(play, war)
    _next(play, war.id)


def _next(play: Play, id_: str) -> None:
    """A War goes to its next Phase; causes that have arisen in this one have their window first.

    Rules: WAR-026, WAR-061, STR-017 (R-WAR-03)
    """
    war = next(w for w in play.state.wars if w.id == id_)
    notes = play.state.top.notes
    since = notes.since if isinstance(notes, WarNotes) else 0
    supply.note_new(play)
    stage, turn_of = cycle.following(war)
    _phase(play, war, stage, turn_of, ("WAR-026",))
    passages.settle(play)
    new = [c for c in play.state.casus_belli if since and int(c.id[2:]) >= since]
    if any(c in declarations.usable(play.tables, play.state, c.holder) for c in new):
        _step(play, WINDOW, ("WAR-061",))


def _end_tests(play: Play, war: War) -> None:
    """War End Determination: the War is decided, or goes on with the next cycle.

    Rules: WEN-027 to WEN-033, REB-058
    """
    alone = {CHINA: rebellion_end, EXPANSION: ottoman_end}
    alone.get(unallied_empire(play.state, war), ends).test(play, war)
    now = next((w for w in play.state.wars if w.id == war.id), None)
    if _asked(play.state) or now is None or now.stage != END:
        return
    quiet = 0 if now.attacked else now.quiet + 1
    play.emit(ev.CycleEnded(war=now.id, cycle=now.cycle, quiet=quiet, rules=("WEN-033",)))
    _phase(play, now, INITIATIVE, 0, ("WEN-033", "WAR-025"))
    _goes_on(play)


def _goes_on(play: Play) -> None:
    """When all Wars that are fought have had their end tests, those that go on raise the tensions, once.

    Raises: GameOver, with the first declarers of all of them.
    Rules: ETI-022, ETI-023, ETI-010, ETI-041 (R-ETI-03, R-ETI-04, R-ETI-10)
    """
    wars = [w for w in cycle.fought(play.state) if w.stage != ALLIANCES]
    if not wars or any(w.stage != INITIATIVE for w in wars):
        return
    play.tension(GOING_ON, "A War goes on", ("ETI-022", "ETI-023"))


PHASE = Phase(name="war", due=due, begin=begin, run=run, waits=waits, over=over, check_ready=check_pass)
