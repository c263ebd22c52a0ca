"""Todo items of a seat by kind, supply after a retreat, and earnings of Areas."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.preview import supply
from paxtui.games.pax.reports import todo
from paxtui.games.pax.reports.todo import ON_MAP, PEACE, TREATIES, TodoItem, todo_items
from paxtui.games.pax.state.model import Result
from paxtui.games.pax.turn.administration import area_earnings
from tests.pax.saved_games import saved_game
from tests.rules import wars
from tests.rules.harness import UNLIMITED, army, held, here, marker, start, tables
from tests.rules.rebellions import rebellion
from tests.rules.treaties import DE, FR, IT, game, signed
from tests.tui.wars import EMPTY

T = tables()


def items_of(g: Any, seat: str) -> list[TodoItem]:
    return list(todo_items(T, g.state, seat))


def test_proposed_peace_is_a_todo_item() -> None:
    g = wars.at_war([["japan"], ["russia"]], options=UNLIMITED, areas={"korea": held("japan", "protectorate")})
    g.act("japan", "propose with russia: peace")
    (treaty,) = g.state.treaties
    (peace,) = [must for must in items_of(g, "russia") if must.where == PEACE]
    assert peace == TodoItem("Japan proposes peace: accept or reject it.", "", PEACE, treaty.id, False, ("WEN-036",))
    assert not [must for seat in ("japan", "italy") for must in items_of(g, seat) if must.where == PEACE]


def test_charge_is_a_todo_item_of_its_judges() -> None:
    g = game("movement")
    id_ = signed(g, FR, 'treaty Rome with italy, germany: "each does its best"')
    g.act(FR, f"charge {id_} 1 italy")
    (verdict,) = [must for must in items_of(g, DE) if must.where == TREATIES]
    assert (verdict.text, verdict.id, verdict.rules) == (
        "Judge whether Italy broke the Treaty of Rome.", id_, ("TRE-007",),
    )  # fmt: skip
    assert not [must for seat in (FR, IT, "japan") for must in items_of(g, seat) if must.where == TREATIES]


def test_forced_attack_is_a_todo_item() -> None:
    areas = {"burma": held("britain", "possession", army("britain", 10))}
    g = rebellion(["britain"], "maneuver", 2, areas=areas)
    g.act("britain", "move A10 burma > yunnan")
    assert not [must for must in items_of(g, "britain") if must.rules == ("REB-030",)]
    wars.all_pass(g)
    assert TodoItem(
        "Your Armies in Yunnan must attack: a Power that enters an Area of the Empire must fight for it.",
        "yunnan", ON_MAP, "", True, ("REB-030",),
    ) in items_of(g, "britain")  # fmt: skip


def test_no_todo_items_after_the_game_or_without_a_seat() -> None:
    g = start({"phase": "movement", "areas": {"egypt": held("britain", "possession", unrest=True)}})
    assert items_of(g, "britain") and not items_of(g, "belgium")
    assert todo_items(T, replace(g.state, result=Result("last_turn", 10)), "britain") == ()


@pytest.mark.parametrize(
    ("event", "seat", "expected"),
    [
        ("2-6", "russia", ["Pan-Slav Agitation in Russia"]), ("2-6", "germany", []),
        ("2-4", "germany", ["German Navy League Agitation"]),
        ("3-5", "united_states", ["Alaskan Pressure for Statehood"]), ("3-5", "britain", []),
    ],
)  # fmt: skip
def test_active_events_of_a_seat(event: str, seat: str, expected: list[str]) -> None:
    found = todo.active_events(T, start({"phase": "movement", "events_in_force": [event]}).state, seat)
    assert [line.partition(":")[0] for line in found] == expected
    assert all(line.endswith(T.events[event].says) for line in found)


LOST = saved_game("rebellion-lost-0.2.0")


def test_retreat_shows_unsupplied_places() -> None:
    state = LOST.after(12)
    (choice,) = [c for c in state.choices if c.kind == "retreat"]
    for answer in ("A3 indochina > cochinchina", "A3 indochina > south_china_sea"):
        assert supply.unsupplied_places(T, state, choice, (answer,)) == frozenset()
    ashore = replace(state, sea_zones={z: tuple(p for p in at if p != "france") for z, at in state.sea_zones.items()})
    lacking = {"cochinchina", "algiers", "guiana", "senegambia"}
    assert supply.unsupplied_places(T, ashore, choice, ("A3 indochina > cochinchina",)) == lacking


def test_impossible_retreat_is_refused() -> None:
    state = LOST.after(3)
    (choice,) = [c for c in state.choices if c.kind == "retreat"]
    assert isinstance(supply.unsupplied_places(T, state, choice, ("A3 manchuria > siam",)), Refusal)
    ends = [supply.retreat_end(T, str(option)) for option in choice.options]
    assert ends == ["home:russia", "korea", "north_china_sea"]


def test_area_earnings_subtract_maintenance() -> None:
    areas = {
        **EMPTY,
        "egypt": here(marker("italy", "possession"), marker("france", "protectorate"), codominion=["france", "italy"]),
        "tunis": held("italy", "influence"),
        "kashmir": held("italy", "protectorate"),
        "siam": here(marker("france", "interest")),
    }
    state = start({"phase": "movement", "areas": areas}, options=UNLIMITED).state
    assert area_earnings(T, state, "italy") == {
        "egypt": 7 * 5 - 20,
        "kashmir": 0,
        "tunis": T.areas["tunis"].value * 2 - 5,
    }
    assert area_earnings(T, state, "france") == {"egypt": 7 * 4 - 10, "siam": T.areas["siam"].value}
