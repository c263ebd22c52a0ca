"""The advice of a statesman, and the reasons of bots."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key

from paxtui.bots.pax.registry import CARETAKER, STATESMAN, choose_bot_actions
from paxtui.cli.plain import status
from paxtui.engine.bots import BotAction
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.diplomacy import IN_FORCE
from paxtui.session.advice import Advice, PlanAdviser, describe_subject, step_title
from paxtui.session.bot_process import BotResponse, compute_response
from paxtui.session.game_host import empty_clock
from paxtui.session.local_session import LocalSession
from paxtui.session.pax_host import PaxHost
from paxtui.session.replay import ReplaySession
from paxtui.tui.app import PaxApp
from paxtui.tui.base.screen import ChoiceList
from paxtui.tui.base.settings import Settings
from paxtui.tui.dialogs.advice import AdviceDialog
from paxtui.tui.dialogs.reports import ReportScreen
from paxtui.tui.diplomacy.congress import CongressScreen
from paxtui.tui.formatting.look import Look
from paxtui.tui.game.replay import ReplayScreen
from paxtui.tui.panes.side_panes import render_log
from paxtui.tui.rendering import key_queue
from tests.rules.harness import tables
from tests.tui.playing import (
    MOVEMENT,
    NEGOTIATION,
    PUBLIC_NEGOTIATION,
    QUIET,
    drawn_text,
    press,
    rows,
    start_at,
    wait_for_keys,
)
from tests.tui.wars import SPOILS, far_east
from tests.waiting import until

FOUR = tuple(seats_for(4))


def first_movement(path: Path | None = None) -> PaxHost:
    """Start the first Movement Phase of a game of four with caretakers at all seats but Britain."""
    table = PaxHost.new(tables(), FOUR, "3", {}, path=path, undo="free", clock=empty_clock)
    table.seat(dict.fromkeys(FOUR[1:], SeatOccupant(by="bot", level="caretaker")))
    table.advance()
    return table


async def app_with_adviser(home: Path, monkeypatch) -> PaxApp:
    """Start a game whose adviser runs in this process."""

    think_in_process(monkeypatch)
    first_movement(home / "game.jsonl").close()
    return PaxApp(path=home / "game.jsonl", settings=Settings(**QUIET))


async def test_keys_typed_during_the_search_apply_to_the_advice(home, monkeypatch):
    app = await app_with_adviser(home, monkeypatch)

    typed = asyncio.Event()

    async def slowly(thinker, game, request):
        await typed.wait()
        return compute_response(game.rules, request)

    monkeypatch.setattr("paxtui.session.bot_process.BotProcess.think", slowly)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        session = app.screen.session
        before = session.version
        for key in ("g", "escape", "g", "a"):
            app.post_message(Key(key, key if len(key) == 1 else None))
        typed.set()
        await until(lambda: session.version > before, pilot=pilot)
        await wait_for_keys(pilot)
        assert session.version == before + 2, "Esc closed the first answer, a letter took a step of the second"
        assert not isinstance(app.screen, AdviceDialog)


async def test_keys_wait_for_advice_beyond_the_key_timeout(home, monkeypatch):
    app = await app_with_adviser(home, monkeypatch)
    may_end = asyncio.Event()

    async def slowly(thinker, game, request):
        monkeypatch.setattr(key_queue, "KEY_TIMEOUT_S", 0.0)
        await may_end.wait()
        return compute_response(game.rules, request)

    monkeypatch.setattr("paxtui.session.bot_process.BotProcess.think", slowly)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        session = app.screen.session
        before, heard = session.version, app.keyboard.heard
        for key in ("g", "a"):
            app.post_message(Key(key, key))
        for _ in range(20):
            await pilot.pause()
        assert app.keyboard.heard == heard + 1 and app.keyboard.busy, "the letter waits for the dialog"
        may_end.set()
        await wait_for_keys(pilot)
        assert session.version == before + 2 and not isinstance(app.screen, AdviceDialog)


async def test_advice_is_asked_from_a_report(home, monkeypatch):
    app = await app_with_adviser(home, monkeypatch)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert isinstance(await press(pilot, "w"), ReportScreen)
        assert isinstance(await press(pilot, "g"), AdviceDialog)


async def test_bot_is_asked_again_if_a_rival_moves_during_the_search(home, monkeypatch):
    app = await app_with_adviser(home, monkeypatch)
    asked = []

    async def with_a_rival(thinker, game, request):
        asked.append(request)
        if len(asked) == 1:
            app.screen.session._game.act("france", "place interest egypt")
        return compute_response(game.rules, request)

    monkeypatch.setattr("paxtui.session.bot_process.BotProcess.think", with_a_rival)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert isinstance(await press(pilot, "g"), AdviceDialog) and len(asked) == 2


async def test_esc_cancels_only_the_search(home, monkeypatch):
    app = await app_with_adviser(home, monkeypatch)

    async def never(thinker, game, request):
        await asyncio.Event().wait()

    monkeypatch.setattr("paxtui.session.bot_process.BotProcess.think", never)
    monkeypatch.setattr("paxtui.tui.dialogs.advice.NOTICE_DELAY_S", 0.0)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        game = app.screen
        before = game.session.version
        await press(pilot, "1")
        assert game.view.is_pane_in_front
        for key in ("g", "escape", "5"):
            app.post_message(Key(key, key if len(key) == 1 else None))
        await wait_for_keys(pilot)
        assert app.screen is game and game.session.version == before
        assert game.view.is_pane_in_front, "Esc cancelled the search and did not close the pane"
        assert game.view.side.pane == "log", "the keys after it are handled"
        assert not app._notifications, "no search is left"
        app.post_message(Key("g", "g"))
        app.post_message(Key("ctrl+q", None))
        await until(lambda: app._exit, lambda: "leaving does not wait for the search", pilot=pilot)


async def test_letter_carries_out_a_step_of_the_plan(home, monkeypatch):
    app = await app_with_adviser(home, monkeypatch)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        session = app.screen.session
        before = session.version
        await press(pilot, "g")
        await wait_for_keys(pilot)
        assert isinstance(app.screen, AdviceDialog)
        texts = rows(app)
        assert len(texts) > 1 and all(line.count("\n") for line in texts), "each step has its reason below it"
        first = texts[0].split("\n")[0].removeprefix("a ")
        assert first == "Place a Protectorate in Kongo, then move A1 A1 A1 from home to Kongo"
        await press(pilot, "escape")
        assert session.version == before
        await press(pilot, "g")
        await wait_for_keys(pilot)
        await press(pilot, "a")
        acts = [line for line in session.view.lines if line.n > before and line.seat == "britain"]
        given = app.screen.view.line.given[-len(acts) :]
        assert given == ["place protectorate kongo", "move A1 A1 A1 home > kongo"]
        await press(pilot, "g")
        assert [row.split("\n")[0][2:] for row in rows(app)] == [row.split("\n")[0][2:] for row in texts[1:]], (
            "the plan stays, without the completed step"
        )


async def test_long_plan_leaves_room_for_keys_on_a_small_screen(home, monkeypatch):
    app = await app_with_adviser(home, monkeypatch)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.push_screen(AdviceDialog(app.screen.session, [Advice(("place interest egypt",), "It pays")] * 20))
        await wait_for_keys(pilot)
        lines = ["".join(piece.text for piece in row) for row in app.screen._compositor.render_strips()]
        assert any("carry out a step" in line for line in lines) and any("A statesman" in line for line in lines)


async def test_one_key_carries_out_the_whole_plan(home, monkeypatch):
    app = await app_with_adviser(home, monkeypatch)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        session = app.screen.session
        await press(pilot, "g")
        await wait_for_keys(pilot)
        steps = len(rows(app))
        await press(pilot, "A")
        await wait_for_keys(pilot)
        acts = [line for line, _ in session.view.in_force() if line.seat == "britain"]
        assert len(acts) >= steps > 1
        await press(pilot, "g")
        await wait_for_keys(pilot)
        assert [row.split("\n")[0] for row in rows(app)] == ["a Ready"]


def plan_of(session: LocalSession, *texts: str, why: str = "Trade") -> PlanAdviser:
    """Return a plan of these orders."""
    plan = PlanAdviser(session)
    plan.request()
    plan.accept(BotResponse([BotAction(text, why) for text in texts]))
    return plan


def test_illegal_orders_are_not_proposed():
    session = LocalSession(first_movement())
    plan = plan_of(session, "place influence london", "place interest persia", "place interest persia", "ready")
    assert [step.texts for step in plan.steps()] == [("place interest persia",)]
    assert [step.texts for step in plan_of(session, "ready", "garrison").steps()] == [("ready",)]


@pytest.mark.parametrize(
    ("order", "title"),
    [
        ("upgrade possession cuba", "Upgrade to a Possession in Cuba"),
        ("downgrade interest siam", "Downgrade to an Interest in Siam"),
        ("withdraw influence persia", "Withdraw the Influence from Persia"),
        ("transfer tunis to italy", "Hand over Tunis to Italy"),
        ("codominion egypt with france", "Propose a Codominion in Egypt with France"),
        ("build A3 N1 north_atlantic", "Build A3 N1 in the North Atlantic"),
        ("move A3 siam > home", "Move A3 home from Siam"),
        ("move N3 home > egypt:mediterranean", "Move N3 from home to Egypt (Mediterranean Sea)"),
        ("merchant new > caribbean", "Place a new Merchant Fleet in the Caribbean Sea"),
        ("merchant oceania > caribbean", "Move a Merchant Fleet from Oceania to the Caribbean Sea"),
        ("pay france 20", "Give £20 to France"),
        ("canal panama with france 15/15 points 8/7", "Build a canal in Panama with France"),
        ("garrison", "Send garrisons to all Areas that need one"),
        ("waive cb1", "Waive the Casus Belli against Japan over Korea"),
        ("declare war japan over cb1", "Declare War on Japan over Korea"),
        ("attack manchuria", "Attack in Manchuria with armies"),
        ("congress france", "Call a Congress of Europe in France"),
        ("treaty with italy: italy leaves tunis", "Propose a Treaty to Italy: Italy gives up Tunis."),
        ("austria_hungary: place interest egypt", "Austria-Hungary: Place an Interest in Egypt"),
        ("pass", "Pass"),
    ],
)
def test_orders_are_in_words(order: str, title: str) -> None:
    table = first_movement()
    cause = {"id": "cb1", "holder": "britain", "against": "japan", "area": "korea"}
    table.act(ARBITER, {"type": "set_position", "patch": {"casus_belli": [cause]}})
    assert step_title(LocalSession(table), Advice((order,), "")) == (title, "")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("place possession hong_kong", "A Possession in Hong Kong"),
        ("leave hong_kong", "Leave Hong Kong to the other victors"),
        ("place", "place"),
    ],
)
def test_answers_of_several_words_are_in_words(answer: str, words: str) -> None:
    """A Power at War for the spoils answers with a marker and an Area; what is no answer stays as it is."""
    table = table_at(SPOILS)
    table.advance()
    asked = table.state.choices[0]
    session = LocalSession(table, asked.seat)
    order = f"choose {asked.id} {answer}"
    assert step_title(session, Advice((order,), ""))[0].casefold() == words.casefold()
    assert words.casefold() in describe_subject(session, order).casefold()


def test_only_reasons_of_the_caretaker_cite_numbers_of_the_general_orders() -> None:
    """Advice comes from a statesman, which borrows their orders for a War and is not bound by them."""
    state = table_at(far_east()).state
    reasons = {
        bot: [act.why for act in choose_bot_actions(bot, tables(), state, dict, "britain", 1)]
        for bot in (CARETAKER, STATESMAN)
    }
    assert all(why.startswith("Rule") for why in reasons[CARETAKER]) and reasons[CARETAKER]
    assert reasons[STATESMAN] and not any("Rule" in why or why[:1].islower() for why in reasons[STATESMAN]), reasons


def test_protectorate_is_proposed_with_its_army():
    session = LocalSession(first_movement())
    texts = ("place protectorate sarawak", "build A1", "move A1 home > sarawak")
    (step,) = plan_of(session, *texts, "ready").steps()
    assert step.texts == texts
    assert step.foresight.price == 23
    assert not step.foresight.ungarrisoned
    without = plan_of(session, *texts[:2], "move A10 home > sarawak", "ready")
    assert [step.texts for step in without.steps()] == [("ready",)], "no marker is proposed without its army"


def test_plan_changes_after_a_different_act():
    session = LocalSession(first_movement())
    plan = plan_of(session, "place interest persia", "place interest siam")
    assert plan.request() is None
    session.act_text("place interest persia")
    plan.mark_done(Advice(("place interest persia",), "Trade", None, (BotAction("place interest persia", "Trade"),)))
    assert plan.request() is None and [step.text for step in plan.steps()] == ["place interest siam"]
    session.act_text("place interest anatolia")
    assert plan.request() is not None


def test_step_follows_the_steps_it_needs():
    session = LocalSession(first_movement())
    texts = ("build A10", "place protectorate sarawak", "move A10 home > sarawak")
    acts = [BotAction(text, why) for text, why in zip(texts, ("Arms", "Rule", "Rule"), strict=True)]
    plan = PlanAdviser(session)
    plan.request()
    plan.accept(BotResponse(acts))
    assert [step.after for step in plan.steps()] == [(), (0,)]


def table_at(patch: dict[str, Any]) -> PaxHost:
    """Return a game of seven at a position."""
    table = PaxHost.new(tables(), seats_for(7), "7", {}, undo="free", clock=empty_clock)
    table.act(ARBITER, {"type": "set_position", "patch": patch})
    return table


def test_step_that_is_no_order_does_not_hide_the_last_word():
    session = LocalSession(table_at({"phase": "negotiation", "turn": 2}), "britain")
    plan = plan_of(session, "dispatch japan: Leave Korea by 1884, or expect War.", "ready")
    request = plan.request()
    assert request is not None and request.what == "last word"
    plan.accept(BotResponse([]))
    assert plan.request() is None and [step.texts for step in plan.steps()] == [("ready",)]


def test_last_word_is_requested_at_once_if_the_plan_is_empty() -> None:
    plan = PlanAdviser(LocalSession(table_at({"phase": "negotiation", "turn": 2}), "britain"))
    for what, is_next in (("move", True), ("last word", False)):
        request = plan.request()
        assert request is not None and request.what == what
        assert plan.accept(BotResponse([BotAction("ready", "Nothing more")])) == is_next
    assert plan.request() is None


def test_orders_of_a_war_are_proposed_one_by_one_and_end_with_their_phase():
    table = table_at(far_east())
    session = LocalSession(table, "britain")
    plan = plan_of(session, "move A3 manchuria > korea", "move A3 manchuria > korea", "pass", why="Korea")
    assert [step.texts for step in plan.steps()] == [("move A3 manchuria > korea",), ("pass",)]
    assert plan.request() is None
    for seat in ("britain", "japan"):
        table.act(seat, "pass")
    table.advance()
    assert session.live.wars[0].stage == "attack" and plan.request() is not None


async def test_step_carries_out_the_step_it_needs(home, monkeypatch):
    app = await app_with_adviser(home, monkeypatch)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        steps = [Advice(("place interest siam",), "Trade"), Advice(("place interest persia",), "Trade", after=(0,))]
        done = []
        app.push_screen(AdviceDialog(app.screen.session, steps), done.append)
        await wait_for_keys(pilot)
        assert "Needs a first: Enter does all of them." in rows(app)[1] and "Needs" not in rows(app)[0]
        await press(pilot, "b")
        assert done == [steps]


def test_army_is_proposed_for_a_new_protectorate():
    session = LocalSession(first_movement())
    session.act_text("place protectorate sarawak")
    plan = PlanAdviser(session)
    plan.accept(compute_response(session.view.game_log.rules, plan.request()))
    assert any(text.endswith("> sarawak") for step in plan.steps() for text in step.texts)


def test_plain_mode_gives_advice():
    session = LocalSession(first_movement())
    lines = status.advice_lines(session)
    assert len(lines) > 1 and lines[0].startswith("1. ") and lines[0].endswith(").")
    session.act_text("ready")
    assert session.waiting() or status.advice_lines(session) == ["There is nothing for you to do now."]


def test_log_shows_reasons_by_setting_and_at_the_end(home, monkeypatch):
    table = first_movement()
    session = LocalSession(table)
    table.act("france", "place interest persia", why="it pays from the third turn on")
    dark = PaxApp(settings=Settings()).look.palette
    texts = [render_log(session, Look(dark, why), 200).plain for why in (False, True)]
    assert ["because: it pays from the third turn on" in text for text in texts] == [False, True]
    table.act(ARBITER, {"type": "set_position", "patch": {"turn": 10, "phase": "victory_point_record"}})
    table.advance()
    assert "because: it pays" in render_log(session, Look(dark), 200).plain


async def test_log_list_and_replay_show_reasons(home):
    with first_movement(home / "game.jsonl") as table:
        table.act("france", "place interest persia", why="it pays from the third turn on")
        table.act(ARBITER, {"type": "set_position", "patch": {"turn": 10, "phase": "victory_point_record"}})
        table.advance()
    for screen in (None, ReplayScreen(ReplaySession(home / "game.jsonl"))):
        app = PaxApp(path=None if screen else home / "game.jsonl", settings=Settings(**QUIET))
        async with app.run_test(size=(120, 40)) as pilot:
            if screen is not None:
                await app.push_screen(screen)
            await press(pilot, "l")
            lines = app.screen.query_one("#log-lines", ChoiceList)
            lines.highlighted = next(n for n, row in enumerate(rows(app, "#log-lines")) if "Interest in Persia" in row)
            await pilot.pause()
            assert "because: it pays from the third turn on" in drawn_text(app, "#log-why")


def think_in_process(monkeypatch) -> None:
    """Run the adviser in this process."""

    async def here(thinker, game, request):
        return compute_response(game.rules, request)

    monkeypatch.setattr("paxtui.session.bot_process.BotProcess.think", here)


async def test_advice_judges_waiting_drafts_and_names_their_treaty(home, monkeypatch):
    think_in_process(monkeypatch)
    async with start_at(home, NEGOTIATION, curtain=False).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        app, session = pilot.app, pilot.app.screen.session
        assert status.advice_lines(session)[:2] == [
            "1. sign m2xwq (The Treaty is worth about £1).",
            "   The Treaty of Lisbon with Italy.",
        ]
        await press(pilot, "g")
        await wait_for_keys(pilot)
        assert rows(app)[0].startswith("a Sign the Treaty of Lisbon with Italy\n")
        await press(pilot, "a")
        assert next(t for t in session.live.treaties if t.id == "m2xwq").stage == IN_FORCE


def test_drafts_of_the_last_turn_do_not_hide_the_plan() -> None:
    """A draft of this turn is judged before the plan; one of the last turn is not, though it can be signed."""
    first = []
    for drafted in (2, 1):
        old = [{**draft, "drafted": drafted} for draft in NEGOTIATION["treaties"]]
        table = first_movement()
        table.act(ARBITER, {"type": "set_position", "patch": {**MOVEMENT, "turn": 2, "treaties": old}})
        first.append(status.advice_lines(LocalSession(table))[0])
    assert "m2xwq" in first[0] and "m2xwq" not in first[1] and "place" in first[1]


async def test_advice_in_the_congress_answers_the_question(home, monkeypatch):
    think_in_process(monkeypatch)
    async with start_at(home, PUBLIC_NEGOTIATION, handover="none").run_test(size=(80, 24)) as pilot:
        app, session = pilot.app, pilot.app.screen.session
        session.take_seat("france")
        session.act_text("congress britain")
        for seat in session.live.players:
            session.take_seat(seat)
            session.act_text("ready")
        await wait_for_keys(pilot)
        hall = app.screen
        assert isinstance(hall, CongressScreen) and hall.own_question() is not None
        asked = hall.own_question().id
        await press(pilot, "g")
        await wait_for_keys(pilot)
        assert isinstance(app.screen, AdviceDialog)
        text = rows(app)[0]
        assert "choose" not in text and "Congress" in text, text
        await press(pilot, "a")
        assert app.screen is hall and all(choice.id != asked for choice in session.live.choices)
