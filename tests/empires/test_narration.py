"""Lines of the log are whole sentences, also for events in which a field is empty."""

from __future__ import annotations

import pytest

from paxtui.games.empires.events.base import Event
from paxtui.games.empires.events.land import BattleOver, Divided, LeaderMoved, OutflankAnnounced, Siege
from paxtui.games.empires.events.registry import SECRET_QUESTIONS
from paxtui.games.empires.narration import describe_event, describe_question
from paxtui.games.empires.state import Question
from tests.empires.land import DANUBE


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Divided(side="", around=()), "No side sends corps around the flank."),
        (Divided(side="attacker", around=("iii",)), "The attacker sends {iii} around the flank."),
        (OutflankAnnounced(sides=()), "No side outflanks."),
        (BattleOver(area="munich", winner="", why="night"), "The combat in Munich ends without a winner (night)."),
        (BattleOver(area="munich", winner="france", why="broken"), "France wins the combat in Munich (broken)."),
        (Siege(area="munich", power=""), "The siege of Munich is over."),
        (Siege(area="munich", power="france"), "France besieges Munich."),
        (LeaderMoved(leader="napoleon", where=""), "Napoleon leaves the map."),
    ],
)
def test_a_line_is_a_sentence_of_its_own(event: Event, line: str) -> None:
    assert describe_event(DANUBE, event) == line.format(**DANUBE.corps_names)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        (
            Question(power="france", kind="divide", choices=(), about=("attacker", "munich")),
            "which corps go around the flank in Munich",
        ),
        (Question(power="france", kind="divide", choices=()), "which corps go around the flank"),
        (Question(power="france", kind="moves_first", choices=()), "which Power moves first"),
        (
            Question(power="france", kind="call", choices=(), about=("austria", "france")),
            "whether to join Austria against France",
        ),
    ],
)
def test_a_question_ends_a_sentence_also_for_seats_that_do_not_know_what_it_is_about(
    question: Question, line: str
) -> None:
    assert describe_question(DANUBE, question) == line


def test_every_secret_question_has_words_for_other_seats() -> None:
    for kind in SECRET_QUESTIONS:
        words = describe_question(DANUBE, Question(power="france", kind=kind, choices=()))
        assert words.startswith(("whether ", "which ", "who ")), kind
