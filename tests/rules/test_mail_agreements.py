"""Play by mail (PBM): Treaties and their secrecy, silence, and unmet duties."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.visibility import visible_treaties
from tests.rules import agreements
from tests.rules.harness import Bench, start
from tests.rules.mail import public, results, send


def texts(events: list[Any]) -> str:
    """The descriptions of some events as one text."""
    return " ".join(map(str, events))


@pytest.mark.rule("PBM-039", "PBM-047")
def test_a_draft_is_shown_to_its_parties_only_and_a_public_treaty_to_all() -> None:
    g = agreements.tunis()
    send(g, germany="treaty Rome with france: defensive")
    assert "Rome" in texts(public(g, "france")) and "Rome" not in texts(public(g, "britain"))
    assert results(g, "germany") == ["waits"]
    send(g, france="treaty Rome with germany: defensive")
    assert results(g, "france") == ["done"] and "Rome" in texts(public(g, "britain"))
    (treaty,) = [t for t in visible_treaties(g.tables, g.state, "britain") if t.name == "Rome"]
    assert treaty.public and set(treaty.parties) == {"france", "germany"}


@pytest.mark.rule("PBM-040")
def test_different_texts_are_no_treaty_and_both_sides_get_a_note() -> None:
    g = agreements.tunis()
    send(g, germany="treaty Rome with france: defensive", france="treaty Rome with germany: non-aggression")
    assert results(g, "germany") == ["waits"] and results(g, "france") == ["waits"]
    notes = [e.text for e in g.of(events.Noted) if e.code == "order_waits"]
    assert all("no Treaty yet: it has other words than" in note and "'sign " in note for note in notes)


@pytest.mark.rule("PBM-042", "PBM-048")
def test_treaty_by_mail_is_public_unless_marked_secret() -> None:
    for mark, seen in (("", True), (" public", True), (" secret", False)):
        g = agreements.tunis()
        send(
            g, germany=f"treaty Rome with france{mark}: defensive", france=f"treaty Rome with germany{mark}: defensive",
        )  # fmt: skip
        assert results(g, "germany") == results(g, "france") == ["done"]
        assert ("Rome" in texts(public(g, "britain"))) == seen


@pytest.mark.rule("PBM-042", "PBM-043", "PBM-047")
def test_payment_by_a_secret_article_is_reported_to_parties_only() -> None:
    g = agreements.tunis()
    words = "defensive; secret germany pays france 5"
    send(g, germany=f"treaty Rome with france: {words}", france=f"treaty Rome with germany: {words}")
    assert results(g, "germany") == ["done"]
    (paid,) = [e for e in public(g, "france") if isinstance(e, events.TreasuryChanged) and e.amount == 5]
    assert "gift" in paid.reason
    others = texts([e for e in public(g, "britain") if isinstance(e, events.TreasuryChanged)])
    assert "gift" not in others and events.UNTOLD in others


@pytest.mark.rule("PBM-044")
def test_a_treaty_is_revealed_by_its_name() -> None:
    g = agreements.tunis()
    send(
        g, germany="treaty Hastings with france secret: defensive",
        france="treaty Hastings with germany secret: defensive",
    )  # fmt: skip
    assert "Hastings" not in texts(public(g, "britain"))
    send(g, france="reveal Hastings")
    assert results(g, "france") == ["done"] and "Hastings" in texts(public(g, "britain"))


@pytest.mark.rule("EVT-018")
def test_unspent_money_of_a_forced_expenditure_is_lost() -> None:
    def russia(form: str | None) -> Bench:
        g = start({"phase": "movement", "events_in_force": ["2-6"], "powers": {"russia": {"treasury": 40}}}, players=7)
        send(g, **({} if form is None else {"russia": form}))
        return g

    def lost(g: Bench) -> list[int]:
        return [e.amount for e in g.of(events.TreasuryChanged) if e.power == "russia" and "EVT-018" in e.rules]

    assert "Russia loses £30: not spent on units" in texts(russia("").of(events.Noted))
    assert lost(russia("")) == [-30] and not russia("").of(events.DutyWaived)
    assert lost(russia("build A3 A3")) == [-30 + 20]
    assert lost(russia("build A10")) == []


@pytest.mark.rule("PBM-039", "WEN-036")
def test_short_form_of_a_cession_matches_the_long_form() -> None:
    g = agreements.tunis()
    words = "with {} secret: non-aggression; tunis to italy"
    send(g, france=f"treaty Rome {words.format('italy')}", italy=f"treaty Rome {words.format('france')}")
    assert [(t.name, t.stage) for t in g.state.treaties] == [("Rome", "in_force")]
    assert results(g, "france") == results(g, "italy") == ["done"]
    assert g.markers("tunis", "italy") == ("protectorate", "") and g.markers("tunis", "france") == ("", "")
