"""The kept games hold every way in which a game ends and every kind of event."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from paxtui.pax.history import events as ev
from paxtui.table.authority import Table
from tests.golden.scenes import scenes, tension
from tests.places import SAVES


@cache
def heard() -> tuple[tuple[str, ev.Event], ...]:
    """Every event of every kept game, with the game."""

    def every() -> Iterator[tuple[str, ev.Event]]:
        for path in sorted(SAVES.glob("*.jsonl")):
            with Table.open(path, write=False) as table:
                for line in table.game.lines:
                    for event in table.game.events(line.n):
                        yield path.stem, event

    return tuple(every())


def test_every_kind_of_event_is_in_a_kept_game() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in get_args(ev.AnyEvent)}
    found = {str(event.__struct_config__.tag) for _, event in heard()}
    missing = kinds - found
    assert len(kinds) > 100 and found <= kinds
    assert not missing, f"kinds that no kept game holds: {sorted(missing)}"


def test_every_end_of_a_game_and_of_a_war_is_in_a_kept_game() -> None:
    ends = {(name, event.result.reason) for name, event in heard() if isinstance(event, ev.GameEnded)}
    by_war = {name for name, event in heard() if isinstance(event, ev.GreatWarBegan)}
    ways = {(reason, name in by_war) for name, reason in ends}
    assert ways == {("last_turn", False), ("great_war", True), ("great_war", False)}
    tests = {event.test for _, event in heard() if isinstance(event, ev.WarDecided)}
    assert tests >= {"peace", "no_units", "stalemate", "announced", "rebels_won", "rebels_beaten", "ottomans_beaten"}


@pytest.mark.parametrize("play", [scenes, tension], ids=["scenes", "tension"])
def test_scenes_played_again_are_the_game_that_is_kept(play, tmp_path: Path) -> None:
    """python -m tests.golden.play plays them anew."""
    play(tmp_path / "again.jsonl")
    (kept,) = SAVES.glob(f"{play.__name__}-*.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == kept.read_bytes()
