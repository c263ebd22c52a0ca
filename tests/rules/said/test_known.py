"""Recorded texts: a difference in a word, a rule or an answer is an unknown line."""

from __future__ import annotations

import msgspec
import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.events import events
from tests.rules.harness import marker, moving
from tests.rules.said import known


@pytest.mark.parametrize("name", known.FILES)
def test_the_files_are_sorted_without_duplicates(name: str) -> None:
    lines = (known.HERE / f"{name}.tsv").read_text("utf-8").split("\n")[:-1]
    assert lines == sorted(set(lines))


def test_an_unknown_line_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(known.WRITES, raising=False)
    known.look_up(known.EVENTS, (known.HERE / "events.tsv").read_text("utf-8").split("\n")[0])
    with pytest.raises(known.UnknownText):
        known.look_up(known.EVENTS, "nothing of the kind")


def test_a_refusal_is_reported_by_code_rules_sentence_and_detail() -> None:
    g = moving(areas={"tunis": {"markers": [marker("france", "influence")]}})
    said = g.refused("france", "place influence tunis")
    different = (
        said,
        Refusal("", said.rules, said.message, **said.detail),
        Refusal(said.code, said.rules[1:], said.message, **said.detail),
        Refusal(said.code, said.rules, said.message + " ", **said.detail),
        Refusal(said.code, said.rules, said.message, **said.detail, more=1),
    )
    assert len({known.refusal_line(one) for one in different}) == len(different)


def test_an_event_is_reported_by_rules_words_and_secrecy_but_by_no_figures() -> None:
    g = moving(areas={"tunis": {"markers": [], "units": []}})
    g.act("france", "place interest tunis")
    (paid,) = g.of(events.TreasuryChanged)
    changes = ({}, {"rules": paid.rules[1:]}, {"reason": "Interest"}, {"only": ("france",)})
    assert len({known.event_line(msgspec.structs.replace(paid, **change)) for change in changes}) == len(changes)
    assert known.event_line(msgspec.structs.replace(paid, amount=-99)) == known.event_line(paid)


def test_a_question_is_reported_by_its_answers() -> None:
    g = moving()
    g.act("france", "pay germany 5")
    (offered,) = g.of(events.ChoiceOffered)
    options = offered.choice.options
    changes = ({}, {"default": options[0]}, {"prompt": "?"}, {"options": options[1:]}, {"rules": ()})
    lines = {
        known.question_line(
            g.tables, msgspec.structs.replace(offered, choice=msgspec.structs.replace(offered.choice, **change))
        )
        for change in changes
    }
    assert len(lines) == len(changes)
