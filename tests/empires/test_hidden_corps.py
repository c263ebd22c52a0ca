"""Corps lie face down: others see that there is one, and neither its name nor its strength (EIA 2.4.2)."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.empires.decider import menu_actions
from paxtui.games.empires.events.land import ChitsShown
from paxtui.games.empires.game import EmpiresGame
from paxtui.games.empires.narration import describe_event, piece_lines
from paxtui.games.empires.orders import Done
from paxtui.games.empires.position import seat_view, visible_event
from tests.empires.conversation import Conversation
from tests.empires.land import DANUBE, corps, depot, field, fleet, leader

RULES = EmpiresGame(DANUBE)


@pytest.mark.eia("2.4.2")
def test_a_view_shows_where_a_corps_stands_and_nothing_else_of_it() -> None:
    game = field(
        corps("i", "france", "baden", 7),
        corps("m", "austria", "munich", 9),
        leader("mack", "austria", "m"),
        at="depots",
    )
    view = seat_view(game.state, "france")
    assert view.corps["i"].factors.total == 7
    (hidden,) = (one for one in view.corps.values() if one.power == "austria")
    assert (hidden.where, hidden.kind, hidden.factors.total, hidden.most.total) == ("munich", "infantry", 0, 0)
    assert "m" not in view.corps and view.leaders["mack"].where == hidden.id
    assert "infantry corps of Austria: Munich" in list(piece_lines(DANUBE, view))
    assert all(not one.factors.total for one in seat_view(game.state, SPECTATOR).corps.values())
    assert seat_view(game.state, ARBITER) == game.state


@pytest.mark.eia("2.4.2")
def test_fleets_are_public_and_the_corps_aboard_are_not() -> None:
    game = field(corps("m", "austria", ""), fleet("a1", "austria", "vienna", cargo=("m",)), at="depots")
    view = seat_view(game.state, "france")
    assert view.fleets["a1"].ships == 10
    assert len(view.fleets["a1"].cargo) == 1 and view.fleets["a1"].cargo[0] in view.corps
    assert "m" not in view.corps


@pytest.mark.eia("2.4.2")
def test_a_march_is_seen_without_the_name_and_a_strength_not_at_all() -> None:
    game = field(corps("i", "france", "baden", 7), depot("alsace", "france"), at="movement")
    game.acts("france: march i to wurttemberg", "france: detach i infantry=2")
    raws = [RULES.encode_event(event) for event in game.events]
    told = [shown for raw in raws if (shown := visible_event(raw, "austria")) is not None]
    lines = [describe_event(DANUBE, RULES.decode_event(raw)) for raw in told]
    assert any(line.startswith("A corps of France marches to Wurttemberg") for line in lines)
    assert not any(raw["type"] in ("corps_strength", "left_behind") for raw in told)
    assert visible_event(raws[-1], "france") == raws[-1]


@pytest.mark.eia("2.4.2")
def test_corps_in_combat_lie_open_once_the_chits_are_shown() -> None:
    pieces_ = (corps("i", "france", "black_forest", 12), corps("m", "austria", "black_forest", 12))
    game = field(*pieces_, corps("n", "austria", "vienna"), depot("alsace", "france"), at="movement")
    game.act("france", "done")
    battle = seat_view(game.state, "france").campaign.battle
    assert battle is not None and battle.defender.corps != ("m",) and len(battle.defender.corps) == 1
    game.acts("france: chit probe", "austria: chit defend")
    assert game.events_of(ChitsShown)
    while game.open_question is not None and game.open_question[1] != "end_of_day":
        game.act(game.open_question[0], "answer " + game.state.questions[-1].choices[0])
    if game.state.campaign.battle is not None:
        view = seat_view(game.state, "france")
        assert view.corps["m"].factors.total > 0 and "n" not in view.corps


def test_no_name_of_an_enemy_corps_leaves_a_whole_game_for_a_seat() -> None:
    """Views, events, standing and narration of France: no Austrian corps by name, but in combat."""
    game, random = Conversation("danube-1805", 3), Random(3)
    table = game.session.table
    assert table is not None
    austrian = {one.id for one in DANUBE.exercise.corps if one.power == "austria"}
    for _ in range(120):
        if game.standing["result"]:
            break
        state = table.state
        if state.campaign.battle is None:
            view = json.dumps(game.ask("view", seat="france")["corps"]) + json.dumps(game.standing["pending"])
            assert not [name for name in austrian if f'"{name}"' in view]
        seat = game.standing["waiting"][0]
        acts = menu_actions(table.tables, table.state_for(seat), seat)
        done = isinstance(acts[-1], Done) and random.random() < 0.3
        line, _ = table.act(seat, acts[-1] if done else random.choice(acts))
        game.standing = game.session._standing()
        if seat == "austria" and state.campaign.battle is None and table.state.campaign.battle is None:
            for raw in line.events:
                shown = visible_event(raw, "france")
                fought = raw["type"] in ("corps_strength", "retreated", "leader_moved", "chits_shown", "round_fought")
                assert shown is None or fought or not _names(shown) & austrian, shown


def _names(raw: Any) -> set[str]:
    """All texts in an event."""
    if isinstance(raw, dict):
        return set().union(*(_names(value) for value in raw.values())) if raw else set()
    if isinstance(raw, list | tuple):
        return set().union(*(_names(value) for value in raw)) if raw else set()
    return {raw} if isinstance(raw, str) else set()
