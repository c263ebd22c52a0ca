"""Area cards, victory, leaders and battles in lines; menus with groups."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from paxtui.games.empires.decider import menu_actions
from paxtui.games.empires.orders import ForceMarch, March, parse_action
from paxtui.games.empires.position import seat_view, starting_state
from paxtui.games.empires.reports import (
    area_lines,
    leader_lines,
    narrow_battle_board,
    supply_bill_text,
    supply_prices,
    victory_lines,
)
from paxtui.games.empires.warnings import march_warnings, supply_warnings
from paxtui.session.exercise_menus import MOST_UNGROUPED
from paxtui.session.exercise_session import ExerciseSession, group_menu
from paxtui.session.hosts import open_game
from paxtui.session.tables.exercises import load_exercise
from tests.empires.hosting import host_exercise
from tests.empires.land import CAMPAIGN, DANUBE, DECEMBER, SEPTEMBER, corps, leader, met
from tests.empires.saved_exercises import SAVES
from tests.empires.scripted_game import start_game
from tests.empires.sea import TABLES, Sea, fleet


def card(area: str, seat: str = "france") -> str:
    return "\n".join(area_lines(DANUBE, seat_view(starting_state(DANUBE), seat), seat, area))


def test_card_has_supply_capacity_movement_and_leaders() -> None:
    told = card("ansbach")
    assert "Forage value 4; Nuremberg: supply value 2" in told
    assert "In your supply, $1 a corps: depot at Franconia" in told
    assert "i, I Corps: 11 infantry, 1 cavalry (holds 14 infantry, 2 cavalry); 4 of 4 points" in told
    assert "Leader Bernadotte (France): rank C, strategic 3, tactical 3, commands 2 corps" in told
    assert "a supply source" in card("baden")
    assert "Out of your depot supply" in card("vienna") and "Worth 4 political points" in card("vienna")


def test_small_screen_shows_both_sides_of_a_combat_in_columns() -> None:
    many = [corps(f"{n}", "france", "black_forest") for n in "abcdefgh"]
    game = met(*many, corps("m", "austria", "black_forest"), leader("ney", "france", "a", strategic=4, tactical=3))
    board = [*narrow_battle_board(game.tables, seat_view(game.state, "france"), 78, 10)]
    assert len(board) == 10 and max(map(len, board)) <= 78
    assert board[0] == "Black Forest (forest): day 1, rounds fought: 0 of 3"
    assert board[1].split() == ["Attacker:", "France", "Defender:", "Austria"]
    assert board[3].startswith("Ney: ratings 4 and 3") and board[3].endswith("Infantry corps: face down")
    assert board[-1] == "and 3 more"


def test_winter_doubles_the_price_of_supply_and_costs_foragers_more() -> None:
    """Rules: EIA 7.4.1.2.4, 7.4.2.1.3"""
    autumn = seat_view(starting_state(CAMPAIGN), "france")
    winter = replace(autumn, turn=DECEMBER)
    before, after = supply_prices(CAMPAIGN, autumn, "france"), supply_prices(CAMPAIGN, winter, "france")
    zone = [area for area in before if CAMPAIGN.areas[area].winter and area in after]
    assert zone and all(float(after[area][1:]) == 2 * float(before[area][1:]) for area in zone)
    cards = ["\n".join(area_lines(CAMPAIGN, state, "france", "salzburg")) for state in (autumn, winter)]
    losses = [float(card.partition("loses about ")[2].partition(" ")[0]) for card in cards]
    assert losses[0] < losses[1]


def test_a_player_is_warned_of_a_bill_above_the_money_and_of_great_losses_by_foraging() -> None:
    state = seat_view(starting_state(CAMPAIGN), "france")
    assert not any("Supply costs" in line for line in supply_warnings(CAMPAIGN, state, "france"))
    poor = replace(state, accounts={**state.accounts, "france": replace(state.accounts["france"], money=0)})
    told = next(iter(supply_warnings(CAMPAIGN, poor, "france")))
    assert "and you have $0: some corps will have to forage" in told
    corps = {**state.corps, "iv": replace(state.corps["iv"], where="salzburg", moved=4)}
    for turn, warned in ((SEPTEMBER, False), (DECEMBER, True)):
        far = replace(state, turn=turn, corps=corps)
        lines = [line for line in supply_warnings(CAMPAIGN, far, "france") if line.startswith("IV Corps at Salzburg")]
        assert bool(lines) is warned and all("out of your supply: foraging in winter" in line for line in lines)


def test_price_of_supply_of_the_whole_army_is_shown_with_the_money() -> None:
    """Rules: EIA 7.4.2.1"""
    state = seat_view(starting_state(CAMPAIGN), "france")
    money = state.accounts["france"].money
    assert supply_bill_text(CAMPAIGN, state, "france") == f"Supply costs $8 of ${money}."
    assert supply_bill_text(CAMPAIGN, replace(state, depots=()), "france") == f"Supply costs $0 of ${money}."


def test_a_march_warns_of_great_losses_by_foraging_where_it_ends() -> None:
    state = seat_view(starting_state(CAMPAIGN), "france")
    assert not [*march_warnings(CAMPAIGN, state, "france", [March("iv", ("wurttemberg",))])]
    corps = {**state.corps, "iv": replace(state.corps["iv"], where="munich", moved=1)}
    far = replace(state, depots=(), turn=DECEMBER, corps=corps)
    told = [*march_warnings(CAMPAIGN, far, "france", [March("iv", ("salzburg",))])]
    assert len(told) == 1 and told[0].startswith("IV Corps at Salzburg is out of your supply: foraging in winter")
    assert f" of {corps['iv'].factors.total} factors." in told[0]
    forced = [*march_warnings(CAMPAIGN, far, "france", [ForceMarch("iv", ("salzburg",))])]
    assert forced[0].startswith("IV Corps at Salzburg has force marched: foraging in winter")


def test_a_march_of_the_last_besieger_warns_that_the_siege_ends() -> None:
    """Rules: EIA 7.5.1.1.2"""
    state = seat_view(starting_state(CAMPAIGN), "france")
    corps = {**state.corps, **{one: replace(state.corps[one], where="ulm") for one in ("iv", "v")}}
    campaign = replace(state.campaign, sieges={"ulm": "france"})
    sieging = replace(state, corps=corps, campaign=campaign)
    marches = [March(one, ("wurttemberg",)) for one in ("iv", "v")]
    ends = "The siege of Ulm ends: no corps of yours stays there."
    assert ends not in [*march_warnings(CAMPAIGN, sieging, "france", marches[:1])]
    assert ends in [*march_warnings(CAMPAIGN, sieging, "france", marches)]


def test_card_does_not_identify_face_down_corps_of_other_powers() -> None:
    told = card("swabia")
    assert told.count("Austria: infantry corps, face down") == 2
    assert "jellacic" not in told and "holds" not in told
    assert "john" in card("swabia", "austria") or "mack" in card("swabia", "austria")


def test_a_card_of_a_port_and_of_a_sea_area() -> None:
    sea = Sea(fleet("gb1", "off_brest"), fleet("fr1", "brest"), groups=[("great_britain",), ("france",), ("spain",)])
    port = "\n".join(area_lines(TABLES, sea.state, "france", "brest"))
    assert "Port, 25 harbour guns" in port and "Forage" not in port
    assert "fleet gb1 in the blockade box" in port and "fleet fr1 in port" in port and "7 of 7 points" in port
    channel = load_exercise("channel-1805")
    lines = list(area_lines(channel, starting_state(channel), "france", "channel"))
    assert any(line.startswith("Worth 4 political points a month to France") for line in lines)


def test_victory_page_has_conditions_standing_and_open_points() -> None:
    state = starting_state(DANUBE)
    told = list(victory_lines(DANUBE, state))
    assert told[0] == DANUBE.exercise.victory
    assert "Last month: December 1805 (4 to play); combats fought: 0 of 3" in told
    assert "  Vienna 4 (held by Austria)" in told
    taken = replace(state, control={**state.control, "vienna": "france"})
    assert "  Vienna 4 (held by France, counts)" in list(victory_lines(DANUBE, taken))
    assert any("France: 0 political points, and 4 for cities taken" in line for line in victory_lines(DANUBE, taken))


def test_leaders_are_listed_with_ratings_and_places() -> None:
    told = list(leader_lines(DANUBE, seat_view(starting_state(DANUBE), "france")))
    assert "Napoleon (France): rank A, strategic 5, tactical 5, commands 6 corps: Alsace with guard" in told
    assert any(line.startswith("Mack") and line.endswith(": Swabia") for line in told)


def test_a_menu_has_an_entry_for_each_piece_with_its_goals() -> None:
    driven = start_game(DANUBE)
    driven.until("movement")
    seat = driven.waiting[0]
    acts = menu_actions(DANUBE, driven.state, seat)
    entries = group_menu(DANUBE, driven.state, acts)
    assert len(acts) > 10 * MOST_UNGROUPED > 3 * len(entries)
    orders = {goal.order for entry in entries for goal in (entry.goals or (entry,))}
    assert len(orders) == len(acts)
    first = next(entry for entry in entries if entry.label.startswith("III Corps (Baden, 4 of 4 points)"))
    goal = next(goal for goal in first.goals if goal.label == "march to Ansbach · 2 points · by Franconia")
    assert parse_action(goal.order) in acts


def test_a_short_menu_lists_every_order() -> None:
    driven = start_game(DANUBE)
    acts = [parse_action(text) for text in ("done", "forage iii", "forage iv")]
    assert [entry.order for entry in group_menu(DANUBE, driven.state, acts)] == ["done", "forage iii", "forage iv"]


def test_a_naval_menu_is_short() -> None:
    sitting = ExerciseSession(host_exercise("channel-1805", "1"))
    while sitting.state.cursor.step != "movement":
        sitting.act(sitting.acts[1] if sitting.acts[0] != "done" else "done")
    assert len(sitting.acts) > 50
    assert len(sitting.menu) < 20
    fleets = next(entry for entry in sitting.menu if entry.goals)
    assert any(goal.label.startswith("sail to ") and " points · by " in goal.label for goal in fleets.goals)


def battles(name: str) -> tuple[tuple[str, ...], ...]:
    return ExerciseSession(open_game(Path(SAVES / f"{name}.jsonl"), write=False), replay=True).battles()


def test_battles_on_land_stay_as_pages_the_last_one_first() -> None:
    pages = battles("danube-1805-campaign")
    assert len(pages) == 3
    assert pages[0][0] == "Field combat in Vorarlberg, December 1805"
    told = "\n".join(pages[0])
    for words in (
        "Attacker: France, I Corps",
        "chits: attacker",
        "round 1: dice",
        "morale left",
        "Losses in all",
        "Result: ",
    ):
        assert words in told


def test_battles_at_sea_stay_as_pages() -> None:
    told = "\n".join(battles("channel-1805-battles")[0])
    for words in (
        "Naval combat at Channel",
        "Attacker: Great Britain",
        "Wind gauge",
        "broadside: die",
        "Ships lost",
        "Result:",
    ):
        assert words in told


def test_a_battle_that_is_taken_back_has_no_page() -> None:
    sitting = ExerciseSession(open_game(Path(SAVES / "danube-1805-campaign.jsonl"), write=False), replay=True)
    sitting.look_at(2)
    assert sitting.battles() == ()
