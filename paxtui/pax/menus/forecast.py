"""What a declaration of War would bring about, told before it is final.

The act is played with the rules' own functions on the position as the seat knows it, and whoever a Treaty calls is
taken to come. So a Treaty that is hidden from the seat calls nobody here.

Rules: WAR-047, WAR-048, WAR-062, ETI-019, ETI-027, GWR-002, GWR-018
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import played
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import BRINK
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Call, CodominionWar, Defence, Defiance, Invitation, Pending
from paxtui.pax.state.treaty import Treaty
from paxtui.pax.state.war import War
from paxtui.pax.state.war_questions import ON_A_DECLARATION
from paxtui.pax.treaties import breaches, permanent
from paxtui.pax.war import alliances, great_war
from paxtui.pax.war.command.standing_answers import standing_answer
from paxtui.pax.words.spoken import all_of, of_power, power_name, the_powers

TENSIONS, POWERS = "tensions", "powers"
"""What brings on the Great War: an Index of 100, or the number of European Powers in one War."""
_ASKS_FOR_WAR = (Call, CodominionWar, Defence, Defiance, Invitation)
"""Questions to which an answer is a declaration of War."""


class Breach(msgspec.Struct, frozen=True):
    """A clause (from 0) of a Treaty that a Power breaks; `known`: whether it counts at once, for everybody knows it."""

    power: str
    treaty: str
    clause: int
    what: str
    known: bool


class Step(msgspec.Struct, frozen=True):
    """A declaration of War.

    Attributes:
        power: who declares.
        on: Powers it is declared on.
        partner: whose call it answers, "" for the one that is asked about.
        treaties: ids of the Treaties that call.
        tension: European Tensions Index after it, points.
        refusal: points by which the Index rises at once if the called Power stays away instead.
        breaches: what it breaks.
        ended: ids of the Treaties that it ends.
    """

    power: str
    on: tuple[str, ...]
    partner: str = ""
    treaties: tuple[str, ...] = ()
    tension: int = 0
    refusal: int = 0
    breaches: tuple[Breach, ...] = ()
    ended: tuple[str, ...] = ()


class Forecast(msgspec.Struct, frozen=True):
    """What an act of a seat would bring about, as far as the seat may know.

    Attributes:
        before: European Tensions Index before it, points.
        tension: the Index after it all, points.
        steps: the declarations in the order in which they are worked off, the own one first; none where the act is to
            stay away from a War.
        breaches: what the act itself breaks without a declaration, as staying away does.
        alliances: the sides of the War, overlapping Wars merged, if all who are called come.
        european: European Powers at War in it, of which four make the Great War.
        great_war: what brings on the Great War: "", "tensions" or "powers".
        at: number of the step (from 0) that brings it on: 0 is the own act; -1 for none.
        culprits: seats that would be to blame.
        names: what each Treaty it speaks of is called, by id.
    """

    before: int
    tension: int
    steps: tuple[Step, ...]
    breaches: tuple[Breach, ...] = ()
    alliances: tuple[tuple[str, ...], ...] = ()
    european: tuple[str, ...] = ()
    great_war: str = ""
    at: int = -1
    culprits: tuple[str, ...] = ()
    names: dict[str, str] = {}


# --- working it out -------------------------------------------------------------------------------------------------


def concerns_war(state: State, action: ac.Action) -> bool:
    """Whether an act is one whose consequences `forecast` tells: a declaration, joining a War, answering whoever calls
    for one, asks for aid or asks whether it is to be War."""
    if isinstance(action, ac.Choose):
        return any(c.id == action.id and isinstance(c.about, _ASKS_FOR_WAR) for c in state.choices)
    return isinstance(action, ac.DeclareWar | ac.JoinWar)


def forecast(tables: Tables, known: State, seat: str, action: ac.Action) -> Forecast:
    """What a declaration of War, or the answer to a call, would bring about.

    Args: the tables; the position as the seat may know it (`secrecy.state_seen`); who acts; the act.
    Raises: Refusal `no_forecast` for other acts, or as the act.
    Rules: WAR-047, WAR-048, WAR-062, ETI-019, ETI-027, GWR-002, GWR-018
    """
    if not concerns_war(known, action):
        raise Refusal("no_forecast", (), "Only what concerns a declaration of War can be foretold.")
    play = played(tables, known, seat, action, Dice("forecast"))
    events, state = list(play.events), play.state
    while state.result is None and (call := next(_calls(state), None)):
        answer = ac.Choose(call.id, standing_answer(tables, state, call))
        play = played(tables, state, call.seat, answer, Dice("forecast"))
        events += play.events
        state = play.state
    return _told(tables, known, state, events)


def _calls(state: State) -> Iterator[Pending]:
    return (c for c in state.choices if isinstance(c.about, ON_A_DECLARATION))


def _told(tables: Tables, before: State, after: State, events: Sequence[ev.Event]) -> Forecast:
    """The forecast that a chain of events makes, up to where the War Sequence goes on."""
    asked = {(c.power, c.about.on): c.about for c in before.choices if isinstance(c.about, Call)}
    loose: list[Breach] = []
    steps: list[Step] = []
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
            breach = Breach(event.power, event.id, event.clause, event.what, event.open)
            if steps and steps[-1].power == event.power:
                steps[-1] = replace(steps[-1], breaches=(*steps[-1].breaches, breach))
            else:
                loose.append(breach)
        elif isinstance(event, ev.TreatyEnded) and steps:
            steps[-1] = replace(steps[-1], ended=(*steps[-1].ended, event.id))
    wars = _wars(after, steps[0].power if steps else "")
    end = after.result
    return Forecast(
        before=before.tension,
        tension=tension,
        steps=tuple(steps),
        breaches=tuple(loose),
        alliances=_as_one(wars).alliances if wars else (),
        european=great_war.europeans(tables, wars),
        great_war="" if end is None else TENSIONS if tension >= BRINK else POWERS,
        at=-1 if end is None else max(0, len(steps) - 1),
        culprits=end.culprits if end else (),
        names=_names(tables, before, steps, loose),
    )


def _names(tables: Tables, state: State, steps: Sequence[Step], loose: Sequence[Breach]) -> dict[str, str]:
    """Names of the Treaties that a forecast speaks of, by id."""
    wanted = {b.treaty for b in (*loose, *(b for step in steps for b in step.breaches))}
    wanted.update(id_ for step in steps for id_ in (*step.treaties, *step.ended))
    return {t.id: t.name or t.id for t in permanent.all_treaties(tables, state) if t.id in wanted}


def _step(tables: Tables, state: State, event: ev.WarDeclared, call: Call | None, tension: int) -> Step:
    """A declaration, with the call that it answers."""
    if call is None:
        return Step(event.power, event.on, tension=tension)
    own = [(_treaty(tables, state, id_), clause) for id_, clause in zip(call.treaties, call.clauses, strict=True)]
    open_ = {treaty.id for treaty, clause in own if treaty and breaches.known_to_all(treaty, clause)}
    return Step(
        event.power,
        event.on,
        call.partner,
        tuple(dict.fromkeys(call.treaties)),
        tension,
        breaches.TENSION * len(open_),
    )


def _treaty(tables: Tables, state: State, id_: str) -> Treaty | None:
    return next((t for t in permanent.all_treaties(tables, state) if t.id == id_), None)


def _wars(state: State, power: str) -> tuple[War, ...]:
    """The War of a Power with all that overlap it."""
    war = next((w for w in state.wars if w.side_of(power)), None)
    return great_war.overlapping(state, war) if war else ()


def _as_one(wars: tuple[War, ...]) -> War:
    """Overlapping Wars as the one that they will be."""
    one = wars[0]
    for war in wars[1:]:
        one = alliances.merged(one, war)
    return one


# --- in sentences ---------------------------------------------------------------------------------------------------


def sentences(tables: Tables, told: Forecast) -> list[str]:
    """A forecast in sentences, the own act first and the worst last."""
    out = [_said(tables, told, step) for step in told.steps]
    for breach in (*told.breaches, *(b for step in told.steps for b in step.breaches)):
        out.append(_broken(tables, told, breach))
    if len(told.alliances) > 1:
        sides = " against ".join(the_powers(tables, side) for side in told.alliances)
        out.append(f"The War would be {sides}.")
    if told.great_war:
        out.append(_great(tables, told))
    elif told.tension > told.before:
        out.append(f"European Tensions would go from {told.before} to {told.tension}.")
    return out


def _said(tables: Tables, told: Forecast, step: Step) -> str:
    who, whom = power_name(tables, step.power), the_powers(tables, step.on)
    if not step.partner:
        ended = [f"'{told.names[id_]}'" for id_ in step.ended]
        ends = f", which ends {all_of(ended)}" if ended else ""
        return f"{who} declares War on {whom}{ends}: tension {step.tension}."
    treaties = all_of([f"'{told.names[id_]}'" for id_ in step.treaties])
    side = of_power(tables, step.partner)
    refusal = f", +{step.refusal} at once if it stays away" if step.refusal else ""
    return (
        f"{who} is called to {side} side against {whom} (by {treaties}): tension {step.tension} if it comes{refusal}."
    )


def _broken(tables: Tables, told: Forecast, breach: Breach) -> str:
    name = told.names[breach.treaty]
    cost = f"tension +{breaches.TENSION} and a Casus Belli" if breach.known else "a Casus Belli once it is revealed"
    return f"{power_name(tables, breach.power)} would break '{name}': {cost} for the others."


def _great(tables: Tables, told: Forecast) -> str:
    why = {
        TENSIONS: f"European Tensions reach {told.tension}",
        POWERS: f"{the_powers(tables, told.european)} are at War",
    }[told.great_war]
    blame = f"{the_powers(tables, told.culprits)} would be to blame" if told.culprits else "nobody would be to blame"
    when = "This is the Great War" if told.at <= 0 else "If they come, this is the Great War"
    return f"{when}, and the end of the game: {why}; {blame}."
