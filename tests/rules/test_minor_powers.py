"""Minor Powers (MIN, part 1): which they are, activity, placement and Unrest."""

from __future__ import annotations

from typing import Any

import pytest

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import area_state
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import SentArmies
from tests.rules.harness import Bench, army, here, marker, naval, start

HOLDS = {"netherlands": 3, "belgium": 4, "spain": 2, "portugal": 2, "japan": 5, "russia": 6, "italy": 5}
"""A die on which each Minor Power is just inactive."""


def phase(
    areas: dict[str, Any] | None = None, /, *, rolls: dict[str, tuple[int, ...]] | None = None, **rest: Any
) -> Bench:
    """A Minor Powers Phase, played. `rolls`: dice of active Minor Powers after the activity die 1."""
    players, options, after = rest.pop("players", 7), rest.pop("options", None), rest.pop("after", ())
    g = start({"phase": "minor_powers", "areas": areas or {}, **rest}, players, options)
    for power in g.state.minors:
        mine = (rolls or {}).get(power)
        g.dice(*((HOLDS[power],) if mine is None else (1, *mine)))
    g.dice(*after)
    g.step()
    assert g.queue == (), "a die too many"
    return g


def only(power: str, *zones: str) -> dict[str, Any]:
    """Sea Zones in which a Power has Merchant Fleets, and no others."""
    now = start().state.sea_zones
    return {
        z: {"merchant_fleets": [p for p in ps if p != power] + ([power] if z in zones else [])} for z, ps in now.items()
    }


def strength(state: State, power: str) -> int:
    """All units of a Power on the map, in strength points."""
    places = [*(a.units for a in state.areas.values()), *state.homes.values()]
    return sum(u.strength for us in places for u in us if u.power == power)


def directed(g: Bench, power: str) -> list[tuple[str, bool]]:
    return [(e.area, e.accepted) for e in g.all_of(events.MinorDirected) if e.power == power]


# Definition


@pytest.mark.rule("MIN-001")
def test_minor_powers_by_number_of_players() -> None:
    four = {"netherlands", "belgium", "spain", "portugal"}
    assert set(start(players=7).state.minors) == four
    assert set(start(players=6).state.minors) == four | {"italy"}
    assert set(start(players=5).state.minors) == four | {"italy", "russia"}
    assert set(start(players=4).state.minors) == four | {"italy", "russia", "japan"}
    assert set(start(players=8, options={"belgium": "yes"}).state.minors) == four - {"belgium"}


@pytest.mark.rule("MIN-002")
def test_seats_cannot_order_a_minor_power() -> None:
    g = start({"phase": "movement"})
    for seat in g.state.players:
        refusal = g.refused(seat, actions.Place("interest", "kongo", "portugal"))
        assert refusal.code == "not_your_power" and "MIN-002" in refusal.rules
    assert all(c.power in g.state.powers for c in g.pending())


@pytest.mark.rule("MIN-003", "MIN-004")
def test_minor_powers_have_no_income_or_maintenance() -> None:
    g = start({"phase": "administrative"})
    before = strength(g.state, "spain")
    g.step()
    assert {e.power for e in g.of(events.RecordWritten)} == set(g.state.powers)
    assert not {e.power for e in g.of(events.TreasuryChanged)} & set(g.state.minors)
    assert strength(g.state, "spain") == before and not [e for e in g.of(events.UnitsLost) if e.power == "spain"]
    assert "spain" not in g.state.powers


@pytest.mark.rule("MIN-005")
def test_minor_powers_pay_nothing() -> None:
    g = phase(rolls={"belgium": (3, 4)})
    assert g.kind("kongo", "belgium") == "protectorate"
    assert not g.of(events.TreasuryChanged)


@pytest.mark.rule("MIN-006")
def test_minor_powers_collect_no_victory_points() -> None:
    g = start({"turn": 10})
    while g.state.result is None:
        g.step()
    assert set(g.state.result.ranks) == set(g.state.players)
    assert not {e.power for e in g.all_of(events.VictoryPointsChanged)} & set(g.state.minors)


@pytest.mark.rule("MIN-007")
def test_minor_powers_establish_control_without_combat() -> None:
    g = phase(rolls={"netherlands": (3, 3)})
    assert g.kind("new_guinea", "netherlands") == "protectorate"
    g.step()
    g.dice(1)
    g.step()
    assert not g.all_of(events.ColonialCombat) and g.queue == (1,)


@pytest.mark.rule("MIN-008")
def test_minor_powers_need_links_and_garrisons() -> None:
    g = start()
    assert "rhodesia" in linked_areas(g.tables, g.state, "portugal")
    g = start({"sea_zones": only("portugal", "north_atlantic")})
    assert "rhodesia" not in linked_areas(g.tables, g.state, "portugal")
    g = start({"phase": "marker_adjustment", "areas": {"mozambique": here(marker("portugal", "possession"))}})
    g.step()
    assert g.kind("mozambique", "portugal") == "influence" and g.state.tension == 2
    g = start({"phase": "movement", "powers": {"france": {"treasury": 40}}})
    assert "STA-012" in g.refused("france", "place protectorate angola").rules


@pytest.mark.rule("MIN-009")
def test_minor_power_fights_unrest_under_its_new_protectorate() -> None:
    g = phase({"marocco": {"unrest": True}}, rolls={"spain": (3, 3)})
    assert g.kind("marocco", "spain") == "protectorate" and g.units("marocco", "spain") == ["A1", "A1", "A3"]
    g.step()
    g.dice(6)
    g.step()
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.powers, fight.attack, fight.defend) == (("spain",), 5, 3)
    g = phase(rolls={"spain": (3, 3)})
    g.step()
    g.step()
    assert not g.all_of(events.ColonialCombat)


# Activity


@pytest.mark.rule("MIN-010", "SEQ-009")
def test_one_die_decides_activity() -> None:
    limits = {"belgium": 3, "netherlands": 2, "spain": 1, "portugal": 1, "japan": 4, "russia": 5, "italy": 4}
    for power, limit in limits.items():
        for die, active in ((limit, True), (limit + 1, False)):
            g = start({"phase": "minor_powers"}, 4)
            before = g.state.minors[: g.state.minors.index(power)]
            g.dice(*(HOLDS[p] for p in before), die)
            g.step()
            rolled = {e.power: e for e in g.of(events.MinorActivity)}
            assert (rolled[power].die, rolled[power].active) == (die, active)
            assert bool(directed(g, power)) == active
    assert list(rolled) == list(g.state.minors) and len(rolled) == 7


@pytest.mark.rule("MIN-011", "SEQ-009")
def test_each_minor_power_places_before_the_next_rolls() -> None:
    g = phase(rolls={"belgium": (5, 2), "spain": (6, 5)})
    assert directed(g, "belgium") == [("kongo", True)] and directed(g, "spain") == [("sarawak", True)]
    kinds = [(type(e).__name__, getattr(e, "power", "")) for e in g.last]
    assert kinds.index(("MarkerPlaced", "belgium")) < kinds.index(("MinorActivity", "spain"))
    assert [p for k, p in kinds if k == "MinorActivity"] == ["netherlands", "belgium", "spain", "portugal"]


@pytest.mark.rule("MIN-012")
def test_minor_power_places_the_highest_possible_status() -> None:
    g = phase({"gabon": here()}, rolls={"belgium": (5, 5)})
    assert [(e.area, e.marker) for e in g.of(events.MarkerPlaced)] == [("gabon", "protectorate")]
    # an Influence in quiet Brasil can become nothing more, and is not turned down to an Interest
    g = phase({"brasil": here(marker("portugal", "influence"))}, rolls={"portugal": (1, 1, 4, 4)})
    assert directed(g, "portugal") == [("brasil", False), ("kongo", True)]
    assert g.kind("brasil", "portugal") == "influence"


@pytest.mark.rule("MIN-013")
def test_a_possession_needs_protectorate_army_and_link() -> None:
    kongo = here(marker("belgium", "protectorate"), army("belgium", 1))
    g = phase({"kongo": kongo}, rolls={"belgium": (3, 4)})
    assert g.kind("kongo", "belgium") == "possession"
    g = phase({"kongo": here(marker("belgium", "protectorate"))}, rolls={"belgium": (3, 4, 5, 5)})
    assert g.kind("kongo", "belgium") == "protectorate" and directed(g, "belgium")[0] == ("kongo", False)
    g = phase({"kongo": here(marker("belgium", "influence"))}, rolls={"belgium": (3, 4)})
    assert g.kind("kongo", "belgium") == "protectorate"
    g = phase({"kongo": kongo}, rolls={"belgium": ()}, sea_zones=only("belgium"))
    assert g.kind("kongo", "belgium") == "protectorate" and not directed(g, "belgium")


def all_hexagons(power: str, count: int) -> dict[str, Any]:
    """Areas far away that hold so many Possessions of a Power, each garrisoned."""
    names = ("mexico", "bolivia", "chile", "peru", "ecuador", "colombia")[:count]
    return {a: here(marker(power, "possession"), army(power, 1)) for a in names}


@pytest.mark.rule("MIN-014")
def test_a_protectorate_needs_a_piece() -> None:
    areas = all_hexagons("belgium", 5)
    g = phase(areas, rolls={"belgium": (5, 5)}, homes={"belgium": {"units": [army("belgium", 1)]}})
    assert g.kind("gabon", "belgium") == "influence"
    del areas["mexico"]
    g = phase(areas, rolls={"belgium": (5, 5)}, homes={"belgium": {"units": [army("belgium", 1)]}})
    assert g.kind("gabon", "belgium") == "protectorate"


@pytest.mark.rule("MIN-015", "MIN-016")
def test_the_smallest_army_at_home_goes_with_a_protectorate() -> None:
    g = phase(rolls={"belgium": (5, 5)})
    assert g.units("gabon", "belgium") == ["A1"] and g.units("home:belgium", kind="army") == ["A1", "A3"]
    assert g.of(events.UnitsMoved)[0].path == ("home:belgium", "north_atlantic", "south_atlantic", "gabon")
    g = phase(rolls={"belgium": (5, 5)}, homes={"belgium": {"units": [army("belgium", 3)]}})
    assert g.units("gabon", "belgium") == ["A3"]


@pytest.mark.rule("MIN-017")
def test_smallest_spare_army_comes_from_the_nearest_area() -> None:
    kongo = here(marker("belgium", "protectorate"), army("belgium", 3), army("belgium", 1))
    nobody = {"belgium": {"units": []}}
    g = phase({"kongo": kongo}, rolls={"belgium": (5, 5)}, homes=nobody)
    assert g.units("gabon", "belgium") == ["A1"] and g.units("kongo", "belgium") == ["A3"]
    assert strength(g.state, "belgium") == 4
    # two steps over the sea are farther than one overland
    nigeria = here(marker("belgium", "protectorate"), army("belgium", 1), army("belgium", 1))
    g = phase({"ashantee": nigeria, "kongo": kongo}, rolls={"belgium": (5, 5)}, homes=nobody)
    assert g.units("ashantee", "belgium") == ["A1", "A1"] and g.units("kongo", "belgium") == ["A3"]


@pytest.mark.rule("MIN-018", "MIN-020")
def test_army_comes_from_the_stock_if_none_is_spare() -> None:
    kongo = here(marker("belgium", "protectorate"), army("belgium", 1))
    g = phase({"kongo": kongo}, rolls={"belgium": (5, 5)}, homes={"belgium": {"units": []}})
    assert g.units("gabon", "belgium") == ["A1"] and g.units("kongo", "belgium") == ["A1"]
    assert [e.power for e in g.of(events.UnitsBuilt)] == ["belgium"] and strength(g.state, "belgium") == 2


@pytest.mark.rule("MIN-019")
def test_without_an_army_only_an_influence_is_placed() -> None:
    ships = [naval("belgium", n) for n in (3, 3, 3, 1, 1, 1, 1, 1, 1)]  # all its unit pieces
    g = phase(rolls={"belgium": (5, 5)}, homes={"belgium": {"units": ships}})
    assert g.kind("gabon", "belgium") == "influence" and g.units("gabon", "belgium") == []
    g = phase(rolls={"belgium": (5, 5)}, homes={"belgium": {"units": ships[:-1]}})
    assert g.kind("gabon", "belgium") == "protectorate"


@pytest.mark.rule("MIN-020")
def test_minor_powers_get_units_only_with_a_protectorate() -> None:
    kongo = here(marker("belgium", "protectorate"), army("belgium", 1))
    cases: list[tuple[dict[str, Any], tuple[int, int], str]] = [
        ({}, (5, 5), "gabon"),  # an army from home
        ({"gabon": here(marker("france", "protectorate"), army("france", 1))}, (5, 5), "gabon"),  # an Interest
        ({"kongo": kongo}, (3, 4), "kongo"),  # a Possession
        ({"kongo": here(unrest=True)}, (3, 4), "kongo"),
    ]
    for areas, dice, area in cases:
        before = strength(start({"phase": "minor_powers", "areas": areas}).state, "belgium")
        g = phase(areas, rolls={"belgium": dice})
        assert g.kind(area, "belgium") and strength(g.state, "belgium") == before and not g.of(events.UnitsBuilt)


@pytest.mark.rule("MIN-021", "MIN-031")
def test_dice_are_rolled_again_without_a_link() -> None:
    g = phase(rolls={"belgium": (1, 2, 3, 4)})
    assert directed(g, "belgium") == [("uganda", False), ("kongo", True)]
    assert not area_state(g.state, "uganda").markers
    g = phase(rolls={"portugal": (3, 4)})
    assert directed(g, "portugal") == [("rhodesia", True)] and g.kind("rhodesia", "portugal") == "protectorate"


@pytest.mark.rule("MIN-022", "MIN-027", "MIN-029")
def test_opposing_control_allows_only_an_interest() -> None:
    kamerun = {"kamerun": here(marker("germany", "protectorate"), army("germany", 1))}
    g = phase(kamerun, rolls={"belgium": (3, 6)})
    assert directed(g, "belgium") == [("kamerun", True)] and g.kind("kamerun", "belgium") == "interest"
    kamerun = {"kamerun": here(marker("germany", "possession"), army("germany", 1))}
    g = phase(kamerun, rolls={"belgium": (3, 6, 3, 4)})
    assert directed(g, "belgium") == [("kamerun", False), ("kongo", True)]


@pytest.mark.rule("MIN-023")
def test_a_protectorate_needs_an_open_area_or_unrest() -> None:
    g = phase(rolls={"portugal": (1, 1)})
    assert g.kind("brasil", "portugal") == "influence"
    g = phase({"brasil": {"unrest": True}}, rolls={"portugal": (1, 1)})
    assert g.kind("brasil", "portugal") == "protectorate"
    for unrest in (False, True):  # Unorganized
        g = phase({"gabon": {"unrest": unrest}}, rolls={"belgium": (5, 5)})
        assert g.kind("gabon", "belgium") == "protectorate"
    g = phase(rolls={"japan": (4, 4)}, players=4)  # Korea: a Chinese Vassal
    assert g.kind("korea", "japan") == "protectorate"
    g = phase(rolls={"japan": (1, 3)}, players=4)  # Manchuria: in the Empire
    assert g.kind("manchuria", "japan") == "influence"
    g = phase({"manchuria": {"unrest": True}}, rolls={"japan": (1, 3)}, players=4)
    assert g.kind("manchuria", "japan") == "protectorate"


FAR = ("mexico", "bolivia", "chile", "peru")


@pytest.mark.rule("MIN-025")
def test_an_influence_needs_a_round_piece_or_an_interest_to_turn() -> None:
    brasil = {"brasil": here(marker("portugal", "interest"))}
    three = {a: here(marker("portugal", "influence")) for a in FAR[:3]}
    g = phase({**brasil, **three}, rolls={"portugal": (1, 1)})
    assert g.kind("brasil", "portugal") == "influence"
    four = {a: here(marker("portugal", "influence")) for a in FAR}
    g = phase(four, rolls={"portugal": (1, 1, 4, 4)})
    assert directed(g, "portugal")[0] == ("brasil", False) and g.kind("brasil", "portugal") == ""


@pytest.mark.rule("MIN-026")
def test_an_influence_needs_a_link() -> None:
    # Brasil borders the South Atlantic only
    g = phase(rolls={"portugal": ()}, sea_zones=only("portugal", "north_atlantic"))
    assert not directed(g, "portugal") and g.kind("brasil", "portugal") == ""
    g = phase(rolls={"portugal": (1, 1)}, sea_zones=only("portugal", "north_atlantic", "south_atlantic"))
    assert g.kind("brasil", "portugal") == "influence"


@pytest.mark.rule("MIN-028")
def test_an_interest_needs_a_piece_and_a_link() -> None:
    gabon = {"gabon": here(marker("france", "protectorate"), army("france", 1))}
    g = phase(gabon, rolls={"belgium": (5, 5)})
    assert g.kind("gabon", "belgium") == "interest"
    full = {a: here(marker("belgium", "influence")) for a in FAR}
    g = phase({**gabon, **full, "kongo": here()}, rolls={"belgium": (5, 5, 3, 4)})
    assert directed(g, "belgium")[0] == ("gabon", False)
    g = phase(gabon, rolls={"belgium": ()}, sea_zones=only("belgium", "south_atlantic"))
    assert g.kind("gabon", "belgium") == ""


@pytest.mark.rule("MIN-030", "MIN-031")
@pytest.mark.parametrize(
    "taken",
    [
        all_hexagons("belgium", 5),
        {a: here(marker("belgium", "influence")) for a in ("brasil", "argentina", "siam", "panama")},
    ],
    ids=["round", "hexagon"],
)
def test_minor_power_with_pieces_left_may_be_limited_by_the_map(taken: dict[str, Any]) -> None:
    home = {"belgium": {"units": [army("belgium", 3)]}}
    g = phase({**taken, "kongo": here()}, rolls={"belgium": ()}, homes=home, sea_zones=only("belgium"))
    assert not directed(g, "belgium")
    assert {e.rules for e in g.of(events.Noted) if e.power == "belgium"} == {("MIN-031",)}


@pytest.mark.rule("MIN-030")
def test_without_any_piece_a_minor_power_is_inactive() -> None:
    full = {**all_hexagons("belgium", 5)}
    full |= {a: here(marker("belgium", "influence")) for a in ("brasil", "argentina", "siam", "panama")}
    g = phase({**full, "kongo": here()}, rolls={"belgium": ()}, homes={"belgium": {"units": [army("belgium", 3)]}})
    assert not directed(g, "belgium")
    assert any("MIN-030" in e.rules for e in g.of(events.Noted))
    # an Influence that may become a Protectorate keeps it active
    del full["mexico"]
    full["kongo"] = here(marker("belgium", "influence"))
    del full["panama"]
    g = phase(full, rolls={"belgium": (3, 4)}, homes={"belgium": {"units": [army("belgium", 3)]}})
    assert g.kind("kongo", "belgium") == "protectorate"


@pytest.mark.rule("MIN-031")
def test_with_no_eligible_area_there_is_no_area_roll() -> None:
    foreign = here(marker("france", "possession"), army("france", 1))
    areas = dict.fromkeys(("tunis", "ashantee", "marocco", "mauretania", "sarawak"), foreign)
    g = phase(areas, rolls={"spain": ()})
    assert not directed(g, "spain") and any("MIN-031" in e.rules for e in g.of(events.Noted))
    del areas["sarawak"]
    g = phase(areas, rolls={"spain": (1, 1, 6, 6)})
    assert directed(g, "spain") == [("tunis", False), ("sarawak", True)]


@pytest.mark.rule("MIN-032")
def test_markers_of_minor_powers_are_established_at_once() -> None:
    g = phase(rolls={"portugal": (1, 1)})
    assert g.state.phase == "movement" and g.kind("brasil", "portugal") == "influence"
    assert g.of(events.MarkerPlaced)[0].established


@pytest.mark.rule("MIN-033")
def test_new_minor_control_excludes_control_and_influence() -> None:
    g = phase(rolls={"belgium": (3, 4)}, powers={"france": {"treasury": 60}})
    for kind in ("influence", "protectorate"):
        refusal = g.refused("france", f"place {kind} kongo")
        assert "MIN-033" in refusal.rules
    g.act("france", "place interest kongo")  # accepted


@pytest.mark.rule("MIN-034", "MIN-048", "MIN-022", "COD-001")
def test_two_minor_powers_active_in_one_area_share_it() -> None:
    g = phase(rolls={"belgium": (3, 4), "portugal": (4, 4)})
    assert g.kind("kongo", "belgium") == g.kind("kongo", "portugal") == "protectorate"
    assert set(area_state(g.state, "kongo").codominion) == {"belgium", "portugal"}
    for _ in range(3):
        g.step()
    assert g.state.phase == "negotiation" and not g.state.casus_belli and not g.all_of(events.CasusBelliArose)
    # a Control marker of an earlier turn is in the way
    old = {"kongo": here(marker("belgium", "protectorate"), army("belgium", 1))}
    g = phase(old, rolls={"portugal": (4, 4)})
    assert g.kind("kongo", "portugal") == "interest" and area_state(g.state, "kongo").codominion == ()


@pytest.mark.rule("MIN-047")
def test_minor_influence_yields_to_minor_control_at_once() -> None:
    g = phase(rolls={"portugal": (4, 4)})
    assert g.kind("kongo", "portugal") == "protectorate" and g.kind("kongo", "belgium") == "interest"
    assert g.state.tension == 1 and g.state.phase == "movement"
    # after all have acted: Belgium, which acts before Portugal, and Spain which acts before as well
    sarawak = {"sarawak": here(marker("spain", "influence"))}
    g = phase(sarawak, rolls={"netherlands": (2, 2), "spain": (5, 6)})
    assert g.kind("sarawak", "netherlands") == g.kind("sarawak", "spain") == "protectorate"
    assert set(area_state(g.state, "sarawak").codominion) == {"netherlands", "spain"} and g.state.tension == 0
    g = phase(sarawak, rolls={"netherlands": (2, 2)})
    assert g.kind("sarawak", "spain") == "interest"
    assert [(e.amount, e.blame) for e in g.of(events.TensionRaised)] == [(1, "netherlands")]
    kinds = [type(e) for e in g.last]
    assert kinds.index(events.MarkerLowered) > len(kinds) - 1 - kinds[::-1].index(events.MinorActivity)


@pytest.mark.rule("MIN-047")
def test_a_great_powers_influence_stays() -> None:
    g = phase({"gabon": here(marker("france", "influence"))}, rolls={"belgium": (5, 5)})
    assert g.kind("gabon", "france") == "influence" and g.state.tension == 0


# Unrest


@pytest.mark.rule("MIN-049", "MIN-051", "MIN-054")
def test_armies_of_inactive_powers_go_against_unrest() -> None:
    g = phase({"mozambique": {"unrest": True}})
    assert g.units("mozambique", "portugal") == ["A1", "A1", "A1"] and g.units("home:portugal", kind="army") == []
    assert g.state.phase == "movement"
    g.step()
    g.dice(3)
    g.step()
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.powers, fight.attack, fight.column) == (("portugal",), 3, "3-1")


@pytest.mark.rule("MIN-051")
def test_armies_without_a_path_stay_at_home() -> None:
    g = phase({"cuba": {"unrest": True}})
    assert g.units("home:spain", kind="army") == ["A1", "A1", "A3"] and "A3" in g.units("cuba", "spain")
    g.step()
    g.dice(5)
    g.step()
    assert g.of(events.ColonialCombat)[0].attack == 3


@pytest.mark.rule("MIN-050")
def test_unrest_without_own_control_is_ignored() -> None:
    for kind in ("influence", "interest"):
        g = phase({"marocco": here(marker("spain", kind), unrest=True)})
        assert g.units("home:spain", kind="army") == ["A1", "A1", "A3"] and not g.of(events.UnitsMoved)
    g = phase({"rio_de_oro": {"unrest": True}})
    assert g.units("rio_de_oro", "spain") == ["A1", "A1", "A1", "A3"]


@pytest.mark.rule("MIN-052", "MIN-053")
def test_spare_colonial_armies_go_against_unrest() -> None:
    angola = here(marker("portugal", "possession"), army("portugal", 1), army("portugal", 1))
    nobody = {"portugal": {"units": []}}
    g = phase({"mozambique": {"unrest": True}, "angola": angola}, homes=nobody)
    assert g.units("mozambique", "portugal") == ["A1", "A1"] and g.units("angola", "portugal") == ["A1"]
    # no way, no move
    cuba = here(marker("spain", "possession"), army("spain", 3), army("spain", 1))
    g = phase({"philippines": {"unrest": True}, "cuba": cuba}, homes={"spain": {"units": []}})
    assert g.units("cuba", "spain") == ["A1", "A3"]


@pytest.mark.rule("MIN-053")
def test_smallest_army_stays_as_garrison() -> None:
    nobody = {"portugal": {"units": []}}
    g = phase({"mozambique": {"unrest": True}}, homes=nobody)
    assert g.units("angola", "portugal") == ["A1"] and g.units("mozambique", "portugal") == ["A1"]
    angola = here(marker("portugal", "possession"), army("portugal", 3), army("portugal", 1))
    g = phase({"mozambique": {"unrest": True}, "angola": angola}, homes=nobody)
    assert g.units("angola", "portugal") == ["A1"] and g.units("mozambique", "portugal") == ["A1", "A3"]


@pytest.mark.rule("MIN-055")
def test_armies_go_to_the_most_valuable_area_in_unrest() -> None:
    g = phase({"dutch_east_indies": {"unrest": True}, "guiana": {"unrest": True}})
    assert "A3" in g.units("dutch_east_indies", "netherlands") and g.units("home:netherlands", kind="army") == []
    assert g.units("guiana", "netherlands") == ["A1"]
    g.step()
    g.dice(6)
    g.advance()
    assert g.of(events.ColonialCombat)[0].powers == ("netherlands",)
    both = {"angola": {"unrest": True}, "mozambique": {"unrest": True}}
    for rolls, area in (((1,), "angola"), ((2,), "mozambique"), ((5, 2), "mozambique")):
        g = phase(both, after=rolls)
        assert g.units(area, "portugal") == ["A1", "A1", "A1"]
        assert g.of(events.DiceRolled)[0].dice == rolls and "MIN-055" in g.of(events.DiceRolled)[0].rules
    # where nobody went, those there fight all the same
    g.step()
    g.dice(5, 5)
    g.step()
    assert {(e.area, e.attack) for e in g.of(events.ColonialCombat)} == {("angola", 1), ("mozambique", 3)}


@pytest.mark.rule("MIN-055", "MIN-034")
def test_the_value_is_that_of_the_area_not_the_codominions() -> None:
    # Guiana is worth 4, shared by three 2; Papua 3
    papua = here(marker("netherlands", "protectorate"), army("netherlands", 1), unrest=True)
    g = phase({"guiana": {"unrest": True}, "papua": papua})
    assert g.units("home:netherlands", kind="army") == [] and len(g.units("guiana", "netherlands")) == 4


@pytest.mark.rule("MIN-056")
def test_minor_power_attacks_by_the_ordinary_rules() -> None:
    g = phase({"mozambique": {"unrest": True}})
    g.step()
    g.dice(1)  # 3 against 1: 3-1 on Table 1: EX
    g.step()
    fight = g.of(events.ColonialCombat)[0]
    assert (fight.table, fight.column, fight.result, fight.losses) == (1, "3-1", "EX", 1)
    assert len(g.units("mozambique", "portugal")) == 2 and not area_state(g.state, "mozambique").unrest


@pytest.mark.rule("MIN-057")
def test_an_old_protectorate_becomes_a_possession_by_victory_over_unrest() -> None:
    kongo = {"kongo": here(marker("belgium", "protectorate"), army("belgium", 3), unrest=True)}

    def won(die: int, **rest: Any) -> Bench:
        g = start({"phase": "colonial_combat", "areas": kongo, "turn": 2, **rest}, options=options)
        g.dice(die)
        g.step()
        return g

    options: dict[str, str] = {}
    assert won(6).kind("kongo", "belgium") == "possession"
    assert won(6, sea_zones=only("belgium")).kind("kongo", "belgium") == "protectorate"
    kongo = {"kongo": here(marker("belgium", "protectorate", since=2), army("belgium", 3), unrest=True)}
    assert won(6).kind("kongo", "belgium") == "protectorate"
    options = {"minor_fresh_protectorate_upgrades": "yes"}
    assert won(6).kind("kongo", "belgium") == "possession"


@pytest.mark.rule("MIN-057")
def test_a_protectorate_of_this_turn_stays_one() -> None:
    g = phase({"marocco": {"unrest": True}}, rolls={"spain": (3, 3)})
    g.step()
    g.dice(6)
    g.step()
    assert not area_state(g.state, "marocco").unrest and g.kind("marocco", "spain") == "protectorate"


@pytest.mark.rule("MIN-058")
def test_armies_retreat_to_a_neighbor_or_home() -> None:
    def lost(areas: dict[str, Any] | None = None, **rest: Any) -> Bench:
        patch = {"phase": "colonial_combat", "areas": {"mozambique": {"unrest": True}, **(areas or {})}, **rest}
        g = start(patch)
        g.dice(2)  # 1 against 1: AR
        g.step()
        assert g.of(events.ColonialCombat)[0].result == "AR" and g.waiting() == ()
        return g

    g = lost()
    assert g.of(events.UnitsMoved)[0].path[-1] == "home:portugal" and g.units("mozambique", "portugal") == []
    rhodesia = {"rhodesia": here(marker("portugal", "protectorate"), army("portugal", 1))}
    assert lost(rhodesia).of(events.UnitsMoved)[0].path == ("mozambique", "rhodesia")
    g = lost(sea_zones=only("portugal", "indian_ocean", "south_atlantic"))
    # Angola could be reached by sea, but is not next door, and home cannot be reached
    assert [e.reason for e in g.of(events.UnitsLost)] == ["no_retreat"]


@pytest.mark.rule("MIN-059")
def test_surplus_armies_go_home_in_the_next_turn() -> None:
    pieces = [army("spain", n) for n in (3, 1, 1, 1)]
    patch = {"philippines": here(marker("spain", "possession"), *pieces)}
    rest: dict[str, Any] = {"turn": 2, "moved_minors": {"spain philippines": 1}, "homes": {"spain": {"units": []}}}
    g = phase(patch, **rest)
    assert g.units("philippines", "spain") == ["A1"] and g.units("home:spain", kind="army") == ["A1", "A1", "A3"]
    assert not g.state.moved_minors
    g = phase(patch, **{**rest, "turn": 1})
    assert len(g.units("philippines", "spain")) == 4
    g = phase(patch, **rest, sea_zones=only("spain", "south_china_sea"))
    assert len(g.units("philippines", "spain")) == 4
    g = phase(patch, **{**rest, "moved_minors": {}})
    assert len(g.units("philippines", "spain")) == 4
    with pytest.raises(Refusal) as wrong:
        phase(patch, **{**rest, "moved_minors": {"spain narnia": 1, "spain": 1, "spain cuba": "once"}})
    assert len(wrong.value.detail["problems"]) == 3


@pytest.mark.rule("MIN-059")
def test_armies_go_home_after_suppressing_unrest() -> None:
    g = phase({"mozambique": {"unrest": True}})
    g.step()
    g.dice(6)
    g.step()
    assert len(g.units("mozambique", "portugal")) == 3
    while (g.state.turn, g.state.phase) != (2, "minor_powers"):
        g.step()
    assert len(g.units("mozambique", "portugal")) == 3
    g.dice(*(HOLDS[p] for p in g.state.minors))
    g.step()
    assert g.units("mozambique", "portugal") == ["A1"] and g.units("home:portugal", kind="army") == ["A1", "A1"]


@pytest.mark.rule("STA-050", "STA-051")
def test_minor_russia_keeps_its_western_garrison() -> None:
    g = phase({"manchuria": {"unrest": True}}, rolls={"russia": (5, 6)}, players=5)
    assert g.kind("manchuria", "russia") == "protectorate"
    assert g.units("manchuria", "russia") == ["A10"] and g.units("home:russia", kind="army") == ["A10", "A10", "A10"]
    # inside the zone all of them may go
    g = phase({"rumania": {"unrest": True}}, rolls={"russia": (4, 4)}, players=5)
    assert g.units("rumania", "russia") == ["A10"] * 4
    # with fewer than four none leaves: the army comes out of the stock
    three = {"russia": {"units": [army("russia", 10)] * 3 + [army("russia", 3)]}}
    g = phase({"manchuria": {"unrest": True}}, rolls={"russia": (5, 6)}, players=5, homes=three)
    assert g.units("manchuria", "russia") == ["A3"] and g.units("home:russia", kind="army") == ["A10"] * 3


# Special cases


@pytest.mark.rule("MIN-013", "MIN-015")
def test_influence_with_an_army_is_no_protectorate() -> None:
    kongo = here(marker("belgium", "influence"), army("belgium", 1))
    g = phase({"kongo": kongo}, rolls={"belgium": (3, 4)})
    assert g.kind("kongo", "belgium") == "protectorate"
    assert g.units("kongo", "belgium") == ["A1"] and g.units("home:belgium", kind="army") == ["A1", "A1", "A3"]


@pytest.mark.rule("MIN-017")
def test_nearest_area_gives_the_army() -> None:
    two = here(marker("belgium", "protectorate"), army("belgium", 1), army("belgium", 1))
    areas = {"kongo": two, "ashantee": two}
    for seed in "abcdefgh":
        g = start({"phase": "minor_powers", "areas": areas, "homes": {"belgium": {"units": []}}}, seed=seed)
        g.dice(6, 1, 5, 5, 6, 6)
        g.step()
        assert g.units("kongo", "belgium") == ["A1"]
    # equally near ones are drawn for
    areas = {"ashantee": two, "togoland": two}
    came = set()
    for seed in "abcdefgh":
        g = start({"phase": "minor_powers", "areas": areas, "homes": {"belgium": {"units": []}}}, seed=seed)
        g.dice(6, 1, 5, 5, 6, 6)
        g.step()
        came.add(g.of(events.UnitsMoved)[0].path[0])
    assert came == {"ashantee", "togoland"}


@pytest.mark.rule("MIN-022")
def test_a_great_powers_control_is_in_the_way_however_new() -> None:
    kamerun = {"kamerun": here(marker("germany", "protectorate", since=1), army("germany", 1))}
    g = phase(kamerun, rolls={"belgium": (3, 6)})
    assert g.kind("kamerun", "belgium") == "interest"


@pytest.mark.rule("MIN-034")
def test_single_minor_power_forms_no_codominion() -> None:
    g = phase(rolls={"belgium": (5, 5)})
    assert area_state(g.state, "gabon").codominion == () and not g.of(events.CodominionSet)


@pytest.mark.rule("MIN-023")
def test_a_minor_powers_control_in_an_ottoman_area_brings_a_war() -> None:
    g = phase({"tripoli": {"unrest": True}}, rolls={"italy": (3, 4)}, players=6)
    tripoli = [(e.war, e.power, e.area) for e in g.of(events.WarDue)]
    assert g.kind("tripoli", "italy") == "protectorate" and tripoli == [("ottoman", "italy", "tripoli")]
    g = phase(rolls={"belgium": (5, 5)})
    assert not g.of(events.WarDue)


@pytest.mark.rule("MIN-016", "MIN-018", "MIN-031")
def test_events_name_the_rules_that_made_them() -> None:
    g = phase(rolls={"belgium": (1, 2, 5, 5)})
    assert [e.rules for e in g.of(events.MinorDirected)] == [("MIN-031",), ("MIN-011",)]
    assert "MIN-016" in g.of(events.UnitsMoved)[0].rules and "MIN-032" in g.of(events.MarkerPlaced)[0].rules
    kongo = {"kongo": here(marker("belgium", "protectorate"), army("belgium", 1), army("belgium", 1))}
    g = phase(kongo, rolls={"belgium": (5, 5)}, homes={"belgium": {"units": []}})
    assert "MIN-017" in g.of(events.UnitsMoved)[0].rules


@pytest.mark.rule("MIN-051", "MIN-052", "MIN-059")
def test_only_own_armies_move_against_unrest() -> None:
    # a fleet stays where it is, and so do the partners of a Codominion
    guiana = [army("netherlands", 3), army("netherlands", 1), army("britain", 3), army("britain", 1), army("france", 1)]
    areas = {"dutch_east_indies": {"unrest": True}, "guiana": {"units": guiana}}
    g = phase(areas, options={"counter_limits": "unlimited"})
    assert not g.of(events.DiceRolled)
    assert g.units("dutch_east_indies", "netherlands") == ["A1", "A1", "A3", "A3", "A3", "N1"]
    assert g.units("guiana", "britain") == ["A1", "A3"] and g.units("guiana", "netherlands") == ["A1"]
    assert any(u.kind == "naval" for u in g.state.homes["netherlands"])
    assert g.state.moved_minors == (SentArmies("netherlands", "dutch_east_indies", 1),)
    rules = {e.path[0]: e.rules for e in g.of(events.UnitsMoved)}
    assert "MIN-051" in rules["home:netherlands"] and "MIN-052" in rules["guiana"]
    g = phase({"cuba": {"unrest": True}})
    assert g.state.moved_minors == ()


@pytest.mark.rule("MIN-059")
def test_only_the_surplus_armies_of_the_power_go_home() -> None:
    pieces = [army("spain", 3), army("spain", 1), naval("spain", 3), army("france", 3)]
    both = [marker("spain", "possession"), marker("france", "possession")]
    philippines = here(*both, *pieces, codominion=["spain", "france"])
    rest: dict[str, Any] = {"turn": 2, "moved_minors": {"spain philippines": 1}}
    g = phase({"philippines": philippines}, **rest)
    assert g.units("philippines", "spain") == ["A1", "N3"] and g.units("philippines", "france") == ["A3"]
    g = phase({"philippines": here(both[0], army("spain", 3))}, **rest)
    assert g.units("philippines", "spain") == ["A3"]


@pytest.mark.rule("MIN-055")
def test_no_die_is_rolled_without_a_tie() -> None:
    g = phase({"mozambique": {"unrest": True}})
    assert not g.of(events.DiceRolled)
    g = phase({"dutch_east_indies": {"unrest": True}, "guiana": {"unrest": True}})
    assert not g.of(events.DiceRolled)


@pytest.mark.rule("STA-050", "STA-051")
def test_minor_russia_with_few_heavy_armies_moves_none_of_them_out() -> None:
    # two at home, one in Manchuria beside a small one; Port Arthur rises
    manchuria = here(marker("russia", "protectorate"), army("russia", 10), army("russia", 1))
    port = here(marker("russia", "protectorate"), army("russia", 1), unrest=True)
    areas = {"manchuria": manchuria, "port_arthur": port}
    two = {"russia": {"units": [army("russia", 10)] * 2}}
    g = phase(areas, players=5, homes=two)
    assert "A10" not in g.units("port_arthur", "russia")
    # with four it may go on from there, and three stay in the West
    four = {"russia": {"units": [army("russia", 10)] * 3}}
    g = phase(areas, players=5, homes=four)
    assert g.units("port_arthur", "russia").count("A10") == 1 and g.units("home:russia", kind="army") == ["A10"] * 3
