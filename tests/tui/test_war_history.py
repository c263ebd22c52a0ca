"""Wars in the history of a game: chapters, comparisons, the scrubber, battles in the War pane."""

from __future__ import annotations

import re

import pytest

from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.reports.war_changes import describe_war_changes
from paxtui.session.replay import ReplaySession
from paxtui.tui.base.dialogs import TextDialog
from paxtui.tui.colors import PALETTES
from paxtui.tui.formatting.look import Look
from paxtui.tui.formatting.timeline import chapters, line_at, scrubber, war_differences
from paxtui.tui.panes.side_panes import render_wars
from tests.places import GOLDEN, SAVES
from tests.rules.harness import army, held, naval, start
from tests.tui.playing import open_log, press
from tests.tui.wars import far_east

LOOK = Look(PALETTES["dark"])
OTTOMAN = SAVES / "ottoman-war-0.2.0.jsonl"


@pytest.fixture(scope="module")
def ottoman() -> ReplaySession:
    session = ReplaySession(OTTOMAN)
    session.set_viewpoint("italy")
    return session


def test_chapters_are_wars_battles_and_ends(ottoman):
    found = [(c.title.strip(), c.stops) for c in chapters(ottoman)]
    assert ("War: An Ottoman War: the Ottoman Empire against Italy", True) in found
    assert ("Battle in Tripoli: the Ottoman Empire attacks, exchange", False) in found
    assert any(title.startswith("War ends: An Ottoman War") and stops for title, stops in found)


def test_scrubber_marks_wars(ottoman):
    assert "✗" in scrubber(ottoman, LOOK, 160).plain


def test_years_of_the_scrubber_do_not_touch():
    game = ReplaySession(GOLDEN)
    for width in (60, 80, 100, 120):
        years = re.findall(r"\d+", scrubber(game, LOOK, width).plain)
        assert len(years) > 5 and {len(year) for year in years} == {4}


@pytest.mark.parametrize("width", [80, 161])
def test_click_on_a_mark_of_the_scrubber_shows_a_moment_of_that_cell(width: int) -> None:
    game = ReplaySession(GOLDEN)
    drawn = scrubber(game, LOOK, width).plain
    assert len(drawn) == width - 2 and drawn[-1] == "·"
    for cell, sign in enumerate(drawn):
        if sign in "✗⚔!◆·":
            game.look_at(line_at(game, width, cell + 1))
            assert scrubber(game, LOOK, width).plain[cell] == "▮"


def test_comparison_lists_wars_in_between(ottoman):
    text = " ".join(war_differences(ottoman, 1, ottoman.version, LOOK, 200).plain.split())
    assert "War has begun: An Ottoman War: the Ottoman Empire and Russia against Italy and France." in text
    assert "War is over: An Ottoman War" in text and "by agreement" in text
    assert text.count("attack those of Italy and France") == 2 and "Ottoman Empire's A5 A5 A5 retreat to Egypt." in text


def test_comparison_within_a_war_lists_its_battles(ottoman):
    (first,) = (c.line for c in chapters(ottoman) if "attackers retreat" in c.title)
    text = " ".join(war_differences(ottoman, first - 1, first, LOOK, 200).plain.split())
    assert "War has begun" not in text and text.count("attack those") == 1
    assert not war_differences(ottoman, first, first, LOOK, 200)


def test_pane_lists_battles_of_the_viewed_cycle(ottoman):
    (battle,) = (c.line for c in chapters(ottoman) if c.title.strip().endswith("exchange"))
    ottoman.look_at(battle - 1)
    before = render_wars(ottoman, LOOK, 60).plain
    ottoman.look_at(battle)
    after = render_wars(ottoman, LOOK, 60).plain
    ottoman.look_at(None)
    assert "Battles in this cycle" not in before and "Battles in this cycle" in after and "2-3" in after


def change_texts(before: dict, after: dict, power: str = "japan") -> list[str]:
    """Return the changes between two positions without events."""
    one, two = start(before), start(after)
    narrator = Narrator(one.tables, one.state)
    return [line.text for line in describe_war_changes(narrator, one.state, two.state, (), (power,))]


def test_changes_list_sides_conquests_and_supply():
    then = far_east()
    now = far_east(
        conquered=[{"area": "manchuria", "alliance": 1}],
        surrendered=[{"power": "russia", "kind": "army", "strength": 3}],
        alliances=[["japan"], ["russia", "france"]],
    )
    now["areas"] = {**now["areas"], "manchuria": held("russia", "protectorate", army("japan", 3))}
    now["sea_zones"] = {"south_china_sea": {"merchant_fleets": ["britain"], "units": [naval("japan", 3)]}}
    lines = change_texts(then, now)
    assert "France joined Russia." in lines
    assert "Great Britain is no longer at War." in lines
    assert "Japan conquered Manchuria." in lines
    assert "Russia's A3 surrendered." in lines
    assert any("Japan's N3 in South China Sea will surrender" in line for line in lines)
    assert any("Russia's N1 in South China Sea are no longer out of supply" in line for line in lines)


async def test_comparison_dialog_lists_wars(home):
    app = open_log(home, OTTOMAN, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "left_square_bracket", "equals_sign")
        assert isinstance(app.screen, TextDialog)
        assert "Wars" in app.screen.words() and "War is over" in app.screen.words()
