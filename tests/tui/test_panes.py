"""Texts of the panes: indexes, log, record sheet, cards, and the top line."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.diplomacy import CasusBelli
from paxtui.games.pax.state.phases import PHASES
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.tui.colors import DEFAULT
from paxtui.tui.diplomacy.congress import CAUSE_SOURCES, dispute_text
from paxtui.tui.formatting.look import Look, meter_bar
from paxtui.tui.panes.side_panes import LogFilter, filter_log, render_indexes, render_record
from paxtui.tui.panes.status_lines import key_line, place_card, top_line
from paxtui.tui.panes.what_now import great_war_warning
from paxtui.tui.start_screens.new_game import power_summaries
from tests.places import SAVES
from tests.rules.harness import tables


@pytest.mark.rule("SET-053")
@pytest.mark.parametrize("phase", PHASES)
def test_index_summaries_are_shown_in_every_phase(phase):
    table = PaxHost.new(tables(), ("britain", "france", "germany", "united_states"), "1", {})
    table.act("arbiter", {"type": "set_position", "patch": {"phase": phase}})
    text = render_indexes(LocalSession(table), Look(DEFAULT), 46).plain
    assert "What raises European Tensions" in text and "+3  a Naval (10) built, except by GB, US, JP" in text
    assert "What raises Chinese Resentment" in text
    rows = {
        line.split()[0]: [int(n) for n in line.split()[1:]] for line in text.splitlines() if line[:4] in MARKER_PREFIXES
    }
    assert rows == {"Influence": [4, 0, 0], "Protectorate": [10, 3, 3], "Possession": [15, 6, 3]}


MARKER_PREFIXES = ("Infl", "Prot", "Poss")


def test_log_of_a_new_game_is_empty():
    session = LocalSession(PaxHost.new(tables(), ("britain", "france", "germany", "united_states"), "1", {}))
    assert filter_log(session.view.log(), LogFilter()) == [] == filter_log([], LogFilter(), "siam")


def test_meter_shows_the_first_point_and_is_full_only_at_the_end():
    look, plain = Look(DEFAULT), Look(DEFAULT.in_ascii())
    assert [meter_bar(look, n, 100, 5) for n in (0, 1, 7, 50, 99, 100)] == [
        "░░░░░", "▏░░░░", "▎░░░░", "██▌░░", "████▉", "█████"
    ]  # fmt: skip
    assert [meter_bar(plain, n, 100, 5) for n in (0, 1, 50, 99)] == ["░░░░░", "█░░░░", "██░░░", "████░"]


def test_great_war_warning_comes_cycles_before_it():
    assert great_war_warning(89) == "" and "past 5 more cycles" in great_war_warning(90)
    assert "past this cycle, the Great War ends the game" in great_war_warning(98)
    assert "past this cycle" in great_war_warning(99) and "past 2 more cycles" in great_war_warning(97)


def test_card_of_a_crowded_area_shows_its_armies():
    powers = seats_for(7)
    markers = [{"power": p, "marker": "interest"} for p in powers] + [{"power": "britain", "marker": "possession"}]
    table = PaxHost.new(tables(), powers, "1", {})
    kenya = {"markers": markers[1:], "units": [{"power": "britain", "kind": "army", "strength": 10}]}
    table.act("arbiter", {"type": "set_position", "patch": {"phase": "movement", "areas": {"kenya": kenya}}})
    session, look = LocalSession(table), Look(DEFAULT)
    whole, short = (place_card(session, look, "kenya", lambda id_, key: key, width) for width in (0, 60))
    assert "Interest" in whole.plain and whole.cell_len > 90
    assert "Interest" not in short.plain and short.plain.index("A10") < 60


def test_congress_names_the_cause_of_a_casus_belli():
    cause = CasusBelli("cb1", "united_states", "spain", cause="yellow_press")
    texts = [
        dispute_text(tables(), c) for c in (cause, replace(cause, cause="treaty_broken"), replace(cause, area="cuba"))
    ]
    assert texts == ["an event", "a broken word", "Cuba"]
    assert set(CAUSE_SOURCES) <= {row.id for row in tables().causes}, "causes are rows of the summary"
    assert dispute_text(tables(), replace(cause, minor="belgium")) == "Belgium"


@pytest.mark.rule("VIC-015", "VIC-023")
def test_record_sheet_lists_open_and_reached_bonuses() -> None:
    table = PaxHost.new(tables(), seats_for(7), "1", {})
    session = LocalSession(table, "italy")
    path = "+15 an overland path across Africa from the Mediterranean to the tip"
    two = "+10 Control of two Areas on the African shore of the Mediterranean (reconstructed table)"
    before = render_record(session, Look(DEFAULT), 46).plain.splitlines()
    assert before[-3:] == [f"  {two}", "  +10 an overland path across Africa from west to east", f"  {path}"]
    held = {area: {"markers": [{"power": "italy", "marker": "protectorate"}]} for area in ("tunis", "tripoli")}
    table.act("arbiter", {"type": "set_position", "patch": {"areas": held}})
    assert f"● {two}" in render_record(session, Look(DEFAULT), 46).plain.splitlines()
    assert "Egypt" not in "".join(before) and not any("Anatolia" in line for line in before), (
        "bonuses of other Powers are not listed"
    )


@pytest.mark.rule("VIC-015")
def test_power_summaries_name_start_and_own_bonuses() -> None:
    summaries = dict(power_summaries(tables(), seats_for(7)))
    assert summaries["Great Britain"].splitlines() == [
        "In 1880: 16 Status markers, armies of strength 69, fleets of 38.",
        "-10 points for each Area of India not under British Control (reconstructed table)",
    ]
    assert "+10 points: Control of Korea while no other Power" in summaries["Japan"]
    assert "+3 points a turn: a revealed defensive Treaty" in summaries["France"]
    assert "no Status markers" in summaries["Japan"] and "Korea" in summaries["Japan"]
    assert "1 Status marker," in summaries["United States"]
    assert not any("Africa from west" in text for text in summaries.values()), "bonuses of all Powers are not listed"


@pytest.mark.parametrize("width", [60, 80, 100, 140, 160, 190])
@pytest.mark.parametrize("phase", ["movement", "congress", "colonial_combat"])
@pytest.mark.parametrize("tension", [0, 99])
def test_top_line_always_shows_all_seats(monkeypatch, width, phase, tension):
    """Dots for the connected seats, the bar and the rank give way: a line that is too long would hide all seats."""
    seats = seats_for(8)
    table = PaxHost.new(tables(), seats, "1", {"belgium": "yes"})
    indexes = {"european_tensions": tension, "chinese_resentment": tension}
    table.act("arbiter", {"type": "set_position", "patch": {"phase": phase, "indexes": indexes}})
    session = LocalSession(table)
    letters = [tables().powers[seat].letters for seat in seats]
    for connected in ((), seats[:1], seats):
        monkeypatch.setattr(type(session.others), "connected", connected)
        line = top_line(session, Look(DEFAULT), width)
        assert line.cell_len <= width and all(f"{one}" in line.plain for one in letters), line.plain
        assert ("●" in line.plain) == (bool(connected) and line.plain.count("●") == len(connected))


@pytest.mark.parametrize(("log", "is_over"), [("whole-game-0.2.0", True), ("congress-0.2.0", False)])
def test_key_line_of_a_finished_game_has_only_keys_that_work(log: str, is_over: bool) -> None:
    with PaxHost.open(SAVES / f"{log}.jsonl", write=False) as table:
        line = key_line(LocalSession(table), Look(DEFAULT), 160, False, lambda id_, key: key).plain
    assert ("w how it ended" in line, "r ready" in line) == (is_over, not is_over)
