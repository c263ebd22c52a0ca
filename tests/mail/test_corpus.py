"""Letters of the corpus are read as expected: their orders, remarks about other lines, or a refusal."""

from __future__ import annotations

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.mail.forms import parse_form
from paxtui.mail.intake import letter_orders
from paxtui.mail.message_parser import parse_message
from tests.mail.corpus import LANGUAGES, PROGRAMS, SCENARIOS, Letter, letters
from tests.rules.harness import tables

pytestmark = pytest.mark.slow

CORPUS = tuple(letters())


def test_the_corpus_has_every_program_language_and_scenario() -> None:
    assert len(CORPUS) == 200 and len({letter.data for letter in CORPUS}) == 200
    assert {letter.name.split()[1] for letter in CORPUS} == {program.__name__ for program in PROGRAMS}
    assert {letter.scenario.name for letter in CORPUS} == {scenario.name for scenario in SCENARIOS}
    assert len({letter.name.split()[1:3].__str__() for letter in CORPUS}) == len(PROGRAMS) * len(LANGUAGES)


@pytest.mark.rule("PBM-018")
@pytest.mark.parametrize("letter", CORPUS, ids=lambda letter: letter.name)
def test_letter_is_read_as_expected(letter: Letter) -> None:
    wanted, written = letter.scenario, parse_message(letter.data)
    assert written.mark is not None and not written.by_machine
    try:
        found = letter_orders(tables(), written, ("italy",))
    except Refusal as refusal:
        assert refusal.code == wanted.refusal, refusal.message
        assert all(words in refusal.message for words in wanted.words), refusal.message
        return
    if found.withdraws:
        assert wanted.refusal == "withdrawn"
        return
    assert not wanted.refusal, found
    assert tuple(found.text.splitlines()) == wanted.orders
    assert not parse_form(tables(), found.text, ("italy",))[1]
    remarks = "\n".join(found.remarks)
    assert all(words in remarks for words in wanted.words), remarks
    if letter.footer:
        assert letter.footer in remarks
