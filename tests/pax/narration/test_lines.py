"""The line of every kind of event, in each of its wordings."""

from __future__ import annotations

from typing import get_args

import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.narration.narrator import Narrator
from tests.pax.narration.lines_of_papers import LISBON, NILE, PAPERS
from tests.pax.narration.lines_of_the_map import MAP
from tests.pax.narration.lines_of_the_turn import COURSE, DICE, LEDGERS
from tests.pax.narration.lines_of_wars import FAR_EAST, WARS
from tests.rules.harness import tables
from tests.rules.recorded_texts.comparison import event_kinds_in_rule_tests, kind_of_type

LINES = [*COURSE, *DICE, *LEDGERS, *MAP, *PAPERS, *WARS]


@pytest.mark.parametrize(("event", "line"), LINES, ids=lambda x: type(x).__name__)
def test_an_event_is_reported_in_these_words(event: events.Event, line: str) -> None:
    narrator = Narrator(tables())
    narrator.known.learn_all((LISBON, NILE), (), (), (FAR_EAST,))
    assert narrator.tell(event) == line


def test_every_kind_of_event_has_its_line_here_or_in_a_test_of_a_rule() -> None:
    elsewhere = {
        events.ChoiceOffered,
        events.ChoiceMade,
        events.CasusBelliEnded,
        events.PositionSet,
    }  # questions, known things
    missing = set(get_args(events.AnyEvent)) - {type(event) for event, _ in LINES}
    assert elsewhere <= missing
    assert {kind_of_type(kind) for kind in missing - elsewhere} <= event_kinds_in_rule_tests()
