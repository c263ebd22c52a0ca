"""Frames write only changes; the screen equals that of complete frames."""

from __future__ import annotations

import fcntl
import random
import shutil
import struct
import termios
import time
from pathlib import Path

import pyte
import pytest
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from paxtui.tui.rendering.ansi_writer import (
    RESET,
    FrameDiff,
    FrameUpdate,
    is_single_cell_text,
    style_change_codes,
    style_parts,
)
from tests.places import GOLDEN
from tests.tui.terminal import Terminal
from tests.waiting import PATIENCE

WIDTH, HEIGHT = 40, 6
STYLES = (
    None,
    Style(),
    Style(color="#ff0000", bgcolor="#001122"),
    Style(color="#ff0000", bgcolor="#332211"),
    Style(color="#00ff00", bgcolor="#001122", bold=True),
    Style(bgcolor="#001122", italic=True, underline=True),
    Style(color="red", reverse=True),
    Style(meta={"@click": "nothing"}),
)
WORDS = ("a", " ", "MAD◆GB", "⣿⡇", "   ", "line 12 · saved", "日本", "é")


@pytest.fixture
def truecolor_console() -> Console:
    """A console with all colors."""
    return Console(force_terminal=True, color_system="truecolor", width=WIDTH)


def random_strip(dice: random.Random, width: int) -> Strip:
    """Return random segments that fill `width` cells."""
    pieces: list[Segment] = []
    while (left := width - sum(piece.cell_length for piece in pieces)) > 0:
        piece = Segment(dice.choice(WORDS), dice.choice(STYLES))
        pieces.append(piece if piece.cell_length <= left else Segment(" " * left, dice.choice(STYLES)))
    return Strip(pieces, width)


class RawScreen:
    """A terminal emulator."""

    def __init__(self) -> None:
        self.pyte = pyte.Screen(WIDTH, HEIGHT)
        self.stream = pyte.Stream(self.pyte)

    def write(self, text: str) -> None:
        """Feed text; newlines are ignored, as frames position the cursor."""
        self.stream.feed(text.replace("\n", ""))


def cells(screen: pyte.Screen) -> list[list[tuple[object, ...]]]:
    """Return all cells with their styles."""
    return [[tuple(screen.buffer[y][x]) for x in range(screen.columns)] for y in range(screen.lines)]


@pytest.mark.parametrize("seed", range(12))
def test_partial_frames_equal_whole_frames(truecolor_console: Console, seed: int) -> None:
    dice = random.Random(seed)
    sheet, spare, whole = FrameDiff(), RawScreen(), RawScreen()
    rows: list[list[Strip]] = []
    for _ in range(30):
        if not rows or dice.random() < 0.2:  # a new layout: rows are cut at other columns
            cuts = sorted(dice.sample(range(1, WIDTH), dice.randint(1, 3)))
            widths = [end - start for start, end in zip([0, *cuts], [*cuts, WIDTH], strict=True)]
            rows = [[random_strip(dice, width) for width in widths] for _ in range(HEIGHT)]
            update: ChopsUpdate | LayoutUpdate = LayoutUpdate(rows, Region(0, 0, WIDTH, HEIGHT))  # type: ignore[arg-type]
        else:
            spans = []
            for y in dice.sample(range(HEIGHT), dice.randint(1, 3)):
                at = dice.randrange(len(rows[y]))
                if dice.random() < 0.7:
                    rows[y][at] = random_strip(dice, rows[y][at].cell_length)
                start = sum(s.cell_length for s in rows[y][:at])
                spans.append((y, start, start + rows[y][at].cell_length))
            chops = [dict(zip(start_columns(row), row, strict=True)) for row in rows]
            update = ChopsUpdate(chops, sorted(spans), [[*start_columns(row)[1:], WIDTH] for row in rows])
        change = sheet.change(update, truecolor_console)
        if change is not None:
            assert isinstance(change, FrameUpdate)
            spare.write(change.render_segments(truecolor_console))
        whole.write(LayoutUpdate(rows, Region(0, 0, WIDTH, HEIGHT)).render_segments(truecolor_console))  # type: ignore[arg-type]
        assert cells(spare.pyte) == cells(whole.pyte)


def start_columns(row: list[Strip]) -> list[int]:
    """Return the start columns of the strips of a row."""
    return [sum(s.cell_length for s in row[:n]) for n in range(len(row))]


def frame(*rows: Strip) -> LayoutUpdate:
    """Return a frame with one strip in each row."""
    return LayoutUpdate([[row] for row in rows], Region(0, 0, WIDTH, len(rows)))


def test_unchanged_pieces_are_not_written(truecolor_console: Console) -> None:
    sheet = FrameDiff()
    red, blue = Style(color="#ff0000"), Style(color="#0000ff")
    row = Strip([Segment("Egypt", red), Segment(" · ", None), Segment("Siam", blue)])
    first = sheet.change(frame(row), truecolor_console)
    assert first is not None and "Egypt" in first.text and first.text.endswith(RESET)
    assert sheet.change(frame(row), truecolor_console) is None
    same = Strip([Segment("Egypt", red + Style(meta={"@click": "x"})), Segment(" · ", None), Segment("Siam", blue)])
    assert sheet.change(frame(same), truecolor_console) is None, "another click action changes no cell"
    other = Strip([Segment("Egypt", red), Segment(" · ", None), Segment("Fiji", blue)])
    second = sheet.change(frame(other), truecolor_console)
    assert second is not None and "Egypt" not in second.text
    assert second.text.startswith("\x1b[1;9H") and "Fiji" in second.text
    sheet.clear()
    third = sheet.change(frame(other), truecolor_console)
    assert third is not None and "Egypt" in third.text


def test_changed_piece_is_written_whole(truecolor_console: Console) -> None:
    """A reader of the output finds whole words."""
    sheet = FrameDiff()
    sheet.change(frame(Strip([Segment("line 12 · saved")])), truecolor_console)
    change = sheet.change(frame(Strip([Segment("line 13 · saved")])), truecolor_console)
    assert change is not None and "line 13 · saved" in change.text


def test_style_codes_change_only_differences() -> None:
    red_on_blue, green_on_blue = "38;2;255;0;0;48;2;0;0;255", "38;2;0;255;0;48;2;0;0;255"
    assert style_change_codes(red_on_blue, green_on_blue) == "\x1b[38;2;0;255;0m"
    assert style_change_codes(red_on_blue, f"1;{red_on_blue}") == "\x1b[1m"
    assert style_change_codes(f"1;{red_on_blue}", red_on_blue) == f"\x1b[0;{red_on_blue}m", (
        "bold can only end together with all attributes"
    )
    assert style_change_codes(red_on_blue, "38;2;255;0;0") == "\x1b[49m"
    assert style_change_codes("31", "48;5;7") == "\x1b[39;48;5;7m"
    assert style_change_codes("31", "") == RESET
    assert style_parts("1;4;91;100") == ({"1", "4"}, "91", "100")
    assert style_parts("38;5;7;48;2;1;2;3") == (frozenset(), "38;5;7", "48;2;1;2;3")


def test_wide_characters_are_recognized() -> None:
    assert is_single_cell_text("Egypt ◆⣿é") and not is_single_cell_text("日本") and not is_single_cell_text("e\u0301")


KEYS_TO_PRESS = (
    "Right Right Down 3 5 5 2 Tab Tab Enter Down Escape z Right Down z Down z : p l Escape [ [ { ] End f h e Down"
)
KEYS_TO_PRESS += " Escape l Escape / e g y Enter Enter Escape 6 Right 6 F1 Escape"


def test_screen_after_many_keys_equals_a_full_redraw(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    shutil.copy(GOLDEN, log)
    screen = Terminal(tmp_path, "play", str(log), columns=120, rows=40)
    try:
        screen.wait("PAX BRITANNICA", "saved")
        for key in KEYS_TO_PRESS.split():
            screen.press(key)
            screen.still(0.05)  # earlier keys could be discarded
        # messages disappear after some seconds
        screen.wait("PAX BRITANNICA", "saved", gone="There is nothing to do here")
        screen.still()
        assert "PAX BRITANNICA" in screen.text
        shown = cells(screen.screen)
        screen.stream.feed(b"\x1b[5;5Hanother program writes here")
        assert cells(screen.screen) != shown
        screen.press("\x0c")
        screen.wait("PAX BRITANNICA", "saved", gone="another program")
        screen.still()
        assert "PAX BRITANNICA" in screen.text and cells(screen.screen) == shown
        for columns in (121, 120):  # a resize redraws the whole screen
            screen.screen.reset()
            screen.screen.resize(40, columns)
            fcntl.ioctl(screen.child.child_fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
            screen.wait("PAX BRITANNICA", "saved")
            screen.still()
        assert "PAX BRITANNICA" in screen.text
        end = time.monotonic() + PATIENCE
        while cells(screen.screen) != shown and time.monotonic() < end:  # a busy machine draws late
            screen.read(0.05)
            assert screen.text
        assert cells(screen.screen) == shown
    finally:
        screen.close()


def test_row_ends_at_a_missing_strip(truecolor_console: Console) -> None:
    """Textual leaves None in a whole frame while a widget has fewer rows than its region."""
    strips = [Strip([Segment("north", Style())]), None, Strip([Segment("south", Style())])]
    whole = LayoutUpdate([strips, [Strip([Segment("below", Style())])]], Region(0, 0, 15, 2))  # type: ignore[list-item]
    change = FrameDiff().change(whole, truecolor_console)
    assert change is not None
    text = change.text
    assert "north" in text and "below" in text and "south" not in text
