"""Casus Belli: how they arise and end, their remedies, and the defence of Minor Powers."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.games.pax import casus_belli
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.place import area_menu
from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.reports import explanations
from paxtui.games.pax.state.pieces import Holding
from paxtui.games.pax.transaction import Transaction
from tests.rules.agreements import agree, grant, negotiating
from tests.rules.harness import Bench, army, marker, start

YEAR = 1


def placed(power: str, kind: str = "protectorate") -> dict[str, Any]:
    """A marker established in this turn."""
    return marker(power, kind, True, YEAR)


def taken(power: str, kind: str = "protectorate", *more: dict[str, Any]) -> dict[str, Any]:
    """An Area with an army in which the Power placed Control this turn."""
    return {"markers": [placed(power, kind), *more], "units": [army(power, 1)]}


def adjusted(areas: dict[str, Any], **rest: Any) -> Bench:
    """The Negotiation Phase after Marker Adjustment of these Areas."""
    options, players = rest.pop("options", None), rest.pop("players", 7)
    g = start({"phase": "marker_adjustment", "areas": areas, **rest}, players, options)
    g.step()
    assert g.state.phase == "negotiation"
    return g


# The reconstructed doctrines


@pytest.mark.rule("WAR-027", "WAR-067", "STA-024")
def test_the_monroe_doctrine() -> None:
    areas = {"brasil": "germany", "hawaii": "japan", "alaska": "russia"}
    g = adjusted({**{a: taken(power) for a, power in areas.items()}, "mexico": taken("united_states")})
    assert g.causes() == {("united_states", power, a) for a, power in areas.items()}
    first = g.state.casus_belli[0]
    assert first.cause == "monroe_doctrine" and first.lapses == "turn" and first.rule == "WAR-067"
    # what stood there before gives none, and neither does a lower marker or another part of the world
    old = {"markers": [marker("germany", "protectorate")], "units": [army("germany", 1)]}
    g = adjusted({"brasil": old, "chile": {"markers": [placed("germany", "influence")]}, "kenya": taken("germany")})
    assert g.causes() == set()


@pytest.mark.rule("WAR-067")
def test_only_powers_present_in_1880_are_exempt() -> None:
    areas = {"newfoundland": taken("britain", "possession"), "cuba": taken("spain", "possession")}
    assert adjusted(areas).causes() == set()
    g = adjusted({"newfoundland": taken("france"), "cuba": taken("britain"), "brasil": taken("britain")})
    expected = {("france", "newfoundland"), ("britain", "cuba"), ("britain", "brasil")}
    assert g.causes() == {("united_states", p, a) for p, a in expected}
    # a Minor Power gives it too
    assert adjusted({"brasil": taken("portugal")}).causes() == {("united_states", "portugal", "brasil")}


@pytest.mark.rule("WAR-068")
def test_the_gates_of_india() -> None:
    g = adjusted({"afghanistan": taken("russia"), "tibet": taken("britain"), "persia": taken("russia")})
    assert g.causes() == {("britain", "russia", "afghanistan")}
    assert g.state.casus_belli[0].cause == "gates_of_india"
    gates = ("baluchistan", "burma", "siam", "sin_kiang", "tibet")
    g = adjusted({area: taken("france") for area in gates})
    assert g.causes() == {("britain", "france", a) for a in gates}


@pytest.mark.rule("WAR-067")
def test_transferred_marker_does_not_count_as_placed() -> None:
    brasil = {"markers": [marker("britain", "protectorate")], "units": [army("france", 1), army("britain", 1)]}
    g = start({"phase": "movement", "areas": {"brasil": brasil}})
    g.do("britain", actions.Transfer("brasil", "france"))
    g.do("france", actions.Choose(g.pending()[0].id, ("accept",)))
    assert g.state.handed_over == (Holding("france", "brasil"),)
    while g.state.phase != "negotiation":
        g.step()
    assert g.kind("brasil", "france") == "protectorate" and g.causes() == set()


@pytest.mark.rule("WAR-067")
def test_marker_raised_after_a_transfer_counts_as_placed() -> None:
    brasil = {"markers": [marker("britain", "protectorate")], "units": [army("france", 1), army("britain", 1)]}
    g = start({"phase": "movement", "areas": {"brasil": brasil}, "powers": {"france": {"treasury": 100}}})
    g.do("britain", actions.Transfer("brasil", "france"))
    g.do("france", actions.Choose(g.pending()[0].id, ("accept",)))
    g.do("france", actions.Upgrade("possession", "brasil"))
    while g.state.phase != "negotiation":
        g.step()
    assert g.kind("brasil", "france") == "possession" and g.causes() == {("united_states", "france", "brasil")}


@pytest.mark.rule("WAR-067", "WAR-068")
@pytest.mark.parametrize("congress", [False, True])
def test_control_granted_by_agreement_gives_no_casus_belli(congress: bool) -> None:
    held_by_owner = {"brasil": [marker("united_states", "protectorate")], "siam": [marker("britain", "protectorate")]}
    g = negotiating(held_by_owner)
    agree(g, grant("united_states", "brasil", "germany"), congress=congress)
    agree(g, grant("britain", "siam", "france"), congress=congress)
    assert g.kind("brasil", "germany") == g.kind("siam", "france") == "protectorate"
    assert g.causes() == set()


@pytest.mark.rule("WAR-067")
def test_doctrine_causes_end_with_the_control_or_the_turn() -> None:
    g = adjusted({"brasil": taken("germany")})
    g.do("germany", actions.Downgrade("influence", "brasil"))
    assert g.causes() == set() and g.state.tension == 1
    g = adjusted({"brasil": taken("germany")})
    g.do("united_states", actions.Waive("cb1"))
    assert g.causes() == set() and g.state.top.notes is None
    g = adjusted({"brasil": taken("germany")})
    g.step()
    assert g.causes() == {("united_states", "germany", "brasil")}
    assert g.kind("brasil", "germany") == "protectorate" and g.state.tension == 0
    while g.state.turn == 1:
        g.dice(1, 1, 1)
        g.step()
    assert g.causes() == set()


@pytest.mark.rule("WAR-027")
def test_reconstructed_doctrines_are_marked_and_replaceable() -> None:
    g = adjusted(
        {"brasil": taken("germany"), "persia": taken("britain", "protectorate", marker("russia", "influence"))}
    )
    shown = {c["cause"]: c for c in g.view("france")["casus_belli"]}
    assert shown["monroe_doctrine"]["reconstructed"] and not shown["control_over_influence"]["reconstructed"]
    assert (shown["monroe_doctrine"]["lapses"], shown["control_over_influence"]["lapses"]) == ("turn", "negotiation")
    lines = [Narrator(g.tables).tell(e) for e in g.all_of(events.CasusBelliArose)]
    assert not any("reconstructed" in line for line in lines), "marked where they are listed, not in the log"
    by_cause = {c.cause: c for c in g.state.casus_belli}
    assert "(reconstructed)" in casus_belli.describe_cause(g.tables, by_cause["monroe_doctrine"])
    assert "(reconstructed)" not in casus_belli.describe_cause(g.tables, by_cause["control_over_influence"])
    # an owner of the printed sheets: another holder, other Areas, not marked
    rows = tuple(
        replace(c, holder="japan", areas=("korea",), reconstructed=False) if c.id == "monroe_doctrine" else c
        for c in g.tables.causes
    )
    play = Transaction(replace(g.tables, causes=rows), start({"phase": "marker_adjustment"}).state, Dice("test"))
    casus_belli.create_from_summary(play, "brasil", "germany")
    casus_belli.create_from_summary(play, "korea", "germany")
    assert [(c.holder, c.area) for c in play.state.casus_belli] == [("japan", "korea")]
    assert not casus_belli.is_reconstructed(play.tables, play.state.casus_belli[0])


# Arising


@pytest.mark.rule("STA-024", "STA-052")
def test_each_dispute_gives_one_casus_belli() -> None:
    both = {"markers": [placed("germany"), marker("united_states", "influence")], "units": [army("germany", 1)]}
    g = adjusted({"brasil": both})
    assert sorted(c.cause for c in g.state.casus_belli) == ["control_over_influence", "monroe_doctrine"]
    play = Transaction(g.tables, g.state, Dice("test"))
    assert (
        casus_belli.create_casus_belli(play, "united_states", "germany", "brasil", "control_conflict", ("CCB-015",))
        == ""
    )
    assert (
        casus_belli.create_casus_belli(play, "united_states", "germany", "brasil", "monroe_doctrine", ("WAR-027",))
        == ""
    )
    assert (
        casus_belli.create_casus_belli(play, "france", "germany", "", "treaty_broken", ("TRE-007",), treaty="a")
        == "cb3"
    )
    assert (
        casus_belli.create_casus_belli(play, "france", "germany", "", "treaty_broken", ("TRE-007",), treaty="a") == ""
    )
    assert (
        casus_belli.create_casus_belli(play, "france", "germany", "", "treaty_broken", ("TRE-007",), treaty="b")
        == "cb4"
    )
    assert casus_belli.create_casus_belli(play, "spain", "germany", "", "treaty_broken", ("TRE-007",)) == ""


@pytest.mark.rule("AUS-006")
def test_broken_treaty_gives_no_cause_between_powers_of_one_player() -> None:
    play = Transaction(start().tables, start({"phase": "negotiation"}).state, Dice("test"))
    for holder, against in (("germany", "austria_hungary"), ("austria_hungary", "germany")):
        assert (
            casus_belli.create_casus_belli(play, holder, against, "", "treaty_broken", ("TRE-007",), treaty="a") == ""
        )
    assert (
        casus_belli.create_casus_belli(play, "austria_hungary", "russia", "", "treaty_broken", ("TRE-007",), treaty="a")
        == "cb1"
    )


@pytest.mark.rule("EVT-050")
def test_yellow_press_gives_a_casus_belli() -> None:
    g = start()
    g.dice(1, 2, 2)
    g.step()
    (cause,) = g.state.casus_belli
    assert (cause.holder, cause.against, cause.area, cause.rule) == ("united_states", "spain", "", "EVT-050")
    assert cause.cause == "yellow_press" and casus_belli.lapse_time(cause) == "turn"


@pytest.mark.rule("MIN-024")
def test_a_minor_powers_protectorate_gives_a_cause_one_way() -> None:
    g = adjusted({"marocco": taken("spain", "protectorate", marker("britain", "influence"))})
    assert g.causes() == {("britain", "spain", "marocco")}
    assert "MIN-024" in g.all_of(events.CasusBelliArose)[0].rules
    both = [placed("spain"), marker("portugal", "influence")]
    g = adjusted({"marocco": {"markers": both, "units": [army("spain", 1)]}})
    assert g.causes() == set()


@pytest.mark.rule("STA-052")
def test_expanding_ottoman_empire_gives_a_casus_belli() -> None:
    there = {
        "markers": [placed("ottoman_empire"), marker("russia", "influence")],
        "units": [{"power": "ottoman_empire", "kind": "army", "strength": 5}],
    }
    g = adjusted({"bulgaria": there}, options={"ottoman_expansion": "yes"})
    assert g.causes() == {("russia", "ottoman_empire", "bulgaria")}


# Remedies


def remedies(g: Bench, id: str = "cb1") -> str:
    cause = next(c for c in g.state.casus_belli if c.id == id)
    return "\n".join(explanations.cause_remedies(g.tables, g.state, cause))


def accepted(g: Bench, text: str) -> list[str]:
    """Orders in the remedies that are accepted from some seat."""
    found = []
    for order in [part for n, part in enumerate(text.split("`")) if n % 2]:
        for seat in g.state.players:
            try:
                Bench.act(copy(g), seat, order)
            except Exception:
                continue
            found.append(order)
            break
    return found


def copy(g: Bench) -> Bench:
    other = Bench(7, {}, "copy")
    other.state = g.state
    return other


@pytest.mark.rule("NEG-002", "SEQ-019", "SEQ-020")
def test_every_dispute_lists_its_remedies() -> None:
    both = [placed("france"), placed("italy")]
    g = adjusted({"tunis": {"markers": both, "units": [army("france", 1), army("italy", 1)]}})
    text = remedies(g)
    assert accepted(g, text) == [
        "downgrade interest tunis",
        "downgrade interest tunis",
        "codominion tunis",
        "waive cb1",
    ]
    assert "Congress of Europe" in text and "European Tensions +2" in text and "War" in text
    persia = {"persia": taken("britain", "possession", marker("russia", "influence"))}
    g = adjusted(persia, powers={"russia": {"treasury": 10}})
    assert accepted(g, remedies(g)) == [
        "withdraw influence persia",
        "downgrade influence persia",
        "codominion persia with russia",
        "waive cb1",
    ]
    assert "£10" in remedies(g)


@pytest.mark.rule("MIN-035")
def test_remedies_against_a_minor_power_are_congress_and_war() -> None:
    g = adjusted({"marocco": taken("spain", "protectorate", marker("britain", "influence"))})
    text = remedies(g)
    assert "calls a Congress of Europe" in text and "declares War on Spain" in text
    assert "share" not in text and "settle it for something" not in text
    assert g.refused("britain", actions.Codominion("marocco")).code == "minor"


@pytest.mark.rule("SEQ-019")
def test_remedies_name_a_cause_that_outlasts_negotiation() -> None:
    g = adjusted({"brasil": taken("germany")})
    assert accepted(g, remedies(g)) == ["downgrade influence brasil", "waive cb1"]
    assert "lapses when the War Phase has opened" in remedies(g)
    g.step()
    assert "waive" not in remedies(g) and "lapses" in remedies(g) and "War" in remedies(g)


# The defence of a Minor Power


def kongo(control: str = "protectorate", **rest: Any) -> Bench:
    """French Control over Belgium's Influence in Kongo."""
    return adjusted({"kongo": taken("france", control, marker("belgium", "influence"))}, **rest)


@pytest.mark.rule("MIN-039")
def test_minor_power_contests_nothing_by_itself() -> None:
    g = kongo()
    assert g.causes() == set()
    assert g.kind("kongo", "belgium") == "influence"


@pytest.mark.rule("MIN-040", "SEQ-020")
def test_great_power_defends_a_minor_power_in_a_congress() -> None:
    g = kongo()
    g.act("germany", "defend belgium kongo")
    (cause,) = g.state.casus_belli
    assert (cause.holder, cause.against, cause.area, cause.minor) == ("germany", "france", "kongo", "belgium")
    assert (
        cause.cause == "defence"
        and cause.rule == "MIN-040"
        and "for Belgium" in casus_belli.describe_cause(g.tables, cause)
    )
    g.act("russia", "defend belgium kongo")  # each of them carries the duty
    assert g.causes() == {("germany", "france", "kongo"), ("russia", "france", "kongo")}
    for seat in g.state.players:
        g.do(seat, actions.Ready())
    assert g.state.phase == "congress"
    assert g.kind("kongo", "belgium") == "influence" and g.state.casus_belli
    assert not [e for e in g.all_of(events.Noted) if e.code == "left_open"]
    # without it there is none
    g = kongo()
    g.step()
    assert g.state.phase == "chinese_resentment"


@pytest.mark.rule("MIN-040")
def test_powers_that_may_defend_a_minor_power() -> None:
    g = kongo()
    assert g.refused("france", "defend belgium kongo").code == "own_dispute"
    assert g.refused("germany", "defend portugal kongo").code == "nothing_to_defend"
    assert g.refused("germany", "defend belgium angola").rules == ("MIN-040", "MIN-039")
    g.act("germany", "defend belgium kongo")
    assert g.refused("germany", "defend belgium kongo").code == "announced"
    assert g.refused("germany", actions.Waive("cb1")).rules == ("MIN-040",)
    # the menu of the Area offers it in this Phase, and in no other
    offered = [
        item for item in area_menu(g.tables, g.state, "russia", "kongo") if isinstance(item.action, actions.Defend)
    ]
    assert [(item.label, item.allowed) for item in offered] == [("Defend Belgium", True)]
    g = start({"phase": "movement", "areas": {"kongo": {"markers": [marker("belgium", "influence")]}}})
    assert not any(isinstance(item.action, actions.Defend) for item in area_menu(g.tables, g.state, "russia", "kongo"))
    assert start({"phase": "movement"}).refused("germany", "defend belgium kongo").code == "wrong_phase"
    control = {"markers": [placed("germany"), marker("belgium", "influence")], "units": [army("germany", 1)]}
    g = adjusted({"kongo": control})
    assert g.refused("germany", actions.Defend("belgium", "kongo", "austria_hungary")).code == "own_dispute"


@pytest.mark.rule("MIN-040", "NEG-007")
def test_defence_ends_when_the_control_is_given_up() -> None:
    g = kongo()
    g.act("germany", "defend belgium kongo")
    g.do("france", actions.Downgrade("influence", "kongo"))
    assert g.state.casus_belli == () and g.kind("kongo", "belgium") == "influence"
    g.step()
    assert g.state.phase == "chinese_resentment" and g.kind("kongo", "belgium") == "influence"


@pytest.mark.rule("NEG-029", "MIN-039", "MIN-040")
def test_undefended_minor_influence_goes_despite_a_congress() -> None:
    both = {
        "kongo": taken("france", "protectorate", marker("belgium", "influence")),
        "angola": taken("britain", "possession", marker("portugal", "influence")),
    }
    g = adjusted(both)
    g.act("germany", "defend belgium kongo")
    for seat in g.state.players:
        g.do(seat, actions.Ready())
    assert g.state.phase == "congress"
    assert g.kind("kongo", "belgium") == "influence" and g.kind("angola", "portugal") == ""
    assert [(e.blame, e.amount) for e in g.all_of(events.TensionRaised)] == [("britain", 2)]


@pytest.mark.rule("NEG-029")
def test_only_the_undefended_of_two_minor_influences_goes() -> None:
    three = [marker("belgium", "influence"), marker("portugal", "influence")]
    g = adjusted({"kongo": taken("france", "protectorate", *three)})
    g.act("germany", "defend belgium kongo")
    for seat in g.state.players:
        g.do(seat, actions.Ready())
    assert g.kind("kongo", "belgium") == "influence" and g.kind("kongo", "portugal") == "interest"
