"""The statesman in single positions: what it takes and leaves, puts down and lets go, declares and keeps out of."""

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
    end_bonus_points,
    state_with_control,
)
from paxtui.bots.pax.statesman.expansion import FleetReach, Prospect, choose_purchases, find_prospects, rival_chances
from paxtui.bots.pax.statesman.great_war import totals_by_great_war, wins_by_great_war
from paxtui.bots.pax.valuation import control_bonus, pounds_per_point
from paxtui.engine.bots import BotAction
from paxtui.engine.seating import BotLevel, BotTemper
from paxtui.games.pax.board.tables import Bonus, ControlTest
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.diplomacy import ENDED, Clause, Treaty
from paxtui.games.pax.state.model import State
from tests.rules.harness import Bench, army, marker, start, tables
from tools.calibrate.measure import final_points


def acts(bench: Bench, seat: str, level: BotLevel = "normal", temper: BotTemper = "") -> list[BotAction]:
    """What a statesman would do at a seat."""
    return player.choose_statesman_actions(tables(), bench.state, seat, character_of(level, temper), "1")


def texts(bench: Bench, seat: str, level: BotLevel = "normal", temper: BotTemper = "") -> list[str]:
    """The same without the reasons."""
    return [act.text for act in acts(bench, seat, level, temper)]


def moving(patch: Mapping[str, object], treasury: int = 60, **more: object) -> Bench:
    """A Movement/Status Change Phase in which everybody has money."""
    return start({"phase": "movement", "powers": {p: {"treasury": treasury} for p in seats_for(7)}, **more, **patch})


def about(told: list[str], area: str) -> list[str]:
    """The texts that name an Area."""
    return [text for text in told if area in text.split()]


# --- revolts and attacks ----------------------------------------------------------------------------------------------


def test_a_revolt_is_put_down_where_that_pays() -> None:
    bench = moving({"areas": {"algiers": {"unrest": True}}})
    told = about(texts(bench, "france"), "algiers")
    assert any(text.startswith("move") for text in told)
    why = next(act.why for act in acts(bench, "france") if act.text.startswith("move") and "algiers" in act.text)
    assert "revolt" in why and "%" in why


def test_a_revolt_is_let_go_that_costs_more_to_put_down_than_it_is_worth() -> None:
    held = {"areas": {"afghanistan": {"unrest": True, "markers": [marker("russia", "protectorate")]}}}
    assert not about(texts(moving(held, turn=9), "russia"), "afghanistan")


def test_nothing_is_attacked_at_bad_odds() -> None:
    bench = moving({"areas": {"brasil": {"unrest": True}}}, treasury=45)
    assert not [text for text in about(texts(bench, "france"), "brasil") if "protectorate" in text]


def test_what_a_rival_wins_in_the_same_turn_is_left_to_him() -> None:
    taken = [marker("britain", "protectorate", established=False)]
    free, contested = moving({}, 200), moving({"areas": {"kongo": {"markers": taken}}}, 200)
    assert "place protectorate kongo" in texts(free, "france", "hard")
    assert "place protectorate kongo" not in texts(contested, "france", "hard")


@pytest.mark.parametrize(("tension", "presses"), [(20, True), (93, False)])
def test_nobody_is_provoked_near_the_brink(tension: int, presses: bool) -> None:
    held = [marker("britain", "influence"), marker("germany", "influence")]
    bench = moving({"areas": {"kongo": {"markers": held}}}, 200, indexes={"european_tensions": tension})
    assert ("place protectorate kongo" in texts(bench, "france")) == presses


def test_the_cautious_yield_where_the_bold_press() -> None:
    held = [marker("britain", "influence"), marker("germany", "influence"), marker("italy", "influence")]
    bench = moving({"areas": {"aden": {"markers": held}}}, treasury=200, turn=6)
    assert "place protectorate aden" not in texts(bench, "france", temper="cautious")


# --- purchases --------------------------------------------------------------------------------------------------------


def bought(area: str, cost: int, lost: float) -> Prospect:
    """Something to buy."""
    return Prospect(area, "interest", cost, None, lost, lost, "", lost)


def test_what_cannot_wait_is_bought_first_and_one_thing_an_area() -> None:
    listed = [bought("egypt", 5, 9.0), bought("egypt", 20, 30.0), bought("tunis", 5, 10.0), bought("aden", 10, 11.0)]
    assert {(p.area, p.cost) for p in choose_purchases(listed, 25)} == {("egypt", 20), ("tunis", 5)}
    assert {(p.area, p.cost) for p in choose_purchases(listed, 12)} == {("egypt", 5), ("tunis", 5)}
    assert choose_purchases(listed, 4) == []


def test_a_first_control_has_to_outweigh_what_the_colonial_office_pays_who_has_none() -> None:
    judge = character_of("hard", "")
    bare, held = moving({}), moving({"areas": {"tunis": {"markers": [marker("italy", "protectorate")]}}})
    assert PositionValuation(tables(), bare.state, "italy", judge, "1").first_control(bare.state) > 100
    assert PositionValuation(tables(), held.state, "italy", judge, "1").first_control(held.state) == 0


def test_in_the_last_turn_it_buys_what_the_last_line_counts() -> None:
    bench = moving({"areas": {"korea": {"markers": [marker("japan", "interest")]}}}, turn=10)
    assert any("korea" in text for text in texts(bench, "japan", "hard"))


def test_a_path_across_africa_is_counted_by_what_is_missing() -> None:
    path = next(p for p in tables().africa_paths if p.id == "east_west")
    bench = moving({"areas": {"marocco": {"markers": []}}})
    far = areas_lacking(tables(), bench.state, "france", path)
    near = moving({"areas": {"ashantee": {"markers": [marker("france", "protectorate")]}}})
    assert far is not None and far > 0
    assert (areas_lacking(tables(), near.state, "france", path) or 0) <= far


def test_what_an_area_adds_to_the_end_bonuses_is_the_difference_of_both_positions() -> None:
    held = {area: {"markers": [marker(power, "protectorate")]} for area, power in
            (("soudan", "britain"), ("gabon", "france"), ("senegambia", "france"), ("angola", "germany"))}  # fmt: skip
    state = moving({"areas": held}).state
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
def test_a_bonus_is_worth_something_only_with_its_number_of_players(players: tuple[int, ...], counts: bool) -> None:
    row = Bonus("france", "egypt", 30, "Egypt", when=ControlTest("france", ("egypt",)), players=players)
    ours, state = replace(tables(), bonuses_at_end=(row,), africa_paths=()), moving({}).state
    point = pounds_per_point(ours, "france")
    assert control_bonus(ours, state, "france", "egypt") == (30 * point if counts else 0)
    assert (bonus_gain(ours, state, "egypt", "france", "france") > 0) is counts
    after = state_with_control(state, "egypt", "france")
    assert end_bonus_points(ours, after, "france") == (30 if counts else 0)


def test_what_a_fleet_keeps_in_reach_is_that_of_the_position_with_it() -> None:
    state = moving({}).state
    for power in ("britain", "germany", "japan"):
        outlook = PositionValuation(tables(), state, power, character_of("hard", ""), "1")
        zones = tables().sea_zones
        own = [zone for zone in zones if power in state.sea_zones.get(zone, ())]
        for start_zone in own:
            found = FleetReach(outlook, state).without_fleet(start_zone).with_fleets([z for z in zones if z not in own])
            for end, value in found.items():
                fleets = {**state.sea_zones, start_zone: (), end: (power,)}
                assert value == FleetReach(outlook, replace(state, sea_zones=fleets)).value(), (power, start_zone, end)


def test_rivals_seek_what_they_reach_and_can_pay() -> None:
    rich, poor = moving({}, treasury=200), moving({}, treasury=0)
    assert (
        rival_chances(tables(), rich.state, "france")["egypt"] > rival_chances(tables(), poor.state, "france")["egypt"]
    )


def _leading(points: int, turn: int, tension: int = 60, **more: object) -> Bench:
    """A tense position in which Japan has so many Victory Points, and all others 100."""
    treasures = ("korea", "formosa", "kongo", "egypt", "tanganyika", "indochina")
    rich = {a: {"markers": [marker("japan", "protectorate")] if a in treasures else []} for a in tables().areas}
    others = {p: {"victory_points": 100} for p in seats_for(7)}
    return start({
        "phase": "movement", "turn": turn, "powers": {**others, "japan": {"victory_points": points}},
        "indexes": {"european_tensions": tension}, "areas": rich, **more,
    })  # fmt: skip


def _of_japan(points: int, turn: int, tension: int = 60) -> PositionValuation:
    """How Japan values that position."""
    return PositionValuation(tables(), _leading(points, turn, tension).state, "japan", character_of("normal", ""), "")


@pytest.fixture
def even(monkeypatch: pytest.MonkeyPatch) -> None:
    """All seats have the same chance to win a game that goes on."""
    chances = {p: Prediction(300.0, 1 / 7) for p in seats_for(7)}
    monkeypatch.setattr(evaluation, "predict_results", lambda *_: chances)


@pytest.mark.parametrize(
    ("points", "turn", "least", "most"), [(20, 6, 1.0, 3.0), (300, 6, -3.0, 1.0), (20, 2, 1.0, 1.0)]
)
def test_tensions_cost_less_to_who_leads_now_and_more_to_who_may_still_win(
    points: int, turn: int, least: float, most: float
) -> None:
    assert least <= _of_japan(points, turn).peace <= most


@pytest.mark.usefixtures("even")
def test_who_leads_now_and_may_be_overtaken_plays_for_the_great_war() -> None:
    leading, trailing = _of_japan(130, 4, tension=97), _of_japan(20, 4, tension=97)
    assert leading.wants_great_war and not trailing.wants_great_war
    assert leading.tension(start({}).state, 1) < 0 < trailing.tension(start({}).state, 1)


@pytest.mark.usefixtures("even")
def test_nobody_plays_for_a_great_war_that_is_far_unless_a_war_of_others_brings_it_near() -> None:
    fought = [{"alliances": [["france"], ["italy"]], "phase": "maneuver", "declared": ["france"]}]
    calm, war = _leading(130, 4, 85), _leading(130, 4, 85, phase="war", wars=fought)
    wants = [PositionValuation(tables(), bench.state, "japan", character_of("normal", ""), "").wants_great_war
             for bench in (calm, war)]  # fmt: skip
    assert wants == [False, True]


@pytest.mark.usefixtures("even")
@pytest.mark.parametrize(
    ("tension", "turn", "temper", "renounced"),
    [
        (92, 6, "", 1),
        (87, 6, "", 0),
        (87, 6, "bold", 2),
        (70, 4, "treacherous", 0),
        (97, 6, "", 0),
        (92, 6, "cautious", 0),
        (84, 4, "", 1),
        (84, 4, "cautious", 0),
        (79, 4, "", 0),
        (87, 4, "", 1),
        (97, 4, "", 0),
    ],
)
def test_the_leader_breaks_treaties_if_that_brings_the_great_war_close_and_not_about(
    tension: int, turn: int, temper: BotTemper, renounced: int
) -> None:
    """Two Treaties raise the tensions by 5 each; from 95 on a further one would bring the blame.

    Before 1900, 86 suffice.
    """
    bench = _leading(130, turn, tension)
    for other in ("france", "italy"):
        bench.act("japan", f"treaty with {other}: non-aggression until 1900")
        bench.act(other, f"sign {bench.state.treaties[-1].id}")
    told = texts(bench, "japan", temper=temper)
    assert sum(text.startswith("renounce") for text in told) == renounced
    assert sum(text.startswith("reveal") for text in told) == renounced


def test_who_leads_by_more_than_the_penalty_may_end_the_game() -> None:
    powers = {p: {"victory_points": 10} for p in seats_for(7)}

    def may_end(lead: int) -> bool:
        led = {**powers, "italy": {"victory_points": 10 + lead}}
        state = start({"phase": "negotiation", "turn": 8, "powers": led}).state
        return wins_by_great_war(totals_by_great_war(tables(), state, ("italy",)), "italy")

    assert may_end(200)
    assert not may_end(20)


# --- others -----------------------------------------------------------------------------------------------------------


def test_it_takes_money_and_refuses_what_costs_more_than_it_brings() -> None:
    bench = moving({})
    bench.act("britain", "pay france 5")
    assert [act.text.split()[-1] for act in acts(bench, "france")] == ["accept"]


def test_a_war_is_declared_only_where_it_brings_more_than_it_costs() -> None:
    held = [marker("portugal", "possession"), marker("britain", "influence")]
    cause = [{"holder": "britain", "against": "portugal", "area": "angola"}]

    def declared(tension: int, temper: BotTemper = "") -> bool:
        bench = start({
            "phase": "negotiation", "turn": 3, "indexes": {"european_tensions": tension},
            "areas": {"angola": {"markers": held, "units": [army("portugal", 1)]}}, "casus_belli": cause,
        })  # fmt: skip
        return any(text.startswith("declare war") for text in texts(bench, "britain", temper=temper))

    assert not declared(93)
    assert not declared(80, "cautious")


@pytest.mark.parametrize(("temper", "breaks"), [("treacherous", True), ("cautious", False), ("", False)])
def test_only_the_treacherous_break_a_treaty_that_stands_in_the_way(temper: BotTemper, breaks: bool) -> None:
    bench = moving({}, 200)
    bench.act("italy", "treaty Kongo with france: no marker by france in kongo")
    bench.act("france", f"sign {bench.state.treaties[0].id}")
    assert ("place protectorate kongo" in texts(bench, "france", temper=temper)) == breaks


def test_the_same_position_gives_the_same_acts() -> None:
    bench = moving({})
    assert acts(bench, "italy", "hard") == acts(bench, "italy", "hard")


# --- pieces and rivals ------------------------------------------------------------------------------------------------


def outlook(bench: Bench, power: str) -> PositionValuation:
    """The judgement of a Power."""
    return PositionValuation(tables(), bench.state, power, character_of("hard", ""), "1")


def test_a_piece_that_control_sets_free_counts_where_pieces_are_short() -> None:
    """With no round piece left, an Interest that gives way to Control can be laid somewhere else."""
    kenya, brings = {"kenya": {"markers": [marker("italy", "interest")]}}, []
    for limits in ("unlimited", "table"):
        patch = {"turn": 3, "areas": {**taken_up("italy"), **kenya}}
        bench = moving(patch, 200)
        bench.state = replace(bench.state, options=replace(bench.state.options, counter_limits=limits))
        judge = outlook(bench, "italy")
        listed = find_prospects(judge, Planner(tables(), bench.state, "italy", "italy", "1"))
        (control,) = [p for p in listed if (p.area, p.marker) == ("kenya", "protectorate")]
        brings.append((judge.piece, control.prize))
    (none, alone), (piece, with_piece) = brings
    assert none == 0 < piece
    assert with_piece == pytest.approx(alone + piece)


def taken_up(power: str) -> dict[str, object]:
    """All round pieces of a Power but one, in Areas at the other end of the world."""
    areas = ("tibet", "kansu", "sin_kiang", "mongolia", "szech_wan", "yunnan", "fukien", "shan_tung", "siam", "bolivia")
    return {a: {"markers": [marker(power, "interest")]} for a in areas[: tables().counters[power].round - 1]}


def test_an_area_is_worth_most_to_those_whose_rivals_make_points_of_it() -> None:
    """Italy, whose points are cheap, reaches Kenya: to keep it out is worth more to Britain than to Italy itself."""
    bench = moving({"turn": 3})
    britain, italy = outlook(bench, "britain"), outlook(bench, "italy")
    assert "kenya" in britain.reach["italy"] and "kenya" in italy.reach["britain"]
    spared = {o.power: o.denied(bench.state, "kenya", "protectorate") / o.worth(bench.state, "kenya", "protectorate")
              for o in (britain, italy)}  # fmt: skip
    assert spared["britain"] > 2 * spared["italy"] > 0
    assert not outlook(bench, "britain").denied(bench.state, "kenya", "influence")


def test_whoever_would_be_first_is_held_back_in_war() -> None:
    """What a War takes from the leader counts for the winner, what it takes from others does not."""
    rich = {a: {"markers": [marker("italy", "protectorate")], "units": [army("italy", 1)]} for a in ("kenya", "tunis")}
    bench = moving({"turn": 8, "areas": rich, "powers": {"italy": {"treasury": 60, "victory_points": 300}}})
    judge = outlook(bench, "britain")
    assert dict(judge.leaders)["italy"] > 1.0
    poor = moving({"turn": 8, "powers": {"italy": {"treasury": 60, "victory_points": 300}}})
    desk = Planner(tables(), bench.state, "britain", "britain", "1")
    assert war.position_value(judge, desk, poor.state) > war.position_value(judge, desk, bench.state)


def test_treaty_points_to_come_count_in_who_leads() -> None:
    """France's defensive Treaties against Germany bring it Victory Points every turn that is left."""
    pact = {
        "id": "pact", "name": "Pact", "form": "treaty", "drafter": "france", "parties": ["france", "russia"],
        "clauses": [{"kind": "defensive", "against": ["germany"]}], "public": True, "stage": "in_force",
    }  # fmt: skip
    without, bound = (
        final_points(tables(), moving({"turn": 3, "treaties": treaties}).state) for treaties in ([], [pact])
    )
    assert bound["france"] == without["france"] + 3 * 7 and bound["russia"] == without["russia"]


def test_an_area_that_a_congress_has_taken_is_not_taken_again_while_the_dispute_lasts() -> None:
    bench = moving({"areas": {"tunis": {"markers": [marker("france", "influence"), marker("italy", "influence")]}}})
    lowered = Clause("lower", power="france", places=("tunis",), marker="influence")
    both, now = ("france", "italy"), bench.state.turn
    act = Treaty("act", "Act", "congress", "italy", both, (lowered,), True, ENDED, since=now)

    def taken(state: State, who: str = "france") -> bool:
        judge = PositionValuation(tables(), state, who, character_of("normal", "bold"), "1")
        found = find_prospects(judge, Planner(tables(), state, who, who, "1"))
        return any((p.area, p.marker) == ("tunis", "protectorate") for p in found)

    assert taken(bench.state)
    settled = replace(bench.state, treaties=(act,))
    assert not taken(settled)
    assert taken(replace(settled, turn=settled.turn + 3)), "long ago"
    alone = replace(settled.areas["tunis"], markers=settled.areas["tunis"].markers[:1])
    assert taken(replace(settled, areas={**settled.areas, "tunis": alone})), "nobody disputes it any more"
    assert taken(replace(bench.state, treaties=(replace(act, form="treaty"),))), "given up by itself"
