"""Pieces on the map are counted once, and then only what has changed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.games.pax.board import status
from paxtui.games.pax.position.setup import new_game, seats_for
from tests.rules.harness import tables


def test_only_changed_areas_are_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    state = new_game(tables(), seats_for(7), {})
    counted: list[Any] = []
    before = {power: dict(pools) for power, pools in status.used_pieces(tables(), state).items()}
    for name in ("_count_markers", "_count_units"):
        real = getattr(status, name)
        monkeypatch.setattr(status, name, lambda *args, real=real: (counted.append(args), real(*args)))
    assert {power: dict(pools) for power, pools in status.used_pieces(tables(), state).items()} == before
    assert not counted, "nothing has changed, so nothing is counted"
    here = state.areas["hong_kong"]
    bare = replace(state, areas={**state.areas, "hong_kong": replace(here, markers=())})
    after = status.used_pieces(tables(), bare)["britain"]
    assert len(counted) == 2 and before["britain"]["hexagon"] - after["hexagon"] == len(here.markers) == 1
