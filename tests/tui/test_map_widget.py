"""The map in a small application: keys, mouse, zoom, sizes."""

from __future__ import annotations

from dataclasses import replace

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding

from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.session.tables.loader import load_tables
from paxtui.tui.colors import PALETTES
from paxtui.tui.map.geometry import place_numbers, territories
from paxtui.tui.map.layout import neighbour
from paxtui.tui.map.scene import owned_mark
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.widgets.map_scene import build_scene
from tests.waiting import until
from tools.bench.map_demo import initial_scene


class MapApp(App[None]):
    """An app with only the map."""

    def __init__(self) -> None:
        super().__init__()
        self.selected: list[str] = []
        self.activated: list[str] = []

    def compose(self) -> ComposeResult:
        yield WorldMap(initial_scene(), cursor="egypt")

    def on_mount(self) -> None:
        self.map.focus()

    @property
    def map(self) -> WorldMap:
        return self.query_one(WorldMap)

    def on_world_map_selected(self, message: WorldMap.Selected) -> None:
        self.selected.append(message.place)

    def on_world_map_activated(self, message: WorldMap.Activated) -> None:
        self.activated.append(message.place)

    def seen(self) -> str:
        return "\n".join(self.map.render_line(y).text for y in range(self.map.size.height))


async def test_arrows_move_and_enter_activates() -> None:
    app = MapApp()
    async with app.run_test(size=(160, 46)) as pilot:
        app.map.cursor = "egypt"
        await pilot.press("down", "left", "enter")
        first = neighbour("egypt", "down")
        assert app.map.cursor == neighbour(first, "left")
        assert app.selected[-2:] == [first, app.map.cursor]
        assert app.activated == [app.map.cursor]
        assert f"▐{'TCH'}▌" in app.seen()


async def test_cursor_move_recomposes_few_rows() -> None:
    app = MapApp()
    async with app.run_test(size=(160, 46)) as pilot:
        await pilot.pause()
        canvas = app.map.canvas
        assert canvas is not None
        canvas.warm()
        count = canvas.composed
        await pilot.press("down")
        await pilot.pause()
        # the rows of two labels and of the two lands that change their light
        land = territories(160, 46).rows
        lands = land(place_numbers()[neighbour("egypt", "down")]) | land(place_numbers()["egypt"])
        assert 0 < canvas.composed - count <= len(lands) + 2


async def test_scene_without_a_cursor_keeps_it() -> None:
    app = MapApp()
    async with app.run_test(size=(160, 46)) as pilot:
        app.map.cursor = "persia"
        scene = replace(initial_scene(), cursor="")
        app.map.scene = replace(scene, marks={**scene.marks, "persia": owned_mark("influence", ["russia"])})
        await pilot.pause()
        assert app.map.cursor == "persia"
        assert "PRS●RU" in app.seen()
        app.map.scene = replace(scene, cursor="kenya")
        await pilot.pause()
        assert app.map.cursor == "kenya"


async def test_small_map_follows_the_cursor_and_wraps() -> None:
    for size in ((76, 30), (116, 44)):
        app = MapApp()
        async with app.run_test(size=size) as pilot:
            for place, code in (("new_zealand", "NZL"), ("alaska", "ALA"), ("argentina", "ARG"), ("home:japan", "JPN")):
                app.map.cursor = place
                await pilot.pause()
                assert f"{code}" in app.seen(), (size, place)
                label = app.map.label_region(place)
                assert label is not None and label.right <= size[0] and label.bottom <= size[1]
            app.map.cursor = "alaska"
            await pilot.press("left")
            assert app.map.scroll_offset.x > 0


async def test_z_changes_the_zoom_and_keeps_the_cursor() -> None:
    app = MapApp()
    async with app.run_test(size=(120, 40)) as pilot:
        app.map.cursor = "madagascar"
        await pilot.press("z")
        await pilot.pause()
        assert app.map.zoom == "theatre"
        assert app.map.virtual_size.width == 240
        assert "▐Madagascar▌" in app.seen()
        await pilot.press("z")
        await pilot.pause()
        assert app.map.zoom == "world" and app.map.cursor == "madagascar"


async def test_click_selects_and_double_click_activates() -> None:
    app = MapApp()
    async with app.run_test(size=(160, 46)) as pilot:
        await pilot.pause()
        where = app.map.label_region("brasil")
        assert where is not None
        await pilot.click(WorldMap, offset=(where.x + 1, where.y))
        await pilot.pause()
        assert app.map.cursor == "brasil" and app.activated == []
        await pilot.click(WorldMap, offset=(where.x + 1, where.y), times=2)
        await pilot.pause()
        assert app.activated == ["brasil"]


def turn_wheel(app: MapApp, kind: type[events.MouseEvent], *keys: str) -> None:
    """Turn the wheel once at column 10, row 5 of the map. Args: the application; the direction; the keys held."""
    held = ("shift" in keys, "meta" in keys, "ctrl" in keys)
    app.map.post_message(kind(app.map, 10, 5, 0, 0, 0, *held))


async def test_wheel_scrolls_and_keeps_the_cursor() -> None:
    app = MapApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.map.cursor = "egypt"
        await pilot.pause()
        x, y = app.map.scroll_offset
        turn_wheel(app, events.MouseScrollUp)
        await pilot.pause()
        assert (app.map.scroll_offset.x, app.map.scroll_offset.y) == (x, y - 2)
        turn_wheel(app, events.MouseScrollDown, "shift")
        turn_wheel(app, events.MouseScrollDown, "meta")
        await pilot.pause()
        assert (app.map.scroll_offset.x, app.map.scroll_offset.y) == (x + 8, y - 2)
        assert app.map.cursor == "egypt"
        for _ in range(20):
            turn_wheel(app, events.MouseScrollDown, "shift")
        await pilot.pause()
        assert app.map.scroll_offset.x == app.map.max_scroll_x > x + 8
        await pilot.press("enter")
        assert app.map.label_region("egypt") is not None and app.activated == ["egypt"]


async def test_wheel_scrolls_sideways_if_the_height_fits() -> None:
    app = MapApp()
    async with app.run_test(size=(100, 46)) as pilot:
        await pilot.pause()
        x = app.map.scroll_offset.x
        turn_wheel(app, events.MouseScrollDown)
        await pilot.pause()
        assert app.map.scroll_offset.x == x + 4
        await pilot.resize_terminal(60, 62)  # on a phone, a moving finger turns the wheel
        await until(lambda: app.map.virtual_size.height == 62, pilot=pilot)
        x = app.map.scroll_offset.x
        for kind, moved in ((events.MouseScrollDown, 0), (events.MouseScrollRight, 4), (events.MouseScrollLeft, 0)):
            turn_wheel(app, kind)
            await pilot.pause()
            assert app.map.scroll_offset.x == x + moved


async def test_ctrl_wheel_zooms_at_the_pointer() -> None:
    app = MapApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.map.cursor = "brasil"
        await pilot.pause()
        label = app.map.label_region("brasil")
        assert label is not None
        app.map.post_message(events.MouseScrollUp(app.map, label.x, label.y, 0, 0, 0, False, False, True))
        await pilot.pause()
        after = app.map.label_region("brasil")
        assert app.map.zoom == "theatre" and after is not None
        assert abs(after.x - label.x) < 8 and abs(after.y - label.y) < 3
        turn_wheel(app, events.MouseScrollDown, "ctrl")
        await pilot.pause()
        assert app.map.zoom == "world"


async def test_map_fills_a_large_pane() -> None:
    app = MapApp()
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        assert app.map.canvas is not None
        assert (app.map.canvas.width, app.map.canvas.height) == (200, 60)
        assert all(len(line) == 200 for line in app.seen().split("\n"))


async def test_palette_and_size_can_change() -> None:
    app = MapApp()
    async with app.run_test(size=(160, 46)) as pilot:
        for palette in PALETTES.values():
            app.map.palette = palette
            await pilot.pause()
            assert "ALG" in app.seen()
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert app.map.cursor == "madagascar" and "▐MAD▌" in app.seen()


async def test_resizing_and_back_keeps_the_scroll_position() -> None:
    app = MapApp()
    async with app.run_test(size=(116, 46)) as pilot:
        app.map.cursor = "new_zealand"
        await pilot.pause()
        app.map.cursor = "home:japan"  # visible at the right end
        await pilot.pause()
        before = app.map.scroll_offset.x
        assert before == app.map.max_scroll_x
        for width in (117, 116):
            await pilot.resize_terminal(width, 46)
            await pilot.pause()
        assert app.map.scroll_offset.x == before


async def test_bindings_have_ids_and_tooltips() -> None:
    app = MapApp()
    async with app.run_test(size=(160, 46)):
        bindings = [one for one in WorldMap.BINDINGS if isinstance(one, Binding)]
        assert {binding.id for binding in bindings} == {
            "map.up",
            "map.down",
            "map.left",
            "map.right",
            "map.activate",
            "map.zoom",
        }
        assert all(binding.tooltip for binding in bindings)


def test_scene_marks_every_area():
    tables = load_tables()
    marks = build_scene(tables, new_game(tables, seats_for(7), {}), "").marks
    assert set(marks) >= set(tables.areas)
