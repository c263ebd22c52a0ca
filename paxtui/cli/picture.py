"""Draw the world of a saved game at any moment: SVG, PNG, plain text, or text with colours for a terminal.

The format is that of the file's ending; without -o plain text goes to stdout (with colours when that is a terminal).
--screen draws the whole main screen instead of the map alone, or another screen by its name, or whatever --keys opens.

examples:
  paxtui picture game.jsonl -o now.svg                       the present
  paxtui picture game.jsonl --at 120 -o then.png             after line 120 (needs 'paxtui[picture]')
  paxtui picture --start --zoom theatre -o 1880.svg          the start, with full names
  paxtui picture --start --size 120x40 --palette light       on the terminal
  paxtui picture game.jsonl --screen -o main.svg             the main screen
  paxtui picture game.jsonl --screen sheet -o sheet.png      the Record Sheet
  paxtui picture game.jsonl --screen region --cursor siam -o asia.png
  paxtui picture game.jsonl --screen --keys 3,f -o f.svg     whatever these keys show
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paxtui.cli.outward.outlet import clean, printable

if TYPE_CHECKING:
    from rich.segment import Segment

    from paxtui.pax.board.tables import Tables
    from paxtui.pax.state.model import State
    from paxtui.table.authority import Table
    from paxtui.tui.colours.palette import Palette

Rows = list[list["Segment"]]
"""Rows of a drawing, each in styled pieces."""

FORMATS = ("svg", "png", "txt", "ansi")
PALETTES = ("dark", "light", "high-contrast", "deuteranopia", "protanopia", "mono")
COLOURS = ("16", "256", "all")
ZOOMS = ("world", "theatre")
SCREENS = (
    *("main", "region", "sheet", "indexes", "treaties", "log", "whole-log", "settings", "keys", "help", "rules"),
    *("statistics", "scrubber", "start", "new", "tutorial"),
)
LEAST, MOST = (40, 12), (600, 200)
"""Columns and rows between which a picture has to be."""
SCREEN = (160, 50)
START_SEED = "1880"
"""Seed of the game of --start, so that its picture is always the same."""


def arguments(part: argparse.ArgumentParser) -> None:
    """The arguments of `picture`."""
    part.add_argument("file", nargs="?", metavar="FILE", help="a saved game")
    part.add_argument("--start", action="store_true", help="the start of 1880 instead of a saved game")
    part.add_argument("--at", type=int, metavar="N", help="the position after line N of the log")
    part.add_argument("--zoom", choices=ZOOMS, default="world", help="codes and signs, or full names")
    part.add_argument("--size", metavar="COLUMNSxROWS", help="cells (default: the zoom's own, or 160x50 with --screen)")
    part.add_argument("--palette", choices=PALETTES, default="dark", help="colours (default dark)")
    part.add_argument("--colours", choices=COLOURS, default="all", help="as on a terminal of so many (default all)")
    part.add_argument("--ascii", action="store_true", help="signs of plain ASCII only")
    part.add_argument("--screen", nargs="?", const="main", metavar="NAME", help=f"a whole screen: {', '.join(SCREENS)}")
    part.add_argument("--keys", metavar="KEY,...", default="", help="keys to press before the picture is taken")
    part.add_argument("--cursor", metavar="PLACE", default="", help="where the cursor stands")
    part.add_argument("-o", "--output", metavar="FILE", help="where it goes: .svg, .png, .txt or .ansi")


def run(args: argparse.Namespace) -> int:
    """Draw it and write it down."""
    from paxtui.cli.outward.faults import CommandError
    from paxtui.cli.pictures.on_terminal import shows_signs
    from paxtui.table.disk.files import write_named

    format_ = _format(args.output)
    size = _size(args.size)
    if args.screen and args.screen not in SCREENS:
        raise CommandError(f"--screen knows {', '.join(SCREENS)}, not {args.screen!r}")
    if (args.keys or args.cursor) and not args.screen:
        raise CommandError("--keys and --cursor belong to --screen")
    if bool(args.file) == args.start:
        raise CommandError("picture takes a saved game, or --start for the start of 1880")
    table = _table(args)
    last = table.game.version
    if args.at is not None and not 1 <= args.at <= last:
        raise CommandError(f"--at takes a line from 1 to {last}, not {args.at}")
    plain = args.ascii or not (args.output or shows_signs(sys.stdout.encoding))
    # in a file without colours land has its coast in dots
    palette = palette_of("mono" if format_ == "txt" else args.palette, plain, args.colours)
    data: bytes
    if args.screen:
        from paxtui.cli.pictures.screen import Shot, draw_screen

        keys = tuple(k.strip() for k in args.keys.split(",") if k.strip())
        shot = Shot(args.screen, args.at, size or SCREEN, args.palette, plain, keys, args.cursor, args.colours)
        rows = draw_screen(table, shot)
    else:
        rows = draw_map(table.tables, table.game.seek(args.at or last), args.zoom, size, palette)
    data = encode(rows, format_, palette)
    if args.output:
        write_named(Path(args.output), data)
        print(args.output)
    else:
        sys.stdout.buffer.write(printable(data.decode(), "ascii").encode() if plain else data)
        sys.stdout.buffer.flush()
    return 0


def encode(rows: Rows, format_: str, palette: Palette) -> bytes:
    """The drawing in one of FORMATS; no text in it can steer a terminal or break a picture."""
    rows = [[piece._replace(text=clean(piece.text)) for piece in row] for row in rows]
    if format_ == "png":
        from paxtui.cli.pictures.png import png_of_rows

        return png_of_rows(rows, palette)
    from paxtui.cli.pictures.svg import svg_of_rows

    if format_ == "svg":
        return svg_of_rows(rows, palette).encode()
    return (text_of_rows(rows) if format_ == "txt" else ansi_of_rows(rows)).encode()


def _format(output: str | None) -> str:
    """The format wanted. Raises: CommandError."""
    from paxtui.cli.outward.faults import CommandError

    if not output:
        return "ansi" if sys.stdout.isatty() else "txt"
    ending = Path(output).suffix.casefold().removeprefix(".")
    if ending not in FORMATS:
        raise CommandError(f"{output}: the ending says the format; it is one of .{', .'.join(FORMATS)}")
    return ending


def _size(text: str | None) -> tuple[int, int] | None:
    """Columns and rows. Raises: CommandError."""
    from paxtui.cli.outward.faults import CommandError

    if not text:
        return None
    columns, x, rows = text.casefold().partition("x")
    if x and columns.isdecimal() and rows.isdecimal() and len(text) < 12:
        size = int(columns), int(rows)
        if LEAST[0] <= size[0] <= MOST[0] and LEAST[1] <= size[1] <= MOST[1]:
            return size
    bounds = f"from {LEAST[0]}x{LEAST[1]} to {MOST[0]}x{MOST[1]}"
    raise CommandError(f"--size takes COLUMNSxROWS such as 160x46, {bounds}, not {text!r}")


def _table(args: argparse.Namespace) -> Table:
    """The game to draw; nothing of it is changed on the disk."""
    from paxtui.pax.position.setup import seats_for
    from paxtui.table.authority import Table, no_clock
    from paxtui.table.tables import load_tables

    if not args.start:
        return Table.open(Path(args.file), write=False)
    tables = load_tables(Path(args.tables) if args.tables else None)
    return Table.new(tables, seats_for(7), START_SEED, clock=no_clock)


# --- drawing ------------------------------------------------------------------------------------------------------


def palette_of(name: str, ascii_: bool = False, colours: str = "all") -> Palette:
    """A palette by name."""
    from paxtui.tui.colours import depth, palette

    return palette.palette_of(name, ascii_, depth.COLOURS[colours])


def draw_map(
    tables: Tables,
    state: State,
    zoom: str = "world",
    size: tuple[int, int] | None = None,
    palette: Palette | None = None,
) -> Rows:
    """The map of a position, without a cursor; at the zoom's own size where none is given."""
    from paxtui.tui.colours.palette import DEFAULT
    from paxtui.tui.land.projection import ZOOMS as KNOWN
    from paxtui.tui.map.canvas import Canvas
    from paxtui.tui.map.layout import lay_out
    from paxtui.tui.widgets import scene_of

    columns, rows = size or (KNOWN[zoom].width, KNOWN[zoom].height)
    canvas = Canvas(lay_out(zoom, columns, rows), palette or DEFAULT)
    canvas.show(scene_of.scene(tables, state, ""))
    return [list(canvas.strip(y)) for y in range(rows)]


def text_of_rows(rows: Sequence[Sequence[Segment]]) -> str:
    """Plain text: blanks at the ends of lines kept, so that every line is as wide as the picture."""
    return "".join("".join(piece.text for piece in row) + "\n" for row in rows)


def ansi_of_rows(rows: Sequence[Sequence[Segment]]) -> str:
    """Text with true colours, every line by itself."""
    from rich.color import ColorSystem

    return "".join(
        "".join(
            piece.style.render(piece.text, color_system=ColorSystem.TRUECOLOR) if piece.style else piece.text
            for piece in row
        )
        + "\n"
        for row in rows
    )
