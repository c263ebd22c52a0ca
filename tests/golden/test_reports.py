"""The reports of a Game Turn for seven seats are as recorded, without secrets of others."""

from __future__ import annotations

from tests.golden.reports import RECORDED, report_text
from tests.recorded import same_as_recorded


def test_reports_of_a_turn_are_as_recorded():
    same_as_recorded(RECORDED, report_text().splitlines())
