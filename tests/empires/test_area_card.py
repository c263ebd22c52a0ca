"""What screens show of areas, leaders, movement and victory."""

from __future__ import annotations

from paxtui.engine.seats import ARBITER
from paxtui.games.empires.events.land import BattleOver
from paxtui.games.empires.position import seat_view, starting_state
from paxtui.games.empires.reports import area_lines, battle_pages, leader_text, movement_text, victory_lines
from paxtui.session.hosts import open_game
from paxtui.session.tables.exercises import load_exercise
from tests.empires.land import DANUBE
from tests.empires.saved_exercises import SAVES


def test_area_card_has_values_garrison_depot_and_stacks() -> None:
    lines = list(area_lines(DANUBE, starting_state(DANUBE), "austria", "munich"))
    assert lines[:3] == [
        "Munich: clear, Austria",
        "Forage value 4; Munich: supply value 3, room for 14 more factors",
        "Worth 1 political point at the end to a Power that took it",
    ]
    assert lines[4:] == [
        "Depot of Austria",
        "Garrison of Austria: 1 infantry",
        "Austria: kienmayer, Kienmayer Corps: 9 infantry, 2 cavalry (holds 12 infantry, 3 cavalry); 3 of 3 points",
    ]


def test_card_of_an_enemy_stack_has_its_leaders_but_no_strength() -> None:
    lines = list(area_lines(DANUBE, seat_view(starting_state(DANUBE), "france"), "france", "swabia"))
    assert lines[-3:-1] == ["Austria: infantry corps, face down"] * 2
    assert lines[-1] == ("Leader Mack von Leiberich (Austria): rank C, strategic 1, tactical 2, commands 3 corps")


def test_leaders_movement_and_victory_are_reported_in_words() -> None:
    state = starting_state(DANUBE)
    napoleon = leader_text(DANUBE, state.leaders["napoleon"])
    assert napoleon == "Napoleon (France): rank A, strategic 5, tactical 5, commands 6 corps"
    assert movement_text(state.corps["reserve"]) == "5 of 5 points"
    assert any("Vienna 4" in line for line in victory_lines(DANUBE, state))
    channel = load_exercise("channel-1805")
    assert any("ships in" in line for line in victory_lines(channel, starting_state(channel)))


def test_a_field_combat_leaves_a_report() -> None:
    desk = open_game(SAVES / "danube-1805-campaign.jsonl", write=False)
    events = [(0, desk.rules.decode_event(raw)) for line in desk.known(ARBITER).lines for raw in line.events]
    pages = battle_pages(desk.rules.tables, events)
    assert len(pages) == sum(isinstance(event, BattleOver) for _, event in events) == 3
    assert all(page[0].startswith("Field combat in ") and page[-1].startswith("Result: ") for page in pages)
    assert any(line.startswith("  round 1: dice ") for page in pages for line in page)
