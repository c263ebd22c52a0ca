"""What waits for a seat, kind by kind, where a retreat finds supply, and what an Area earns."""

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
from tests.pax.kept import kept
from tests.rules import wars
from tests.rules.harness import UNLIMITED, army, held, here, marker, start, tables
from tests.rules.rebellions import rebellion
from tests.rules.treaties import DE, FR, IT, game, signed
from tests.tui.wars import EMPTY

T = tables()


def waits(g: Any, seat: str) -> list[TodoItem]:
    return list(todo_items(T, g.state, seat))


def test_a_peace_that_is_proposed_waits_where_wars_are_ended() -> None:
    g = wars.at_war([["japan"], ["russia"]], options=UNLIMITED, areas={"korea": held("japan", "protectorate")})
    g.act("japan", "propose with russia: peace")
    (treaty,) = g.state.treaties
    (peace,) = [must for must in waits(g, "russia") if must.where == PEACE]
    assert peace == TodoItem("Japan proposes peace: accept or reject it.", "", PEACE, treaty.id, False, ("WEN-036",))
    assert not [must for seat in ("japan", "italy") for must in waits(g, seat) if must.where == PEACE]


def test_a_charge_waits_for_those_who_judge_it() -> None:
    g = game("movement")
    id_ = signed(g, FR, 'treaty Rome with italy, germany: "each does its best"')
    g.act(FR, f"charge {id_} 1 italy")
    (verdict,) = [must for must in waits(g, DE) if must.where == TREATIES]
    assert (verdict.text, verdict.id, verdict.rules) == (
        "Judge whether Italy broke the Treaty of Rome.", id_, ("TRE-007",),
    )  # fmt: skip
    assert not [must for seat in (FR, IT, "japan") for must in waits(g, seat) if must.where == TREATIES]


def test_who_has_entered_an_area_of_an_empire_has_to_attack() -> None:
    areas = {"burma": held("britain", "possession", army("britain", 10))}
    g = rebellion(["britain"], "maneuver", 2, areas=areas)
    g.act("britain", "move A10 burma > yunnan")
    assert not [must for must in waits(g, "britain") if must.rules == ("REB-030",)]
    wars.all_pass(g)
    assert TodoItem(
        "Your Armies in Yunnan must attack: a Power that enters an Area of the Empire must fight for it.",
        "yunnan", ON_MAP, "", True, ("REB-030",),
    ) in waits(g, "britain")  # fmt: skip


def test_nothing_waits_when_the_game_is_over_or_nobody_sits_there() -> None:
    g = start({"phase": "movement", "areas": {"egypt": held("britain", "possession", unrest=True)}})
    assert waits(g, "britain") and not waits(g, "belgium")
    assert todo_items(T, replace(g.state, result=Result("last_turn", 10)), "britain") == ()


@pytest.mark.parametrize(
    ("event", "seat", "said"),
    [
        ("2-6", "russia", ["Pan-Slav Agitation in Russia"]), ("2-6", "germany", []),
        ("2-4", "germany", ["German Navy League Agitation"]),
        ("3-5", "united_states", ["Alaskan Pressure for Statehood"]), ("3-5", "britain", []),
    ],
)  # fmt: skip
def test_the_events_of_the_turn_that_concern_a_seat(event: str, seat: str, said: list[str]) -> None:
    found = todo.active_events(T, start({"phase": "movement", "events_in_force": [event]}).state, seat)
    assert [line.partition(":")[0] for line in found] == said
    assert all(line.endswith(T.events[event].says) for line in found)


LOST = kept("rebellion-lost-0.2.0")


def test_where_units_are_out_of_supply_when_a_retreat_is_over() -> None:
    state = LOST.after(12)
    (choice,) = [c for c in state.choices if c.kind == "retreat"]
    for answer in ("A3 indochina > cochinchina", "A3 indochina > south_china_sea"):
        assert supply.unsupplied_places(T, state, choice, (answer,)) == frozenset()
    ashore = replace(state, sea_zones={z: tuple(p for p in at if p != "france") for z, at in state.sea_zones.items()})
    lacking = {"cochinchina", "algiers", "guiana", "senegambia"}
    assert supply.unsupplied_places(T, ashore, choice, ("A3 indochina > cochinchina",)) == lacking


def test_a_retreat_that_cannot_be_is_refused_and_where_one_ends() -> None:
    state = LOST.after(3)
    (choice,) = [c for c in state.choices if c.kind == "retreat"]
    assert isinstance(supply.unsupplied_places(T, state, choice, ("A3 manchuria > siam",)), Refusal)
    ends = [supply.retreat_end(T, str(option)) for option in choice.options]
    assert ends == ["home:russia", "korea", "north_china_sea"]


def test_what_each_area_earns_after_its_marker_is_paid_for() -> None:
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
