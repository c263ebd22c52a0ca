"""Faults that no War may cause: Units where no rule lets them stand, and secrets that leak."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from paxtui.games.pax.board.status import controllers, is_chinese
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.position.view import view_for_seat
from paxtui.games.pax.state.model import State, all_units
from paxtui.games.pax.state.pieces import ARMY, CHINA, NAVAL, OTTOMAN_EMPIRE
from paxtui.games.pax.visibility import visible_raw
from paxtui.games.pax.war import empire
from tests.pax.walk import T

SECRET = "whispered"
"""Prefix of the names and ids of hidden Treaties."""


def misplaced_units(before: State, state: State, events: list[ev.Event]) -> list[str]:
    """Describe Units that stand, move or fight against the rules. Args: the positions before and after; the events."""
    if state.result is not None:
        return []  # after the Great War nothing is put in order
    if state.turn > before.turn:
        return []  # in later Phases armies may stand where a marker has just been given up
    return [*_standing(state), *_steps(before, state, events)]


def _standing(state: State) -> Iterator[str]:
    belligerent = {p for war in state.wars for p in (*war.powers, *war.left)}
    for home, units in state.homes.items():
        for unit in units:
            if unit.power != home and not (state.wars and T.powers[home].seat == unit.power):
                yield f"{unit.power} in {HOME}{home}"
    rebels = any(war.kind == "rebellion" for war in state.wars)
    ottoman = [empire.roamed_areas(T, state, war) for war in state.wars if war.kind == "ottoman"]
    for area, there in state.areas.items():
        for unit in there.units:
            if unit.kind != NAVAL and unit.coast:
                yield f"an army on a coast of {area}"
            if unit.power == CHINA:
                if not (rebels and unit.kind == ARMY and is_chinese(T, state, area)):
                    yield f"a Chinese Army in {area}"
            elif unit.power == OTTOMAN_EMPIRE:
                if not any(area in roams for roams in ottoman):
                    yield f"an Ottoman Army in {area}"
            elif unit.power not in belligerent and unit.power not in controllers(state, area):
                yield f"{unit.power} in {area}"
    if not state.wars:
        if any(state.at_sea.values()):
            yield f"at sea: {state.at_sea}"
        if any(u.power in (CHINA, OTTOMAN_EMPIRE) for u in all_units(state)):
            yield "an Army of an Empire outlives its War"


def _steps(before: State, state: State, events: list[ev.Event]) -> Iterator[str]:
    arisen = (event.war for event in events if isinstance(event, ev.WarArose))
    belligerent = {p for war in (*before.wars, *state.wars, *arisen) for p in (*war.powers, *war.left)}
    for event in events:
        if isinstance(event, ev.UnitsMoved) and state.wars and before.wars:
            end = event.path[-1]
            own = end in state.areas and {*controllers(before, end), *controllers(state, end)} & belligerent
            lands = {a for war in (*before.wars, *state.wars) for a in empire.empire_areas(T, before, war)}
            lands |= {empire.egypt_area(T)}
            if end in state.areas and not own and end not in lands:
                yield f"a step to {end}"
            owner = end.removeprefix(HOME)
            if end.startswith(HOME) and event.power not in (owner, T.powers[owner].seat):
                yield f"{event.power} comes to {end}"
        elif isinstance(event, ev.BattleFought):
            for power in (*event.attackers, *event.defenders):
                if power not in belligerent:
                    yield f"neutral {power} fights in {event.place}"


def seats_with_leaks(state: State, events: list[ev.Event]) -> list[str]:
    """Return the seats that learn of a hidden Treaty to which they are no party."""
    out = []
    hidden = [t for t in state.treaties if not t.public and t.id.startswith(SECRET)]
    for seat in state.players:
        foreign = [t.id for t in hidden if seat not in t.parties]
        if foreign:
            text = json.dumps(
                [view_for_seat(T, state, seat, 1), [visible_raw(msgspec.to_builtins(e), seat) for e in events]]
            )
            out += [seat for id_ in foreign if id_ in text]
    return out
