"""`evolve` accepts every event: one of an unknown War, or one that repeats a fact, changes nothing."""

from __future__ import annotations

from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from tests.rules.harness import start
from tests.rules.wars import at_war, the_war

OF_A_WAR = [kind for kind in get_args(events.AnyEvent) if get_type_hints(kind).get("war") is str]
VALUES = {"war": "w9", "phase": "maneuver", "stage": "maneuver"}


def empty(hint: Any) -> Any:
    """An empty value of a field's type."""
    if get_origin(hint) is tuple:
        return ()
    options = get_args(hint)
    return options[0] if options and isinstance(options[0], str | int) else hint()


@pytest.mark.parametrize("kind", OF_A_WAR, ids=lambda kind: kind.__name__)
def test_event_of_an_unknown_war_changes_nothing(kind: type[events.Event]) -> None:
    hints = get_type_hints(kind)
    needed = [field for field in msgspec.structs.fields(kind) if field.required]
    event = kind(**{field.name: VALUES.get(field.name, empty(hints[field.name])) for field in needed})
    state = start({}).state
    after = evolve(state, event)
    assert all(getattr(after, name) == getattr(state, name) for name in ("wars", "areas", "powers", "tension"))


def test_end_tests_waived_twice_are_recorded_once() -> None:
    g = at_war([["france"], ["germany"]])
    waived = events.EndTestsWaived(war=the_war(g).id, power="france")
    once = evolve(g.state, waived)
    assert [w.waived for w in once.wars] == [("france",)] and evolve(once, waived) == once
