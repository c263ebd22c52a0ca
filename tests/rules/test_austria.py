"""Austria-Hungary (AUS): a Great Power that the German player runs."""

from __future__ import annotations

import pytest

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import board
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.state.pieces import home_place
from tests.rules.harness import army, marker, moving, start

AUSTRIA = "austria_hungary"


# Who acts


@pytest.mark.rule("AUS-001", "SET-002")
def test_only_the_german_seat_acts_for_austria_hungary() -> None:
    g = moving(40)
    assert AUSTRIA in g.state.powers and AUSTRIA not in g.state.players
    for seat in ("france", "italy", "russia"):
        r = g.refused(seat, actions.Build(("A1",), "", AUSTRIA))
        assert r.code == "not_your_power" and "AUS-001" in r.rules
    g.do("germany", actions.Build(("A1",), "", AUSTRIA))
    assert g.state.powers[AUSTRIA].treasury == 37 and g.state.powers["germany"].treasury == 40
    assert g.refused(AUSTRIA, actions.Ready()).code == "unknown_seat"


@pytest.mark.rule("AUS-001")
def test_german_seat_answers_austrian_choices() -> None:
    """Austria-Hungary rolls a 2 (£7), earns £5 and owes £14: Germany must meet the deficit."""
    serbia = {"markers": [marker(AUSTRIA, "interest")], "units": [army(AUSTRIA, n) for n in (10, 1, 1, 1)]}
    rumania = {"markers": [], "units": [army(AUSTRIA, 1)]}
    g = start({"phase": "administrative", "areas": {"serbia": serbia, "rumania": rumania}})
    g.dice(1, 1, 1, 2)
    g.advance()
    (choice,) = g.pending()
    assert (choice.seat, choice.power, choice.kind) == ("germany", AUSTRIA, "deficit")
    assert g.waiting() == ("germany",)
    assert g.refused("france", actions.Choose(choice.id, ("A1 serbia",))).code == "not_your_choice"


@pytest.mark.rule("AUS-002")
def test_austria_hungary_makes_defensive_alliances_only() -> None:
    """Alone or together with Germany, for any drafter and any other articles."""
    g = moving(40)
    for seat, text in (
        ("germany", "austria_hungary: treaty Wien with russia: offensive"),
        ("germany", "austria_hungary: treaty Wien with russia: defensive; offensive against france"),
        ("russia", "treaty Wien with germany, austria_hungary: offensive against britain"),
        ("germany", "treaty Wien with russia, austria_hungary: secret offensive by germany"),
    ):
        r = g.refused(seat, text)
        assert r.code == "defensive_only" and {"AUS-002", "TRE-006"} <= set(r.rules)
    assert g.refused("russia", "austria_hungary: treaty Wien with russia: defensive").code == "not_your_power"
    for text in (
        "austria_hungary: treaty Wien with russia: defensive",
        "treaty Wien with russia, austria_hungary: defensive against france",
        "treaty Wien with russia: offensive",
    ):
        g.act("germany", text)
        made = g.state.treaties[-1]
        for power in made.parties:
            if power not in made.signed:
                g.do("russia" if power == "russia" else "germany", actions.Sign(made.id, power))
    assert [t.stage for t in g.state.treaties] == ["in_force"] * 3


@pytest.mark.rule("AUS-007")
def test_the_german_player_places_austrian_markers_moves_and_fights() -> None:
    g = moving(40, areas={"serbia": {"unrest": True}})
    g.do("germany", actions.Place("protectorate", "serbia", AUSTRIA))
    g.do("germany", actions.Move(("A10", "A10"), (home_place(AUSTRIA), "serbia"), "", AUSTRIA))
    assert g.state.powers[AUSTRIA].treasury == 20
    while g.state.phase == "movement":
        g.step()
    g.dice(6)
    g.do("germany", actions.Fight("serbia", AUSTRIA))
    while g.state.phase == "colonial_combat":
        g.step()
    held = [(m.power, m.marker, m.established) for m in g.state.areas["serbia"].markers]
    assert held == [(AUSTRIA, "protectorate", True)]


@pytest.mark.rule("AUS-007")
def test_serbia_without_unrest_is_closed_unless_it_defies() -> None:
    quiet = moving(40)
    assert quiet.refused("germany", actions.Place("protectorate", "serbia", AUSTRIA)).rules
    event = moving(40, events_in_force=["1-4"])
    event.do("germany", actions.Place("protectorate", "serbia", AUSTRIA))
    poor = moving(40, events_in_force=["1-4"], powers={AUSTRIA: {"treasury": 19}})
    assert poor.refused("germany", actions.Place("protectorate", "serbia", AUSTRIA)).rules


# Fleets and links


@pytest.mark.rule("AUS-008")
def test_austrian_units_use_no_german_fleets() -> None:
    tunis = {"markers": [marker(AUSTRIA, "protectorate")], "units": [army(AUSTRIA, 1)]}
    zones = {"mediterranean": {"merchant_fleets": ["germany", "italy"]}}
    g = moving(40, areas={"tunis": tunis}, sea_zones=zones)
    for path in ((home_place(AUSTRIA), "mediterranean", "tunis"), (home_place(AUSTRIA), "tunis")):
        assert g.refused("germany", actions.Move(("A10",), path, "", AUSTRIA)).rules
    german = {"tunis": {"markers": [marker("germany", "protectorate")], "units": [army("germany", 1)]}}
    own = moving(40, areas=german, sea_zones={**zones, "north_atlantic": {"merchant_fleets": ["germany"]}})
    path = (home_place("germany"), "north_atlantic", "mediterranean", "tunis")
    own.do("germany", actions.Move(("A10",), path))
    assert "tunis" not in linked_areas(g.tables, g.state, AUSTRIA)
    assert "tunis" in linked_areas(own.tables, own.state, "germany")


@pytest.mark.rule("AUS-009")
def test_austria_hungary_reaches_only_what_is_overland() -> None:
    g = moving(40)
    assert linked_areas(g.tables, g.state, AUSTRIA) == {"serbia", "greece", "rumania"}
    assert set(board(g.tables, g.state).routes[home_place(AUSTRIA)]) == {
        "serbia",
        "greece",
        "rumania",
        home_place("germany"),
    }
    assert g.refused("germany", actions.Place("influence", "angola", AUSTRIA)).rules
    assert g.refused("germany", actions.Place("interest", "bulgaria", AUSTRIA)).rules
    serbia = {"markers": [marker(AUSTRIA, "protectorate")], "units": [army(AUSTRIA, 1)]}
    beyond = moving(40, areas={"serbia": serbia})
    assert "bulgaria" in linked_areas(beyond.tables, beyond.state, AUSTRIA)
    beyond.do("germany", actions.Place("interest", "bulgaria", AUSTRIA))  # accepted


# Money


@pytest.mark.rule("AUS-010")
def test_germany_may_give_money_to_austria_hungary() -> None:
    g = moving(40)
    g.do("germany", actions.Pay(AUSTRIA, 10))
    for choice in g.pending():
        g.do("germany", actions.Choose(choice.id, ("accept",)))
    assert (g.state.powers["germany"].treasury, g.state.powers[AUSTRIA].treasury) == (30, 50)


@pytest.mark.rule("AUS-011")
@pytest.mark.parametrize("to", ["germany", "france", "italy"])
def test_austria_hungary_cannot_give_money(to: str) -> None:
    g = moving(40)
    r = g.refused("germany", actions.Pay(to, 10, AUSTRIA))
    assert "AUS-011" in r.rules


# Victory
