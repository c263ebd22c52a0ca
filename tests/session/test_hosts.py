"""Games of both kinds on a `GameHost`: seats, bots, clocks, fair dice, late players, and saved logs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest

from paxtui.engine.clock import OTHER_PHASES, ClockSet, Paused, Resumed, TimeOut
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import FIRST_RULEBOOK, parse
from paxtui.engine.notes import describe_table_note
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import PERSON, SeatOccupant
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.session.fair_dice import DiceClient, DiceKeeper, new_seed
from paxtui.session.game_clock import GameClock
from paxtui.session.game_host import GameHost, SeatLog, empty_clock
from paxtui.session.games import GAME_KINDS, bots_of, find_scenario, load_game
from paxtui.session.hosts import bot_runner, new_game, open_game
from paxtui.session.storage.log_store import LogReplaced
from paxtui.session.storage.saved_games import list_games
from tests.places import SAVES

SCENARIOS = [(kind.rulebook, one.id) for kind in GAME_KINDS.values() for one in kind.scenarios()]
SAVED_LOGS = sorted(path for path in (*SAVES.glob("*.jsonl"), *(SAVES / "empires").glob("*.jsonl")))


@pytest.fixture(params=SCENARIOS, ids=lambda param: param[1])
def table(request: pytest.FixtureRequest) -> GameHost:
    rulebook, scenario = request.param
    persons = dict.fromkeys(find_scenario(rulebook, scenario).bots, PERSON)
    return new_game(rulebook, "1", scenario=scenario, clock=empty_clock, occupants=persons)


def steady(table: GameHost) -> SeatOccupant:
    return bots_of(table.rules).parse_name("steady")


def advance(table: GameHost) -> GameHost:
    """Advance to the first question to a seat."""
    table.advance()
    return table


def test_occupants_are_noted_and_verified(table: GameHost) -> None:
    person, bot, *others = table.seats
    hidden = SeatOccupant(by="bot", level="hard", temper="bold", hidden=True)
    table.seat({bot: steady(table), person: hidden, **dict.fromkeys(others, SeatOccupant(name="Ann"))})
    assert table.occupant(bot).is_automatic and all(table.occupant(seat).name == "Ann" for seat in others)
    told = [describe_table_note(table.rules, line) for line in table.game.lines if line.kind == "note"]
    assert told[0] is not None and f"{table.rules.seat_name(bot)}: steady bot" in told[0].text
    note = next(line for line in table.lines_for(SPECTATOR) if line.kind == "note")
    assert "temper" not in note.action["seats"][person], "only the arbiter sees it"
    assert table.verify() == []
    with pytest.raises(Refusal, match="There is no seat 'atlantis'"):
        table.seat({"atlantis": SeatOccupant()})


@pytest.mark.slow
@pytest.mark.parametrize("table", [one for one in SCENARIOS if one[0] != "pax" or one[1] == "1880"], indirect=True)
def test_bots_finish_a_game_and_its_log_is_read_again(table: GameHost, tmp_path: Path) -> None:
    """The other scenarios of Pax are played to their end and verified in `test_scenarios.py`."""
    table.seat(dict.fromkeys(table.seats, steady(table)))
    for _ in range(1000):
        if table.is_over:
            break
        bot_runner(table).run()
        table.advance()
    assert table.is_over and table.waiting == ()
    result = table.rules.result(table.state)
    assert result is not None and result.winners
    table.save_as(tmp_path / "game.jsonl")
    again = open_game(tmp_path / "game.jsonl", write=False)
    assert type(again) is type(table) and again.state == table.state
    assert table.rules.rulebook == FIRST_RULEBOOK or not again.verify()  # games of Pax: see above
    assert not list_games(tmp_path)[0].error


def test_failing_bot_is_replaced_and_noted(table: GameHost, monkeypatch: pytest.MonkeyPatch) -> None:
    advance(table)
    seat = table.waiting[0]
    table.seat({seat: steady(table)})
    bots = type(bots_of(table.rules))
    real = bots.choose

    def fail(self: object, game: object, request: object) -> object:
        raise KeyError("a mistake")

    monkeypatch.setattr(bots, "choose", fail)
    bot_runner(table).run()
    monkeypatch.setattr(bots, "choose", real)
    assert seat not in table.waiting or set(table.waiting) - {seat}
    assert table.verify() == []


def test_clock_and_pause_are_notes_and_late_seats_get_defaults(table: GameHost) -> None:
    advance(table)
    now, tick = datetime(2026, 1, 1, tzinfo=UTC), [0.0]
    clock = GameClock(table, lambda: (now + timedelta(seconds=tick[0])).isoformat(), lambda: tick[0])
    table.announce(ClockSet({OTHER_PHASES: 600}))
    assert clock.look() == () and clock.left == 600
    tick[0] = 10.0
    table.announce(Paused("tea"))
    assert clock.look() == ()
    table.announce(Resumed())
    tick[0] = 20.0
    clock.look()
    tick[0] = 700.0
    waiting = table.waiting
    assert clock.look() == waiting
    assert isinstance(table.game.line(table.version).action, dict)
    moment = table.state
    table.take_defaults(waiting)
    assert table.state != moment
    assert table.verify() == []
    for early in set(table.seats) - set(table.waiting):
        table.announce(TimeOut((early,), "default"))
        assert table.verify()[-1].line == table.version, "that seat was not waited for"


def test_substitute_bot_plays_a_late_seat_to_the_end_of_the_phase(table: GameHost) -> None:
    advance(table)
    late = table.waiting
    runner = bot_runner(table, late=late)
    assert runner.waited_for
    before = table.version
    runner.run()
    assert not runner.waited_for and table.version > before
    assert {line.seat for line in table.game.lines_after(before)} <= {*late, ARBITER}
    assert all(not table.occupant(seat).is_automatic for seat in table.seats)


@pytest.mark.parametrize(("rulebook", "scenario"), SCENARIOS)
def test_fair_dice_in_each_game(rulebook: str, scenario: str, tmp_path: Path) -> None:
    path = tmp_path / "fair.jsonl"
    table = new_game(rulebook, new_seed(), scenario=scenario, path=path, dice="fair", clock=empty_clock)
    table.seat({table.seats[0]: steady(table)})
    keeper = DiceKeeper(table)
    keeper.ask()
    for _ in range(2):
        for seat in table.seats[1:]:
            note = DiceClient(table.header_for(seat), seat, tmp_path / seat).next_note(table.game.dice)
            assert note is not None
            table.dice_note(note, seat)
        keeper.tend()
    assert table.game.dice.stage == "made" and not keeper.waits
    advance(table)
    order = table.legal_orders(table.waiting[0])[-1]
    table.play(table.waiting[0], order)
    table.close()
    again = open_game(path, write=False)
    assert again.verify() == [] and again.state == table.state


def test_log_of_a_seat_opens_as_a_game(table: GameHost) -> None:
    """The lines that a client receives open as a log of the same game, without the secrets of others."""
    advance(table)
    logs = [SeatLog(table, seat) for seat in (*table.seats, SPECTATOR)]
    chance = Random(1)
    for n in range(25):
        if not table.waiting:
            break
        seat = chance.choice(table.waiting)
        table.play(seat, chance.choice(table.legal_orders(seat)))
        if n == 10:
            table.undo(ARBITER)
    for log in logs:
        parsed = parse(log.whole())
        client = GameHost(load_game(parsed.header).seat_game(), parsed, None, empty_clock)
        assert client.version == log.version == table.version_for(log.seat)
        for n in range(1, log.version + 1):
            assert client.game.seek(n) == table.state_for(log.seat, n)
        tell = client.rules.narrator(client.game.seek(1))
        told = [tell(event) for line in client.game.lines for event in client.visible_events(log.seat, line.n)]
        assert any(told)


def test_undo_and_redo_at_the_host(table: GameHost) -> None:
    advance(table)
    before, seat = table.state, table.waiting[0]
    table.act(seat, table.legal_orders(seat)[-1])
    after = table.state
    table.act(seat, "undo")
    assert table.state == before
    table.act(seat, {"type": "redo"})
    assert table.state == after
    with pytest.raises(Refusal):
        table.act(seat, {"type": "undo", "to": "yesterday"})


@pytest.mark.parametrize("path", SAVED_LOGS, ids=lambda path: path.stem)
def test_saved_logs_open_with_their_seats_and_results(path: Path) -> None:
    table = open_game(path, write=False)
    assert isinstance(table.game, GameLog)
    bots = table.game.header.options.get("bots", ())
    assert set(bots) <= {seat for seat in table.seats if table.occupant(seat).is_automatic}
    result = table.rules.result(table.state)
    assert (result is not None) == table.is_over
    if result is not None and table.state.result is not None:
        expected = getattr(table.state.result, "ranks", None) or dict.fromkeys(table.state.result.winners, 1)
        assert {seat: result.ranks[seat] for seat in expected} == expected


def test_an_unknown_game_or_scenario_is_refused() -> None:
    with pytest.raises(Refusal, match="There is no game 'chess'"):
        find_scenario("chess")
    with pytest.raises(Refusal, match="There is no scenario 'moon'"):
        new_game("empires", "1", scenario="moon")
    assert find_scenario("pax").seats[0] == "britain"


def test_refused_new_game_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    for dice in ("plain", "fair"):
        with pytest.raises(Refusal):
            new_game("empires", "1", path=path, dice=dice, occupants={"atlantis": SeatOccupant()})
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("error", [OSError("the disk is full"), LogReplaced(Path("game.jsonl"), "replaced")])
def test_new_game_that_cannot_be_written_leaves_no_file_of_its_own(
    error: OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(GameHost, "seat", fail)
    path = tmp_path / "game.jsonl"
    with pytest.raises(OSError, match=str(error)):
        new_game("empires", "1", path=path, dice="fair", occupants={"france": SeatOccupant()})
    assert bool(list(tmp_path.iterdir())) == isinstance(error, LogReplaced)
