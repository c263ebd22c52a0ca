from typing import get_args

import msgspec
import pytest

from paxtui.games.pax.sequence import ANSWERED, OPEN
from paxtui.games.pax.state import questions

KINDS = get_args(questions.AnyQuestion)


def test_every_question_has_an_answer_handler() -> None:
    assert set(ANSWERED) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_private_question_names_its_parties_and_is_not_pressing(kind: type[questions.Question]) -> None:
    question = kind()
    alone = kind is questions.DummyCall  # an uncalled Power is asked so that others cannot tell who is called
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
def test_offer_is_between_its_named_powers(about: questions.AnyQuestion, powers: set[str]) -> None:
    assert set(about.between()) == powers


def test_choice_survives_encoding() -> None:
    about = questions.CanalOffer("panama", ("italy", "japan"), "p2", "italy", (questions.CanalShare("italy", 30, 15),))
    choice = questions.Pending("o1", "italy", "italy", about, ("accept", "decline"), "decline")
    assert msgspec.json.decode(msgspec.json.encode(choice), type=questions.Pending) == choice
    assert choice.kind == "canal"
    assert questions.question_fields(about)["from"] == "italy" and "kind" not in questions.question_fields(about)
