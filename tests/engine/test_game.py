import msgspec
import pytest

from paxtui.engine.dice import commitment, die
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import BrokenLog, encode_header, encode_line, parse
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from tests.engine.counter_game import (
    RULES,
    Add,
    Hide,
    Roll,
    Say,
    Shuffle,
    State,
    frozen,
    header,
    history,
    new_game,
    reload,
)


def snapshot(game):
    """Return everything that a refusal must not change."""
    return (game.version, game.lines, frozen(game), game.dice_used, game.queue, game.undo_requests(), history(game))


def test_game_begins_at_its_start_on_line_1():
    game = new_game(start={"total": 5})
    assert (game.version, game.lines, game.state) == (1, (), State(total=5))
    assert game.seek(1) == State(total=5)


def test_act_is_a_line():
    game = new_game()
    line = game.act("red", Add(3), "noon")
    assert (line.n, line.seat, line.kind, line.time) == (2, "red", "act", "noon")
    assert line.action == {"type": "add", "amount": 3}
    assert line.events == ({"type": "added", "seat": "red", "amount": 3},)
    assert game.state == State(total=3, counts={"red": 3})
    assert game.version == 2
    assert game.lines == (line,)
    with pytest.raises(AttributeError):
        line.seat = "blue"


def test_dice_come_from_the_seed_in_order():
    game = new_game()
    game.act("red", Roll(2))
    game.act("blue", Shuffle())
    line = game.act("blue", Roll())
    assert game.lines[0].events[0]["dice"] == [die("a seed", 0), die("a seed", 1)]
    assert line.events[0]["dice"] == [die("a seed", 3)]
    assert [line.dice for line in game.lines] == [2, 1, 1]
    assert game.dice_used == 4


def test_queued_dice_are_used_first_and_logged():
    game = new_game()
    game.queue_dice([6, 5])
    game.queue_dice([4])
    line = game.act("red", Roll(2))
    assert (line.queue, line.dice, game.queue) == ((6, 5), 0, (4,))
    line = game.act("red", Roll(2))
    assert (line.queue, line.dice, game.queue) == ((4,), 1, ())
    assert line.events[0]["dice"] == [4, die("a seed", 0)]
    with pytest.raises(Refusal):
        game.queue_dice([3, 9])
    assert game.queue == ()


def test_refusal_changes_nothing():
    game = new_game()
    game.queue_dice([1])
    game.act("red", Add(1))
    before = snapshot(game)
    with pytest.raises(Refusal) as refused:
        game.act("red", Add(0))
    assert refused.value.rules == ("CNT-001",)
    with pytest.raises(Refusal):
        game.act(SPECTATOR, Add(1))
    with pytest.raises(Refusal) as refused:
        game.act("red", Say("\ud800"))
    assert refused.value.code == "bad_text"
    assert snapshot(game) == before


def test_failed_write_changes_nothing():
    full = False
    written = []

    def sink(data: bytes) -> None:
        if full:
            raise OSError("no space left")
        written.append(data)

    game = GameLog(RULES, header(), sink=sink)
    game.act("red", Add(1))
    game.act("red", Add(2))
    game.undo("red")
    game.queue_dice([3])
    before = snapshot(game)
    full = True
    for attempt in (
        lambda: game.act("red", Roll(2)),
        lambda: game.undo("red"),
        lambda: game.redo("red"),
        lambda: game.note("red", {"type": "chat"}),
    ):
        with pytest.raises(OSError):
            attempt()
        assert snapshot(game) == before
    full = False
    game.act("red", Roll(2))
    parsed = parse(encode_header(header()) + b"".join(written))
    assert parsed.lines == game.lines


def test_line_is_written_before_it_counts():
    seen = []
    game = GameLog(RULES, header(), sink=lambda data: seen.append((data, game.version, game.state.total)))
    line = game.act("red", Add(7))
    assert seen == [(encode_line(line), 1, 0)]


def test_failing_rule_writes_nothing():
    class Broken(type(RULES)):
        def evolve(self, state, event):
            raise ZeroDivisionError

    written = []
    game = GameLog(Broken(), header(), sink=written.append)
    with pytest.raises(ZeroDivisionError):
        game.act("red", Add(1))
    assert (written, game.version, game.dice_used) == ([], 1, 0)


def test_loaded_game_continues_like_the_original():
    game = new_game()
    game.act("red", Roll(3))
    game.act("blue", Hide(4))
    game.undo("blue")
    other = reload(game)
    assert snapshot(other) == snapshot(game)
    assert other.redo("blue") == game.redo("blue")
    assert other.act("red", Roll(3)) == game.act("red", Roll(3))
    assert snapshot(reload(other)) == snapshot(game)


def test_loading_without_the_tip_continues_the_chain():
    game = new_game()
    game.act("red", Add(1))
    other = GameLog(RULES, game.header, game.lines)
    assert other.act("red", Add(2)) == game.act("red", Add(2))


def test_loading_does_not_decide():
    class Silent(type(RULES)):
        def decide(self, state, seat, action, dice):
            raise AssertionError("replay must not decide")

    game = new_game()
    game.act("red", Roll(2))
    assert GameLog(Silent(), game.header, game.lines).state == game.state


def test_game_with_a_commitment_needs_its_seed():
    hosted = header(seed="", commitment=commitment("long secret"))
    game = GameLog(RULES, hosted)
    game.act("red", Add(1))
    with pytest.raises(Refusal) as refused:
        game.act("red", Roll())
    assert refused.value.code == "no_seed"
    game.queue_dice([3])
    game.act("red", Roll())
    with pytest.raises(BrokenLog):
        GameLog(RULES, hosted, seed="another")
    seeded = GameLog(RULES, hosted, game.lines, seed="long secret")
    assert seeded.act("red", Roll()).events[0]["dice"] == [die("long secret", 0)]
    assert b"long secret" not in encode_header(seeded.header)


def test_notes_change_no_position():
    game = new_game()
    game.act("red", Add(1))
    before = frozen(game)
    line = game.note("blue", {"type": "chat", "text": "hm"}, "noon")
    assert (line.kind, line.n, line.time) == ("note", 3, "noon")
    assert frozen(game) == before
    assert history(game) == ((), (2,), (2,))
    game.undo("red")
    assert game.state.total == 0


def test_state_is_that_of_the_encoded_events():
    """Events that JSON changes are applied as they are in the log."""

    class Careless(type(RULES)):
        def encode_event(self, event):
            return {**super().encode_event(event), "amount": 10}

    game = GameLog(Careless(), header())
    game.act("red", Add(1))
    assert game.state == reload(game).state == State(total=10, counts={"red": 10})


def test_line_that_contradicts_the_game_breaks_the_log():
    game = new_game()
    game.act("red", Add(1))
    game.act("red", Add(2))
    game.undo("red")
    lines = game.lines
    for bad in ({"target": 3}, {"kind": "redo"}, {"target": 9}, {"n": 5}):
        with pytest.raises(BrokenLog) as broken:
            GameLog(RULES, game.header, [*lines[:-1], msgspec.structs.replace(lines[-1], **bad)])
        assert broken.value.line_number == 4


def test_invalid_start_breaks_line_1():
    with pytest.raises(BrokenLog) as broken:
        new_game(start=[1, 2])
    assert broken.value.line_number == 1


def test_arbiter_can_act():
    assert new_game().act(ARBITER, Add(1)).seat == ARBITER


def test_secret_of_a_game_comes_from_its_seed():
    assert GameLog(RULES, header()).secret("x") == header().seed != ""
    sealed = header(seed="", commitment=commitment("a seed"))
    hosted = GameLog(RULES, sealed, seed="a seed")
    assert hosted.secret("x") == hosted.secret("x") != hosted.secret("y") and len(hosted.secret("x")) == 64
    assert GameLog(RULES, sealed).secret("x") == ""


def test_missing_seed_cannot_be_published():
    game = GameLog(RULES, header(seed="", commitment=commitment("a seed")))
    with pytest.raises(Refusal) as refused:
        game.reveal_seed()
    assert refused.value.code == "no_seed"
