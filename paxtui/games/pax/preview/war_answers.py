"""Preview answers to questions of War, spoils, cessions and agreements.

Answers are executed on the position as the seat knows it. Others who must consent are assumed to do so.

Rules: WEN-028, WEN-031, WEN-040 to WEN-042, WEN-055, REB-033, REB-038, REB-039, REB-041, REB-043, STA-037, VIC-015,
VIC-016, NEG-002, WAR-047, WCD-002, OTT-006, OTT-023, MIN-045, ETI-019, ETI-027
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.actions import Action, Choose
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import area_state, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.expansion.garrisons import has_garrison
from paxtui.games.pax.figures import FigureChange
from paxtui.games.pax.narration.narrator import BAD, GOOD, PLAIN, Narrator, ReportLine
from paxtui.games.pax.preview.dry_run import Outcome, dry_run, outcome_of, run_trial
from paxtui.games.pax.preview.forecast import WarForecast, can_forecast, describe_forecast, forecast_war
from paxtui.games.pax.state.diplomacy import Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, CONTROL
from paxtui.games.pax.state.questions import (
    Announce,
    Call,
    Cession,
    Cessions,
    CodominionWar,
    Defence,
    EndWaiver,
    Invitation,
    Pending,
    Spoils,
)
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import (
    join_with_and,
    marker_with_article,
    of_power,
    place_name,
    power_name,
    sentence,
    the_power,
    the_powers,
)
from paxtui.games.pax.transaction import DryRun, GameOver, Transaction, option_texts
from paxtui.games.pax.turn import administration, victory
from paxtui.games.pax.war.outcome import ends, rebellion, spoils
from paxtui.games.pax.war.outcome.ends import END_IT
from paxtui.games.pax.war.outcome.spoils import SpoilsDemand


def preview_signatures(tables: Tables, state: State, treaty: Treaty) -> Outcome:
    """Preview a draft as if all parties signed it now, in the position as the seat knows it."""
    last = treaty.parties[-1]
    nearly = replace(treaty, signed=tuple(p for p in treaty.parties if p != last))
    there = tuple(nearly if t.id == treaty.id else t for t in state.treaties)
    seat = seat_of(tables, state, last)
    order = actions.Sign(treaty.id, "" if seat == last else last)
    play = run_trial(tables, replace(state, treaties=there), seat, order)
    if isinstance(play, Refusal):
        return Outcome(state, refusal=play)
    return outcome_of(state, play.state, play.events)


def describe_consequences(tables: Tables, power: str, events: Iterable[ev.Event]) -> Iterator[ReportLine]:
    """Describe tensions, resentment, Victory Points, causes of war and money in events, one sentence each.

    `power` is the reader's Power.
    """
    costs: list[ev.TreasuryChanged] = []
    angry: list[ev.ResentmentRaised] = []
    for event in events:
        if isinstance(event, ev.TensionRaised):
            who = f" ({the_power(tables, event.blame)})" if event.blame else ""
            text = f"European Tensions rise by {event.amount} to {event.total}: {event.reason}{who}."
            yield ReportLine(text, tone=BAD)
        elif isinstance(event, ev.ResentmentRaised):
            angry.append(event)
        elif isinstance(event, ev.ResentmentReset):
            yield ReportLine("Chinese Resentment goes back to 0.")
        elif isinstance(event, ev.VictoryPointsChanged):
            verb, tone = ("gains", GOOD) if event.amount > 0 else ("loses", BAD)
            points = f"{abs(event.amount)} Victory Point{'s' if abs(event.amount) != 1 else ''}"
            own = event.power == power
            yield ReportLine(f"{power_name(tables, event.power)} {verb} {points}.", tone=tone if own else PLAIN)
        elif isinstance(event, ev.CasusBelliArose):
            where = f" over {place_name(tables, event.area)}" if event.area else ""
            tone = GOOD if event.holder == power else BAD if event.against == power else PLAIN
            who, whom = power_name(tables, event.holder), the_power(tables, event.against)
            yield ReportLine(f"{who} gets a Casus Belli against {whom}{where}.", event.area, tone)
        elif isinstance(event, ev.TreasuryChanged) and event.amount < 0:
            costs.append(event)
    if angry:
        yield ReportLine(f"Chinese Resentment rises by {sum(e.amount for e in angry)} to {angry[-1].total}.", tone=BAD)
    if costs:
        yield ReportLine(f"It costs {join_with_and([f'{power_name(tables, e.power)} £{-e.amount}' for e in costs])}.")


def is_about_spoils(choice: Pending) -> bool:
    """Whether a question is about markers to place after a won War."""
    return isinstance(choice.about, Spoils | Cession)


def preview_spoils(tables: Tables, state: State, choice: Pending, text: str) -> Outcome:
    """Preview an answer about spoils or cessions, in the position as the seat knows it."""
    about, trial = choice.about, DryRun(tables, state)
    war = state.war(about.war) if isinstance(about, Spoils | Cession) else None
    if war is None:
        return Outcome(state)
    against: tuple[str, ...] = ()
    try:
        if isinstance(about, Spoils):
            against = _place_spoils(trial, war, choice, about, text)
        elif isinstance(about, Cession):
            against = _place_demand(trial, war, choice, about, text)
    except GameOver:
        pass  # the events include the end of the game
    waits = (
        isinstance(about, Cession)
        and text != rebellion.NO_DEMAND
        and _needs_signatures(tables, state, war, about, against)
    )
    return outcome_of(state, trial.state, trial.events)._replace(against=against, needs_signatures=waits)


def _place_spoils(trial: DryRun, war: War, choice: Pending, about: Spoils, text: str) -> tuple[str, ...]:
    """Place the victors' demands for an Area; return the Powers that object. Rules: WEN-041, WEN-042."""
    side, area = war.side_of(choice.power), choice.area
    answers = {**about.said, choice.power: (text,)}
    wanted = spoils.demands_by_victor(trial.tables, trial.state, war, side, area, answers)
    if spoils.is_quarrel(trial.state, war, area, wanted.values()):
        spoils.record_quarrel(trial, war, side, area, tuple(wanted))
        return tuple(p for p, demand in wanted.items() if demand != wanted.get(choice.power))
    if wanted:
        spoils.place_spoils(trial, war, area, *dict.fromkeys(wanted.values()))
    return ()


def _place_demand(trial: DryRun, war: War, choice: Pending, about: Cession, text: str) -> tuple[str, ...]:
    """Place a Power's demand on China; return earlier claimants of the same Area. Rules: REB-038, REB-039."""
    tables, state = trial.tables, trial.state
    demand = rebellion.possible_cessions(tables, state, choice.power, rebellion.cedable_areas(war)).get(text)
    if demand is None:
        return ()
    first = tuple(p for p, words in about.said.items() if words[0].split()[-1] == demand.area)
    if not first:
        rebellion.place_ceded_marker(trial, war, demand)
    return first


def _needs_signatures(tables: Tables, state: State, war: War, about: Cession, against: tuple[str, ...]) -> bool:
    """Whether a list must be signed: too few Areas, or two equal demands. Rules: REB-039, REB-043."""
    wanted = [words[0].split()[-1] for words in about.said.values() if words[0] != rebellion.NO_DEMAND]
    few = len(rebellion.cedable_areas(war)) < len(rebellion.claimants(tables, state, war))
    return few or bool(against) or len(set(wanted)) < len(wanted)


def demanded_marker(tables: Tables, state: State, choice: Pending, text: str) -> SpoilsDemand | None:
    """Return the marker that an answer demands, with its Power; None for an answer without a demand."""
    about = choice.about
    war = state.war(about.war) if isinstance(about, Spoils | Cession) else None
    if war is None:
        return None
    if isinstance(about, Spoils):
        side = war.side_of(choice.power)
        return spoils.demands_by_victor(tables, state, war, side, choice.area, {choice.power: (text,)}).get(
            choice.power
        )
    ceded = rebellion.possible_cessions(tables, state, choice.power, rebellion.cedable_areas(war)).get(text)
    return SpoilsDemand(ceded.marker, (ceded.power,)) if ceded else None


def figure_changes(tables: Tables, power: str, seat: str, before: State, after: State) -> tuple[FigureChange, ...]:
    """Return income, maintenance and Victory Points of a Power and its seat, before and after.

    Rules: ADM-011, ADM-016, ADM-018, VIC-015, VIC-016
    """
    sheets = [administration.sheet_lines(tables, state, power) for state in (before, after)]
    earned = [administration.colonial_income(lines) for lines in sheets]
    kept = [lines["21"] for lines in sheets]
    ends = [victory.final_lines(tables, state, seat) for state in (before, after)]
    return (
        FigureChange("Lines 11 to 14: income, £", earned[0], earned[1]),
        FigureChange("Line 21: maintenance, £", kept[0], kept[1], more_is_better=False),
        FigureChange("Line 22: a Game Turn, £", earned[0] - kept[0], earned[1] - kept[1]),
        FigureChange("Line 27: Victory Points", ends[0]["27"], ends[1]["27"]),
        FigureChange("Line 28: bonuses now", ends[0]["28"], ends[1]["28"]),
        FigureChange("Line 29: from income", ends[0]["29"], ends[1]["29"]),
        FigureChange("Line 31: if it ended now", ends[0]["31"], ends[1]["31"]),
    )


def describe_spoils(tables: Tables, choice: Pending, before: State, found: Outcome) -> list[ReportLine]:
    """Describe the other consequences of an answer: removed markers, garrison duty, Casus Belli, quarrels."""
    return [
        *_describe_quarrels(tables, choice, found),
        *_describe_lowered_markers(tables, before, found),
        *describe_duty(tables, choice.power, before, found),
        *_side_effects(found),
    ]


def _describe_quarrels(tables: Tables, choice: Pending, found: Outcome) -> Iterator[ReportLine]:
    """Powers with other demands, and the consequences. Rules: WEN-042, WEN-043, REB-039, REB-043."""
    if found.against:
        others = the_powers(tables, found.against)
        verb = "have" if len(found.against) > 1 else "has"
        if isinstance(choice.about, Spoils):
            yield ReportLine(sentence(f"{others} {verb} named something else: the victors quarrel"), tone=BAD)
            yield ReportLine(
                "No Power gets the Area, a Congress of Europe meets, and European Tensions rise by 3.", tone=BAD
            )
        else:
            yield ReportLine(
                sentence(f"{others} {verb} demanded this Area before you: your demand is left out"), tone=BAD
            )
    if found.needs_signatures:
        yield ReportLine("All demands become one list: all sign it, or China cedes nothing.", tone=BAD)
    holders: dict[str, list[str]] = {}
    for event in found.events:
        if isinstance(event, ev.CasusBelliArose):
            holders.setdefault(event.holder, []).append(event.against)
    for holder, against in holders.items():
        whom = join_with_and(["you" if p == choice.power else the_power(tables, p) for p in dict.fromkeys(against)])
        tone = GOOD if holder == choice.power else BAD if choice.power in against else PLAIN
        verb = "You get" if holder == choice.power else f"{power_name(tables, holder)} gets"
        yield ReportLine(f"{verb} a Casus Belli against {whom}.", tone=tone)


def _describe_lowered_markers(tables: Tables, before: State, found: Outcome) -> Iterator[ReportLine]:
    for area in found.areas:
        now = {m.power: m.marker for m in area_state(found.state, area).markers if m.established}
        for m in area_state(before, area).markers:
            if not m.established or now.get(m.power) == m.marker:
                continue
            whose = f"{of_power(tables, m.power)} {tables.markers[m.marker].name} in {place_name(tables, area)}"
            left = now.get(m.power)
            becomes = f"becomes {marker_with_article(tables, left)}" if left else "goes"
            yield ReportLine(sentence(f"{whose} {becomes}"), area)


def describe_duty(tables: Tables, power: str, before: State, found: Outcome) -> Iterator[ReportLine]:
    """Describe whether an Area under new Control has its link and its garrison. Rules: STA-037, ADM-006."""
    after = found.state
    for area in found.areas:
        is_controlled = any(m.power == power and m.marker in CONTROL for m in area_state(after, area).markers)
        if not is_controlled or any(m.power == power and m.marker in CONTROL for m in area_state(before, area).markers):
            continue
        name = place_name(tables, area)
        if area not in linked_areas(tables, after, power):
            yield ReportLine(
                f"{name} has no Communication Link to your home: it earns nothing until it has one.", area, BAD
            )
        if has_garrison(after, area, power):
            units = " ".join(u.name for u in area_state(after, area).units if u.power == power and u.kind == ARMY)
            yield ReportLine(f"Garrison: your {units} in {name} can stay.", area, GOOD)
        else:
            yield ReportLine(f"Garrison: you have no army in {name}; one must go there.", area, BAD)


def _side_effects(found: Outcome) -> Iterator[ReportLine]:
    """Side effects of the markers: War with the Ottoman Empire, resentment in China."""
    for event in found.events:
        if isinstance(event, ev.WarDue):
            yield ReportLine("The Ottoman Empire declares War over it in the next Game Turn.", event.area, BAD)
    resentment = sum(e.amount for e in found.events if isinstance(e, ev.ResentmentRaised))
    if resentment:
        yield ReportLine(f"Chinese Resentment rises by {resentment}.", tone=BAD)
    points = sum(e.amount for e in found.events if isinstance(e, ev.TensionRaised))
    if points:
        yield ReportLine(f"European Tensions rise by {points}.", tone=BAD)


def remaining_areas(tables: Tables, state: State, choice: Pending) -> tuple[str, ...]:
    """Return the Areas that the Alliance of the asked Power decides after this one, in sequence.

    Rules: WEN-040, WEN-044
    """
    about = choice.about
    war = state.war(about.war) if isinstance(about, Spoils) else None
    if war is None:
        return ()
    side = war.side_of(choice.power)
    return tuple(
        area for number, area in spoils.spoils_due(tables, state, war) if number == side and area != choice.area
    )


def other_answers(choice: Pending) -> list[tuple[str, str]]:
    """Return the answers of other Powers so far: Power and answer."""
    about = choice.about
    if isinstance(about, Spoils | Cession):
        return [(power, words[0]) for power, words in about.said.items()]
    return []


PREVIEWED_QUESTIONS = (Announce, Call, Cessions, CodominionWar, Defence, EndWaiver, Invitation)
"""Questions of War covered by `preview_answer`; attacks, losses, retreats, spoils and returns are elsewhere."""
_CONSENT = {
    ends.ANNOUNCE: ends.AGREE, ends.AGREE: ends.AGREE,
    rebellion.SIGN_LIST: rebellion.SIGN_LIST, END_IT: END_IT,
}  # fmt: skip
"""Answers that take effect only if all other asked Powers agree."""
_STOP_EVENTS = (ev.PhaseBegan, ev.TurnBegan, ev.WarOver, ev.WarPhaseBegan, ev.WarStepTaken, ev.DiceRolled)
"""Events that end a preview: something else begins, or dice are rolled."""
MAX_LOG_LINES = 6
"""Maximum number of events described in the words of the log."""


def is_previewed(choice: Pending) -> bool:
    """Whether `preview_answer` covers a question."""
    return isinstance(choice.about, PREVIEWED_QUESTIONS)


def answered_question(state: State, seat: str, action: Action) -> tuple[Pending, str] | None:
    """Return the question and the answer of an action if `preview_answer` covers them."""
    if not isinstance(action, Choose) or len(action.answer) != 1:
        return None
    choice = next((c for c in state.choices if c.id == action.id and c.seat == seat and is_previewed(c)), None)
    text = action.answer[0]
    return (choice, text) if choice is not None and text in option_texts(choice) else None


def preview_answer(
    tables: Tables,
    state: State,
    choice: Pending,
    text: str,
    trial: Transaction | None = None,
    forecast: WarForecast | None = None,
) -> Outcome:
    """Preview an answer. The answer is decided once.

    Args:
        state: the position as the seat knows it.
        trial: the trial run of the answer, if there is one already.
        forecast: its forecast, if there is one already.
    """
    answer = Choose(choice.id, (text,))
    try:
        play = trial or dry_run(tables, state, choice.seat, answer)
        if forecast is None and can_forecast(state, answer):
            forecast = forecast_war(state, play)
        events, consenting = _carry_out_answer(choice, text, play)
    except Refusal as refusal:
        return Outcome(state, lines=(ReportLine(refusal.message, tone=BAD),), refusal=refusal)
    then = state
    for event in events:
        then = evolve(then, event)
    found = outcome_of(state, then, events)
    lines = describe_forecast(tables, forecast) if forecast else []
    described = [
        *(lines or _narrate_events(tables, state, events, found.areas)),
        *_describe_markers(tables, choice.power, state, then, found.areas),
        *_describe_spoils_areas(tables, choice.power, then),
        *(
            line
            for line in describe_consequences(tables, choice.power, events)
            if not lines or "Tensions" not in line.text
        ),
        *describe_duty(tables, choice.power, state, found),
        *_describe_consents(tables, choice, text, consenting),
    ]
    return found._replace(lines=tuple(dict.fromkeys(described)) or (ReportLine("Nothing changes."),))


def _carry_out_answer(choice: Pending, text: str, play: Transaction) -> tuple[list[ev.Event], tuple[str, ...]]:
    """Execute an answer until something else begins; also return the Powers that must consent. Raises: Refusal."""
    events, now, consenting = list(play.events), play.state, []
    wanted = _CONSENT.get(text, "")
    while wanted and now.result is None and (other := next(_same_questions(now, choice), None)) is not None:
        answer = wanted if wanted in other.options else str(other.default)
        play = dry_run(play.tables, now, other.seat, Choose(other.id, (answer,)))
        consenting.append(other.power)
        events += play.events
        now = play.state
    end = next((n for n, e in enumerate(events) if isinstance(e, _STOP_EVENTS)), len(events))
    return events[:end], tuple(consenting)


def _same_questions(state: State, choice: Pending) -> Iterator[Pending]:
    war = getattr(choice.about, "war", "")
    return (c for c in state.choices if type(c.about) is type(choice.about) and getattr(c.about, "war", "") == war)


def _narrate_events(
    tables: Tables, state: State, events: list[ev.Event], areas: tuple[str, ...]
) -> Iterator[ReportLine]:
    """Describe events, except markers, tensions and points."""
    narrator, many = Narrator(tables, state), 0
    for event in events:
        about = isinstance(event, ev.MarkerLowered | ev.MarkerPlaced) and event.area in areas
        if about or isinstance(event, _REPORTED_SEPARATELY):
            continue
        line = narrator.tell(event)
        if line and many < MAX_LOG_LINES:
            many += 1
            yield ReportLine(sentence(line))


_REPORTED_SEPARATELY = (
    ev.ChoiceMade, ev.ChoiceOffered, ev.TensionRaised, ev.ResentmentRaised, ev.VictoryPointsChanged, ev.CasusBelliArose,
    ev.SpoilsDivided, ev.EndTestsWaived, ev.AidAnswered, ev.AreaCeded, ev.ResentmentReset, ev.TreatyDrafted,
    ev.TreatySigned, ev.TreatyInForce,
)  # fmt: skip
"""Events that are described elsewhere, or need no description."""


def _describe_markers(
    tables: Tables, power: str, before: State, after: State, areas: tuple[str, ...]
) -> Iterator[ReportLine]:
    """Describe markers that appear and disappear, one sentence for each Power."""
    gone: dict[str, list[str]] = {}
    come: dict[str, list[str]] = {}
    for area in areas:
        now, then = ({m.power: m.marker for m in area_state(s, area).markers if m.established} for s in (before, after))
        for who in dict.fromkeys((*now, *then)):
            if now.get(who) == then.get(who):
                continue
            if who in then:
                marker = marker_with_article(tables, then[who])
                come.setdefault(who, []).append(f"{marker} in {place_name(tables, area)}")
            else:
                gone.setdefault(who, []).append(f"its {tables.markers[now[who]].name} in {place_name(tables, area)}")
    for who, what in gone.items():
        yield ReportLine(f"{power_name(tables, who)} loses {join_with_and(what)}.", tone=BAD if who == power else PLAIN)
    for who, what in come.items():
        yield ReportLine(f"{power_name(tables, who)} gets {join_with_and(what)}.", tone=GOOD if who == power else PLAIN)


def _describe_spoils_areas(tables: Tables, power: str, then: State) -> Iterator[ReportLine]:
    """The Areas that each side divides after a War. Rules: WEN-040, WEN-044, WEN-053."""
    for war in then.wars:
        by_side: dict[int, list[str]] = {}
        for side, area in spoils.spoils_due(tables, then, war) if war.outcome else ():
            by_side.setdefault(side, []).append(area)
        for side, found in by_side.items():
            own = any(m.power == power for area in found for m in area_state(then, area).markers)
            tone = GOOD if war.side_of(power) == side else BAD if own else PLAIN
            verb = "divides" if len(war.alliance(side)) == 1 else "divide"
            named = join_with_and([place_name(tables, area) for area in found])
            yield ReportLine(sentence(f"{the_powers(tables, war.alliance(side))} then {verb} {named}"), found[0], tone)


def _describe_consents(tables: Tables, choice: Pending, text: str, consenting: tuple[str, ...]) -> Iterator[ReportLine]:
    """Describe whether all others must consent, or one answer is enough."""
    if consenting:
        others = the_powers(tables, tuple(dict.fromkeys(consenting)))
        verb = {"sign": "sign", END_IT: "let it end"}.get(text, "agree")
        yield ReportLine(
            f"Only if {others} {verb}{'s' if len(set(consenting)) == 1 and verb != 'let it end' else ''} too."
        )
    elif isinstance(choice.about, EndWaiver) and text != END_IT:
        yield ReportLine("One belligerent is enough: the War continues with another cycle.")
    elif isinstance(choice.about, Cessions) and text != rebellion.SIGN_LIST:
        yield ReportLine("One refusal is enough: China cedes nothing.", tone=BAD)
