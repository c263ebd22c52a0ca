"""Whole Chinese Rebellions (REB), played through the protocol, and combinations of rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.events import events
from paxtui.games.pax.position.view import position_summary
from tests.golden import rebellion_games
from tests.places import SAVES
from tests.rules import wars
from tests.rules.harness import UNLIMITED, army, at_home, held, here, marker, naval
from tests.rules.rebellions import battles, defeated, rebellion, rebels, where
from tests.rules.wars import decided, place, stepped_to, the_war

BRITAIN = ["britain"]


# Whole Rebellions


@pytest.mark.rule("REB-001", "REB-035", "REB-041", "REB-043")
def test_defeated_rebellion_ends_with_cessions(tmp_path: Path) -> None:
    rebellion_games.play_won(tmp_path / "won.jsonl")
    log = (tmp_path / "won.jsonl").read_text("utf-8")
    assert '"rebels_beaten"' in log and log.count('"area_ceded"') >= 2 and '"cessions"' in log


@pytest.mark.rule("REB-001", "REB-027", "REB-031", "REB-032")
def test_unopposed_rebellion_wins(tmp_path: Path) -> None:
    rebellion_games.play_lost(tmp_path / "lost.jsonl")
    log = (tmp_path / "lost.jsonl").read_text("utf-8")
    assert '"rebels_won"' in log and "overrun by the Chinese" in log and '"area_ceded"' not in log


def test_both_rebellions_are_saved() -> None:
    assert all(list(SAVES.glob(f"rebellion-{end}-*.jsonl")) for end in ("won", "lost"))


def test_position_text_shows_a_rebellion_and_its_armies() -> None:
    seas = {"south_china_sea": {"units": [army("britain", 3)]}}
    areas = {"tibet": here(*rebels(2)), "burma": held("britain", "possession", army("britain"))}
    g = rebellion(BRITAIN, "maneuver", 2, areas=areas, sea_zones=seas, war={"defeated": ["yunnan"]})
    lines = position_summary(g.tables, g.state).splitlines()
    assert "War w1: China against Great Britain; cycle 1, maneuver of Alliance 2; Yunnan defeated" in lines
    assert lines[lines.index("China") + 1] == "  Tibet: no marker 2A5"
    assert "  South China Sea: A3" in lines


# Combinations of rules


@pytest.mark.rule("REB-025", "REB-005", "REB-030")
def test_expedition_is_supplied_in_a_defeated_area() -> None:
    areas = {"indochina": held("france", "possession", army("france", 10), army("france")), "tibet": here(*rebels())}
    zones = ("mediterranean", "indian_ocean", "south_china_sea", "south_atlantic", "north_atlantic")
    seas = {zone: {"merchant_fleets": ["france"]} for zone in zones}
    g = rebellion(["france"], "maneuver", 2, areas=areas, sea_zones=seas, homes=at_home("france"))
    g.act("france", "move A10 indochina > kwang_si")
    g.act("france", "pass")
    g.dice(4)
    g.act("france", "attack kwang_si")
    assert battles(g) == [("kwang_si", 10, 5, "DR")] and defeated(g) == ("kwang_si",)
    stepped_to(g, ("maneuver", 2))
    assert g.units("kwang_si") == ["A10"], "supplied where it stands, by Indochina next door"
    g.act("france", "move A10 kwang_si > szech_wan")
    assert the_war(g).invaded == ("france szech_wan",)


@pytest.mark.rule("REB-026", "REB-028", "REB-024")
def test_area_without_control_defends_against_returning_powers() -> None:
    areas = {
        "shan_tung": held("germany", "protectorate", *rebels()),
        "manchuria": held("germany", "protectorate", army("germany", 10)),
    }
    g = rebellion(["germany"], "attack", 2, areas=areas)
    g.step()
    assert g.kind("shan_tung", "germany") == ""
    g = rebellion(["germany"], "attack", 2, areas={"shan_tung": here(army("germany", 10), *rebels())})
    g.dice(1)
    g.act("germany", "attack shan_tung")
    assert battles(g) == [("shan_tung", 10, 8, "AR")]


@pytest.mark.rule("REB-012", "REB-016", "REB-017")
def test_armies_that_meet_attack_together_in_the_same_phase() -> None:
    areas = {
        "kansu": here(*rebels()),
        "manchuria": here(*rebels()),
        "central_china": held("britain", "protectorate", army("britain", 10)),
    }
    g = rebellion(BRITAIN, areas=areas)
    g.step()
    assert where(g) == {"central_china": 2}
    g.dice(1)
    g.step()
    assert battles(g) == [("central_china", 10, 10, "AR")]


@pytest.mark.rule("REB-020", "WCB-038", "REB-016")
def test_retreated_army_does_not_attack_in_the_same_phase() -> None:
    strong = [army("britain", 10), army("britain", 3), army("britain"), army("britain")]
    areas = {
        "korea": held("britain", "protectorate", *strong, *rebels()),
        "manchuria": held("britain", "protectorate"),
        "port_arthur": held("britain", "protectorate", army("britain")),
    }
    g = rebellion(BRITAIN, "attack", areas=areas)
    g.dice(3)
    g.step()
    assert battles(g) == [("korea", 5, 15, "AR")] and where(g) == {"manchuria": 1}


@pytest.mark.rule("REB-001", "WAR-019", "REB-004")
def test_when_the_rebellion_is_over_the_war_of_its_allies_begins() -> None:
    both = [
        {"kind": "rebellion", "alliances": [["china"], ["france", "germany"]], "phase": "end", "turn_of": None},
        {"alliances": [["france"], ["germany"]], "phase": "alliances", "turn_of": None},
    ]
    areas = {"burma": held("france", "possession", army("france", 3)), "indochina": held("france")}
    g = wars.bench(options=UNLIMITED)
    g.do(ARBITER, actions.SetPosition({"phase": "war", "wars": both, "areas": areas}))
    for _ in range(100):
        if len(g.state.wars) == 1 and the_war(g).stage != "alliances":
            break
        g.step()
    assert decided(g)[0][0] == "rebels_beaten" and the_war(g).alliances == (("france",), ("germany",))


@pytest.mark.rule("REB-050", "REB-037")
def test_prisoners_and_armies_at_sea_come_home_when_a_rebellion_is_over() -> None:
    areas = {"hong_kong": held("britain", "possession", army("britain", 3))}
    seas = {"south_china_sea": {"merchant_fleets": ["britain"], "units": [army("britain"), naval("britain", 3)]}}
    prisoner = {"power": "britain", "kind": "army", "strength": 10}
    war = {"cycle": 3, "surrendered": [prisoner]}
    homes = {"britain": {"units": []}}
    g = rebellion(BRITAIN, "end", None, areas=areas, sea_zones=seas, homes=homes, war=war)
    g.step()
    g.step()
    assert g.units("home:britain") == ["A1", "A10", "N3"] and g.state.at_sea.get("south_china_sea", ()) == ()


@pytest.mark.rule("REB-003", "REB-027")
def test_power_without_markers_in_china_stays_a_member() -> None:
    areas = {
        "shan_tung": held("germany", "protectorate", *rebels()),
        "burma": held("britain", "possession", army("britain")),
    }
    g = rebellion(["germany", "britain"], "attack", 2, areas=areas)
    g.step()
    assert g.kind("shan_tung", "germany") == "" and the_war(g).side_of("germany") == 2


@pytest.mark.rule("REB-030", "REB-048")
def test_commander_must_attack_where_the_minor_army_entered() -> None:
    areas = {"korea": held("japan", "protectorate", army("japan", 10)), "tibet": here(*rebels())}
    g = rebellion(["japan"], "maneuver", 2, areas=areas, players=4)
    g.act("britain", "japan: move A10 korea > manchuria")
    g.step()
    assert place(g) == ("attack", 2) and g.refused("britain", "pass").code == "must_attack"
    g.act("britain", "japan: attack manchuria")
    assert [e.attackers for e in g.all_of(events.BattleFought)] == [("japan",)]


@pytest.mark.rule("REB-014", "SUP-017")
def test_chinese_armies_conquer_no_unsupplied_area_outside_china() -> None:
    areas = {"burma": here(*rebels()), "siam": held("britain", "protectorate", army("britain"))}
    g = rebellion(BRITAIN, "supply", 2, areas=areas, sea_zones={"south_china_sea": {"merchant_fleets": []}})
    g.step()
    assert g.all_of(events.AreaConquered) == []


@pytest.mark.rule("REB-008", "REB-022")
def test_protectorate_does_not_help_an_army_that_rises_there() -> None:
    areas = {"burma": here(marker("britain", "protectorate"), army("britain", 10), *rebels())}
    g = rebellion(BRITAIN, "attack", 2, areas=areas)
    g.dice(4)
    g.act("britain", "attack burma")
    assert battles(g)[0][:3] == ("burma", 10, 5) and defeated(g) == ()
