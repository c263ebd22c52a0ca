"""What an act would bring, found by doing it with the rules themselves on a position thrown away afterwards.

Give the position as the seat may know it (`state_seen`): then nothing that is hidden from the seat can show itself
here, for it is not in the position that is tried. What dice decide is never foretold, only its odds.

Rules: STA-004, STA-014, STA-024, STA-037, ADM-018, CRI-007, CRI-008, CCB-043, VIC-003, TRE-007
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import at, powers_of, unestablished
from paxtui.pax.board.tables import Tables
from paxtui.pax.combat.colonial_combat import forbidden
from paxtui.pax.combat.colonial_outcome import win
from paxtui.pax.combat.marker_adjustment import conflicts_of_markers
from paxtui.pax.decide import played
from paxtui.pax.diplomacy.transfers import check_transfer, hand_marker
from paxtui.pax.expansion import garrison_plan
from paxtui.pax.history import events as ev
from paxtui.pax.menus import forewarning
from paxtui.pax.menus.trial import TRIAL
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli
from paxtui.pax.play.play import GameOver, Play, Trial
from paxtui.pax.reports.combat import Odds, odds_at
from paxtui.pax.reports.war import answers, peril
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.turn import bonuses, chinese_resentment, record_sheet
from paxtui.pax.turn.final_record import income_is_over, section_six
from paxtui.pax.turn.victory_point_record import bought, money_left


class Foresight(msgspec.Struct, frozen=True):
    """What an act would bring the Power that acts, for better or worse.

    What depends on a marker being established is reckoned as if it were: a Control marker as if its combat were won.

    Attributes:
        price: pounds that it costs at once.
        income: how line 22 would change next turn, in pounds, the Colonial Office left out; 0 if none comes.
        tension, resentment: points by which European Tensions and Chinese Resentment rise.
        yearly_resentment: points by which Chinese Resentment rises more, or less, each Game Turn from then on.
        points: Victory Points of the seat at once.
        points_at_end: Victory Points of the seat if the game ended then: bonuses; once the last income has been paid
            out also what money left and income are worth.
        causes: Casus Belli that arise.
        settled: Casus Belli that are settled.
        ungarrisoned: Areas Controlled, or to be, that lack an army because of it.
        garrisoned: Areas that lack one no longer.
        ottoman_war: whether it brings the Ottoman Empire to war.
        great_war: whether European Tensions reach 100, which ends the game.
        combat: the Area for which the Power would fight, as things stand then; "" for none.
        odds: those of that combat.
        breaches: own Treaties that it breaks, in sentences.
        perils: what it would cost in War, in sentences: supply, garrisons, Coaling Rights.
        answer: what an answer to a question of War would bring, in sentences.
    """

    price: int = 0
    income: int = 0
    tension: int = 0
    resentment: int = 0
    yearly_resentment: int = 0
    points: int = 0
    points_at_end: int = 0
    causes: tuple[CasusBelli, ...] = ()
    settled: tuple[CasusBelli, ...] = ()
    ungarrisoned: tuple[str, ...] = ()
    garrisoned: tuple[str, ...] = ()
    ottoman_war: bool = False
    great_war: bool = False
    combat: str = ""
    odds: Odds | None = None
    breaches: tuple[str, ...] = ()
    perils: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()


GREAT_WAR = 100
"""European Tensions at which the game ends (ETI-002)."""


def foresee(tables: Tables, state: State, seat: str, action: ac.Action) -> Foresight | Refusal:
    """What an act of a seat would bring, or why it is refused.

    Args:
        state: the position as the seat may know it.
    """
    power = getattr(action, "power", "") or seat
    if (asked := answers.asked(state, seat, action)) is not None:
        found = answers.answer(tables, state, *asked)
        return found.refusal or Foresight(answer=tuple(line.text for line in found.told))
    try:
        play = played(tables, state, seat, action, Dice(TRIAL))
    except Refusal as refusal:
        return refusal
    breaches = tuple(forewarning.warnings(tables, state, seat, action))
    perils = tuple(peril.warnings(tables, state, seat, action))
    if play.dice.index or play.state.phase != state.phase:
        # what the dice would show is nobody's to know, and what comes after the Phase comes of everybody's acts
        return msgspec.structs.replace(_undecided(tables, state, seat, power, action, breaches), perils=perils)
    at_once = tuple(play.events)
    # an offer does nothing before it is accepted: what it would do then is what has to be known
    agreed = _agreed(tables, play.state, power, action)
    settled_down = agreed.state if agreed else play.state
    areas = _touched((*at_once, *(agreed.events if agreed else ())))
    then = _established(tables, settled_down, power, areas)
    now = _established(tables, state, power, areas)
    events = (*at_once, *(agreed.events if agreed else ()), *then.events)
    sooner = tuple(now.events)
    combat, odds = _combat(tables, play.state, power, action, areas)
    bare, bare_before = _bare(tables, settled_down, power), _bare(tables, state, power)
    mine = powers_of(tables, state, seat)
    known = {_kind_of(cause) for cause in state.casus_belli} | {_kind_of(cause) for cause in _arisen(sooner)}
    return Foresight(
        price=-sum(e.amount for e in at_once if isinstance(e, ev.TreasuryChanged) and e.power in mine),
        income=_income(tables, then.state, power) - _income(tables, now.state, power),
        tension=_tension(events) - _tension(sooner),
        resentment=sum(e.amount for e in events if isinstance(e, ev.ResentmentRaised)),
        yearly_resentment=_yearly(tables, then.state) - _yearly(tables, now.state),
        points=sum(e.amount for e in at_once if isinstance(e, ev.VictoryPointsChanged) and e.power == seat),
        points_at_end=_at_end(tables, then.state, seat) - _at_end(tables, now.state, seat),
        causes=tuple(cause for cause in _arisen(events) if _kind_of(cause) not in known),
        settled=_settled(state, events),
        ungarrisoned=tuple(area for area in bare if area not in bare_before),
        garrisoned=tuple(area for area in bare_before if area not in bare),
        ottoman_war=any(isinstance(e, ev.WarDue) for e in then.events[len(sooner) :]),
        great_war=then.state.tension >= GREAT_WAR,
        combat=combat,
        odds=odds,
        breaches=breaches,
        perils=perils,
    )


def _undecided(
    tables: Tables, state: State, seat: str, power: str, action: ac.Action, breaches: tuple[str, ...]
) -> Foresight:
    """What is known of an act whose outcome the dice or the others decide: the odds of a fight, Treaties broken."""
    area = getattr(action, "area", "")
    if isinstance(action, ac.Fight):
        return Foresight(combat=area, odds=odds_at(tables, state, area, (power,)), breaches=breaches)
    return Foresight(breaches=breaches)


def _agreed(tables: Tables, state: State, power: str, action: ac.Action) -> Trial | None:
    """What would happen once a marker that is offered is accepted; None for any other act."""
    if not isinstance(action, ac.Transfer):
        return None
    trial = Trial(tables, state)
    try:
        marker = check_transfer(trial, power, action.to, action.area)
        hand_marker(trial, power, action.to, action.area, marker)
    except (Refusal, GameOver):
        return None
    return trial


def _touched(events: Iterable[ev.Event]) -> tuple[str, ...]:
    """Areas whose markers some events change."""
    kinds = (ev.MarkerPlaced, ev.MarkerLowered, ev.MarkerTransferred, ev.CodominionSet)
    return tuple(dict.fromkeys(e.area for e in events if isinstance(e, kinds)))


def _established(tables: Tables, state: State, power: str, areas: Iterable[str]) -> Play:
    """The position once the new markers of some Areas are established, and what they give rise to there.

    New Control of the Power counts as won; whether that of others will be is not known.

    Rules: SEQ-016, STA-020, STA-022, STA-024, STA-052, STA-053
    """
    trial = Trial(tables, state)
    # tension that ends the game stops all that would follow; the Index of the trial stands at its end then
    with suppress(GameOver):
        for area in areas:
            for marker in at(state, area).markers:
                if not marker.established and marker.marker in CONTROL and marker.power == power:
                    win(trial, area, (marker.power,), ())
                elif not marker.established and marker.marker not in CONTROL:
                    trial.emit(ev.MarkerEstablished(area=area, power=marker.power, marker=marker.marker))
            casus_belli.settle(trial, area, ())
            conflicts_of_markers(trial, area)
            casus_belli.of_new_control(trial, area)
    return trial


# --- the figures --------------------------------------------------------------------------------------------------


def _income(tables: Tables, state: State, power: str) -> int:
    """Line 22 to be expected. Rules: ADM-018."""
    if power not in state.powers or income_is_over(tables, state):
        return 0
    return record_sheet.forecast(tables, state, power)


def _tension(events: Iterable[ev.Event]) -> int:
    return sum(e.amount for e in events if isinstance(e, ev.TensionRaised))


def _yearly(tables: Tables, state: State) -> int:
    """Points by which Chinese Resentment would rise in its Phase. Rules: CRI-008."""
    trial = Trial(tables, state)
    chinese_resentment.adjust(trial)
    return trial.state.resentment - state.resentment


def _at_end(tables: Tables, state: State, seat: str) -> int:
    """Victory Points if the game ended so: bonuses, and lines 24 and 29 where nothing else comes of money any more.

    Rules: VIC-006, VIC-015, VIC-016
    """
    if not income_is_over(tables, state):
        return bonuses.total(bonuses.current(tables, state, seat))
    lines = section_six(tables, state, seat)
    return bought(tables, seat, money_left(tables, state, seat)) + lines["28"] + lines["29"]


def _arisen(events: Iterable[ev.Event]) -> Iterator[CasusBelli]:
    for e in events:
        if isinstance(e, ev.CasusBelliArose):
            yield CasusBelli(e.id, e.holder, e.against, e.area, cause=e.cause, minor=e.minor)


def _kind_of(cause: CasusBelli) -> tuple[str, str, str, str]:
    """What makes a Casus Belli the same as another: markers that conflict over one Area give one only."""
    alike = "" if cause.cause in casus_belli.MARKERS else cause.cause
    return cause.holder, cause.against, cause.area, alike


def _settled(state: State, events: Iterable[ev.Event]) -> tuple[CasusBelli, ...]:
    ended = {e.id for e in events if isinstance(e, ev.CasusBelliEnded)}
    return tuple(cause for cause in state.casus_belli if cause.id in ended)


def _bare(tables: Tables, state: State, power: str) -> tuple[str, ...]:
    """Areas that the Power Controls, or is about to, where it has no army. Rules: STA-014, STA-037."""
    if state.phase != "movement":
        return ()
    new = [a for a in state.areas if (m := unestablished(state, a, power)) is not None and m.marker in CONTROL]
    there = (a for a in new if not garrison_plan.garrisoned(state, a, power))
    return tuple(dict.fromkeys((*garrison_plan.missing(tables, state, power), *there)))


def _combat(
    tables: Tables, state: State, power: str, action: ac.Action, areas: tuple[str, ...]
) -> tuple[str, Odds | None]:
    """The Colonial Combat that an act prepares, with its odds as the forces stand then.

    Rules: CCB-001, CCB-006, CCB-043
    """
    if state.phase != "movement" or not isinstance(action, ac.Place | ac.Upgrade | ac.Move):
        return "", None
    end = action.path[-1] if isinstance(action, ac.Move) and action.path else ""
    for area in dict.fromkeys((*areas, end)):
        if area in tables.areas and forbidden(tables, state, area, power) is None:
            return area, odds_at(tables, state, area, (power,))
    return "", None
