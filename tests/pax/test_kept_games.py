"""The kept games of this version decide themselves again: every event with its rules, its words and its order.

What `verify` says of all of them, as a player calls it, is in `tests/golden/test_golden.py`; here each is decided by
the rules alone, so that it is known at once what a change of a rule, of a note or of a question changes.
"""

from __future__ import annotations

import pytest

from paxtui import __version__
from paxtui.table.authority import Table
from tests.places import SAVES

GAMES = sorted(path.stem for path in SAVES.glob(f"*-{__version__}.jsonl"))


@pytest.mark.parametrize("name", GAMES)
def test_a_kept_game_is_decided_again_as_it_was(name: str) -> None:
    with Table.open(SAVES / f"{name}.jsonl", write=False) as table:
        assert table.verify() == []
