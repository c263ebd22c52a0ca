"""The bot of the exercises on land: sieges, depots, odds, and games against passive players."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.bots.empires.armies import Army, battle_odds, distances_from, factors_of
from paxtui.bots.empires.general import SKILLS, _choose_reinforcement, _is_spare
from paxtui.bots.empires.player import choose_action
from paxtui.games.empires.orders import Answer, Besiege, Done, Forage, March, PlaceDepot, Reinforce, action_text
from paxtui.games.empires.pieces import Campaign, Due, Factors
from paxtui.games.empires.position import seat_view
from paxtui.games.empires.state import Question
from paxtui.games.empires.supply_lines import valid_chain
from paxtui.session.tables.exercises import load_exercise
from tests.empires.land import DANUBE, ULM, Piece, corps, depot, field, guard, leader, tables
from tests.empires.passive_players import PASSIVE, SIDES, chance_of, is_won_by_skill, wins_share
from tests.empires.scripted_game import ScriptedGame, start_game
from tests.samples import SEARCHES, sample

MATCH_GAMES = sample(4, 40)
"""Maximum number of games of a side against each passive player."""

ULM_START = 21668
"""September 1805."""
ULM_SIDES = SIDES["ulm-1805"]
CAMPAIGN, CAMPAIGN_GAMES = "ulm-1805", sample(1, 20)
"""The campaign and its maximum number of games, which take longer."""

WITHOUT_CHITS = {"channel-1805"}
"""Exercises in which all passive players play alike: they differ only in the chits that they pick."""

MIN_SHARE = 0.7
"""Share of games that the general must win."""

MATCHES = [
    pytest.param(exercise, side, passive, id=f"{'-'.join(side)}-{passive}")
    for exercise, sides in SIDES.items()
    for side in sides
    for passive in PASSIVE
    if passive == "done" or exercise not in WITHOUT_CHITS
]


@pytest.mark.random
@pytest.mark.parametrize(("exercise", "side", "passive"), MATCHES)
def test_general_beats_passive_players(exercise: str, side: tuple[str, ...], passive: str) -> None:
    assert wins_share(
        exercise, side, PASSIVE[passive], CAMPAIGN_GAMES if exercise == CAMPAIGN else MATCH_GAMES, MIN_SHARE
    )


def test_few_games_do_not_prove_a_win_share() -> None:
    assert chance_of(9, 9, MIN_SHARE) < 0.05 < chance_of(8, 8, MIN_SHARE)
    assert chance_of(28, 40, MIN_SHARE) > 0.5


def test_odds_grow_with_numbers_and_morale() -> None:
    def value(factors: int, morale: int) -> float:
        attacker = Army(factors, morale, 3, 3, True)
        return battle_odds(DANUBE.field_combat, attacker, Army(20, 30, 2, 2, True), "", False).value

    assert value(10, 30) < value(20, 30) < value(60, 30)
    assert value(20, 30) < value(20, 40)


def test_chit_shares_add_up_to_one() -> None:
    odds = battle_odds(DANUBE.field_combat, Army(30, 40, 5, 5, True), Army(20, 30, 1, 1, False), "forest", False)
    assert sum(share for _, share in odds.attacker) == pytest.approx(1)
    assert not [chit for chit, _ in odds.defender if chit == "outflank"]


def test_general_attacks_a_weaker_stack_and_avoids_a_stronger() -> None:
    strong = [corps(name, "france", "baden", 18) for name in ("i", "ii", "iii")]
    pieces = (*strong, leader("napoleon", "france", "i", strategic=5, tactical=5), depot("alsace", "france"))
    weak = field(*pieces, corps("m", "austria", "wurttemberg", 5), at="movement")
    action = choose_action(DANUBE, seat_view(weak.state, "france"), "france")
    assert isinstance(action, March) and action.path[-1] == "wurttemberg"
    lone = field(
        corps("i", "france", "baden", 4),
        depot("alsace", "france"),
        *(corps(name, "austria", "wurttemberg", 18) for name in ("m", "n", "o")),
        at="movement",
    )
    action = choose_action(DANUBE, seat_view(lone.state, "france"), "france")
    assert not (isinstance(action, March) and action.path[-1] == "wurttemberg")


def test_general_estimates_hidden_corps() -> None:
    game = field(corps("i", "france", "baden"), corps("m", "austria", "vienna", 1), at="depots")
    (hidden,) = (one for one in seat_view(game.state, "france").corps.values() if one.power == "austria")
    assert factors_of(DANUBE, hidden).total > 5, "the mean of Austrian corps of this exercise"


def campaign_at(*pieces: Piece, **changes: Any) -> ScriptedGame:
    """A position with all rules of a campaign."""
    return field(*pieces, on=tables(complete=True), **changes)


def test_general_besieges_a_city_worth_points() -> None:
    game = campaign_at(
        corps("i", "france", "swabia", 18),
        guard("swabia", "austria", 2),
        depot("alsace", "france"),
        depot("baden", "france"),
    )
    game.until("movement")
    chosen = choose_action(game.tables, seat_view(game.state, "france"), "france")
    assert chosen == Besiege("i")
    game.act("france", "besiege i")
    assert isinstance(choose_action(game.tables, seat_view(game.state, "france"), "france"), Done)
    game.act("france", "done")
    assert game.open_question == ("france", "assault")
    assert choose_action(game.tables, seat_view(game.state, "france"), "france") == Answer("yes")


def test_easy_skill_requires_better_odds() -> None:
    assert SKILLS["easy"].attack > SKILLS["steady"].attack > SKILLS["hard"].attack
    game = campaign_at(corps("i", "france", "baden", 18), corps("m", "austria", "swabia", 6), depot("alsace", "france"))
    game.until("movement")
    for name in SKILLS:
        assert choose_action(game.tables, seat_view(game.state, "france"), "france", name)


def test_general_places_a_depot_near_distant_corps() -> None:
    far = [corps(name, "france", "wurttemberg", 10) for name in ("i", "ii", "iii")]
    game = campaign_at(*far, depot("alsace", "france"), money=9)
    assert choose_action(game.tables, seat_view(game.state, "france"), "france") == PlaceDepot("wurttemberg")


def siege_of_munich(**changes: Any) -> ScriptedGame:
    """Three French corps besiege Munich, which one of them can hold; cities worth points are near."""
    siege = Campaign(sieges={"munich": "france"}, besieged_since={"munich": ULM_START})
    return field(
        *(corps(name, "france", "munich", 14, swift=True) for name in ("i", "ii", "iii")),
        guard("munich", "austria", 2),
        guard("upper_austria", "austria", 1),
        guard("tyrol", "austria", 1),
        depot("munich", "france"),
        depot("alsace", "france"),
        on=ULM,
        campaign=siege,
        turn=ULM_START,
        at="movement",
        **changes,
    )


def test_corps_not_needed_for_a_siege_march_on() -> None:
    game = siege_of_munich()
    for _ in range(20):
        chosen = choose_action(game.tables, seat_view(game.state, "france"), "france", "hard")
        if isinstance(chosen, Done):
            break
        game.act("france", action_text(chosen))
    places = [one.where for one in game.state.corps.values()]
    assert places.count("munich") == 1
    assert game.state.campaign.sieges["munich"] == "france"


def test_general_assaults_only_weak_garrisons() -> None:
    for inside, answer in ((2, "yes"), (8, "yes"), (9, "no")):
        game = siege_of_munich()
        garrison = guard("munich", "austria", inside)
        game.state = replace(game.state, garrisons=(garrison,), turn=ULM_START + 3)
        game.act("france", "done")
        assert game.open_question == ("france", "assault")
        assert choose_action(game.tables, seat_view(game.state, "france"), "france") == Answer(answer)


def test_corps_with_least_loss_forages_if_money_is_short() -> None:
    game = field(
        *(corps(name, "france", "munich", 14, swift=True) for name in ("i", "ii", "iii")),
        corps("iv", "france", "burgundy", 9, swift=True),
        depot("munich", "france"),
        depot("augsburg", "france"),
        depot("burgundy", "france"),
        on=ULM,
        turn=ULM_START + 3,
        money=1,
        at="movement",
    )
    tired = {name: replace(one, moved=4) for name, one in game.state.corps.items()}
    game.state = replace(game.state, corps=tired)
    game.act("france", "done")
    assert game.state.cursor.step == "supply"
    assert choose_action(game.tables, seat_view(game.state, "france"), "france") == Forage("iv")


def test_reinforcements_join_corps_near_the_enemy() -> None:
    reinforced = start_game(load_exercise("ulm-1805"))
    state = replace(reinforced.state, turn=ULM_START)
    due = Due(power="france", factors=Factors(infantry=2))
    state = replace(state, campaign=replace(state.campaign, due=(due,), mustered={"france": ULM_START}))
    offered = (Reinforce("lorraine", {"infantry": 2}), Reinforce("iv", {"infantry": 1}))
    assert _choose_reinforcement(reinforced.tables, state, "france", offered) == offered[1]


def test_general_calls_a_corps_only_if_it_can_come() -> None:
    pieces = [
        corps("i", "france", "black_forest", 15),
        corps("ii", "france", "baden", 8),
        corps("m", "austria", "black_forest", 15),
        depot("alsace", "france"),
    ]
    for strategic, answer in ((5, "ii"), (2, "none")):
        game = campaign_at(*pieces, leader("ney", "france", "i", strategic=strategic, tactical=3), at="movement")
        game.acts("france: done", "france: chit probe")
        game.act("austria", "chit defend", 1, 1)
        while game.state.questions[-1].kind == "casualties":
            game.act(game.waiting[0], "answer foot")
        assert game.open_question == ("france", "call_corps")
        assert choose_action(game.tables, seat_view(game.state, "france"), "france") == Answer(answer)


def test_corps_is_held_back_from_a_certain_win() -> None:
    question = Question(kind="hold_back", power="france", choices=("none", "i", "ii"), about=("ulm",))
    for relief, answer in ((1, "ii"), (18, "none")):
        besiegers = (corps("i", "france", "ulm", 20), corps("ii", "france", "ulm", 3))
        game = field(*besiegers, corps("m", "austria", "ulm", relief), on=ULM, turn=ULM_START)
        state = replace(game.state, questions=(question,))
        assert choose_action(game.tables, state, "france") == Answer(answer)


def test_stronger_side_marches_on_the_capital() -> None:
    army = [corps(name, "france", "munich", 18) for name in ("i", "ii", "iii", "iv")]
    game = field(
        *army,
        *(depot(area, "france") for area in ("alsace", "ulm", "munich")),
        corps("m", "austria", "pressburg", 5),
        guard("vienna", "austria", 3),
        guard("munich", "france", 3),
        on=ULM,
        turn=ULM_START,
        at="movement",
    )
    far = distances_from(game.tables, "vienna")
    for skill in ("steady", "hard"):
        action = choose_action(game.tables, seat_view(game.state, "france"), "france", skill)
        assert isinstance(action, March) and far[action.path[-1]] < far["munich"]


def test_depot_is_spare_if_the_chain_does_not_need_it() -> None:
    depots = [depot(area, "france") for area in ("munich", "innviertel", "upper_austria", "vienna", "liguria")]
    game = field(corps("i", "france", "pressburg"), *depots, on=ULM, turn=ULM_START)
    chain = valid_chain(game.tables, game.state, "france")
    spare = [one for one in chain if _is_spare(game.tables, game.state, "france", one, chain)]
    assert spare == ["innviertel"]


SKILL_GAMES = sample(1, 25)
"""Games with each side between two skills; `docs/empires.md` has the results of many."""


@pytest.mark.random
def test_better_skill_wins_more_games() -> None:
    for level, other in (("hard", "easy"), *((("steady", "easy"), ("hard", "steady")) if SEARCHES else ())):
        won = sum(
            is_won_by_skill(CAMPAIGN, side, level, other, seed) for side in ULM_SIDES for seed in range(SKILL_GAMES)
        )
        assert won >= 0.5 * 2 * SKILL_GAMES
