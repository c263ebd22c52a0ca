"""Supply sources and valid chains on the map (EIA 7.2.3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.empires.supply_lines import is_source, supplying_depot, valid_chain
from tests.empires.land import coast, corps, depot, field, fleet, guard


@pytest.mark.eia("7.2.3.1")
def test_a_source_is_a_depot_with_a_controlled_unbesieged_city_at_home() -> None:
    game = field(depot("alsace", "france"), depot("munich", "france"), depot("black_forest", "france"))
    sources = [
        area for area in ("alsace", "munich", "black_forest") if is_source(game.tables, game.state, "france", area)
    ]
    assert sources == ["alsace", "munich"], "a controlled minor country counts, an area without a city does not"
    lost = replace(game.state, control={"munich": "austria"})
    assert not is_source(game.tables, lost, "france", "munich")
    shut = replace(game.state, campaign=replace(game.state.campaign, sieges={"alsace": "austria"}))
    assert not is_source(game.tables, shut, "france", "alsace")
    assert not is_source(game.tables, game.state, "austria", "munich"), "not in its home nation"


@pytest.mark.eia("7.2.3.1")
def test_an_area_with_enemies_is_no_source() -> None:
    game = field(depot("alsace", "france"), corps("mack", "austria", "alsace"))
    assert not is_source(game.tables, game.state, "france", "alsace")


@pytest.mark.eia("7.2.3.2", "7.2.3.2.3")
def test_a_chain_leads_from_depot_to_depot_and_what_is_cut_off_stays_on_the_map() -> None:
    pieces = [depot(area, "austria") for area in ("vienna", "upper_austria", "munich", "alsace")]
    game = field(*pieces)
    assert valid_chain(game.tables, game.state, "austria") == {"vienna": 1, "upper_austria": 1, "munich": 2}
    assert supplying_depot(game.tables, game.state, "austria", "alsace") is None
    assert len(game.state.depots) == 4


@pytest.mark.eia("7.2.3.2.1")
def test_enemies_between_cut_a_chain_unless_friends_are_there() -> None:
    road = [depot("ansbach", "france"), depot("pilsen", "france"), depot("budweis", "france")]
    game = field(*road)
    assert "budweis" in valid_chain(game.tables, game.state, "france")
    source = depot("franconia", "france")
    for foe in (
        corps("mack", "austria", "ansbach"),
        guard("ansbach", "austria"),
        corps("platov", "austria", "ansbach", 1, kind="cossack"),
    ):
        cut = field(source, depot("upper_palatinate", "france"), foe, control={"upper_palatinate": "austria"})
        assert "upper_palatinate" not in valid_chain(cut.tables, cut.state, "france")
        kept = field(
            source,
            depot("upper_palatinate", "france"),
            foe,
            corps("i", "france", "ansbach"),
            control={"upper_palatinate": "austria"},
        )
        assert "upper_palatinate" in valid_chain(kept.tables, kept.state, "france")


@pytest.mark.eia("7.2.3.2.1")
def test_a_besieged_enemy_corps_cuts_nothing() -> None:
    game = field(
        depot("franconia", "france"),
        depot("upper_palatinate", "france"),
        corps("mack", "austria", "ansbach", inside=True),
        control={"upper_palatinate": "austria"},
    )
    assert "upper_palatinate" not in valid_chain(game.tables, game.state, "france")
    shut = replace(game.state, campaign=replace(game.state.campaign, sieges={"ansbach": "france"}))
    assert "upper_palatinate" in valid_chain(game.tables, shut, "france")


@pytest.mark.eia("7.2.3.2.2")
def test_a_chain_crosses_an_arrow_only_without_an_enemy_fleet() -> None:
    pieces = (depot("ancona", "france"), depot("island", "france"))
    assert "island" in valid_chain(coast(*pieces).tables, coast(*pieces).state, "france")
    shut = coast(*pieces, fleet("a1", "austria", "adriatic"))
    assert "island" not in valid_chain(shut.tables, shut.state, "france")


@pytest.mark.eia("7.2.3.3.3")
def test_depots_of_two_powers_form_no_chain() -> None:
    game = field(depot("franconia", "france"), depot("ansbach", "austria"), depot("pilsen", "france"))
    state = replace(game.state, control={"pilsen": "austria"})
    assert set(valid_chain(game.tables, state, "france")) == {"franconia", "pilsen"}, "two areas apart by itself"
    far = field(depot("franconia", "france"), depot("ansbach", "austria"), depot("prague", "france"))
    assert set(valid_chain(far.tables, far.state, "france")) == {"franconia"}
