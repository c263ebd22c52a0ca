"""The screen of spoils of War and Chinese cessions: previews, conflicts, Area after Area."""

from __future__ import annotations

import pytest

from paxtui.games.pax.preview import war_answers
from paxtui.games.pax.state.questions import Cession, Pending
from paxtui.session.pax_host import PaxHost
from paxtui.tui.diplomacy.war_questions import NextSpoilsScreen, SpoilsScreen
from tests.places import SAVES
from tests.rules.harness import Bench, start
from tests.tui.playing import drawn_text, press, rows, start_at
from tests.tui.seats import game_screen
from tests.tui.wars import SPOILS


async def open_spoils(pilot) -> SpoilsScreen:
    """Open the question to Germany about Hong Kong."""
    await press(pilot, "r", "c")
    screen = pilot.app.screen
    assert isinstance(screen, SpoilsScreen) and game_screen(pilot.app).session.seat == "germany"
    return screen


def first_spoils() -> tuple[Bench, Pending]:
    """Return the position and the first question, without a screen."""
    g = start(SPOILS)
    g.advance()
    return g, g.state.choices[0]


# Previews


def test_preview_of_each_answer_equals_its_effect():
    g, choice = first_spoils()
    for text in ("place possession hong_kong", "italy: place protectorate hong_kong", "leave hong_kong"):
        found = war_answers.preview_spoils(g.tables, g.state, choice, text)
        other = start(SPOILS)
        other.advance()
        other.act("germany", f"choose {choice.id} {text}")
        other.act("italy", f"choose {other.state.choices[0].id} leave hong_kong")
        assert found.state.areas["hong_kong"] == other.state.areas["hong_kong"], text


def test_conflicting_demand_shows_its_consequences():
    g, choice = first_spoils()
    g.act("germany", f"choose {choice.id} place possession hong_kong")
    (second,) = g.state.choices
    agreed = war_answers.preview_spoils(g.tables, g.state, second, "germany: place possession hong_kong")
    quarrel = war_answers.preview_spoils(g.tables, g.state, second, "place possession hong_kong")
    assert not agreed.against and quarrel.against == ("germany",)
    texts = [line.text for line in war_answers.describe_spoils(g.tables, second, g.state, quarrel)]
    assert any("the victors quarrel" in t for t in texts) and any("Congress of Europe" in t for t in texts)
    assert "You get a Casus Belli against Germany." in texts and "Germany gets a Casus Belli against you." in texts


def test_preview_shows_figures_garrison_and_markers():
    g, choice = first_spoils()
    g.act("germany", f"choose {choice.id} leave hong_kong")
    g.act("italy", f"choose {g.state.choices[0].id} leave hong_kong")
    kenya = g.state.choices[0]
    found = war_answers.preview_spoils(g.tables, g.state, kenya, "italy: place protectorate kenya")
    text = " ".join(line.text for line in war_answers.describe_spoils(g.tables, kenya, g.state, found))
    assert "Great Britain's Protectorate in Kenya goes." in text and "France's Influence in Kenya becomes an" in text
    own = war_answers.preview_spoils(g.tables, g.state, kenya, "place protectorate kenya")
    text = " ".join(line.text for line in war_answers.describe_spoils(g.tables, kenya, g.state, own))
    assert "you have no army in Kenya" in text
    lines = {
        f.what.partition(":")[0]: f
        for f in war_answers.figure_changes(g.tables, kenya.power, kenya.seat, g.state, own.state)
    }
    assert lines["Line 22"].after - lines["Line 22"].before == (
        lines["Lines 11 to 14"].after - lines["Lines 11 to 14"].before
    ) - (lines["Line 21"].after - lines["Line 21"].before)
    assert lines["Line 31"].after == sum(lines[f"Line {n}"].after for n in (27, 28, 29))


def test_preview_of_a_cession_shows_resentment():
    with PaxHost.open(SAVES / "rebellion-won-0.2.0.jsonl", write=False) as table:
        states = [table.game.seek(line) for line in range(1, table.version + 1)]
        tables = table.tables
    state, choice = next((s, c) for s in states for c in s.choices if isinstance(c.about, Cession))
    text = next(text for text in choice.options if str(text).startswith("place protectorate"))
    share = war_answers.preview_spoils(tables, state, choice, str(text))
    area = str(text).split()[-1]
    assert (choice.power, "protectorate") in [(m.power, m.marker) for m in share.state.areas[area].markers]
    description = " ".join(line.text for line in war_answers.describe_spoils(tables, choice, state, share))
    assert "Chinese Resentment rises by" in description
    assert not war_answers.preview_spoils(tables, state, choice, "none").events


# The screen


async def test_areas_are_divided_one_after_another(home):
    app = start_at(home, SPOILS, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await open_spoils(pilot)
        words = app.screen.words()
        assert "Spoils of War" in words and "After it: Kenya and Fiji." in words and "Line 31" in words
        assert rows(app)[0].startswith("◆ Possession") and rows(app)[-1].startswith("leave Hong Kong")
        await press(pilot, "down", "enter")
        assert not isinstance(app.screen, SpoilsScreen), "Italy is asked next"
        await press(pilot, "c")
        assert game_screen(app).session.seat == "italy" and "Germany has said: a Protectorate" in app.screen.words()
        # an Interest next to another Power's Protectorate is no conflict
        agreed = [row for row in rows(app) if "quarrel" not in row]
        assert agreed[:2] == ["◇ Protectorate for Germany", "○ Interest"] and agreed[2].startswith("leave Hong Kong")
        assert len(agreed) == 3
        first = rows(app)[app.screen.query_one("#beside-list").highlighted]
        assert first == "○ Interest", "the best answer for Italy without a conflict"
        await press(pilot, "enter")
        live = game_screen(app).session.live
        placed = [(m.power, m.marker) for m in live.areas["hong_kong"].markers]
        assert placed == [("germany", "protectorate"), ("italy", "interest")]


async def test_next_area_opens_for_the_same_victor(home):
    patch = {**SPOILS, "wars": [{**SPOILS["wars"][0], "alliances": [["germany"], ["britain"]]}]}
    app = start_at(home, patch, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_spoils(pilot)
        await press(pilot, "enter")
        assert isinstance(app.screen, NextSpoilsScreen) and "Kenya" in app.screen.words()
        await press(pilot, "d")
        assert "Fiji" in app.screen.words()
        await press(pilot, "escape")
        assert app.screen is game_screen(app) and game_screen(app).session.live.choices, "the question stays open"


async def test_map_shows_before_and_after(home):
    app = start_at(home, SPOILS, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_spoils(pilot)
        map_ = screen.query_one("#beside-map")
        assert not map_.display
        await press(pilot, "tab")
        assert map_.display and "After the change" in str(map_.border_title)
        await press(pilot, "tab")
        assert map_.display and "As it is" in str(map_.border_title)
        await press(pilot, "tab")
        assert not map_.display and "◆" in drawn_text(app, "#beside-told")


@pytest.mark.parametrize(("who", "size"), [("germany", (80, 24)), ("italy", (160, 50))], ids=["80x24", "160x50"])
def test_spoils_screen_look(home, compare_screen, size, who):
    app = start_at(home, SPOILS, curtain=False)

    async def before(pilot) -> None:
        await open_spoils(pilot)
        if who == "italy":
            await press(pilot, "enter", "c", "up")

    assert compare_screen(app, terminal_size=size, run_before=before)
