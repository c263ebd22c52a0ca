"""The menu agrees with `decide` in both directions and is complete for an Area."""

from __future__ import annotations

from random import Random

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.menus.menu import Menu
from paxtui.games.pax.menus.place import area_menu
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import ARMY
from paxtui.games.pax.text.parsing import expand_home
from paxtui.games.pax.transaction import parse_answer
from tests.pax.walk import T, Walk
from tests.rules.harness import army, marker, naval, start
from tests.samples import sample
from tools.fuzz.games import wild_action

RICH = {"powers": {p: {"treasury": 200} for p in ("britain", "france", "germany", "russia", "austria_hungary")}}


GAMES = sample(2, 3)


@pytest.fixture(scope="module", params=range(GAMES))
def positions(request: pytest.FixtureRequest) -> list[State]:
    """The position after each turn of a random game."""
    walk, found = Walk(700 + request.param), []
    while not walk.over and len(found) < 1500:
        walk.turn(wild=0.05)
        found.append(walk.state)
    return [state for state in found if state.result is None]


# Both directions


@pytest.mark.random
def test_every_offered_action_is_accepted(positions):
    random = Random(1)
    tried = 0
    for n, state in enumerate(positions[::20]):
        for seat in (*state.players, ARBITER):
            texts = list(legal_actions(T, state, seat).texts())
            assert len(set(texts)) == len(texts)
            for text in texts if n % 10 == 0 and len(texts) < 300 else random.sample(texts, min(12, len(texts))):
                action = parse_order(T, text)
                result = run_trial(T, state, seat, action)
                assert not isinstance(result, Refusal), (seat, text, result, state.phase)
                assert format_order(T, action) == text
                tried += 1
    assert tried > 500


@pytest.mark.random
def test_every_accepted_action_is_offered(positions):
    random = Random(2)
    accepted = 0
    for state in positions[::3]:
        seat = random.choice(state.players)
        menu = None
        for _ in range(25):
            action = wild_action(T, random, state, seat)
            if isinstance(run_trial(T, state, seat, action), Refusal):
                continue
            menu = menu or legal_actions(T, state, seat)
            assert covers(menu, state, action), (seat, format_order(T, action), state.phase)
            accepted += 1
    assert accepted > 100


def covers(menu: Menu, state: State, action: actions.Action) -> bool:
    """Whether an action is one that the menu offers, its grammars put into words."""
    power = getattr(action, "power", "") or menu.seat
    prefix = "" if power == menu.seat else f"{power}: "
    if isinstance(action, actions.Choose):
        choice = next(c for c in state.choices if c.id == action.id)
        answer = parse_answer(choice, action.answer)
        return any(
            t.startswith(f"choose {action.id}") and sorted(t.split()[2:]) == sorted(" ".join(answer).split())
            for t in menu.orders
        )
    if isinstance(action, actions.Pay):
        return any(
            (p.power, p.to) == (power, action.to) and 1 <= action.amount <= p.most and action.amount not in p.offered
            for p in menu.pays
        )
    if isinstance(action, actions.Build):
        # the menu names one unit at a time; what comes after the first may be open only by then
        return any(t.startswith(f"{prefix}build {action.units[0]}") for t in menu.orders)
    if isinstance(action, actions.Codominion):
        return f"{prefix}codominion {action.area}" in {t.split(" with ")[0] for t in menu.orders}
    if isinstance(action, actions.Move):
        path = expand_home(action.path, power)
        return all(
            any(
                (m.power, m.start) == (power, path[0])
                and m.units.count(unit) >= action.units.count(unit)
                and any(e.place == path[-1] for e in m.ends)
                for m in menu.moves
            )
            or (unit[0] == "N" and any(unit in m.units and m.start == path[0] for m in menu.moves))
            for unit in set(action.units)
        )
    text = format_order(T, action)
    return text in menu.orders or text.removeprefix(f"{menu.seat}: ") in menu.orders


# What is in it


def test_spectator_has_no_menu_and_the_arbiter_steps():
    g = start()
    assert list(legal_actions(T, g.state, SPECTATOR).texts()) == []
    assert list(legal_actions(T, g.state, ARBITER).texts()) == ["advance", "advance!", "step"]
    with pytest.raises(Refusal):
        legal_actions(T, g.state, "spain")


def test_the_menu_of_a_movement_phase():
    g = start({"phase": "movement", **RICH})
    texts = set(legal_actions(T, g.state, "britain").texts())
    assert {"place interest siam", "build N10 north_atlantic", "build A3", "pay france 1", "pay france 200"} <= texts
    assert "ready" in texts and "unready" not in texts
    assert "transfer cuba to france" not in texts
    assert not any(t.startswith(("fight", "choose", "waive", "codominion")) for t in texts)
    german = set(legal_actions(T, g.state, "germany").texts())
    assert "austria_hungary: build A3" in german
    assert "pay austria_hungary 1" in german
    assert not any(t.startswith("austria_hungary:") for t in texts)


def test_moves_of_a_menu_are_a_grammar():
    g = start(
        {
            "phase": "movement",
            "homes": {"britain": {"units": [army("britain", 3), army("britain", 3), naval("britain", 1)]}},
        }
    )
    menu = legal_actions(T, g.state, "britain")
    [marches] = [m for m in menu.moves if m.start == "home:britain" and m.kind == ARMY]
    assert marches.units == ("A3", "A3")
    assert "canada" in {e.place for e in marches.ends}
    end = next(e for e in marches.ends if e.place == "canada")
    assert format_order(T, menu.move(marches, ("A3", "A3"), end)) == "move A3 A3 home > canada"
    [sails] = [m for m in menu.moves if m.start == "home:britain" and m.kind != ARMY]
    assert {"move N1 home > canada (north_pacific)", "move N1 home > canada (north_atlantic)"} <= set(menu.texts())
    assert not any(e.place == "home:britain" for e in sails.ends)
    grammar = menu.grammar()
    assert {"power": "britain", "start": "home", "kind": "army", "units": ["A3", "A3"]}.items() <= next(
        m for m in grammar["moves"] if m["start"] == "home" and m["kind"] == "army"
    ).items()


def test_codominion_is_offered_with_and_without_influence_holders():
    there = [marker("britain", "protectorate"), marker("france", "influence"), marker("italy", "interest")]
    for markers, wanted in ((there, [(), ("france",)]), ([there[0], there[2]], [()])):
        g = start({"phase": "negotiation", "areas": {"kenya": {"markers": markers}}})
        items = [item.action for item in area_menu(T, g.state, "britain", "kenya")]
        assert [a.also for a in items if isinstance(a, actions.Codominion)] == wanted


def test_moves_of_a_menu_keep_the_western_garrison():
    g = start(
        {
            "phase": "movement",
            "homes": {"russia": {"units": [army("russia", 10)] * 4 + [army("russia", 1)]}},
            "areas": {
                a: {"markers": [marker("russia", "protectorate")]} for a in ("turcomania", "mongolia", "rumania")
            },
        },
        options={"counter_limits": "unlimited"},
    )
    menu = legal_actions(T, g.state, "russia")
    from_home = [m for m in menu.moves if m.start == "home:russia" and m.kind == ARMY]
    marches = {tuple(e.place for e in m.ends): m.units for m in from_home}
    assert marches[("rumania",)].count("A10") == 4
    away = next(units for ends, units in marches.items() if "turcomania" in ends)
    assert (away.count("A10"), away.count("A1")) == (1, 1)
    for moves in menu.moves:
        for end in moves.ends:
            action = menu.move(moves, moves.units, end)
            assert not isinstance(run_trial(T, g.state, "russia", action), Refusal)


def test_menu_of_a_combat_has_answers_and_orders():
    g = start(
        {
            "phase": "colonial_combat",
            "areas": {
                "manchuria": {
                    "unrest": True,
                    "markers": [marker("russia", "protectorate", False)],
                    "units": [army("russia", 10)],
                }
            },
        }
    )
    texts = list(legal_actions(T, g.state, "russia").texts())
    assert {"fight manchuria", "decline manchuria", "choose c1 fight manchuria"} <= set(texts)
    assert list(legal_actions(T, g.state, "britain").texts()) == []


def test_a_finished_game_offers_nothing():
    walk = Walk(42)
    for _ in range(200):
        if not walk.over:
            walk.act(ARBITER, actions.Step())
    assert walk.over
    assert all(not list(legal_actions(T, walk.state, seat).texts()) for seat in (*walk.state.players, ARBITER))


# The action menu of an Area


def test_area_menu_has_refused_lines_with_their_reason():
    g = start({"phase": "movement", "powers": {"france": {"treasury": 12}}})
    items = {format_order(T, i.action): i for i in area_menu(T, g.state, "france", "siam")}
    assert len(items) >= 4
    own = [i for i in items.values() if i.allowed]
    not_ = [i for i in items.values() if not i.allowed]
    assert own and not_
    for item in not_:
        assert item.reason and item.code and item.rules
    for item in own:
        assert not item.reason and not item.code and item.rules


def test_the_area_menu_shows_the_price():
    g = start({"phase": "movement", "powers": {"britain": {"treasury": 100}}})
    place = next(i for i in area_menu(T, g.state, "britain", "siam") if "interest" in format_order(T, i.action))
    assert place.allowed and place.price == T.markers["interest"].price


def test_area_menu_agrees_with_decide(positions):
    random = Random(3)
    for state in positions[149:450:150]:
        for power in list(state.powers)[:4]:
            for area in random.sample(list(T.areas), 12):
                for item in area_menu(T, state, power, area):
                    action = item.action
                    assert action is not None and parse_order(T, format_order(T, action)) == action
                    seat = power if power in state.players else T.powers[power].seat
                    result = run_trial(T, state, seat, action)
                    assert item.allowed == (not isinstance(result, Refusal))
                    assert item.label
