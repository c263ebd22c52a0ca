"""Months as numbers: twelve times the year, and 0 for January to 11 for December."""

from __future__ import annotations

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
ECONOMIC = (2, 5, 8, 11)
"""Months whose end has an Economic Phase. Rules: EIA 3.5"""


def turn_of(text: str) -> int:
    """The month that "1805-06" names. Raises: ValueError."""
    year, dash, month = text.partition("-")
    if not dash or not 1 <= int(month) <= 12:
        raise ValueError(f"'{text}' is no month as 1805-06")
    return int(year) * 12 + int(month) - 1


def month(turn: int) -> str:
    """A month as it is shown: "June 1805"."""
    return f"{MONTHS[turn % 12]} {turn // 12}"


def is_economic(turn: int) -> bool:
    """Whether a month ends with an Economic Phase. Rules: EIA 3.5"""
    return turn % 12 in ECONOMIC


def later(turn: int, months: int) -> int:
    """The month so many months later."""
    return turn + months
