"""Both increase summaries stand on the Indexes pane in every Phase."""

from __future__ import annotations

import pytest

from paxtui.pax.state.phases import PHASES
from paxtui.table.authority import Table
from paxtui.table.session import Session
from paxtui.tui.colours.palette import DEFAULT
from paxtui.tui.panes.indexes import indexes
from paxtui.tui.panes.log import Sieve, sifted
from paxtui.tui.writing.look import Look
from paxtui.tui.writing.meter import meter
from tests.rules.harness import tables


@pytest.mark.rule("SET-053")
@pytest.mark.parametrize("phase", PHASES)
def test_both_summaries_are_there_in_every_phase(phase):
    table = Table.new(tables(), ("britain", "france", "germany", "united_states"), "1", {})
    table.act("arbiter", {"type": "set_position", "patch": {"phase": phase}})
    text = indexes(Session(table), Look(DEFAULT), 46).plain
    assert "What raises European Tensions" in text and "+3  a Naval (10) built, except by GB, US, JP" in text
    assert "What raises Chinese Resentment" in text
    rows = {line.split()[0]: [int(n) for n in line.split()[1:]] for line in text.splitlines() if line[:4] in WANTED}
    assert rows == {"Influence": [4, 0, 0], "Protectorate": [10, 3, 3], "Possession": [15, 6, 3]}


WANTED = ("Infl", "Prot", "Poss")


def test_the_log_of_a_game_in_which_nothing_has_happened_is_empty():
    session = Session(Table.new(tables(), ("britain", "france", "germany", "united_states"), "1", {}))
    assert sifted(session.log(), Sieve()) == [] == sifted([], Sieve(), "siam")


def test_a_bar_shows_the_first_point_and_is_full_at_the_last_only():
    look, plain = Look(DEFAULT), Look(DEFAULT.in_ascii())
    assert [meter(look, n, 100, 5) for n in (0, 1, 7, 50, 99, 100)] == [
        "░░░░░", "▏░░░░", "▎░░░░", "██▌░░", "████▉", "█████"
    ]  # fmt: skip
    assert [meter(plain, n, 100, 5) for n in (0, 1, 50, 99)] == ["░░░░░", "█░░░░", "██░░░", "████░"]
