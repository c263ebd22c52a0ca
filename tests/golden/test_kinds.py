"""Saved games, scenes and tests of rules have each kind of event, and saved games each kind of ending."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from paxtui.games.pax.events import events
from paxtui.session.pax_host import PaxHost
from tests.golden.scenes import scenes, tension
from tests.places import SAVES
from tests.rules.recorded_texts.comparison import event_kinds_in_rule_tests


@cache
def named_events() -> tuple[tuple[str, events.Event], ...]:
    """Return each event of each saved game and of the scenes played now, with the name of the game."""

    def events_of(name: str, table: PaxHost) -> Iterator[tuple[str, events.Event]]:
        for line in table.game.lines:
            for event in table.game.events(line.n):
                yield name, event

    def all_events() -> Iterator[tuple[str, events.Event]]:
        for path in sorted(SAVES.glob("*.jsonl")):
            with PaxHost.open(path, write=False) as table:
                yield from events_of(path.stem, table)
        for play in (scenes, tension):
            yield from events_of(play.__name__, play())

    return tuple(all_events())


def test_each_kind_of_event_is_in_a_game_or_test() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in get_args(events.AnyEvent)}
    found = {str(event.__struct_config__.tag) for _, event in named_events()}
    missing = kinds - found - event_kinds_in_rule_tests()
    assert len(found) > 100 and found <= kinds
    assert not missing, f"add a test to tests/rules for: {sorted(missing)}"


def test_saved_games_have_each_end_of_a_game_and_of_a_war() -> None:
    ends = {(name, event.result.reason) for name, event in named_events() if isinstance(event, events.GameEnded)}
    by_war = {name for name, event in named_events() if isinstance(event, events.GreatWarBegan)}
    ways = {(reason, name in by_war) for name, reason in ends}
    assert ways == {("last_turn", False), ("great_war", True), ("great_war", False)}
    tests = {event.test for _, event in named_events() if isinstance(event, events.WarDecided)}
    assert tests >= {"peace", "no_units", "stalemate", "announced", "rebels_won", "rebels_beaten", "ottomans_beaten"}


@pytest.mark.parametrize("play", [scenes, tension], ids=["scenes", "tension"])
def test_scenes_verify_after_they_are_played(play: Callable[[], PaxHost], tmp_path: Path) -> None:
    path = tmp_path / "scenes.jsonl"
    play().save_as(path)
    with PaxHost.open(path, write=False) as table:
        assert table.verify() == []
