"""Saved exercises open and verify; random actions keep the totals."""

from __future__ import annotations

import pytest

from paxtui.games.empires.events.registry import EVENTS_BY_TAG
from paxtui.games.empires.game import RULES_NUMBER
from paxtui.games.empires.narration import EVENT_TEXTS, describe_question
from paxtui.games.empires.naval import phase
from paxtui.games.empires.state import Question
from paxtui.session.exercise_session import ExerciseSession
from paxtui.session.hosts import open_game
from paxtui.session.tables.exercises import load_exercise
from tests.empires.random_actions import EXERCISES, run
from tests.empires.saved_exercises import GAMES, SAVES

EARLIER = ("cabinet-1805", "danube-1805", "danube-1805-campaign")
"""Saved games of rules number 1 whose actions would be decided differently today."""

ACTS = 150
"""Random actions of each exercise in the test; `python -m tests.empires.random_actions 3000` plays thousands."""


@pytest.mark.parametrize("name", GAMES)
def test_saved_exercise_opens_and_differs_only_with_earlier_rules(name: str) -> None:
    """Saved logs are never changed: one of earlier rules may differ in its acts."""
    desk = open_game(SAVES / f"{name}.jsonl", write=False)
    assert desk.state.result is not None
    found = desk.verify()
    assert all(one.in_act for one in found), found
    assert not found or (desk.game.header.rules < RULES_NUMBER and name in EARLIER)
    sitting = ExerciseSession(desk, replay=True)
    assert len(list(sitting.log())) > 50
    assert not sitting.acts


def test_the_script_of_the_channel_has_every_turn_of_a_naval_war() -> None:
    desk = open_game(SAVES / "channel-1805-battles.jsonl", write=False)
    events = [event for line in desk.game.lines_after(1) for event in line.events]
    assert {event["type"] for event in events} >= {
        "stack_moved", "interception_rolled", "evasion_rolled", "wind_rolled", "fired", "ships_lost", "fleet_removed",
        "naval_combat_decided", "ships_placed", "fleet_placed", "ships_transferred", "fleets_barred", "place_announced",
    }  # fmt: skip
    assert {event["errand"] for event in events if event["type"] == "stack_moved"} >= {"sail", "retreat", "pursue"}
    told = [text for _, text in ExerciseSession(desk, replay=True).log()]
    assert any(text.startswith("Fleet ") and "off Brest" in text for text in told)


@pytest.mark.random
@pytest.mark.parametrize("name", EXERCISES)
def test_random_actions_are_done_or_refused_and_factors_balance(name: str) -> None:
    assert run(name, ACTS, 1805) > ACTS // 10


def test_every_kind_of_event_has_a_text() -> None:
    assert not set(EVENTS_BY_TAG) - set(EVENT_TEXTS)


def test_every_question_at_sea_has_a_text() -> None:
    tables = load_exercise("channel-1805")
    about = ("off_brest", "brest", "3", "gb1", "france")
    for kind in phase.NAVAL_ANSWERS:
        said = describe_question(tables, Question(kind=kind, power="france", choices=("yes",), about=about))
        assert kind not in said and len(said.split()) > 4, said
    assert describe_question(tables, Question(kind="retreat", power="france", choices=("sea",), about=about)).endswith(
        "off Brest"
    )
