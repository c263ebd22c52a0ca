"""What keeps or ends the last answer about the ways that are open to a Power."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.board.routes import linked_areas
from tests.rules.harness import start, tables


def test_of_two_games_that_differ_in_an_option_each_has_its_own_links() -> None:
    """Everything else of the two positions is the very same object."""
    begun, seas = start().state, ("north_atlantic", "south_atlantic", "south_pacific")
    printed = replace(begun, sea_zones={zone: ("germany",) * (zone in seas) for zone in begun.sea_zones})
    joined = replace(printed, options=replace(printed.options, fiji_south_pacific=True))
    for _ in range(2):
        assert "fiji" not in linked_areas(tables(), printed, "germany")
        assert "fiji" in linked_areas(tables(), joined, "germany")


def test_options_that_say_the_same_leave_the_links_as_they_are() -> None:
    state = start().state
    alike = replace(state, options=replace(state.options))
    assert linked_areas(tables(), alike, "britain") is linked_areas(tables(), state, "britain")
