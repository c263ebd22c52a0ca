"""The command `picture`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paxtui.cli.game_arguments import line_of, open_pax_game
from paxtui.cli.runtime import CommandError, clean_line, printable
from paxtui.cli.terminal_output import supports_symbols
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.text.parsing import name_index
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LessonSession, LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import write_named
from paxtui.session.tables.loader import load_tables
from paxtui.sharing.image_formats import png_of_rows, svg_of_rows
from paxtui.sharing.pictures import Rows, ansi_of_rows, draw_map, text_of_rows

if TYPE_CHECKING:
    from rich.segment import Segment
    from textual.screen import Screen

    from paxtui.tui.app import PaxApp
    from paxtui.tui.colors import Palette

PICTURE_USAGE = """Draw the map of a saved game at any line, as SVG, PNG, plain text, or text with colours.

The ending of the file sets the format. Without -o, the text is printed, in colour on a terminal. With --screen, the
whole main screen is drawn, or the screen that you name or open with --keys.

examples:
  paxtui picture game.jsonl -o now.svg                       the current position
  paxtui picture game.jsonl --at 120 -o then.png             after line 120 (needs 'paxtui[picture]')
  paxtui picture --start --zoom theatre -o 1880.svg          the start, with full names
  paxtui picture --start --size 120x40 --palette light       on the terminal
  paxtui picture game.jsonl --screen -o main.svg             the main screen
  paxtui picture game.jsonl --screen sheet -o sheet.png      the Record Sheet
  paxtui picture game.jsonl --screen region --cursor siam -o asia.png
  paxtui picture game.jsonl --screen --keys 3,f -o f.svg     the screen after these keys
"""


FORMATS = ("svg", "png", "txt", "ansi")
PALETTES = ("dark", "light", "high-contrast", "deuteranopia", "protanopia", "mono")
COLOURS = ("16", "256", "all")
ZOOMS = ("world", "theatre")
SCREENS = (
    *("main", "region", "sheet", "indexes", "treaties", "log", "whole-log", "settings", "keys", "help", "rules"),
    *("statistics", "scrubber", "start", "new", "tutorial"),
)
SMALLEST_SIZE, LARGEST_SIZE = (40, 12), (600, 200)
"""Minimum and maximum size of a picture, in columns and rows."""
SCREEN_SIZE = (160, 50)
START_SEED = "1880"
"""Seed of the game of --start, so that its picture is reproducible."""


def picture_arguments(part: argparse.ArgumentParser) -> None:
    part.add_argument("file", nargs="?", metavar="FILE", help="a saved game")
    part.add_argument("--start", action="store_true", help="draw the 1880 start instead of a saved game")
    part.add_argument("--at", type=int, metavar="N", help="the position after line N of the log")
    part.add_argument(
        "--zoom", choices=ZOOMS, default="world", help="amount of detail: codes and symbols, or full names"
    )
    part.add_argument(
        "--size", metavar="COLUMNSxROWS", help="size in cells (default: set by the zoom, or 160x50 with --screen)"
    )
    part.add_argument("--palette", choices=PALETTES, default="dark", help="colours (default dark)")
    part.add_argument("--colours", choices=COLOURS, default="all", help="number of colours (default: all)")
    part.add_argument("--ascii", action="store_true", help="use only ASCII characters")
    part.add_argument(
        "--screen", nargs="?", const="main", metavar="NAME", help=f"draw a whole screen: {', '.join(SCREENS)}"
    )
    part.add_argument("--keys", metavar="KEY,...", default="", help="keys to press before the picture is taken")
    part.add_argument("--cursor", metavar="PLACE", default="", help="place of the cursor")
    part.add_argument("-o", "--output", metavar="FILE", help="output file: .svg, .png, .txt or .ansi")


def run_picture(args: argparse.Namespace) -> int:
    """Draw the picture and write it."""
    format_ = _format(args.output)
    size = _size(args.size)
    if args.screen and args.screen not in SCREENS:
        raise CommandError(f"--screen takes {', '.join(SCREENS)}, not {args.screen!r}")
    if (args.keys or args.cursor) and not args.screen:
        raise CommandError("--keys and --cursor need --screen")
    if bool(args.file) == args.start:
        raise CommandError("name either a saved game or --start (the 1880 start)")
    table = _load_game(args)
    at = line_of(args.at, table.game.version)
    plain = args.ascii or not (args.output or supports_symbols(sys.stdout.encoding))
    # without colours, dots mark the coast
    palette = palette_of("mono" if format_ == "txt" else args.palette, plain, args.colours)
    if args.screen:
        keys = tuple(k.strip() for k in args.keys.split(",") if k.strip())
        shot = Screenshot(
            args.screen, args.at, size or SCREEN_SIZE, args.palette, plain, keys, args.cursor, args.colours
        )
        rows = draw_screen(table, shot)
    else:
        rows = draw_map(table.tables, table.game.seek(at), args.zoom, size, palette)
    data = encode_picture(rows, format_, palette)
    if args.output:
        write_named(Path(args.output), data)
        print(args.output)
    else:
        sys.stdout.buffer.write(printable(data.decode(), "ascii").encode() if plain else data)
        sys.stdout.buffer.flush()
    return 0


def encode_picture(rows: Rows, format_: str, palette: Palette) -> bytes:
    """Encode the drawing in one of FORMATS; its texts are escaped."""
    rows = [[piece._replace(text=clean_line(piece.text)) for piece in row] for row in rows]
    if format_ == "png":
        return png_of_rows(rows, palette)
    if format_ == "svg":
        return svg_of_rows(rows, palette).encode()
    return (text_of_rows(rows) if format_ == "txt" else ansi_of_rows(rows)).encode()


def _format(output: str | None) -> str:
    """Return the format. Raises: CommandError."""
    if not output:
        return "ansi" if sys.stdout.isatty() else "txt"
    ending = Path(output).suffix.casefold().removeprefix(".")
    if ending not in FORMATS:
        raise CommandError(f"{output}: unknown format; the name must end in .{', .'.join(FORMATS)}")
    return ending


def _size(text: str | None) -> tuple[int, int] | None:
    """Return columns and rows. Raises: CommandError."""
    if not text:
        return None
    columns, x, rows = text.casefold().partition("x")
    if x and columns.isdecimal() and rows.isdecimal() and len(text) < 12:
        size = int(columns), int(rows)
        if SMALLEST_SIZE[0] <= size[0] <= LARGEST_SIZE[0] and SMALLEST_SIZE[1] <= size[1] <= LARGEST_SIZE[1]:
            return size
    bounds = f"from {SMALLEST_SIZE[0]}x{SMALLEST_SIZE[1]} to {LARGEST_SIZE[0]}x{LARGEST_SIZE[1]}"
    raise CommandError(f"--size takes COLUMNSxROWS such as 160x46, {bounds}, not {text!r}")


def _load_game(args: argparse.Namespace) -> PaxHost:
    """Load the game read-only."""
    if not args.start:
        return open_pax_game(args.file, "only maps of Pax Britannica can be drawn; 'paxtui play' shows this game")
    tables = load_tables(Path(args.tables) if args.tables else None)
    return PaxHost.new(tables, seats_for(7), START_SEED, clock=empty_clock)


# --- drawing ------------------------------------------------------------------------------------------------------


def palette_of(name: str, ascii_: bool = False, colours: str = "all") -> Palette:
    from paxtui.tui import colors

    return colors.palette_of(name, ascii_, colors.DEPTH_NAMES[colours])


SCREEN_KEYS: dict[str, tuple[str, ...]] = {
    "main": (),
    "region": ("6",),
    "sheet": ("e",),
    "indexes": ("3",),
    "treaties": ("4",),
    "statistics": ("i",),
    "log": ("5",),
    "whole-log": ("l",),
    "settings": ("f4",),
    "keys": ("f5",),
    "help": ("f1",),
    "rules": ("f2",),
    "scrubber": (),
    "start": (),
    "new": ("n",),
    "tutorial": (),
}
"""Keys that open each screen of `--screen`, from the main screen or (start, new) the first one."""


TUTORIAL_STEP = 9
"""Step of the tutorial shown in its picture."""


@dataclass(frozen=True)
class Screenshot:
    """The settings of a screenshot.

    A screen of SCREEN_KEYS, the displayed line, size in cells, palette, symbols, further keys, cursor, colour depth.
    """

    screen: str = "main"
    at: int | None = None
    size: tuple[int, int] = (160, 50)
    palette: str = "dark"
    ascii: bool = False
    keys: tuple[str, ...] = ()
    cursor: str = ""
    colours: str = "all"


def draw_screen(table: PaxHost, shot: Screenshot) -> list[list[Segment]]:
    """Draw the screen, each row as wide as the picture. Further actions change the game in memory only.

    Raises: Refusal for an invalid cursor.
    """
    from paxtui.tui.app import PaxApp
    from paxtui.tui.base.settings import Settings
    from paxtui.tui.game.screen import GameScreen
    from paxtui.tui.tutorial.lessons import load_lesson

    place = name_index(table.tables).places.find(shot.cursor) if shot.cursor else ""
    if shot.screen not in ("start", "new", "tutorial"):
        table.advance()

    async def draw() -> list[list[Segment]]:
        # the timeline is only visible in the past: the picture of the scrubber goes back one line
        at = shot.at or (table.version - 1 if shot.screen == "scrubber" else None)
        app = PaxApp(settings=Settings(palette=shot.palette, ascii=shot.ascii, colours=shot.colours))
        async with app.run_test(size=shot.size) as pilot:
            if shot.screen == "tutorial":
                await app.push_screen(_tutorial())
                await pilot.pause()
                for step in load_lesson().steps[:TUTORIAL_STEP]:
                    for key in step.keys:
                        await pilot.press(key)
                        await pilot.pause()
            elif shot.screen not in ("start", "new"):
                session = LocalSession(table)
                session.look_at(at)
                game = GameScreen(session)
                await app.push_screen(game)
                if place:
                    game.view.map.cursor = place
            await pilot.pause()
            for key in (*SCREEN_KEYS[shot.screen], *shot.keys):
                await pilot.press(key)
                await pilot.pause()
            await pilot.pause()
            return _rows(app)

    return asyncio.run(draw())


def _tutorial() -> Screen[None]:
    """Return the tutorial, with its game in memory only."""
    from paxtui.tui.tutorial.lessons import load_lesson
    from paxtui.tui.tutorial.screen import TutorialScreen, new_lesson_table

    lesson = load_lesson()
    return TutorialScreen(LessonSession(new_lesson_table(lesson), lesson.seat), lesson)


def _rows(app: PaxApp) -> list[list[Segment]]:
    """Return what the app shows now, background screens included."""
    from textual._compositor import LayoutUpdate

    screen = app.screen
    update = screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    assert isinstance(update, LayoutUpdate), "the renderer must return a full update"
    return [[segment for strip in row for segment in strip] for row in update.strips]
