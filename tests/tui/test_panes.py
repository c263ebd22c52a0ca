"""Both increase summaries stand on the Indexes pane in every Phase."""

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
from paxtui.tui.panes.status_lines import place_card, top_line
from paxtui.tui.panes.what_now import great_war_warning
from paxtui.tui.start_screens.new_game import power_summaries
from tests.rules.harness import tables


@pytest.mark.rule("SET-053")
@pytest.mark.parametrize("phase", PHASES)
def test_both_summaries_are_there_in_every_phase(phase):
    table = PaxHost.new(tables(), ("britain", "france", "germany", "united_states"), "1", {})
    table.act("arbiter", {"type": "set_position", "patch": {"phase": phase}})
    text = render_indexes(LocalSession(table), Look(DEFAULT), 46).plain
    assert "What raises European Tensions" in text and "+3  a Naval (10) built, except by GB, US, JP" in text
    assert "What raises Chinese Resentment" in text
    rows = {line.split()[0]: [int(n) for n in line.split()[1:]] for line in text.splitlines() if line[:4] in WANTED}
    assert rows == {"Influence": [4, 0, 0], "Protectorate": [10, 3, 3], "Possession": [15, 6, 3]}


WANTED = ("Infl", "Prot", "Poss")


def test_the_log_of_a_game_in_which_nothing_has_happened_is_empty():
    session = LocalSession(PaxHost.new(tables(), ("britain", "france", "germany", "united_states"), "1", {}))
    assert filter_log(session.view.log(), LogFilter()) == [] == filter_log([], LogFilter(), "siam")


def test_a_bar_shows_the_first_point_and_is_full_at_the_last_only():
    look, plain = Look(DEFAULT), Look(DEFAULT.in_ascii())
    assert [meter_bar(look, n, 100, 5) for n in (0, 1, 7, 50, 99, 100)] == [
        "░░░░░", "▏░░░░", "▎░░░░", "██▌░░", "████▉", "█████"
    ]  # fmt: skip
    assert [meter_bar(plain, n, 100, 5) for n in (0, 1, 50, 99)] == ["░░░░░", "█░░░░", "██░░░", "████░"]


def test_the_great_war_is_foretold_some_cycles_before_it():
    assert great_war_warning(89) == "" and "past 5 more cycles" in great_war_warning(90)
    assert "past this cycle, the Great War ends the game" in great_war_warning(98)
    assert "past this cycle" in great_war_warning(99) and "past 2 more cycles" in great_war_warning(97)


def test_the_card_of_an_area_with_many_markers_shows_its_armies():
    powers = seats_for(7)
    markers = [{"power": p, "marker": "interest"} for p in powers] + [{"power": "britain", "marker": "possession"}]
    table = PaxHost.new(tables(), powers, "1", {})
    kenya = {"markers": markers[1:], "units": [{"power": "britain", "kind": "army", "strength": 10}]}
    table.act("arbiter", {"type": "set_position", "patch": {"phase": "movement", "areas": {"kenya": kenya}}})
    session, look = LocalSession(table), Look(DEFAULT)
    whole, short = (place_card(session, look, "kenya", lambda id_, key: key, width) for width in (0, 60))
    assert "Interest" in whole.plain and whole.cell_len > 90
    assert "Interest" not in short.plain and short.plain.index("A10") < 60


def test_a_congress_names_an_event_or_a_broken_word_as_what_it_is():
    cause = CasusBelli("cb1", "united_states", "spain", cause="yellow_press")
    said = [
        dispute_text(tables(), c) for c in (cause, replace(cause, cause="treaty_broken"), replace(cause, area="cuba"))
    ]
    assert said == ["an event", "a broken word", "Cuba"]
    assert set(CAUSE_SOURCES) <= {row.id for row in tables().causes}, "rows of the summary"
    assert dispute_text(tables(), replace(cause, minor="belgium")) == "Belgium"


@pytest.mark.rule("VIC-015", "VIC-023")
def test_the_record_sheet_ends_with_the_bonuses_that_are_open_and_marks_those_that_hold() -> None:
    table = PaxHost.new(tables(), seats_for(7), "1", {})
    session = LocalSession(table, "italy")
    path = "+15 an overland path across Africa from the Mediterranean to the tip"
    two = "+10 Control of two Areas on the African shore of the Mediterranean (reconstructed table)"
    before = render_record(session, Look(DEFAULT), 46).plain.splitlines()
    assert before[-3:] == [f"  {two}", "  +10 an overland path across Africa from west to east", f"  {path}"]
    held = {area: {"markers": [{"power": "italy", "marker": "protectorate"}]} for area in ("tunis", "tripoli")}
    table.act("arbiter", {"type": "set_position", "patch": {"areas": held}})
    assert f"● {two}" in render_record(session, Look(DEFAULT), 46).plain.splitlines()
    assert "Egypt" not in "".join(before) and not any("Anatolia" in line for line in before), "Russia's is Russia's"


@pytest.mark.rule("VIC-015")
def test_whoever_chooses_a_power_is_told_what_it_begins_with_and_what_it_alone_may_earn() -> None:
    told = dict(power_summaries(tables(), seats_for(7)))
    assert told["Great Britain"].splitlines() == [
        "In 1880: 16 Status markers, armies of strength 69, fleets of 38.",
        "-10 for each Area of India not under British Control (reconstructed table)",
    ]
    assert "no Status markers" in told["Japan"] and "Korea" in told["Japan"]
    assert "1 Status marker," in told["United States"]
    assert not any("Africa from west" in text for text in told.values()), "what all may earn tells none from another"


@pytest.mark.parametrize("width", [60, 80, 100, 140, 160, 190])
@pytest.mark.parametrize("phase", ["movement", "congress", "colonial_combat"])
@pytest.mark.parametrize("tension", [0, 99])
def test_the_top_line_always_shows_all_seats(monkeypatch, width, phase, tension):
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
