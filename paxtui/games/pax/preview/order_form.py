"""Preview an order form line by line, using only what the seat knows.

Orders are tried in sequence, as if every condition were met and every gift accepted.

Rules: PBM-018, PBM-019, PBM-023, PBM-024, PBM-118, PBM-126
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.actions import Action
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import area_state, powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.congress import proposals
from paxtui.games.pax.congress.session import with_congress_resumed
from paxtui.games.pax.decide import apply_mail_order
from paxtui.games.pax.diplomacy import settlement
from paxtui.games.pax.expansion.garrisons import has_garrison
from paxtui.games.pax.mail import adjudication, stops
from paxtui.games.pax.mail.conditions import format_condition
from paxtui.games.pax.mail.forms import AcceptOrder, FormFault, FormOrder, OrderForm, parse_form
from paxtui.games.pax.mail.movement import GIFT_ACTIONS, is_agreement, make_gift
from paxtui.games.pax.narration.narrator import BAD, FAINT, ReportLine
from paxtui.games.pax.preview.preview import Preview, describe_preview, preview_action
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.games.pax.state.war import MANEUVER
from paxtui.games.pax.text.display import place_name, power_name
from paxtui.games.pax.transaction import DryRun, GameOver
from paxtui.games.pax.war import alliances


class FormLine(NamedTuple):
    """A line of the form with its tried result.

    Attributes:
        number: line in the form, from 1.
        text: the original text.
        why: why it fails or cannot be parsed; "" if nothing prevents it.
        rules: the rules for the reason.
        price: cost in pounds, negative for income.
        condition: its condition as text; "" for none.
        waits: the Powers whose gift or agreement it needs.
        area: its place; "" for none.
        before: the position before it.
        order: the parsed order; None for an instruction or an unparsable line.
        standing: whether it is a standing instruction.
    """

    number: int
    text: str
    why: str = ""
    rules: tuple[str, ...] = ()
    price: int = 0
    condition: str = ""
    waits: str = ""
    area: str = ""
    before: State | None = None
    order: FormOrder | None = None
    standing: bool = False


class FormPreview(NamedTuple):
    """The tried result of a form.

    Attributes:
        form: the parsed form.
        faults: parse faults.
        lines: its orders and instructions by line.
        state: the resulting position.
        areas: the Areas that it changes.
        warnings: risks of the form as a whole.
    """

    form: OrderForm
    faults: tuple[FormFault, ...]
    lines: tuple[FormLine, ...]
    state: State
    areas: tuple[str, ...]
    warnings: tuple[ReportLine, ...]


def preview_form(tables: Tables, state: State, seat: str, text: str) -> FormPreview:
    """Try a form in the position as the seat knows it."""
    own = powers_of(tables, state, seat)
    form, faults = parse_form(tables, text, own)
    written = text.splitlines()
    lines = []
    for fault in faults:
        original = written[fault.line - 1].strip() if fault.line <= len(written) else ""
        lines.append(FormLine(fault.line, original, f"Column {fault.column}: {fault.message}"))
    now = state
    for order in form.orders:
        line, now = _order(tables, now, seat, own, order)
        lines.append(line)
    lines += [FormLine(order.line, order.text, area=order.area, standing=True) for order in form.standing]
    areas = tuple(area for area in tables.areas if area_state(state, area) != area_state(now, area))
    warnings = tuple(_warnings(tables, state, now, own))
    return FormPreview(form, faults, tuple(sorted(lines, key=lambda line: line.number)), now, areas, warnings)


def preview_line(tables: Tables, seat: str, line: FormLine, after: State) -> list[ReportLine]:
    """Describe the consequences of an order, action by action.

    `after` is the position after all orders: dangers that later orders avert are left out.
    """
    if line.order is None or line.before is None:
        return []
    out, state = list[ReportLine](), line.before
    for act in line.order.acts:
        if isinstance(act, AcceptOrder) or (len(line.order.acts) == 1 and is_agreement(line.order)):
            continue
        seen = preview_action(tables, state, seat, act)
        if isinstance(seen, Preview):
            power = getattr(act, "power", "") or seat
            bare = tuple(area for area in seen.ungarrisoned if not has_garrison(after, area, power))
            out += describe_preview(tables, state, seat, replace(seen, ungarrisoned=bare))
        trial = DryRun(tables, state)
        try:
            apply_mail_order(trial, seat, act)
        except (Refusal, GameOver):
            break
        state = trial.state
    return list(dict.fromkeys(out))


def _order(tables: Tables, state: State, seat: str, own: tuple[str, ...], order: FormOrder) -> tuple[FormLine, State]:
    """Try an order; return its line and the position after it."""
    given = state
    condition = format_condition(order.condition) if order.condition is not None else ""
    line = FormLine(order.line, order.text, condition=condition, area=_area(order), before=state, order=order)
    if adjudication.is_for_congress(state, seat, order):
        state = with_congress_resumed(state)
        line = line._replace(before=state)
        if not adjudication.is_proposal(order):
            return _answer(tables, state, seat, line), given
    if all(isinstance(act, actions.Choose) for act in order.acts):
        return _answer(tables, state, seat, line), state
    if adjudication.is_proposal(order) and state.phase == "congress":
        return _proposal(tables, state, line), given
    if is_agreement(order):
        return line._replace(waits="It is settled with the others when all forms are opened."), state
    if any(stops.is_retreat_deferred(state, choice) for choice in state.choices):
        return line._replace(waits="It is tested after the retreats."), state
    trial, waits = DryRun(tables, state), ""
    attacks = any(isinstance(act, actions.Attack) for act in order.acts)
    if attacks:
        _end_of_moves(trial)
        line = line._replace(before=trial.state)
    try:
        for act in order.acts:
            if isinstance(act, AcceptOrder):
                waits = f"{power_name(tables, act.giver)} has to give it."
            elif isinstance(act, GIFT_ACTIONS) and act.to not in own:
                make_gift(trial, act, act.power or seat)
                waits = f"{power_name(tables, act.to)} has to accept it."
            else:
                apply_mail_order(trial, seat, act)
    except Refusal as refusal:
        if depends_on_others(tables, state, seat, order, refusal):
            return line._replace(waits=f"It depends on others' orders. Now: {refusal.message}"), state
        return line._replace(why=refusal.message, rules=refusal.rules), state
    except GameOver:
        return line._replace(waits="It ends the game."), trial.state
    if attacks:
        return line, state  # the dice decide the rest
    price = sum(_money(state, power) - _money(trial.state, power) for power in own)
    return line._replace(price=price, waits=waits), trial.state


UNCERTAIN_REFUSALS = {
    actions.Move: ("not_your_turn", "no_war", "no_escort"),
    actions.Attack: ("not_your_turn", "no_war", "no_enemy", "no_units", "with_its_ally"),
}
"""Refusals of orders in War that orders of allies, or of another War at the same stop, can remove."""


def depends_on_others(tables: Tables, state: State, seat: str, order: FormOrder, refusal: Refusal) -> bool:
    """Whether a refused order in War can still succeed, depending on other orders at the same stop.

    Allies move at the same stop before all attacks. A battle of another War at this stop can come first. An order of an
    Alliance that does not move at this stop stays impossible.

    Rules: PBM-077, PBM-080, PBM-100
    """
    turns = {(id_, number) for id_, _, number in stops.movers(state) if number}
    moving = [(war, number) for war in state.wars for id_, number in turns if war.id == id_]
    others = {other for war, number in moving for other in stops.ordering_seats(tables, state, war, number)} - {seat}
    for act in order.acts:
        codes = next((codes for kind, codes in UNCERTAIN_REFUSALS.items() if isinstance(act, kind)), ())
        power = getattr(act, "power", "") or seat
        if refusal.code not in codes or not any(power in war.alliance(number) for war, number in moving):
            return False
    return bool(others) or len(moving) > 1


def _answer(tables: Tables, state: State, seat: str, line: FormLine) -> FormLine:
    """Try an answer to a choice by itself; its consequences are not known yet."""
    try:
        for act in line.order.acts if line.order is not None else ():
            if isinstance(act, Action):
                apply_mail_order(DryRun(tables, state), seat, act)
    except Refusal as refusal:
        return line._replace(why=refusal.message, rules=refusal.rules)
    except GameOver:
        return line._replace(waits="It ends the game.")
    return line


def _proposal(tables: Tables, state: State, line: FormLine) -> FormLine:
    """Try a proposal to a Congress without its session; it is submitted when the stop is adjudicated."""
    trial = DryRun(tables, state)
    try:
        for act in line.order.acts if line.order is not None else ():
            if isinstance(act, actions.Draft):
                proposals.check_proposal(trial, settlement.expand_short_forms(trial, act.clauses))
    except Refusal as refusal:
        return line._replace(why=refusal.message, rules=refusal.rules)
    return line._replace(waits="It is put before the Congress when all forms are opened.")


def _end_of_moves(trial: DryRun) -> None:
    """Advance to the Attack Phase of a War: the attacks of a form follow all moves. Rules: PBM-080."""
    war = alliances.current_war(trial.state) if trial.state.phase == "war" else None
    if war is not None and war.stage == MANEUVER and not trial.state.has_pressing_choice:
        stops.pass_phase(trial)


def form_warnings(tables: Tables, state: State, seat: str, text: str) -> tuple[str, ...]:
    """Return the likely failures of a form, one sentence each, for its sender. Rules: PBM-018, PBM-023."""
    sheet = preview_form(tables, state, seat, text)
    wrong = [
        f"line {line.number}, {line.text}: cannot be carried out now: {line.why}"
        for line in sheet.lines
        if line.why and line.order is not None
    ]
    return (*wrong, *(warning.text for warning in sheet.warnings if warning.tone == BAD))


def _money(state: State, power: str) -> int:
    return state.powers[power].treasury if power in state.powers else 0


def _area(order: FormOrder) -> str:
    for act in reversed(order.acts):
        for name in ("area", "to_place", "end", "place", "zone", "to"):
            found = getattr(act, name, "") if isinstance(act, Action) else ""
            if isinstance(found, str) and found:
                return found
    return ""


def _warnings(tables: Tables, before: State, after: State, own: tuple[str, ...]) -> Iterator[ReportLine]:
    """Risks of the form as a whole. Rules: PBM-023, STA-016, MOV-020."""
    if before.phase != "movement":
        return
    for power in own:
        linked = linked_areas(tables, after, power) if power in after.powers else frozenset()
        for area in after.areas:
            for marker in area_state(after, area).markers:
                if marker.power != power or marker in area_state(before, area).markers:
                    continue
                where = place_name(tables, area)
                if marker.marker in CONTROL and not has_garrison(after, area, power):
                    yield ReportLine(f"No Army will stand in {where}: this becomes an Influence.", area, BAD)
                if area not in linked:
                    yield ReportLine(f"{where} will have no link to {power_name(tables, power)}.", area, BAD)
        for area in sorted(linked_areas(tables, before, power) - linked if power in after.powers else ()):
            if any(m.power == power and m in area_state(before, area).markers for m in area_state(after, area).markers):
                yield ReportLine(f"{place_name(tables, area)} loses its link.", area, BAD)
        if power in after.powers and (left := after.powers[power].treasury) > 0:
            yield ReportLine(f"£{left} of {power_name(tables, power)} stay in the Treasury.", tone=FAINT)
