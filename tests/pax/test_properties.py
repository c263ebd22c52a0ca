"""Random whole games: no errors but refusals, balanced accounts, and logs that give the same game.

`PAXTUI_FUZZ=50 pytest tests/pax/test_properties.py` plays fifty times as much.
"""

from __future__ import annotations

import json
import os
from random import Random

import msgspec
import pytest

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.view import view_for_seat
from paxtui.games.pax.sequence import waiting_seats
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.pax.walk import T, Walk
from tests.samples import sample
from tools.fuzz.games import offered_action, wild_action

MORE = max(1, int(os.environ.get("PAXTUI_FUZZ", "1")))


@pytest.mark.parametrize("seed", range(sample(3, 6) * MORE))
def test_random_whole_game_passes_the_audit(seed):
    walk = Walk(seed)
    for n in range(6000):
        if walk.over:
            break
        walk.turn(wild=0.5, thorough=n % 10 == 0)
    assert walk.over, "the game came to no end"
    assert walk.acts > 50
    for seat in (*walk.state.players, ARBITER):
        assert waiting_seats(T, walk.state) == ()
        assert seat == ARBITER or legal_actions(T, walk.state, seat).orders == ()
    assert walk.state.result.ranks.keys() == set(walk.state.players)


@pytest.mark.parametrize("seed", range(4 * MORE))
def test_game_of_arbiter_steps_ends(seed):
    walk = Walk(1000 + seed)
    for _ in range(200):
        if walk.over:
            break
        assert walk.act(ARBITER, actions.Step(), thorough=True) is not None
    assert walk.over
    for name in walk.state.players:
        record = view_for_seat(T, walk.state, ARBITER, 1)["powers"][name]["record"]
        assert all(record[line] is not None for line in ("27", "28", "29", "30", "31"))


@pytest.mark.parametrize("seed", range(3 * MORE))
def test_random_actions_survive_formatting_and_parsing(seed):
    walk = Walk(2000 + seed)
    random = Random(seed)
    for _ in range(400):
        if walk.over:
            break
        walk.turn(wild=0.1)
        wild = wild_action(T, random, walk.state, walk.state.players[0])
        assert parse_order(T, format_order(T, parse_order(T, format_order(T, wild)))) == parse_order(
            T, format_order(T, wild)
        )


@pytest.mark.parametrize("seed", range(2 * MORE))
def test_reopened_log_is_the_same_game(seed, tmp_path):
    """The reopened log gives the same bytes and the same position at each line."""
    random = Random(seed)
    path = tmp_path / "game.jsonl"
    table = PaxHost.new(
        T, ("britain", "france", "germany", "united_states"), f"log {seed}", path=path, clock=empty_clock
    )
    states = {1: msgspec.json.encode(table.state)}
    refused = 0
    for _ in range(350):
        if table.state.result is not None:
            break
        due = table.waiting
        seat = random.choice(due) if due else ARBITER
        before = (table.version, table.log(), table.state)
        try:
            if random.random() < 0.08:
                table.act(random.choice([seat, ARBITER]), random.choice(["undo", "undo", "redo"]))
            elif seat == ARBITER or random.random() < 0.1:
                table.act(ARBITER, random.choice(["advance", "advance!"]) if due else "advance")
            elif random.random() < 0.3:
                table.act(seat, wild_action(T, random, table.state, seat))
            else:
                offered = offered_action(random, legal_actions(T, table.state, seat))
                if offered is not None:
                    table.act(seat, offered)
        except Refusal:
            refused += 1
            assert (table.version, table.log(), table.state) == before
        states[table.version] = msgspec.json.encode(table.state)
    table.close()
    assert refused and table.version > 60
    assert path.read_bytes() == table.log()
    with PaxHost.open(path) as again:
        assert again.log() == table.log()
        for n, state in states.items():
            assert msgspec.json.encode(again.game.seek(n)) == state
        assert again.verify() == []


@pytest.mark.parametrize("seed", range(2 * MORE))
def test_undo_and_redo_restore_the_position(seed):
    walk = Walk(3000 + seed, players=7, options={})
    table = PaxHost.new(T, walk.state.players, f"undo {seed}", undo="free", clock=empty_clock)
    random = Random(seed)
    for _ in range(120):
        if table.state.result is not None:
            break
        seat = random.choice(table.waiting) if table.waiting else ARBITER
        before = msgspec.json.encode(table.state)
        action = actions.Advance() if seat == ARBITER else offered_action(random, legal_actions(T, table.state, seat))
        if action is None:
            continue
        version = table.version_for(seat)
        table.act(seat, action)
        after = msgspec.json.encode(table.state)
        table.undo(seat, version)
        assert msgspec.json.encode(table.state) == before
        table.redo(seat)
        assert msgspec.json.encode(table.state) == after


def test_views_of_a_whole_game_hide_secrets():
    seed = "secret-seed-0815"
    table = PaxHost.new(T, ("britain", "france", "germany", "united_states"), seed, clock=empty_clock)
    for n in range(60):
        if table.state.result is not None:
            break
        if n % 7 == 0:
            table.game.queue_dice([6, 6, 6])
        table.act(ARBITER, "advance!")
        for seat in (*table.state.players, ARBITER, SPECTATOR):
            seen = table.view(seat)
            text = json.dumps(seen)
            assert seed not in text
            assert '"seed"' not in text
            assert '"queue"' not in text
            if seat not in (ARBITER,):
                assert all(c["seat"] == seat for c in seen["pending"])
