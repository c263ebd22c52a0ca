"""The map widget: shows a scene, moves the cursor between places, and reports choices. Independent of the rules.

A screen sets `scene` and handles `Selected` (the cursor moved) and `Activated` (Enter or a double click).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.message_pump import MessagePump
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from paxtui.tui.colors import DEFAULT, Palette
from paxtui.tui.map.canvas import Canvas
from paxtui.tui.map.layout import ASPECT, fit_layout, neighbour
from paxtui.tui.map.projection import THEATRE, WORLD, ZOOMS
from paxtui.tui.map.scene import Scene
from paxtui.tui.themes import ContrastFilter

CURSOR_MARGIN = Spacing(3, 8, 3, 8)
"""Cells of the map kept visible around the cursor when the canvas is larger than the pane."""
MAX_CACHED_CANVASES = 4
"""Maximum number of cached canvases (one for each zoom and size)."""

ROWS_PER_STEP = 8
"""Rows drawn in one idle step."""


class WheelMixin(MessagePump):
    """A map that the mouse wheel scrolls: sideways with shift or alt, or by a wheel that turns sideways."""

    def turn_wheel(self, event: events.MouseEvent, direction: int, is_sideways: bool) -> None:
        """Scroll. Args: the event; -1 for up or left, 1 for down or right; whether to scroll sideways."""
        raise NotImplementedError

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._take_wheel(event, -1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._take_wheel(event, 1)

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        self._take_wheel(event, -1, is_sideways=True)

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        self._take_wheel(event, 1, is_sideways=True)

    def _take_wheel(self, event: events.MouseEvent, direction: int, is_sideways: bool = False) -> None:
        event.stop()
        event.prevent_default()
        self.turn_wheel(event, direction, is_sideways or event.shift or event.meta)


class WorldMap(WheelMixin, ScrollView, can_focus=True, inherit_bindings=False):
    """The board. Arrow keys walk, Enter activates, z changes the zoom. The wheel scrolls, with ctrl it zooms."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    WorldMap { width: 1fr; height: 1fr; scrollbar-size: 0 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                key,
                f"walk('{key}')",
                f"walk {key}",
                show=False,
                id=f"map.{key}",
                tooltip=f"Go to the nearest place {where}",
            )
            for key, where in (
                ("up", "above"),
                ("down", "below"),
                ("left", "to the left, around the world"),
                ("right", "to the right, around the world"),
            )
        ),
        Binding("enter", "activate", "what can I do here", id="map.activate", tooltip="List what you can do here"),
        Binding("z", "zoom", "zoom", id="map.zoom", tooltip="Change between codes and full names"),
    ]

    scene: reactive[Scene] = reactive(Scene, repaint=False)
    """The scene shown. `cursor` "" keeps the current cursor."""
    cursor: reactive[str] = reactive("", repaint=False)
    zoom: reactive[str] = reactive(WORLD.name, repaint=False)
    palette: reactive[Palette] = reactive(DEFAULT, repaint=False)

    class Selected(Message):
        """The cursor moved to another place."""

        def __init__(self, world_map: WorldMap, place: str) -> None:
            super().__init__()
            self.world_map = world_map
            self.place = place

        @property
        def control(self) -> WorldMap:
            return self.world_map

    class Activated(Selected):
        """A place was chosen by Enter or a double click."""

    def __init__(
        self,
        scene: Scene | None = None,
        *,
        cursor: str = "home:britain",
        zoom: str = WORLD.name,
        palette: Palette = DEFAULT,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._canvases: dict[tuple[str, int, int, int], Canvas] = {}
        self._canvas: Canvas | None = None
        self._margin = (0, 0)
        self._centred = ""  # the place kept centred while the cursor is there
        self._pane = Size(0, 0)
        self._left: int | None = None  # the first column shown, as the cursor last required it; None after the wheel
        self.set_reactive(WorldMap.scene, scene or Scene())
        self.set_reactive(WorldMap.cursor, (scene.cursor if scene else "") or cursor)
        self.set_reactive(WorldMap.zoom, zoom)
        self.set_reactive(WorldMap.palette, palette)

    @property
    def canvas(self) -> Canvas | None:
        """The canvas shown; None until the widget has a size."""
        return self._canvas

    # Appearance

    def validate_zoom(self, zoom: str) -> str:
        if zoom not in ZOOMS:
            raise ValueError(f"no zoom {zoom!r}, only {', '.join(sorted(ZOOMS))}")
        return zoom

    def watch_scene(self, scene: Scene) -> None:
        if scene.cursor:
            self.cursor = scene.cursor
        self._show()

    def watch_cursor(self, cursor: str) -> None:
        self._show()
        self._follow()
        if self.is_attached:
            self.post_message(self.Selected(self, cursor))

    def watch_zoom(self) -> None:
        self._fit()

    def watch_palette(self) -> None:
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """Select the canvas for the current pane, zoom and palette.

        A hidden map keeps its last size, so that it returns in one frame.
        """
        self._pane = size = self.size or self._pane
        if not size:
            return
        self._canvas = canvas = self._canvas_for(self.zoom, size)
        layout = canvas.layout
        canvas.show(self.scene.at(self.cursor))
        self._margin = (max(0, size.width - layout.width) // 2, max(0, size.height - layout.height) // 2)
        self.virtual_size = Size(max(size.width, layout.width), max(size.height, layout.height))
        self.styles.background = self.palette.sea if self.palette.colour else None
        self._follow(is_resized=True)
        self.refresh()

    def _canvas_for(self, zoom: str, size: Size) -> Canvas:
        """Return the canvas of a zoom for a pane, from the cache if possible."""
        layout = fit_layout(ZOOMS[zoom], size.width, size.height)
        key = (zoom, layout.width, layout.height, id(self.palette))
        canvas = self._canvases.pop(key, None)
        if canvas is None or canvas.palette is not self.palette:
            canvas = Canvas(layout, self.palette)
        self._canvases[key] = canvas
        while len(self._canvases) > MAX_CACHED_CANVASES:
            del self._canvases[next(iter(self._canvases))]
        return canvas

    def prepare(self) -> Iterator[str]:
        """Draw the hidden zooms, a few rows in each step. Yields the name of the zoom."""
        for zoom in ZOOMS:
            if zoom != self.zoom and self._pane:
                canvas = self._canvas_for(zoom, self._pane)
                canvas.show(self.scene.at(self.cursor))
                if self._canvas is not None:
                    self._canvas_for(self.zoom, self._pane)  # so that the shown canvas is not evicted first
                for y in range(canvas.height):
                    canvas.strip(y)
                    if y % ROWS_PER_STEP == 0:
                        yield zoom

    def prepare_scene(self, scene: Scene) -> Iterator[str]:
        """Draw another scene at the current zoom unseen, a few rows in each step. The canvas keeps its rows."""
        canvas = self._canvas
        for first in range(0, canvas.height if canvas is not None else 0, ROWS_PER_STEP):
            if canvas is None or canvas is not self._canvas:
                return
            canvas.show(scene)
            for y in range(first, min(first + ROWS_PER_STEP, canvas.height)):
                canvas.strip(y)
            canvas.show(self.scene.at(self.cursor))
            yield "scene"

    def _show(self) -> None:
        """Update the canvas and repaint the changed rows."""
        if self._canvas is None:
            return
        top = self._margin[1]
        for y, count in _row_ranges(self._canvas.show(self.scene.at(self.cursor))):
            self.refresh_lines(y + top, count)

    def _follow(self, is_resized: bool = False) -> None:
        """Scroll so that the cursor is visible. A pane that gets wider and narrow again shows the same columns."""
        found = self._label(self.cursor)
        if found is None:
            return
        if self._centred == self.cursor:
            left = found.x + found.width // 2 - self._pane.width // 2
            top = found.y + found.height // 2 - self._pane.height // 2
            self.scroll_to(max(0, left), max(0, top), animate=False, force=True)
            return
        x, y = self.scroll_offset
        if is_resized and self._left is not None:
            x = min(self._left, max(0, self.virtual_size.width - self._pane.width))
        step = Region.get_scroll_to_visible(Region(x, y, *self._pane).shrink(CURSOR_MARGIN), found)
        if not is_resized:
            self._left = x + step.x
        self.scroll_to(x + step.x, y + step.y, animate=False, force=True)

    def centre_on(self, place: str) -> None:
        """Move the cursor to a place and centre it."""
        self._centred, self.cursor = place, place
        self._follow()

    # Positions

    def _label(self, place: str) -> Region | None:
        """Return the region of a place's label on the virtual canvas."""
        if self._canvas is None or place not in self._canvas.layout.spots:
            return None
        rows = self._canvas.layout.spots[place].rows
        left, right = min(row.x for row in rows), max(row.end for row in rows)
        across, down = self._margin
        return Region(left + across, rows[0].y + down, right - left, len(rows))

    def label_region(self, place: str) -> Region | None:
        """Return the screen region of a place's label; None if it is not visible. A list opens beside it."""
        label = self._label(place)
        if label is None:
            return None
        seen = label.translate(-self.scroll_offset).intersection(self.size.region)
        return seen.translate(self.content_region.offset) if seen else None

    def place_at(self, x: int, y: int) -> str | None:
        """Return the place at a cell of the widget."""
        if self._canvas is None:
            return None
        across, down = self._margin
        return self._canvas.layout.place_at(x + self.scroll_offset.x - across, y + self.scroll_offset.y - down)

    # Input

    def action_walk(self, direction: str) -> None:
        """Move the cursor one place. Left and right wrap around."""
        if self._canvas is None:
            return
        if self.cursor not in self._canvas.layout.spots:
            self.cursor = next(iter(self._canvas.layout.spots))
        else:
            self.cursor = neighbour(self.cursor, direction)

    def action_activate(self) -> None:
        if self.cursor:
            self._follow()  # the wheel may have scrolled it out of sight
            self.post_message(self.Activated(self, self.cursor))

    def action_zoom(self) -> None:
        self.zoom = WORLD.name if self.zoom == THEATRE.name else THEATRE.name

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        place = self.place_at(offset.x, offset.y) if offset is not None else None
        if place is None:
            return
        event.stop()
        self.cursor = place
        if event.chain == 2:
            self.action_activate()

    def turn_wheel(self, event: events.MouseEvent, direction: int, is_sideways: bool) -> None:
        """Scroll, always sideways in a wide pane that shows the whole height. With ctrl, zoom."""
        self._left = None
        shows_height = not self.max_scroll_y and self.size.width >= ASPECT * self.size.height
        if event.ctrl:
            self._zoom_at(event.x, event.y, THEATRE.name if direction < 0 else WORLD.name)
        elif is_sideways or shows_height:
            self.scroll_relative(x=direction * self.app.scroll_sensitivity_x, animate=False, force=True)
        else:
            self.scroll_relative(y=direction * self.app.scroll_sensitivity_y, animate=False, force=True)

    def _zoom_at(self, x: int, y: int, zoom: str) -> None:
        """Change the zoom, and keep the point of the world at a cell of the widget where it is."""
        before = self._canvas
        if before is None or zoom == self.zoom:
            return
        (left, top), (across, down) = self.scroll_offset, self._margin
        at_x, at_y = (x + left - across) / before.width, (y + top - down) / before.height
        self.zoom = zoom
        if (after := self._canvas) is not None:
            across, down = self._margin
            new_left, new_top = at_x * after.width + across - x, at_y * after.height + down - y
            self.scroll_to(round(new_left), round(new_top), animate=False, force=True)

    # Rendering

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the rows of the pane. Unchanged rows come from the canvas's cache."""
        if self.opacity < 1 or self.styles.gutter:
            return super().render_lines(crop)  # a map behind something else, or in a frame
        style, background, filters = self.rich_style, self.background_colors[1], self.get_line_filters()

        def seen(row: Strip) -> Strip:
            for line_filter in filters:
                row = row.apply_filter(line_filter, background)
            return row

        return [self._row(y, style, seen).crop(crop.x, crop.right) for y in crop.line_range]

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the app's filters without the contrast filter: the map ensures contrast itself."""
        return [each for each in super().get_line_filters() if not isinstance(each, ContrastFilter)]

    def render_line(self, y: int) -> Strip:
        """Return a row of the pane."""
        return self._row(y, self.rich_style, lambda strip: strip)

    def _row(self, y: int, style: Style, seen: Callable[[Strip], Strip]) -> Strip:
        width = self.size.width
        canvas = self._canvas
        if canvas is None:
            return seen(Strip.blank(width, style))
        across, down = self._margin
        left, top = self.scroll_offset
        row = y + top - down
        if not 0 <= row < canvas.height:
            return seen(Strip.blank(width, style))
        if across:
            strip = Strip([Segment(" " * across, style), *canvas.strip(row)]).crop(0, width)
            return seen(strip.extend_cell_length(width, style))
        strip = canvas.window(row, left, min(left + width, canvas.width), seen)
        return strip if strip.cell_length >= width else seen(strip.extend_cell_length(width, style))


def _row_ranges(rows: set[int]) -> list[tuple[int, int]]:
    """Group rows to ranges: first row and count."""
    found: list[tuple[int, int]] = []
    for y in sorted(rows):
        if found and sum(found[-1]) == y:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((y, 1))
    return found
