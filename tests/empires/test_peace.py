"""Peace: suing, terms, what it costs, and who goes home (4.4)."""

from __future__ import annotations

from msgspec.structs import replace
from pytest import mark, raises

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.empires.board import is_allied, is_at_war, is_bound_by_peace
from paxtui.games.empires.events.politics import CompetitiveRolled
from paxtui.games.empires.pieces import Depot, Factors, Fleet, Garrison
from paxtui.games.empires.politics.peace import check_fleets_left, send_home
from paxtui.games.empires.position import starting_state
from paxtui.games.empires.state import Minor, Politics, Relation
from paxtui.games.empires.transaction import Transaction
from paxtui.session.tables.exercises import load_exercise
from tests.empires.scripted_game import ScriptedGame, alliance, start_game, war

TABLES = load_exercise("cabinet-1805")
WAR = war("france", "austria")
BOTH = (war("france", "prussia", 1, 21660), war("austria", "prussia", 2))
TERMS = tuple(TABLES.terms)


def at_peace_step(*relations: Relation, **changes: object) -> ScriptedGame:
    """The Peace Step of a position."""
    game = start_game(TABLES, *relations, **changes)
    game.until("peace")
    return game


def proposed(game: ScriptedGame, *orders: str) -> ScriptedGame:
    """Orders, and then all who are waited for are done."""
    game.acts(*orders)
    game.acts(*(f"{power}: done" for power in game.state.powers if power not in _out(game)))
    return game


def _out(game: ScriptedGame) -> set[str]:
    """The Powers that are not at war."""
    return {
        one for one in game.state.powers if not any(is_at_war(game.state, one, other) for other in game.state.powers)
    }


@mark.eia("4.4", "4.4.1", "4.4.6.2")
def test_an_informal_peace_has_no_points_and_no_enforced_time_but_forces_go_home() -> None:
    game = proposed(at_peace_step(WAR), "france: offer peace to austria", "austria: offer peace to france")
    assert not is_at_war(game.state, "france", "austria")
    assert not is_bound_by_peace(game.state, "france", "austria")
    assert game.points("france", "austria") == [10, 10]
    assert game.state.corps["f1"].where == "alsace"


@mark.eia("4.4.1")
def test_an_offer_that_is_not_returned_makes_no_peace() -> None:
    game = proposed(at_peace_step(WAR), "france: offer peace to austria")
    assert is_at_war(game.state, "france", "austria")


@mark.eia("4.4.1")
def test_powers_that_sue_each_other_make_an_informal_peace() -> None:
    game = proposed(at_peace_step(WAR), "france: sue austria", "austria: sue france")
    assert not is_at_war(game.state, "france", "austria")
    assert game.points("france", "austria") == [10, 10]
    assert not game.state.treaties


@mark.eia("4.4")
def test_peace_is_made_in_its_own_step_only() -> None:
    game = start_game(TABLES, WAR)
    assert game.refused("france", "offer peace to austria") == "not_this_step"


@mark.eia("4.4.2")
def test_only_enemies_are_sued_for_peace() -> None:
    game = at_peace_step(WAR)
    assert game.refused("france", "sue prussia") == "no_enemy"
    assert game.refused("france", "sue bavaria") == "no_enemy"


@mark.eia("4.4.2.1")
def test_an_enemy_outside_the_borders_is_sued_with_all_the_others_or_not_at_all() -> None:
    game = at_peace_step(*BOTH)
    assert game.refused("prussia", "sue austria") == "not_invaded"
    game.act("prussia", "sue austria,france")
    game = at_peace_step(WAR, war("austria", "prussia", 2))
    game.act("austria", "sue france")  # its corps stands in Tyrol


@mark.eia("4.4.2.2", "4.4.2.3.1", "4.4.3", "4.4.6.3")
def test_a_conditional_peace_must_be_accepted_and_has_a_term_of_a_and_two_of_b() -> None:
    game = proposed(at_peace_step(WAR), "austria: sue france")
    assert game.open_question == ("france", "offer")
    game.act("france", "answer conditional")
    assert game.open_question == ("austria", "given"), "no question whether it is accepted"
    assert game.state.questions[-1].choices == ("a.1", "a.2", "a.3", "a.4", "a.5")
    game.act("austria", "answer a.2")
    assert {one[0] for one in game.state.questions[-1].choices if one != "none"} == {"b"}
    game.acts("france: answer b.1", "france: answer b.3")
    assert game.points("france", "austria") == [13, 5]
    treaty = game.state.treaties[0]
    assert (treaty.kind, treaty.terms) == ("conditional", ("a.2", "b.1", "b.3"))
    enforced = [one for one in game.state.relations if one.kind == "enforced_peace"]
    assert {(one.a, one.until - treaty.turn) for one in enforced} == {("france", 17), ("austria", 17)}
    later = replace(game.state, turn=treaty.turn + 18)
    assert is_bound_by_peace(game.state, "france", "austria") and not is_bound_by_peace(later, "france", "austria")


@mark.eia("4.4.2.2", "4.4.2.3.2", "4.4.4")
def test_an_unconditional_peace_may_be_declined_and_has_three_terms_of_b_and_c() -> None:
    game = proposed(at_peace_step(WAR), "austria: sue france")
    game.acts("france: answer unconditional", "austria: answer decline")
    assert is_at_war(game.state, "france", "austria")
    assert game.points("france", "austria") == [10, 10]
    game = proposed(at_peace_step(WAR), "austria: sue france")
    game.acts("france: answer unconditional", "austria: answer accept")
    game.acts("france: answer c.3", "france: answer b.1", "france: answer c.2")
    assert game.points("france", "austria") == [15, 2]
    assert game.state.treaties[0].terms == ("c.3", "b.1", "c.2")


def surrendered(*kinds: str) -> ScriptedGame:
    """Prussia surrenders to France and to Austria; each says which kind of peace it offers."""
    game = proposed(at_peace_step(*BOTH), "prussia: sue france,austria")
    game.acts(f"france: answer {kinds[0]}", f"austria: answer {kinds[1]}")
    for kind in kinds:
        if kind == "unconditional":
            game.act("prussia", "answer accept")
    for kind in kinds:
        if kind == "conditional":
            game.act("prussia", "answer a.1")
    return game


@mark.eia("4.4.5", "4.4.5.1", "4.4.5.2", "4.4.5.3")
def test_two_victors_choose_in_turns_and_the_loser_pays_once() -> None:
    game = surrendered("unconditional", "unconditional")
    assert game.open_question == ("france", "term"), "France went to war first"
    game.act("france", "answer b.4")
    assert game.open_question == ("austria", "term")
    left = game.state.questions[-1].choices
    assert not {"b.1", "b.4", "c.1"} & set(left), "the example of 4.4.5.3"
    assert game.refused("austria", "answer b.4") == "no_choice"
    game.acts("austria: answer c.6", "france: answer none", "austria: answer b.2", "austria: answer none")
    assert game.points("france", "austria", "prussia") == [15, 15, 2]
    assert [one.terms for one in game.state.treaties] == [("b.4",), ("b.2",)], "one victor alone did not take c.6"


@mark.eia("4.4.5.3")
def test_a_term_that_all_victors_take_stands() -> None:
    game = surrendered("unconditional", "unconditional")
    game.acts("france: answer c.6", "austria: answer c.6", "france: answer none", "austria: answer none")
    assert [one.terms for one in game.state.treaties] == [("c.6",), ("c.6",)]


@mark.eia("4.4.2.3.2", "4.4.5")
def test_one_unconditional_surrender_among_conditional_ones_sets_the_loss() -> None:
    game = surrendered("conditional", "unconditional")
    game.acts("france: answer none", "austria: answer none")
    assert game.points("france", "austria", "prussia") == [13, 15, 2]


@mark.eia("4.4.5.2")
def test_victors_that_went_to_war_together_roll_for_the_choice() -> None:
    game = at_peace_step(war("france", "prussia", 1), war("austria", "prussia", 1))
    game.act("prussia", "sue france,austria")
    game.acts("france: done", "austria: done")
    game.act("prussia", "done", 2, 5)
    assert game.events_of(CompetitiveRolled)[0].order == ("austria", "france")
    assert [one.victor for one in game.state.politics.surrenders] == ["austria", "france"]


@mark.eia("4.4.6.2")
def test_garrisons_and_depots_leave_and_fleets_must_leave() -> None:
    areas = tuple(replace(one, port=True) if one.id == "vienna" else one for one in TABLES.exercise.areas)
    tables = replace(TABLES, exercise=replace(TABLES.exercise, areas=areas))
    guard = Garrison(where="vienna", power="france", factors=Factors(infantry=3))
    fleet = Fleet(id="toulon", power="france", where="vienna", box="port", ships=5)
    made = Politics(peace=(("france", "austria", "informal"),))
    state = replace(starting_state(tables), relations=(), politics=made, garrisons=(guard,), fleets={"toulon": fleet})
    play = Transaction(tables, replace(state, depots=(Depot(where="tyrol", power="france"),)), Dice(""))
    while send_home(play):
        pass
    assert [(one.where, one.factors.infantry) for one in play.state.garrisons] == [("paris", 3)]
    assert not play.state.depots
    assert play.state.leaving == ("toulon",)
    with raises(Refusal):
        check_fleets_left(play, "france")
    gone = Transaction(tables, replace(play.state, fleets={"toulon": replace(fleet, box="blockade")}), Dice(""))
    check_fleets_left(gone, "france")


@mark.eia("4.4.6.2")
def test_the_owner_chooses_between_areas_that_are_equally_near() -> None:
    areas = tuple(replace(one, owner="france") if one.id == "bavaria" else one for one in TABLES.exercise.areas)
    tables = replace(TABLES, exercise=replace(TABLES.exercise, areas=areas, minors=()))
    corps = replace(TABLES.exercise.corps[0], where="saxony")
    borders = (*TABLES.exercise.borders, replace(TABLES.exercise.borders[0], a="saxony", b="alsace"))
    tables = replace(tables, exercise=replace(tables.exercise, borders=borders))
    game = start_game(tables, war("france", "prussia"), corps={"f1": corps})
    game.until("peace")
    proposed(game, "france: offer peace to prussia", "prussia: offer peace to france")
    assert game.open_question == ("france", "corps_home")
    assert set(game.state.questions[-1].choices) == {"alsace", "bavaria"}
    game.act("france", "answer bavaria")
    assert game.state.corps["f1"].where == "bavaria"


@mark.eia("4.4.6.2")
def test_a_victor_with_access_stays_but_leaves_the_capital() -> None:
    guard = Garrison(where="vienna", power="france", factors=Factors(infantry=3))
    game = start_game(TABLES, WAR, garrisons=(guard,))
    game.until("peace")
    proposed(game, "austria: sue france")
    game.acts("france: answer unconditional", "austria: answer accept", "france: answer c.5", "france: answer none")
    assert game.state.corps["f1"].where == "tyrol"
    assert [one.where for one in game.state.garrisons] == ["bavaria"]


@mark.eia("4.4.7")
def test_power_without_its_ally_may_demand_the_end_of_the_alliance() -> None:
    """The example of 4.4.7: Prussia surrenders to Austria only, and Russia (here France) demands."""
    relations = (war("france", "prussia"), war("austria", "prussia", 2), alliance("france", "austria"))
    corps = replace(TABLES.exercise.corps[2], where="berlin")
    game = at_peace_step(*relations, corps={"a1": corps})
    proposed(game, "prussia: sue austria")
    game.acts("austria: answer conditional", "prussia: answer a.1", "austria: answer none")
    assert game.open_question == ("france", "demand")
    game.act("france", "answer demand")
    assert not is_allied(game.state, "france", "austria")
    assert game.points("france", "austria", "prussia") == [10, 11, 5], "+3 and -2 for Austria"


@mark.eia("4.6.6")
def test_war_with_a_minor_country_ends_if_no_corps_invaded_it() -> None:
    bavaria = Minor(id="bavaria", status="free", controller="prussia", districts=2)
    game = start_game(TABLES, war("france", "bavaria", 1, 21660), minors={"bavaria": bavaria})
    game.until("alliances")
    assert not is_at_war(game.state, "france", "bavaria")
    corps = replace(TABLES.exercise.corps[0], where="bavaria")
    game = start_game(TABLES, war("france", "bavaria", 1, 21660), minors={"bavaria": bavaria}, corps={"f1": corps})
    game.until("alliances")
    assert is_at_war(game.state, "france", "bavaria")
