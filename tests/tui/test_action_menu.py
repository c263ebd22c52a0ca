"""The action menu, the order line and a move show the effects of an act in advance."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.menus.place import MENU_LETTERS
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.questions import FightOrDecline
from paxtui.session.local_session import LocalSession
from paxtui.session.order_planning import describe_reinforcements, find_reinforcements
from paxtui.session.pax_host import PaxHost
from paxtui.session.place_menu import place_menu
from paxtui.session.tables.loader import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.base.dialogs import ConfirmDialog, PickDialog
from paxtui.tui.dialogs.area_menu import AreaMenu, ReinforceDialog
from paxtui.tui.widgets.order_line import CompletionList
from tests.rules.harness import army, here, marker, new
from tests.tui.playing import sizes, start_at

TUNIS = {"tunis": here(marker("france", "influence"), new("britain"), army("britain", 1))}


def movement(treasury: int = 60, **areas: object) -> dict:
    """A Movement Phase with a new British Protectorate and a French Influence in Tunis."""
    return {"phase": "movement", "powers": {"britain": {"treasury": treasury}}, "areas": {**TUNIS, **areas}}


def app(tmp_path: Path, position: dict, **settings: str) -> PaxApp:
    """Start a game at a position with Britain at the keyboard."""
    return start_at(tmp_path, position, **settings)


async def menu_at(pilot, place: str) -> AreaMenu:
    """Open the action menu of a place."""
    pilot.app.screen.view.map.cursor = place
    await pilot.press("enter")
    await pilot.pause()
    assert isinstance(pilot.app.screen, AreaMenu)
    return pilot.app.screen


def lines(menu: AreaMenu) -> dict[str, str]:
    """Return the lines of the menu by letter."""
    rows = [str(option.prompt) for option in menu.query_one("#menu", OptionList).options]
    return {row[0]: row for row in rows}


def explanation(menu: AreaMenu) -> str:
    """Return the explanation of the selected line."""
    return str(menu.query_one("#menu-why").content)


@sizes((80, 24), (120, 40))
async def test_line_shows_casus_belli_tension_and_missing_army(tmp_path, size):
    position = movement(egypt=here(marker("france", "influence"), marker("italy", "interest")))
    async with app(tmp_path, position).run_test(size=size) as pilot:
        menu = await menu_at(pilot, "egypt")
        rows = lines(menu)
        assert "£20" in rows["d"] and "▾⚔FR" in rows["d"] and "tension" not in rows["d"]
        assert "▾⚔FR" in rows["e"] and "▾tension 1" in rows["e"]
        await pilot.press("down", "down")
        await pilot.pause()
        assert "▾ Gives France a Casus Belli against you." in explanation(menu)
        assert "▾ Then Egypt still needs an army of yours before the Phase ends." in explanation(menu)
        await pilot.press("escape")
        barred = explanation(await menu_at(pilot, "mexico"))
        assert "Communication Link" in barred and "each Area its Control" in barred, (
            "a reason that forbids everything is shown in full"
        )


@pytest.mark.parametrize("palette", ["mono", "dark"])
async def test_gains_and_losses_have_signs_in_every_palette(tmp_path, palette):
    async with app(tmp_path, movement(), palette=palette).run_test(size=(120, 40)) as pilot:
        assert "▴" in lines(await menu_at(pilot, "siam"))["a"]
        await pilot.press("escape")
        assert "▾" in lines(await menu_at(pilot, "bengal"))["m"]


async def test_letters_do_not_depend_on_money(tmp_path):
    found = {}
    for treasury in (0, 12, 77):
        (tmp_path / str(treasury)).mkdir()
        async with app(tmp_path / str(treasury), movement(treasury)).run_test(size=(120, 40)) as pilot:
            for place in ("home:britain", "siam"):
                rows = lines(await menu_at(pilot, place))
                named = {letter: row[2:].split("  ")[0].strip() for letter, row in rows.items()}
                assert found.setdefault(place, named) == named
                await pilot.press("escape")
    assert found["home:britain"]["e"] == "Build fleet N1"


@sizes((120, 40))
async def test_no_costly_line_is_selected_at_first(tmp_path, size):
    position = {**movement(), "phase": "negotiation"}
    async with app(tmp_path, position).run_test(size=size) as pilot:
        menu = await menu_at(pilot, "bengal")
        assert menu.query_one("#menu", OptionList).highlighted is None and lines(menu) and not explanation(menu)
        version = pilot.app.screen_stack[1].session.version
        await pilot.press("enter")
        await pilot.pause()
        assert pilot.app.screen is menu and pilot.app.screen_stack[1].session.version == version


async def test_order_line_shows_effect_or_refusal(tmp_path):
    position = movement(egypt=here(marker("france", "influence")))
    async with app(tmp_path, position).run_test(size=(120, 40)) as pilot:
        await pilot.press("colon", *"place", "space", *"protectorate", "space", *"egy")
        await pilot.pause()
        text = str(pilot.app.screen.query_one(CompletionList).content)
        assert "Costs £20." in text and "Gives France a Casus Belli against you." in text
        await pilot.press(*["backspace"] * 3, *"siam")
        await pilot.pause()
        assert "STA-013" in str(pilot.app.screen.query_one(CompletionList).content)


async def test_move_shows_odds_of_both_forces(tmp_path):
    async with app(tmp_path, movement()).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        game.view.map.cursor = "home:britain"
        await pilot.press("v")
        game.view.map.cursor = "tunis"
        await pilot.pause()
        strength = 1 + int(game.view.march.units[0][1:])
        assert f"{strength}:{game.session.tables.areas['tunis'].strength} wins" in game.view.card.text.plain
        assert "/6 · " in game.view.card.text.plain


async def test_equal_armies_move_together(tmp_path):
    position = {**movement(), "homes": {"britain": {"units": [army("britain", 1)] * 3}}}
    async with app(tmp_path, position).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        game.view.map.cursor = "home:britain"
        await pilot.press("v")
        groups = game.view.march.groups
        assert ("A1", "A1") in groups and len(set(groups)) == len(groups)


@pytest.mark.parametrize("phase", ["movement", "negotiation"])
def test_lines_of_a_place_have_different_letters(phase):
    with PaxHost.new(load_tables(), seats_for(7), "7", {}) as table:
        table.act(ARBITER, {"type": "set_position", "patch": {**movement(), "phase": phase}})
        session = LocalSession(table, "britain")
        for place in (*table.tables.areas, *table.tables.sea_zones, *(f"home:{p}" for p in session.live.powers)):
            items = place_menu(session, place)
            letters = [item.letter for item in items]
            assert len(set(letters)) == len(letters) and set(letters) <= set(MENU_LETTERS), (place, letters)
            assert all(item.letter == "v" for item in items if item.action is None)
            assert not [i for i in items if i.harmless and isinstance(i.action, actions.Withdraw | actions.Pay)]


async def test_fleet_with_two_home_boxes_asks_where(tmp_path):
    position = {"phase": "movement", "powers": {"germany": {"treasury": 60}}}
    async with app(tmp_path, position).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        game.session.take_seat("germany")
        await pilot.pause()
        boxes = [box[0] for box in game.session.tables.homes["germany"].boxes]
        start = len(game.session.live.homes["germany"])
        await pilot.press("colon", *"build", "space", *"n3", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, PickDialog) and len(game.session.live.homes["germany"]) == start
        await pilot.press("b")
        await pilot.pause()
        assert [u.coast for u in game.session.live.homes["germany"] if u.name == "N3"][-1:] == [boxes[1]]


async def test_each_reinforcement_changes_the_odds(tmp_path):
    async with app(tmp_path, movement()).run_test(size=(120, 40)) as pilot:
        game = pilot.app.screen
        game.view.map.cursor = "tunis"
        await pilot.press("V")
        await pilot.pause()
        box = pilot.app.screen
        assert isinstance(box, ReinforceDialog)
        one = str(box.query_one("#worth").content)
        await pilot.press("a", "b")
        await pilot.pause()
        two = str(box.query_one("#worth").content)
        assert " against " in one and one != two
        before = len(game.session.live.areas["tunis"].units)
        await pilot.press("enter")
        await pilot.pause()
        assert len(game.session.live.areas["tunis"].units) == before + 2 and pilot.app.screen is game


@pytest.mark.parametrize(("strength", "first"), [(1, "Do not attack"), (10, "Attack")])
async def test_one_key_attacks_wherever_victory_is_certain(tmp_path, strength, first):
    # ten against one wins with any die, one against three does not
    others = {"kamerun": 10, "gabon": 10, "nigeria": 1}
    fights = {area: here(new("britain"), army("britain", n)) for area, n in {"egypt": strength, **others}.items()}
    position = {"phase": "colonial_combat", "areas": fights}
    async with app(tmp_path, position).run_test(size=(120, 40)) as pilot:
        await pilot.press("c")
        await pilot.pause()
        options = pilot.app.screen.query_one("#options", OptionList)
        assert str(options.get_option_at_index(options.highlighted).prompt) == first
        session = pilot.app.screen_stack[1].session
        assert "wherever you certainly win" in pilot.app.screen.words() and len(session.live.choices) == 4
        await pilot.press("A")
        await pilot.pause()
        asked = {choice.area for choice in session.live.choices if isinstance(choice.about, FightOrDecline)}
        assert asked == {"nigeria"}, "uncertain attacks are still asked about"


def test_indian_army_is_listed_last_with_a_warning():
    with PaxHost.new(load_tables(), seats_for(7), "7", {}) as table:
        table.act(ARBITER, {"type": "set_position", "patch": movement(60)})
        session = LocalSession(table, "britain")
        found = find_reinforcements(session, "tunis")
        bengal = next(one for one in found if one.start == "bengal" and one.unit == "A10")
        assert bengal.indian and found[-1].indian, "they come last"
        assert "The Indian Army must end the Phase near India" in describe_reinforcements(session, "tunis", [bengal])
        assert not any(one.indian for one in find_reinforcements(session, "burma")), "that is near India"
        few = describe_reinforcements(session, "tunis", [one for one in found if one.needed][:2])
        assert few.index(" against ") < few.index("Left without an army"), "the odds come first"


async def test_handing_over_a_marker_asks_first(tmp_path):
    held = here(marker("britain", "interest"), marker("france", "interest"))
    async with app(tmp_path, movement(egypt=held)).run_test(size=(80, 24)) as pilot:
        menu = await menu_at(pilot, "egypt")
        live, rows = menu._session.live, lines(menu)
        given = {letter: row.split(" to ")[1] for letter, row in rows.items() if "Hand over" in row}
        hands = {name.split("  ")[0].strip(): letter for letter, name in given.items()}
        assert "France" not in hands and "Italy" in hands, "France has as high a marker there"
        await pilot.press(hands["Italy"])
        await pilot.pause()
        assert isinstance(pilot.app.screen, ConfirmDialog)
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.screen.session.live == live
        await menu_at(pilot, "egypt")
        await pilot.press(hands["Italy"], "y")
        await pilot.pause()
        assert [c.power for c in pilot.app.screen.session.live.choices] == ["italy"]


@pytest.mark.parametrize(
    ("used", "left", "warning"), [(10, 2, "2 pieces left for it."), (11, 1, "1 piece left for it."), (5, 7, "")]
)
async def test_menu_warns_of_few_pieces(tmp_path, used, left, warning):
    bare = [area for area in load_tables().areas if area not in ("tunis", "egypt", "tripoli")]
    spent = {area: here(marker("italy", "interest")) for area in bare[:used]}
    position = {"phase": "movement", "powers": {"italy": {"treasury": 60}}, "areas": spent}
    session = LocalSession(PaxHost.open(app(tmp_path, position).open_path, write=False))
    session.take_seat("italy")
    menu = AreaMenu(session, "Tripoli", place_menu(session, "tripoli"))
    row = next(n for n, item in enumerate(menu._items) if item.action == actions.Place("interest", "tripoli"))
    assert menu._left[row] == left
    assert menu._pieces_warning(row).strip() == warning


@sizes((80, 24), (160, 50))
async def test_last_line_opens_menu_of_the_other_power(tmp_path: Path, size: tuple[int, int]) -> None:
    """The last line opens the menu of the other Power, which acts in that menu only."""
    position = {"phase": "movement", "powers": {"germany": {"treasury": 0}, "austria_hungary": {"treasury": 30}}}
    program = app(tmp_path, position)
    async with program.run_test(size=size) as pilot:
        session = program.screen.session
        session.take_seat("germany")
        await pilot.pause()
        menu = await menu_at(pilot, "serbia")
        assert "Austria-Hungary: " in lines(menu)["A"]
        await pilot.press("A")
        await pilot.pause()
        menu = program.screen
        assert isinstance(menu, AreaMenu) and menu.title_text.startswith("Austria-Hungary: Serbia")
        await pilot.press("a")
        await pilot.pause()
        assert [(m.power, m.marker) for m in session.live.areas["serbia"].markers] == [("austria_hungary", "interest")]
        assert session.power == "germany", "Germany acts again"


async def test_no_line_for_a_power_without_actions(tmp_path: Path) -> None:
    program = app(tmp_path, movement())
    async with program.run_test(size=(80, 24)) as pilot:
        assert "A" not in lines(await menu_at(pilot, "kenya")), "Britain has one Power"
