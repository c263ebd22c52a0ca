"""A Game Turn of seven seats, told to each of them as it was recorded; nobody is told what he may not know."""

from __future__ import annotations

from tests.golden.reports import RECORDED, told


def test_every_page_of_a_turn_is_told_as_recorded():
    # python -m tests.golden.reports compare says what differs, record writes it anew
    assert told() == RECORDED.read_text(encoding="utf-8")
