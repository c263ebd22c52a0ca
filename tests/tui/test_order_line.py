"""The order line: completion from a visible list, and codes of the map."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.text.parsing import name_index
from paxtui.session.local_session import LocalSession
from paxtui.session.order_planning import find_reinforcements
from paxtui.session.session import Session
from paxtui.session.tables.loader import load_tables
from paxtui.tui.widgets.order_line import (
    FIRST_WORDS,
    OTHER_NAMES,
    Completion,
    CompletionList,
    complete_line,
    order_completions,
    place_code,
    place_completions,
    places_by_code,
    split_order,
    to_notation,
)
from tests.tui.conftest import screen_text
from tests.tui.playing import MOVEMENT, SIZES, drawn_text, keys_of, order, press, start_at
from tests.waiting import until


@pytest.fixture
def session(home) -> Session:
    """The Movement Phase of 1880."""
    from paxtui.session.pax_host import PaxHost

    path = start_at(home, MOVEMENT).open_path
    return LocalSession(PaxHost.open(path, write=False))


def completion_words(guesses: list[Completion]) -> list[str]:
    """Return the words of completions."""
    return [guess.word for guess in guesses]


# Codes


def test_map_codes_are_known_and_hide_no_name(session):
    names = name_index(load_tables()).places
    for code, place in places_by_code().items():
        text = to_notation(session, f"place influence {code.lower()}").split(" ")[-1]
        assert names.find(text) in (place, *names.among(code)), code
        if len(names.among(code)) != 1:
            assert names.find(text) == place, code


@pytest.mark.parametrize(
    ("typed_", "meant"),
    [
        ("place protectorate kmr", "place protectorate kamerun"),
        ("move a1 hkg > inc", "move a1 hong_kong > indochina"),
        ("pay usa 5", "pay united_states 5"),
        ("dispatch france: prs and kmr", "dispatch france: prs and kmr"),
        ("place influence egypt", "place influence egypt"),
        ("ready", "ready"),
    ],
)
def test_code_stands_for_its_place(session, typed_, meant):
    assert to_notation(session, typed_) == meant


def test_all_means_the_armies_of_the_place(session):
    assert to_notation(session, "move all home > egypt") == "move a3 a1 a1 a1 home > egypt"
    with pytest.raises(Refusal):
        to_notation(session, "move all nowhere > egypt")


def test_list_of_areas_is_an_order_for_each():
    each = ["place interest egy", "place interest kgo", "place interest korea"]
    assert split_order("place interest egy, kgo,korea") == each
    assert split_order("upgrade influence egypt") == ["upgrade influence egypt"]
    dispatch = "dispatch france, italy: shall we talk about Tunis?"
    assert split_order(dispatch) == [dispatch] and split_order("") == [""]


async def test_orders_by_code_are_carried_out(home):
    async with start_at(home, MOVEMENT).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await order(pilot, "place influence kmr")
        await order(pilot, "place interest gab, tog,ashantee")
        live = pilot.app.screen.session.live
        assert [m.power for m in live.areas["kamerun"].markers] == ["britain"]
        for area in ("gabon", "togoland", "ashantee"):
            assert [(m.power, m.marker) for m in live.areas[area].markers] == [("britain", "interest")], area


async def test_effect_of_several_orders_counts_earlier_ones(home):
    poor = {"phase": "movement", "powers": {"britain": {"treasury": 9}}}
    app = start_at(home, poor)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "colon", keys_of("place interest gabon"))
        await until(lambda: "Costs £5" in drawn_text(app, "#guesses"), pilot=pilot)
        await press(pilot, keys_of(", togoland"))
        await until(lambda: "2 of 2: " in drawn_text(app, "#guesses"), pilot=pilot)
        assert "£4" in drawn_text(app, "#guesses") and "Costs £5. " not in drawn_text(app, "#guesses")


async def test_refused_order_can_be_recalled(home):
    async with start_at(home, MOVEMENT).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await order(pilot, "place influence nowhere")
        await press(pilot, "colon", "up")
        assert pilot.app.screen.query_one("#command").value == "place influence nowhere"


def test_reinforcing_armies_are_listed_before_fleets(session):
    places = [
        place for place in session.live.areas if any(c.unit[0] == "N" for c in find_reinforcements(session, place))
    ]
    kinds = [comer.unit[0] for comer in find_reinforcements(session, places[0]) if not comer.needed]
    assert {"A", "N"} == set(kinds) and kinds == sorted(kinds)


def test_place_is_found_by_its_modern_name():
    tables = load_tables()
    assert set(OTHER_NAMES) <= set(tables.areas)
    found = place_completions(tables)
    assert [guess.word for guess in found("sudan")] == ["Soudan"] and found("morocco")[0].word == "Marocco"


async def test_undo_across_a_phase_says_so(home):
    async with start_at(home, MOVEMENT).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app = pilot.app
        await order(pilot, "place influence kmr")
        await press(pilot, "u")
        assert not list(app._notifications)
        await press(pilot, "R")
        session = app.screen_stack[1].session
        assert session.live.phase != "movement"
        await press(pilot, "escape", "escape", "u")
        assert session.live.phase == "movement" and "Movement" in list(app._notifications)[-1].message


# Guesses


def test_completions_are_legal_words(session):
    guess = order_completions(session, FIRST_WORDS)
    assert completion_words(guess("pl")) == ["place"]
    assert {"influence", "protectorate"} <= set(completion_words(guess("place ")))
    assert completion_words(guess("place influence kmr")) == ["kamerun"] == completion_words(guess("place inf kame"))
    assert guess("place influence kame")[0].means == "Kamerun KMR"
    assert guess("place influence xyz") == []


def test_places_are_completed_by_code_and_words():
    guess = place_completions(load_tables())
    assert completion_words(guess("kmr"))[0] == "Kamerun"
    assert "South Atlantic" in completion_words(guess("atl"))
    assert guess("") == [] and place_code("kamerun") == "KMR"


def test_word_is_completed_to_the_common_prefix():
    some = [Completion("protectorate"), Completion("promise")]
    assert complete_line("place p", some) == "place pro"
    assert complete_line("place pro", some) == "place pro"
    assert complete_line("place i", [Completion("influence")]) == "place influence "
    assert complete_line("x", []) == "x"


# Keys


async def test_tab_completes_from_the_visible_list(home):
    async with start_at(home, MOVEMENT).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "colon", "p", "l")
        line = pilot.app.screen.query_one("#command", Input)
        assert pilot.app.screen.query_one(CompletionList).display and "place" in drawn_text(pilot.app, "#guesses")
        await press(pilot, "tab")
        assert line.value == "place " and pilot.app.screen.focused is line
        await press(pilot, *keys_of("influence e"), "tab")
        first = line.value
        await press(pilot, "tab")
        second = line.value
        assert second != first and second.startswith("place influence e")
        await press(pilot, "shift+tab")
        assert line.value == first or line.value.startswith("place influence e")
        await press(pilot, "right", "x")
        assert line.value.endswith("x"), "the arrow accepts no completion"
        await press(pilot, "escape")
        assert not pilot.app.screen.query_one(CompletionList).display


async def test_enter_finds_the_first_completion(home):
    async with start_at(home, MOVEMENT).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "slash", "s")
        first = drawn_text(pilot.app, "#guesses").split("  ")[0].strip()
        await press(pilot, "enter")
        from paxtui.games.pax.text.display import place_name

        assert place_name(pilot.app.screen.session.tables, pilot.app.screen.view.map.cursor) == first
        await press(pilot, "slash", *"kmr", "enter")
        assert pilot.app.screen.view.map.cursor == "kamerun"


@SIZES
async def test_repeated_refusal_shows_its_reason_each_time(home, size):
    async with start_at(home, MOVEMENT).run_test(size=size, notifications=True) as pilot:
        await pilot.pause()

        def shows(words: str) -> bool:
            return words in " ".join(screen_text(pilot.app))

        for armies in ("A10 A10", "A3 A3") * 3:
            await order(pilot, f"move {armies} home > egypt")
            await until(lambda: shows("Not allowed"), pilot=pilot)
            await press(pilot, "right")
            pilot.app.clear_notifications()
            await until(lambda: not shows("Not allowed"), pilot=pilot)
