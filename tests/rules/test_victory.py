"""Victory Points (VIC): money and bonuses of a turn, Section VI, the paths across Africa, and the ranks."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.tables import Bonus, ControlTest, TreatyTest
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import IN_FORCE, Clause, Treaty
from paxtui.games.pax.turn import victory
from tests.rules.harness import UNLIMITED, Bench, army, marker, start


def recorded(treasuries: dict[str, int], points: dict[str, int] | None = None, players: int = 7, **more: Any) -> Bench:
    """A Victory Point Record Phase with this money in the Treasuries."""
    powers: dict[str, Any] = {p: {"treasury": n} for p, n in treasuries.items()}
    for power, n in (points or {}).items():
        powers.setdefault(power, {})["victory_points"] = n
    options = more.pop("options", {})
    g = start({"phase": "victory_point_record", "powers": powers, **more}, players, options)
    g.step()
    return g


def section_five(g: Bench, power: str) -> list[int | None]:
    """Lines 23 to 26."""
    return [g.state.powers[power].record[k] for k in ("23", "24", "25", "26")]


def ended(turn: int = 10, players: int = 7, **patch: Any) -> Bench:
    """The Final Record Phase of a turn."""
    g = start({"phase": "final_record", "turn": turn, **patch}, players, UNLIMITED)
    g.step()
    return g


def line(g: Bench, power: str, number: str) -> int | None:
    return g.state.powers[power].record.get(number)


def control(power: str, *areas: str, kind: str = "protectorate") -> dict[str, Any]:
    """Control markers with garrisons."""
    return {a: {"markers": [marker(power, kind)], "units": [army(power, 1)]} for a in areas}


# The Victory Point Record Phase


@pytest.mark.rule("VIC-006", "VIC-008", "VIC-002", "SEQ-025")
def test_167_pounds_buy_britain_16_points() -> None:
    g = recorded({"britain": 167})
    assert section_five(g, "britain") == [167, 16, 0, 16]
    assert g.state.powers["britain"].victory_points == 16


@pytest.mark.rule("VIC-006", "VIC-013")
@pytest.mark.parametrize(
    ("power", "pounds", "points"),
    [
        ("france", 27, 3),
        ("france", 28, 4),
        ("germany", 34, 6),
        ("united_states", 11, 2),
        ("japan", 17, 5),
        ("russia", 33, 13),
        ("italy", 33, 13),
        ("italy", 5, 2),
        ("russia", 2, 0),
    ],
)
def test_each_power_divides_by_its_own_divisor_and_loses_fractions(power: str, pounds: int, points: int) -> None:
    g = recorded({power: pounds})
    assert section_five(g, power)[:2] == [pounds, points]


@pytest.mark.rule("VIC-002")
def test_money_spent_before_gives_no_points() -> None:
    """France has £28 for 4 points; a fleet for £10 leaves £18 for 2."""
    g = start({"phase": "movement", "powers": {"france": {"treasury": 28}}})
    g.do("france", actions.Build(("N3",), "mediterranean"))
    while g.state.phase != "victory_point_record":
        g.step()
    g.step()
    assert section_five(g, "france")[:2] == [18, 2]


@pytest.mark.rule("VIC-007", "ADM-019")
def test_remainder_of_the_money_is_lost() -> None:
    g = recorded({"britain": 167, "austria_hungary": 9, "italy": 1})
    assert {p.treasury for p in g.state.powers.values()} == {0}
    lost = [(e.power, e.amount, e.total) for e in g.of(events.TreasuryChanged)]
    assert ("britain", -167, 0) in lost


@pytest.mark.rule("AUS-012", "SEQ-025")
def test_german_and_austrian_money_is_added_before_dividing() -> None:
    g = recorded({"germany": 23, "austria_hungary": 9})
    assert section_five(g, "germany") == [32, 6, 0, 6]
    assert g.state.powers["austria_hungary"].victory_points == 0
    assert g.state.powers["austria_hungary"].record.get("26") is None
    assert {e.power for e in g.of(events.VictoryPointsChanged)} == {"germany"}


@pytest.mark.rule("VIC-011", "VIC-003")
def test_line_26_adds_the_bonuses_of_the_turn() -> None:
    """A canal (15 points, at once) in the turn of £30 left: 7 + 15, the 15 counted once."""
    there = {"panama": {"markers": [marker("united_states", "influence")]}}
    g = start({"phase": "movement", "areas": there, "powers": {"united_states": {"treasury": 60}}})
    g.do("united_states", actions.Canal("panama"))
    assert g.state.powers["united_states"].victory_points == 15
    while g.state.phase != "victory_point_record":
        g.step()
    g.step()
    assert section_five(g, "united_states") == [30, 7, 15, 22]
    assert g.state.powers["united_states"].victory_points == 22


@pytest.mark.rule("VIC-012")
def test_line_26_is_accumulated() -> None:
    g = recorded({"britain": 187}, {"britain": 21})
    assert section_five(g, "britain")[3] == 18
    assert g.state.powers["britain"].victory_points == 39


@pytest.mark.rule("VIC-005")
def test_the_canal_counts_at_once_and_money_only_in_its_phase() -> None:
    there = {"panama": {"markers": [marker("united_states", "influence")]}}
    g = start({"phase": "movement", "areas": there, "powers": {"united_states": {"treasury": 60}}})
    g.do("united_states", actions.Canal("panama"))
    assert [(e.power, e.amount) for e in g.of(events.VictoryPointsChanged)] == [("united_states", 15)]
    while g.state.phase != "victory_point_record":
        g.step()
        assert g.state.powers["united_states"].victory_points == 15
    g.step()
    assert g.state.powers["united_states"].victory_points == 22


@pytest.mark.rule("VIC-005", "EVT-056")
def test_refused_dominion_costs_5_points_even_with_a_great_war() -> None:
    g = start({"phase": "movement", "events_in_force": ["3-2"], "indexes": {"european_tensions": 99}})
    g.step()
    while g.state.phase in ("colonial_combat", "marker_adjustment"):
        g.step()
    assert g.state.powers["britain"].victory_points == -5
    from paxtui.engine.dice import Dice
    from paxtui.games.pax.transaction import Transaction

    play = Transaction(g.tables, g.state, Dice("x"))
    victory.end_by_great_war(play, ())
    assert play.state.powers["britain"].record["27"] == -5


@pytest.mark.rule("VIC-027", "BEL-007")
def test_belgium_has_a_point_for_every_pound() -> None:
    g = recorded({"belgium": 7}, players=8, options={"belgium": "yes"})
    assert section_five(g, "belgium") == [7, 7, 0, 7]


# From turn to turn, and the end


@pytest.mark.rule("SEQ-026", "SEQ-002", "VIC-014")
def test_before_the_last_turn_the_marker_moves_on_by_four_years() -> None:
    g = ended(9)
    assert g.state.result is None and (g.state.turn, g.state.phase) == (10, "random_events")
    (turn,) = g.of(events.TurnBegan)
    assert (turn.turn, turn.year) == (10, 1916)
    assert [row.year for row in g.tables.turns] == list(range(1880, 1917, 4))
    assert all(line(g, p, "31") is None for p in g.state.players)  # no Section VI


@pytest.mark.rule("SET-003", "SEQ-005", "SEQ-027", "VIC-014")
def test_after_the_tenth_turn_the_game_is_over() -> None:
    g = ended(9)
    assert g.state.turn == 10 and g.state.result is None and g.state.phase == "random_events"
    while g.state.result is None:
        g.step()
    assert (g.state.result.reason, g.state.result.turn) == ("last_turn", 10)
    assert set(g.state.result.ranks) == set(g.state.players)
    assert g.of(events.TurnBegan) == [] and g.state.turn == 10
    assert all(line(g, p, n) is not None for p in g.state.players for n in ("27", "28", "29", "30", "31"))
    assert all(line(g, p, "30") == 0 for p in g.state.players)
    for seat, action in (
        ("france", actions.Ready()),
        (ARBITER, actions.Advance()),
        (ARBITER, actions.Advance(True)),
        (ARBITER, actions.Step()),
    ):
        refusal = g.refused(seat, action)
        assert refusal.code == "game_over" and "SET-003" in refusal.rules


@pytest.mark.rule("SEQ-027", "SEQ-026")
def test_merchant_fleets_come_off_the_track_for_powers_with_a_player() -> None:
    g = ended(2)
    assert (g.state.powers["italy"].merchants_due, g.state.powers["japan"].merchants_due) == (1, 1)
    four = ended(2, 4)
    (turn,) = four.of(events.TurnBegan)
    assert turn.fleets == {}


# Section VI


@pytest.mark.rule("VIC-015")
def test_line_27_is_the_running_total_and_28_the_bonuses_of_the_end() -> None:
    path = control("france", "senegambia", "kambara", "sokoto", "tchad", "soudan")
    g = ended(areas=path, powers={"france": {"victory_points": 120}})
    assert (line(g, "france", "27"), line(g, "france", "28")) == (120, 10)


@pytest.mark.rule("VIC-003")
def test_bonuses_of_the_end_come_at_the_end_only() -> None:
    path = control("france", "senegambia", "kambara", "sokoto", "tchad", "soudan")
    g = start({"phase": "victory_point_record", "turn": 9, "areas": path}, 7, UNLIMITED)
    g.step()
    assert section_five(g, "france") == [0, 0, 0, 0] and g.state.powers["france"].victory_points == 0
    g = start({"phase": "victory_point_record", "turn": 10, "areas": path}, 7, UNLIMITED)
    g.step()
    assert section_five(g, "france")[2] == 0
    g.step()
    assert line(g, "france", "28") == 10


@pytest.mark.rule("VIC-015")
@pytest.mark.parametrize(
    ("power", "areas", "points"),
    [
        ("united_states", {}, 20),
        ("united_states", {"mexico": ("france", "protectorate")}, 10),
        ("united_states", {"cuba": ("france", "protectorate")}, 10),
        ("united_states", {"mexico": ("united_states", "protectorate")}, 20),
        ("united_states", {"mexico": ("france", "influence")}, 20),
        ("united_states", {"kansu": ("united_states", "protectorate")}, 10),
        ("united_states", {"hong_kong": ("britain", "protectorate")}, 20),
        ("britain", {}, 0),
        ("britain", {"bengal": ("france", "protectorate")}, -10),
        ("britain", {"bengal": ("britain", "influence"), "kashmir": ("russia", "protectorate")}, -20),
        ("japan", {"korea": ("japan", "protectorate")}, 10),
        ("japan", {"korea": ("japan", "protectorate"), "manchuria": ("russia", "protectorate")}, 0),
        ("japan", {"korea": ("japan", "protectorate"), "manchuria": ("united_states", "protectorate")}, 10),
        ("russia", {"anatolia": ("russia", "protectorate")}, 15),
        ("russia", {"anatolia": ("russia", "influence")}, 0),
        ("russia", {"port_arthur": ("russia", "protectorate")}, 10),
        ("italy", {"tunis": ("italy", "protectorate")}, 0),
        ("italy", {"tunis": ("italy", "protectorate"), "egypt": ("italy", "possession")}, 10),
    ],
)
def test_the_bonus_summary(power: str, areas: dict[str, tuple[str, str]], points: int) -> None:
    there = {a: {"markers": [marker(*who)], "units": [army(who[0], 1)]} for a, who in areas.items()}
    assert line(ended(areas=there), power, "28") == points


@pytest.mark.rule("VIC-015")
@pytest.mark.parametrize(
    ("area", "others", "found"),
    [
        ("anatolia", {}, [("russia", 15, 0, "")]),
        ("anatolia", {"anatolia": ("russia", "protectorate")}, [("russia", 15, 0, "")]),
        ("tunis", {}, [("russia", 10, 0, ""), ("italy", 10, 1, "")]),
        (
            "tunis",
            {"egypt": ("italy", "protectorate"), "port_arthur": ("russia", "protectorate")},
            [("italy", 10, 0, "")],
        ),
        ("korea", {}, [("japan", 10, 0, ""), ("russia", 10, 0, "")]),
        ("korea", {"manchuria": ("france", "protectorate")}, [("russia", 10, 0, "")]),
        ("mexico", {}, [("united_states", 10, 0, "others")]),
        ("mexico", {"cuba": ("france", "protectorate")}, []),
        ("kansu", {}, [("united_states", 10, 0, "anyone")]),
        ("siam", {}, []),
    ],
)
def test_bonuses_that_an_area_decides(
    area: str, others: dict[str, tuple[str, str]], found: list[tuple[str, int]]
) -> None:
    there = {a: {"markers": [marker(*who)], "units": [army(who[0], 1)]} for a, who in others.items()}
    bench = start({"areas": there}, 7)
    assert sorted(victory.final_bonuses_of_area(bench.tables, bench.state, area)) == sorted(found)


@pytest.mark.rule("VIC-015")
def test_an_unestablished_marker_earns_no_bonus() -> None:
    there = {"anatolia": {"markers": [marker("russia", "protectorate", False)]}}
    assert line(ended(areas=there), "russia", "28") == 0
    six = ("kamerun", "togoland", "tanganyika", "kenya", "uganda", "papua")
    assert line(ended(areas=control("germany", *six)), "germany", "28") == 10
    assert line(ended(areas=control("germany", *six[1:])), "germany", "28") == 0


FEW = Bonus("france", "few", 20, "few rivals", players=(4, 5), rules=("VIC-015",))
EGYPT = Bonus("france", "egypt", 7, "Egypt", when=ControlTest("france", ("egypt",)), players=(5,))
PACT = Bonus("france", "pact", 3, "a pact", treaty=TreatyTest("defensive"), players=(5,))


@pytest.mark.rule("VIC-015", "VIC-009")
@pytest.mark.parametrize(("players", "at_end", "a_turn"), [(4, 20, 0), (5, 27, 3), (6, 0, 0), (7, 0, 0)])
def test_a_bonus_for_some_numbers_of_players_counts_only_there(players: int, at_end: int, a_turn: int) -> None:
    g = start({"areas": control("france", "egypt")}, players, UNLIMITED)
    g.tables = replace(g.tables, bonuses_at_end=(FEW, EGYPT), bonuses_per_turn=(PACT,), africa_paths=())
    clauses = (Clause("defensive", against=("germany",)),)
    pact = Treaty("t1", "", "treaty", "france", ("france", "britain"), clauses, True, IN_FORCE)
    g.state = replace(g.state, treaties=(pact,))
    counted = victory.current_bonuses(g.tables, g.state, "france")
    assert victory.total_points(counted) == victory.final_lines(g.tables, g.state, "france")["28"] == at_end
    assert victory.total_points(victory.turn_bonuses(g.tables, g.state, "france")) == a_turn
    possible = victory.possible_bonuses(g.tables, g.state, "france")
    assert sum(row.points for row, _ in possible) == at_end + a_turn
    assert victory.current_bonuses(g.tables, g.state, "britain") == ()


@pytest.mark.rule("VIC-016", "VIC-004", "VIC-017")
def test_line_29_is_twice_the_income_of_the_areas_without_office_and_maintenance() -> None:
    """Algiers (8 x 5) alone earns France £40: 80 / 7 = 11; a huge garrison there changes nothing."""
    only = {a: {"markers": [], "units": []} for a in ("senegambia", "cochinchina", "guiana")}
    g = ended(areas=only)
    assert line(g, "france", "29") == 80 // 7 == 11
    units = {"algiers": {"units": [army("france", 10), army("france", 10), army("france", 10)]}}
    assert line(ended(areas={**only, **units}), "france", "29") == 11


@pytest.mark.rule("VIC-016")
def test_line_29_has_the_gains_and_losses_since_the_administrative_phase() -> None:
    """The sheet of the turn says £120; the Influence in Tunis has gone since."""
    influence = {"tunis": {"markers": [marker("france", "influence")]}}
    g = start({"phase": "administrative", "turn": 10, "areas": influence})
    g.dice(1, 1, 1, 1)
    while g.state.phase != "movement":
        g.step()
    assert (line(g, "france", "11"), line(g, "france", "13")) == (110, 10)
    g.do("france", actions.Withdraw("influence", "tunis"))
    while g.state.result is None:
        g.step()
    assert line(g, "france", "29") == 2 * 110 // 7
    # Egypt has come, or the link to Cochinchina has gone
    egypt = control("france", "egypt", kind="possession")
    assert line(ended(areas=egypt), "france", "29") == 2 * 150 // 7
    fleets = {"south_china_sea": {"merchant_fleets": []}}
    assert line(ended(sea_zones=fleets), "france", "29") == 2 * 75 // 7


@pytest.mark.rule("VIC-016", "VIC-013")
def test_line_29_divides_by_two_and_a_half_for_italy() -> None:
    assert line(ended(areas=control("italy", "tunis")), "italy", "29") == 2 * 20 * 2 // 5


@pytest.mark.rule("AUS-013")
def test_austrian_markers_count_in_the_german_line_29() -> None:
    serbia = control("austria_hungary", "serbia")  # 5 x 4 = 20
    g = ended(areas=serbia)
    assert line(g, "germany", "29") == 2 * 20 // 5
    assert g.state.result is not None and "austria_hungary" not in g.state.result.ranks
    assert line(ended(), "germany", "29") == 0
    both = {**serbia, **control("germany", "kamerun")}  # 20 and 20
    assert line(ended(areas=both), "germany", "29") == 2 * 40 // 5


@pytest.mark.rule("VIC-020", "VIC-001")
def test_the_highest_total_wins_and_equal_totals_share_a_rank() -> None:
    assert victory.rank_seats({"france": 142, "britain": 130, "italy": 142}) == {"france": 1, "italy": 1, "britain": 3}
    bare = {a: {"markers": [], "units": []} for a in start().state.areas}
    points = {"france": 142, "italy": 142, "britain": 190, "germany": 20, "united_states": 0, "japan": 7, "russia": 7}
    g = ended(areas=bare, powers={p: {"victory_points": n} for p, n in points.items()})
    assert g.state.result is not None
    totals = g.state.result.totals
    # the United States has its two bonuses (20), Britain has lost India (-60)
    assert totals == {**points, "britain": 130, "united_states": 20}
    assert g.state.result.ranks == {
        "france": 1,
        "italy": 1,
        "britain": 3,
        "germany": 4,
        "united_states": 4,
        "japan": 6,
        "russia": 6,
    }
    assert totals == {p: line(g, p, "31") for p in g.state.players}


@pytest.mark.rule("VIC-020")
def test_line_31_adds_the_four_lines() -> None:
    g = ended(powers={"united_states": {"victory_points": 50}})
    lines = [line(g, "united_states", n) for n in ("27", "28", "29", "30", "31")]
    assert lines == [50, 20, 15, 0, 85]


@pytest.mark.rule("VIC-015", "VIC-016", "VIC-020")
def test_the_forecast_is_what_the_last_turn_would_write() -> None:
    path = control("france", "senegambia", "kambara", "sokoto", "tchad", "soudan")
    patch = {"areas": path, "powers": {"france": {"victory_points": 9}}, "turn": 10}
    now = start({"phase": "movement", **patch}, 7, UNLIMITED)
    g = ended(**patch)
    for seat in now.state.players:
        lines = {n: line(g, seat, n) for n in ("27", "28", "29", "30", "31")}
        assert victory.final_lines(now.tables, now.state, seat) == lines
    (bonus,) = victory.current_bonuses(now.tables, now.state, "france")
    assert bonus[1] == 10 and "Senegambia" in bonus[2]


# The paths across Africa


EAST_WEST = ("senegambia", "kambara", "sokoto", "tchad", "soudan")
NORTH_SOUTH = ("egypt", "soudan", "kongo", "rhodesia", "bechuanaland", "cape_colony")
NONE = {a: {"markers": [], "units": []} for a in ("algiers", "cape_colony", "gold_coast", "angola", "mozambique")}


def path_points(power: str, *areas: str, more: dict[str, Any] | None = None) -> int | None:
    """Line 28 of France or Italy with Control in exactly these Areas of Africa."""
    bare = {**NONE, "senegambia": {"markers": []}}
    return line(ended(areas={**bare, **control(power, *areas), **(more or {})}), power, "28")


@pytest.mark.rule("VIC-021", "VIC-022")
def test_a_path_from_west_to_east_is_worth_10() -> None:
    assert path_points("france", *EAST_WEST) == 10
    for missing in EAST_WEST:
        assert path_points("france", *(a for a in EAST_WEST if a != missing)) == 0, missing


@pytest.mark.rule("VIC-022")
@pytest.mark.parametrize("west", [("marocco", "taureg"), ("rio_de_oro", "taureg"), ("mauretania", "taureg")])
@pytest.mark.parametrize("east", ["egypt", "soudan"])
def test_the_ends_of_the_west_to_east_path(west: tuple[str, str], east: str) -> None:
    middle = ("tripoli",) if east == "egypt" else ("tripoli", "tchad")
    assert path_points("france", *west, *middle, east) == 10
    assert path_points("france", "taureg", *middle, east) == 0


@pytest.mark.rule("VIC-023", "VIC-024")
def test_a_path_from_the_mediterranean_to_the_tip_is_worth_15() -> None:
    assert path_points("france", *NORTH_SOUTH) == 15
    for missing in NORTH_SOUTH:
        assert path_points("france", *(a for a in NORTH_SOUTH if a != missing)) == 0, missing


@pytest.mark.rule("VIC-024")
@pytest.mark.parametrize(
    "north",
    [
        ("marocco", "taureg", "sokoto", "tchad"),
        ("algiers", "taureg", "sokoto", "tchad"),
        ("tunis", "tripoli", "tchad"),
        ("tripoli", "tchad"),
        ("egypt", "soudan"),
    ],
    ids=lambda chain: chain[0],
)
@pytest.mark.parametrize(
    "south", [("bechuanaland", "cape_colony"), ("sudwest_afrika",), ("mozambique",)], ids=lambda chain: chain[-1]
)
def test_the_ends_of_the_north_to_south_path(north: tuple[str, ...], south: tuple[str, ...]) -> None:
    assert path_points("france", *north, "kongo", "rhodesia", *south) == 15
    assert path_points("france", *north, "kongo", "rhodesia", *south[:-1]) == 0


@pytest.mark.rule("VIC-024", "VIC-022")
def test_path_across_africa_runs_overland() -> None:
    assert path_points("france", "egypt", "cape_colony", "senegambia") == 0


@pytest.mark.rule("VIC-022", "VIC-024")
def test_a_path_needs_established_control() -> None:
    gap = [a for a in NORTH_SOUTH if a != "kongo"]
    for m in (marker("france", "influence"), marker("france", "protectorate", False)):
        assert path_points("france", *gap, more={"kongo": {"markers": [m]}}) == 0
    other = {"kongo": {"markers": [marker("italy", "protectorate")]}}
    assert path_points("france", *gap, more=other) == 0


@pytest.mark.rule("VIC-022")
def test_a_path_stays_in_africa() -> None:
    """Anatolia does not join Egypt to the world overland."""
    path = next(p for p in start().tables.africa_paths if p.id == "east_west")
    assert "anatolia" not in path.through and set(path.one_end) | set(path.other_end) <= set(path.through)


@pytest.mark.rule("VIC-025")
def test_several_players_may_have_the_same_path() -> None:
    shared = {
        a: {
            "markers": [marker("france", "protectorate"), marker("italy", "protectorate")],
            "units": [army("france", 1), army("italy", 1)],
            "codominion": ["france", "italy"],
        }
        for a in EAST_WEST
    }
    g = ended(areas={**NONE, **shared})
    assert (line(g, "france", "28"), line(g, "italy", "28")) == (10, 10)


@pytest.mark.rule("VIC-026")
def test_two_west_to_east_paths_count_once() -> None:
    other = ("mauretania", "taureg", "tripoli", "egypt")
    assert path_points("france", *EAST_WEST) == 10
    assert path_points("france", *other) == 10
    assert path_points("france", *EAST_WEST, *other) == 10


@pytest.mark.rule("VIC-021", "VIC-023")
def test_one_empire_may_have_both_paths() -> None:
    assert path_points("france", *EAST_WEST, *NORTH_SOUTH) == 25
