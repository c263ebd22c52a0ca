"""`evolve` takes every event: what names a War that there is not, or says once more what holds, makes no difference."""

from __future__ import annotations

from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.events.events import evolve
from tests.rules.harness import start
from tests.rules.wars import at_war, the_war

OF_A_WAR = [kind for kind in get_args(events.AnyEvent) if get_type_hints(kind).get("war") is str]
SAID = {"war": "w9", "phase": "maneuver", "stage": "maneuver"}


def empty(hint: Any) -> Any:
    """A value of a field's type that says as little as can be."""
    if get_origin(hint) is tuple:
        return ()
    options = get_args(hint)
    return options[0] if options and isinstance(options[0], str | int) else hint()


@pytest.mark.parametrize("kind", OF_A_WAR, ids=lambda kind: kind.__name__)
def test_an_event_of_a_war_that_there_is_not_makes_none_and_moves_nothing(kind: type[events.Event]) -> None:
    hints = get_type_hints(kind)
    needed = [field for field in msgspec.structs.fields(kind) if field.required]
    event = kind(**{field.name: SAID.get(field.name, empty(hints[field.name])) for field in needed})
    state = start({}).state
    after = evolve(state, event)
    assert all(getattr(after, name) == getattr(state, name) for name in ("wars", "areas", "powers", "tension"))


def test_tests_for_the_end_that_are_waived_twice_are_waived_once() -> None:
    g = at_war([["france"], ["germany"]])
    waived = events.EndTestsWaived(war=the_war(g).id, power="france")
    once = evolve(g.state, waived)
    assert [w.waived for w in once.wars] == [("france",)] and evolve(once, waived) == once
