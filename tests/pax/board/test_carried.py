"""What is different in the next position, for answers that are carried on."""

from __future__ import annotations

from paxtui.games.pax.board.caching import changed_values

CALM, UNREST, NEW = object(), object(), object()


def test_what_is_the_same_object_has_not_changed() -> None:
    before = {"egypt": CALM, "sudan": CALM}
    assert changed_values(before, {**before, "sudan": UNREST}) == [(CALM, UNREST)]
    assert changed_values(before, dict(before)) == []


def test_what_has_come_and_what_has_gone() -> None:
    assert changed_values({"egypt": CALM}, {"egypt": CALM, "sudan": NEW}) == [(None, NEW)]
    assert changed_values({"egypt": CALM, "sudan": UNREST}, {"egypt": CALM}) == [(UNREST, None)]


def test_the_order_of_the_places_changes_nothing() -> None:
    assert changed_values({"egypt": CALM, "sudan": UNREST}, {"sudan": UNREST, "egypt": CALM}) == []
    assert changed_values({"egypt": CALM, "sudan": UNREST}, {"sudan": NEW, "egypt": CALM}) == [(UNREST, NEW)]
