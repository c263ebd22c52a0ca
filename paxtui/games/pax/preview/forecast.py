"""Warnings about Treaties, and forecasts of declarations of War, from the dry run of an action.

Called allies are assumed to join. Treaties hidden from the seat have no effect.

Rules: WAR-047, WAR-048, WAR-062, ETI-019, ETI-027, GWR-002, GWR-018, TRE-007, TRE-011, TRE-012
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.narration.narrator import BAD, ReportLine
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.state.diplomacy import Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.questions import (
    DECLARATION_QUESTIONS,
    Call,
    CodominionWar,
    Defence,
    Defiance,
    Duty,
    Invitation,
)
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import join_with_and, of_power, power_name, the_powers
from paxtui.games.pax.transaction import GREAT_WAR_TENSION, Transaction
from paxtui.games.pax.treaties import breaches, lookup, treaty_duties
from paxtui.games.pax.treaties.breaches import is_clause_public
from paxtui.games.pax.war import alliances, declarations
from paxtui.games.pax.war.command import standing_answer


def treaty_warnings(play: Transaction, seat: str, action: actions.Action) -> list[str]:
    """Return warnings about the seat's own Treaties that an action breaks or reveals, one sentence each.

    Args:
        play: the dry run of the action.

    Rules: TRE-007, TRE-011, TRE-012
    """
    if isinstance(action, actions.Reveal):
        return _reveal_warnings(play, action)
    tables, mine = play.tables, powers_of(play.tables, play.state, seat)
    broken = [e for e in play.events if isinstance(e, ev.TreatyBroken) and e.power in mine]
    out = [_breach_warning(tables, play.state.treaty(e.id), e.clause, e.power, e.what, e.open) for e in broken]
    if isinstance(action, actions.Ready):
        out += _unkept_duties(play, seat)
    return out


def _reveal_warnings(play: Transaction, action: actions.Reveal) -> list[str]:
    """Warnings about making an agreement public: its hidden breaches count from then on. Rules: TRE-011, TRE-012."""
    tables, treaty = play.tables, play.state.treaty(action.id)
    if treaty is None:
        return []
    name = lookup.display_name(tables, treaty)
    what = f"article {action.article} of {name}" if action.article else name
    out = [f"All players can read {what} from now on; it cannot be hidden again."]
    for event in play.events:
        if isinstance(event, ev.BreachOpened):
            breach = breaches.describe_breach(tables, treaty, event.clause, event.power, "")
            out.append(f"An old breach counts now: {breach}.")
        elif isinstance(event, ev.TensionRaised):
            out.append(f"Tension +{event.amount}.")
        elif isinstance(event, ev.CasusBelliArose):
            holder, against = power_name(tables, event.holder), power_name(tables, event.against)
            out.append(f"{holder} gets a Casus Belli against {against}.")
    return out


def _unkept_duties(play: Transaction, seat: str) -> list[str]:
    """Unanswered duties of a seat that it cannot fulfil in this position. Rules: TRE-007 (Decision 47)."""
    out = []
    for choice in play.state.choices:
        if choice.seat == seat and isinstance(choice.about, Duty):
            treaty, n = play.state.treaty(choice.about.treaty), choice.about.clause
            why = treaty_duties.duty_obstacle(play, treaty, n) if treaty else ""
            if treaty and why:
                what = f"unless it can be kept before the Phase ends ({why})"
                out.append(_breach_warning(play.tables, treaty, n, choice.power, what, is_clause_public(treaty, n)))
    return out


def _breach_warning(tables: Tables, treaty: Treaty | None, clause: int, power: str, what: str, opened: bool) -> str:
    assert treaty is not None
    cost = "tension +5 and a Casus Belli for the others" if opened else "a Casus Belli once it is revealed"
    return f"{breaches.describe_breach(tables, treaty, clause, power, what)} ({cost})."


BY_TENSIONS, BY_POWERS = "tensions", "powers"
"""Causes of the Great War: an Index of 100, or the number of European Powers in one War."""
_ASKS_FOR_WAR = (Call, CodominionWar, Defence, Defiance, Invitation)
"""Questions for which an answer is a declaration of War."""


class ForecastBreach(msgspec.Struct, frozen=True):
    """A clause (from 0) of a Treaty that a Power breaks; `known`: the Treaty is public, so the breach counts at
    once.
    """

    power: str
    treaty: str
    clause: int
    what: str
    known: bool


class DeclarationStep(msgspec.Struct, frozen=True):
    """A declaration of War.

    Attributes:
        power: the Power that declares War.
        on: the Powers it declares War on.
        partner: the Power whose call it answers; "" for the action itself.
        treaties: ids of the Treaties that call.
        tension: European Tensions Index after it, points.
        refusal: rise of the Index, in points, if the called Power stays away instead.
        breaches: clauses that it breaks.
        ended: ids of the Treaties that it ends.
        ended_between: ids of the Treaties that it ends only between two of their parties, each with the two.
    """

    power: str
    on: tuple[str, ...]
    partner: str = ""
    treaties: tuple[str, ...] = ()
    tension: int = 0
    refusal: int = 0
    breaches: tuple[ForecastBreach, ...] = ()
    ended: tuple[str, ...] = ()
    ended_between: tuple[tuple[str, str, str], ...] = ()


class WarForecast(msgspec.Struct, frozen=True):
    """Forecast consequences of an action, as far as the seat can know them.

    Attributes:
        before: European Tensions Index before it, points.
        tension: the Index after all steps, points.
        steps: the declarations in sequence, the seat's own first; empty if the action is to stay away from a War.
        breaches: clauses that the action breaks without a declaration, such as by staying away.
        alliances: the sides of the War if all called Powers join, overlapping Wars merged.
        european: European Powers at War in it; four cause the Great War.
        great_war: cause of the Great War: "", "tensions" or "powers".
        at: index of the step that causes it, 0 for the own action; -1 for none.
        culprits: seats that would be to blame.
        names: names of the Treaties mentioned, by id.
    """

    before: int
    tension: int
    steps: tuple[DeclarationStep, ...]
    breaches: tuple[ForecastBreach, ...] = ()
    alliances: tuple[tuple[str, ...], ...] = ()
    european: tuple[str, ...] = ()
    great_war: str = ""
    at: int = -1
    culprits: tuple[str, ...] = ()
    names: dict[str, str] = {}

    @property
    def changes_nothing(self) -> bool:
        """Whether nobody declares War, no Treaty is broken and European Tensions stay."""
        return not (self.steps or self.breaches or self.great_war or self.tension != self.before)


def can_forecast(state: State, action: actions.Action) -> bool:
    """Return whether an action declares or joins a War, or answers a call, a request for aid or a question of War."""
    if isinstance(action, actions.Choose):
        return any(c.id == action.id and isinstance(c.about, _ASKS_FOR_WAR) for c in state.choices)
    return isinstance(action, actions.DeclareWar | actions.JoinWar)


def forecast_war(known: State, play: Transaction) -> WarForecast:
    """Forecast the consequences of a declaration of War, or of the answer to a call.

    Args:
        known: the position as the seat knows it.
        play: the dry run of the action in this position.

    Rules: WAR-047, WAR-048, WAR-062, ETI-019, ETI-027, GWR-002, GWR-018
    """
    tables, events, state = play.tables, list(play.events), play.state
    while state.result is None and (
        call := next((c for c in state.choices if isinstance(c.about, DECLARATION_QUESTIONS)), None)
    ):
        answer = actions.Choose(call.id, standing_answer(tables, state, call))
        answered = run_trial(tables, state, call.seat, answer)
        if isinstance(answered, Refusal):
            break  # the rest is unknown
        events += answered.events
        state = answered.state
    return _forecast_of_events(tables, known, state, events)


def _forecast_of_events(tables: Tables, before: State, after: State, events: Sequence[ev.Event]) -> WarForecast:
    """Build the forecast from a chain of events, up to the next step of the War Sequence."""
    asked = {(c.power, c.about.on): c.about for c in before.choices if isinstance(c.about, Call)}
    loose: list[ForecastBreach] = []
    steps: list[DeclarationStep] = []
    tension = before.tension
    for event in events:
        if isinstance(event, ev.WarStepTaken):
            break
        if isinstance(event, ev.ChoiceOffered) and isinstance(event.choice.about, Call):
            asked[event.choice.power, event.choice.about.on] = event.choice.about
        elif isinstance(event, ev.WarDeclared):
            call = asked.get((event.power, event.on)) if event.treaty else None
            steps.append(_step(tables, before, event, call, tension))
        elif isinstance(event, ev.TensionRaised):
            tension = event.total
            steps[-1:] = [replace(step, tension=tension) for step in steps[-1:]]
        elif isinstance(event, ev.TreatyBroken):
            breach = ForecastBreach(event.power, event.id, event.clause, event.what, event.open)
            if steps and steps[-1].power == event.power:
                steps[-1] = replace(steps[-1], breaches=(*steps[-1].breaches, breach))
            else:
                loose.append(breach)
        elif isinstance(event, ev.TreatyEnded) and steps:
            steps[-1] = replace(steps[-1], ended=(*steps[-1].ended, event.id))
        elif isinstance(event, ev.TreatyEndedBetween) and steps:
            steps[-1] = replace(steps[-1], ended_between=(*steps[-1].ended_between, (event.id, *event.powers)))
    wars = _overlapping_wars(after, steps[0].power if steps else "")
    sides = alliances.merge_all(wars, alliances.powers_of_one_seat(tables, after)).alliances if wars else ()
    end = after.result
    return WarForecast(
        before=before.tension,
        tension=tension,
        steps=tuple(steps),
        breaches=tuple(loose),
        alliances=sides,
        european=declarations.european_belligerents(tables, wars),
        great_war="" if end is None else BY_TENSIONS if tension >= GREAT_WAR_TENSION else BY_POWERS,
        at=-1 if end is None else max(0, len(steps) - 1),
        culprits=end.culprits if end else (),
        names=_names(tables, before, steps, loose),
    )


def _names(
    tables: Tables, state: State, steps: Sequence[DeclarationStep], loose: Sequence[ForecastBreach]
) -> dict[str, str]:
    wanted = {b.treaty for b in (*loose, *(b for step in steps for b in step.breaches))}
    wanted.update(id_ for step in steps for id_ in (*step.treaties, *step.ended))
    wanted.update(id_ for step in steps for id_, *_ in step.ended_between)
    return {t.id: t.name or t.id for t in lookup.all_treaties(tables, state) if t.id in wanted}


def _step(tables: Tables, state: State, event: ev.WarDeclared, call: Call | None, tension: int) -> DeclarationStep:
    if call is None:
        return DeclarationStep(event.power, event.on, tension=tension)
    own = [(_treaty(tables, state, id_), clause) for id_, clause in zip(call.treaties, call.clauses, strict=True)]
    open_ = {treaty.id for treaty, clause in own if treaty and is_clause_public(treaty, clause)}
    return DeclarationStep(
        event.power,
        event.on,
        call.partner,
        tuple(dict.fromkeys(call.treaties)),
        tension,
        breaches.BREACH_TENSION * len(open_),
    )


def _treaty(tables: Tables, state: State, id_: str) -> Treaty | None:
    return next((t for t in lookup.all_treaties(tables, state) if t.id == id_), None)


def _overlapping_wars(state: State, power: str) -> tuple[War, ...]:
    """The War of a Power and all Wars that overlap it."""
    war = next((w for w in state.wars if w.side_of(power)), None)
    return declarations.overlapping_wars(state, war) if war else ()


def describe_forecast(tables: Tables, forecast: WarForecast) -> list[ReportLine]:
    """Describe a forecast in sentences, the own action first and the worst consequence last; [] if nothing changes."""
    if forecast.changes_nothing:
        return []
    out = [ReportLine(_describe_declaration(tables, forecast, step)) for step in forecast.steps]
    for breach in (*forecast.breaches, *(b for step in forecast.steps for b in step.breaches)):
        out.append(ReportLine(_describe_breach(tables, forecast, breach), tone=BAD))
    if len(forecast.alliances) > 1:
        sides = " against ".join(the_powers(tables, side) for side in forecast.alliances)
        out.append(ReportLine(f"The War would be {sides}."))
    if forecast.great_war:
        out.append(ReportLine(_describe_great_war(tables, forecast), tone=BAD))
    elif forecast.tension > forecast.before:
        out.append(ReportLine(f"European Tensions would go from {forecast.before} to {forecast.tension}."))
    return out


def _describe_declaration(tables: Tables, forecast: WarForecast, step: DeclarationStep) -> str:
    who, whom = power_name(tables, step.power), the_powers(tables, step.on)
    if not step.partner:
        ended = [f"'{forecast.names[id_]}'" for id_ in step.ended]
        ended += [f"'{forecast.names[id_]}' between {the_powers(tables, pair)}" for id_, *pair in step.ended_between]
        ends = f", which ends {join_with_and(ended)}" if ended else ""
        return f"{who} declares War on {whom}{ends}: tension {step.tension}."
    treaties = join_with_and([f"'{forecast.names[id_]}'" for id_ in step.treaties])
    side = of_power(tables, step.partner)
    refusal = f", +{step.refusal} at once if it stays away" if step.refusal else ""
    return (
        f"{who} is called to {side} side against {whom} (by {treaties}): tension {step.tension} if it comes{refusal}."
    )


def _describe_breach(tables: Tables, forecast: WarForecast, breach: ForecastBreach) -> str:
    name = forecast.names[breach.treaty]
    cost = (
        f"tension +{breaches.BREACH_TENSION} and a Casus Belli" if breach.known else "a Casus Belli once it is revealed"
    )
    return f"{power_name(tables, breach.power)} would break '{name}': {cost} for the others."


def _describe_great_war(tables: Tables, forecast: WarForecast) -> str:
    why = {
        BY_TENSIONS: f"European Tensions reach {forecast.tension}",
        BY_POWERS: f"{the_powers(tables, forecast.european)} are at War",
    }[forecast.great_war]
    culprits = the_powers(tables, forecast.culprits) if forecast.culprits else "no Power"
    blame = f"{culprits} would be to blame"
    when = "This is the Great War" if forecast.at <= 0 else "If they come, this is the Great War"
    return f"{when}, and the end of the game: {why}; {blame}."
