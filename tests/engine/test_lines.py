"""Lines of a log in memory: old ones are compressed, and read like recent ones."""

from __future__ import annotations

import pytest

from paxtui.engine import lines
from paxtui.engine.lines import BLOCK, RECENT, Lines, SelectedLines, share_texts
from paxtui.engine.log import Line, decode_line, encode_line


def line(n: int) -> Line:
    made = Line(n=n, seat="ann", action={"type": "add", "text": "ä" * (n % 7)}, events=({"type": "added", "n": n},))
    return decode_line(encode_line(made), n)


@pytest.fixture
def many() -> tuple[Lines, list[Line]]:
    kept, plain = Lines(), [line(n) for n in range(2, RECENT + 5 * BLOCK + 9)]
    for one in plain:
        kept.append(one)
    return kept, plain


def test_old_lines_read_like_recent_ones(many: tuple[Lines, list[Line]]) -> None:
    kept, plain = many
    assert len(kept._recent) < RECENT + BLOCK and len(kept._blocks) >= 5
    assert len(kept) == len(plain) and list(kept) == plain
    for at in (0, 1, BLOCK - 1, BLOCK, len(plain) - 1, -1, -len(plain)):
        assert kept[at] == plain[at]
    assert kept[-3:] == plain[-3:] and kept[BLOCK - 1 : BLOCK + 2] == plain[BLOCK - 1 : BLOCK + 2]
    assert list(reversed(kept))[:3] == plain[:-4:-1]
    assert len(kept._unpacked) <= lines.UNPACKED
    for at in (len(plain), -len(plain) - 1):
        with pytest.raises(IndexError):
            kept[at]


def test_selected_lines_are_read_by_their_numbers(many: tuple[Lines, list[Line]]) -> None:
    kept, _ = many
    selected = SelectedLines(kept, (2, 7, 300))
    assert [one.n for one in selected] == [2, 7, 300]
    assert selected[-1].n == 300 and [one.n for one in selected[1:]] == [7, 300]


def test_equal_texts_share_memory() -> None:
    one, two = ({"type": "".join(("mark", "ed")), "in": [{"area": "".join(("e", "gypt"))}]} for _ in range(2))
    share_texts(one)
    share_texts(two)
    assert one["type"] is two["type"] and one["in"][0]["area"] is two["in"][0]["area"]
