"""The peace screen: edit terms, propose, answer, and the preview of the effect."""

from __future__ import annotations

import pytest

from paxtui.games.pax.preview import peace
from paxtui.games.pax.state.diplomacy import DRAFT, Clause
from paxtui.tui.diplomacy.peace import AREA, MONEY, MORE_AREAS, SIGNER, PeaceOffersScreen, PeaceRow, PeaceScreen
from tests.rules.harness import start
from tests.tui.playing import press, rows, start_at
from tests.tui.seats import game_screen, take_seat
from tests.tui.wars import PEACE


async def move_to_row(pilot, row: PeaceRow) -> None:
    """Move the cursor down to a row."""
    screen = pilot.app.screen
    for _ in screen.lines:
        if screen.lines[screen.rows.highlighted] == row:
            return
        await press(pilot, "down")
    raise AssertionError(f"no such row: {row}")


async def open_peace_screen(pilot, seat: str = "japan") -> PeaceScreen:
    """Open the peace screen for a seat."""
    await take_seat(pilot, seat)
    await press(pilot, "P")
    screen = pilot.app.screen
    assert isinstance(screen, PeaceScreen)
    return screen


def open_draft(app):
    """Return the only open draft."""
    (found,) = (t for t in game_screen(app).session.live.treaties if t.stage == DRAFT)
    return found


# Without a screen


def test_preview_of_a_peace_equals_its_effect():
    g = start(PEACE)
    (war,) = g.state.wars
    terms = peace.initial_terms(g.tables, g.state, war, "japan")
    terms = terms.with_fate("manchuria", Clause("transfer", power="russia", to="japan", places=("manchuria",)))
    order = peace.peace_draft(g.tables, g.state, terms)
    found = peace.preview_peace(g.tables, g.state, order.clauses, ("britain", "russia", "japan"))
    texts = [line.text for line in peace.describe_peace(g.tables, "japan", g.state, war, found)]
    assert texts[0] == "The War is over: all belligerents sign."
    assert "Inner Mongolia goes back to Russia." in texts
    assert found.areas == ("manchuria",)
    g.do("japan", order)
    (signed,) = g.state.treaties
    g.act("britain", f"sign {signed.id}")
    g.act("russia", f"sign {signed.id}")
    assert g.state.areas["manchuria"].markers == found.state.areas["manchuria"].markers
    assert [m.power for m in g.state.areas["inner_mongolia"].markers] == ["russia"]


def test_separate_peace_names_belligerents_and_tension():
    g = start(PEACE)
    (war,) = g.state.wars
    terms = peace.initial_terms(g.tables, g.state, war, "japan").toggled("britain")
    order = peace.peace_draft(g.tables, g.state, terms)
    found = peace.preview_peace(g.tables, g.state, order.clauses, ("japan", "russia"))
    texts = [line.text for line in peace.describe_peace(g.tables, "japan", g.state, war, found)]
    assert texts[0] == "Japan leaves the War, which continues: Great Britain against Russia."
    assert any(t.startswith("European Tensions rise by 5 to") and "a separate peace (Japan)" in t for t in texts)


def test_peace_between_allies_is_refused():
    g = start(PEACE)
    (war,) = g.state.wars
    terms = peace.initial_terms(g.tables, g.state, war, "japan").toggled("russia")
    assert "at War with each other" in str(peace.peace_refusal(g.tables, g.state, terms))


def test_terms_survive_a_round_trip_through_the_draft():
    g = start(PEACE)
    (war,) = g.state.wars
    terms = peace.initial_terms(g.tables, g.state, war, "japan").paying("russia", 15)
    terms = terms.with_fate("manchuria", Clause("transfer", power="russia", to="japan", places=("manchuria",)))
    order = peace.peace_draft(g.tables, g.state, terms)
    again = peace.terms_from_draft(war, "japan", order.clauses, ("japan", *order.parties))
    assert (again.fates, again.money, again.others) == (terms.fates, terms.money, ())
    theirs = peace.terms_from_draft(war, "russia", order.clauses, ("japan", *order.parties))
    assert theirs.money == {"japan": -15}


def test_neutral_recipient_must_sign():
    g = start(PEACE)
    (war,) = g.state.wars
    to = Clause("transfer", power="russia", to="france", places=("manchuria",))
    terms = peace.initial_terms(g.tables, g.state, war, "japan").with_fate("manchuria", to)
    order = peace.peace_draft(g.tables, g.state, terms)
    assert set(order.parties) == {"britain", "russia", "france"}


# On the screen


@pytest.mark.parametrize("size", [(160, 50), (80, 24)], ids=["160x50", "80x24"])
async def test_peace_is_proposed_and_signed(home, size):
    app = start_at(home, PEACE, curtain=False)
    async with app.run_test(size=size) as pilot:
        screen = await open_peace_screen(pilot)
        assert [row.what for row in screen.lines if row.about == SIGNER] == ["britain", "russia"]
        at = screen.rows.highlighted
        assert screen.lines[at] == PeaceRow(AREA, "manchuria"), "the most valuable conquest is selected"
        assert "goes back to Russia" in rows(app)[at]
        await press(pilot, "right")
        assert "→ to Japan" in rows(app)[at]
        await move_to_row(pilot, PeaceRow(MONEY, "russia"))
        await press(pilot, "right", "right", "right")
        assert "Russia pays £15." in rows(app)[screen.rows.highlighted]
        await press(pilot, "y")
        assert app.screen is game_screen(app) and open_draft(app).signed == ("japan",)
        for seat in ("britain", "russia"):
            await take_seat(pilot, seat)
            assert "proposes peace: accept or reject it" in " ".join(game_screen(app).words().split())
            await press(pilot, "P")
            assert isinstance(app.screen, PeaceOffersScreen) and "The War is over" in app.screen.words().replace(
                "\n", " "
            )
            await press(pilot, "s")
        live = game_screen(app).session.live
        assert not live.wars or live.wars[0].outcome == "peace"
        assert [m.power for m in live.areas["manchuria"].markers] == ["japan"]


async def test_peace_is_countered_and_rejected(home):
    app = start_at(home, PEACE, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await open_peace_screen(pilot)
        await press(pilot, "right", "y")
        first = open_draft(app)
        await take_seat(pilot, "russia")
        await press(pilot, "P", "a")
        screen = app.screen
        assert isinstance(screen, PeaceScreen) and "manchuria" in screen.terms.fates, (
            "it begins with the terms of the first draft"
        )
        await press(pilot, "d", "y")
        second = open_draft(app)
        assert second.id != first.id and [c.kind for c in second.clauses] == ["peace"]
        await take_seat(pilot, "japan")
        await press(pilot, "P", "x")
        assert not [t for t in game_screen(app).session.live.treaties if t.stage == DRAFT]
        assert app.screen is game_screen(app), "the screen closes without drafts"


async def test_areas_are_added_from_map_and_list(home):
    app = start_at(home, PEACE, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_peace_screen(pilot)
        await press(pilot, "m")
        assert screen.map.display and app.screen.focused is screen.map
        screen.map.cursor = "korea"
        await press(pilot, "enter")
        assert not screen.map.display and screen.lines[screen.rows.highlighted] == PeaceRow(AREA, "korea")
        await move_to_row(pilot, PeaceRow(MORE_AREAS))
        await press(pilot, "enter")
        first = rows(app)[0]
        await press(pilot, "a")
        assert app.screen is screen and screen.lines[screen.rows.highlighted].about == AREA
        assert rows(app)[screen.rows.highlighted].split("  ")[0] in first


async def test_enter_lists_all_fates_of_an_area(home):
    app = start_at(home, PEACE, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        screen = await open_peace_screen(pilot)
        await press(pilot, "enter")
        texts = rows(app)
        assert any("Goes back to Russia." in t for t in texts) and any("Shared by" in t for t in texts)
        assert any("To France." in t for t in texts), "a neutral Power may get it too"
        await press(pilot, "escape", "e")
        assert type(app.screen).__name__ == "TreatyEditor"
        await press(pilot, "a", [*"russia", "space", *"pays", "space", *"britain", "space", "5", "enter"], "escape")
        assert app.screen is screen and "Russia pays Great Britain £5" in rows(app), "the additional article is listed"


async def test_illegal_peace_is_explained_and_not_proposed(home):
    app = start_at(home, PEACE, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        screen = await open_peace_screen(pilot)
        await press(pilot, "up")
        assert screen.lines[screen.rows.highlighted] == PeaceRow(SIGNER, "russia")
        await press(pilot, "space")
        assert "No two signers are at War" in screen.words()
        await press(pilot, "y")
        assert app.screen is screen and not game_screen(app).session.live.treaties


async def test_peace_screen_needs_a_war(home):
    app = start_at(home, PEACE, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await take_seat(pilot, "italy")
        await press(pilot, "P")
        assert app.screen is game_screen(app)


@pytest.mark.parametrize("size", [(160, 50), (80, 24)], ids=["160x50", "80x24"])
@pytest.mark.parametrize("answers", [False, True], ids=["proposed", "answered"])
def test_peace_screen_look(home, compare_screen, size, answers):
    app = start_at(home, PEACE, curtain=False)

    async def before(pilot) -> None:
        await open_peace_screen(pilot)
        await press(pilot, "right")
        if answers:
            await press(pilot, "y")
            await take_seat(pilot, "russia")
            await press(pilot, "P")

    assert compare_screen(app, terminal_size=size, run_before=before)
