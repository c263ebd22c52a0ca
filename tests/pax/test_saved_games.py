"""Saved games with verdict 0 in `verdicts.tsv` give the same events when they are decided again.

`tests/golden/test_golden.py` tests the same games through `verify`, with its verdict on each of them.
"""

from __future__ import annotations

import pytest

from paxtui.session.pax_host import PaxHost
from tests.places import ROOT, SAVES

_, *ROWS = (ROOT / "tests/golden/verdicts.tsv").read_text("utf-8").splitlines()
SOUND = [name for name, code, *_ in (row.split("\t") for row in ROWS) if code == "0"]


@pytest.mark.parametrize("name", SOUND)
def test_saved_game_verifies(name: str) -> None:
    with PaxHost.open(SAVES / f"{name}.jsonl", write=False) as table:
        assert table.verify() == []
