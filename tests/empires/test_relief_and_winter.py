"""Rules of ours in the campaign: relief of a siege, what follows a combat, and winter. Older tables lack the cells."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.games.empires.battle.sides import SINGLE_FACTORS, STANDING_ORDER
from paxtui.games.empires.battle.siege import (
    EMPTY_CITY,
    LINES,
    OWN_LOSSES,
    RELIEF_DAYS,
    breach_needed,
    continue_assault,
)
from paxtui.games.empires.calendar import is_winter
from paxtui.games.empires.events.campaign import AssaultFought, AssaultOver, BreachRolled, CasualtiesOwed, FieldLeft
from paxtui.games.empires.events.land import BattleBegan, BattleOver, CorpsStrength, LeaderMoved, Quartered
from paxtui.games.empires.land.movement import WINTER_MOUNTAIN
from paxtui.games.empires.narration import answer_text, record_lines
from paxtui.games.empires.pieces import Assault, Campaign, Factors
from paxtui.games.empires.position import seat_view
from paxtui.games.empires.reports import battle_board
from paxtui.games.empires.supply_step import is_in_winter
from paxtui.games.empires.tables import Tables
from paxtui.games.empires.transaction import Transaction
from tests.empires.land import (
    CAMPAIGN,
    DECEMBER,
    SEPTEMBER,
    ULM,
    Piece,
    corps,
    depot,
    field,
    guard,
    leader,
    met,
    picked,
)
from tests.empires.scripted_game import ScriptedGame


def without(cell: str, on: Tables = ULM) -> Tables:
    """The same tables as they were before a rule."""
    return replace(on, cells={name: value for name, value in on.cells.items() if name != cell})


def relieved(*pieces: Piece, on: Tables = ULM) -> ScriptedGame:
    """A French corps that besieges Ulm, and what comes to its relief, when Austria has moved."""
    siege = Campaign(sieges={"ulm": "france"}, besieged_since={"ulm": SEPTEMBER})
    game = field(
        corps("i", "france", "ulm", 20),
        guard("ulm", "austria", 2),
        depot("ulm", "france"),
        *pieces,
        on=on,
        campaign=siege,
        turn=SEPTEMBER,
    )
    for _ in range(20):
        if game.state.cursor.powers == ("austria",) and game.state.cursor.step == "movement":
            return game
        game.act(game.waiting[0], "answer no" if game.state.questions else "done")
    raise AssertionError("Austria does not move")


def fight_on(game: ScriptedGame) -> None:
    """Fight a day of rounds in which no side breaks: the lowest dice, and losses of the first kind."""
    game.act("austria", "chit probe")
    game.act("france", "chit defend", 1, 1)
    while game.state.campaign.battle is not None and game.state.questions:
        kind = game.state.questions[-1].kind
        if kind in ("casualties", "end_of_day", "field_retreat"):
            return
        game.act(game.waiting[0], "answer none", 1, 1)


RELIEF = (corps("m", "austria", "memmingen", 20), leader("mack", "austria", "m", strategic=4, tactical=2))


@pytest.mark.eia("7.5.4.2.3")
def test_a_combat_of_relief_lasts_one_day() -> None:
    game = relieved(*RELIEF)
    game.acts("austria: march m to ulm", "austria: done")
    fight_on(game)
    assert game.open_question == ("austria", "field_retreat")
    left = game.events_of(FieldLeft)[0]
    assert (left.side, left.why) == ("attacker", "undecided")
    before = relieved(*RELIEF, on=without(RELIEF_DAYS))
    before.acts("austria: march m to ulm", "austria: done")
    fight_on(before)
    assert before.open_question == ("austria", "end_of_day")


@pytest.mark.eia("7.5.4.2.3")
@pytest.mark.parametrize("limited", [True, False])
def test_no_corps_is_called_to_a_combat_of_relief(limited: bool) -> None:
    game = relieved(*RELIEF, corps("k", "austria", "augsburg", 5), on=ULM if limited else without(RELIEF_DAYS))
    game.acts("austria: march m to ulm", "austria: done", "austria: chit probe")
    game.act("france", "chit defend", 1, 1, *((1, 1, 1, 1) if limited else ()))
    assert (game.open_question == ("austria", "call_corps")) == (not limited)


@pytest.mark.eia("7.5.4.2.3")
def test_besieged_corps_of_an_ally_join_the_relief_and_may_return() -> None:
    game = relieved(corps("k", "russia", "memmingen", 8, inside=False), corps("m", "austria", "ulm", 6, inside=True))
    while game.state.cursor.powers != ("russia",) or game.state.cursor.step != "movement":
        game.act(game.waiting[0], "answer no" if game.state.questions else "done")
    game.acts("russia: march k to ulm", "russia: done")
    assert game.open_question == ("austria", "sortie")
    game.act("austria", "answer yes")
    began = game.events_of(BattleBegan)[-1].battle
    assert began.attacker.powers == ("russia", "austria")
    assert set(began.attacker.corps) == {"k", "m"}
    game.act("russia", "chit probe")
    game.act("france", "chit defend", 1, 1)
    while game.state.questions[-1].kind == "casualties":
        game.act(game.waiting[0], f"answer {game.state.questions[-1].choices[0]}")
    assert game.open_question == ("russia", "field_retreat")
    game.act("russia", f"answer {game.state.questions[-1].choices[0]}")
    assert game.open_question == ("austria", "field_retreat")
    game.act("austria", "answer ulm")
    assert game.state.corps["m"].inside
    assert "ulm" in game.state.campaign.sieges
    assert game.events_of(Quartered)[-1].inside


SECOND = corps("ii", "france", "ulm", 3)
"""A second corps before Ulm."""


@pytest.mark.eia("7.5.4.2.3a")
def test_a_besieger_chooses_which_corps_meet_the_relief() -> None:
    game = relieved(*RELIEF, SECOND)
    game.acts("austria: march m to ulm", "austria: done")
    assert game.open_question == ("france", "hold_back")
    assert game.state.questions[-1].choices == ("none", "i", "ii")
    assert "ii" not in str(seat_view(game.state, "austria"))
    game.act("france", "answer ii")
    battle = game.state.campaign.battle
    assert battle is not None and battle.defender.corps == ("i",)
    assert any("1 more corps in the siege lines" in line for line in battle_board(game.tables, game.state))
    assert "ii" not in str(seat_view(game.state, "austria"))
    before = relieved(*RELIEF, SECOND, on=without(LINES))
    before.acts("austria: march m to ulm", "austria: done")
    battle = before.state.campaign.battle
    assert battle is not None and battle.defender.corps == ("i", "ii")


@pytest.mark.eia("7.5.4.2.3a")
@pytest.mark.parametrize(("relief", "second", "dice", "siege"), [(20, 1, (6, 1), False), (3, 20, (1, 6), True)])
def test_corps_in_the_siege_lines_leave_with_the_beaten_and_lose_nothing(
    relief: int, second: int, dice: tuple[int, int], siege: bool
) -> None:
    game = relieved(corps("m", "austria", "memmingen", relief), corps("ii", "france", "ulm", second))
    game.acts("austria: march m to ulm", "austria: done", "france: answer i", "austria: chit assault")
    game.act("france", "chit defend", *dice)
    while game.state.campaign.battle is not None:
        game.act(game.waiting[0], f"answer {game.state.questions[-1].choices[0]}")
    assert game.events_of(BattleOver)[0].winner == ("france" if siege else "austria")
    assert game.state.corps["i"].factors.total == 20
    assert (game.state.corps["i"].where == "ulm") == siege
    assert ("ulm" in game.state.campaign.sieges) == siege


@pytest.mark.eia("7.5.2.10.1.2")
def test_the_outflanking_force_retreats_with_a_beaten_pinning_force() -> None:
    game = met(
        corps("i", "france", "black_forest", 2),
        corps("ii", "france", "black_forest", 12),
        corps("m", "austria", "black_forest", 20),
        leader("ney", "france", "i", strategic=1, tactical=4),
    )
    picked(game, "outflank", "counterattack")
    game.act("france", "answer ii", 1, 6, 6, 1, 6)
    over = game.events_of(BattleOver)[0]
    assert (over.winner, over.why) == ("austria", "broken")
    assert game.state.corps["ii"].where != "black_forest"
    assert game.state.corps["ii"].factors.total == 12


@pytest.mark.eia("7.5.2.14")
@pytest.mark.parametrize(("answer", "owners"), [("destroy", []), ("convert", ["france"])])
def test_the_victor_takes_a_depot_that_the_enemy_has_left(answer: str, owners: list[str]) -> None:
    game = met(
        corps("i", "france", "black_forest", 20),
        corps("m", "austria", "black_forest", 2),
        depot("black_forest", "austria"),
    )
    picked(game, "escalated_assault", "defend", 6, 1)
    assert game.open_question == ("france", "captured_depot")
    game.act("france", f"answer {answer}")
    assert [one.power for one in game.state.depots if one.where == "black_forest"] == owners


@pytest.mark.eia("7.5.5")
def test_a_corps_without_factors_leaves_the_map_and_its_leader_goes_to_the_next() -> None:
    game = met(
        corps("i", "france", "black_forest", factors=Factors(infantry=20)),
        corps("m", "austria", "black_forest", factors=Factors(militia=1)),
        corps("n", "austria", "black_forest", factors=Factors(infantry=9)),
        leader("mack", "austria", "m", strategic=2, tactical=2),
    )
    picked(game, "escalated_assault", "defend", 6, 1)
    assert "m" not in game.state.corps
    assert [one.where for one in game.events_of(LeaderMoved)] == ["n"]


@pytest.mark.eia("9.1", "9.2")
@pytest.mark.parametrize(
    ("month", "on", "cost"),
    [(SEPTEMBER, ULM, 2), (DECEMBER, ULM, 3), (DECEMBER, without(WINTER_MOUNTAIN), 2)],
)
def test_a_mountain_of_the_winter_zone_costs_one_point_more_in_winter(month: int, on: Tables, cost: int) -> None:
    game = field(corps("i", "austria", "munich"), on=on, turn=month)
    while game.state.cursor.powers != ("austria",) or game.state.cursor.step != "movement":
        game.act(game.waiting[0], "done")
    game.act("austria", "march i to tyrol")
    assert game.state.corps["i"].moved == cost


@pytest.mark.eia("9.1", "9.2")
def test_winter_has_three_months_and_the_plain_of_the_po_is_outside_its_zone() -> None:
    months = [is_winter(ULM, SEPTEMBER + month) for month in range(6)]
    assert months == [False, False, False, True, True, True]
    zone = {area for area in ULM.areas if ULM.areas[area].winter}
    assert {"tyrol", "vienna", "black_forest"} <= zone
    assert not zone & {"lombardy", "venice", "trieste", "munich", "alsace"}
    game = field(corps("i", "france", "lombardy"), on=ULM, turn=DECEMBER, at="movement")
    assert [is_in_winter(ULM, game.state, area) for area in ("tyrol", "munich")] == [True, False]
    assert not is_in_winter(ULM, replace(game.state, turn=SEPTEMBER), "tyrol")
    game.act("france", "march i to piedmont")
    assert game.state.corps["i"].moved == 1


def choose_losses(game: ScriptedGame) -> None:
    """Let the owners take the losses of an assault off foot first, until it is over."""
    while game.open_question and game.open_question[1] == "assault_losses":
        game.act(game.waiting[0], "answer foot")


@pytest.mark.eia("7.5.4.1", "7.5.4.1a")
@pytest.mark.parametrize(
    ("besiegers", "on", "taken"), [(20, ULM, "france"), (19, ULM, ""), (20, without("siege.surrender"), "")]
)
def test_a_breached_city_surrenders_before_five_besiegers_to_a_factor(besiegers: int, on: Tables, taken: str) -> None:
    siege = Campaign(sieges={"ulm": "france"}, besieged_since={"ulm": SEPTEMBER})
    pieces = (
        corps("i", "france", "ulm", besiegers),
        guard("ulm", "austria", 2),
        corps("m", "austria", "ulm", 2, inside=True),
    )
    game = field(*pieces, depot("ulm", "france"), on=on, campaign=siege, turn=SEPTEMBER)
    game.until("movement")
    game.act("france", "done", 1)
    assert game.open_question == ("france", "assault")
    assert breach_needed(game.tables, "ulm") == 4
    game.act("france", "answer yes", 4)
    choose_losses(game)
    assert game.events_of(BreachRolled)[0].breached
    assert game.events_of(AssaultOver)[0].taken_by == taken
    assert ("m" in game.state.corps) == (not taken)


def storming(*inside: Piece, on: Tables = ULM) -> ScriptedGame:
    """A French corps of foot and horse that besieges Ulm, when it is asked for an assault."""
    siege = Campaign(sieges={"ulm": "france"}, besieged_since={"ulm": SEPTEMBER})
    french = corps("i", "france", "ulm", factors=Factors(infantry=17, cavalry=3))
    game = field(french, *inside, depot("ulm", "france"), on=on, campaign=siege, turn=SEPTEMBER)
    game.until("movement")
    game.act("france", "done", 1)
    assert game.open_question == ("france", "assault")
    return game


def garrison_size(game: ScriptedGame) -> int:
    """The factors of the garrison of Ulm."""
    return sum(one.factors.total for one in game.state.garrisons if one.where == "ulm")


MIXED = corps("m", "austria", "ulm", factors=Factors(infantry=8, cavalry=3), inside=True)


@pytest.mark.eia("7.5.4.1b")
def test_owners_choose_the_losses_of_an_assault() -> None:
    game = storming(guard("ulm", "austria", 4), MIXED)
    held = garrison_size(game)
    game.act("france", "answer yes", 6, 6, 6)
    first = game.events_of(AssaultFought)[0]
    assert first.attacker.losses and first.defender.losses
    assert game.open_question == ("france", "assault_losses")
    assert game.refused("austria", "answer horse") == "not_asked"
    game.act("france", "answer horse")
    assert game.state.corps["i"].factors.cavalry == max(0, 3 - first.defender.losses)
    assert game.open_question == ("austria", "assault_losses")
    assert seat_view(game.state, "france").questions[-1].choices == ()
    assert game.state.questions[-1].about == ("ulm", str(first.attacker.losses))
    assert "weakest" in game.state.questions[-1].choices
    game.act("austria", "answer weakest", 1, 1)
    assert garrison_size(game) == held - first.attacker.losses
    assert game.state.corps["m"].factors == MIXED.factors
    for event in game.events_of(CorpsStrength):
        assert event.only == (game.state.corps[event.corps].power,)
    choose_losses(game)
    over = game.events_of(AssaultOver)
    assert len(over) == 1
    assert game.state.campaign.assault is None


@pytest.mark.eia("7.5.4.1b")
def test_with_older_tables_losses_of_an_assault_are_not_chosen() -> None:
    game = storming(guard("ulm", "austria", 4), MIXED, on=without(OWN_LOSSES))
    game.act("france", "answer yes", 6, 6, 6)
    assert game.events_of(AssaultOver)
    assert game.state.corps["i"].factors.cavalry == 3


@pytest.mark.eia("7.5.4.1b")
def test_powers_in_one_city_share_the_losses_of_an_assault() -> None:
    game = storming(guard("ulm", "austria", 5), guard("ulm", "russia", 6))
    game.act("france", "answer yes", 6, 6, 1)
    lost = game.events_of(AssaultFought)[0].attacker.losses
    left = {one.power: one.factors.total for one in game.state.garrisons if one.where == "ulm"}
    assert lost >= 2
    assert abs(left["austria"] - left["russia"]) <= 1
    assert game.open_question is None or game.open_question[0] == "france"


@pytest.mark.eia("7.5.2.9.2")
def test_in_older_tables_no_single_factor_is_offered() -> None:
    for on, single in ((ULM, True), (without(SINGLE_FACTORS), False)):
        game = shot_at(on)
        assert any(":" in one for one in game.state.questions[-1].choices) == single


def shot_at(on: Tables) -> ScriptedGame:
    """Two French corps of foot and horse that have lost factors in the first round of a combat."""
    mixed = Factors(infantry=6, cavalry=4)
    pieces = (
        corps("i", "france", "black_forest", factors=mixed),
        corps("iii", "france", "black_forest", factors=mixed),
    )
    foe = corps("m", "austria", "black_forest", factors=Factors(infantry=20, cavalry=4))
    game = field(*pieces, foe, depot("alsace", "france"), on=on, at="movement")
    game.act("france", "done")
    game.act("france", "chit assault")
    game.act("austria", "chit defend", 6, 6)
    assert game.open_question == ("france", "casualties")
    return game


@pytest.mark.eia("7.5.2.9.2")
def test_an_owner_may_choose_losses_factor_by_factor() -> None:
    game = shot_at(ULM)
    owed = game.events_of(CasualtiesOwed)[0].attacker
    assert owed >= 2
    assert game.state.questions[-1].choices[-4:] == ("i:infantry", "i:cavalry", "iii:infantry", "iii:cavalry")
    assert answer_text(CAMPAIGN, game.state, "iii:cavalry") == "1 cavalry of III Corps"
    game.act("france", "answer iii:cavalry")
    assert game.state.corps["i"].factors == Factors(infantry=6, cavalry=4)
    assert game.state.corps["iii"].factors == Factors(infantry=6, cavalry=3)
    assert game.open_question == ("france", "casualties")
    assert game.state.questions[-1].about == ("attacker", str(owed - 1))
    game.act("france", "answer foot")
    assert game.open_question == ("austria", "casualties")
    assert sum(game.state.corps[one].factors.total for one in ("i", "iii")) == 20 - owed
    assert game.state.corps["iii"].factors.cavalry == 3


@pytest.mark.eia("7.5.4.1b")
def test_an_assault_may_cost_chosen_factors_of_corps_and_garrison() -> None:
    game = storming(guard("ulm", "austria", 4), MIXED)
    held = garrison_size(game)
    game.act("france", "answer yes", 6, 6, 6)
    lost = game.events_of(AssaultFought)[0].attacker.losses
    game.act("france", "answer foot")
    assert answer_text(ULM, game.state, "garrison:infantry") == "1 infantry of the garrison"
    game.act("austria", "answer garrison:infantry")
    assert garrison_size(game) == held - 1
    assert game.state.campaign.assault is not None
    assert game.state.campaign.assault.owed == {"austria": lost - 1}
    game.act("austria", "answer m:cavalry")
    assert game.state.corps["m"].factors.cavalry == 2


@pytest.mark.eia("7.5.4.1")
@pytest.mark.parametrize(("on", "taken"), [(ULM, "france"), (without(EMPTY_CITY), "")])
def test_besieger_with_broken_morale_takes_an_empty_city(on: Tables, taken: str) -> None:
    game = storming(guard("ulm", "austria", 1), on=on)
    france = Assault(area="ulm", power="france", defenders=("austria",), morale=(0, 0), round=1)
    empty = replace(game.state, garrisons=(), campaign=replace(game.state.campaign, assault=france), questions=())
    play = Transaction(game.tables, empty, Dice("empty"))
    continue_assault(play, france)
    over = [event for event in play.events if isinstance(event, AssaultOver)]
    assert [one.taken_by for one in over] == [taken]
    assert bool(play.state.questions) == bool(taken)


@pytest.mark.eia("7.5.2.9.2")
def test_an_owner_orders_once_that_foot_is_lost_first_and_may_end_the_order() -> None:
    game = shot_at(ULM)
    assert "always_foot" in game.state.questions[-1].choices
    owed = game.events_of(CasualtiesOwed)[0].attacker
    game.act("france", "answer always_foot")
    assert sum(game.state.corps[one].factors.infantry for one in ("i", "iii")) == 12 - owed
    assert game.state.campaign.foot_first == ("france",)
    assert seat_view(game.state, "france").campaign.foot_first == ("france",)
    assert not seat_view(game.state, "austria").campaign.foot_first
    assert "foot first, without a question" in " ".join(record_lines(game.tables, seat_view(game.state, "france")))
    while game.open_question and game.open_question[1] != "end_of_day":
        assert game.open_question != ("france", "casualties")
        game.act(game.waiting[0], f"answer {game.state.questions[-1].choices[0]}")
    while game.open_question:
        game.act(game.waiting[0], "answer fight")
    assert game.waiting[0] == "france" and game.refused("austria", "choose losses") == "no_order"
    game.act("france", "choose losses")
    assert not game.state.campaign.foot_first
    assert game.refused("france", "choose losses") == "no_order"


@pytest.mark.eia("7.5.4.1b")
def test_an_order_about_losses_holds_for_assaults() -> None:
    game = storming(guard("ulm", "austria", 4), MIXED)
    game.act("france", "answer yes", 6, 6, 6)
    game.act("france", "answer always_foot")
    asked = set()
    while game.state.campaign.assault is not None:
        asked.add(game.open_question)
        game.act(game.waiting[0], f"answer {game.state.questions[-1].choices[0]}")
    assert asked == {("austria", "assault_losses")}
    while game.state.cursor.powers != ("austria",):
        game.act(game.waiting[0], f"answer {game.state.questions[-1].choices[0]}" if game.open_question else "done")
    assert game.state.campaign.foot_first == ("france",), "it outlasts the sequence"


@pytest.mark.eia("7.5.2.9.2")
def test_in_older_tables_no_order_about_losses_is_offered() -> None:
    assert "always_foot" not in shot_at(without(STANDING_ORDER)).state.questions[-1].choices
