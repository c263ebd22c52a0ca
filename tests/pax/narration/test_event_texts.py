"""The text of every kind of event, in each of its wordings."""

from __future__ import annotations

from typing import get_args

import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.narration.narrator import Narrator
from tests.pax.narration.agreement_texts import AGREEMENTS, LISBON, NILE
from tests.pax.narration.map_texts import MAP
from tests.pax.narration.turn_texts import COURSE, DICE, LEDGERS
from tests.pax.narration.war_texts import FAR_EAST, WARS
from tests.rules.harness import tables
from tests.rules.recorded_texts.comparison import event_kinds_in_rule_tests, kind_of_type

EVENT_TEXTS = [*COURSE, *DICE, *LEDGERS, *MAP, *AGREEMENTS, *WARS]


@pytest.mark.parametrize(("event", "line"), EVENT_TEXTS, ids=lambda x: type(x).__name__)
def test_event_is_described(event: events.Event, line: str) -> None:
    narrator = Narrator(tables())
    narrator.known.learn_all((LISBON, NILE), (), (), (FAR_EAST,))
    assert narrator.tell(event) == line


def test_every_kind_of_event_is_described_in_a_test() -> None:
    elsewhere = {
        events.ChoiceOffered,
        events.ChoiceMade,
        events.CasusBelliEnded,
        events.PositionSet,
    }  # questions, known things
    missing = set(get_args(events.AnyEvent)) - {type(event) for event, _ in EVENT_TEXTS}
    assert elsewhere <= missing
    assert {kind_of_type(kind) for kind in missing - elsewhere} <= event_kinds_in_rule_tests()
