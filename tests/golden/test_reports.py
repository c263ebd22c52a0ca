"""A Game Turn of seven seats, told to each of them as it was recorded; nobody is told what he may not know."""

from __future__ import annotations

from tests.golden.reports import RECORDED, told
from tests.recorded import same_as_recorded


def test_every_page_of_a_turn_is_told_as_recorded():
    same_as_recorded(RECORDED, told().splitlines())
