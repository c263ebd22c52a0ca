"""A saved game with one changed line: what `verify` reports, in `tampered_logs.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from paxtui.engine.log import Line, parse
from paxtui.engine.verify import verify
from paxtui.games.pax.game import PaxGame
from tests.places import SAVES
from tests.recorded import same_as_recorded
from tests.rules.harness import tables

LOG = parse((SAVES / "russo-japanese-0.2.0.jsonl").read_bytes())


DECLARED = 3
"""The line of a declaration of War."""


def line(n: int) -> Line:
    return LOG.lines[n - 2]


def other(n: int, index: int, **changes: Any) -> Line:
    """A line with a changed event."""
    events = list(line(n).events)
    events[index] = {**events[index], **changes}
    return replace(line(n), events=tuple(events))


def tampered() -> Iterator[tuple[str, Line]]:
    """Forged lines."""
    first = line(DECLARED)
    for n, event in enumerate(first.events):
        yield f"event {n + 1} is another", other(DECLARED, n, type="noted", code="x", text="y")
        yield f"event {n + 1} has a key more", other(DECLARED, n, colour="red")
        yield f"event {n + 1} has no rules", other(DECLARED, n, rules=[])
        for name, value in event.items():
            if isinstance(value, int) and not isinstance(value, bool):
                yield f"event {n + 1} has another {name}", other(DECLARED, n, **{name: value + 1})
            elif isinstance(value, str) and name != "type":
                yield f"event {n + 1} has another {name}", other(DECLARED, n, **{name: value + "x"})
                yield f"event {n + 1} has a long {name}", other(DECLARED, n, **{name: "x" * 80})
    yield "an event less", replace(first, events=first.events[:-1])
    yield "an event more", replace(first, events=(*first.events, first.events[-1]))
    yield "no event that can be read", other(DECLARED, 0, type="folly")
    yield "another seat", replace(first, seat="italy")
    yield "another order", replace(first, action={**first.action, "on": ["france"]})
    yield "an order that is none", replace(first, action={"type": "folly"})
    yield "an order with a key more", replace(first, action={**first.action, "colour": "red"})
    yield "a die too many", replace(first, dice=1)
    yield "a die set by hand", replace(first, queue=(3,))
    yield "a note", replace(first, kind="note")
    yield (
        "a note of a dispatch",
        replace(
            first, kind="note", events=(), action={"type": "dispatch", "to": ["italy"], "text": "come", "opens": 0}
        ),
    )
    yield (
        "a note of a seat about who sits where",
        replace(first, kind="note", events=(), action={"type": "seating", "seats": {}}),
    )
    yield (
        "a request to take back what is not there",
        replace(first, kind="note", events=(), action={"type": "undo_request", "to": 9}),
    )


def test_verify_reports_tampered_lines_as_recorded() -> None:
    rules = PaxGame(tables())
    reports = []
    for what, changed in tampered():
        lines = [changed if one.n == changed.n else one for one in LOG.lines[:4]]
        reports.append(what)
        for found in verify(rules, LOG.header, lines)[:2]:
            reports.append(f"    line {found.line}, {found.what} {found.index}: {found.message}")
    same_as_recorded(Path(__file__).with_name("tampered_logs.txt"), reports)
