"""Dispatches, Treaties, proposals and the editor: by keys, for several seats, with pictures."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList, Static

from paxtui.bots.pax.treaty_ideas import TreatyIdea
from paxtui.games.pax.actions.actions import Draft
from paxtui.games.pax.clauses.examples import example_article
from paxtui.games.pax.clauses.notation import describe_clause, parse_clause
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS
from paxtui.games.pax.reports.todo import TREATIES
from paxtui.games.pax.state.diplomacy import DRAFT, IN_FORCE
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.player_news import pending_tasks, unread_dispatch_count
from paxtui.tui.app import PaxApp
from paxtui.tui.dialogs.seats import PrivacyScreen
from paxtui.tui.diplomacy import treaty_editor
from paxtui.tui.diplomacy.messages import DispatchScreen
from paxtui.tui.diplomacy.treaties import TreatyScreen
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.formatting.reports import awaits_signature
from paxtui.tui.game.screen import GameScreen
from tests.tui.conftest import screen_text
from tests.tui.playing import NEGOTIATION, SIZES, begun, noticed, press, rows, treaty, typed
from tests.waiting import until


@pytest.fixture
def app(home: Path) -> PaxApp:
    """A Negotiation Phase with a Treaty in force and a draft that waits for Britain."""
    return begun(home, NEGOTIATION, curtain=False)


def of(game: GameScreen, name: str) -> Any:
    """The agreement of a name, all of it."""
    return next(t for t in game.session.live.treaties if t.name == name)


# --- dispatches -------------------------------------------------------------------------------------------------------


@SIZES
async def test_a_dispatch_is_written_read_and_answered(app, size):
    async with app.run_test(size=size) as pilot:
        game = app.screen
        await press(pilot, "d")
        assert isinstance(app.screen, DispatchScreen)
        await press(pilot, "n", typed("france: divide tunis?"), "enter", "escape")
        assert app.screen is game
        game.session.take_seat("france")
        await pilot.pause()
        assert unread_dispatch_count(game.session) == 1 and "1 unread dispatch" in str(
            game.query_one("#now", Static).render()
        )
        await press(pilot, "d")
        assert "divide tunis?" in str(app.screen.query_one("#dispatch-text", Static).render())
        await press(pilot, "r", typed("gladly"), "enter", "escape")
        assert unread_dispatch_count(game.session) == 0
        game.session.take_seat("britain")
        assert [d.text for d in game.session.view.dispatches()] == ["divide tunis?", "gladly"]
        game.session.take_seat("italy")
        assert game.session.view.dispatches() == ()
        assert "tunis?" not in " ".join(e.text for e in game.session.view.log())


async def test_a_dispatch_to_nobody_is_refused_and_the_words_stay(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "d", "n", typed("narnia: hello"), "enter")
        line = app.screen.query_one("#dispatch-line")
        assert line.display and line.value == "narnia: hello"
        await press(pilot, "escape", "p", typed("peace"), "enter")
        assert (said := app.screen_stack[1].session.view.dispatches()[-1]).to == () and said.text == "peace"


# --- Treaties ---------------------------------------------------------------------------------------------------------


@SIZES
async def test_a_treaty_is_drafted_in_the_editor_and_signed(app, size):
    async with app.run_test(size=size) as pilot:
        game = app.screen
        await press(pilot, "t", "n")
        assert isinstance(app.screen, TreatyEditor)
        await press(pilot, "p", "a", "enter")  # France
        await press(pilot, "a", typed("no marker by france in kenya until 1892"))
        said = str(app.screen.query_one("#editor-says", Static).render())
        assert "France" in said and "Kenya" in said and "1892" in said
        await press(pilot, "enter", "a", typed("nonsense"), "enter")
        assert app.screen.query_one("#editor-line").display and len(app.screen.clauses) == 1
        await press(pilot, "escape", "up", "s")
        assert app.screen.clauses[0].secret
        await press(pilot, "n", ["backspace"] * 30, typed("Cairo"), "enter", "f10")
        assert isinstance(app.screen, TreatyScreen)
        draft = of(game, "Cairo")
        assert draft.stage == DRAFT and draft.signed == ("britain",) and draft.parties == ("britain", "france")
        await press(pilot, "escape")
        game.session.take_seat("italy")
        assert "Cairo" not in str(game.session.state.treaties)
        game.session.take_seat("france")
        await press(pilot, "t")
        assert app.screen.chosen.name == "Cairo"  # what waits for a signature comes first
        await press(pilot, "s", "escape")
        assert of(game, "Cairo").stage == IN_FORCE


async def test_a_proposal_shows_what_the_world_would_look_like(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        game.session.take_seat("france")
        await press(pilot, "t", "p", "p", typed("f"), "enter")
        screen = app.screen
        assert isinstance(screen, TreatyEditor)
        if "italy" not in screen.parties:
            screen.parties = ["italy"]
        for article in ("italy lowers tunis to interest", "france pays italy 15"):
            await press(pilot, "a", typed(article), "enter")
        await press(pilot, "f10")
        page = str(app.screen.query_one("#treaty-text", Static).render())
        assert "What it changes" in page and "Tunis" in page and "European Tensions rise by 2" in page
        assert "£40" in page and "£25" in page
        await press(pilot, "escape")
        game.session.take_seat("italy")
        await press(pilot, "t", "enter", "escape")
        assert game.session.live.powers["france"].treasury == 25 and game.session.live.tension == 2
        assert [(m.power, m.marker) for m in game.session.live.areas["tunis"].markers] == [
            ("france", "protectorate"),
            ("italy", "interest"),
        ]
        assert not game.session.live.casus_belli


async def test_a_draft_by_hand_names_who_must_sign_and_one_that_lacks_a_signer_says_so(home):
    holders = [{"power": p, "marker": "protectorate"} for p in ("britain", "france")]
    shared = {"markers": holders, "codominion": ["britain", "france"]}
    grant = {"kind": "grant", "power": "britain", "to": "germany", "marker": "protectorate", "places": ["kenya"]}
    draft = treaty("zz3aa", "Malta", ["britain", "germany"], ["germany"], grant, drafted=2)
    app = begun(home, {**NEGOTIATION, "areas": {"kenya": shared}, "treaties": [draft]}, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await press(pilot, "t")
        assert "It also needs the signature of France" in str(app.screen.query_one("#treaty-text", Static).render())
        await press(pilot, "p")
        editor = app.screen
        said = "Great Britain lets Germany place a Protectorate beside its own in Kenya"
        await press(pilot, "a", typed(said.casefold()), "enter")
        assert editor.parties == ["germany", "france"] and describe_clause(session.tables, editor.clauses[0]) == said
        editor.parties = ["germany"]
        await press(pilot, "o")
        assert "France must sign too (p)" in " ".join(screen_text(app))
        await press(pilot, "a", typed("italy pays britain 10"), "enter")
        assert editor.parties == ["germany", "italy"]


@pytest.fixture
def over_argentina(home: Path) -> PaxApp:
    """A Negotiation Phase in which Germany and France dispute Argentina; Germany has the larger treasury."""
    markers = [{"power": p, "marker": "influence"} for p in ("france", "germany")]
    rivals = (("germany", "france"), ("france", "germany"))
    more = {
        "areas": {"argentina": {"markers": markers}},
        "powers": {"germany": {"treasury": 60}, "france": {"treasury": 40}},
        "casus_belli": [{"holder": a, "against": b, "area": "argentina", "rule": "STA-024"} for a, b in rivals],
        "treaties": [],
    }
    return begun(home, NEGOTIATION | more, curtain=False)


async def test_examples_of_articles_name_the_dispute_at_hand(over_argentina):
    async with over_argentina.run_test(size=(80, 24)):
        session = over_argentina.screen.session
        tables, state = session.tables, session.live
    assert example_article(tables, state, "waive", "germany", ["france"]) == "germany waives argentina"
    assert example_article(tables, state, "pay", "germany", []) == "germany pays france 5 every turn until 1892"
    for kind in CLAUSE_KINDS:
        for partners in ([], ["france"], ["netherlands"]):
            clause = parse_clause(tables, example_article(tables, state, kind, "germany", partners))
            assert clause.kind in (kind, "transfer")
            assert {clause.power, clause.to} <= {"", "germany", *(partners or ["france"])}, (kind, partners, clause)


async def test_a_casus_belli_given_up_for_money_is_shown_before_it_is_signed(over_argentina):
    async with over_argentina.run_test(size=(120, 40)) as pilot:
        game = over_argentina.screen
        game.session.take_seat("germany")
        await press(pilot, "t", "p")
        over_argentina.screen.parties = ["france"]
        for article in ("france waives argentina", "germany pays france 32"):
            await press(pilot, "a", typed(article), "enter")
        await press(pilot, "f10")
        page = str(over_argentina.screen.query_one("#treaty-text", Static).render())
        change = page[page.index("What it changes") :]
        assert "France against Germany over Argentina" in change and "ended" in change and "£28" in change
        await press(pilot, "m")
        title = str(over_argentina.screen.query_one("#terms-title", Static).render())
        assert "Settlement of Germany and France (1882)" in title or "Settlement of France and Germany" in title
        told = str(over_argentina.screen.query_one("#terms-told", Static).render())
        assert "France against Germany over Argentina" in told and "£28" in told


@SIZES
async def test_a_ready_made_treaty_fills_the_empty_editor(app, size):
    async with app.run_test(size=size) as pilot:
        await press(pilot, "t", "n")
        editor = app.screen
        assert isinstance(editor, TreatyEditor)
        await until(lambda: editor.query_one("#editor-list", OptionList).option_count > 3, pilot=pilot)
        assert "Ready-made with ← France →" in " ".join(screen_text(app))
        await press(pilot, "right", "down")
        text = " ".join(screen_text(app))
        assert "Ready-made with ← Germany →" in text and "Germany signs: " in text
        idea = editor._idea
        await press(pilot, "enter")
        assert editor.parties == ["germany"] and tuple(editor.clauses) == idea.draft.clauses
        assert "Ready-made" not in " ".join(screen_text(app))
        await press(pilot, "f10")
        assert any(t.stage == DRAFT and t.clauses == idea.draft.clauses for t in app.screen.session.live.treaties)


@SIZES
async def test_the_editor_says_what_the_draft_brings_as_it_is(app, size):
    async with app.run_test(size=size) as pilot:
        await press(pilot, "t", "n", "a", typed("france pays britain 30"), "enter")
        await pilot.pause()
        one = str(app.screen.query_one("#editor-says", Static).render())
        assert one.startswith("Brings you +") and "France -" in one and "(signs: hardly)" in one
        await press(pilot, "a", typed("britain pays france 60"), "enter")
        await pilot.pause()
        assert str(app.screen.query_one("#editor-says", Static).render()).startswith("Brings you -")


async def test_a_rejected_draft_is_changed_and_offered_again(app):
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await press(pilot, "t", "n", "a", typed("britain pays italy 5"), "enter", "f10")
        offered = app.screen.chosen
        session._game.act("italy", f"reject {offered.id}")
        session.look_at(None)
        await pilot.pause()
        await press(pilot, "a")
        assert isinstance(app.screen, TreatyEditor)
        assert tuple(app.screen.clauses) == offered.clauses and app.screen.parties == ["italy"]
        await press(pilot, "a", typed("britain pays italy 6 in 1892"), "enter", "f10")
        assert app.screen.chosen.id != offered.id and len(app.screen.chosen.clauses) == 2


async def test_the_counter_draft_to_the_selected_draft_is_selected(app):
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await press(pilot, "t", "n", "a", typed("britain pays italy 5"), "enter", "f10")
        offered = app.screen.chosen
        session._game.act("italy", f"amend {offered.id}: britain pays italy 15")
        session.look_at(None)
        await pilot.pause()
        assert app.screen.chosen.instead == offered.id
        assert "Brings you -" in str(app.screen.query_one("#treaty-text", Static).render())


async def test_an_answer_that_comes_while_the_editor_closes_reaches_a_screen_that_is_open(app):
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await press(pilot, "t", "n")
        editor = app.screen
        editor.dismiss(True)
        while editor.is_attached:  # its rows are removed before it ends
            session.look_at(None)
            await asyncio.sleep(0)
        await pilot.pause()
        assert isinstance(app.screen, TreatyScreen)


async def test_what_they_want_is_asked_and_answered_in_the_editor(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "t", "n")
        editor = app.screen
        await until(lambda: editor.query_one("#editor-list", OptionList).option_count > 3, pilot=pilot)
        await press(pilot, "w")
        assert "A person plays France. Your question is in their dispatches." in " ".join(screen_text(app))
        assert editor.session.view.dispatches()[-1].text == "What do you want?"


async def test_an_answer_that_the_editor_shows_counts_as_read_and_other_dispatches_do_not(app):
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        session._game.dispatch("germany", ["britain"], "Words")
        await press(pilot, "t", "n")
        editor = app.screen
        await until(lambda: editor.query_one("#editor-list", OptionList).option_count > 3, pilot=pilot)
        await press(pilot, "w")
        session._game.dispatch("france", ["britain"], "Tunis")
        assert unread_dispatch_count(session) == 2
        session.look_at(None)
        await pilot.pause()
        assert "France: Tunis" in " ".join(screen_text(app)) and unread_dispatch_count(session) == 1
        await press(pilot, "escape", "escape", "d")
        assert "Words" in str(app.screen.query_one("#dispatch-text", Static).render())


OTHER = treaty("zz2aa", "Aden", ["italy", "britain"], ["italy"], {"kind": "text", "text": "Friends"}, drafted=2)
THREAT = treaty(
    "zz4aa", "Malta", ["britain", "italy"], ["italy"],
    {"kind": "lower", "power": "britain", "places": ["kenya"], "turn": 3},
    {"kind": "waive", "power": "italy", "places": ["kenya"], "to": "britain"}, drafted=2, drafter="italy",
)  # fmt: skip


@SIZES
async def test_a_threat_is_seen_on_the_main_screen_and_at_its_area_and_a_key_opens_its_draft(home, size):
    cause = {"holder": "italy", "against": "britain", "area": "kenya", "rule": "STA-024"}
    kenya = {"markers": [{"power": "britain", "marker": "protectorate"}]}
    patch = {"areas": {"kenya": kenya}, "casus_belli": [cause], "treaties": [OTHER, THREAT]}
    app = begun(home, {**NEGOTIATION, **patch}, curtain=False)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert "! Italy demands that you" in " ".join(screen_text(app))
        await press(pilot, "n")
        assert app.screen.chosen.name == "Malta"
        await press(pilot, "escape")
        assert app.screen.view.map.cursor == "kenya"
        assert "Italy: leave by 1888, or expect War (n)" in " ".join(screen_text(app))
        app.screen.session.act_text("reject zz4aa")
        await pilot.pause()
        assert "or expect War" not in " ".join(screen_text(app))


async def test_a_draft_is_rejected_and_another_answered(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await press(pilot, "t", "a", "delete", "f10")
        answered = [t for t in game.session.live.treaties if t.instead]
        assert len(answered) == 1 and len(answered[0].clauses) == 2
        assert next(t for t in game.session.live.treaties if t.id == "m2xwq").reason == "superseded"
        await press(pilot, "x")
        assert next(t for t in game.session.live.treaties if t.instead).stage == "ended"


async def test_drafts_that_ended_in_an_earlier_turn_are_not_listed(home):
    clause = {"kind": "text", "text": "Friends"}
    old = treaty("zz6aa", "Aden", ["italy", "britain"], ["italy"], clause, drafted=1, stage="ended", reason="rejected")
    new = {**old, "id": "zz7aa", "name": "Cadiz", "drafted": 2}
    app = begun(home, {**NEGOTIATION, "treaties": [old, new]}, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "t")
        assert [t.name for t in app.screen._treaties] == ["Cadiz"]


async def test_a_seat_with_two_powers_signs_for_the_one_that_has_not(home):
    parties = ["germany", "russia", "austria_hungary"]
    draft = treaty("zz5aa", "Munich", parties, parties[:2], {"kind": "non_aggression", "until": 4}, drafted=2)
    app = begun(home, {**NEGOTIATION, "treaties": [draft]}, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        session.take_seat("germany")
        await press(pilot, "t", "s")
        assert set(session.live.treaties[-1].signed) == set(parties)


TWO_DRAFTS = {**NEGOTIATION, "treaties": [OTHER, *NEGOTIATION["treaties"]]}


async def test_the_draft_that_waits_is_chosen_and_no_key_answers_the_next_one_unread(home):
    async with begun(home, TWO_DRAFTS, curtain=False).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        names = []
        for _ in range(2):
            app = pilot.app
            await press(pilot, "n")
            names.append(app.screen.chosen.name)
            assert f"'{names[-1]}'" in (said := str(list(app._notifications)[-1].message)) or names[-1] in said
            await press(pilot, "escape")
        assert sorted(names) == ["Aden", "Lisbon"]
        await press(pilot, "n", "x")
        answered = app.screen.chosen
        assert not awaits_signature(answered, ("britain",)) and answered.reason == "rejected"
        await press(pilot, "x", "s")
        assert sum(awaits_signature(t, ("britain",)) for t in app.screen._treaties) == 1
        await press(pilot, "space")
        assert awaits_signature(app.screen.chosen, ("britain",))
        await press(pilot, "s")
        assert app.screen.chosen.name != answered.name and "britain" in app.screen.chosen.signed


async def test_nobody_is_charged_with_breaking_a_draft(app):
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "t", "c")
        assert isinstance(app.screen, TreatyScreen)


async def test_a_draft_says_what_points_it_brings_and_to_whom(home):
    aid = treaty("zz3aa", "Berlin", ["germany", "britain"], ["germany"], {"kind": "defensive"}, public=True, drafted=2)
    async with begun(home, {**NEGOTIATION, "treaties": [aid]}, curtain=False).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "t")
        said = str(pilot.app.screen.query_one("#treaty-text", Static).render())
        assert "Germany: +3 Victory Points a Game Turn" in said and "Britain: " not in said


async def test_a_draft_that_contradicts_a_treaty_of_yours_says_so_and_asks(home):
    both = ["germany", "britain"]
    peace = treaty("zz3aa", "Bern", both, both, {"kind": "non_aggression", "until": 8}, stage="in_force", since=1)
    war = {"kind": "offensive", "against": ["germany"], "until": 8}
    draft = treaty("zz4aa", "Bath", ["france", "britain"], ["france"], war, drafted=2)
    async with begun(home, {**NEGOTIATION, "treaties": [peace, draft]}, curtain=False).run_test(size=(80, 24)) as pilot:
        await press(pilot, "t")
        said = str(pilot.app.screen.query_one("#treaty-text", Static).render())
        told = "It contradicts Bern"
        assert told in " ".join(said.split())
        session = pilot.app.screen.session
        await press(pilot, "s")
        assert told in pilot.app.screen.words() and session.live.treaties[1].stage == DRAFT
        await press(pilot, "y")
        assert session.live.treaties[1].stage == IN_FORCE


def test_a_draft_of_an_earlier_turn_reminds_nobody(home):
    old = {**OTHER, "drafted": 1}
    app = begun(home, {**NEGOTIATION, "treaties": [old]})
    session = LocalSession(PaxHost.open(app.open_path, write=False))
    assert not any(must.where == TREATIES for must in pending_tasks(session))


async def test_an_article_is_revealed_and_a_treaty_lapses(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await press(pilot, "t", "down", "v", "a")
        assert of(game, "Trianon").shown == (), "it asks for a confirmation first"
        await press(pilot, "y")
        assert of(game, "Trianon").shown == (2,)
        await press(pilot, "l")
        assert "to lapse: GB" in rows(app, "#treaty-list")[-1] and "France must agree too" in noticed(app)
        assert "Great Britain agrees that it ends" in str(app.screen.query_one("#treaty-text", Static).render())
        await press(pilot, "escape")
        game.session.take_seat("france")
        await press(pilot, "t", "l")
        assert of(game, "Trianon").stage == "ended" and game.session.live.tension == 0


async def test_breaking_a_treaty_asks_once_more(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await press(pilot, "t", "down", "B")
        assert game.session.live.tension == 0
        await press(pilot, "y")
        assert game.session.live.tension == 5
        assert [(c.holder, c.against) for c in game.session.live.casus_belli if not c.area] == [("france", "britain")]


async def test_the_page_says_what_each_clause_is_worth(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "t", "down")
        page = str(app.screen.query_one("#treaty-text", Static).render())
        assert "✓ Great Britain places no Status marker in Kenya" in page and "✓" in page
        assert "in force" in page and "due" in page


async def test_the_curtain_falls_where_something_is_secret(home):
    app = begun(home, NEGOTIATION)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "s")
        assert isinstance(app.screen, PrivacyScreen)
        await press(pilot, "space")
        assert isinstance(app.screen, GameScreen)


def _same_ideas(session: Any, partner: str) -> tuple[TreatyIdea, ...]:
    """Two ready-made Treaties whose figures do not depend on the bots."""
    pact, sale = (Draft("", (partner,), (parse_clause(session.tables, text),)) for text in ("non aggression", "peace"))
    return TreatyIdea("Non-aggression", pact, 1.5, 0.5, 0.9), TreatyIdea("Buy Senegambia", sale, 12.0, -9.0, 0.0)


@SIZES
@pytest.mark.parametrize("pressed", [("t",), ("t", "n"), ("t", "down"), ("d",), ("4",)], ids=lambda k: "-".join(k))
def test_pictures(app, compare_screen, size, pressed, monkeypatch):
    monkeypatch.setattr(treaty_editor, "treaty_ideas", _same_ideas)

    async def before(pilot: Any) -> None:
        if pressed[0] == "d":
            game = app.screen
            game.session.act_text("dispatch france: Shall we divide Tunis?")
            game.session.take_seat("france")
            game.session.act_text("proclaim: France has no designs on Siam.")
        await press(pilot, *pressed)

    assert compare_screen(app, terminal_size=size, run_before=before)


def test_the_list_of_the_parties_marks_who_is_in(app):
    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "t", "n", "p", "a")
            rows = app.screen.query_one(OptionList)
            assert "[x]" in str(rows.get_option_at_index(0).prompt)
            await press(pilot, "down", "space")
            rows = app.screen.query_one(OptionList)
            assert "[x]" in str(rows.get_option_at_index(1).prompt) and rows.highlighted == 1
            await press(pilot, "escape")
            assert app.screen.parties == [], "Esc leaves it as it was"
            await press(pilot, "p", "down", "space", "enter")
            assert len(app.screen.parties) == 1

    import asyncio

    asyncio.run(run())
