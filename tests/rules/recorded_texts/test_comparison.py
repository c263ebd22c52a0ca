"""Recorded texts: a difference in a word, a rule or an answer is an unknown line."""

from __future__ import annotations

import msgspec
import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.events import events
from tests.rules.harness import marker, moving
from tests.rules.recorded_texts import comparison


@pytest.mark.parametrize("name", comparison.FILES)
def test_files_are_sorted_without_duplicates(name: str) -> None:
    lines = (comparison.HERE / f"{name}.tsv").read_text("utf-8").split("\n")[:-1]
    assert lines == sorted(set(lines))


def test_an_unrecorded_line_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(comparison.DIRECTORY_VARIABLE, raising=False)
    comparison.look_up(comparison.EVENTS, (comparison.HERE / "events.tsv").read_text("utf-8").split("\n")[0])
    with pytest.raises(comparison.UnrecordedTextError):
        comparison.look_up(comparison.EVENTS, "nothing of the kind")


def test_refusal_line_has_code_rules_message_and_detail() -> None:
    g = moving(areas={"tunis": {"markers": [marker("france", "influence")]}})
    refusal = g.refused("france", "place influence tunis")
    different = (
        refusal,
        Refusal("", refusal.rules, refusal.message, **refusal.detail),
        Refusal(refusal.code, refusal.rules[1:], refusal.message, **refusal.detail),
        Refusal(refusal.code, refusal.rules, refusal.message + " ", **refusal.detail),
        Refusal(refusal.code, refusal.rules, refusal.message, **refusal.detail, more=1),
    )
    assert len({comparison.refusal_line(one) for one in different}) == len(different)


def test_event_line_has_rules_words_and_secrecy_without_figures() -> None:
    g = moving(areas={"tunis": {"markers": [], "units": []}})
    g.act("france", "place interest tunis")
    (paid,) = g.of(events.TreasuryChanged)
    changes = ({}, {"rules": paid.rules[1:]}, {"reason": "Interest"}, {"only": ("france",)})
    assert len({comparison.event_line(msgspec.structs.replace(paid, **change)) for change in changes}) == len(changes)
    assert comparison.event_line(msgspec.structs.replace(paid, amount=-99)) == comparison.event_line(paid)


def test_question_line_has_all_parts_of_the_question() -> None:
    g = moving()
    g.act("france", "pay germany 5")
    (offered,) = g.of(events.ChoiceOffered)
    options = offered.choice.options
    changes = ({}, {"default": options[0]}, {"prompt": "?"}, {"options": options[1:]}, {"rules": ()})
    lines = {
        comparison.question_line(
            g.tables, msgspec.structs.replace(offered, choice=msgspec.structs.replace(offered.choice, **change))
        )
        for change in changes
    }
    assert len(lines) == len(changes)
