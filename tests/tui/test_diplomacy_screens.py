"""Dispatches, Treaties, proposals and the Treaty editor, by keys and as recordings."""

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
from tests.tui.playing import NEGOTIATION, SIZES, drawn_text, keys_of, notices, press, rows, start_at, treaty
from tests.waiting import until


@pytest.fixture
def app(home: Path) -> PaxApp:
    """A Negotiation Phase with a Treaty in force and a draft that waits for Britain."""
    return start_at(home, NEGOTIATION, curtain=False)


def agreement(game: GameScreen, name: str) -> Any:
    """Return the agreement with a name."""
    return next(t for t in game.session.live.treaties if t.name == name)


# Dispatches


@SIZES
async def test_dispatch_is_written_read_and_answered(app, size):
    async with app.run_test(size=size) as pilot:
        game = app.screen
        await press(pilot, "d")
        assert isinstance(app.screen, DispatchScreen)
        await press(pilot, "n", keys_of("france: divide tunis?"), "enter", "escape")
        assert app.screen is game
        game.session.take_seat("france")
        await pilot.pause()
        assert unread_dispatch_count(game.session) == 1 and "1 unread dispatch" in str(
            game.query_one("#now", Static).render()
        )
        await press(pilot, "d")
        assert "divide tunis?" in str(app.screen.query_one("#dispatch-text", Static).render())
        await press(pilot, "r", keys_of("gladly"), "enter", "escape")
        assert unread_dispatch_count(game.session) == 0
        game.session.take_seat("britain")
        assert [d.text for d in game.session.view.dispatches()] == ["divide tunis?", "gladly"]
        game.session.take_seat("italy")
        assert game.session.view.dispatches() == ()
        assert "tunis?" not in " ".join(e.text for e in game.session.view.log())


async def test_dispatch_to_unknown_recipient_is_refused(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "d", "n", keys_of("narnia: hello"), "enter")
        line = app.screen.query_one("#dispatch-line")
        assert line.display and line.value == "narnia: hello"
        await press(pilot, "escape", "p", keys_of("peace"), "enter")
        assert (text := app.screen_stack[1].session.view.dispatches()[-1]).to == () and text.text == "peace"


# Treaties


@SIZES
async def test_treaty_is_drafted_and_signed(app, size):
    async with app.run_test(size=size) as pilot:
        game = app.screen
        await press(pilot, "t", "n")
        assert isinstance(app.screen, TreatyEditor)
        await press(pilot, "p", "a", "enter")  # France
        await press(pilot, "a", keys_of("no marker by france in kenya until 1892"))
        text = str(app.screen.query_one("#editor-says", Static).render())
        assert "France" in text and "Kenya" in text and "1892" in text
        await press(pilot, "enter", "a", keys_of("nonsense"), "enter")
        assert app.screen.query_one("#editor-line").display and len(app.screen.clauses) == 1
        await press(pilot, "escape", "up", "s")
        assert app.screen.clauses[0].secret
        await press(pilot, "n", ["backspace"] * 30, keys_of("Cairo"), "enter", "f10")
        assert isinstance(app.screen, TreatyScreen)
        draft = agreement(game, "Cairo")
        assert draft.stage == DRAFT and draft.signed == ("britain",) and draft.parties == ("britain", "france")
        await press(pilot, "escape")
        game.session.take_seat("italy")
        assert "Cairo" not in str(game.session.state.treaties)
        game.session.take_seat("france")
        await press(pilot, "t")
        assert app.screen.chosen.name == "Cairo"  # the draft that waits for a signature comes first
        await press(pilot, "s", "escape")
        assert agreement(game, "Cairo").stage == IN_FORCE


async def test_proposal_shows_its_changes(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        game.session.take_seat("france")
        await press(pilot, "t", "p", "p", keys_of("f"), "enter")
        screen = app.screen
        assert isinstance(screen, TreatyEditor)
        if "italy" not in screen.parties:
            screen.parties = ["italy"]
        for article in ("italy lowers tunis to interest", "france pays italy 15"):
            await press(pilot, "a", keys_of(article), "enter")
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


async def test_draft_names_required_signers(home):
    holders = [{"power": p, "marker": "protectorate"} for p in ("britain", "france")]
    shared = {"markers": holders, "codominion": ["britain", "france"]}
    grant = {"kind": "grant", "power": "britain", "to": "germany", "marker": "protectorate", "places": ["kenya"]}
    draft = treaty("zz3aa", "Malta", ["britain", "germany"], ["germany"], grant, drafted=2)
    app = start_at(home, {**NEGOTIATION, "areas": {"kenya": shared}, "treaties": [draft]}, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await press(pilot, "t")
        assert "It also needs the signature of France" in str(app.screen.query_one("#treaty-text", Static).render())
        await press(pilot, "p")
        editor = app.screen
        text = "Great Britain lets Germany place a Protectorate beside its own in Kenya"
        await press(pilot, "a", keys_of(text.casefold()), "enter")
        assert editor.parties == ["germany", "france"] and describe_clause(session.tables, editor.clauses[0]) == text
        editor.parties = ["germany"]
        await press(pilot, "o")
        assert "France must sign too (p)" in " ".join(screen_text(app))
        await press(pilot, "a", keys_of("italy pays britain 10"), "enter")
        assert editor.parties == ["germany", "italy"]


@pytest.fixture
def argentina_dispute(home: Path) -> PaxApp:
    """A Negotiation Phase in which Germany and France dispute Argentina."""
    markers = [{"power": p, "marker": "influence"} for p in ("france", "germany")]
    rivals = (("germany", "france"), ("france", "germany"))
    more = {
        "areas": {"argentina": {"markers": markers}},
        "powers": {"germany": {"treasury": 60}, "france": {"treasury": 40}},
        "casus_belli": [{"holder": a, "against": b, "area": "argentina", "rule": "STA-024"} for a, b in rivals],
        "treaties": [],
    }
    return start_at(home, NEGOTIATION | more, curtain=False)


async def test_examples_of_articles_name_the_current_dispute(argentina_dispute):
    async with argentina_dispute.run_test(size=(80, 24)):
        session = argentina_dispute.screen.session
        tables, state = session.tables, session.live
    assert example_article(tables, state, "waive", "germany", ["france"]) == "germany waives argentina"
    assert example_article(tables, state, "pay", "germany", []) == "germany pays france 5 every turn until 1892"
    for kind in CLAUSE_KINDS:
        for partners in ([], ["france"], ["netherlands"]):
            clause = parse_clause(tables, example_article(tables, state, kind, "germany", partners))
            assert clause.kind in (kind, "transfer")
            assert {clause.power, clause.to} <= {"", "germany", *(partners or ["france"])}, (kind, partners, clause)


async def test_waived_casus_belli_is_shown_before_signing(argentina_dispute):
    async with argentina_dispute.run_test(size=(120, 40)) as pilot:
        game = argentina_dispute.screen
        game.session.take_seat("germany")
        await press(pilot, "t", "p")
        argentina_dispute.screen.parties = ["france"]
        for article in ("france waives argentina", "germany pays france 32"):
            await press(pilot, "a", keys_of(article), "enter")
        await press(pilot, "f10")
        page = str(argentina_dispute.screen.query_one("#treaty-text", Static).render())
        change = page[page.index("What it changes") :]
        assert "France against Germany over Argentina" in change and "ended" in change and "£28" in change
        await press(pilot, "m")
        title = str(argentina_dispute.screen.query_one("#terms-title", Static).render())
        assert "Settlement of Germany and France (1882)" in title or "Settlement of France and Germany" in title
        text = str(argentina_dispute.screen.query_one("#terms-told", Static).render())
        assert "France against Germany over Argentina" in text and "£28" in text


@SIZES
async def test_ready_made_treaty_fills_the_editor(app, size):
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
async def test_editor_estimates_the_draft(app, size):
    async with app.run_test(size=size) as pilot:
        await press(pilot, "t", "n", "a", keys_of("france pays britain 30"), "enter")
        await pilot.pause()
        one = str(app.screen.query_one("#editor-says", Static).render())
        assert one.startswith("Brings you +") and "France -" in one and "(signs: hardly)" in one
        await press(pilot, "a", keys_of("britain pays france 60"), "enter")
        await pilot.pause()
        assert str(app.screen.query_one("#editor-says", Static).render()).startswith("Brings you -")


async def test_rejected_draft_can_be_changed_and_offered_again(app):
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await press(pilot, "t", "n", "a", keys_of("britain pays italy 5"), "enter", "f10")
        offered = app.screen.chosen
        session._game.act("italy", f"reject {offered.id}")
        session.look_at(None)
        await pilot.pause()
        await press(pilot, "a")
        assert isinstance(app.screen, TreatyEditor)
        assert tuple(app.screen.clauses) == offered.clauses and app.screen.parties == ["italy"]
        await press(pilot, "a", keys_of("britain pays italy 6 in 1892"), "enter", "f10")
        assert app.screen.chosen.id != offered.id and len(app.screen.chosen.clauses) == 2


async def test_counter_draft_is_selected(app):
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await press(pilot, "t", "n", "a", keys_of("britain pays italy 5"), "enter", "f10")
        offered = app.screen.chosen
        session._game.act("italy", f"amend {offered.id}: britain pays italy 15")
        session.look_at(None)
        await pilot.pause()
        assert app.screen.chosen.instead == offered.id
        assert "Brings you -" in str(app.screen.query_one("#treaty-text", Static).render())


async def test_answer_during_closing_of_the_editor_is_handled(app):
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        await press(pilot, "t", "n")
        editor = app.screen
        editor.dismiss(True)
        while editor.is_attached:  # its rows are removed first
            session.look_at(None)
            await asyncio.sleep(0)
        await pilot.pause()
        assert isinstance(app.screen, TreatyScreen)


async def test_wish_question_is_sent_from_the_editor(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "t", "n")
        editor = app.screen
        await until(lambda: editor.query_one("#editor-list", OptionList).option_count > 3, pilot=pilot)
        await press(pilot, "w")
        assert "A person plays France. Your question is in their dispatches." in " ".join(screen_text(app))
        assert editor.session.view.dispatches()[-1].text == "What do you want?"


async def test_answer_shown_in_the_editor_counts_as_read(app):
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


OTHER_DRAFT = treaty("zz2aa", "Aden", ["italy", "britain"], ["italy"], {"kind": "text", "text": "Friends"}, drafted=2)
THREATENING_DRAFT = treaty(
    "zz4aa", "Malta", ["britain", "italy"], ["italy"],
    {"kind": "lower", "power": "britain", "places": ["kenya"], "turn": 3},
    {"kind": "waive", "power": "italy", "places": ["kenya"], "to": "britain"}, drafted=2, drafter="italy",
)  # fmt: skip


CEDING_DRAFT = treaty(
    "zz4aa", "Malta", ["britain", "italy"], ["italy"],
    {"kind": "transfer", "power": "britain", "places": ["kenya"], "to": "italy"},
    {"kind": "pay", "power": "britain", "to": "italy", "amount": 13},
    {"kind": "waive", "power": "italy", "places": ["kenya"], "to": "britain"}, drafted=2, drafter="italy",
)  # fmt: skip


@SIZES
@pytest.mark.parametrize(
    ("draft", "demand"), [(THREATENING_DRAFT, "leave by 1888"), (CEDING_DRAFT, "hand over now")], ids=["leave", "cede"]
)
async def test_threat_is_shown_on_the_main_screen(home, size, draft, demand):
    cause = {"holder": "italy", "against": "britain", "area": "kenya", "rule": "STA-024"}
    kenya = {"markers": [{"power": "britain", "marker": "protectorate"}]}
    patch = {"areas": {"kenya": kenya}, "casus_belli": [cause], "treaties": [OTHER_DRAFT, draft]}
    app = start_at(home, {**NEGOTIATION, **patch}, curtain=False)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert "! Italy demands that you" in " ".join(screen_text(app))
        await press(pilot, "n")
        assert app.screen.chosen.name == "Malta"
        await press(pilot, "escape")
        assert app.screen.view.map.cursor == "kenya"
        assert f"Italy: {demand}, or expect War (n)" in " ".join(screen_text(app))
        app.screen.session.act_text("reject zz4aa")
        await pilot.pause()
        assert "or expect War" not in " ".join(screen_text(app))


async def test_draft_is_amended_and_rejected(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await press(pilot, "t", "a", "delete", "f10")
        answered = [t for t in game.session.live.treaties if t.instead]
        assert len(answered) == 1 and len(answered[0].clauses) == 2
        assert next(t for t in game.session.live.treaties if t.id == "m2xwq").reason == "superseded"
        await press(pilot, "x")
        assert next(t for t in game.session.live.treaties if t.instead).stage == "ended"


async def test_drafts_ended_in_an_earlier_turn_are_not_listed(home):
    clause = {"kind": "text", "text": "Friends"}
    old = treaty("zz6aa", "Aden", ["italy", "britain"], ["italy"], clause, drafted=1, stage="ended", reason="rejected")
    new = {**old, "id": "zz7aa", "name": "Cadiz", "drafted": 2}
    app = start_at(home, {**NEGOTIATION, "treaties": [old, new]}, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "t")
        assert [t.name for t in app.screen._treaties] == ["Cadiz"]


async def test_seat_with_two_powers_signs_for_the_missing_one(home):
    parties = ["germany", "russia", "austria_hungary"]
    draft = treaty("zz5aa", "Munich", parties, parties[:2], {"kind": "non_aggression", "until": 4}, drafted=2)
    app = start_at(home, {**NEGOTIATION, "treaties": [draft]}, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        session = app.screen.session
        session.take_seat("germany")
        await press(pilot, "t", "s")
        assert set(session.live.treaties[-1].signed) == set(parties)


TWO_DRAFTS = {**NEGOTIATION, "treaties": [OTHER_DRAFT, *NEGOTIATION["treaties"]]}


async def test_waiting_draft_is_selected_and_next_one_is_not_answered(home):
    async with start_at(home, TWO_DRAFTS, curtain=False).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        names = []
        for _ in range(2):
            app = pilot.app
            await press(pilot, "n")
            names.append(app.screen.chosen.name)
            assert notices(app) == "", "the screen says which draft it is, and no message covers it"
            assert any(row.startswith(f"{names[-1]} ") for row in drawn_text(app, "#treaty-text").split("\n"))
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


async def test_a_draft_cannot_be_broken(app):
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "t", "c")
        assert isinstance(app.screen, TreatyScreen)


async def test_draft_shows_victory_points_of_each_party(home):
    aid = treaty("zz3aa", "Berlin", ["germany", "britain"], ["germany"], {"kind": "defensive"}, public=True, drafted=2)
    async with start_at(home, {**NEGOTIATION, "treaties": [aid]}, curtain=False).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await press(pilot, "t")
        text = str(pilot.app.screen.query_one("#treaty-text", Static).render())
        assert "Germany: +3 Victory Points a Game Turn" in text and "Britain: " not in text


async def test_contradictory_draft_warns_before_signing(home):
    both = ["germany", "britain"]
    peace = treaty("zz3aa", "Bern", both, both, {"kind": "non_aggression", "until": 8}, stage="in_force", since=1)
    war = {"kind": "offensive", "against": ["germany"], "until": 8}
    draft = treaty("zz4aa", "Bath", ["france", "britain"], ["france"], war, drafted=2)
    async with start_at(home, {**NEGOTIATION, "treaties": [peace, draft]}, curtain=False).run_test(
        size=(80, 24)
    ) as pilot:
        await press(pilot, "t")
        text = str(pilot.app.screen.query_one("#treaty-text", Static).render())
        warning = "It contradicts Bern"
        assert warning in " ".join(text.split())
        session = pilot.app.screen.session
        await press(pilot, "s")
        assert warning in pilot.app.screen.words() and session.live.treaties[1].stage == DRAFT
        await press(pilot, "y")
        assert session.live.treaties[1].stage == IN_FORCE


def test_draft_of_an_earlier_turn_is_no_task(home):
    old = {**OTHER_DRAFT, "drafted": 1}
    app = start_at(home, {**NEGOTIATION, "treaties": [old]})
    session = LocalSession(PaxHost.open(app.open_path, write=False))
    assert not any(must.where == TREATIES for must in pending_tasks(session))


async def test_article_is_revealed_and_treaty_lapses(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await press(pilot, "t", "down", "v", "a")
        assert agreement(game, "Trianon").shown == (), "it asks for a confirmation first"
        await press(pilot, "y")
        assert agreement(game, "Trianon").shown == (2,)
        await press(pilot, "l")
        assert "to lapse: GB" in rows(app, "#treaty-list")[-1] and "France must agree too" in notices(app)
        assert "Great Britain agrees that it ends" in str(app.screen.query_one("#treaty-text", Static).render())
        await press(pilot, "escape")
        game.session.take_seat("france")
        await press(pilot, "t", "l")
        assert agreement(game, "Trianon").stage == "ended" and game.session.live.tension == 0


async def test_breaking_a_treaty_asks_for_confirmation(app):
    async with app.run_test(size=(120, 40)) as pilot:
        game = app.screen
        await press(pilot, "t", "down", "B")
        assert game.session.live.tension == 0
        await press(pilot, "y")
        assert game.session.live.tension == 5
        assert [(c.holder, c.against) for c in game.session.live.casus_belli if not c.area] == [("france", "britain")]


async def test_treaty_page_shows_state_of_each_clause(app):
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "t", "down")
        page = str(app.screen.query_one("#treaty-text", Static).render())
        assert "✓ Great Britain places no Status marker in Kenya" in page and "✓" in page
        assert "in force" in page and "due" in page


async def test_treaty_page_shows_the_end_between_two_parties(home):
    rome = treaty(
        "rome", "Rome", ["britain", "france", "italy"], ["britain", "france", "italy"],
        {"kind": "pay", "power": "france", "to": "italy", "amount": 5, "every_turn": True},
        public=True, stage="in_force", since=1, partial_ends=[{"powers": ["italy", "france"]}],
    )  # fmt: skip
    app = start_at(home, {**NEGOTIATION, "treaties": [rome]}, curtain=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "t")
        page = str(app.screen.query_one("#treaty-text", Static).render())
        assert "Ended between Italy and France because of War" in page
        assert "1 · France pays Italy £5 every Game Turn ended" in page and "due" not in page


async def test_curtain_hides_secrets_between_seats(home):
    app = start_at(home, NEGOTIATION)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "s")
        assert isinstance(app.screen, PrivacyScreen)
        await press(pilot, "space")
        assert isinstance(app.screen, GameScreen)


def fixed_ideas(session: Any, partner: str) -> tuple[TreatyIdea, ...]:
    """Return two ready-made Treaties whose figures do not depend on bots."""
    pact, sale = (Draft("", (partner,), (parse_clause(session.tables, text),)) for text in ("non aggression", "peace"))
    return TreatyIdea("Non-aggression", pact, 1.5, 0.5, 0.9), TreatyIdea("Buy Senegambia", sale, 12.0, -9.0, 0.0)


@SIZES
@pytest.mark.parametrize("pressed", [("t",), ("t", "n"), ("t", "down"), ("d",), ("4",)], ids=lambda k: "-".join(k))
def test_diplomacy_screens_look(app, compare_screen, size, pressed, monkeypatch):
    monkeypatch.setattr(treaty_editor, "treaty_ideas", fixed_ideas)

    async def before(pilot: Any) -> None:
        if pressed[0] == "d":
            game = app.screen
            game.session.act_text("dispatch france: Shall we divide Tunis?")
            game.session.take_seat("france")
            game.session.act_text("proclaim: France has no designs on Siam.")
        await press(pilot, *pressed)

    assert compare_screen(app, terminal_size=size, run_before=before)


async def test_editor_asks_before_articles_are_lost(app):
    async with app.run_test(size=(80, 24)) as pilot:
        editor = await press(pilot, "t", "n")
        assert type(await press(pilot, "escape")).__name__ == "TreatyScreen", "without articles it closes"
        editor = await press(pilot, "n")
        await press(pilot, "a", keys_of("defensive"), "enter")
        assert len(editor.clauses) == 1
        assert type(await press(pilot, "escape")).__name__ == "ConfirmDialog"
        assert await press(pilot, "n") is editor and len(editor.clauses) == 1
        assert type(await press(pilot, "escape", "y")).__name__ == "TreatyScreen"


async def test_party_list_marks_selected_powers(app):
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
