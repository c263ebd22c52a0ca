"""The expert: its search has a budget of rollouts and is reproducible by seed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from paxtui.bots.pax import registry
from paxtui.bots.pax.expert import search
from paxtui.bots.pax.expert.rollouts import carry_out, play_turn, score
from paxtui.bots.pax.profiles import LEVELS, character_of, parse_level_and_temper
from paxtui.engine.bots import BotAction
from paxtui.engine.dice import Dice
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.bot_process import INTERRUPTED, BotProcess, BotResponse, bot_request
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import tables
from tests.waiting import until

EXPERT = "statesman:expert"


@pytest.fixture(scope="module")
def game() -> PaxHost:
    """The first Movement Phase of a game of four."""
    table = PaxHost.new(tables(), seats_for(4), "3", {}, undo="free", clock=empty_clock)
    table.advance()
    return table


@pytest.fixture
def small_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search of two candidates with two rollouts each."""
    monkeypatch.setattr(search, "CANDIDATES", 2)
    monkeypatch.setattr(search, "DICE_SEEDS", ("a", "b"))
    monkeypatch.setattr(search, "FINALISTS", 2)


def test_levels_are_ordered_and_named() -> None:
    assert LEVELS == ("easy", "normal", "hard", "expert")
    assert parse_level_and_temper(["expert", "bold"]) == ("expert", "bold")
    assert registry.bot_name(registry.parse_bot_name("statesman:expert:bold")) == "statesman:expert:bold"
    assert character_of("expert", "bold")._replace(level="hard", bargaining_share=0.2) == character_of("hard", "bold")


def test_search_is_reproducible_and_reports_rollouts(game: PaxHost, small_search: None) -> None:
    state = game.state_for("france")
    found, reports = [], []
    for _ in range(2):
        progress: list[tuple[int, int]] = []

        def report(
            done: int, budget: int, best: Sequence[BotAction], progress: list[tuple[int, int]] = progress
        ) -> None:
            progress.append((done, budget))
            assert best

        found.append(search.search_movement(tables(), state, "france", character_of("expert", ""), "s", report))
        reports.append(progress)
    assert found[0] == found[1] and reports[0] == reports[1]
    assert reports[0] in ([(1, 4)], [(1, 4), (2, 4), (3, 4), (4, 4)]), "equal plans are rolled out once"


def test_rollout_ends_with_the_turn_and_depends_on_dice_only(game: PaxHost) -> None:
    orders = [BotAction("place interest persia"), BotAction("place interest london"), BotAction("ready")]
    after = carry_out(tables(), game.state, "france", orders, Dice("x"))
    assert [m.power for m in after.areas["persia"].markers] == ["france"]
    ends = [play_turn(tables(), after, Dice("x")) for _ in range(2)]
    assert ends[0].turn == 2 and ends[0] == ends[1]
    assert score(tables(), ends[0], "france") == score(tables(), ends[1], "france")


def test_only_movement_is_searched(game: PaxHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "search_movement", lambda *_: pytest.fail("nothing to search for"))
    negotiation = PaxHost.new(tables(), seats_for(4), "3", {}, undo="free", clock=empty_clock)
    negotiation.act("arbiter", {"type": "set_position", "patch": {"phase": "negotiation"}})
    request = bot_request(negotiation, "france", EXPERT)
    assert registry.PaxBots().choose(negotiation.rules, request)[-1].text == "ready"


async def test_interrupted_search_plays_the_best_plan_so_far(game: PaxHost, monkeypatch: pytest.MonkeyPatch) -> None:
    thinker = BotProcess()
    request = bot_request(game, "france", EXPERT)
    try:
        pending = asyncio.create_task(thinker.think(game.game, request))
        await until(lambda: thinker.progress is not None or pending.done())
        progress = thinker.progress
        assert progress is not None and 0 < progress.searched < progress.budget
        thinker.hurry()
        answer = await pending
        assert answer != INTERRUPTED and answer.acts and not answer.failure
        assert thinker.progress is None
        following = await thinker.think(game.game, bot_request(game, "germany", "statesman:normal"))
        assert following.acts and following != answer
    finally:
        thinker.end()


def test_partial_response_has_searched_less_than_the_budget() -> None:
    assert BotResponse(searched=2, budget=4).is_partial
    assert not BotResponse().is_partial and not BotResponse(searched=4, budget=4).is_partial
