"""The cache of Communication Links: when a result is reused."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.board.routes import linked_areas
from tests.rules.harness import start, tables


def test_games_with_different_options_have_their_own_links() -> None:
    """Everything else of the two positions is the very same object."""
    begun, seas = start().state, ("north_atlantic", "south_atlantic", "south_pacific")
    printed = replace(begun, sea_zones={zone: ("germany",) * (zone in seas) for zone in begun.sea_zones})
    joined = replace(printed, options=replace(printed.options, fiji_south_pacific=True))
    for _ in range(2):
        assert "fiji" not in linked_areas(tables(), printed, "germany")
        assert "fiji" in linked_areas(tables(), joined, "germany")


def test_equal_options_share_links() -> None:
    state = start().state
    alike = replace(state, options=replace(state.options))
    assert linked_areas(tables(), alike, "britain") is linked_areas(tables(), state, "britain")
