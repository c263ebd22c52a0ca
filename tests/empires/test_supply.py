"""The supply step: who forages, who pays, what it costs (EIA 7.4)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.empires.events.land import Foraged, Supplied
from paxtui.games.empires.pieces import Factors
from tests.empires.land import DECEMBER, at_movement, corps, depot, field, guard, leader, tables
from tests.empires.scripted_game import ScriptedGame, alliance, war


def money(game: ScriptedGame, power: str = "france") -> int:
    """What a Power has."""
    return game.state.accounts[power].money


@pytest.mark.eia("7.4")
def test_only_corps_and_besieged_forces_need_supply() -> None:
    game = at_movement(
        guard("alsace", "france"),
        corps("c", "france", "franconia", 1, kind="cossack"),
        leader("ney", "france", "alsace"),
        depot("alsace", "france"),
    )
    game.act("france", "done")
    assert money(game) == 20
    assert not game.events_of(Foraged)


@pytest.mark.eia("7.4.1", "7.3.1.4")
def test_a_corps_may_forage_and_must_where_no_depot_is_near() -> None:
    near = at_movement(corps("i", "france", "alsace"), depot("alsace", "france"))
    near.act("france", "forage i", 1)
    assert near.refused("france", "march i to baden") == "march_over"
    near.act("france", "done")
    assert money(near) == 20
    far = at_movement(corps("i", "france", "munich"), depot("alsace", "france"))
    far.act("france", "done", 1)
    assert [event.corps for event in far.events_of(Foraged)] == ["i"]


@pytest.mark.eia("7.4.1")
def test_after_a_force_march_a_corps_forages_even_on_a_depot() -> None:
    game = at_movement(corps("i", "france", "baden"), depot("alsace", "france"))
    game.acts("france: force march i to alsace")
    game.act("france", "done", 1)
    assert game.events_of(Foraged)
    assert money(game) == 20


@pytest.mark.eia("7.4.1.1")
def test_the_lowest_forage_value_on_the_way_counts_and_not_that_of_the_start() -> None:
    game = at_movement(corps("i", "france", "black_forest"))
    game.acts("france: march i to swabia,augsburg")
    game.act("france", "forage i", 5)
    roll = game.events_of(Foraged)[0]
    assert (roll.value, roll.die, dict(roll.modifiers)) == (3, 5, {"unused movement points": -1, "own territory": -1})
    assert game.state.corps["i"].factors.total == 5
    still = at_movement(corps("i", "france", "black_forest"))
    still.act("france", "forage i", 6)
    assert still.events_of(Foraged)[0].value == 2


@pytest.mark.eia("7.4.1.2.1")
def test_corps_of_both_sides_crowd_an_area() -> None:
    game = at_movement(
        corps("i", "france", "munich"),
        corps("ii", "france", "munich", inside=True),
        corps("m", "austria", "munich"),
        corps("c", "france", "munich", 1, kind="cossack"),
    )
    game.act("france", "forage i", 1)
    assert dict(game.events_of(Foraged)[0].modifiers)["other corps here"] == 2


@pytest.mark.eia("7.4.1.2.4", "7.4.1.2.5")
def test_winter_and_foreign_land_count_where_it_stands() -> None:
    game = at_movement(corps("i", "france", "vienna"), turn=DECEMBER)
    game.act("france", "forage i", 1)
    assert dict(game.events_of(Foraged)[0].modifiers) == {"unused movement points": -3, "winter": 2}
    home = at_movement(corps("i", "france", "alsace"), turn=DECEMBER)
    home.act("france", "forage i", 1)
    assert dict(home.events_of(Foraged)[0].modifiers) == {"unused movement points": -3, "own territory": -1}


@pytest.mark.eia("7.4.1.2.5")
def test_corps_that_was_abroad_this_month_is_not_in_its_own_territory() -> None:
    game = at_movement(corps("i", "france", "augsburg", kind="cavalry"))
    game.acts("france: march i to tyrol,munich")
    game.act("france", "forage i", 1)
    assert "own territory" not in dict(game.events_of(Foraged)[0].modifiers)


@pytest.mark.eia("7.4.1.3")
def test_the_owner_chooses_what_is_lost() -> None:
    mixed = corps("i", "france", "tyrol", factors=Factors(infantry=3, militia=1, cavalry=1))
    game = at_movement(mixed)
    game.act("france", "forage i", 6)
    assert game.events_of(Foraged)[0].loss == 2
    assert game.open_question == ("france", "forage_losses")
    game.act("france", "answer infantry=1,cavalry=1")
    assert game.state.corps["i"].factors == Factors(infantry=2, militia=1)


@pytest.mark.eia("7.4.1.3.1", "7.4.1.3.2")
@pytest.mark.parametrize(("began", "corps_left", "behind"), [(3, 1, 0), (5, 1, 2), (4, 1, 1)])
def test_the_example_with_two_detached_on_the_map(began: int, corps_left: int, behind: int) -> None:
    """Two factors stay in a city on the way, and foraging then costs two (EIA 7.4.1.3.2)."""
    game = at_movement(corps("i", "france", "augsburg", began))
    game.acts("france: detach i infantry=2", "france: march i to tyrol,munich")
    game.act("france", "forage i", 3)
    assert game.events_of(Foraged)[0].loss == 2
    held = sum(one.factors.total for one in game.state.garrisons)
    assert (game.state.corps["i"].factors.total, held) == (corps_left, behind)


@pytest.mark.eia("7.4.1.3.1")
def test_owner_chooses_between_garrisons_in_two_places() -> None:
    game = at_movement(corps("i", "france", "wurttemberg", 4))
    game.acts("france: detach i infantry=1", "france: march i to ansbach", "france: detach i infantry=2")
    game.act("france", "march i to pilsen")
    game.act("france", "forage i", 6)
    assert game.events_of(Foraged)[0].loss == 2
    assert game.open_question == ("france", "losses_left_behind")
    game.acts("france: answer wurttemberg:city", "france: done")
    assert [(one.where, one.factors.total) for one in game.state.garrisons] == [("ansbach", 1)]


@pytest.mark.eia("7.4.1.3.3")
def test_with_the_last_corps_of_an_area_its_leaders_leave_the_map() -> None:
    game = at_movement(corps("i", "france", "tyrol", 1), leader("ney", "france", "i"))
    game.act("france", "forage i", 6)
    assert "i" not in game.state.corps
    assert game.state.leaders["ney"].where == ""
    two = at_movement(corps("i", "france", "tyrol", 1), corps("ii", "france", "tyrol"), leader("ney", "france", "i"))
    two.act("france", "forage i", 6)
    assert two.state.leaders["ney"].where == "ii"


@pytest.mark.eia("7.4.2", "7.4.2.1.1")
def test_a_corps_three_areas_from_its_depot_costs_three() -> None:
    game = at_movement(corps("i", "france", "alsace"), depot("alsace", "france"))
    game.acts("france: march i to baden,wurttemberg,ansbach", "france: done")
    assert money(game) == 17
    assert [event.how for event in game.events_of(Supplied)] == ["paid"]


@pytest.mark.eia("7.4.2.1")
def test_the_sum_is_rounded_up() -> None:
    game = at_movement(*(corps(name, "france", "alsace") for name in "abc"), depot("alsace", "france"))
    game.act("france", "done")
    assert money(game) == 18


@pytest.mark.eia("7.4.2.1", "7.4.1")
def test_corps_without_paid_supply_must_forage() -> None:
    game = at_movement(
        corps("i", "france", "wurttemberg"), corps("ii", "france", "alsace"), depot("alsace", "france"), money=1
    )
    game.act("france", "done")
    assert (game.state.cursor.step, game.state.cursor.powers) == ("supply", ("france",))
    assert game.refused("france", "done") == "no_money"
    game.act("france", "forage i", 1)
    assert game.state.cursor.step != "supply"
    assert money(game) == 0


@pytest.mark.eia("7.4.2.1.3")
def test_winter_doubles_the_price_in_the_winter_zone() -> None:
    game = at_movement(corps("m", "austria", "vienna"), depot("vienna", "austria"), turn=DECEMBER)
    game.acts("france: done", "austria: done", "austria: done")
    assert money(game, "austria") == 19
    zone = at_movement(
        *(corps(name, "austria", "vienna") for name in "ab"),
        corps("c", "france", "alsace"),
        depot("vienna", "austria"),
        depot("alsace", "france"),
        turn=DECEMBER,
    )
    zone.acts("france: done", "austria: done", "austria: done")
    assert (money(zone), money(zone, "austria")) == (19, 18)


@pytest.mark.eia("7.4.2.2")
def test_an_ally_may_supply_and_pays() -> None:
    three = tables(powers=("france", "austria", "prussia"), prizes={}, minors=())
    cell = next(iter(three.cells.values()))
    three = replace(three, cells={**three.cells, "depots.prussia": cell})
    pieces = (corps("p", "prussia", "alsace"), depot("alsace", "france"))
    for answer, paid, dice in (("yes", 1, ()), ("no", 0, (1,))):
        game = field(*pieces, on=three, relations=(alliance("france", "prussia"), war("austria", "france")))
        for _ in range(20):
            if game.state.cursor.powers == ("prussia",) and game.state.cursor.step == "movement":
                break
            game.act(game.state.cursor.powers[0], "done")
        game.act("prussia", "ask france to supply p")
        assert game.open_question == ("france", "allied_supply")
        game.act("france", f"answer {answer}")
        game.act("prussia", "done", *dice)
        assert (money(game), money(game, "prussia")) == (20 - paid, 20)


@pytest.mark.eia("7.4.2")
def test_after_movement_only_those_forage_that_cannot_be_paid_for() -> None:
    pieces = (corps("i", "france", "alsace"), depot("alsace", "france"))
    far = (corps("ii", "france", "vienna"), depot("vienna", "austria"))
    early = at_movement(*pieces, *far, relations=(alliance("france", "austria"),))
    early.act("france", "forage i", 1)
    late = at_movement(*pieces, *far, relations=(alliance("france", "austria"),))
    late.act("france", "done")
    assert (late.state.cursor.step, late.waiting) == ("supply", ("france",))
    assert late.refused("france", "forage i") == "too_late"
    late.act("france", "forage ii", 1)
    assert [event.corps for event in late.events_of(Foraged)] == ["ii"]
    assert money(late) == 19
