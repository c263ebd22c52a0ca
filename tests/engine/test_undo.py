import pytest

from paxtui.engine.dice import die
from paxtui.engine.game_log import GameLog
from paxtui.engine.seats import ARBITER, SPECTATOR
from tests.engine.counter_game import RULES, Add, Hide, Roll, Show, Shuffle, frozen, history, new_game, reload
from tests.refusals import refused


def test_undo_restores_the_position_byte_for_byte():
    game = new_game()
    states = [frozen(game)]
    for action in (Add(1), Hide(3), Add(2)):
        game.act("red", action)
        states.append(frozen(game))
    for wanted in reversed(states[:-1]):
        game.undo("red")
        assert frozen(game) == wanted
    assert refused(game.undo, "red").code == "nothing_to_undo"
    for wanted in states[1:]:
        line = game.redo("red")
        assert (line.kind, line.events) == ("redo", ())
        assert frozen(game) == wanted
        assert frozen(reload(game)) == wanted
    assert refused(game.redo, "red").code == "nothing_to_redo"


def test_undo_is_a_line_and_rewrites_nothing():
    game = new_game()
    game.act("red", Add(1))
    game.act("red", Add(2))
    before = game.lines
    line = game.undo("red", time="noon")
    assert game.lines[:-1] == before
    assert (line.n, line.kind, line.seat, line.target, line.time) == (4, "undo", "red", 2, "noon")
    assert history(game) == ((), (2,), (2, 3), (2,))
    assert [line.n for line in game.effective_lines()] == [2]


def test_undo_reverts_the_seats_last_action_in_force():
    game = new_game()
    game.act("red", Add(1))
    game.act("red", Add(2))
    game.undo("red")
    game.act("red", Add(4))
    game.undo("red")
    game.undo("red")
    assert game.state.total == 0


def test_dice_revelations_and_acts_of_others_block_an_undo():
    for action, key in ((Roll(), "dice"), (Shuffle(), "dice"), (Show(), "reveals")):
        game = new_game()
        game.act("red", action)
        before = (game.version, frozen(game))
        refusal = refused(game.undo, "red")
        assert (refusal.code, refusal.rules) == ("undo_barrier", ())
        assert refusal.detail[key] == [2]
        assert "line 2" in str(refusal)
        assert (game.version, frozen(game)) == before
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Add(1))
    refusal = refused(game.undo, "red")
    assert refusal.detail["seats"] == ["blue"]
    assert refusal.detail["to"] == 1
    assert "blue" in str(refusal)
    # Blue can undo its own last action, and then red can.
    game.undo("blue")
    game.undo("red")
    assert game.state.total == 0


def test_queued_die_blocks_an_undo():
    game = new_game()
    game.queue_dice([3])
    game.act("red", Roll())
    assert game.lines[-1].dice == 0
    assert refused(game.undo, "red").detail["dice"] == [2]


def test_undo_returns_no_die():
    game = new_game(undo="free")
    first = game.act("red", Roll()).events[0]["dice"]
    game.undo("red")
    assert game.dice_used == 1
    second = game.act("red", Roll()).events[0]["dice"]
    assert (first, second) == ([die("a seed", 0)], [die("a seed", 1)])
    assert reload(game).dice_used == 2


def test_redo_restores_the_same_dice():
    game = new_game(undo="free")
    game.act("red", Roll(3))
    wanted = frozen(game)
    game.undo("red")
    game.redo("red")
    assert frozen(game) == wanted
    assert game.dice_used == 3


def test_free_undo_has_no_barriers():
    game = new_game(undo="free")
    game.act("red", Roll())
    game.act("blue", Show())
    assert game.undo("red").kind == "undo"
    assert game.state.total == 0
    assert game.redo("green").kind == "redo"
    assert game.state.shown == ("blue",)


def test_only_the_arbiter_can_force_an_undo():
    game = new_game()
    game.act("red", Roll())
    game.act("blue", Add(1))
    assert refused(game.undo, "red", force=True).code == "not_arbiter"
    assert refused(game.undo, ARBITER).code == "undo_barrier"
    assert game.undo(ARBITER, force=True).target == 2
    assert game.undo(ARBITER, to=1, force=True).seat == ARBITER
    assert game.state.total == 0
    # A seat cannot redo an undo of the arbiter.
    assert refused(game.redo, "red").code == "redo_barrier"
    game.redo(ARBITER)


@pytest.mark.parametrize("seat", [SPECTATOR, "purple"])
def test_undo_needs_a_seat(seat):
    game = new_game()
    game.act("red", Add(1))
    for function in (game.undo, game.redo):
        assert refused(function, seat).code == "not_a_player"


def test_undo_to_a_line():
    game = new_game()
    states = {1: frozen(game)}
    for amount in range(1, 6):
        line = game.act("red", Add(amount))
        states[line.n] = frozen(game)
    game.undo("red", to=4)
    assert frozen(game) == states[4]
    game.undo("red", to=2)
    assert frozen(game) == states[2]
    assert refused(game.undo, "red", to=2).code == "nothing_to_undo"
    assert refused(game.undo, "red", to=5).code == "undo_target"
    for line in (0, -1, 99):
        assert refused(game.undo, "red", to=line).code == "no_such_line"
    # Line 7 is an undo line; its position is that of line 4, which is no longer in force.
    assert refused(game.undo, "red", to=7).code == "undo_target"
    game.redo("red")
    assert frozen(game) == states[4]
    game.redo("red")
    assert frozen(game) == states[6]


def test_new_act_ends_redo_and_a_note_does_not():
    game = new_game()
    game.act("red", Add(1))
    game.undo("red")
    game.note("blue", {"type": "chat"})
    game.redo("red")
    game.undo("red")
    game.act("blue", Add(5))
    assert refused(game.redo, "red").code == "nothing_to_redo"
    assert refused(reload(game).redo, "red").code == "nothing_to_redo"


def test_redo_belongs_to_the_seat_of_the_undo():
    game = new_game()
    game.act("red", Add(1))
    game.undo("red")
    assert refused(game.redo, "blue").code == "redo_barrier"
    game.redo("red")


def game_of_three_seats():
    game = new_game()
    game.act("red", Add(1))
    game.act("red", Add(2))
    game.act("blue", Add(4))
    game.act("green", Roll())
    return game


def test_undo_with_consent_of_all_seats():
    game = game_of_three_seats()
    wanted = RULES.encode_state(game.seek(2))
    for seat in ("red", "blue"):
        note = game.undo(seat, to=2)
        assert (note.kind, note.action) == ("note", {"type": "undo_request", "to": 2})
        assert game.state.total > 7
    assert game.undo_requests() == {2: ("blue", "red")}
    assert reload(game).undo_requests() == {2: ("blue", "red")}
    line = game.undo("green", to=2)
    assert (line.kind, line.target) == ("undo", 2)
    assert game.lines[-2].kind == "note"
    assert RULES.encode_state(game.state) == wanted
    assert game.undo_requests() == {}
    # One seat cannot redo an undo that all agreed to.
    assert refused(game.redo, "green").code == "redo_barrier"


def test_undo_needs_consent_of_seats_that_acted_since():
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Add(4))
    game.undo("red", to=1)
    assert game.undo("blue", to=1).kind == "undo"


def test_repeated_request_is_refused_and_targets_are_separate():
    game = game_of_three_seats()
    game.undo("red", to=2)
    refusal = refused(game.undo, "red", to=2)
    assert (refusal.code, refusal.detail["missing"]) == ("already_asked", ["blue", "green"])
    game.undo("blue", to=3)
    game.undo("green", to=2)
    assert game.undo_requests() == {2: ("green", "red"), 3: ("blue",)}
    assert game.state.total > 7


def test_two_lines_with_one_position_are_one_target():
    game = new_game()
    game.act("red", Add(1))
    game.note("blue", {"type": "chat"})
    game.act("red", Add(2))
    game.act("blue", Add(2))
    game.undo("red", to=3)
    assert game.undo("blue", to=2).kind == "undo"


def test_new_act_withdraws_a_request():
    game = game_of_three_seats()
    game.undo("red", to=2)
    game.undo("blue", to=2)
    game.act("red", Add(1))
    assert game.undo_requests() == {2: ("blue",)}
    assert game.undo("green", to=2).kind == "note"
    assert game.undo("red", to=2).kind == "undo"


def test_undo_of_dice_needs_consent_of_all_seats():
    game = new_game()
    game.act("red", Roll())
    assert game.undo("red", to=1).kind == "note"
    assert game.undo("blue", to=1).kind == "note"
    assert game.undo("green", to=1).kind == "undo"
    alone = new_game(seats={"red": ["red"]})
    alone.act("red", Roll())
    assert refused(alone.undo, "red", to=1).code == "undo_barrier"
    assert alone.version == 2


def test_arbiter_needs_no_consent_for_automatic_play():
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Add(1))
    game.act(ARBITER, Add(1))
    game.undo("red", to=1)
    assert game.undo("blue", to=1).kind == "undo"


def test_acts_of_the_arbiter_do_not_replace_consent():
    game = new_game()
    game.act("red", Add(1))
    game.act(ARBITER, Roll())
    assert game.undo("red", to=1).kind == "note"
    assert game.undo("blue", to=1).kind == "note"
    assert game.undo("green", to=1).kind == "undo"


def test_request_whose_undo_failed_can_be_repeated():
    fail = False

    def sink(data):
        if fail and b'"undo"' in data:
            raise OSError

    game = game_of_three_seats()
    game = GameLog(RULES, game.header, game.lines, sink=sink)
    game.undo("red", to=3)
    game.undo("blue", to=3)
    fail = True
    with pytest.raises(OSError):
        game.undo("green", to=3)
    fail = False
    notes = game.version
    assert game.undo("green", to=3).kind == "undo"
    assert game.version == notes + 1


@pytest.mark.parametrize("to", [None, "x", 0, 99, -3, True, 10**30])
def test_invalid_request_is_ignored(to):
    game = new_game()
    game.act("red", Add(1))
    game.note("red", {"type": "undo_request", "to": to})
    assert game.undo_requests() == ({} if to is not True else {1: ("red",)})
