"""Pictures of the map: each format, sizes, and errors."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from paxtui.cli.picture import PALETTES as NAMED
from paxtui.cli.picture import palette_of
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.session.storage.extras import MissingExtra
from paxtui.session.tables.loader import load_tables
from paxtui.sharing import image_formats
from paxtui.sharing.image_formats import (
    SVG_CELL_HEIGHT,
    SVG_CELL_WIDTH,
    braille_dots,
    cell_runs,
    ground_look,
    resolve_look,
    svg_of_rows,
)
from paxtui.sharing.pictures import ansi_of_rows, draw_map, text_of_rows
from paxtui.tui.colors import PALETTES
from tests.cli.commands import inside
from tests.places import GOLDEN

TABLES = load_tables()
START = new_game(TABLES, seats_for(7), {})
SVG = "{http://www.w3.org/2000/svg}"


def picture(home: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run `picture` in a directory."""
    return inside(home, "picture", *words)


def read(svg: str) -> list[str]:
    """Return the text of an SVG as rows of cells."""
    root = ET.fromstring(svg)
    columns, rows = int(root.get("width", "")) // SVG_CELL_WIDTH, int(root.get("height", "")) // SVG_CELL_HEIGHT
    cells = [[" "] * columns for _ in range(rows)]
    for found in root.iter(f"{SVG}text"):
        x, y = int(float(found.get("x", "")) // SVG_CELL_WIDTH), int(float(found.get("y", "")) // SVG_CELL_HEIGHT)
        word = found.text or ""
        cells[y][x : x + len(word)] = word
    return ["".join(row) for row in cells]


# --- the command ----------------------------------------------------------------------------------------------------


def test_text_has_the_requested_size(tmp_path):
    done = picture(tmp_path, "--start", "--size", "120x40", "-o", "map.txt")
    assert done.returncode == 0 and done.stdout == b"map.txt\n" and done.stderr == b""
    lines = (tmp_path / "map.txt").read_text("utf-8").splitlines()
    assert len(lines) == 40 and {len(line) for line in lines} == {120}
    text = "\n".join(lines)
    assert "GBR" in text and "HKG◆GB" in text and "CAN★GB" in text


def test_picture_without_a_file_goes_to_stdout(tmp_path):
    lines = picture(tmp_path, "--start", "--ascii", "--palette", "mono").stdout.decode().splitlines()
    assert len(lines) == 46 and {len(line) for line in lines} == {160}
    assert "\n".join(lines).isascii() and any("HKG#GB" in line for line in lines)


@pytest.mark.parametrize("words", [(), ("--screen",)], ids=["map", "screen"])
def test_ascii_stream_gets_ascii_symbols(tmp_path, words):
    done = inside(tmp_path, "picture", str(GOLDEN), *words, encoding="ascii")
    lines = done.stdout.decode("ascii").splitlines()
    assert done.returncode == 0 and len({len(line) for line in lines if line}) == 1
    assert any("GBR" in line for line in lines)


def test_svg_png_and_ansi_of_a_saved_game_at_two_lines(tmp_path):
    assert picture(tmp_path, str(GOLDEN), "-o", "now.svg", "--size", "100x30").returncode == 0
    root = ET.parse(tmp_path / "now.svg").getroot()
    assert root.tag == f"{SVG}svg" and (root.get("width"), root.get("height")) == ("900", "570")
    now = read((tmp_path / "now.svg").read_text("utf-8"))
    assert any("EGY◇GB" in line for line in now) and any("HKG◆GB" in line for line in now)
    assert picture(tmp_path, str(GOLDEN), "--at", "1", "-o", "then.svg").returncode == 0
    then = read((tmp_path / "then.svg").read_text("utf-8"))
    assert not any("EGY◇" in line for line in then) and any("HKG◆GB" in line for line in then)
    assert picture(tmp_path, "--start", "-o", "a.png", "--size", "100x30", "--palette", "light").returncode == 0
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (1000, 570) and image.format == "PNG"
        assert len(image.getcolors(100_000) or ()) > 20
    assert picture(tmp_path, "--start", "-o", "a.ansi", "--zoom", "theatre").returncode == 0
    ansi = (tmp_path / "a.ansi").read_text("utf-8")
    assert "\x1b[" in ansi and ansi.count("\n") == 72
    assert "Madagascar" in re.sub(r"\x1b\[[0-9;]*m", "", ansi)
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_drawing_does_not_change_the_game(tmp_path):
    game = tmp_path / "g.jsonl"
    game.write_bytes(GOLDEN.read_bytes()[:20000])
    before = game.read_bytes(), sorted(p.name for p in tmp_path.iterdir())
    assert picture(tmp_path, "g.jsonl", "--screen", "--size", "80x24", "-o", "../out.svg").returncode == 0
    (tmp_path.parent / "out.svg").unlink()
    assert (game.read_bytes(), sorted(p.name for p in tmp_path.iterdir())) == before


def test_the_main_screen_as_svg(tmp_path):
    assert picture(tmp_path, str(GOLDEN), "--screen", "--at", "300", "--size", "160x50", "-o", "s.svg").returncode == 0
    text = (tmp_path / "s.svg").read_text("utf-8")
    words = "".join(ET.fromstring(text).itertext()).replace("\xa0", " ")
    assert "PAXBRITANNICA" in words and "300" in words and "CAN" in words
    assert "font-face" not in text and "cdnjs" not in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name either a saved game or --start"),
        (["g.jsonl", "--start"], "name either a saved game or --start"),
        (["none.jsonl"], "there is no file none.jsonl"),
        (["--start", "-o", "map.gif"], "must end in .svg, .png, .txt, .ansi"),
        (["--start", "-o", "map"], "unknown format"),
        (["--start", "--size", "160"], "--size takes COLUMNSxROWS"),
        (["--start", "--size", "10x10"], "from 40x12 to 600x200"),
        (["--start", "--size", "9999x9999"], "from 40x12 to 600x200"),
        (["--start", "--at", "2"], "--at takes a line from 1 to 1"),
        (["--start", "--screen", "attic", "-o", "a.png"], "not 'attic'"),
        (["--start", "--keys", "e", "-o", "a.png"], "need --screen"),
        (["--start", "--screen", "--cursor", "atlantis", "-o", "a.png"], "atlantis"),
        (["--start", "--palette", "pink"], "invalid choice"),
        (["--start", "-o", "nowhere/map.svg"], "No such file or directory|there is no file"),
    ],
)
def test_bad_arguments_of_picture_give_exit_code_2(tmp_path, words, message):
    done = picture(tmp_path, *words)
    assert done.returncode == 2, done.stdout
    assert re.search(message, done.stderr.decode()) and b"Traceback" not in done.stderr
    assert not list(tmp_path.glob("*map*"))


def test_the_help_has_examples(tmp_path):
    done = picture(tmp_path, "--help")
    assert done.returncode == 0 and b"examples:" in done.stdout and b"paxtui picture" in done.stdout


# --- the writers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMED)
def test_each_palette_in_each_format(name):
    for palette in (palette_of(name), palette_of(name, ascii_=True)):
        rows = draw_map(TABLES, START, "world", (120, 40), palette)
        ET.fromstring(svg_of_rows(rows, palette))
        with Image.open(io.BytesIO(image_formats.png_of_rows(rows, palette))) as image:
            assert image.size == (120 * image_formats.PNG_CELL_WIDTH, 40 * image_formats.PNG_CELL_HEIGHT)
        assert len(text_of_rows(rows)) == 40 * 121
        assert ansi_of_rows(rows).count("\n") == 40
    assert set(NAMED) == set(PALETTES)


@pytest.mark.parametrize(("zoom", "size"), [("world", (40, 12)), ("theatre", (40, 12)), ("theatre", (240, 72))])
def test_any_size_can_be_drawn(zoom, size):
    rows = draw_map(TABLES, START, zoom, size)
    assert len(rows) == size[1] and {sum(len(s.text) for s in row) for row in rows} == {size[0]}


def test_svg_has_no_references_and_keeps_its_grid():
    palette = palette_of("dark")
    rows = draw_map(TABLES, START, "theatre")
    text = svg_of_rows(rows, palette)
    assert read(text) == re.sub("[\u2580-\u259f\u2800-\u28ff]", " ", text_of_rows(rows)).splitlines()
    assert set(re.findall(r"https?://[^\"'\s]+", text)) == {"http://www.w3.org/2000/svg"}
    for found in ET.fromstring(text).iter(f"{SVG}text"):
        assert found.get("textLength") == str(9 * len(found.text or ""))
    assert not re.search("[\u2580-\u259f\u2800-\u28ff]", text)


def test_colours_of_cells_are_resolved():
    from rich.segment import Segment
    from rich.style import Style

    palette = palette_of("dark")
    base = ground_look(palette)
    assert resolve_look(None, base) == base
    style = Style(color="#ff0000", bgcolor="#0000ff", reverse=True, bold=True, underline=True, italic=True)
    assert resolve_look(style, base) == ("#0000ff", "#ff0000", True, True, True)
    dim = resolve_look(Style(color="#ffffff", bgcolor="#000000", dim=True), base)
    assert dim.ink == "#8c8c8c"
    row = [Segment("ab", None), Segment("c", style)]
    assert [(p.x, p.text) for p in cell_runs(row, palette)] == [(0, "ab"), (2, "c")]
    assert (
        braille_dots("⠁") == [(0, 0)]
        and braille_dots("⢀") == [(1, 3)]
        and len(braille_dots("⣿")) == 8
        and braille_dots("a") == []
    )


def test_braille_dot_is_a_square_of_pixels():
    from rich.segment import Segment
    from rich.style import Style

    rows = [[Segment("⠁▌ ", Style(color="#ffffff", bgcolor="#000000"))]]
    with Image.open(io.BytesIO(image_formats.png_of_rows(rows, palette_of("dark")))) as image:
        white = {(x, y) for x in range(30) for y in range(19) if image.getpixel((x, y)) == (255, 255, 255)}
    assert white == {(1, 1), (2, 1), (1, 2), (2, 2)} | {(x, y) for x in range(10, 15) for y in range(19)}


def test_png_without_pillow_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtra, match=r"pip install 'pillow"):
        image_formats.png_of_rows([], palette_of("dark"))


def test_png_without_fonts_uses_that_of_pillow(monkeypatch):
    monkeypatch.setattr(image_formats, "font_directories", list)
    assert image_formats.font_file(image_formats.REGULAR) is None
    palette = palette_of("dark")
    data = image_formats.png_of_rows(draw_map(TABLES, START, "world", (80, 24), palette), palette)
    with Image.open(io.BytesIO(data)) as image:
        assert image.size == (800, 24 * 19) and len(image.getcolors(100_000) or ()) > 20
