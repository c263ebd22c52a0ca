"""Charts in cells and on a page: every row fits, labels stand at their lines, nothing needs a colour."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from xml.etree import ElementTree

import pytest

from paxtui.charts.chart import Bar, BarPart, Bars, Chart, Curves, Lane, Lanes, Series, Tile, TileRow, Tiles
from paxtui.charts.game_charts import all_charts, outcome_sentence, with_codes
from paxtui.charts.html import render_page
from paxtui.charts.terminal import draw_chart, draw_curves, ticks
from paxtui.engine.seats import ARBITER
from paxtui.session.game_viewer import game_course
from paxtui.session.pax_host import PaxHost
from tests.places import SAVES


@cache
def of_game() -> dict[str, Chart]:
    """The charts of a kept game."""
    table = PaxHost.open(SAVES / "whole-game-0.2.0.jsonl", write=False)
    return all_charts(table.tables, game_course(table, ARBITER))


def lines(*values: tuple[float | None, ...]) -> Curves:
    """A chart of lines."""
    signs = "●◆▲★○▼⊗✗≈"
    series = tuple(Series(f"p{n}", signs[n], f"P{n}", f"Power {n}", run) for n, run in enumerate(values))
    return Curves("Title", "note", tuple(str(1880 + 4 * n) for n in range(len(values[0]))), series)


def drawn(chart: Chart, width: int = 80, height: int = 20, ascii_: bool = False) -> list[str]:
    """What a chart says, row by row."""
    return ["".join(text for text, _ in cells) for cells in draw_chart(chart, width, height, ascii_)]


@pytest.mark.parametrize("size", [(78, 22), (120, 38), (158, 48), (40, 10)], ids=str)
@pytest.mark.parametrize("ascii_", [False, True], ids=["signs", "ascii"])
def test_no_row_is_wider_than_there_is_room(size: tuple[int, int], ascii_: bool) -> None:
    for name, chart in of_game().items():
        rows = drawn(chart, *size, ascii_)
        assert max(map(len, rows)) <= size[0], name
        assert not isinstance(chart, Curves) or len(rows) == max(size[1], 7), name


def test_every_line_has_its_label_at_its_end_and_labels_stand_apart() -> None:
    rows = drawn(lines((0, 10, 50), (0, 20, 50), (0, 5, 49), (0, 0, 0)))
    at = {n: next(y for y, row in enumerate(rows) if f"P{n}" in row) for n in range(4)}
    assert len(set(at.values())) == 4
    assert at[3] > max(at[0], at[1], at[2]) and max(at[0], at[1], at[2]) - min(at[0], at[1], at[2]) == 2
    assert rows[at[3]].rstrip().endswith("▼ P3 0") is False and "★ P3 0" in rows[at[3]]


def test_a_point_stands_over_its_year_and_at_its_height() -> None:
    rows = drawn(lines((0, 100, 0)), 60, 16)
    years = next(row for row in rows if "1884" in row)
    top = next(row for row in rows if "●" in row)
    assert abs(top.index("●") - (years.index("1884") + 1)) <= 1
    assert "100" in top  # the highest point stands at its figure on the axis
    assert "0 ┤" in rows[-3]


def test_lines_keep_their_own_ink() -> None:
    cells = draw_curves(lines((1, 1, 1), (9, 9, 9)), 60, 12)
    inks = {ink for row in cells for text, ink in row if "●" in text or "◆" in text}
    assert inks == {"p0", "p1"}
    assert all(ink == "p0" for row in cells for text, ink in row if text.strip("● ").startswith("P0"))


def test_a_line_may_have_gaps_one_point_or_none() -> None:
    rows = drawn(lines((None, 4, None), (None, None, None), (1, None, 3)))
    assert any("P0 4" in row for row in rows) and any("P2 3" in row for row in rows)
    drawn(lines((7,)))


def test_the_limit_is_drawn_when_it_is_near() -> None:
    near, far = lines((0, 70)), lines((0, 20))
    assert any("the end" in row for row in drawn(near._replace(limit=(100, "the end"))))
    assert not any("the end" in row for row in drawn(far._replace(limit=(100, "the end"))))


def test_ticks_are_round_and_apart() -> None:
    assert ticks(0, 100, 15) == [0, 20, 40, 60, 80, 100]
    assert ticks(-105, 85, 18)[0] == -100 and 0 in ticks(-105, 85, 18)
    assert len(ticks(0, 350, 8)) <= 3


def test_ascii_has_nothing_but_ascii_signs_of_its_own() -> None:
    from paxtui.tui.colors import palette_of

    plain = palette_of("mono", True)
    for chart in of_game().values():
        for row in drawn(chart, 80, 22, True):
            assert plain.text(row).isascii(), row


def test_bars_show_their_parts_and_why() -> None:
    bar = Bar("x", "X", "Xanadu", 5, (BarPart(0, 8), BarPart(4, -3)), ("why",))
    bars = Bars("Bars", "", ("a", "b", "c", "d", "e"), (bar,))
    cells = draw_chart(bars, 60, 12)
    rows = ["".join(text for text, _ in row) for row in cells]
    assert "Xanadu" in rows[2] and "     5" in rows[2] and "█" in rows[2] and "╳" in rows[2]
    assert [ink for text, ink in cells[2] if "╳" in text] == ["alarm"]
    assert any(row.startswith("X why") for row in rows)


def test_tiles_say_who_holds_an_area_in_letters_too() -> None:
    tile = Tile("egypt", "EGY", "Egypt", ("britain",), "GB", True)
    free = Tile("tunis", "TUN", "Tunis", (), "", False)
    both = Tile("siam", "SIA", "Siam", ("france", "italy"), "FI", False)
    chart = Tiles("Tiles", "", (TileRow("Africa", (tile, free, both), (("GB 8", "britain"),)),))
    assert "GB'·· FI" in drawn(chart)[2] and "GB 8" in drawn(chart)[2]
    wide = draw_chart(with_codes(chart, {"egypt": "EGP"}), 158, 20)[2]
    assert "EGP GB'TUN ·· SIA FI" in "".join(text for text, _ in wide)
    assert [ink for _, ink in wide if ink.startswith("on:")] == ["on:britain", "on:britain", "on:france", "on:italy"]


def test_a_time_line_begins_ends_and_marks_where_it_should() -> None:
    ticks_ = ("1880", "1884", "1888", "1892")
    lane = Lane("Biarritz", (("GB", "britain"),), "good", 1, 2, "war", ((2, "FR"),))
    lasting = Lane("Trianon", (), "good", 0, None, "")
    chart = Lanes("Times", "", ticks_, (("Treaties", "none", (lane, lasting)), ("Wars", "none", ())))
    rows = drawn(chart, 78)
    years = next(row for row in rows if "1880" in row)
    row = next(row for row in rows if "Biarritz" in row)
    assert row.index("●") == years.index("1884") and row.index("✗FR") == years.index("1888") + 1
    assert row.rindex("━") < years.index("1892") and row.rstrip().endswith("war")
    assert next(row for row in rows if "Trianon" in row).rstrip().endswith("▶")
    assert any("Wars   none" in row for row in rows)


def test_the_page_needs_nothing_else_and_says_everything() -> None:
    lane = Lane("<b>", (), "alarm", 0, None, "")
    times = Lanes("Times", "", ("1880",), (("Wars", "none", (lane,)),))
    text = render_page("A game", [], [*of_game().values(), times], {"britain": "#c00"}, {"britain": "#f00"})
    assert "http:" not in text and "https:" not in text and "<script" not in text
    assert "<b>" not in text.split("Times")[-1]
    root = ElementTree.fromstring(text.replace("<!doctype html>", ""))
    assert len(root.findall(".//svg")) == sum(isinstance(chart, Curves) for chart in of_game().values()) >= 4
    assert root.findall(".//svg")[0].attrib["aria-label"] == "Victory Points"
    lines_ = root.findall(".//svg")[0].findall("polyline")
    assert len(lines_) == 4 and len(lines_[0].attrib["points"].split()) == 11
    assert "--britain: #c00" in text and "350" in text


def test_the_outcome_names_who_won_and_who_is_to_blame() -> None:
    table = PaxHost.open(SAVES / "great-war-0.2.0.jsonl", write=False)
    told = outcome_sentence(table.tables, game_course(table, ARBITER))
    whose = "caused by Great Britain and Italy. The United States won."
    assert told == f"The Great War ended the game in 1892, {whose}"


def test_plotext_is_imported_with_the_first_chart_and_not_before() -> None:
    code = "import paxtui.tui.bindings, paxtui.charts.terminal, sys; print('plotext' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
