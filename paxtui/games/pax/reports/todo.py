"""To-do list of a seat, most urgent first, and reports as plain lines.

Rules: SEQ-010, STA-037, CCB-016, NEG-014, TRE-004
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from paxtui.engine.refusal import Refusal
from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.combat.results import army_names
from paxtui.games.pax.expansion import garrisons
from paxtui.games.pax.expansion.movement import pressure_unmet
from paxtui.games.pax.menus import war as war_menu
from paxtui.games.pax.menus.place import describe_order
from paxtui.games.pax.narration.labels import describe_question, treaty_title
from paxtui.games.pax.narration.narrator import ReportPage
from paxtui.games.pax.preview import odds, supply
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.preview.odds import CombatOdds, combat_odds_at
from paxtui.games.pax.preview.peace import is_peace
from paxtui.games.pax.reports.threats import describe_threat, open_threats
from paxtui.games.pax.sequence import OPEN, waiting_seats
from paxtui.games.pax.state.diplomacy import DRAFT, IN_FORCE, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY, CONTROL, NAVAL, home_place
from paxtui.games.pax.state.questions import CongressQuestion, Duty
from paxtui.games.pax.state.war import ATTACK, MANEUVER
from paxtui.games.pax.text.display import (
    join_with_and,
    marker_with_article,
    of_power,
    place_name,
    power_name,
    sentence,
    the_power,
)
from paxtui.games.pax.transaction import DryRun
from paxtui.games.pax.treaties.breaches import bound_powers, owes_verdict
from paxtui.games.pax.treaties.treaty_duties import is_owed
from paxtui.games.pax.war import alliances
from paxtui.games.pax.war.campaign import battle

ON_MAP, QUESTION, CONGRESS, TREATIES, PEACE = "map", "question", "congress", "treaties", "peace"
"""Where an item is done: on the map, in a question, in the Congress, among the Treaties, or in peace negotiations."""


class TodoItem(NamedTuple):
    """An item of the to-do list.

    Attributes:
        text: a sentence.
        place: its place on the map; "" for none.
        where: MAP, QUESTION, CONGRESS, TREATIES or PEACE.
        id: its choice or agreement.
        bars: whether it blocks the game.
        rules: its rules.
        asks: whether the player is asked about it before being ready; not about good news.
    """

    text: str
    place: str = ""
    where: str = ON_MAP
    id: str = ""
    bars: bool = False
    rules: tuple[str, ...] = ()
    asks: bool = True


def todo_items(tables: Tables, state: State, seat: str) -> tuple[TodoItem, ...]:
    """Return everything a seat has to do; what blocks the game comes first.

    Args:
        state: The position as the seat knows it.
    """
    if state.result is not None or seat not in state.players:
        return ()
    found = [*_questions(tables, state, seat)]
    if state.phase in OPEN and seat not in state.ready:
        found += _obstacles(tables, state, seat)
    found += _threats(tables, state, seat)
    found += _agreements(tables, state, seat)
    for power in powers_of(tables, state, seat):
        found += _unrest(tables, state, power)
        if state.phase == "movement":
            found += _garrisons(tables, state, power)
            found += _pressures(tables, state, power)
    if state.phase == "war":
        found += _war(tables, state, seat)
    if state.phase == "negotiation" and (state.congress is None or state.congress.turn != state.turn):
        found += _causes(tables, state, seat)
    return tuple(sorted(found, key=lambda must: not must.bars))


def _questions(tables: Tables, state: State, seat: str) -> Iterator[TodoItem]:
    for choice in state.choices:
        if choice.seat == seat:
            where = CONGRESS if isinstance(choice.about, CongressQuestion) else QUESTION
            owner_text = "" if choice.power == seat else f"{power_name(tables, choice.power)}: "
            text = owner_text + describe_question(tables, choice)
            yield TodoItem(text, choice.area, where, choice.id, choice.about.pressing, choice.rules)


def _obstacles(tables: Tables, state: State, seat: str) -> Iterator[TodoItem]:
    """What prevents the seat from being ready, found by a dry run."""
    refusal = run_trial(tables, state, seat, actions.Ready())
    if isinstance(refusal, Refusal):
        found = str(refusal.detail.get("area", ""))
        power = str(refusal.detail.get("power", seat))
        place = found if found in tables.areas else home_place(power)
        text = _with_orders_in_words(tables, state, seat, refusal)
        yield TodoItem(sentence(text), place, bars=True, rules=refusal.rules)


def _with_orders_in_words(tables: Tables, state: State, seat: str, refusal: Refusal) -> str:
    """Return the message of a refusal, with the orders that it proposes in words."""
    texts = refusal.detail.get("fix")
    if not texts:
        return refusal.message
    orders = ((text, parse_order(tables, text)) for text in texts)
    words = [
        describe_order(tables, state, seat, order) if isinstance(order, actions.Move | actions.Merchant) else text
        for text, order in orders
    ]
    return refusal.message.replace("; ".join(texts), "; ".join(words))


def _threats(tables: Tables, state: State, seat: str) -> Iterator[TodoItem]:
    for threat in open_threats(tables, state, seat):
        text = describe_threat(tables, state, threat)
        yield TodoItem(text, next(iter(threat.areas), ""), TREATIES, threat.treaty, rules=("TRE-002", "NEG-002"))


def _agreements(tables: Tables, state: State, seat: str) -> Iterator[TodoItem]:
    """Drafts to sign, charges to judge, and obligations due this turn without a question yet."""
    own_powers = powers_of(tables, state, seat)
    threats = {threat.treaty for threat in open_threats(tables, state, seat)}
    for treaty in state.treaties:
        parties = [power for power in own_powers if power in treaty.parties]
        if treaty.stage == DRAFT:
            unsigned = [p for p in parties if p not in treaty.signed]
            if unsigned and treaty.id not in threats:
                if is_peace(treaty):
                    text = f"{the_power(tables, treaty.drafter)} proposes peace: accept or reject it"
                    yield TodoItem(sentence(text), "", PEACE, treaty.id, rules=("WEN-036",))
                    continue
                text = (
                    f"{of_power(tables, treaty.drafter)} draft of {treaty_title(tables, treaty)} waits for "
                    "your signature"
                )
                yield TodoItem(sentence(text), "", TREATIES, treaty.id, rules=("TRE-002",))
        for claim in treaty.charges:
            if owes_verdict(tables, state, treaty, claim, seat):
                accused = the_power(tables, claim.against)
                text = f"judge whether {accused} broke {treaty_title(tables, treaty)}"
                yield TodoItem(sentence(text), "", TREATIES, treaty.id, rules=("TRE-007",))
        if treaty.stage == IN_FORCE and parties:
            yield from _due_obligations(tables, state, treaty, own_powers)


def _due_obligations(tables: Tables, state: State, treaty: Treaty, own_powers: tuple[str, ...]) -> Iterator[TodoItem]:
    """Obligations of the seat's Powers under a Treaty this turn that are not a question yet."""
    play = DryRun(tables, state)
    open_duties = {(c.about.treaty, c.about.clause) for c in state.choices if isinstance(c.about, Duty)}
    for n, clause in enumerate(treaty.clauses):
        if CLAUSE_KINDS[clause.kind].act is None or (treaty.id, n) in open_duties or not is_owed(play, treaty, n):
            continue
        owing = bound_powers(treaty, clause)[:1]
        if owing and owing[0] in own_powers:
            text = (
                f"due this turn under {treaty_title(tables, treaty)}: "
                f"{describe_clause(tables, clause).removeprefix('(secret) ')}"
            )
            have = state.powers[owing[0]].treasury if owing[0] in state.powers else 0
            short = f"; your Treasury holds £{have}" if clause.kind == "pay" and have < clause.amount else ""
            place = clause.places[0] if clause.places else ""
            # a question in the Negotiation Phase asks for what can be done
            yield TodoItem(sentence(text + short), place, TREATIES, treaty.id, rules=("TRE-004",), asks=bool(short))


def _unrest(tables: Tables, state: State, power: str) -> Iterator[TodoItem]:
    """Own Areas in Unrest before Colonial Combat, each with the options of the armies there.

    Rules: CCB-016, CCB-023
    """
    if state.phase not in ("random_events", "administrative", "minor_powers", "movement"):
        return
    for area, here in state.areas.items():
        own = [m for m in here.markers if m.power == power and m.established and m.marker in CONTROL]
        if here.unrest and own:
            marker = tables.markers[own[0].marker].name
            is_safe = False
            text = f"{place_name(tables, area)} is in Unrest (value {tables.areas[area].value}): "
            if army_names(state, area, power):
                chance = combat_odds_at(tables, state, area, (power,))
                text += f"your armies there, {chance.attack} against {chance.defend}, {_may_win(chance)}"
                is_safe = chance.wins == 6
            else:
                text += f"the {marker} is lost unless an army suppresses the Unrest"
            yield TodoItem(sentence(text), area, rules=("CCB-016", "CCB-023"), asks=not is_safe)


def _may_win(chance: CombatOdds) -> str:
    if chance.wins in (0, 6):
        return "cannot win" if not chance.wins else "win in any case"
    return f"win {chance.wins} times in 6"


def _garrisons(tables: Tables, state: State, power: str) -> Iterator[TodoItem]:
    """Controlled Areas without an own army: the marker is lowered at the end of the Phase. Rules: STA-037."""
    areas = [a for a in garrisons.missing_garrisons(tables, state, power) if not state.areas[a].unrest]
    new = [
        area
        for area, here in state.areas.items()
        for m in here.markers
        if m.power == power and not m.established and m.marker in CONTROL
        and not garrisons.has_garrison(state, area, power)
    ]  # fmt: skip
    for area in (*areas, *new):
        text = f"{place_name(tables, area)} has no garrison: without an army the marker is lowered"
        yield TodoItem(sentence(text), area, rules=("STA-037",))


def _pressures(tables: Tables, state: State, power: str) -> Iterator[TodoItem]:
    """Demands of a Random Event on a Power for an Area this turn; failure costs Victory Points.

    Rules: EVT-056, EVT-057, EVT-058, EVT-059
    """
    for want, rules in pressure_unmet(tables, state):
        if want.power == power:
            text = f"{place_name(tables, want.area)} must become {marker_with_article(tables, want.marker)} this turn"
            yield TodoItem(sentence(f"{text}, or you lose {want.points} Victory Points"), want.area, rules=rules)


def _war(tables: Tables, state: State, seat: str) -> Iterator[TodoItem]:
    """Supply risks of the seat's Alliance at the next Supply Determination, and possible attacks.

    Rules: SUP-001, SUP-002, SUP-016, WCB-002
    """
    for war, number, _ in supply.commanded_wars(tables, state, seat):
        if war.stage in (MANEUVER, ATTACK):
            for danger in supply.supply_risks(tables, state, war, number):
                yield TodoItem(supply.describe_risk(tables, war, danger), danger.place, rules=("SUP-001",))
    now = alliances.current_war(state)
    if now is not None and (area := battle.area_to_attack(tables, state, now, seat)):
        text = f"your Armies in {place_name(tables, area)} must attack: a Power that enters an Area of the Empire"
        yield TodoItem(sentence(f"{text} must fight for it"), area, bars=True, rules=("REB-030",))
    if now is not None and now.stage == ATTACK and seat in waiting_seats(tables, state):
        for action in war_menu.war_orders(tables, state, seat):
            if isinstance(action, actions.Attack):
                kind = NAVAL if action.naval or action.place not in tables.areas else ARMY
                chance = odds.assault_summary(odds.find_assault(tables, state, now, action.place, kind, ()))
                what = "fleets" if kind == NAVAL else "armies"
                text = f"you can attack in {place_name(tables, action.place)} with {what}: {chance}"
                yield TodoItem(sentence(text), action.place, rules=("WCB-002",))


def _causes(tables: Tables, state: State, seat: str) -> Iterator[TodoItem]:
    """Casus Belli that the seat holds; unused ones lapse. Rules: NEG-014."""
    own_powers = powers_of(tables, state, seat)
    by_area: dict[tuple[str, bool], list[str]] = {}
    for cause in state.casus_belli:
        if cause.holder in own_powers:
            ends = casus_belli.lapse_time(cause) == casus_belli.NEGOTIATION
            by_area.setdefault((cause.area, ends), []).append(the_power(tables, cause.against))
    for n, ((area, ends), against) in enumerate(by_area.items()):
        over = f" over {place_name(tables, area)}" if area else ""
        # the remedies are the same for all
        remedies = " too" if n else ": settle it, call a Congress or declare War"
        rivals = join_with_and(list(dict.fromkeys(against)))  # several own Powers may hold one against the same rival
        text = f"you hold a Casus Belli against {rivals}{over}{remedies}; "
        text += "otherwise your marker there is lowered" if ends and area else "otherwise it lapses"
        yield TodoItem(sentence(text), area, rules=("NEG-001", "NEG-002"))


def active_events(tables: Tables, state: State, seat: str) -> list[str]:
    """Return the Random Events of the turn that concern a seat, with their effects and restrictions."""
    own_powers, out = powers_of(tables, state, seat), []
    for dice in state.events:
        event = tables.events[dice]
        named = {event.power, event.permit.power if event.permit else "", event.with_player if event.extra else ""}
        if named & set(own_powers):
            out.append(f"{event.title}: {event.says}")
    return out


def page_lines(tables: Tables, page: ReportPage) -> list[str]:
    """Format a report page as plain lines."""
    out = [f"{page.title}."]
    if page.standings:
        out += ["Victory Points:", *standing_lines(tables, page)]
    for section in page.sections:
        out.append(f"{section.title}:")
        out += [line.text for line in section.lines]
    return out


def standing_lines(tables: Tables, page: ReportPage) -> list[str]:
    """Format the Victory Points of a page, one line for each seat."""
    out = []
    for standing in page.standings:
        gained = f", {standing.gained:+d} this turn" if standing.gained else ""
        why = f" ({standing.why})" if standing.why else ""
        out.append(f"{standing.rank}. {power_name(tables, standing.seat)}: {standing.total}{gained}{why}.")
    return out


def todo_lines(musts: Iterable[TodoItem]) -> list[str]:
    """Format the to-do list; what blocks the game comes first."""
    return [f"{'Must do' if must.bars else 'To decide'}: {must.text}" for must in musts]
