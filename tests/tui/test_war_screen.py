"""The screen in War: pane, map, moves, attacks, retreats, declarations and peace by keys."""

from __future__ import annotations

import pytest

from paxtui.engine.seating import SeatOccupant
from paxtui.games.pax.board.tables import HOME
from paxtui.session.session import AssignSeats
from paxtui.tui.base.dialogs import ConfirmDialog
from paxtui.tui.dialogs.area_menu import AreaMenu
from paxtui.tui.dialogs.choice import ChoiceDialog
from paxtui.tui.dialogs.reports import CombatResultDialog
from paxtui.tui.dialogs.war import AttackScreen, DeclareScreen, RetreatScreen
from paxtui.tui.diplomacy.treaties import TermsMap
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.panes.registry import WAR_PANE
from paxtui.tui.widgets.map_scene import FILTERS, WAR_FILTER
from tests.rules.harness import army, held
from tests.tui.playing import (
    NEGOTIATION,
    drawn_text,
    keys_of,
    notices,
    press,
    rows,
    sizes,
    start_at,
)
from tests.tui.seats import game_screen, take_seat
from tests.tui.wars import FAR_EAST, OTTOMAN_AID, far_east

LARGE_AND_SMALL = sizes((160, 50), (80, 24))


async def go_to(pilot, name: str) -> None:
    """Move the cursor to a place by its name."""
    await press(pilot, "slash", [*keys_of(name), "enter"])


# Pane and map


async def test_war_pane_and_filter_come_with_the_war(home):
    app = start_at(home, FAR_EAST, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "right")
        screen = game_screen(app)
        assert screen.view.side.pane == WAR_PANE and screen.view.filter == WAR_FILTER
        assert "Japan and Great Britain against Russia" in screen.words()
        await press(pilot, "2", "f")
        assert screen.view.side.pane == "record" and FILTERS[screen.view.filter] != "at war"
        await press(pilot, "right")
        assert screen.view.side.pane == "record", "the pane that the player chose stays"


async def test_no_war_tab_in_peace(home):
    app = start_at(home, {"phase": "movement"})
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "right")
        assert "7 War" not in drawn_text(app, "#tabs") and "at war" not in [FILTERS[game_screen(app).view.filter]]
        await press(pilot, "7")
        assert "No War." in drawn_text(app, "#pane")


@LARGE_AND_SMALL
def test_war_pane_and_map_look(home, compare_screen, size):
    app = start_at(home, far_east("attack", conquered=[{"area": "korea", "alliance": 2}]), curtain=False)

    async def before(pilot) -> None:
        await press(pilot, "right")
        if size[0] < 100:
            await press(pilot, "7")
        else:
            await go_to(pilot, "manchuria")

    assert compare_screen(app, terminal_size=size, run_before=before)


@LARGE_AND_SMALL
def test_war_map_look_without_colors(home, compare_screen, size):
    app = start_at(home, FAR_EAST, curtain=False, palette="mono", ascii=True)

    async def before(pilot) -> None:
        await go_to(pilot, "manchuria")

    assert compare_screen(app, terminal_size=size, run_before=before)


async def test_allies_in_one_area_are_shown_separately(home):
    app = start_at(home, FAR_EAST, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "right")
        scene = game_screen(app).view.map.scene
        manchuria = scene.marks["manchuria"]
        assert manchuria.second == (("▲A3", "japan"), ("A3", "britain"), ("▼A3", "russia"))
        assert [key for _, key in manchuria.sign] == ["japan", "war", "russia"]
        assert {key for _, key in scene.marks["bengal"].second} == {"britain"}


async def test_stack_of_two_allies_has_both_colors(home):
    areas = {**FAR_EAST["areas"], "korea": held("japan", "protectorate", army("japan", 3), army("britain", 10))}
    app = start_at(home, {**FAR_EAST, "areas": areas}, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "right")
        assert game_screen(app).view.map.scene.marks["korea"].sign == (("▲", "britain"), ("13", "japan"))


# Steps


async def test_war_move_shows_its_cost_first(home):
    app = start_at(home, FAR_EAST, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "s", "s", "s", "s")
        screen = game_screen(app)
        assert screen.session.seat == "japan"
        await go_to(pilot, "korea")
        await press(pilot, "v")
        assert screen.view.march is not None and screen.view.march.in_war
        assert set(screen.view.march.reach) == {"manchuria", "north_china_sea"}
        for _ in screen.view.march.groups[1:]:
            if len(screen.view.march.units) < 2:
                await press(pilot, "space")
        assert len(screen.view.march.units) == 2
        screen.view.map.cursor = "manchuria"
        await press(pilot)
        await pilot.pause()
        assert "Korea has no Army left" in drawn_text(app, "#card")
        await press(pilot, "enter")
        assert screen.view.march is None and not screen.session.live.areas["korea"].units
        await press(pilot, "u")
        assert len(screen.session.live.areas["korea"].units) == 2, "the move is undone"


async def test_typed_war_move_asks_first(home):
    app = start_at(home, FAR_EAST, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "s", "s", "s", "s", "colon", [*keys_of("move a10 a1 korea > manchuria"), "enter"])
        assert isinstance(app.screen, ConfirmDialog)
        await press(pilot, "escape")
        assert len(game_screen(app).session.live.areas["korea"].units) == 2


async def test_units_of_a_commanded_minor_power_move(home):
    areas = {"marocco": held("spain", "protectorate", army("spain", 3))}
    patch = {
        "phase": "war",
        "wars": [{"alliances": [["france", "spain"], ["germany"]], "phase": "maneuver"}],
        "areas": areas,
        "sea_zones": {"north_atlantic": {"merchant_fleets": ["spain"]}},
    }
    app = start_at(home, patch, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "right")
        screen = game_screen(app)
        assert screen.session.seat == "france"
        await go_to(pilot, "marocco")
        await press(pilot, "v")
        assert screen.view.march is not None and screen.view.march.owner(screen.session) == "spain"
        assert "of Spain" in drawn_text(app, "#card")


# Attacks


async def open_attack(pilot) -> None:
    """Open the attack dialog from the menu of Manchuria."""
    await go_to(pilot, "manchuria")
    await press(pilot, "enter")
    assert isinstance(pilot.app.screen, AreaMenu)
    assert rows(pilot.app)[0].startswith("a Attack with armies: 6 against 3")
    await press(pilot, "a")
    assert isinstance(pilot.app.screen, AttackScreen)


async def test_attack_with_an_ally(home):
    app = start_at(home, far_east("attack"), curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "right")
        await open_attack(pilot)
        assert [row.split(":")[0] for row in rows(app)] == ["Japan and Great Britain", "Great Britain"]
        await press(pilot, "down")
        assert "column 1-1" in drawn_text(app, "#odds")
        await press(pilot, "enter")
        screen = game_screen(app)
        assert screen.session.seat == "japan", "the ally is asked"
        await press(pilot, "c")
        assert isinstance(app.screen, ChoiceDialog) and rows(app) == ["Join with all Units there", "Stand aside"]
        assert "column 2-1" in drawn_text(app, "#follows")
        await press(pilot, "down")
        assert "column 1-1" in drawn_text(app, "#follows")
        assert "do not attack in this Phase" in " ".join(drawn_text(app, "#follows").split())
        await press(pilot, "up", "enter")
        assert [clash.place for clash in screen.session.live.wars[0].clashes] == ["manchuria"]


async def test_pass_without_supply_asks_first(home):
    app = start_at(home, far_east("attack", turn_of=2), curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        screen = game_screen(app)
        while screen.session.seat != "russia":
            await press(pilot, "s")
        await press(pilot, "colon", [*keys_of("pass"), "enter"])
        assert isinstance(app.screen, ConfirmDialog) and "N1 in South China Sea will surrender" in app.screen.words()
        await press(pilot, "escape")
        assert screen.session.live.wars[0].turn_of == 2


async def test_closing_the_odds_cancels_the_attack(home):
    app = start_at(home, far_east("attack"), curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "right")
        await open_attack(pilot)
        await press(pilot, "escape")
        assert not game_screen(app).session.live.wars[0].clashes


async def test_attack_outside_its_phase_is_explained(home):
    app = start_at(home, FAR_EAST, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await go_to(pilot, "manchuria")
        await press(pilot, "enter")
        assert any("Attack with armies" in row and "Attack Phase" in row for row in rows(app))


@LARGE_AND_SMALL
def test_odds_look(home, compare_screen, size):
    app = start_at(home, far_east("attack"), curtain=False)

    async def before(pilot) -> None:
        await press(pilot, "right")
        await open_attack(pilot)

    assert compare_screen(app, terminal_size=size, run_before=before)


async def test_pass_warns_of_possible_attacks(home):
    app = start_at(home, far_east("attack"), curtain=False, remind=True)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "right", "r")
        assert isinstance(app.screen, ConfirmDialog)
        assert "You can attack in Manchuria with armies" in app.screen.words()


# Retreats


def russian_attack() -> dict:
    """A position before a Russian attack: Japanese Armies in Manchuria may have to retreat."""
    patch = far_east("attack", order=[2, 1], turn_of=2)
    areas = {**FAR_EAST["areas"]}
    mine = [army("japan", 1), army("japan", 1)]
    areas["manchuria"] = held("russia", "protectorate", *mine, *[army("russia", 10)] * 2)
    areas["korea"] = held("japan", "protectorate", army("japan", 10))
    return {**patch, "areas": areas}


async def play_to_the_retreat(pilot) -> None:
    """Let Russia attack, so that Japan must choose a retreat."""
    await press(pilot, "right", "colon", [*keys_of("attack manchuria"), "enter"])
    if isinstance(pilot.app.screen, CombatResultDialog):
        await press(pilot, "space")


async def test_retreat_is_chosen_for_each_unit(home):
    app = start_at(home, russian_attack(), curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await play_to_the_retreat(pilot)
        screen = game_screen(app)
        if not screen.session.live.choices:
            pytest.fail("the die has brought no retreat")
        await press(pilot, "c")
        assert isinstance(app.screen, RetreatScreen)
        first = rows(app)
        assert all("in supply" in row for row in first) and len(first) == 2
        await press(pilot, "right")
        assert rows(app)[0] != first[0] and rows(app)[1] == first[1]
        await press(pilot, "a")
        assert rows(app)[0].split("→")[1] == rows(app)[1].split("→")[1]
        await press(pilot, "enter")
        assert not screen.session.live.choices
        assert not [u for u in screen.session.live.areas["manchuria"].units if u.power == "japan"]


@LARGE_AND_SMALL
def test_retreat_look(home, compare_screen, size):
    app = start_at(home, russian_attack(), curtain=False)

    async def before(pilot) -> None:
        await play_to_the_retreat(pilot)
        await press(pilot, "c")

    assert compare_screen(app, terminal_size=size, run_before=before)


# Declarations


async def open_declaration(pilot) -> None:
    """Open the declaration of War of France on Italy."""
    await press(pilot, "right")
    game_screen(pilot.app).session.take_seat("france")
    await pilot.pause()
    game_screen(pilot.app).view.map.cursor = HOME + "italy"
    await pilot.pause()
    await press(pilot, "enter")
    await press(pilot, next(text[0] for text in rows(pilot.app) if "Declare War on Italy" in text))


async def test_next_task_key_tells_what_is_possible_in_war(home):
    cause = {"holder": "france", "against": "italy", "area": "tunis"}
    app = start_at(home, {"phase": "war", "casus_belli": [cause]}, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await take_seat(pilot, "france")
        game_screen(app).view.map.cursor = "egypt"
        await press(pilot, "n")
        assert "Declare War (Enter on the enemy's Home Country or the Area in dispute), or pass (r)." in notices(app)
        assert game_screen(app).view.map.cursor == "tunis" and "Nothing left" not in notices(app)


async def test_next_task_key_tells_how_to_move_in_war(home):
    app = start_at(home, FAR_EAST, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "n")
        assert "Move Units a step each (v where they stand), then pass (r)." in notices(app)


async def test_declaration_shows_forecast_and_needs_y(home):
    app = start_at(home, NEGOTIATION, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await open_declaration(pilot)
        assert isinstance(app.screen, DeclareScreen)
        assert "France declares War on Italy" in drawn_text(app, "#foretold")
        await press(pilot, "enter")
        assert isinstance(app.screen, DeclareScreen) and "y declares War" in notices(app)
        await press(pilot, "space")
        assert "No Power is selected." in app.screen.words()
        await press(pilot, "y")
        assert isinstance(app.screen, DeclareScreen), "no Power is selected"
        await press(pilot, "space", "y")
        assert game_screen(app).session.live.wars[0].alliances == (("france",), ("italy",))


@LARGE_AND_SMALL
def test_declaration_look(home, compare_screen, size):
    app = start_at(home, NEGOTIATION, curtain=False)
    assert compare_screen(app, terminal_size=size, run_before=open_declaration)


# An Ottoman War


async def test_aid_to_the_ottoman_empire_asks_first(home):
    app = start_at(home, OTTOMAN_AID, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "right")
        assert "Come to the Empire's" in game_screen(app).words() and "no Army" in game_screen(app).words()
        await go_to(pilot, "anatolia")
        await press(pilot, "enter", "a")
        assert isinstance(app.screen, ConfirmDialog) and "tension" in app.screen.words()
        await press(pilot, "escape")
        assert game_screen(app).session.live.wars[0].alliances == (("ottoman_empire",), ("italy",))
        await press(pilot, "enter", "a", "y")
        assert game_screen(app).session.live.wars[0].alliances == (("ottoman_empire", "britain"), ("italy",))


async def test_others_are_asked_for_aid(home):
    war = {**OTTOMAN_AID["wars"][0], "turn_of": 2}
    app = start_at(home, {**OTTOMAN_AID, "wars": [war]}, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "right", *"sssssss")
        while game_screen(app).session.seat != "italy":
            await press(pilot, "s")
        assert "Ask others for aid" in game_screen(app).words().replace("\n", " ")
        await go_to(pilot, "anatolia")
        await press(pilot, "enter")
        assert any("Ask only France for aid" in row for row in rows(app))


# Peace


async def propose_peace(pilot) -> None:
    """Let Japan propose a peace that gives it Manchuria, and show it on the map."""
    await press(pilot, "s", "s", "s", "s", "colon")
    await press(pilot, [*keys_of("propose with britain russia: peace; manchuria to japan"), "enter"])
    await press(pilot, "t", "m")


async def test_peace_is_shown_on_the_map(home):
    app = start_at(home, FAR_EAST, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await propose_peace(pilot)
        screen = app.screen
        assert isinstance(screen, TermsMap) and screen.barred is None
        assert "Manchuria: ◇RU" in screen.words() and "→ " in screen.words()
        now, then = screen.query(WorldMap)
        assert now.display and then.display and now.cursor == then.cursor == "manchuria"
        await press(pilot, "down")
        assert now.cursor == then.cursor != "manchuria", "both maps show the same place"
        await press(pilot, "escape", "escape")
        live = game_screen(app).session.live
        assert live.wars and [m.power for m in live.areas["manchuria"].markers] == ["russia"], "nothing is signed"


async def test_small_screen_shows_one_peace_map_at_a_time(home):
    app = start_at(home, FAR_EAST, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await propose_peace(pilot)
        now, then = app.screen.query(WorldMap)
        assert then.display and not now.display
        await press(pilot, "tab")
        assert now.display and not then.display


@LARGE_AND_SMALL
def test_peace_map_look(home, compare_screen, size):
    app = start_at(home, FAR_EAST, curtain=False)
    assert compare_screen(app, terminal_size=size, run_before=propose_peace)


# A pass, a move and undo


@LARGE_AND_SMALL
async def test_screen_says_that_the_seat_may_act_again(home, size):
    app = start_at(home, FAR_EAST, curtain=False)
    async with app.run_test(size=size) as pilot:
        await take_seat(pilot, "britain")
        game_screen(app).act_text("pass")
        await pilot.pause()
        await take_seat(pilot, "japan")
        game_screen(app).act_text("move A1 korea > manchuria")
        await pilot.pause()
        await take_seat(pilot, "britain")
        text = " ".join(game_screen(app).words().split())
        assert "Act again or pass." in text


async def test_war_move_and_pass_are_undone(home):
    app = start_at(home, FAR_EAST, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await take_seat(pilot, "japan")
        before = game_screen(app).session.live
        await go_to(pilot, "korea")
        await press(pilot, "v", "space")
        for _ in range(6):
            if game_screen(app).view.march is not None and "A1" in game_screen(app).view.march.units:
                break
            await press(pilot, "space")
        game_screen(app).view.map.cursor = "manchuria"
        await press(pilot, "enter")
        if app.screen is not game_screen(app):
            await press(pilot, "y")
        assert game_screen(app).session.live != before
        await press(pilot, "u")
        assert game_screen(app).session.live == before
        game_screen(app).act_text("pass")
        await pilot.pause()
        assert game_screen(app).session.live.ready == ("japan",)
        await take_seat(pilot, "japan")
        await press(pilot, "u")
        assert game_screen(app).session.live == before


async def test_standing_pass_lasts_until_it_concerns_the_seat(home):
    calm = {**FAR_EAST, "areas": {"korea": FAR_EAST["areas"]["korea"]}}
    app = start_at(home, calm, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        session = game_screen(app).session
        session.take_seat("japan")
        others = [seat for seat in session.live.players if seat != "japan"]
        session.perform(AssignSeats({seat: SeatOccupant(by="bot", level="caretaker") for seat in others}))
        await press(pilot, "R")
        while isinstance(app.screen, ConfirmDialog):
            await press(pilot, "y")
        passes = [line for line in session.view.lines if line.seat == "japan"]
        stays = session.orders_ahead.stays_ready
        assert len(passes) > 2 or "You no longer stay ready" in notices(app)
        assert not (stays and "japan" in session.waiting())
