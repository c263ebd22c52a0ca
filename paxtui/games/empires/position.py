"""The position at the start of an exercise, and the view of a seat.

A view hides the papers of others and their corps that lie face down.

Rules: EIA 2.4.2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.games.empires.calendar import turn_of
from paxtui.games.empires.events.registry import SECRET_QUESTIONS, revealed_corps
from paxtui.games.empires.pieces import HIDDEN, Battle, Corps, Factors, Force
from paxtui.games.empires.state import Account, Cursor, Question, State
from paxtui.games.empires.tables import Tables


def _controllers_at_start(tables: Tables) -> dict[str, str]:
    """Return the areas whose controller at the start differs from the map: the owner of the garrison in the city."""
    minors = {minor.id: minor.controller for minor in tables.exercise.minors}
    return {
        one.where: one.power
        for one in tables.exercise.garrisons
        if not one.of_depot and one.power != minors.get(tables.areas[one.where].owner, tables.areas[one.where].owner)
    }


def starting_state(tables: Tables) -> State:
    """Return the position at the start, before the first phase begins."""
    exercise = tables.exercise
    return State(
        exercise=exercise.id,
        powers=exercise.powers,
        turn=turn_of(exercise.first),
        cursor=Cursor(""),
        relations=exercise.relations,
        accounts={power: exercise.accounts.get(power, Account()) for power in exercise.powers},
        minors={minor.id: minor for minor in exercise.minors},
        fleets={fleet.id: fleet for fleet in exercise.fleets},
        corps={corps.id: corps for corps in exercise.corps},
        leaders={leader.id: leader for leader in exercise.leaders},
        garrisons=exercise.garrisons,
        control=_controllers_at_start(tables),
        depots=exercise.depots,
        shipyard=exercise.shipyard,
        access=exercise.access,
        combined=exercise.combined,
    )


def seat_view(state: State, seat: str) -> State:
    """Return the position as a seat sees it. After the end of the exercise nothing is hidden.

    Papers of others have no words. Corps of others that lie face down have a made-up id and no factors.
    """
    if seat == ARBITER or state.result is not None:
        return state
    sealed = tuple(one if one.power == seat else replace(one, words=()) for one in state.sealed)
    names = _mask_ids(state, seat)
    campaign = state.campaign
    foot_first = tuple(one for one in campaign.foot_first if one == seat)
    if not names:
        return replace(state, sealed=sealed, campaign=replace(campaign, foot_first=foot_first))
    return replace(
        state,
        sealed=sealed,
        corps=_corps_by_mask(state, names),
        leaders={id_: replace(one, where=names.get(one.where, one.where)) for id_, one in state.leaders.items()},
        fleets={id_: replace(one, cargo=_replace_ids(one.cargo, names)) for id_, one in state.fleets.items()},
        questions=tuple(_masked_question(one, seat) for one in state.questions),
        campaign=replace(
            campaign,
            treks={id_: one for id_, one in campaign.treks.items() if id_ not in names},
            moving="" if campaign.moving in names else campaign.moving,
            stayed=_replace_ids(campaign.stayed, names),
            due=tuple(one for one in campaign.due if one.power == seat),
            refused=tuple(one for one in campaign.refused if one[0] not in names),
            battle=_masked_battle(campaign.battle, names),
            foot_first=foot_first,
            lines=tuple(sorted((area, names.get(one, one)) for area, one in campaign.lines)),
        ),
    )


def _mask_ids(state: State, seat: str) -> dict[str, str]:
    """Return a made-up id for every corps hidden from a seat. It shows only the Power and the place."""
    shown = revealed_corps(state)
    hidden = [one for one in state.corps.values() if one.power != seat and one.id not in shown]
    hidden.sort(key=lambda one: (one.power, _corps_place(state, one), one.inside, one.kind, one.nation))
    numbers: Counter[tuple[str, str]] = Counter()
    names = {}
    for one in hidden:
        key = (one.power, _corps_place(state, one))
        numbers[key] += 1
        names[one.id] = f"{one.power}.{key[1]}.{numbers[key]}"
    return names


def _corps_place(state: State, corps: Corps) -> str:
    """Return the area of a corps, or the fleet that carries it."""
    return corps.where or next((one.id for one in state.fleets.values() if corps.id in one.cargo), "")


def _corps_by_mask(state: State, names: Mapping[str, str]) -> dict[str, Corps]:
    """Return the corps by the ids of the view. The order reveals nothing about those face down."""
    open_ = {id_: one for id_, one in state.corps.items() if id_ not in names}
    masked = {
        names[id_]: replace(one, id=names[id_], factors=Factors(), most=Factors(), moved=0, forced=False)
        for id_, one in state.corps.items()
        if id_ in names
    }
    return {**open_, **dict(sorted(masked.items()))}


def _replace_ids(ids: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return ids with those of corps face down replaced, these in order."""
    ids = tuple(ids)
    return (*(one for one in ids if one not in names), *sorted(names[one] for one in ids if one in names))


def _masked_force(force: Force, names: Mapping[str, str]) -> Force:
    return replace(force, corps=_replace_ids(force.corps, names), around=_replace_ids(force.around, names))


def _masked_battle(battle: Battle | None, names: Mapping[str, str]) -> Battle | None:
    if battle is None:
        return None
    return replace(
        battle, attacker=_masked_force(battle.attacker, names), defender=_masked_force(battle.defender, names)
    )


def _masked_question(question: Question, seat: str) -> Question:
    if question.power == seat or question.kind not in SECRET_QUESTIONS:
        return question
    return replace(question, choices=(), about=())


# --- events ---------------------------------------------------------------------------------------------------------


def visible_event(raw: Raw, seat: str) -> Raw | None:
    """Return a raw event as a seat sees it; None if it is hidden.

    All seats see that a paper was written, that a corps of a Power moved, and where.
    """
    if seat == ARBITER:
        return raw
    if raw.get("type") == "battle_began":
        battle = raw["battle"]
        return {
            **raw,
            "battle": {**battle, **{side: _raw_force(battle[side], seat) for side in ("attacker", "defender")}},
        }
    only = raw.get("only") or ()
    if not only or seat in only:
        return raw
    mask = MASKS.get(str(raw.get("type")))
    return mask(raw, HIDDEN + str(only[0])) if mask else None


def _raw_force(force: Raw, seat: str) -> Raw:
    powers = force.get("powers") or ("",)
    if seat in powers:
        return force
    return {**force, "corps": [HIDDEN + str(powers[0])] * len(force.get("corps", ())), "around": []}


Mask = Callable[[Raw, str], Any]
"""What others see of a raw event; the name stands for a corps face down. None: they do not see the event."""


def _mask_paper(raw: Raw, name: str) -> Raw:
    return {**raw, "sealed": {field: value for field, value in raw["sealed"].items() if field != "words"}}


def _mask_field(field: str) -> Mask:
    """Return a mask that puts the name for a corps face down in place of an id, or of each of several."""

    def mask(raw: Raw, name: str) -> Raw:
        return {**raw, field: [name] * len(raw[field]) if isinstance(raw[field], list | tuple) else name}

    return mask


def _mask_strength(raw: Raw, name: str) -> Raw | None:
    """Hide the strength of a corps, except that a removed corps is seen to be removed."""
    return None if any((raw.get("factors") or {}).values()) else {**raw, "corps": name}


def _mask_arrival(raw: Raw, name: str) -> Raw:
    return {**raw, "corps": {**raw["corps"], "id": name, "factors": {}, "most": {}}}


def _mask_losses(raw: Raw, name: str) -> Raw:
    return {**raw, "corps": name if raw.get("corps") else "", "factors": {}}


def _mask_question_event(raw: Raw, name: str) -> Raw:
    return {**raw, "question": {**raw["question"], "choices": [], "about": []}}


MASKS: Mapping[str, Mask] = {
    "sealed_up": _mask_paper,
    "marched": _mask_field("corps"),
    "landed": _mask_field("corps"),
    "quartered": _mask_field("corps"),
    "corps_strength": _mask_strength,
    "corps_arrived": _mask_arrival,
    "leader_moved": _mask_field("where"),
    "besieging": _mask_field("corps"),
    "foraged": _mask_field("corps"),
    "supply_refused": _mask_field("corps"),
    "reinforcement_lost": _mask_losses,
    "stayed": _mask_field("corps"),
    "retreated": _mask_field("corps"),
    "divided": _mask_field("around"),
    "stayed_in_lines": _mask_field("corps"),
    "embarked": _mask_field("corps"),
    "corps_drowned": _mask_field("corps"),
    "corps_shifted": _mask_field("corps"),
    "corps_went_home": _mask_field("corps"),
    "asked": _mask_question_event,
}
"""What other Powers see of an event that is for some Powers only, by its `type`. Other types are hidden from them."""
