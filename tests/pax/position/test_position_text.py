"""Positions as TOML: dumped, read again, patched by hand."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.board.status import used_pieces
from paxtui.games.pax.position.setup import new_game, read_position, seats_for
from paxtui.games.pax.position.writer import diff_positions, dump_position, read_toml, write_toml
from paxtui.games.pax.state.model import units_at, with_units
from paxtui.games.pax.state.pieces import Unit
from paxtui.session.pax_host import PaxHost
from tests.places import SAVES
from tests.rules.harness import start, tables

SAVED_GAMES = sorted(SAVES.glob("*.jsonl"))


def encoded_position(state):
    """The position of a state as bytes."""
    return msgspec.json.encode(dump_position(state), order="deterministic")


@pytest.mark.parametrize("path", SAVED_GAMES, ids=lambda p: p.stem)
def test_positions_of_saved_games_survive_writing_and_reading(path):
    table = PaxHost.open(path, write=False)
    begin = dump_position(table.game.seek(1))
    for n in range(1, table.game.version, 97):
        state = table.game.seek(n)
        text = write_toml(diff_positions(begin, dump_position(state)))
        again = read_position(table.tables, state.players, state.options, read_toml(text))
        assert encoded_position(again) == encoded_position(state)


def test_position_written_by_hand_is_read():
    text = """
    phase = "movement"
    [areas.egypt]
    unrest = true
    markers = [{ power = "britain", marker = "protectorate" }]
    [powers.france]
    treasury = 12
    """
    g = start(read_toml(text))
    assert g.state.areas["egypt"].unrest and g.state.powers["france"].treasury == 12


def test_problems_name_their_place():
    with pytest.raises(Refusal) as refused:
        start({"areas": {"egypt": {"codominion": "britain", "canal": "yes"}}})
    assert refused.value.detail["problems"][:2] == [
        "areas.egypt.canal: must be true or false", "areas.egypt.codominion: must be a list",
    ]  # fmt: skip


def test_start_position_has_no_differences():
    g = start()
    assert write_toml(diff_positions(dump_position(g.state), dump_position(g.state))).strip() == ""


@given(st.text())
@settings(max_examples=150, deadline=None)
def test_any_position_text_is_read_or_refused(text):
    try:
        patch = read_toml(text)
    except Refusal as refusal:
        assert refusal.code == "bad_position_text" and refusal.message
        return
    g = start()
    try:
        read_position(g.tables, g.state.players, g.state.options, patch)
    except Refusal as refusal:
        assert refusal.detail["problems"]


def test_impossible_unit_does_not_stay_in_the_piece_count():
    state = new_game(tables(), seats_for(7), {})
    units = (*units_at(state, "home:britain"), Unit("britain", "army", 11))
    used_pieces(tables(), with_units(state, "home:britain", units))
    assert read_position(tables(), state.players, state.options, {"turn": 2}).turn == 2
