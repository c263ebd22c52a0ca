"""Deadlines as a gamemaster types them, and the time left."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from paxtui.mail.game_directory import parse_deadline, time_left_text
from tests.refusals import refused

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CET = timezone(timedelta(hours=1))
DEADLINE = "2026-03-05T18:00:00+00:00"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("+3", "2026-03-08T18:00+00:00"),
        ("+ 1 day", "2026-03-06T18:00+00:00"),
        ("+12h", "2026-03-06T06:00+00:00"),
        ("2026-12-24 18:00", "2026-12-24T18:00+01:00"),
        ("2026-12-24", "2026-12-24T12:00+01:00"),
        ("2026-12-24T18:00-05:00", "2026-12-24T18:00-05:00"),
        ("now", "2026-03-01T12:00:00+00:00"),
    ],
)
def test_typed_deadlines(typed: str, expected: str) -> None:
    assert parse_deadline(typed, DEADLINE, NOW, CET) == expected


def test_days_count_from_now_without_a_future_deadline() -> None:
    assert (
        parse_deadline("+1", "2026-02-01T00:00+00:00", NOW, CET)
        == parse_deadline("+1", "", NOW, CET)
        == "2026-03-02T12:00+00:00"
    )


@pytest.mark.parametrize("typed", ["", "soon", "24.12.2026", "+", "+99999", "2026-13-01"])
def test_invalid_deadlines_are_refused(typed: str) -> None:
    assert refused(parse_deadline, typed, DEADLINE, NOW, CET).code == "no_time"


def test_time_left() -> None:
    assert time_left_text(DEADLINE, NOW) == "in 4 days"
    assert time_left_text("2026-03-02T13:00+01:00", NOW) == "in 24 hours"
    assert time_left_text("2026-03-01T11:00+00:00", NOW) == "passed 1 hour ago"
    assert time_left_text("", NOW) == "no deadline"
