"""What a seat may know of agreements: the one place that decides it, for views, logs, menus and refusals alike.

Rules: TRE-011, TRE-012, TRE-013, TRE-019
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from paxtui.engine.seats import ARBITER
from paxtui.pax.model import State
from paxtui.pax.treaty import Treaty


def knows(state: State, treaty: Treaty, seat: str) -> bool:
    """Whether a seat may know that an agreement exists: its parties, and everybody once it is public."""
    return seat == ARBITER or treaty.public or seat in treaty.parties


def as_known(treaty: Treaty, seat: str) -> Treaty:
    """The agreement without the articles that stay hidden from a seat that is no party.

    Hidden articles are left out and the rest is numbered without a gap, so that they cannot be counted.
    """
    if seat == ARBITER or seat in treaty.parties:
        return treaty
    shown = tuple(n for n, c in enumerate(treaty.clauses) if not c.secret or n in treaty.shown)
    number = {n: i for i, n in enumerate(shown)}
    return replace(
        treaty,
        clauses=tuple(treaty.clauses[n] for n in shown),
        breaches=tuple(
            replace(b, clause=number.get(b.clause, -1))
            for b in treaty.breaches
            if b.open and (b.clause < 0 or b.clause in number)
        ),
        charges=(),
        lapse=(),
        release={},
        done=(),
        shown=(),
        instead="",
    )


def known_treaties(state: State, seat: str) -> tuple[Treaty, ...]:
    """The agreements a seat may know, each as it may know it."""
    return tuple(as_known(t, seat) for t in state.treaties if knows(state, t, seat))


def treaties_seen(state: State, seat: str) -> list[dict[str, Any]]:
    """The agreements a seat may know, as builtins with every field."""
    return [_full(t) for t in known_treaties(state, seat)]


def _full(treaty: Treaty) -> dict[str, Any]:
    raw: dict[str, Any] = {name: msgspec.to_builtins(getattr(treaty, name)) for name in treaty.__struct_fields__}
    return raw
