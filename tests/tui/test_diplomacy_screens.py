"""Dispatches, Treaties, proposals and the editor: by keys, for several seats, with pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList, Static

from paxtui.pax.position.setup import seats_for
from paxtui.pax.state.treaty import DRAFT, IN_FORCE
from paxtui.table.authority import Table
from paxtui.table.tables import load_tables
from paxtui.tui.app import PaxApp
from paxtui.tui.diplomacy.dispatches import DispatchScreen
from paxtui.tui.diplomacy.treaties import TreatyScreen
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.game.screen import GameScreen
from paxtui.tui.player.read_marks import unread
from paxtui.tui.player.settings import Settings
from paxtui.tui.stage.texts import CurtainScreen

CONTROL = [{"power": "france", "marker": "protectorate"}, {"power": "italy", "marker": "protectorate"}]


def treaty(id_: str, name: str, parties: list[str], signed: list[str], *clauses: Any, **more: Any) -> dict[str, Any]:
    """A Treaty as a patch has it."""
    first = {"id": id_, "name": name, "form": "treaty", "drafter": parties[0], "parties": parties}
    return {**first, "signed": signed, "clauses": list(clauses), "drafted": 1, **more}


PATCH = {
    "phase": "negotiation",
    "turn": 2,
    "powers": {"britain": {"treasury": 60}, "france": {"treasury": 40}, "italy": {"treasury": 20}},
    "areas": {"tunis": {"markers": CONTROL}},
    "casus_belli": [
        {"holder": "france", "against": "italy", "area": "tunis", "rule": "STA-024"},
        {"holder": "italy", "against": "france", "area": "tunis", "rule": "STA-024"},
    ],
    "treaties": [
        treaty(
            "kq7da", "Trianon", ["britain", "france"], ["britain", "france"],
            {"kind": "no_marker", "power": "britain", "places": ["kenya", "uganda"], "until": 5},
            {"kind": "pay", "power": "france", "to": "britain", "amount": 5, "every_turn": True},
            {"kind": "defensive", "against": ["germany"], "secret": True},
            public=True, stage="in_force", since=1,
        ),
        treaty(
            "m2xwq", "Lisbon", ["italy", "britain"], ["italy"],
            {"kind": "pay", "power": "italy", "to": "britain", "amount": 5},
            {"kind": "no_build", "power": "britain", "units": ["naval"], "until": 4},
            {"kind": "text", "text": "Britain smiles upon Italian hopes in Tripoli"},
        ),
    ],
}  # fmt: skip


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PaxApp:
    """A Negotiation Phase with a Treaty in force and a draft that waits for Britain."""
    monkeypatch.setenv("PAXTUI_HOME", str(tmp_path))
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    path = tmp_path / "game.jsonl"
    with Table.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        table.act("arbiter", {"type": "set_position", "patch": PATCH})
    return PaxApp(path=path, settings=Settings(curtain="off"))


async def keys(pilot: Any, *wanted: str) -> None:
    """Press keys, each after the frame of the one before."""
    for key in wanted:
        await pilot.press(key)
        await pilot.pause()


def typed(text: str) -> list[str]:
    """The keys of a text."""
    names = {" ": "space", ":": "colon", ",": "comma", ".": "full_stop", "?": "question_mark", '"': "quotation_mark"}
    return [names.get(c, c) for c in text]


def of(game: GameScreen, name: str) -> Any:
    """The agreement of a name, all of it."""
    return next(t for t in game.session.live.treaties if t.name == name)


# --- dispatches -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_a_dispatch_is_written_read_and_answered(app, size):
    async with app.run_test(size=size) as pilot:
        game = app.screen
        await keys(pilot, "d")
        assert isinstance(app.screen, DispatchScreen)
        await keys(pilot, "n", *typed("france: divide tunis?"), "enter", "escape")
        assert app.screen is game
        game.sit("france")
        assert unread(game.session) == 1 and "1 unread dispatch" in str(game.query_one("#now", Static).render())
        await keys(pilot, "d")
        assert "divide tunis?" in str(app.screen.query_one("#dispatch-text", Static).render())
        await keys(pilot, "r", *typed("gladly"), "enter", "escape")
        assert unread(game.session) == 0
        game.sit("britain")
        assert [d.text for d in game.session.dispatches()] == ["divide tunis?", "gladly"]
        game.sit("italy")
        assert game.session.dispatches() == ()
        assert "tunis?" not in " ".join(e.text for e in game.session.log())


async def test_a_dispatch_to_nobody_is_refused_and_the_words_stay(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "d", "n", *typed("narnia: hello"), "enter")
        line = app.screen.query_one("#dispatch-line")
        assert line.display and line.value == "narnia: hello"
        await keys(pilot, "escape", "p", *typed("peace"), "enter")
        assert app.screen._letters[-1].to == () and app.screen._letters[-1].text == "peace"


# --- Treaties ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
async def test_a_treaty_is_drafted_in_the_editor_and_signed(app, size):
    async with app.run_test(size=size) as pilot:
        game = app.screen
        await keys(pilot, "t", "n")
        assert isinstance(app.screen, TreatyEditor)
        await keys(pilot, "p", "a", "escape")  # France
        await keys(pilot, "a", *typed("no marker by france in kenya until 1892"))
        said = str(app.screen.query_one("#editor-says", Static).render())
        assert "France" in said and "Kenya" in said and "1892" in said
        await keys(pilot, "enter", "a", *typed("nonsense"), "enter")
        assert app.screen.query_one("#editor-line").display and len(app.screen.clauses) == 1
        await keys(pilot, "escape", "up", "s")
        assert app.screen.clauses[0].secret
        await keys(pilot, "n", *["backspace"] * 30, *typed("Cairo"), "enter", "f10")
        assert isinstance(app.screen, TreatyScreen)
        draft = of(game, "Cairo")
        assert draft.stage == DRAFT and draft.signed == ("britain",) and draft.parties == ("britain", "france")
        await keys(pilot, "escape")
        game.sit("italy")
        assert "Cairo" not in str(game.session.state.treaties)
        game.sit("france")
        await keys(pilot, "t")
        assert app.screen.chosen.name == "Cairo"  # what waits for a signature comes first
        await keys(pilot, "s", "escape")
        assert of(game, "Cairo").stage == IN_FORCE


async def test_a_proposal_shows_what_the_world_would_look_like(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        game.sit("france")
        await keys(pilot, "t", "p", "p", *typed("f"), "escape")
        screen = app.screen
        assert isinstance(screen, TreatyEditor)
        if "italy" not in screen.parties:
            screen.parties = ["italy"]
        for article in ("italy lowers tunis to interest", "france pays italy 15"):
            await keys(pilot, "a", *typed(article), "enter")
        await keys(pilot, "f10")
        page = str(app.screen.query_one("#treaty-text", Static).render())
        assert "What it would change" in page and "Tunis" in page and "European Tensions rise by 2" in page
        assert "£40" in page and "£25" in page
        await keys(pilot, "escape")
        game.sit("italy")
        await keys(pilot, "t", "enter", "escape")
        assert game.session.live.powers["france"].treasury == 25 and game.session.live.tension == 2
        assert [(m.power, m.marker) for m in game.session.live.areas["tunis"].markers] == [
            ("france", "protectorate"),
            ("italy", "interest"),
        ]
        assert not game.session.live.casus_belli


async def test_a_draft_is_rejected_and_another_answered(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await keys(pilot, "t", "a", "delete", "f10")
        answered = [t for t in game.session.live.treaties if t.instead]
        assert len(answered) == 1 and len(answered[0].clauses) == 2
        assert next(t for t in game.session.live.treaties if t.id == "m2xwq").reason == "superseded"
        await keys(pilot, "x")
        assert next(t for t in game.session.live.treaties if t.instead).stage == "ended"


async def test_an_article_is_revealed_and_a_treaty_lapses(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await keys(pilot, "t", "down", "v", "a")
        assert of(game, "Trianon").shown == (2,)
        await keys(pilot, "l", "escape")
        game.sit("france")
        await keys(pilot, "t", "l")
        assert of(game, "Trianon").stage == "ended" and game.session.live.tension == 0


async def test_breaking_a_treaty_asks_once_more(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await keys(pilot, "t", "down", "B")
        assert game.session.live.tension == 0
        await keys(pilot, "B")
        assert game.session.live.tension == 5
        assert [(c.holder, c.against) for c in game.session.live.casus_belli if not c.area] == [("france", "britain")]


async def test_the_page_says_what_each_clause_is_worth(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "t", "down")
        page = str(app.screen.query_one("#treaty-text", Static).render())
        assert "✓ Great Britain places no Status marker in Kenya" in page and "✓" in page
        assert "asleep" in page and "due" in page


async def test_the_curtain_falls_where_something_is_secret(app):
    app.settings = Settings(curtain="secret")
    async with app.run_test(size=(120, 40)) as pilot:
        await keys(pilot, "s")
        assert isinstance(app.screen, CurtainScreen)
        await keys(pilot, "enter")
        assert isinstance(app.screen, GameScreen)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("pressed", [("t",), ("t", "n"), ("t", "down"), ("d",), ("4",)], ids=lambda k: "-".join(k))
def test_pictures(app, snap_compare, size, pressed):
    async def before(pilot: Any) -> None:
        if pressed[0] == "d":
            game = app.screen
            game.session.send("dispatch france: Shall we divide Tunis?")
            game.sit("france")
            game.session.send("proclaim: France has no designs on Siam.")
        await keys(pilot, *pressed)

    assert snap_compare(app, terminal_size=size, run_before=before)


def test_the_list_of_the_parties_marks_who_is_in(app):
    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await keys(pilot, "t", "n", "p", "a")
            rows = app.screen.query_one(OptionList)
            assert "[x]" in str(rows.get_option_at_index(0).prompt)

    import asyncio

    asyncio.run(run())
