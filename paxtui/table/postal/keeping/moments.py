"""Times as a gamemaster writes and reads them: in his own zone, or so many days on."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from paxtui.engine.refusal import Refusal
from paxtui.table.postal.terms import moment

_DAYS = re.compile(r"\+\s*(\d{1,4})\s*(d|days?|h|hours?)?", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
NOON = " 12:00"


def meant(text: str, deadline: str, now: datetime, zone: tzinfo | None = None) -> str:
    """The time that somebody means, ISO 8601 with its zone.

    Args: `now`, `+3` or `+12h` (from the deadline, or from now where that has passed), `2026-12-24 18:00` in his own
        zone, `2026-12-24` for noon of that day, or a time with its zone; the deadline, "" for none; now; his zone,
        None for that of the machine.
    Raises: Refusal `no_time`.
    """
    said = " ".join(text.split())
    if said.casefold() == "now":
        return now.isoformat()
    found = _DAYS.fullmatch(said)
    if found:
        start = max(now, moment(deadline)) if deadline else now
        hours = bool(found[2]) and found[2].casefold().startswith("h")
        on = timedelta(hours=int(found[1])) if hours else timedelta(days=int(found[1]))
        return (start + on).isoformat(timespec="minutes")
    try:
        when = datetime.fromisoformat(said + NOON if _DAY.fullmatch(said) else said)
    except ValueError:
        raise Refusal(
            "no_time", (), f"'{said[:40]}' is no time: write +3 (days), +12h, 2026-12-24 18:00 or 2026-12-24.",
        ) from None  # fmt: skip
    if when.tzinfo is None:
        when = when.replace(tzinfo=zone) if zone is not None else when.astimezone()
    return when.isoformat(timespec="minutes")


def left(deadline: str, now: datetime) -> str:
    """How long it is to a deadline, in words."""
    if not deadline:
        return "no deadline"
    rest = moment(deadline) - now
    hours = abs(round(rest.total_seconds() / 3600))
    long = f"{hours // 24} days" if hours >= 48 else f"{hours} hour{'s' * (hours != 1)}"
    return f"in {long}" if rest > timedelta(0) else f"passed {long} ago"
