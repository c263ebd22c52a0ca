"""Differences between two positions, for results that are updated instead of computed anew."""

from __future__ import annotations

from paxtui.games.pax.board.caching import changed_values

CALM, UNREST, NEW = object(), object(), object()


def test_equal_objects_are_no_change() -> None:
    before = {"egypt": CALM, "sudan": CALM}
    assert changed_values(before, {**before, "sudan": UNREST}) == [(CALM, UNREST)]
    assert changed_values(before, dict(before)) == []


def test_new_and_removed_values_are_changes() -> None:
    assert changed_values({"egypt": CALM}, {"egypt": CALM, "sudan": NEW}) == [(None, NEW)]
    assert changed_values({"egypt": CALM, "sudan": UNREST}, {"egypt": CALM}) == [(UNREST, None)]


def test_order_of_places_is_no_change() -> None:
    assert changed_values({"egypt": CALM, "sudan": UNREST}, {"sudan": UNREST, "egypt": CALM}) == []
    assert changed_values({"egypt": CALM, "sudan": UNREST}, {"sudan": NEW, "egypt": CALM}) == [(UNREST, NEW)]
