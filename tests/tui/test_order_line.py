"""The line for words: Tab completes from a list that is seen, and the codes of the map are known."""

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
from tests.tui.playing import MOVEMENT, SIZES, begun, order, press, shown, typed
from tests.waiting import until


@pytest.fixture
def session(home) -> Session:
    """The Movement Phase of 1880."""
    from paxtui.session.pax_host import PaxHost

    path = begun(home, MOVEMENT).open_path
    return LocalSession(PaxHost.open(path, write=False))


def words(guesses: list[Completion]) -> list[str]:
    """The words of some guesses."""
    return [guess.word for guess in guesses]


# --- codes ------------------------------------------------------------------------------------------------------------


def test_every_code_of_the_map_is_known_and_no_name_loses_its_meaning(session):
    names = name_index(load_tables()).places
    for code, place in places_by_code().items():
        said = to_notation(session, f"place influence {code.lower()}").split(" ")[-1]
        assert names.find(said) in (place, *names.among(code)), code
        if len(names.among(code)) != 1:
            assert names.find(said) == place, code


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
def test_a_code_stands_for_its_place(session, typed_, meant):
    assert to_notation(session, typed_) == meant


def test_all_are_the_armies_that_stand_there(session):
    assert to_notation(session, "move all home > egypt") == "move a3 a1 a1 a1 home > egypt"
    with pytest.raises(Refusal):
        to_notation(session, "move all nowhere > egypt")


def test_a_marker_for_several_areas_is_an_order_for_each():
    each = ["place interest egy", "place interest kgo", "place interest korea"]
    assert split_order("place interest egy, kgo,korea") == each
    assert split_order("upgrade influence egypt") == ["upgrade influence egypt"]
    dispatch = "dispatch france, italy: shall we talk about Tunis?"
    assert split_order(dispatch) == [dispatch] and split_order("") == [""]


async def test_an_order_by_code_is_done(home):
    async with begun(home, MOVEMENT).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await order(pilot, "place influence kmr")
        await order(pilot, "place interest gab, tog,ashantee")
        live = pilot.app.screen.session.live
        assert [m.power for m in live.areas["kamerun"].markers] == ["britain"]
        for area in ("gabon", "togoland", "ashantee"):
            assert [(m.power, m.marker) for m in live.areas[area].markers] == [("britain", "interest")], area


async def test_the_effect_of_several_orders_counts_those_before(home):
    poor = {"phase": "movement", "powers": {"britain": {"treasury": 9}}}
    app = begun(home, poor)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "colon", typed("place interest gabon"))
        await until(lambda: "Costs £5" in shown(app, "#guesses"), pilot=pilot)
        await press(pilot, typed(", togoland"))
        await until(lambda: "2 of 2: " in shown(app, "#guesses"), pilot=pilot)
        assert "£4" in shown(app, "#guesses") and "Costs £5. " not in shown(app, "#guesses")


async def test_an_order_that_is_refused_comes_back_to_be_mended(home):
    async with begun(home, MOVEMENT).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await order(pilot, "place influence nowhere")
        await press(pilot, "colon", "up")
        assert pilot.app.screen.query_one("#command").value == "place influence nowhere"


def test_armies_that_could_come_to_a_place_stand_before_fleets(session):
    places = [
        place for place in session.live.areas if any(c.unit[0] == "N" for c in find_reinforcements(session, place))
    ]
    kinds = [comer.unit[0] for comer in find_reinforcements(session, places[0]) if not comer.needed]
    assert {"A", "N"} == set(kinds) and kinds == sorted(kinds)


def test_a_place_is_found_by_the_name_that_it_has_today():
    tables = load_tables()
    assert set(OTHER_NAMES) <= set(tables.areas)
    found = place_completions(tables)
    assert [guess.word for guess in found("sudan")] == ["Soudan"] and found("morocco")[0].word == "Marocco"


async def test_an_undo_that_goes_back_over_a_phase_says_so(home):
    async with begun(home, MOVEMENT).run_test(size=(80, 24)) as pilot:
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


# --- guesses ----------------------------------------------------------------------------------------------------------


def test_guesses_are_words_that_are_legal_now(session):
    guess = order_completions(session, FIRST_WORDS)
    assert words(guess("pl")) == ["place"]
    assert {"influence", "protectorate"} <= set(words(guess("place ")))
    assert words(guess("place influence kmr")) == ["kamerun"] == words(guess("place inf kame"))
    assert guess("place influence kame")[0].means == "Kamerun KMR"
    assert guess("place influence xyz") == []


def test_places_are_guessed_by_code_by_name_and_by_words_in_it():
    guess = place_completions(load_tables())
    assert words(guess("kmr"))[0] == "Kamerun"
    assert "South Atlantic" in words(guess("atl"))
    assert guess("") == [] and place_code("kamerun") == "KMR"


def test_a_word_is_completed_as_far_as_all_guesses_agree():
    some = [Completion("protectorate"), Completion("promise")]
    assert complete_line("place p", some) == "place pro"
    assert complete_line("place pro", some) == "place pro"
    assert complete_line("place i", [Completion("influence")]) == "place influence "
    assert complete_line("x", []) == "x"


# --- keys -------------------------------------------------------------------------------------------------------------


async def test_tab_completes_from_a_list_that_is_seen(home):
    async with begun(home, MOVEMENT).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "colon", "p", "l")
        line = pilot.app.screen.query_one("#command", Input)
        assert pilot.app.screen.query_one(CompletionList).display and "place" in shown(pilot.app, "#guesses")
        await press(pilot, "tab")
        assert line.value == "place " and pilot.app.screen.focused is line
        await press(pilot, *typed("influence e"), "tab")
        first = line.value
        await press(pilot, "tab")
        second = line.value
        assert second != first and second.startswith("place influence e")
        await press(pilot, "shift+tab")
        assert line.value == first or line.value.startswith("place influence e")
        await press(pilot, "right", "x")
        assert line.value.endswith("x"), "the arrow swallows no guess"
        await press(pilot, "escape")
        assert not pilot.app.screen.query_one(CompletionList).display


async def test_finding_takes_the_first_of_the_list(home):
    async with begun(home, MOVEMENT).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "slash", "s")
        first = shown(pilot.app, "#guesses").split("  ")[0].strip()
        await press(pilot, "enter")
        from paxtui.games.pax.text.display import place_name

        assert place_name(pilot.app.screen.session.tables, pilot.app.screen.view.map.cursor) == first
        await press(pilot, "slash", *"kmr", "enter")
        assert pilot.app.screen.view.map.cursor == "kamerun"


@SIZES
async def test_a_refused_order_shows_its_reason_each_time(home, size):
    async with begun(home, MOVEMENT).run_test(size=size, notifications=True) as pilot:
        await pilot.pause()

        def shows(words: str) -> bool:
            return words in " ".join(screen_text(pilot.app))

        for armies in ("A10 A10", "A3 A3") * 3:
            await order(pilot, f"move {armies} home > egypt")
            await until(lambda: shows("Not allowed"), pilot=pilot)
            await press(pilot, "right")
            pilot.app.clear_notifications()
            await until(lambda: not shows("Not allowed"), pilot=pilot)
