"""A game as pictures of its map: frames with a heading and the news, as PNG, as an animated GIF, and as a recording.

The recording is an asciicast (version 2), which asciinema plays on a terminal or in a page. Only the cells that change
are written.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style

from paxtui import __version__
from paxtui.charts.game_charts import power_letters
from paxtui.engine.free_text import clean_text
from paxtui.games.pax.figures import describe_indexes
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import phase_name
from paxtui.games.pax.turn import victory
from paxtui.session.game_viewer import GameViewer, LogEntry
from paxtui.sharing.image_formats import image_of_rows, png_of_rows
from paxtui.sharing.pictures import Rows
from paxtui.sharing.turns import GameTurn
from paxtui.tui.colors import Palette
from paxtui.tui.map.canvas import Canvas
from paxtui.tui.map.layout import lay_out
from paxtui.tui.map.projection import WORLD
from paxtui.tui.widgets.map_scene import build_scene

NEWS_ROWS = 2
FRAME_SIZE = WORLD.width, WORLD.height + 2 + NEWS_ROWS
"""Columns and rows of a frame: heading, map, Victory Points, news."""
NEWS_S, TURN_S, END_S = 0.16, 1.6, 4.0
"""Time between news, at the beginning of a Game Turn, and at the end, in seconds."""
GIF_COLOURS = 256
GIF_TURN_MS, GIF_END_MS = 1400, 4000
HEADINGS = ("TurnBegan", "PhaseBegan")
"""Kinds of log entries that are no news."""


class FramePainter:
    """Paints the frames of a game as one viewpoint sees it. Rows that do not change are painted once.

    Args: the game; the colours.
    """

    def __init__(self, view: GameViewer, palette: Palette) -> None:
        self._view = view
        self._palette = palette
        self._canvas = Canvas(lay_out(WORLD.name, WORLD.width, WORLD.height), palette)
        self._rows: list[list[Segment] | None] = [None] * WORLD.height
        self._entries: dict[int, list[LogEntry]] = {}
        for entry in view.log():
            if not entry.quiet and entry.kind not in HEADINGS:
                self._entries.setdefault(entry.line, []).append(entry)

    @property
    def news_lines(self) -> list[int]:
        """The lines with news, in order."""
        return sorted(self._entries)

    def paint(self, line: int) -> Rows:
        """Return the frame of a line."""
        state = self._view.position(line)
        for y in self._canvas.show(build_scene(self._view.tables, state, "")):
            self._rows[y] = None
        map_rows = [self._map_row(y) for y in range(WORLD.height)]
        return [self._heading(state), *map_rows, self._points(state), *self._news(line)]

    def _map_row(self, y: int) -> list[Segment]:
        row = self._rows[y]
        if row is None:
            row = self._rows[y] = list(self._canvas.strip(y))
        return row

    def _heading(self, state: State) -> list[Segment]:
        year = self._view.tables.turns[state.turn - 1].year
        left = f" {year} · Game Turn {state.turn} · {phase_name(state.phase)} Phase"
        right = f"{describe_indexes(state)} "
        room = FRAME_SIZE[0] - len(left) - len(right)
        return [Segment(left + " " * room + right, self._style("", bold=True))]

    def _points(self, state: State) -> list[Segment]:
        tables = self._view.tables
        totals = {
            seat: state.result.totals[seat] if state.result else victory.final_lines(tables, state, seat).get("31", 0)
            for seat in state.players
        }
        row = [
            Segment(" Victory Points if the game ended now:" if state.result is None else " Result:", self._style(""))
        ]
        for seat in sorted(totals, key=lambda seat: -totals[seat]):
            row.append(Segment(f"  {power_letters(tables, seat)} {totals[seat]}", self._style(seat, bold=True)))
        return _fill(row, self._style(""))

    def _news(self, line: int) -> Iterator[list[Segment]]:
        entries = self._entries.get(line, [])
        shown = entries[:NEWS_ROWS]
        for n in range(NEWS_ROWS):
            text = f" {clean_text(shown[n].text)}" if n < len(shown) else ""
            more = len(entries) - NEWS_ROWS if n == NEWS_ROWS - 1 else 0
            text += f" (and {more} more)" if more > 0 else ""
            if len(text) > FRAME_SIZE[0]:
                text = text[: FRAME_SIZE[0] - 1] + "…"
            yield _fill([Segment(text, self._style(""))], self._style(""))

    def _style(self, ink: str, bold: bool = False) -> Style:
        palette = self._palette
        colour = palette.ink(ink) if ink else palette.accent
        return (
            Style(color=colour, bgcolor=palette.sea, bold=bold or None) if palette.colour else Style(bold=bold or None)
        )


def _fill(row: list[Segment], style: Style) -> list[Segment]:
    """Return a row as wide as a frame."""
    room = FRAME_SIZE[0] - sum(len(piece.text) for piece in row)
    return [*row, Segment(" " * max(0, room), style)]


# --- pictures -----------------------------------------------------------------------------------------------------


def turn_pngs(view: GameViewer, palette: Palette, turns: Iterable[GameTurn]) -> Iterator[bytes]:
    """Yield a picture of the end of each Game Turn. Raises: MissingExtra without Pillow."""
    painter = FramePainter(view, palette)
    for turn in turns:
        yield png_of_rows(painter.paint(turn.last), palette)


def turns_gif(view: GameViewer, palette: Palette, turns: Iterable[GameTurn]) -> bytes:
    """Return an animation of the ends of Game Turns. Raises: MissingExtra without Pillow."""
    painter = FramePainter(view, palette)
    frames = [image_of_rows(painter.paint(turn.last), palette).quantize(GIF_COLOURS) for turn in turns]
    durations = [GIF_TURN_MS] * (len(frames) - 1) + [GIF_END_MS]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True)
    return out.getvalue()


# --- recording ----------------------------------------------------------------------------------------------------


class _Cell(NamedTuple):
    sign: str
    style: Style | None


def game_cast(view: GameViewer, palette: Palette, turns: Sequence[GameTurn], title: str) -> str:
    """Return the recording of a game: a frame for each line with news, and a pause and a marker at each Game Turn.

    Args: the game; the colours; the Game Turns to show; the title.
    """
    painter = FramePainter(view, palette)
    columns, rows = FRAME_SIZE
    header = {
        "version": 2,
        "width": columns,
        "height": rows,
        "title": clean_text(title),
        "env": {"TERM": "xterm-256color"},
        "paxtui": __version__,
    }
    out = [msgspec.json.encode(header).decode()]
    shown: list[list[_Cell]] = [[]] * rows
    rows_before: Rows = []
    time, start = 0.0, "\x1b[?25l\x1b[2J"
    for turn in turns:
        news = [line for line in painter.news_lines if turn.first < line <= turn.last]
        for line in [turn.first, *news]:
            painted = painter.paint(line)
            cells = [
                shown[y] if y < len(rows_before) and row is rows_before[y] else list(_cells(row))
                for y, row in enumerate(painted)
            ]
            out.append(_event(time, "o", start + _changes(shown, cells)))
            if line == turn.first:
                out.append(_event(time, "m", f"{turn.year}, Game Turn {turn.turn}"))
            shown, rows_before, start = cells, painted, ""
            time += TURN_S if line == turn.first else NEWS_S
    out.append(_event(time + END_S, "o", "\x1b[0m\x1b[?25h"))
    return "".join(f"{line}\n" for line in out)


def _event(time: float, kind: str, data: str) -> str:
    return msgspec.json.encode([round(time, 3), kind, data]).decode()


def _cells(row: Iterable[Segment]) -> Iterator[_Cell]:
    for piece in row:
        for sign in clean_cells(piece.text):
            yield _Cell(sign, piece.style)


def clean_cells(text: str) -> str:
    """Return a text without control characters, cell by cell."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else " " for sign in text)


def _changes(before: list[list[_Cell]], after: list[list[_Cell]]) -> str:
    """Return the text that turns one frame into another on a terminal."""
    out: list[str] = []
    for y, row in enumerate(after):
        old, x = before[y], 0
        if old is row:
            continue
        while x < len(row):
            if x < len(old) and old[x] == row[x]:
                x += 1
                continue
            end = x + 1
            while end < len(row) and not (end < len(old) and old[end] == row[end]):
                end += 1
            out.append(f"\x1b[{y + 1};{x + 1}H{''.join(_runs(row[x:end]))}")
            x = end
    return "".join(out)


def _runs(cells: Sequence[_Cell]) -> Iterator[str]:
    """Return cells as text with colours, one piece for each style."""
    at = 0
    while at < len(cells):
        style, end = cells[at].style, at + 1
        while end < len(cells) and cells[end].style == style:
            end += 1
        text = "".join(cell.sign for cell in cells[at:end])
        yield style.render(text, color_system=ColorSystem.TRUECOLOR) if style else text
        at = end
