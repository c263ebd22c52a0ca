"""Text for players: one line per event, and the position with record sheets, counters and pending decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from paxtui.games.empires.battle.choices import support_needed
from paxtui.games.empires.battle.field_combat import CHIT
from paxtui.games.empires.battle.siege import besieged_corps, besieging_corps
from paxtui.games.empires.board import is_at_war
from paxtui.games.empires.calendar import month_name
from paxtui.games.empires.events.base import Answered, Event, Posted, QuestionPosed, Revealed
from paxtui.games.empires.events.land import Foraged, Supplied
from paxtui.games.empires.pieces import HIDDEN, Factors, is_hidden
from paxtui.games.empires.state import Question, State
from paxtui.games.empires.supply_lines import supplying_depot
from paxtui.games.empires.tables import Tables, leader_name
from paxtui.games.empires.transaction import NO

EVENT_TEXTS: Mapping[str, str] = {
    # time
    "phase_began": "— {phase} phase —",
    "slots_given": "",
    "step_done": "",
    "step_closed": "",
    "place_announced": "{power} announces its place in the {phase} phase: after {after}.",
    "month_began": "=== {turn} ===",
    "ended": "The exercise is over. {reason} {winners}.",
    "posted": "{power}: {amount} {what}, {reason}.",
    "asked": "Question to {question.power} about {question.kind}: {question.choices}.",
    "answered": "{power} answers: {choice}.",
    "sealed_up": "{sealed.power} writes a secret order ({sealed.matter}).",
    "revealed": "The secret orders are revealed ({matter}).",
    # politics
    "war_declared": "{aggressor} and {defender} are at war{mutual?: each declared it on the other|}.",
    "war_ended": "The war of {a} and {b} is over: {how}.",
    "competitive_rolled": "Dice, {about}: {order} ({dice}).",
    "callers_ordered": "",
    "call_made": "{call.caller} calls {call.ally} against {call.enemy}.",
    "caller_done": "",
    "alliance_made": "{a} and {b} are allies.",
    "alliance_broken": "The alliance of {a} and {b} is broken; none before the end of {until}.",
    "offered": "{power} offers {to}: {kind}.",
    "movement_combined": "{powers} move together this month.",
    "papers_opened": "",
    "surrender_changed": "",
    "peace_made": "Peace of {loser} and {victor}: {kind}; terms: {terms}.",
    "demand_settled": "{power} decides whether {ally} must end the alliance.",
    "corps_went_home": "{corps} goes home to {where}.",
    "garrison_went_home": "The garrison of {power} in {origin} goes home to {where}.",
    "depot_taken_up": "The depot of {power} in {where} is removed.",
    "fleets_must_leave": "Fleets {fleets} must leave port.",
    "minor_attacked": "War is declared on {minority.minor} by {minority.attackers}.",
    "minor_asked": "",
    "minor_rolled": "Dice for {minor}: {dice}; with modifiers {totals}.",
    "minor_controlled": "{power} controls {minor} ({status}).",
    "minor_set_up": "{corps} is set up in {where}.",
    "minor_fleet_set_up": "Fleet {fleet} is set up at {where}.",
    "free_state_declared": "{minor} is declared a free state.",
    # sea
    "naval_sequence_ended": "",
    "stack_moved": "Fleet {fleets} {errand} {place}.",
    "voyage": "",
    "fleets_done": "",
    "fleets_barred": "Fleet {fleets} was beaten and cannot intercept again in this sequence.",
    "place_closed": "",
    "embarked": "{corps} goes aboard {fleet}.",
    "interception_rolled": "{powers} try to intercept at {place}: die {die}, modified {modified}, needed {needed}.",
    "encounter": "",
    "evasion_rolled": "{powers} try to evade: die {die}, {evaded?evaded|failed}.",
    "wind_rolled": "Wind gauge: attacker {attacker_modified} (die {attacker}), "
    "defender {defender_modified} (die {defender}).",
    "fired": "{side}, {harbour?harbour guns|broadside}: die {die}, modified {modified}: "
    "{percent} % of {ships}, {losses} sunk.",
    "ships_lost": "Fleet {fleet} loses {ships} ships.",
    "naval_combat_decided": "Battle at {place}: attacked by {attackers}, ships lost {attacker_lost}; "
    "defended by {defenders}, ships lost {defender_lost}; won by {winner}.",
    "fleet_removed": "Fleet {fleet} and its {ships} ships leave the map ({why}).",
    "corps_drowned": "{corps} is lost ({why}).",
    "corps_shifted": "{corps} changes from {giver} to {taker}.",
    "leader_went": "{leader} goes to {where}.",
    "leader_taken": "{captor} captures {leader}.",
    "fleet_placed": "{power} launches fleet {fleet.id} at {fleet.where}, {fleet.ships} ships.",
    "ships_placed": "{ships} ships join {fleet}.",
    "ships_transferred": "{ships} ships move from {giver} to {taker}.",
    # land
    "sequence_began": "",
    "depot_placed": "{depot.power} has a depot at {depot.where}.",
    "depot_removed": "The depot of {power} at {where} is removed: {why}.",
    "marched": "{corps} marches to {path}{forced?, forced|} ({cost}).",
    "landed": "{corps} lands from {fleet}: {area}.",
    "quartered": "{corps} {inside?enters|leaves} the city.",
    "corps_strength": "{corps} now has {factors} ({why}).",
    "garrison_strength": "The garrison of {power} at {where} now has {factors} ({why}).",
    "left_behind": "",
    "corps_arrived": "{corps.id} enters the map at {corps.where}.",
    "leader_moved": "{leader} goes to {where}.",
    "siege": "{power} besieges {area}.",
    "besieging": "{corps} takes part in a siege.",
    "supplied": "{corps} is supplied: {how}.",
    "foraged": "{corps} forages at {area}: die {die}, modifiers {modifiers}, value {value}: {loss} factors lost.",
    "supply_refused": "{ally} will not supply {corps}.",
    "control_changed": "{power} controls {area}.",
    "attack_declared": "An attack is declared: {attack.attackers} against {attack.defenders} in {attack.area}.",
    "attacks_declared": "",
    "first_proposed": "{power} proposes that {first} moves first.",
    "movers_ordered": "",
    "join_refused": "",
    "attack_chosen": "",
    "attack_over": "",
    "reinforcements_came": "",
    "reinforcement_lost": "{power} loses a reinforcement for lack of space.",
    "stayed": "Outside the city stays {corps}.",
    "agreed_to_retire": "{power} agrees to retire into the city.",
    "fights_on": "",
    "retreated": "{corps} retreats to {to}.",
    "battle_began": "Field combat (reconstructed) in {battle.area}.",
    "outflank_announced": "Outflank chit: {sides}.",
    "divided": "The {side} sends {around} around the flank.",
    "chits_shown": "Chits: attacker {attacker}, defender {defender}.",
    "withdrawal_rolled": "The defender tries to withdraw: die {die}, needs {needed} or less: {away?withdrawn|failed}.",
    "flank_rolled": "The outflanking force: die {die}, needs {needed} or less: {arrived?arrived|not yet}.",
    "round_fought": "Round {number}: attacker, table {attacker.table}, die {attacker.die}{attacker.modifier}, loses "
    "{defender.losses}; defender, table {defender.table}, die {defender.die}{defender.modifier}, loses "
    "{attacker.losses}.",
    "battle_over": "{winner} wins the combat in {area} ({why}).",
    "casualties_owed": "",
    "casualties_taken": "",
    "losses_ordered": "{power} {foot_first?loses foot first from now on|chooses its losses again}.",
    "guard_decided": "",
    "guard_rolled": "The guard of the {side}: die {die}, {losses} factors lost.",
    "support_rolled": "{corps} marches to the combat in {area}: die {die}, needs {needed} or less: "
    "{arrived?arrived|too late}.",
    "support_declined": "",
    "field_left": "The {side} {beaten?is beaten|leaves the field} ({why}).",
    "refuge_chosen": "",
    "trivial_fought": "Trivial combat in {area}: attacker, die {attacker.die}, loses {defender.losses}; "
    "defender, die {defender.die}, loses {attacker.losses} and is overrun.",
    "siege_settled": "",
    "sortie_decided": "",
    "stayed_in_lines": "{corps} stays in the siege lines of {area}.",
    "breach_rolled": "The besieger of {area} fires at the walls: die {die}{modifier}, needs {needed}: "
    "{breached?a breach|no breach}.",
    "assault_set": "",
    "assault_fought": "Assault on {area}, round {number}: besieger, die {attacker.die}{attacker.modifier}, loses "
    "{defender.losses}; garrison, die {defender.die}{defender.modifier}, loses {attacker.losses}.",
    "assault_over": "{taken_by} takes the city of {area}.",
}
"""Sentences by the `type` of an event. `{name}` is a field, `{one.two}` a field of a field, `{name?yes|no}` a choice in
which `@` is the field. An empty sentence hides the event.
"""

EMPTY_FIELD_TEXTS: Mapping[str, tuple[str, str]] = {
    "naval_combat_decided": (
        "winner",
        "Battle at {place}: attacked by {attackers}, ships lost {attacker_lost}; "
        "defended by {defenders}, ships lost {defender_lost}; no winner.",
    ),
    "leader_went": ("where", "{leader} leaves the map."),
    "siege": ("power", "The siege of {area} is over."),
    "landed": ("area", "{corps} has not landed from {fleet}."),
    "leader_moved": ("where", "{leader} leaves the map."),
    "outflank_announced": ("sides", "No side outflanks."),
    "stayed_in_lines": ("corps", ""),
    "divided": ("side", ""),
    "refuge_chosen": ("to", "{power} has no retreat."),
    "assault_over": ("taken_by", "The assault on {area} is beaten off."),
    "battle_over": ("winner", "The combat in {area} ends without a winner ({why})."),
    "foraged": (
        "modifiers",
        "{corps} forages at {area}: die {die}, value {value}: {loss} factors lost.",
    ),
}
"""Lines for events with an empty field: by `type` of the event, the field and its line."""

QUESTION_TEXTS: Mapping[str, str] = {
    # sea
    "combined_sailing": "whether its fleets sail with {4}: {0} to {1}",
    "interception": "whether to intercept the stack at {0}, and from where",
    "evasion": "whether to evade the attack at {0}, or to stand and fight",
    "harbour_guns": "whether the guns of {0} fire",
    "losses": "how many of the {2} lost ships fleet {1} loses",
    "retreat": "where its beaten fleets go from {0}",
    "driven_off": "into which sea area the beaten fleets go from {0}",
    "pursuit": "which fleets pursue from {0} and blockade {1}",
    "entry": "whether to enter the port {0}",
    "leave_port": "where its fleets go from {0}, which has fallen",
    "beset": "whether its fleets in {0}, which has fallen, fight the blockader or are scuttled",
    # politics
    "accept": "whether to accept the peace that {0} offers",
    "call": "whether to join {0} against {1}",
    "corps_home": "where {0} goes home",
    "demand": "whether to demand that {0} ends the alliance",
    "garrison_home": "where the garrison at {0} goes home",
    "given": "which term of list A it grants {0}",
    "offer": "which kind of peace to offer to {0}",
    "run_minor": "whether to control {0}",
    "set_up": "where to set up {0}",
    "stand": "whether to stand or to back down over {0}",
    "support": "against whom to support {0}",
    "term": "which term to demand of {0}",
    # land
    "allied_supply": "whether to supply {0} from its own depots",
    "assault": "whether to assault the city of {0}",
    "assault_losses": "which of its factors are lost first in the assault on {0} ({1})",
    "besiege": "whether to besiege the city of {0}",
    "burn_depot": "whether to destroy its own depot at {0}",
    "casualties": "which of its factors are lost first ({1})",
    "call_corps": "which corps to call to the combat in {1}",
    "captured_depot": "what to do with the enemy depot at {0}",
    "divide": "which corps go around the flank in {1}",
    "end_of_day": "whether to fight another day in {1}",
    "field_retreat": "where its corps retreat from {0}",
    "forage_losses": "which factors {0} loses by foraging",
    "guard": "whether to commit the guard in {1}",
    "hold_back": "which corps stays in the siege lines of {0}, out of the combat",
    "join_defence": "whether to declare war and defend its ally in {0}",
    "leave_area": "into which area its counters leave {0}",
    "losses_left_behind": "which garrison left behind by {0} bears the loss ({1})",
    "moves_first": "which Power moves first",
    "next_combat": "which attack is fought next",
    "occupy": "who goes into the city of {0}",
    "retire": "whether {0} retires into the city of {1}",
    "retire_together": "whether it agrees to retire into the city of {0}",
    "sortie": "whether its besieged corps in {0} attack the besieger",
}
"""Questions by kind; `{0}` is the first id that the question concerns."""

SECRET_QUESTION_TEXTS: Mapping[str, str] = {
    "allied_supply": "whether to supply a corps of an ally",
    "assault_losses": "which of its factors are lost first in an assault",
    "call_corps": "which corps to call to a combat",
    "divide": "which corps go around the flank",
    "forage_losses": "which factors a corps loses by foraging",
    "hold_back": "which corps stays in the siege lines, out of a combat",
    "losses_left_behind": "which factors left behind are lost",
    "occupy": "who goes into a city",
    "retire": "whether a corps retires into the city",
}
"""Questions as other seats see them, without what they concern."""

ERRAND_TEXTS: Mapping[str, str] = {
    "sail": "sails to",
    "intercept": "comes to",
    "retreat": "retreats to",
    "pursue": "follows to",
    "enter": "goes into",
    "leave": "leaves for",
}
"""Reasons of a stack's movement."""

BOXES = {"": "at sea", "port": "in port", "blockade": "in the blockade box"}


def position_heading(tables: Tables, state: State, short: bool = False) -> str:
    """Return the exercise, the month and the current step; `short` omits the title."""
    campaign = tables.exercise.complete
    if short:
        title = tables.exercise.title if campaign else "An exercise drawn by us"
    else:
        title = f"{tables.exercise.title} ({'on a map' if campaign else 'an exercise'} drawn by us)"
    if state.result is not None:
        return f"{title}: {month_name(state.turn)}"
    step = state.cursor.step.replace("_", " ")
    return f"{title}: {month_name(state.turn)}, {state.cursor.phase} phase, {step}"


def winners_text(tables: Tables, winners: tuple[str, ...]) -> str:
    """Return who has won: "Won by Austria, Russia"; "A draw" if all Powers are named."""
    if set(winners) >= {*tables.exercise.powers}:
        return "A draw"
    return f"Won by {', '.join(map(tables.name, winners))}"


def record_lines(tables: Tables, state: State) -> Iterator[str]:
    """Yield the record sheet: points, money and manpower, wars and alliances of every Power."""
    for power in state.powers:
        account = state.accounts[power]
        ships = sum(fleet.ships for fleet in state.fleets.values() if fleet.power == power)
        own = [corps for corps in state.corps.values() if corps.power == power]
        factors = sum(corps.factors.total for corps in own)
        hidden = sum(is_hidden(corps) for corps in own)
        forces = [f"{ships} ships"] * bool(ships) + [f"{factors} factors in corps"] * bool(factors)
        forces += [f"{hidden} corps face down"] * bool(hidden)
        parts = [_counted(account.points, "point"), f"${account.money}", *forces]
        yield f"{tables.name(power)}: {', '.join(parts)}"
        if power in state.campaign.foot_first:
            yield "  its combats cost foot first, without a question"
        for one in state.campaign.due:
            if one.power == power:
                yield f"  to place: {factors_text(one.factors)}{f' in {tables.name(one.where)}' if one.where else ''}"
    for relation in state.relations:
        if relation.kind in ("war", "alliance"):
            yield f"  {relation.kind}: {tables.name(relation.a)}, {tables.name(relation.b)}"
        elif relation.kind == "enforced_peace" and state.turn <= relation.until:
            pair = f"{tables.name(relation.a)} with {tables.name(relation.b)}"
            yield f"  enforced peace: {pair} to the end of {month_name(relation.until)}"
    for treaty in state.treaties:
        terms = ", ".join(term.upper() for term in treaty.terms) or "none"
        yield f"  {treaty.kind} peace of {tables.name(treaty.loser)} and {tables.name(treaty.victor)}: terms {terms}"
        if any(not tables.terms[term].effect for term in treaty.terms):
            yield "    (terms whose chart is not public are names without effect)"


def factors_text(factors: Factors) -> str:
    """Return factors by kind."""
    kinds = ((name, getattr(factors, name)) for name in factors.__struct_fields__)
    return ", ".join(f"{number} {name}" for name, number in kinds if number) or "nothing"


def piece_lines(tables: Tables, state: State) -> Iterator[str]:
    """What stands where."""
    for fleet in state.fleets.values():
        if fleet.where:
            cargo = f", carrying {', '.join(fleet.cargo)}" if fleet.cargo else ""
            yield f"fleet {fleet.id}: {fleet.ships} ships, {tables.name(fleet.where)} {BOXES[fleet.box]}{cargo}"
    for corps in state.corps.values():
        if corps.where:
            inside = " in the city" if corps.inside else ""
            if is_hidden(corps):
                yield f"{corps.kind} corps of {tables.name(corps.power)}: {tables.name(corps.where)}{inside}"
                continue
            yield f"corps {corps.id}: {factors_text(corps.factors)}; {tables.name(corps.where)}{inside}"
    for garrison in state.garrisons:
        kind = "depot garrison" if garrison.of_depot else "garrison"
        whose, place = tables.name(garrison.power), tables.name(garrison.where)
        yield f"{kind} of {whose}: {factors_text(garrison.factors)}; {place}"
    for depot in state.depots:
        yield f"depot of {tables.name(depot.power)}: {tables.name(depot.where)}"
    for leader in state.leaders.values():
        if leader.where:
            yield f"leader {leader.id}: {tables.name(leader.where)}"


def posting_lines(tables: Tables, state: State, last: int = 8) -> Iterator[str]:
    """Yield the last changes of political points, each with its reason."""
    points = [one for one in state.ledger if one.what == "points"]
    for one in points[-last:]:
        yield f"{tables.name(one.power)} {one.amount:+d} {reason_text(tables, one.reason)}"


_PLACE_OF_REASON = re.compile(r"(?<= won in ).+|(?<= lost in ).+|^.+(?= is held at the end$)")


def reason_text(tables: Tables, reason: str) -> str:
    """Return the reason of a posting with the name of its area as the map has it; logs keep that of the area."""
    shown = {area.name: tables.name(area.id) for area in tables.exercise.areas}
    return _PLACE_OF_REASON.sub(lambda found: shown.get(found[0], found[0]), reason)


def unpublished_number_lines(tables: Tables) -> Iterator[str]:
    """Yield the numbers of the exercise that are not published."""
    for name, cell in tables.cells.items():
        if cell.source == "ours":
            yield f"{name} = {cell.value} (ours: {cell.why})"


BOX_PREFIX = "off_"
"""Prefix of a port's name for its blockade box."""

_FIELD = re.compile(r"\{([\w.]+)(?:\?([^|}]*)\|([^}]*))?\}")


def describe_event(tables: Tables, event: Event) -> str:
    """Return a line about an event; "" if it has none."""
    line = _own_line(tables, event)
    if line is not None:
        return line
    tag = str(event.__struct_config__.tag)
    field, otherwise = EMPTY_FIELD_TEXTS.get(tag, ("", ""))
    form = otherwise if field and not getattr(event, field) else EVENT_TEXTS[tag]

    def put(found: re.Match[str]) -> str:
        value: Any = event
        for part in found[1].split("."):
            value = getattr(value, part)
        if found[2] is not None:
            return (found[2] if value else found[3]).replace("@", str(value))
        return _describe_value(tables, found[1].rpartition(".")[2], value)

    line = _FIELD.sub(put, form)
    return line[:1].upper() + line[1:]


def _own_line(tables: Tables, event: Event) -> str | None:
    """Return the line of an event that has no form in `EVENT_TEXTS`, "" if others tell it; None for other events."""
    match event:
        case Foraged(corps=""):
            added = f"{sum(number for _, number in event.modifiers):+d}" if event.modifiers else ""
            where, roll = tables.name(event.area), f"die {event.die}{added}, supply value {event.value}"
            return f"Hunger in the besieged city of {where}: {roll}: {event.loss} factors lost."
        case Posted(what="money"):
            verb = "pays" if event.amount < 0 else "receives"
            return f"{tables.name(event.power)} {verb} ${abs(event.amount)}: {event.reason}."
        case Posted(what="points"):
            points = f"{event.amount:+d} point{'' if abs(event.amount) == 1 else 's'}"
            return f"{tables.name(event.power)}: {points}, {reason_text(tables, event.reason)}."
        case QuestionPosed(question=question):
            return f"{tables.name(question.power)} is asked {describe_question(tables, question)}."
        case Revealed(matter=matter) if matter == CHIT:
            return ""  # the chits have their own line
        case Supplied(how="paid"):
            return ""  # the payment has its own line
    return None


ANSWER_TEXTS: Mapping[tuple[str, str], str] = {
    ("assault", "yes"): "fire at the walls, and storm a breach",
    ("assault", "no"): "wait",
    ("assault_losses", "always_foot"): "always foot first, without a question",
    ("assault_losses", "foot"): "foot first, off the strongest corps or garrison",
    ("assault_losses", "horse"): "cavalry first",
    ("assault_losses", "even"): "off all corps and the garrison alike",
    ("assault_losses", "weakest"): "off the weakest corps or garrison",
    ("besiege", "yes"): "besiege the city",
    ("besiege", "no"): "stand before the city without a siege",
    ("burn_depot", "destroy"): "destroy the depot; its garrison disperses",
    ("burn_depot", "keep"): "keep the depot and its garrison",
    ("call_corps", "none"): "call no corps",
    ("captured_depot", "convert"): "take the depot over",
    ("captured_depot", "destroy"): "destroy the depot",
    ("captured_depot", "leave"): "leave the depot to the enemy",
    ("casualties", "foot"): "foot first, off the strongest corps",
    ("casualties", "horse"): "cavalry first",
    ("casualties", "even"): "off all corps alike",
    ("casualties", "weakest"): "off the weakest corps",
    ("casualties", "always_foot"): "always foot first, without a question",
    ("end_of_day", "fight"): "fight another day, with new chits",
    ("end_of_day", "leave"): "leave the field: nobody wins, and the corps retreat unpursued",
    ("guard", "none"): "keep the guard back",
    ("guard", "one"): "commit it for 1 more on the die; it loses 0 to 2",
    ("guard", "two"): "commit it for 2 more on the die; it loses 1 to 4",
    ("hold_back", "none"): "all others meet the attack",
    ("occupy", "nobody"): "nobody: the city stays empty",
    ("retire", "retire"): "retire behind the walls; the enemy may then besiege the city",
    ("retire", "stay"): "stay outside and fight",
    ("sortie", "yes"): "attack the besiegers",
    ("sortie", "no"): "stay behind the walls",
}
"""What an answer means, by kind of question and answer."""


def describe_answer(tables: Tables, question: Question, answered: Answered) -> str:
    """Return a line about an answer, with its question, both as a seat may know them."""
    choice = "in secret"
    if answered.choice:
        choice = (
            _counted_text(tables, question, answered.choice)
            or ANSWER_TEXTS.get((question.kind, answered.choice), "")
            or _describe_value(tables, "", answered.choice)
        )
    return f"{tables.name(answered.power)} decides {describe_question(tables, question)}: {choice}."


def answer_text(tables: Tables, state: State, choice: str) -> str:
    """Return what an answer to the current question means, "" if the answer says it itself."""
    question = state.questions[-1] if state.questions else None
    if question is None:
        return ""
    if question.kind == "next_combat" and choice in tables.areas:
        return f"{tables.name(choice)}, {_opponents_text(tables, state, choice)}"
    if counted := _counted_text(tables, question, choice):
        return counted
    if question.kind in ("field_retreat", "leave_area") and choice in tables.areas:
        return _refuge_text(tables, state, question, choice)
    if question.kind == "sortie":
        return _sortie_text(tables, state, question, choice)
    battle = state.campaign.battle
    if question.kind == "call_corps" and choice in state.corps and battle is not None:
        needed = support_needed(tables, state, battle, question.about[0])
        size = f"{state.corps[choice].factors.total} factors"
        arrives = f"arrives with {needed} or less" if needed > 0 else "cannot arrive"
        return f"{tables.corps_names.get(choice, choice)}, {size}: {arrives}"
    if question.kind == "divide":
        around = choice.split(",")
        factors = sum(state.corps[one].factors.total for one in around if one in state.corps)
        return f"{', '.join(tables.corps_names.get(one, one) for one in around)}: {factors} factors"
    if question.kind in ("forage_losses", "losses_left_behind"):
        return choice.replace("=", " ").replace(",", ", ")
    if choice in tables.corps_names:
        return tables.corps_names[choice]
    if choice in tables.names:
        return tables.name(choice)
    return ANSWER_TEXTS.get((question.kind, choice), "")


def _counted_text(tables: Tables, question: Question, choice: str) -> str:
    """Return the factors that an answer names: "1 cavalry of III Corps", "3 factors of IV Corps"; "" for none."""
    counter, _, what = choice.rpartition(":")
    if not counter or question.kind not in ("casualties", "assault_losses", "occupy"):
        return ""
    garrison = counter == "garrison" or counter.startswith("depot:")
    whose = "the garrison" if garrison else tables.corps_names.get(counter, counter)
    return f"{_counted(int(what), 'factor')} of {whose}" if question.kind == "occupy" else f"1 {what} of {whose}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _refuge_text(tables: Tables, state: State, question: Question, area: str) -> str:
    """Return an area of retreat with what meets the corps there: own corps, supply, and enemy corps beside it."""
    power = question.power
    if question.kind == "field_retreat" and area == question.about[0]:
        return f"{tables.name(area)}: back into the city"
    own = sum(one.power == power and one.where == area for one in state.corps.values())
    near = [one for one in state.corps.values() if one.where in tables.ways[area] and one.where not in question.about]
    foes = sum(is_at_war(state, power, one.power) for one in near)
    parts = [f"{own} corps of yours"] * bool(own)
    parts.append("in supply" if supplying_depot(tables, state, power, area) else "out of supply")
    parts += [f"{foes} enemy corps adjacent"] * bool(foes)
    return f"{tables.name(area)}: {', '.join(parts)}"


def _sortie_text(tables: Tables, state: State, question: Question, choice: str) -> str:
    """Return what follows if besieged corps attack the besiegers or stay; an army may have come to relieve them."""
    area, own = question.about[0], question.power
    relief = next((one.attackers for one in state.campaign.attacks if one.area == area), ())
    army = "your army" if own in relief else f"the army of {' and '.join(map(tables.name, relief))}"
    comes = f"{army} that relieves the city"
    if choice == NO:
        return f"stay behind the walls; {comes} fights alone" if relief else "stay behind the walls"
    corps = besieged_corps(state, own, area)
    sally = f"with {len(corps)} corps ({_counted(sum(one.factors.total for one in corps), 'factor')})"
    if relief:
        return f"join {comes}, {sally}; if beaten, they may return into the city"
    foes = len(besieging_corps(state, state.campaign.sieges[area], area))
    return f"attack the besiegers ({foes} corps) {sally}; if beaten, they may return into the city"


def _opponents_text(tables: Tables, state: State, area: str) -> str:
    """Return the corps in an area by Power: "3 corps of France against 2 corps of Austria"."""
    counts: dict[str, int] = {}
    for corps in state.corps.values():
        if corps.where == area:
            counts[corps.power] = counts.get(corps.power, 0) + 1
    sides: dict[bool, list[str]] = {True: [], False: []}
    actor = state.questions[-1].power
    for power, number in counts.items():
        sides[not is_at_war(state, actor, power)].append(f"{number} corps of {tables.name(power)}")
    return " against ".join(" and ".join(side) for side in sides.values() if side)


def describe_question(tables: Tables, question: Question) -> str:
    """Return a question as the end of a sentence."""
    about = tuple(_describe_value(tables, "", one) for one in question.about)
    form = QUESTION_TEXTS.get(question.kind)
    if form and "{" in form and not question.about:
        form = SECRET_QUESTION_TEXTS.get(question.kind)
    return form.format(*about) if form else f"{question.kind.replace('_', ' ')} {', '.join(about)}".strip()


def _describe_value(tables: Tables, name: str, value: Any) -> str:
    if name in ("turn", "until") and isinstance(value, int):
        return month_name(value)
    if name == "errand":
        return ERRAND_TEXTS[value]
    if name == "reason":
        return reason_text(tables, str(value))
    if name == "winners":
        return winners_text(tables, value)
    if isinstance(value, str) and value.startswith(HIDDEN):
        return f"a corps of {tables.name(value.removeprefix(HIDDEN))}"
    if isinstance(value, str) and value.removeprefix(BOX_PREFIX) != value:
        return f"off {_describe_value(tables, name, value.removeprefix(BOX_PREFIX))}"
    if name == "why":
        return str(value).replace("_", " ")
    if name == "leader":
        return leader_name(str(value))
    if isinstance(value, str):
        known = tables.names.get(value) or tables.corps_names.get(value)
        return known or value.replace("_", " ") or "nobody"
    if isinstance(value, Factors):
        return factors_text(value)
    if isinstance(value, dict):
        pairs = (f"{_describe_value(tables, '', key)} {_describe_value(tables, '', one)}" for key, one in value.items())
        return ", ".join(pairs) or "nothing"
    if isinstance(value, tuple | list | frozenset):
        return ", ".join(_describe_value(tables, "", one) for one in value) or "nothing"
    if name == "cost":
        return _counted(value, "point")
    if name == "modifier" and isinstance(value, int):
        return f"{value:+d}" if value else ""
    return f"{value:+d}" if name == "amount" else str(value)
