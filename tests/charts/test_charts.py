"""Charts in the terminal and in HTML: width, labels, colors, and signs without colors."""

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
def game_charts() -> dict[str, Chart]:
    """Return the charts of a saved game."""
    table = PaxHost.open(SAVES / "whole-game-0.2.0.jsonl", write=False)
    return all_charts(table.tables, game_course(table, ARBITER))


def curves(*values: tuple[float | None, ...]) -> Curves:
    """Return a chart with a curve for each tuple of values."""
    signs = "●◆▲★○▼⊗✗≈"
    series = tuple(Series(f"p{n}", signs[n], f"P{n}", f"Power {n}", run) for n, run in enumerate(values))
    return Curves("Title", "note", tuple(str(1880 + 4 * n) for n in range(len(values[0]))), series)


def drawn_rows(chart: Chart, width: int = 80, height: int = 20, ascii_: bool = False) -> list[str]:
    """Return the text of a chart, row by row."""
    return ["".join(text for text, _ in cells) for cells in draw_chart(chart, width, height, ascii_)]


@pytest.mark.parametrize("size", [(78, 22), (120, 38), (158, 48), (40, 10)], ids=str)
@pytest.mark.parametrize("ascii_", [False, True], ids=["signs", "ascii"])
def test_charts_fit_their_width(size: tuple[int, int], ascii_: bool) -> None:
    for name, chart in game_charts().items():
        rows = drawn_rows(chart, *size, ascii_)
        assert max(map(len, rows)) <= size[0], name
        assert not isinstance(chart, Curves) or len(rows) == max(size[1], 7), name


def test_curves_end_with_labels_on_different_rows() -> None:
    rows = drawn_rows(curves((0, 10, 50), (0, 20, 50), (0, 5, 49), (0, 0, 0)))
    at = {n: next(y for y, row in enumerate(rows) if f"P{n}" in row) for n in range(4)}
    assert len(set(at.values())) == 4
    assert at[3] > max(at[0], at[1], at[2]) and max(at[0], at[1], at[2]) - min(at[0], at[1], at[2]) == 2
    assert rows[at[3]].rstrip().endswith("▼ P3 0") is False and "★ P3 0" in rows[at[3]]


def test_points_are_drawn_at_their_year_and_value() -> None:
    rows = drawn_rows(curves((0, 100, 0)), 60, 16)
    years = next(row for row in rows if "1884" in row)
    top = next(row for row in rows if "●" in row)
    assert abs(top.index("●") - (years.index("1884") + 1)) <= 1
    assert "100" in top  # the highest point stands at its figure on the axis
    assert "0 ┤" in rows[-3]


def test_each_curve_has_its_color() -> None:
    cells = draw_curves(curves((1, 1, 1), (9, 9, 9)), 60, 12)
    inks = {ink for row in cells for text, ink in row if "●" in text or "◆" in text}
    assert inks == {"p0", "p1"}
    assert all(ink == "p0" for row in cells for text, ink in row if text.strip("● ").startswith("P0"))


def test_curves_may_have_gaps_or_no_points() -> None:
    rows = drawn_rows(curves((None, 4, None), (None, None, None), (1, None, 3)))
    assert any("P0 4" in row for row in rows) and any("P2 3" in row for row in rows)
    drawn_rows(curves((7,)))


def test_limit_is_drawn_if_curves_come_near() -> None:
    near, far = curves((0, 70)), curves((0, 20))
    assert any("the end" in row for row in drawn_rows(near._replace(limit=(100, "the end"))))
    assert not any("the end" in row for row in drawn_rows(far._replace(limit=(100, "the end"))))


def test_ticks_are_round_numbers() -> None:
    assert ticks(0, 100, 15) == [0, 20, 40, 60, 80, 100]
    assert ticks(-105, 85, 18)[0] == -100 and 0 in ticks(-105, 85, 18)
    assert len(ticks(0, 350, 8)) <= 3


def test_ascii_charts_are_ascii() -> None:
    from paxtui.tui.colors import palette_of

    plain = palette_of("mono", True)
    for chart in game_charts().values():
        for row in drawn_rows(chart, 80, 22, True):
            assert plain.text(row).isascii(), row


def test_bars_show_parts_and_reasons() -> None:
    bar = Bar("x", "X", "Xanadu", 5, (BarPart(0, 8), BarPart(4, -3)), ("why",))
    bars = Bars("Bars", "", ("a", "b", "c", "d", "e"), (bar,))
    cells = draw_chart(bars, 60, 12)
    rows = ["".join(text for text, _ in row) for row in cells]
    assert "Xanadu" in rows[2] and "     5" in rows[2] and "█" in rows[2] and "╳" in rows[2]
    assert [ink for text, ink in cells[2] if "╳" in text] == ["alarm"]
    assert any(row.startswith("X why") for row in rows)


def test_long_reasons_of_bars_are_wrapped_and_counted_whole() -> None:
    reason = "+10 at the end: nobody else took Control in the Americas or Hawaii after 1880 (reconstructed table)"
    bars = Bars("Bars", "", ("a",), (Bar("x", "US", "United States", 5, (BarPart(0, 5),), (reason, reason)),))
    rows = drawn_rows(bars, 60, 20)
    first = next(n for n, row in enumerate(rows) if row.startswith("US +10"))
    assert not any("…" in row for row in rows) and rows[first + 1].startswith("   or Hawaii")
    assert " ".join(rows[first].split() + rows[first + 1].split()) == f"US {reason}"
    low = drawn_rows(bars, 60, 10)
    assert len(low) == 10 and low[-1] == "and 1 more" and sum("US +10" in row for row in low) == 1


def test_tiles_name_holders_in_letters() -> None:
    tile = Tile("egypt", "EGY", "Egypt", ("britain",), "GB", True)
    free = Tile("tunis", "TUN", "Tunis", (), "", False)
    both = Tile("siam", "SIA", "Siam", ("france", "italy"), "FI", False)
    chart = Tiles("Tiles", "", (TileRow("Africa", (tile, free, both), (("GB 8", "britain"),)),))
    assert "GB'·· FI" in drawn_rows(chart)[2] and "GB 8" in drawn_rows(chart)[2]
    wide = draw_chart(with_codes(chart, {"egypt": "EGP"}), 158, 20)[2]
    assert "EGP GB'TUN ·· SIA FI" in "".join(text for text, _ in wide)
    assert [ink for _, ink in wide if ink.startswith("on:")] == ["on:britain", "on:britain", "on:france", "on:italy"]


def test_lanes_start_end_and_mark_at_their_turns() -> None:
    ticks_ = ("1880", "1884", "1888", "1892")
    lane = Lane("Biarritz", (("GB", "britain"),), "good", 1, 2, "war", ((2, "FR"),))
    lasting = Lane("Trianon", (), "good", 0, None, "")
    chart = Lanes("Times", "", ticks_, (("Treaties", "none", (lane, lasting)), ("Wars", "none", ())))
    rows = drawn_rows(chart, 78)
    years = next(row for row in rows if "1880" in row)
    row = next(row for row in rows if "Biarritz" in row)
    assert row.index("●") == years.index("1884") and row.index("✗FR") == years.index("1888") + 1
    assert row.rindex("━") < years.index("1892") and row.rstrip().endswith("war")
    assert next(row for row in rows if "Trianon" in row).rstrip().endswith("▶")
    assert any("Wars   none" in row for row in rows)


@pytest.mark.parametrize("turns", [5, 10])
def test_a_narrow_time_line_cuts_no_power(turns: int) -> None:
    letters = ("CH", " v ", "GB", "·FR", "·US", "·JP", "·RU")
    lane = Lane("Chinese Rebellion", tuple((text, "") for text in letters), "alarm", 0, 0, "the rebels lost")
    ticks_ = tuple(str(1880 + 4 * n) for n in range(turns))
    rows = drawn_rows(Lanes("Times", "", ticks_, (("Wars", "none", (lane,)),)), 80)
    row = next(row for row in rows if "Chinese Reb" in row)
    assert "".join(letters) + " ●" in " ".join(row.split()) and len(row.rstrip()) <= 80


def test_chart_page_is_self_contained() -> None:
    lane = Lane("<b>", (), "alarm", 0, None, "")
    times = Lanes("Times", "", ("1880",), (("Wars", "none", (lane,)),))
    text = render_page("A game", [], [*game_charts().values(), times], {"britain": "#c00"}, {"britain": "#f00"})
    assert "http:" not in text and "https:" not in text and "<script" not in text
    assert "<b>" not in text.split("Times")[-1]
    root = ElementTree.fromstring(text.replace("<!doctype html>", ""))
    assert len(root.findall(".//svg")) == sum(isinstance(chart, Curves) for chart in game_charts().values()) >= 4
    assert root.findall(".//svg")[0].attrib["aria-label"] == "Victory Points"
    lines_ = root.findall(".//svg")[0].findall("polyline")
    assert len(lines_) == 4 and len(lines_[0].attrib["points"].split()) == 11
    assert "--britain: #c00" in text and "350" in text


def test_outcome_names_winner_and_causes_of_the_great_war() -> None:
    table = PaxHost.open(SAVES / "great-war-0.2.0.jsonl", write=False)
    sentence = outcome_sentence(table.tables, game_course(table, ARBITER))
    causes = "caused by Great Britain and Italy. The United States won."
    assert sentence == f"The Great War ended the game in 1892, {causes}"


def test_plotext_is_not_imported_without_a_chart() -> None:
    code = "import paxtui.tui.bindings, paxtui.charts.terminal, sys; print('plotext' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
