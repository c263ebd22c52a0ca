"""Reports, forms and warnings of a mail game: units at sea, Wars, ids, missing answers, and impossible orders."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.cli.mail import pages
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.actions import Adjudicate, SetPosition, SubmittedForm
from paxtui.games.pax.mail.stops import stop_kind
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.preview.order_form import form_warnings, preview_form
from paxtui.mail.game_directory import MailTerms
from paxtui.mail.gamemaster import stop_reports
from paxtui.mail.submissions import awaited_seats
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.rules import congress, wars
from tests.rules.harness import army, here, marker, naval
from tests.rules.harness import tables as the_tables

T = the_tables()


def at(patch: dict[str, Any], **forms: str) -> PaxHost:
    """Return a game at a position, after some forms."""
    table = PaxHost.new(T, seats_for(7), "reports", clock=empty_clock)
    table.act(ARBITER, SetPosition(patch))
    table.act(ARBITER, Adjudicate(begins=True))
    if forms:
        table.act(ARBITER, Adjudicate(tuple(SubmittedForm(seat, text) for seat, text in forms.items())))
    return table


def reports(table: PaxHost) -> dict[str, str]:
    terms = MailTerms(game="g", stop=1, waits_for=awaited_seats(table), asks="orders")
    return stop_reports(table, terms)


def war(**more: Any) -> dict[str, Any]:
    """Return a position in a War of Britain and Spain against Germany."""
    war_ = {"alliances": [["britain", "spain"], ["germany"]], "phase": "maneuver", "unsupplied": []}
    return {"phase": "war", "wars": [war_], **more}


@pytest.mark.rule("PBM-122")
def test_reports_name_wars_commands_and_fleets_at_sea() -> None:
    zone = next(iter(T.sea_zones))
    table = at(war(sea_zones={zone: {"units": [naval("germany", 10)]}}))
    found = reports(table)
    name = T.sea_zones[zone].name
    for reader in ("public.txt", "britain.txt", "japan.txt"):
        assert "against Germany, cycle 1." in found[reader] and f"{name}: Germany N10." in found[reader]
        assert "Great Britain gives orders to Spain." in found[reader]
    assert f"At sea: {name} N10." in found["germany.txt"] and "At sea:" not in found["japan.txt"]
    drawn = pages.world_map(T, table.state, "now")
    assert f"<title>{name}: N10 of Germany</title>" in drawn


@pytest.mark.rule("PBM-031", "PBM-047")
def test_reports_have_ids_of_treaties_and_casus_belli() -> None:
    table = at(
        {"phase": "negotiation", "casus_belli": [congress.cause("britain", "italy")]},
        germany="treaty Hastings with france secret: defensive",
        france="treaty Hastings with germany secret: defensive",
    )  # fmt: skip
    (treaty,) = table.state.treaties
    found = reports(table)
    assert f"{treaty.id}: Hastings, Germany and France; in force, secret: " in found["france.txt"].replace(
        "France and Germany", "Germany and France"
    )
    assert "Hastings" not in found["public.txt"] and "Hastings" not in found["britain.txt"]
    table = at({"phase": "negotiation", "casus_belli": [congress.cause("britain", "italy")]})
    assert "cb1: Great Britain against Italy" in reports(table)["public.txt"]


@pytest.mark.rule("PBM-101", "PBM-102")
def test_form_warns_that_no_answer_breaks_a_treaty() -> None:
    pact = wars.treaty("defensive", "britain", "italy")
    patch = {"phase": "negotiation", "casus_belli": [congress.cause("france", "italy")], "treaties": [pact]}
    table = at(patch, france="declare war italy over cb1")
    assert stop_kind(table.state) == "call"
    form = reports(table)["britain.form"]
    assert "without an answer: refuse: you break the Treaty (European Tensions +5" in form
    choice = next(c for c in table.state.choices if c.seat == "britain")
    assert f"#choose {choice.id} ANSWER" in form and "nobody answering" not in form


@pytest.mark.rule("PBM-080")
def test_order_sheet_previews_attacks_after_moves() -> None:
    areas = {"tunis": here(marker("france", "protectorate"), army("france")), "algiers": here(army("britain", 10))}
    war_ = {"alliances": [["britain"], ["france"]], "phase": "maneuver"}
    state = at({"phase": "war", "wars": [war_], "areas": areas}).state_for("britain")
    found = {
        line.number: line for line in preview_form(T, state, "britain", "move A10 algiers > tunis\nattack tunis").lines
    }
    assert not found[1].why and not found[2].why
    (alone,) = preview_form(T, state, "britain", "attack tunis").lines
    assert alone.why, "without the move there is no Unit to attack with"


@pytest.mark.rule("PBM-018", "PBM-023")
def test_warnings_about_impossible_orders() -> None:
    state = at({"phase": "movement", "powers": {"italy": {"treasury": 40}}}).state_for("italy")
    found = "\n".join(
        form_warnings(T, state, "italy", "place protectorate tunis\ndowngrade influence tunis\nchoose c9 yes")
    )
    assert "No Army will stand in Tunis" in found and "choose c9 yes: cannot be carried out" in found
    table = at({"phase": "negotiation", "casus_belli": congress.MUTUAL, "areas": {"tunis": here(
        *congress.TUNIS, army("france"), army("italy", 3))}}, france="congress germany")  # fmt: skip
    mine = next(c.id for c in table.state.choices if c.seat == "france")
    found = "\n".join(form_warnings(T, table.state_for("italy"), "italy", f"choose {mine} nobody\nbuild A1"))
    assert f"line 1, choose {mine} nobody: cannot be carried out" in found and "line 2, build A1: cannot" in found


def test_anonymous_message_reaches_its_recipients() -> None:
    table = at({"phase": "movement"}, italy="message france, germany: Leave Tunis to me\nbuild A1")
    found = reports(table)
    for reader, text in found.items():
        if reader.endswith(".txt"):
            assert ("Leave Tunis to me" in text) == (reader in ("france.txt", "germany.txt")), reader
    assert "ANONYMOUS MESSAGES\nTo France and Germany: Leave Tunis to me" in found["france.txt"]
    assert found["france.txt"].count("Leave Tunis") == 1
