"""Frames composed of visible rows only, and modal screens that dim the screen below.

Textual renders every row of each widget near a change, including covered ones. `VisibleCompositor` computes once
per layout which part of each widget is visible, and renders only that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor, ReflowResult
from textual._context import visible_screen_stack
from textual.app import App
from textual.color import Color
from textual.events import Mount, Resize, ScreenResume
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.widget import Widget

RowSpan = tuple[int, int, int]
"""A row of the screen, the first column, and the end column (exclusive)."""


class VisiblePiece(NamedTuple):
    """The visible part of a widget in a row, from column `start` to `end` (exclusive).

    Attributes:
        whole: the region of the widget.
        seen: the region after clipping by its containers.
    """

    start: int
    end: int
    widget: Widget
    whole: Region
    seen: Region


class VisibleCompositor(Compositor):
    """Textual's compositor, rendering only visible parts.

    Attributes:
        dimmed: the dimmed rows of its last frame below a dialog.
    """

    def __init__(self) -> None:
        super().__init__()
        self._laid_out: object = None
        self._pieces: dict[int, list[VisiblePiece]] = {}
        self._on_row: list[list[VisiblePiece]] = []
        self.dimmed = DimmedRows()

    def clear(self) -> None:
        """Forget all widgets when the screen closes."""
        super().clear()
        self._laid_out = None
        self._pieces.clear()
        self._on_row.clear()
        self.dimmed.clear()

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        """Lay out all widgets. Textual would do it again when it is asked for the place of one."""
        self._full_map_invalidated = False
        found = super().reflow(parent, size)
        self._full_map_invalidated = False
        return found

    def update_widgets(self, widgets: set[Widget]) -> None:
        """Note changed widgets. Textual would take one without a visible cell for a new one, and lay out all again."""
        known = self.visible_widgets.keys()
        super().update_widgets({each for each in widgets if each in known or self._is_new(each)})

    def _is_new(self, widget: Widget) -> bool:
        """Return whether a widget is shown that the last layout did not have. A scrollbar may have no cells."""
        if isinstance(widget, ScrollBar) or widget in self._full_map:
            return False
        return all(node.display for node in widget.ancestors_with_self if isinstance(node, Widget))

    def render_partial_update(self) -> ChopsUpdate | None:
        """Return the changes since the last frame, None if there are none."""
        screen = self.size.region
        regions = [part for region in self._dirty_regions if (part := region.intersection(screen))]
        self._dirty_regions.clear()
        if not regions:
            return None
        spans = list(self._regions_to_spans(regions))
        chops = self._drawn(spans)
        if chops is None:
            wanted = {y for y, _, _ in spans}
            whole = super()._render_chops(Region.from_union(regions), wanted.__contains__)
            return ChopsUpdate(whole, spans, [cuts[1:] for cuts in self.cuts])
        ends = [[x + strip.cell_length for x, strip in row.items()] for row in chops]
        return ChopsUpdate(chops, spans, ends)

    def _render_chops(self, crop: Region, is_rendered_line: Callable[[int], bool]) -> Sequence[Mapping[int, Strip]]:
        """Return the segments within a region, by row and first column."""
        crop = crop.intersection(self.size.region)
        spans = [(y, crop.x, crop.right) for y in crop.line_range if is_rendered_line(y)]
        chops = self._drawn(spans)
        if chops is None:
            return super()._render_chops(crop, is_rendered_line)
        return [dict(self._as_cut(y, row)) for y, row in enumerate(chops)]

    def draw_rows(self, rows: Iterable[int]) -> None:
        """Render whole rows, so that their widgets know them when a frame shows them."""
        self._drawn([(y, 0, self.size.width) for y in rows])

    def _as_cut(self, y: int, row: Mapping[int, Strip]) -> Iterator[tuple[int, Strip]]:
        """Drop segments without text, as Textual does for cropped widgets."""
        cuts = self.cuts[y]
        whole = {piece.start: piece.seen for piece in self._in_sight(y)}
        for x, strip in row.items():
            seen = whole[x]
            if any(seen.x < cut < seen.right for cut in cuts) and not all(text for text, _, _ in strip):
                yield x, Strip([segment for segment in strip if segment.text], strip.cell_length)
            else:
                yield x, strip

    def _drawn(self, spans: Iterable[RowSpan]) -> list[dict[int, Strip]] | None:
        """Render the segments in the spans; None if a widget does not fill its region, so that others show."""
        wanted: dict[Widget, list[tuple[int, VisiblePiece]]] = {}
        for y, first, last in spans:
            for piece in self._in_sight(y):
                if piece.start < last and piece.end > first:
                    wanted.setdefault(piece.widget, []).append((y, piece))
        found: list[tuple[int, int, Strip]] = []
        for widget, pieces in wanted.items():
            if widget._parent is None:  # removed since the last layout, together with its styles
                found += [(y, start, Strip.blank(end - start)) for y, (start, end, *_) in pieces]
                continue
            _, (_, _, _, whole, seen) = pieces[0]
            lines: dict[int, Strip] = {}
            for top, bottom in _runs(y for y, _ in pieces):
                part = Region(seen.x - whole.x, top - whole.y, seen.width, bottom - top)
                lines.update(zip(range(top, bottom), widget.render_lines(part), strict=False))
            for y, (start, end, *_) in pieces:
                line = lines.get(y)
                if line is None or line.cell_length < end - seen.x:
                    return None
                found.append((y, start, line.crop(start - seen.x, end - seen.x)))
        rows: list[dict[int, Strip]] = [{} for _ in range(self.size.height)]
        for y, start, strip in sorted(found, key=lambda each: each[:2]):
            rows[y][start] = strip
        return rows

    def _in_sight(self, y: int) -> list[VisiblePiece]:
        """Return the visible pieces of a row, from left to right."""
        visible = self.visible_widgets
        if visible is not self._laid_out:
            self._laid_out = visible
            self._pieces.clear()
            self._on_row = [[] for _ in range(self.size.height)]
            for widget, (whole, clip) in visible.items():
                seen = whole.intersection(clip)
                lies = VisiblePiece(seen.x, seen.right, widget, whole, seen)
                for row in self._on_row[seen.y : seen.bottom]:
                    row.append(lies)
        found = self._pieces.get(y)
        if found is None:
            found = self._pieces[y] = _visible_parts(self._on_row[y], self.size.width)
        return found


class EarlyCloseMixin(MessagePump):
    """A screen that may close before it is mounted.

    Textual then composes nothing but still sends `Mount` and `Resize`, whose handlers query the missing widgets. When
    the app shuts down, it closes the widgets of a screen outside the stack before the screen itself.
    """

    async def _dispatch_message(self, message: Message) -> None:
        app = self.app
        is_closing = self._closing or getattr(self, "_pruning", False) or app._exit or not app.is_running
        if is_closing and isinstance(message, Mount | Resize):
            return
        await super()._dispatch_message(message)


class FrameApp(App[int]):
    """An app that may hold frames back."""

    def holds_frames(self) -> bool:
        """Return whether frames wait for other changes."""
        return False


class RenderingScreen(EarlyCloseMixin, Screen[ScreenResultType]):
    """A screen composed by `VisibleCompositor`. Each update draws one frame, and a new screen opens with one.

    Textual computes the styles of a new screen three times and draws it three times: when it is mounted, when it
    becomes the top screen, and when it learns its size. A later update draws twice if it includes a layout.
    """

    _holds_frames = False
    """Whether frames are held back until the end of an update."""
    _holds_layout = False
    """Whether the layout is left to the next update."""
    _has_held_frame = False
    """Whether a frame was held back."""

    _compositor: VisibleCompositor

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name, id, classes)
        self._compositor = VisibleCompositor()

    def restyle(self) -> None:
        """Redraw after a change of colours or signs."""

    def make_room_for_messages(self) -> None:
        """Position the next message beside important content."""

    def work_at_rest(self) -> Iterator[str]:
        """Return work in short steps for pauses of the player, while this screen is on top. Each pause asks again."""
        return iter(())

    def _post_register(self, app: App[object]) -> None:
        """Set the classes of the breakpoints before any style is computed."""
        super()._post_register(app)
        found = self._get_breakpoint_classes(app.size.height, self.VERTICAL_BREAKPOINTS or [])
        found |= self._get_breakpoint_classes(app.size.width, self.HORIZONTAL_BREAKPOINTS or [])
        self.update_classes(dict.fromkeys(found, True), update=False)

    def _on_screen_resume(self, event: ScreenResume) -> None:
        """Let the next update draw a new screen, and lay out a dialog. Its styles were computed a moment ago."""
        event.prevent_default()
        event.refresh_styles = event.refresh_styles and bool(self.stack_updates)
        self._holds_frames, self._holds_layout = True, self.is_modal
        super()._on_screen_resume(event)
        self._holds_frames = self._holds_layout = False

    def _on_timer_update(self) -> None:
        """Update, unless frames wait; the timer runs on."""
        if not (isinstance(self.app, FrameApp) and self.app.holds_frames()):
            self._draw_update()

    def update_now(self) -> bool:
        """Lay out changed widgets, or else draw the changes; return whether there was something to do.

        Widgets get messages about their new layout; what these change belongs to the same frame.
        """
        if not self.is_current or self.app._batch_count:
            return False
        if self._layout_required or self._scroll_required:
            is_layout, self._holds_frames = self._layout_required, True
            self._refresh_layout(scroll=self._scroll_required)
            self._layout_required = self._scroll_required = self._holds_frames = False
            if is_layout:
                self._dirty_widgets.clear()
            return True
        if self._has_held_frame or self._repaint_required or self._dirty_widgets:
            self._draw_update()
            return True
        return False

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        """Lay out once, unless a scrollbar appears or disappears. Textual lays out again for each new size inside."""
        if self._holds_layout:
            self._layout_required = True
            return
        if size is None and not self.outer_size:
            size = self.app.size
        before = [(each, each._layout_required, scrollbar_cells(each)) for each in self.walk_children(Widget)]
        super()._refresh_layout(size, scroll)
        if all(scrollbar_cells(each) == cells for each, _, cells in before):
            for each, was_required, _ in before:
                each._layout_required = was_required
                for scrollbar in each._get_virtual_dom():
                    scrollbar._layout_required = False

    def _draw_update(self) -> None:
        """Update the layout and all changed widgets, then draw one frame."""
        self._holds_frames = True
        super()._on_timer_update()
        self._holds_frames = False
        if self._has_held_frame:
            self._compositor_refresh()

    def _compositor_refresh(self) -> None:
        """Draw a frame, or note that one is to be drawn."""
        if self._holds_frames:
            self._has_held_frame = True
        elif not self.app._batch_count:  # the app would discard the frame; the next one has its changes too
            self._has_held_frame = False
            if self.is_current and self is not self.app.screen:
                self._redraw_below()
            else:
                super()._compositor_refresh()

    def _redraw_below(self) -> None:
        """Let the dialog above draw what has changed on this screen. Textual would draw it a second time later."""
        regions = self._compositor._dirty_regions
        if regions:
            self.app.screen.refresh(*regions)
            regions.clear()
            self._dirty_widgets.clear()

    def _screen_resized(self, size: Size) -> None:
        """Lay out for a size, unless the layout has it already."""
        if size != self._compositor.size:
            super()._screen_resized(size)


def scrollbar_cells(widget: Widget) -> tuple[int, int]:
    """Return the columns and the rows of the scrollbars of a widget."""
    return widget.scrollbar_size_vertical, widget.scrollbar_size_horizontal


def _visible_parts(lying: Iterable[VisiblePiece], width: int) -> list[VisiblePiece]:
    """Return the visible parts of the widgets of a row, from left to right. Args: widgets, topmost first; the
    width.
    """
    found: list[VisiblePiece] = []
    free = [(0, width)]
    for piece in lying:
        left: list[tuple[int, int]] = []
        for begin, end in free:
            first, last = max(begin, piece.start), min(end, piece.end)
            if first >= last:
                left.append((begin, end))
                continue
            found.append(piece._replace(start=first, end=last))
            left += [part for part in ((begin, first), (last, end)) if part[0] < part[1]]
        free = left
        if not free:
            break
    return sorted(found, key=lambda piece: piece.start)


def _runs(rows: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield consecutive rows as (start, end) with an exclusive end. Rows may repeat."""
    begin = after = -1
    for y in sorted(set(rows)):
        if y != after:
            if begin >= 0:
                yield begin, after
            begin = y
        after = y + 1
    if begin >= 0:
        yield begin, after


class DimmedRow(NamedTuple):
    """A dimmed row of a frame, and the strips that it was made from."""

    strips: tuple[Strip, ...]
    dimmed: Strip


class DimmingModalScreen(EarlyCloseMixin, ModalScreen[ScreenResultType]):
    """A modal screen that dims the screen below.

    Textual renders and blends each segment again. This class dims each style once, and each unchanged row once, even
    if the dialog is closed and another one opens.
    """

    _rows: Sequence[Strip] = ()
    """The dimmed rows of the screen below; empty if this screen is not transparent."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return dimmed rows of the screen below."""
        if self._dirty_regions or len(self._rows) != self.size.height:
            self._rows = self._dim_screen_below()
        if not self._rows:
            return super().render_lines(crop)
        self._dirty_regions.clear()
        return [row.crop(crop.x, crop.right) for row in self._rows[crop.y : crop.bottom]]

    def _dim_screen_below(self) -> Sequence[Strip]:
        below = visible_screen_stack.get([])
        background = self.styles.background
        if not below or below[-1] is self or below[-1].size != self.size or not 0 < background.a < 1:
            return ()
        frame = below.pop()._compositor
        dimmed = frame.dimmed if isinstance(frame, VisibleCompositor) else DimmedRows()
        return dimmed.dim(_frame_rows(frame), self.dim_look())

    def dim_look(self) -> DimLook:
        """Return how the dialog dims the screen below."""
        style, paper = self.visual_style.rich_style, self.background_colors[1]
        return DimLook(self.styles.background, style, paper, self.get_line_filters())


def _frame_rows(frame: Compositor) -> Sequence[Mapping[int, Strip]]:
    """Return the strips of a whole frame, by row and column."""
    # use the compositor's size: after a resize the screen below may not be laid out yet
    region = frame.size.region
    found = None
    if isinstance(frame, VisibleCompositor):
        found = frame._drawn([(y, region.x, region.right) for y in region.line_range])
    return frame._render_chops(region, lambda y: True) if found is None else found


ROWS_PER_STEP = 8
"""Rows that one step of the preparation dims, in much less than a frame's time."""


def prepare_dialog(
    app: App[int], screen: RenderingScreen[None], dialog: DimmingModalScreen[None], widgets: Iterable[Widget]
) -> Iterator[Sequence[Strip]]:
    """Prepare the first dialog over a screen: parse the style sheets of its widgets, then dim the screen.

    Args: the app; the screen; a dialog of the kind, and widgets that dialogs contain, none of them mounted.

    Yields: the rows that are dimmed so far, after each step.
    """
    for widget in (dialog, *widgets):
        widget._attach(app)
        widget._post_register(app)
    app.stylesheet.apply(dialog)
    yield ()
    frame: Compositor = screen._compositor
    if isinstance(frame, VisibleCompositor):
        rows = _frame_rows(frame)
        for count in range(ROWS_PER_STEP, len(rows) + ROWS_PER_STEP, ROWS_PER_STEP):
            yield frame.dimmed.dim(rows[:count], dialog.dim_look())


class DimLook(NamedTuple):
    """How a dialog dims the screen below.

    Attributes:
        background: the transparent background of the dialog.
        base: the style of the dialog.
        paper: the background behind the text.
        filters: the filters of the dialog.
    """

    background: Color
    base: Style
    paper: Color
    filters: Sequence[LineFilter]


class DimmedRows:
    """The dimmed rows of the last frame below a dialog."""

    def __init__(self) -> None:
        self._rows: dict[int, DimmedRow] = {}
        self._look: DimLook | None = None

    def clear(self) -> None:
        """Forget all rows."""
        self._rows.clear()

    def dim(self, rows: Sequence[Mapping[int, Strip]], look: DimLook) -> list[Strip]:
        """Return the dimmed rows of a frame. Args: its strips by row and column; how to dim them."""
        if look != self._look:
            self._look = look
            self._rows.clear()
        return [self._dim_row(y, tuple(row.values()), look) for y, row in enumerate(rows)]

    def _dim_row(self, y: int, strips: tuple[Strip, ...], look: DimLook) -> Strip:
        known = self._rows.get(y)
        if known is not None and known.strips == strips:
            return known.dimmed
        dimmer = _dimmer(look.background, look.base)
        dimmed = Strip.join(_dim_strip(strip, dimmer) for strip in strips)
        for line_filter in look.filters:
            dimmed = dimmed.apply_filter(line_filter, look.paper)
        self._rows[y] = DimmedRow(strips, dimmed)
        return dimmed


DimCache = Callable[[Style | None], Style]


def _dim_strip(strip: Strip, dimmed: DimCache) -> Strip:
    return Strip([Segment(text, dimmed(style)) for text, style, control in strip if not control], strip.cell_length)


@lru_cache(8)
def _dimmer(background: Color, base: Style) -> DimCache:
    """Return a cache that dims styles below a background and removes click actions."""
    mix = Color.from_rich_color

    @lru_cache(4096)
    def dimmed(style: Style | None) -> Style:
        plain = Style() if style is None else style.clear_meta_and_links()
        ink, paper = plain.color, plain.bgcolor
        return (
            base
            + plain
            + Style.from_color(
                None if ink is None else (mix(ink) + background).rich_color,
                None if paper is None else (mix(paper) + background).rich_color,
            )
        )

    return dimmed
