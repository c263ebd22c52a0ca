from typing import get_args

import msgspec
import pytest

from paxtui.games.pax.sequence import ANSWERED, OPEN
from paxtui.games.pax.state import questions

KINDS = get_args(questions.AnyQuestion)


def test_every_question_has_something_that_takes_its_answer() -> None:
    assert set(ANSWERED) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_private_question_says_whom_it_is_between_and_holds_up_nobody(kind: type[questions.Question]) -> None:
    question = kind()
    alone = kind is questions.DummyCall  # whom no Treaty calls, and who is waited for so that nobody can tell
    assert bool(question.between()) == (question.private and not alone)
    if kind not in (
        questions.Call,
        questions.DummyCall,
    ):  # only the parties know what calls, but everybody waits for the answer
        assert not (question.private and question.pressing)
        # a duty of a Treaty is asked in whatever Phase it falls due (Decision 77)
        assert bool(question.phases) == (question.private and kind is not questions.Duty)
    assert set(question.phases) <= set(OPEN)


@pytest.mark.parametrize(("about", "powers"), [
    (questions.MoneyOffer("italy", "japan", 3), {"italy"}),
    (questions.MarkerOffer("italy", "japan", "siam", "interest"), {"italy"}),
    (questions.ShareOffer("siam", ("japan", "russia"), "p1", "italy"), {"italy", "japan", "russia"}),
    (questions.CanalOffer("panama", ("italy", "japan"), "p2", "italy", (questions.CanalShare("italy", 30, 15),)),
     {"italy", "japan"}),
    (questions.Duty("t1", 0, "japan", ("italy", "japan")), {"italy", "japan"}),
], ids=lambda x: type(x).__name__)  # fmt: skip
def test_an_offer_is_between_those_it_names(about: questions.AnyQuestion, powers: set[str]) -> None:
    assert set(about.between()) == powers


def test_a_choice_survives_the_log() -> None:
    about = questions.CanalOffer("panama", ("italy", "japan"), "p2", "italy", (questions.CanalShare("italy", 30, 15),))
    choice = questions.Pending("o1", "italy", "italy", about, ("accept", "decline"), "decline")
    assert msgspec.json.decode(msgspec.json.encode(choice), type=questions.Pending) == choice
    assert choice.kind == "canal"
    assert questions.question_fields(about)["from"] == "italy" and "kind" not in questions.question_fields(about)
