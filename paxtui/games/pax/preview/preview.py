"""Preview the consequences of an action by executing it on a copy of the position.

Pass the position as the seat knows it; hidden information then cannot leak. Dice are shown only as odds.

Rules: STA-004, STA-014, STA-024, STA-037, ADM-018, CRI-007, CRI-008, CCB-043, VIC-003, TRE-007
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Raw
from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.status import area_state, powers_of, unestablished
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat.colonial_combat import attack_obstacle, win_area
from paxtui.games.pax.combat.marker_adjustment import apply_conflicts
from paxtui.games.pax.diplomacy.transfers import check_transfer, transfer_marker
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.expansion import garrisons
from paxtui.games.pax.narration.narrator import BAD, GOOD, PLAIN, ReportLine
from paxtui.games.pax.preview import supply, war_answers
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.preview.forecast import (
    WarForecast,
    can_forecast,
    describe_forecast,
    forecast_war,
    treaty_warnings,
)
from paxtui.games.pax.preview.odds import CombatOdds, combat_odds_at, describe_odds
from paxtui.games.pax.state.diplomacy import CasusBelli
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.text.display import join_with_and, of_power, place_name, the_power
from paxtui.games.pax.transaction import GREAT_WAR_TENSION, DryRun, GameOver, Transaction
from paxtui.games.pax.turn import administration, chinese_resentment, victory
from paxtui.games.pax.turn.victory import bought_points, final_lines, is_income_over, money_left


class Preview(msgspec.Struct, frozen=True):
    """Consequences of an action for the Power that acts.

    Effects that need an established marker are computed as if it were established, and a combat for Control as if won.

    Attributes:
        price: immediate cost in pounds.
        income: change of line 22 next turn, in pounds, without the Colonial Office; 0 if there is no next income.
        tension, resentment: rise of European Tensions and Chinese Resentment, in points.
        yearly_resentment: change of the rise of Chinese Resentment in each later Game Turn, in points.
        points: immediate Victory Points of the seat.
        points_at_end: change of the seat's final Victory Points from bonuses; after the last income also from money and
            income.
        causes: Casus Belli that arise.
        settled: Casus Belli that are settled.
        ungarrisoned: Areas under present or expected Control that lose their only army.
        garrisoned: Areas that lacked an army and get one.
        ottoman_war: whether it brings the Ottoman Empire to war.
        great_war: whether European Tensions reach 100, which ends the game.
        combat: the Area of the Colonial Combat that it prepares; "" for none.
        odds: odds of that combat with the present forces.
        breaches: own Treaties that it breaks or reveals, as sentences.
        perils: dangers in War, as sentences: supply, garrisons, Coaling Rights.
        answer: all consequences of an answer to a question of War, as sentences.
        forecast: of a declaration of War, or of joining one; None for other actions.
        changed: Areas whose markers an answer changes.
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
    odds: CombatOdds | None = None
    breaches: tuple[str, ...] = ()
    perils: tuple[str, ...] = ()
    answer: tuple[ReportLine, ...] = ()
    forecast: WarForecast | None = None
    changed: tuple[str, ...] = ()

    @property
    def warnings(self) -> list[str]:
        """The broken Treaties and the dangers in War, to confirm before the action."""
        return [*self.breaches, *self.perils]


def preview_action(
    tables: Tables, state: State, seat: str, action: actions.Action, trial: Transaction | None = None
) -> Preview | Refusal:
    """Return the consequences of an action, or why it is refused. The action is decided once.

    Args:
        state: the position as the seat knows it.
        trial: the trial run of the action in this position, if there is one already.
    """
    power = getattr(action, "power", "") or seat
    play = trial or run_trial(tables, state, seat, action)
    if isinstance(play, Refusal):
        return play
    warned = Preview(
        breaches=tuple(treaty_warnings(play, seat, action)),
        perils=tuple(supply.war_risks(state, seat, action, play)),
        forecast=forecast_war(state, play) if can_forecast(state, action) else None,
    )
    if (asked := war_answers.answered_question(state, seat, action)) is not None:
        found = war_answers.preview_answer(tables, state, *asked, play, warned.forecast)
        return found.refusal or replace(warned, answer=found.lines, changed=found.areas)
    if play.dice.index or play.state.phase != state.phase:
        # dice are unknown, and later events depend on the actions of all seats
        if not isinstance(action, actions.Fight):
            return warned
        return replace(warned, combat=action.area, odds=combat_odds_at(tables, state, action.area, (power,)))
    at_once = tuple(play.events)
    # an offer has no effect until it is accepted: preview the acceptance
    agreed = _run_acceptance(tables, play.state, power, action)
    settled_down = agreed.state if agreed else play.state
    ordered = (*at_once, *(agreed.events if agreed else ()))
    areas = _changed_areas(ordered)
    then = _establish(tables, settled_down, power, areas)
    now = _establish(tables, state, power, areas)
    events = (*ordered, *then.events)
    sooner = tuple(now.events)
    combat, odds = _combat(tables, play.state, power, action, areas)
    bare, bare_before = _ungarrisoned_areas(tables, settled_down, power), _ungarrisoned_areas(tables, state, power)
    mine = powers_of(tables, state, seat)
    known = {_cause_identity(cause) for cause in (*state.casus_belli, *_new_causes(sooner))}
    return replace(
        warned,
        price=-sum(e.amount for e in at_once if isinstance(e, ev.TreasuryChanged) and e.power in mine),
        income=_expected_income(tables, then.state, power) - _expected_income(tables, now.state, power),
        tension=_raised_tension(events) - _raised_tension(sooner),
        resentment=sum(e.amount for e in events if isinstance(e, ev.ResentmentRaised)),
        yearly_resentment=_expected_resentment(tables, then.state) - _expected_resentment(tables, now.state),
        points=sum(e.amount for e in at_once if isinstance(e, ev.VictoryPointsChanged) and e.power == seat),
        points_at_end=_final_points(tables, then.state, seat) - _final_points(tables, now.state, seat),
        causes=tuple(
            cause
            for cause in _new_causes(events)
            if _cause_identity(cause) not in known and not {cause.holder, cause.against} <= set(mine)
        ),
        settled=_settled_causes(state, events),
        ungarrisoned=tuple(area for area in bare if area not in bare_before),
        garrisoned=tuple(area for area in bare_before if area not in bare),
        ottoman_war=any(isinstance(e, ev.WarDue) for e in then.events[len(sooner) :]),
        great_war=then.state.tension >= GREAT_WAR_TENSION,
        combat=combat,
        odds=odds,
    )


def _run_acceptance(tables: Tables, state: State, power: str, action: actions.Action) -> DryRun | None:
    """Return the run of an accepted offer of a marker; None for other actions."""
    if not isinstance(action, actions.Transfer):
        return None
    trial = DryRun(tables, state)
    try:
        marker = check_transfer(trial, power, action.to, action.area)
        transfer_marker(trial, power, action.to, action.area, marker)
    except (Refusal, GameOver):
        return None
    return trial


def _changed_areas(events: Iterable[ev.Event]) -> tuple[str, ...]:
    kinds = (ev.MarkerPlaced, ev.MarkerLowered, ev.MarkerTransferred, ev.CodominionSet)
    return tuple(dict.fromkeys(e.area for e in events if isinstance(e, kinds)))


def _establish(tables: Tables, state: State, power: str, areas: Iterable[str]) -> Transaction:
    """The position and events after the new markers of some Areas are established.

    New Control of the acting Power counts as won. The outcome for other Powers stays open.

    Rules: SEQ-016, STA-020, STA-022, STA-024, STA-052, STA-053
    """
    trial = DryRun(tables, state)
    # tension that ends the game stops the dry run; its Index then stays at the end
    with suppress(GameOver):
        for area in areas:
            for marker in area_state(state, area).markers:
                if not marker.established and marker.marker in CONTROL and marker.power == power:
                    win_area(trial, area, (marker.power,), ())
                elif not marker.established and marker.marker not in CONTROL:
                    trial.emit(ev.MarkerEstablished(area=area, power=marker.power, marker=marker.marker))
            casus_belli.settle_causes(trial, area, ())
            apply_conflicts(trial, area)
            casus_belli.create_from_new_control(trial, area)
    return trial


CACHED_COUNT = 4
"""Number of cached figures of each kind: those before an action are the same for all lines of a menu."""


def _expected_income(tables: Tables, state: State, power: str) -> int:
    """Rules: ADM-018."""
    if power not in state.powers or is_income_over(tables, state):
        return 0
    return administration.forecast_net_income(tables, state, power)


def _raised_tension(events: Iterable[ev.Event]) -> int:
    return sum(e.amount for e in events if isinstance(e, ev.TensionRaised))


@cached(CACHED_COUNT, lambda tables, state: ((), (tables, state)))
def _expected_resentment(tables: Tables, state: State) -> int:
    """Expected rise of Chinese Resentment in its Phase, in points. Rules: CRI-008."""
    trial = DryRun(tables, state)
    chinese_resentment.adjust_resentment(trial)
    return trial.state.resentment - state.resentment


@cached(CACHED_COUNT, lambda tables, state, seat: ((seat,), (tables, state)))
def _final_points(tables: Tables, state: State, seat: str) -> int:
    """Final Victory Points in a position: bonuses, and lines 24 and 29 after the last income.

    Rules: VIC-006, VIC-015, VIC-016
    """
    if not is_income_over(tables, state):
        return victory.total_points(victory.current_bonuses(tables, state, seat))
    lines = final_lines(tables, state, seat)
    return bought_points(tables, seat, money_left(tables, state, seat)) + lines["28"] + lines["29"]


def _new_causes(events: Iterable[ev.Event]) -> Iterator[CasusBelli]:
    for e in events:
        if isinstance(e, ev.CasusBelliArose):
            yield CasusBelli(e.id, e.holder, e.against, e.area, cause=e.cause, minor=e.minor)


def _cause_identity(cause: CasusBelli) -> tuple[str, str, str, str]:
    """Identity of a Casus Belli for comparison: conflicting markers in one Area give only one."""
    alike = "" if cause.cause in casus_belli.MARKER_CAUSES else cause.cause
    return cause.holder, cause.against, cause.area, alike


def _settled_causes(state: State, events: Iterable[ev.Event]) -> tuple[CasusBelli, ...]:
    ended = {e.id for e in events if isinstance(e, ev.CasusBelliEnded)}
    return tuple(cause for cause in state.casus_belli if cause.id in ended)


@cached(CACHED_COUNT, lambda tables, state, power: ((power,), (tables, state)))
def _ungarrisoned_areas(tables: Tables, state: State, power: str) -> tuple[str, ...]:
    """Areas under present or expected Control of the Power without its army. Rules: STA-014, STA-037."""
    if state.phase != "movement":
        return ()
    new = [a for a in state.areas if (m := unestablished(state, a, power)) is not None and m.marker in CONTROL]
    there = (a for a in new if not garrisons.has_garrison(state, a, power))
    return tuple(dict.fromkeys((*garrisons.missing_garrisons(tables, state, power), *there)))


def _combat(
    tables: Tables, state: State, power: str, action: actions.Action, areas: tuple[str, ...]
) -> tuple[str, CombatOdds | None]:
    """The Colonial Combat that an action prepares, with its odds for the resulting forces.

    Rules: CCB-001, CCB-006, CCB-043
    """
    if state.phase != "movement" or not isinstance(action, actions.Place | actions.Upgrade | actions.Move):
        return "", None
    end = action.path[-1] if isinstance(action, actions.Move) and action.path else ""
    for area in dict.fromkeys((*areas, end)):
        if area in tables.areas and attack_obstacle(tables, state, area, power) is None:
            return area, combat_odds_at(tables, state, area, (power,))
    return "", None


def describe_preview(tables: Tables, state: State, seat: str, seen: Preview) -> list[ReportLine]:
    """Describe all consequences, one sentence each; GOOD for gains, BAD for losses and dangers.

    Price and income are not included, except in the forecast of a War and in an answer.
    """
    lost = [ReportLine(text, tone=BAD) for text in seen.perils]
    if seen.answer:
        return [*lost, *seen.answer]
    forecast = describe_forecast(tables, seen.forecast) if seen.forecast else []
    causes = _describe_causes(tables, powers_of(tables, state, seat), seen)
    return [*lost, *forecast, *_describe_figures(tables, state, seen), *causes, *_describe_risks(tables, seen)]


def encode_preview(tables: Tables, state: State, seat: str, seen: Preview) -> Raw:
    """Return a preview as builtins for the protocol, with its sentences as `says`. `forecast` has its own method."""
    raw: Raw = msgspec.to_builtins(replace(seen, forecast=None, answer=(), changed=()))
    del raw["forecast"], raw["changed"]
    says = [line.text for line in describe_preview(tables, state, seat, seen)]
    return {**raw, "answer": [line.text for line in seen.answer], "says": says}


def preview_figures(seen: Preview) -> str:
    """Format price and income as a suffix to the name of an action: `, £20, line 22 +10`."""
    price = f", £{seen.price}" if seen.price > 0 else f", £{-seen.price} gained" if seen.price else ""
    return price + (f", line 22 {seen.income:+d}" if seen.income else "")


def _describe_figures(tables: Tables, state: State, seen: Preview) -> Iterator[ReportLine]:
    if seen.forecast:
        pass  # it says what happens to European Tensions
    elif seen.great_war:
        yield ReportLine("European Tensions reach 100: the Great War ends the game.", tone=BAD)
    elif seen.tension > 0:
        yield ReportLine(f"European Tensions rise by {seen.tension}.", tone=BAD)
    at_once = f"by {seen.resentment} at once" if seen.resentment else ""
    each = f"by {abs(seen.yearly_resentment)} {'more' if seen.yearly_resentment > 0 else 'less'} each Game Turn"
    risen = join_with_and([text for text in (at_once, each * bool(seen.yearly_resentment)) if text])
    if risen:
        tone = BAD if seen.resentment > 0 or seen.yearly_resentment > 0 else GOOD
        yield ReportLine(f"Chinese Resentment rises {risen}.", tone=tone)
    if seen.points:
        yield ReportLine(f"{_points_text(seen.points)} at once.", tone=_tone(seen.points))
    if seen.points_at_end:
        lines = " (lines 24, 28 and 29)" if is_income_over(tables, state) else ""
        said = f"{_points_text(seen.points_at_end)} at the end, by the present position{lines}."
        yield ReportLine(said, tone=_tone(seen.points_at_end))


def _points_text(n: int) -> str:
    return f"{n:+d} Victory Point{'s' if abs(n) != 1 else ''}"


def _tone(n: int) -> str:
    return GOOD if n > 0 else BAD


def _describe_causes(tables: Tables, mine: tuple[str, ...], seen: Preview) -> Iterator[ReportLine]:
    holders: dict[str, list[CasusBelli]] = {}
    for cause in seen.causes:
        holders.setdefault(cause.against, []).append(cause)
    for against, causes in holders.items():
        who = join_with_and(list(dict.fromkeys(the_power(tables, cause.holder) for cause in causes)))
        whom = "you" if against in mine else the_power(tables, against)
        own = GOOD if any(cause.holder in mine for cause in causes) else PLAIN
        yield ReportLine(f"Gives {who} a Casus Belli against {whom}.", tone=BAD if against in mine else own)
    for cause in seen.settled:
        if cause.holder in mine:
            yield ReportLine(f"Gives up your Casus Belli against {the_power(tables, cause.against)}.", tone=BAD)
        else:
            tone = GOOD if cause.against in mine else PLAIN
            whom = "you" if cause.against in mine else the_power(tables, cause.against)
            yield ReportLine(f"Settles {of_power(tables, cause.holder)} Casus Belli against {whom}.", tone=tone)
    if not seen.forecast:  # which names the broken Treaties too
        yield from (ReportLine(breach, tone=BAD) for breach in seen.breaches)


def _describe_risks(tables: Tables, seen: Preview) -> Iterator[ReportLine]:
    """Garrisons, combats and resulting Wars."""
    if seen.ungarrisoned:
        where = join_with_and([place_name(tables, area) for area in seen.ungarrisoned])
        needs = "needs an army" if len(seen.ungarrisoned) == 1 else "need armies"
        yield ReportLine(f"Then {where} still {needs} of yours before the Phase ends.", tone=BAD)
    if seen.garrisoned:
        where = join_with_and([place_name(tables, area) for area in seen.garrisoned])
        has = "has its garrison" if len(seen.garrisoned) == 1 else "have their garrisons"
        yield ReportLine(f"{where} {has}.", tone=GOOD)
    if seen.odds:
        won = GOOD if seen.odds.wins == 6 else BAD if seen.odds.wins == 0 else PLAIN
        yield ReportLine(f"Combat for {place_name(tables, seen.combat)}: {describe_odds(seen.odds)}", tone=won)
    if seen.ottoman_war:
        yield ReportLine("If it is won, the Ottoman Empire goes to war this Game Turn.", tone=BAD)
