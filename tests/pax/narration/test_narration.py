"""Descriptions of events: names instead of ids, and no internal words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from paxtui.games.pax.events import events
from paxtui.games.pax.narration.labels import describe_option, describe_question
from paxtui.games.pax.narration.narrator import Narrator, place_of
from paxtui.games.pax.state.questions import Invite, MoneyOffer, Pending, Retreat, Spoils
from paxtui.games.pax.text.display import sentence
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from tests.places import SAVES

IDS = re.compile(r"\bc\d+\b|\bcb\d+\b|\bp\d+\b|[a-z]_[a-z]|\bline \d")
"""Ids of choices, causes and proposals, names of the notation, and lines of the Record Sheet."""


@pytest.mark.parametrize("log", sorted(SAVES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_log_lines_have_no_ids_or_wrong_genitives(log: Path):
    with PaxHost.open(log, write=False) as table:
        session = LocalSession(table)
        ids = {t.id for t in session.live.treaties}
        for seat in session.live.players:
            session.take_seat(seat)
            for entry in session.view.log():
                assert not IDS.search(entry.text) and "s's" not in entry.text, entry.text
                assert not any(id_ in entry.text for id_ in ids), entry.text


def test_random_event_texts_have_their_figures():
    for event in load_tables().events.values():
        figures = [event.tension, event.resentment, event.spend_at_least, max(0, event.units_at_most)]
        figures.append(event.pressure.points if event.pressure else 0)
        assert event.says.endswith("."), event
        assert all(re.search(rf"\b{n}\b", event.says) for n in figures if n), event
        for word, sign in (("double", "double"), ("half", "halve"), ("nothing this turn", "none")):
            assert (word in event.says) == (event.office == sign), event
        assert f"Unrest Table {event.unrest}" in event.says if event.unrest else "Table" not in event.says


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("released", "Italy is released from an agreement"),
        ("broken", "Italy is no longer bound by an agreement"),
        ("war", "Italy is at War and no longer bound by an agreement"),
    ],
)
def test_leaving_a_treaty_is_described_with_its_reason(reason: str, text: str):
    assert Narrator(load_tables()).tell(events.SignatoryLeft(id="kq7da", power="italy", reason=reason)) == text


def test_demanded_codominion_names_its_members():
    tables = load_tables()
    asked = Pending("c3", "italy", "italy", Spoils("w1"), (), "")
    demanded = "codominion protectorate of italy france tunis"
    assert describe_option(tables, asked, demanded) == "a Codominion of Italy and France in Tunis, a Protectorate each"
    assert describe_option(tables, asked, "italy: place possession tunis") == "a Possession in Tunis for Italy"


def test_questions_and_options_use_names():
    tables = load_tables()
    retreat = Pending("c4", "britain", "britain", Retreat("army", ("A1",)), ("federated_malay_states", "home:britain"),
                      "home:britain", "siam", "Where does the army in Siam (A1) retreat to?")  # fmt: skip
    assert [describe_option(tables, retreat, str(o)) for o in retreat.options] == [
        "Federated Malay States",
        "Great Britain",
    ]
    invite = Pending("c5", "france", "france", Invite(), ("united_states", "japan", "nobody"), "nobody")
    assert "the United States or Japan?" in describe_question(tables, invite)
    assert [describe_option(tables, invite, str(o)) for o in invite.options] == [
        "United States",
        "Japan",
        "invite nobody",
    ]
    money = Pending(
        "oabcde", "france", "france", MoneyOffer("united_states", "france", 5), ("accept", "decline"), "decline"
    )
    assert describe_question(tables, money) == "The United States offers you £5. Do you take it?"


@pytest.mark.parametrize(
    ("by_default", "end"),
    [(False, "from the United States: accept."), (True, "from the United States: accept, by default.")],
)
def test_default_decision_is_described_as_default(by_default: bool, end: str):
    tables = load_tables()
    narrator = Narrator(tables)
    offer = MoneyOffer("united_states", "france", 5)
    narrator.known.choices["c7"] = Pending("c7", "france", "france", offer, ("accept", "decline"), "decline")
    line = narrator.tell(events.ChoiceMade(id="c7", answer=("accept",), by_default=by_default))
    assert line.endswith(end), line
    assert ("by default" in line) is by_default and "?" not in line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it ends", "It ends."), ("it ends.", "It ends."), ("does it?", "Does it?"), ("it comes:", "It comes:"),
        ("a", "A."), ("a.b", "A.b."), ("", ""),
    ],
)  # fmt: skip
def test_sentence_has_a_capital_and_one_full_stop(text: str, expected: str):
    assert sentence(text) == expected


def test_place_of_a_battle_is_its_area():
    battle = events.BattleFought(
        war="w1", place="fukien", kind="army", attackers=("britain",), defenders=("china",), attack=10, defend=10,
        table=2, column="1-1", die=3, result="EX", area=5,
    )  # fmt: skip
    assert place_of(battle) == "fukien"
