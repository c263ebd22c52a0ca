"""A peace by keys: put together, looked at, proposed, answered; what it would bring is what the rules then do."""

from __future__ import annotations

import pytest

from paxtui.games.pax.preview import peace
from paxtui.games.pax.state.diplomacy import DRAFT, Clause
from paxtui.tui.diplomacy.peace import AREA, MONEY, MORE_AREAS, SIGNER, PeaceOffersScreen, PeaceRow, PeaceScreen
from paxtui.tui.game.screen import GameScreen
from tests.rules.harness import start
from tests.tui.playing import begun, press, rows
from tests.tui.wars import PEACE


def game(app) -> GameScreen:
    """The game screen, wherever it lies."""
    return next(screen for screen in app.screen_stack if isinstance(screen, GameScreen))


async def sit(pilot, seat: str) -> None:
    """A seat sits down."""
    for _ in range(7):
        if game(pilot.app).session.seat == seat:
            return
        await press(pilot, "s")
    raise AssertionError(seat)


async def walk(pilot, row: PeaceRow) -> None:
    """The cursor walks down to a row."""
    screen = pilot.app.screen
    for _ in screen.lines:
        if screen.lines[screen.rows.highlighted] == row:
            return
        await press(pilot, "down")
    raise AssertionError(f"no such row: {row}")


async def at_the_table(pilot, seat: str = "japan") -> PeaceScreen:
    """A Power puts a peace together."""
    await sit(pilot, seat)
    await press(pilot, "P")
    screen = pilot.app.screen
    assert isinstance(screen, PeaceScreen)
    return screen


def draft(app):
    """The one draft that is open."""
    (found,) = (t for t in game(app).session.live.treaties if t.stage == DRAFT)
    return found


# --- without a screen -------------------------------------------------------------------------------------------------


def test_what_a_peace_would_bring_is_what_it_brings():
    g = start(PEACE)
    (war,) = g.state.wars
    terms = peace.initial_terms(g.tables, g.state, war, "japan")
    terms = terms.with_fate("manchuria", Clause("transfer", power="russia", to="japan", places=("manchuria",)))
    order = peace.peace_draft(g.tables, g.state, terms)
    found = peace.preview_peace(g.tables, g.state, order.clauses, ("britain", "russia", "japan"))
    told = [line.text for line in peace.describe_peace(g.tables, "japan", g.state, war, found)]
    assert told[0] == "The War is over: all belligerents sign."
    assert "Inner Mongolia goes back to Russia." in told
    assert found.areas == ("manchuria",)
    g.do("japan", order)
    (signed,) = g.state.treaties
    g.act("britain", f"sign {signed.id}")
    g.act("russia", f"sign {signed.id}")
    assert g.state.areas["manchuria"].markers == found.state.areas["manchuria"].markers
    assert [m.power for m in g.state.areas["inner_mongolia"].markers] == ["russia"]


def test_a_separate_peace_tells_who_fights_on_and_what_it_costs():
    g = start(PEACE)
    (war,) = g.state.wars
    terms = peace.initial_terms(g.tables, g.state, war, "japan").toggled("britain")
    order = peace.peace_draft(g.tables, g.state, terms)
    found = peace.preview_peace(g.tables, g.state, order.clauses, ("japan", "russia"))
    told = [line.text for line in peace.describe_peace(g.tables, "japan", g.state, war, found)]
    assert told[0] == "Japan leaves the War, which continues: Great Britain against Russia."
    assert any(t.startswith("European Tensions rise by 5 to") and "a separate peace (Japan)" in t for t in told)


def test_nobody_can_make_peace_with_a_friend_and_it_is_told():
    g = start(PEACE)
    (war,) = g.state.wars
    terms = peace.initial_terms(g.tables, g.state, war, "japan").toggled("russia")
    assert "at War with each other" in str(peace.peace_refusal(g.tables, g.state, terms))


def test_a_draft_is_read_back_as_it_was_written():
    g = start(PEACE)
    (war,) = g.state.wars
    terms = peace.initial_terms(g.tables, g.state, war, "japan").paying("russia", 15)
    terms = terms.with_fate("manchuria", Clause("transfer", power="russia", to="japan", places=("manchuria",)))
    order = peace.peace_draft(g.tables, g.state, terms)
    again = peace.terms_from_draft(war, "japan", order.clauses, ("japan", *order.parties))
    assert (again.fates, again.money, again.others) == (terms.fates, terms.money, ())
    theirs = peace.terms_from_draft(war, "russia", order.clauses, ("japan", *order.parties))
    assert theirs.money == {"japan": -15}


def test_a_neutral_who_gets_something_signs_too():
    g = start(PEACE)
    (war,) = g.state.wars
    to = Clause("transfer", power="russia", to="france", places=("manchuria",))
    terms = peace.initial_terms(g.tables, g.state, war, "japan").with_fate("manchuria", to)
    order = peace.peace_draft(g.tables, g.state, terms)
    assert set(order.parties) == {"britain", "russia", "france"}


# --- on the screen ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(160, 50), (80, 24)], ids=["160x50", "80x24"])
async def test_a_peace_is_proposed_by_a_dozen_keys_and_signed(home, size):
    app = begun(home, PEACE, curtain=False)
    async with app.run_test(size=size) as pilot:
        screen = await at_the_table(pilot)
        assert [row.what for row in screen.lines if row.about == SIGNER] == ["britain", "russia"]
        at = screen.rows.highlighted
        assert screen.lines[at] == PeaceRow(AREA, "manchuria"), "the best of what is conquered is under the cursor"
        assert "goes back to Russia" in rows(app)[at]
        await press(pilot, "right")
        assert "→ to Japan" in rows(app)[at]
        await walk(pilot, PeaceRow(MONEY, "russia"))
        await press(pilot, "right", "right", "right")
        assert "Russia pays £15." in rows(app)[screen.rows.highlighted]
        await press(pilot, "y")
        assert app.screen is game(app) and draft(app).signed == ("japan",)
        for seat in ("britain", "russia"):
            await sit(pilot, seat)
            assert "proposes peace: accept or reject it" in " ".join(game(app).words().split())
            await press(pilot, "P")
            assert isinstance(app.screen, PeaceOffersScreen) and "The War is over" in app.screen.words().replace(
                "\n", " "
            )
            await press(pilot, "s")
        live = game(app).session.live
        assert not live.wars or live.wars[0].outcome == "peace"
        assert [m.power for m in live.areas["manchuria"].markers] == ["japan"]


async def test_a_peace_is_countered_and_refused(home):
    app = begun(home, PEACE, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        await at_the_table(pilot)
        await press(pilot, "right", "y")
        first = draft(app)
        await sit(pilot, "russia")
        await press(pilot, "P", "a")
        screen = app.screen
        assert isinstance(screen, PeaceScreen) and "manchuria" in screen.terms.fates, "it begins as the first"
        await press(pilot, "d", "y")
        second = draft(app)
        assert second.id != first.id and [c.kind for c in second.clauses] == ["peace"]
        await sit(pilot, "japan")
        await press(pilot, "P", "x")
        assert not [t for t in game(app).session.live.treaties if t.stage == DRAFT]
        assert app.screen is game(app), "where nothing is left the screen closes"


async def test_an_area_from_the_map_and_one_from_the_list(home):
    app = begun(home, PEACE, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await at_the_table(pilot)
        await press(pilot, "m")
        assert screen.map.display and app.screen.focused is screen.map
        screen.map.cursor = "korea"
        await press(pilot, "enter")
        assert not screen.map.display and screen.lines[screen.rows.highlighted] == PeaceRow(AREA, "korea")
        await walk(pilot, PeaceRow(MORE_AREAS))
        await press(pilot, "enter")
        first = rows(app)[0]
        await press(pilot, "a")
        assert app.screen is screen and screen.lines[screen.rows.highlighted].about == AREA
        assert rows(app)[screen.rows.highlighted].split("  ")[0] in first


async def test_enter_shows_every_fate_and_what_stands_in_its_way(home):
    app = begun(home, PEACE, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        screen = await at_the_table(pilot)
        await press(pilot, "enter")
        texts = rows(app)
        assert any("Goes back to Russia." in t for t in texts) and any("Shared by" in t for t in texts)
        assert any("To France." in t for t in texts), "a neutral may get it too"
        await press(pilot, "escape", "e")
        assert type(app.screen).__name__ == "TreatyEditor"
        await press(pilot, "a", [*"russia", "space", *"pays", "space", *"britain", "space", "5", "enter"], "escape")
        assert app.screen is screen and "Russia pays Great Britain £5" in rows(app), "what it was left with comes back"


async def test_what_cannot_be_says_why_and_is_not_proposed(home):
    app = begun(home, PEACE, curtain=False)
    async with app.run_test(size=(160, 50)) as pilot:
        screen = await at_the_table(pilot)
        await press(pilot, "up")
        assert screen.lines[screen.rows.highlighted] == PeaceRow(SIGNER, "russia")
        await press(pilot, "space")
        assert "No two signers are at War" in screen.words()
        await press(pilot, "y")
        assert app.screen is screen and not game(app).session.live.treaties


async def test_who_fights_no_war_is_told_so(home):
    app = begun(home, PEACE, curtain=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await sit(pilot, "italy")
        await press(pilot, "P")
        assert app.screen is game(app)


@pytest.mark.parametrize("size", [(160, 50), (80, 24)], ids=["160x50", "80x24"])
@pytest.mark.parametrize("answers", [False, True], ids=["proposed", "answered"])
def test_how_it_looks(home, compare_screen, size, answers):
    app = begun(home, PEACE, curtain=False)

    async def before(pilot) -> None:
        await at_the_table(pilot)
        await press(pilot, "right")
        if answers:
            await press(pilot, "y")
            await sit(pilot, "russia")
            await press(pilot, "P")

    assert compare_screen(app, terminal_size=size, run_before=before)
