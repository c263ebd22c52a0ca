"""The Chinese Rebellion (REB): movement, attacks, supply, losses and command of the colonial Powers."""

from __future__ import annotations

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.war import empire
from tests.rules import wars
from tests.rules.harness import UNLIMITED, army, at_home, held, here, marker, naval
from tests.rules.rebellions import battles, defeated, rebellion, rebels, where
from tests.rules.wars import place, the_war

BRITAIN = ["britain"]
YUNNAN = {"burma": held("britain", "possession", army("britain", 10))}
"""A British army next to unmarked Yunnan."""


# Movement


@pytest.mark.rule("REB-009", "REB-029")
def test_colonial_units_may_enter_every_area_of_china() -> None:
    areas = {"yunnan": held("france", "protectorate", army("france", 3)), "siam": here()}
    g = rebellion(["france", "britain"], "maneuver", 2, areas={**areas, **YUNNAN})
    g.act("france", "move A3 yunnan > szech_wan")
    assert g.units("szech_wan") == ["A3"]
    assert g.refused("britain", "move A10 burma > siam").code == "no_belligerent"
    ships = {"hong_kong": held("britain", "possession", naval("britain", 3))}
    seas = {"south_china_sea": {"units": [naval("britain", 3)]}}
    g = rebellion(BRITAIN, "maneuver", 2, areas=ships, sea_zones=seas)
    g.act("britain", "move N3 south_china_sea > fukien")
    assert g.units("fukien") == ["N3"]


# Forced attacks


@pytest.mark.rule("REB-030")
def test_entered_area_that_fights_must_be_attacked() -> None:
    g = rebellion(BRITAIN, "maneuver", 2, areas=YUNNAN)
    g.act("britain", "move A10 burma > yunnan")
    wars.all_pass(g)
    assert place(g) == ("attack", 2) and g.waiting() == ("britain",)
    assert "pass" not in list(legal_actions(g.tables, g.state, "britain").texts())
    assert g.refused("britain", "pass").code == "must_attack"
    g.dice(4)
    g.act("britain", "attack yunnan")
    assert battles(g) == [("yunnan", 10, 3, "DE")] and defeated(g) == ("yunnan",)
    g.step()
    assert place(g) == ("supply", 2)


@pytest.mark.rule("REB-030")
def test_area_that_does_not_fight_need_not_be_attacked() -> None:
    for yunnan, war in ((held("france"), {}), (here(), {"defeated": ["yunnan"]})):
        g = rebellion(["britain", "france"], "maneuver", 2, areas={**YUNNAN, "yunnan": yunnan}, war=war)
        g.act("britain", "move A10 burma > yunnan")
        g.step()
        g.step()
        assert battles(g) == [] and place(g) == ("supply", 2)


@pytest.mark.rule("REB-030")
def test_arbiter_carries_out_a_forced_attack() -> None:
    g = rebellion(BRITAIN, "maneuver", 2, areas=YUNNAN)
    g.act("britain", "move A10 burma > yunnan")
    wars.all_pass(g)
    g.dice(4)
    g.step()
    assert battles(g) == [("yunnan", 10, 3, "DE")] and place(g) == ("supply", 2)


@pytest.mark.rule("REB-030")
def test_forced_attacker_is_not_invited_to_join() -> None:
    areas = {
        "yunnan": here(marker("germany", "influence"), army("germany", 3)),
        "burma": held("britain", "possession", army("britain", 3), army("france", 3)),
    }
    g = rebellion(["britain", "france", "germany"], "maneuver", 2, areas=areas)
    g.act("britain", "move A3 burma > yunnan")
    g.act("france", "move A3 burma > yunnan")
    wars.all_pass(g)
    g.dice(6)
    g.act("france", "attack yunnan")
    assert [(c.power, c.kind) for c in g.state.choices] == [("germany", "join_attack")]
    (choice,) = g.state.choices
    g.act("germany", f"choose {choice.id} stand aside")
    assert battles(g) == [("yunnan", 6, 3, "DE")]


@pytest.mark.rule("REB-018", "WCB-006")
def test_power_that_declined_is_not_waited_for() -> None:
    areas = {"burma": held("britain", "protectorate", army("britain", 3), army("france", 3), *rebels())}
    g = rebellion(["britain", "france"], "attack", 2, areas=areas)
    assert g.waiting() == ("britain", "france")
    g.act("britain", "attack burma")
    (choice,) = g.state.choices
    g.dice(2)
    g.act("france", f"choose {choice.id} stand aside")
    assert battles(g) == [("burma", 3, 5, "E")]
    assert g.waiting() == () and "attack burma" not in list(legal_actions(g.tables, g.state, "france").texts())
    assert defeated(g) == (), "it is a Protectorate: only the Army has fought"


# Supply


@pytest.mark.rule("REB-005")
def test_colonial_armies_are_checked_for_supply_as_in_any_war() -> None:
    g = rebellion(["france"], "supply", 2, areas={"yunnan": here(army("france", 3))})
    g.step()
    assert [s.name for s in the_war(g).surrendered] == ["A3"]
    areas = {"yunnan": here(army("france", 3)), "indochina": held("france", "possession")}
    seas = {zone: {"merchant_fleets": ["france"]} for zone in
            ("mediterranean", "indian_ocean", "south_china_sea", "south_atlantic", "north_atlantic")}  # fmt: skip
    g = rebellion(["france"], "supply", 2, areas=areas, sea_zones=seas)
    g.step()
    assert g.units("yunnan") == ["A3"]


@pytest.mark.rule("REB-005")
def test_an_occupied_defeated_area_carries_supply_and_gives_coaling() -> None:
    seas = {zone: {"merchant_fleets": ["france"]} for zone in
            ("mediterranean", "indian_ocean", "south_china_sea", "south_atlantic", "north_atlantic")}  # fmt: skip
    for occupiers, war, kept in (
        ([army("france")], {"defeated": ["kwang_si"]}, ["A3"]),
        ([army("france"), *rebels()], {"defeated": ["kwang_si"]}, []),
        ([army("france")], {}, []),
        ([naval("france", 3)], {"defeated": ["kwang_si"]}, []),
    ):
        areas = {"szech_wan": here(army("france", 3)), "kwang_si": here(*occupiers)}
        g = rebellion(["france"], "supply", 2, areas=areas, sea_zones=seas, war=war)
        assert empire.is_occupied(g.state, the_war(g), "kwang_si") == bool(kept)
        g.step()
        assert g.units("szech_wan") == kept
    areas = {"kwang_si": here(army("france")), "sin_kiang": here(*rebels())}
    seas = {**seas, "south_china_sea": {"merchant_fleets": ["france"], "units": [naval("france", 3)]}}
    for fallen, kept in (([], []), (["kwang_si"], ["N3"])):
        g = rebellion(["france"], "supply", 2, areas=areas, sea_zones=seas, war={"defeated": fallen})
        g.step()
        assert wars.at_sea(g, "south_china_sea") == kept


# Losses to the Chinese


@pytest.mark.rule("REB-027", "ETI-040")
def test_chinese_armies_alone_in_an_area_remove_all_markers() -> None:
    shan_tung = here(marker("germany", "influence"), marker("italy", "interest"), *rebels())
    areas = {
        "shan_tung": shan_tung,
        "burma": held("britain", "possession", army("britain", 10), *rebels()),
        "fukien": held("britain", "possession", naval("britain", 3), *rebels()),
        "korea": held("japan"),
    }
    g = rebellion(["britain", "germany"], "attack", 1, areas=areas, indexes={"european_tensions": 10})
    g.dice(3)
    g.step()
    assert g.kind("shan_tung", "germany") == "influence", "not in China's own Attack Phase"
    g = rebellion(["britain", "germany"], "attack", 2, areas=areas, indexes={"european_tensions": 10})
    g.step()
    assert g.state.areas["shan_tung"].markers == () and g.state.areas["fukien"].markers == ()
    assert g.kind("burma", "britain") == "possession" and g.kind("korea", "japan") == "protectorate"
    assert g.state.tension == 10


@pytest.mark.rule("REB-028")
def test_area_without_control_marker_fights_again() -> None:
    g = rebellion(["germany"], "attack", 2, areas={"shan_tung": held("germany", "protectorate", *rebels())})
    assert empire.area_strength(g.tables, g.state, the_war(g), "shan_tung") == 0
    g.step()
    assert empire.area_strength(g.tables, g.state, the_war(g), "shan_tung") == 3


@pytest.mark.rule("WCD-001", "REB-009")
def test_rebellion_in_a_codominion_gives_no_casus_belli() -> None:
    shared = here(*(marker(p, "protectorate") for p in ("britain", "germany")), codominion=["britain", "germany"])
    areas = {"burma": shared, "yunnan": here(army("france"), *rebels()), "siam": here(army("france", 3))}
    g = rebellion(["britain", "france"], "maneuver", 2, areas=areas)
    g.act("france", "move A3 siam > burma")
    assert g.state.choices == () and g.causes() == set(), "France is an ally of the one holder"
    areas["burma"] = {**shared, "units": [army("britain")]}
    areas["yunnan"] = here(*rebels())
    g = rebellion(["britain", "france"], areas={**areas, "siam": here()})
    g.advance()
    assert where(g) == {"burma": 1}
    assert g.state.choices == () and g.causes() == set(), "China is no Great Power that moves its Armies there"


@pytest.mark.rule("REB-027", "SUP-003")
def test_china_conquers_nothing() -> None:
    g = rebellion(BRITAIN, "attack", 1, areas={"burma": held("britain", "possession", *rebels())})
    g.step()
    assert g.all_of(events.AreaConquered) == []


# Neutrals


@pytest.mark.rule("STR-016", "REB-003")
def test_war_over_a_denied_passage_is_separate_and_later() -> None:
    areas = {**YUNNAN, "egypt": held("italy", "possession"), "kansu": here(*rebels())}
    g = rebellion(BRITAIN, "maneuver", 2, areas=areas)
    texts = list(legal_actions(g.tables, g.state, "italy").texts())
    assert "deny suez to britain" in texts and "deny suez to china" not in texts
    assert not any(text.endswith("to china") for text in texts), "nothing to volunteer to China either"
    g.act("italy", "deny suez to britain")
    assert ("britain", "italy", "egypt") in g.causes()
    g.act("britain", "declare war italy")
    assert [(w.kind, w.stage) for w in g.state.wars] == [("rebellion", "maneuver"), ("war", "alliances")]
    assert g.state.wars[0].powers == ("china", "britain") and g.state.wars[1].alliances == (("britain",), ("italy",))


# Command


@pytest.mark.rule("REB-004")
def test_powers_at_war_with_each_other_are_allies_until_the_rebellion_is_over() -> None:
    areas = {"burma": held("france", "possession", army("france", 3), army("germany", 3)), "kansu": here(*rebels())}
    both = [
        {"kind": "rebellion", "alliances": [["china"], ["france", "germany"]], "phase": "attack", "turn_of": 2},
        {"alliances": [["france"], ["germany"]], "phase": "alliances", "turn_of": None},
    ]
    g = wars.bench(options=UNLIMITED)
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": both, "areas": areas}))
    assert g.refused("france", "attack burma").code == "no_enemy"


@pytest.mark.rule("REB-048")
def test_a_minor_russia_is_played_by_france_and_a_minor_japan_by_britain() -> None:
    areas = {
        "manchuria": held("russia", "protectorate", army("russia", 3)),
        "korea": held("japan", "protectorate", army("japan", 3)),
        "kansu": here(*rebels()),
    }
    g = rebellion(["russia", "japan"], "maneuver", 2, areas=areas, players=4, homes=at_home("france"))
    assert g.waiting() == ("britain", "france")
    g.act("france", "russia: move A3 manchuria > central_china")
    g.act("britain", "japan: move A3 korea > manchuria")
    assert g.units("central_china") == ["A3"] and g.units("manchuria") == ["A3"]
    assert g.refused("britain", "russia: move A3 central_china > kansu").code == "not_your_power"
    assert where(g) == {"kansu": 1}


@pytest.mark.rule("REB-048")
def test_another_minor_power_follows_its_great_power_allies() -> None:
    areas = {"fukien": held("italy", "protectorate", army("italy", 3)), **YUNNAN}
    g = rebellion(["italy", "britain"], "maneuver", 2, areas=areas, players=4)
    g.act("britain", "italy: move A3 fukien > shang_hai")
    assert g.units("shang_hai") == ["A3"]
