"""The statesman in single positions: revolts, purchases, Wars, and how it values positions."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from paxtui.bots.pax.caretaker.planner import Planner
from paxtui.bots.pax.prediction import Prediction
from paxtui.bots.pax.profiles import character_of
from paxtui.bots.pax.statesman import evaluation, player, war
from paxtui.bots.pax.statesman.evaluation import (
    PositionValuation,
    areas_lacking,
    areas_lacking_with,
    bonus_areas,
    bonus_gain,
    denied_bonus_points,
    end_bonus_points,
    state_with_control,
)
from paxtui.bots.pax.statesman.expansion import FleetReach, Prospect, choose_purchases, find_prospects, rival_chances
from paxtui.bots.pax.statesman.great_war import totals_by_great_war, wins_by_great_war
from paxtui.bots.pax.statesman.treaty_values import PowerRelations
from paxtui.bots.pax.valuation import control_bonus, pounds_per_point
from paxtui.engine.bots import BotAction
from paxtui.engine.seating import BotLevel, BotTemper
from paxtui.games.pax.board.tables import Bonus, ControlTest
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.diplomacy import ENDED, Clause, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL
from tests.rules.harness import Bench, army, marker, start, tables
from tools.calibrate.measure import final_points


def acts(bench: Bench, seat: str, level: BotLevel = "normal", temper: BotTemper = "") -> list[BotAction]:
    """Return the acts of a statesman at a seat."""
    return player.choose_statesman_actions(tables(), bench.state, seat, character_of(level, temper), "1")


def texts(bench: Bench, seat: str, level: BotLevel = "normal", temper: BotTemper = "") -> list[str]:
    """The same without the reasons."""
    return [act.text for act in acts(bench, seat, level, temper)]


def movement(patch: Mapping[str, object], treasury: int = 60, **more: object) -> Bench:
    """A Movement/Status Change Phase in which all Powers have money."""
    return start({"phase": "movement", "powers": {p: {"treasury": treasury} for p in seats_for(7)}, **more, **patch})


def texts_about(texts: list[str], area: str) -> list[str]:
    """Return the texts that name an Area."""
    return [text for text in texts if area in text.split()]


# Revolts and attacks


def test_revolt_is_suppressed_if_that_pays() -> None:
    bench = movement({"areas": {"algiers": {"unrest": True}}})
    moves = texts_about(texts(bench, "france"), "algiers")
    assert any(text.startswith("move") for text in moves)
    why = next(act.why for act in acts(bench, "france") if act.text.startswith("move") and "algiers" in act.text)
    assert why.startswith("The revolt in Algiers is certain to be put down, to keep what is worth about £")


def test_revolt_is_left_alone_if_suppression_costs_too_much() -> None:
    held = {"areas": {"afghanistan": {"unrest": True, "markers": [marker("russia", "protectorate")]}}}
    assert not texts_about(texts(movement(held, turn=9), "russia"), "afghanistan")


def test_no_attack_at_bad_odds() -> None:
    bench = movement({"areas": {"brasil": {"unrest": True}}}, treasury=45)
    assert not [text for text in texts_about(texts(bench, "france"), "brasil") if "protectorate" in text]


def test_area_that_a_rival_wins_this_turn_is_left_alone() -> None:
    taken = [marker("britain", "protectorate", established=False)]
    free, contested = movement({}, 200), movement({"areas": {"kongo": {"markers": taken}}}, 200)
    assert "place protectorate kongo" in texts(free, "france", "hard")
    assert "place protectorate kongo" not in texts(contested, "france", "hard")


@pytest.mark.parametrize(("tension", "turn", "presses"), [(20, 7, True), (93, 7, False), (93, 2, True), (98, 2, False)])
def test_nobody_is_provoked_at_high_tension(tension: int, turn: int, presses: bool) -> None:
    held = [marker("britain", "influence"), marker("germany", "influence")]
    areas, indexes = {"kongo": {"markers": held}}, {"european_tensions": tension}
    bench = movement({"areas": areas}, 200, indexes=indexes, turn=turn)
    assert ("place protectorate kongo" in texts(bench, "france")) == presses


def test_cautious_statesman_avoids_disputes() -> None:
    held = [marker("britain", "influence"), marker("germany", "influence"), marker("italy", "influence")]
    bench = movement({"areas": {"aden": {"markers": held}}}, treasury=200, turn=6)
    assert "place protectorate aden" not in texts(bench, "france", temper="cautious")


# Purchases


def purchase(area: str, cost: int, lost: float) -> Prospect:
    """A purchase with the given cost and value."""
    return Prospect(area, "interest", cost, None, lost, lost, "", lost)


def test_most_urgent_purchase_comes_first_one_in_each_area() -> None:
    listed = [
        purchase("egypt", 5, 9.0),
        purchase("egypt", 20, 30.0),
        purchase("tunis", 5, 10.0),
        purchase("aden", 10, 11.0),
    ]
    assert {(p.area, p.cost) for p in choose_purchases(listed, 25)} == {("egypt", 20), ("tunis", 5)}
    assert {(p.area, p.cost) for p in choose_purchases(listed, 12)} == {("egypt", 5), ("tunis", 5)}
    assert choose_purchases(listed, 4) == []


def test_first_control_loses_the_colonial_office_subsidy() -> None:
    character = character_of("hard", "")
    bare, held = movement({}), movement({"areas": {"tunis": {"markers": [marker("italy", "protectorate")]}}})
    assert PositionValuation(tables(), bare.state, "italy", character, "1").first_control_cost(bare.state) > 100
    assert PositionValuation(tables(), held.state, "italy", character, "1").first_control_cost(held.state) == 0


def test_last_turn_purchases_count_at_the_end() -> None:
    bench = movement({"areas": {"korea": {"markers": [marker("japan", "interest")]}}}, turn=10)
    assert any("korea" in text for text in texts(bench, "japan", "hard"))


def test_path_across_africa_counts_missing_areas() -> None:
    path = next(p for p in tables().africa_paths if p.id == "east_west")
    bench = movement({"areas": {"marocco": {"markers": []}}})
    far = areas_lacking(tables(), bench.state, "france", path)
    near = movement({"areas": {"ashantee": {"markers": [marker("france", "protectorate")]}}})
    assert far is not None and far > 0
    assert (areas_lacking(tables(), near.state, "france", path) or 0) <= far


def test_bonus_gain_is_the_difference_of_end_bonuses() -> None:
    held = {area: {"markers": [marker(power, "protectorate")]} for area, power in
            (("soudan", "britain"), ("gabon", "france"), ("senegambia", "france"), ("angola", "germany"))}  # fmt: skip
    state = movement({"areas": held}).state
    for power in seats_for(7):
        now = end_bonus_points(tables(), state, power)
        for area in sorted(bonus_areas(tables(), power)):
            after = state_with_control(state, area, power)
            for path in tables().africa_paths:
                without = areas_lacking(tables(), state, power, path)
                found = areas_lacking_with(tables(), state, power, path, area, without)
                assert found == areas_lacking(tables(), after, power, path), (power, path.id, area)
            gain = bonus_gain(tables(), state, area, power, power)
            assert gain == pytest.approx(end_bonus_points(tables(), after, power) - now), (power, area)


@pytest.mark.parametrize(("players", "counts"), [((7,), True), ((5, 8), False)])
def test_bonus_counts_only_with_its_number_of_players(players: tuple[int, ...], counts: bool) -> None:
    row = Bonus("france", "egypt", 30, "Egypt", when=ControlTest("france", ("egypt",)), players=players)
    ours, state = replace(tables(), bonuses_at_end=(row,), africa_paths=()), movement({}).state
    point = pounds_per_point(ours, "france")
    assert control_bonus(ours, state, "france", "egypt") == (30 * point if counts else 0)
    assert (bonus_gain(ours, state, "egypt", "france", "france") > 0) is counts
    after = state_with_control(state, "egypt", "france")
    assert end_bonus_points(ours, after, "france") == (30 if counts else 0)


def test_fleet_reach_agrees_with_the_position_after_the_move() -> None:
    state = movement({}).state
    for power in ("britain", "germany", "japan"):
        valuation = PositionValuation(tables(), state, power, character_of("hard", ""), "1")
        zones = tables().sea_zones
        own = [zone for zone in zones if power in state.sea_zones.get(zone, ())]
        for start_zone in own:
            found = (
                FleetReach(valuation, state).without_fleet(start_zone).with_fleets([z for z in zones if z not in own])
            )
            for end, value in found.items():
                fleets = {**state.sea_zones, start_zone: (), end: (power,)}
                assert value == FleetReach(valuation, replace(state, sea_zones=fleets)).value(), (
                    power,
                    start_zone,
                    end,
                )


def test_rivals_with_money_are_likelier_to_expand() -> None:
    rich, poor = movement({}, treasury=200), movement({}, treasury=0)
    assert (
        rival_chances(tables(), rich.state, "france")["egypt"] > rival_chances(tables(), poor.state, "france")["egypt"]
    )


def japan_leading(points: int, turn: int, tension: int = 60, **more: object) -> Bench:
    """A tense position in which Japan has `points` Victory Points and all others have 100."""
    japanese = ("korea", "formosa", "kongo", "egypt", "tanganyika", "indochina")
    rich = {a: {"markers": [marker("japan", "protectorate")] if a in japanese else []} for a in tables().areas}
    others = {p: {"victory_points": 100} for p in seats_for(7)}
    return start({
        "phase": "movement", "turn": turn, "powers": {**others, "japan": {"victory_points": points}},
        "indexes": {"european_tensions": tension}, "areas": rich, **more,
    })  # fmt: skip


def valuation_of_japan(points: int, turn: int, tension: int = 60) -> PositionValuation:
    """Return Japan's valuation of that position."""
    return PositionValuation(
        tables(), japan_leading(points, turn, tension).state, "japan", character_of("normal", ""), ""
    )


@pytest.fixture
def small_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """All seats have the same small chance to win a game that goes on."""
    chances = {p: Prediction(300.0, 0.05) for p in seats_for(7)}
    monkeypatch.setattr(evaluation, "predict_results", lambda *_: chances)


@pytest.mark.parametrize(
    ("points", "turn", "least", "most"), [(20, 6, 1.0, 3.0), (300, 6, -3.0, 1.0), (20, 2, 1.0, 1.0)]
)
def test_value_of_peace_depends_on_current_and_expected_rank(points: int, turn: int, least: float, most: float) -> None:
    assert least <= valuation_of_japan(points, turn).tension_weight <= most


@pytest.mark.usefixtures("small_chances")
def test_leader_who_may_be_overtaken_wants_the_great_war() -> None:
    leading, trailing = valuation_of_japan(130, 4, tension=97), valuation_of_japan(20, 4, tension=97)
    assert leading.wants_great_war and not trailing.wants_great_war
    early, late = start({}).state, start({"turn": 8}).state
    assert leading.tension_cost(early, 1) == leading.tension_cost(late, 1) < 0
    assert 0 < trailing.tension_cost(early, 1) < trailing.tension_cost(late, 1)


@pytest.mark.usefixtures("small_chances")
def test_distant_great_war_is_wanted_only_during_a_war() -> None:
    fought = [{"alliances": [["france"], ["italy"]], "phase": "maneuver", "declared": ["france"]}]
    calm, war = japan_leading(130, 4, 52), japan_leading(130, 4, 52, phase="war", wars=fought)
    wants = [PositionValuation(tables(), bench.state, "japan", character_of("normal", ""), "").wants_great_war
             for bench in (calm, war)]  # fmt: skip
    assert wants == [False, True]


@pytest.mark.usefixtures("small_chances")
@pytest.mark.parametrize(
    ("tension", "turn", "temper", "renounced"),
    [
        (92, 6, "", 1),
        (87, 6, "", 0),
        (87, 6, "bold", 2),
        (47, 4, "treacherous", 0),
        (97, 6, "", 0),
        (92, 6, "cautious", 0),
        (54, 4, "", 1),
        (54, 4, "cautious", 0),
        (52, 4, "", 0),
        (87, 4, "", 1),
        (97, 4, "", 0),
    ],
)
def test_leader_breaks_treaties_to_near_the_great_war(
    tension: int, turn: int, temper: BotTemper, renounced: int
) -> None:
    """Two Treaties raise the tensions by 5 each; from 95 on, a further one brings the blame."""
    bench = japan_leading(130, turn, tension)
    for other in ("france", "italy"):
        bench.act("japan", f"treaty with {other}: non-aggression until 1900")
        bench.act(other, f"sign {bench.state.treaties[-1].id}")
    orders = texts(bench, "japan", temper=temper)
    assert sum(text.startswith("renounce") for text in orders) == renounced
    assert sum(text.startswith("reveal") for text in orders) == renounced


def test_lead_above_the_penalty_wins_by_great_war() -> None:
    powers = {p: {"victory_points": 10} for p in seats_for(7)}

    def may_end(lead: int) -> bool:
        led = {**powers, "italy": {"victory_points": 10 + lead}}
        state = start({"phase": "negotiation", "turn": 8, "powers": led}).state
        return wins_by_great_war(totals_by_great_war(tables(), state, ("italy",)), "italy")

    assert may_end(200)
    assert not may_end(20)


# Gifts, wars and treaties


def test_gift_is_accepted() -> None:
    bench = movement({})
    bench.act("britain", "pay france 5")
    assert [act.text.split()[-1] for act in acts(bench, "france")] == ["accept"]


def test_no_war_is_bearable_at_high_tension() -> None:
    held = [marker("portugal", "possession"), marker("britain", "influence")]

    def bearable(tension: int, turn: int, temper: BotTemper = "") -> bool:
        state = start({
            "phase": "negotiation", "turn": turn, "indexes": {"european_tensions": tension},
            "areas": {"angola": {"markers": held, "units": [army("portugal", 1)]}},
        }).state  # fmt: skip
        valuation = PositionValuation(tables(), state, "britain", character_of("normal", temper), "1")
        planner = Planner(tables(), state, "britain", "britain", "1")
        return war.is_war_bearable(valuation, planner, PowerRelations(tables(), state), "portugal")

    assert bearable(55, 7) and not bearable(68, 7)
    assert bearable(68, 3)
    assert bearable(57, 7, "bold") and not bearable(57, 7, "cautious")


@pytest.mark.parametrize(("temper", "breaks"), [("treacherous", True), ("cautious", False), ("", False)])
def test_only_the_treacherous_break_an_inconvenient_treaty(temper: BotTemper, breaks: bool) -> None:
    bench = movement({}, 200)
    bench.act("italy", "treaty Kongo with france: no marker by france in kongo")
    bench.act("france", f"sign {bench.state.treaties[0].id}")
    assert ("place protectorate kongo" in texts(bench, "france", temper=temper)) == breaks


def test_equal_positions_give_equal_acts() -> None:
    bench = movement({})
    assert acts(bench, "italy", "hard") == acts(bench, "italy", "hard")


# Pieces and rivals


def valuation_of(bench: Bench, power: str) -> PositionValuation:
    """Return the valuation of a Power."""
    return PositionValuation(tables(), bench.state, power, character_of("hard", ""), "1")


def test_freed_piece_has_value_if_pieces_are_short() -> None:
    """With no round piece left, an Interest replaced by Control can be placed elsewhere."""
    kenya, brings = {"kenya": {"markers": [marker("italy", "interest")]}}, []
    for limits in ("unlimited", "table"):
        patch = {"turn": 3, "areas": {**interests_elsewhere("italy"), **kenya}}
        bench = movement(patch, 200)
        bench.state = replace(bench.state, options=replace(bench.state.options, counter_limits=limits))
        valuation = valuation_of(bench, "italy")
        listed = find_prospects(valuation, Planner(tables(), bench.state, "italy", "italy", "1"))
        (control,) = [p for p in listed if (p.area, p.marker) == ("kenya", "protectorate")]
        brings.append((valuation.piece_value, control.gross_value))
    (none, alone), (piece, with_piece) = brings
    assert none == 0 < piece
    assert with_piece == pytest.approx(alone + piece)


def interests_elsewhere(power: str) -> dict[str, object]:
    """All but one of the round pieces of a Power, in distant Areas."""
    areas = ("tibet", "kansu", "sin_kiang", "mongolia", "szech_wan", "yunnan", "fukien", "shan_tung", "siam", "bolivia")
    return {a: {"markers": [marker(power, "interest")]} for a in areas[: tables().counters[power].round - 1]}


@pytest.mark.parametrize(
    ("rival", "area"), [("italy", "kenya"), ("united_states", "venezuela"), ("russia", "anatolia")]
)
def test_area_is_worth_more_if_a_leader_loses_by_it(rival: str, area: str) -> None:
    """Italy loses its trade in Kenya, the United States lose the Monroe Doctrine, Russia loses the Straits."""
    held = {"kenya": {"markers": [marker("italy", "influence")]}}
    ahead = movement({"turn": 8, "areas": held, "powers": {rival: {"treasury": 60, "victory_points": 200}}})
    valuation, level = valuation_of(ahead, "britain"), valuation_of(movement({"turn": 8, "areas": held}), "britain")
    assert valuation.denial_value(ahead.state, area, "protectorate") > 2 * valuation.pounds_per_point
    assert not level.denial_value(ahead.state, area, "protectorate")
    assert not valuation.denial_value(ahead.state, "siam", "protectorate")
    valuation.character = valuation.character._replace(disabled=frozenset({"contests"}))
    assert not valuation.denial_value(ahead.state, area, "protectorate")


def test_bonus_that_is_lost_already_cannot_be_denied() -> None:
    held = {
        "venezuela": {"markers": [marker("france", "protectorate")]},
        "anatolia": {"markers": [marker("france", "protectorate")]},
    }
    bench, free = movement({"areas": held}), movement({})
    for area, rival in (("bolivia", "united_states"), ("anatolia", "russia")):
        assert denied_bonus_points(tables(), free.state, area, "britain", rival) > 0
        assert not denied_bonus_points(tables(), bench.state, area, "britain", rival)


def test_statesman_takes_areas_of_rivals_unless_it_contests_none() -> None:
    """Control of Kenya displaces an Italian Influence."""
    areas = {"kenya": {"markers": [marker("italy", "influence")]}}
    state = movement({"turn": 2, "areas": areas, "powers": {"britain": {"treasury": 60}}}).state
    bold = character_of("hard", "bold")
    taken = []
    for character in (bold, bold._replace(disabled=frozenset({"contests"}))):
        valuation = PositionValuation(tables(), state, "britain", character, "1")
        found = find_prospects(valuation, Planner(tables(), state, "britain", "britain", "1"))
        taken.append({p.area for p in found if p.marker in CONTROL})
    assert taken[0] - taken[1] == {"kenya"} and taken[1]


def test_losses_of_the_leader_count_in_war() -> None:
    """Losses of the leader in War count as a gain; losses of others do not."""
    rich = {a: {"markers": [marker("italy", "protectorate")], "units": [army("italy", 1)]} for a in ("kenya", "tunis")}
    bench = movement({"turn": 8, "areas": rich, "powers": {"italy": {"treasury": 60, "victory_points": 300}}})
    valuation = valuation_of(bench, "britain")
    poor = movement({"turn": 8, "powers": {"italy": {"treasury": 60, "victory_points": 300}}})
    planner = Planner(tables(), bench.state, "britain", "britain", "1")
    assert war.position_value(valuation, planner, poor.state) > war.position_value(valuation, planner, bench.state)


def test_expected_totals_include_future_treaty_points() -> None:
    """A defensive Treaty against Germany brings France Victory Points every turn that is left."""
    pact = {
        "id": "pact", "name": "Pact", "form": "treaty", "drafter": "france", "parties": ["france", "russia"],
        "clauses": [{"kind": "defensive", "against": ["germany"]}], "public": True, "stage": "in_force",
    }  # fmt: skip
    without, bound = (
        final_points(tables(), movement({"turn": 3, "treaties": treaties}).state) for treaties in ([], [pact])
    )
    assert bound["france"] == without["france"] + 3 * 7 and bound["russia"] == without["russia"]


def test_area_lowered_by_congress_is_not_retaken_soon() -> None:
    bench = movement({"areas": {"tunis": {"markers": [marker("france", "influence"), marker("italy", "influence")]}}})
    lowered = Clause("lower", power="france", places=("tunis",), marker="influence")
    both, now = ("france", "italy"), bench.state.turn
    act = Treaty("act", "Act", "congress", "italy", both, (lowered,), True, ENDED, since=now)

    def taken(state: State, who: str = "france") -> bool:
        valuation = PositionValuation(tables(), state, who, character_of("normal", "bold"), "1")
        found = find_prospects(valuation, Planner(tables(), state, who, who, "1"))
        return any((p.area, p.marker) == ("tunis", "protectorate") for p in found)

    assert taken(bench.state)
    settled = replace(bench.state, treaties=(act,))
    assert not taken(settled)
    assert taken(replace(settled, turn=settled.turn + 3)), "long ago"
    alone = replace(settled.areas["tunis"], markers=settled.areas["tunis"].markers[:1])
    assert taken(replace(settled, areas={**settled.areas, "tunis": alone})), "it is no longer disputed"
    assert taken(replace(bench.state, treaties=(replace(act, form="treaty"),))), "given up by itself"
