import msgspec

from paxtui.engine.dice import commitment
from paxtui.engine.game import Game
from paxtui.engine.verify import verify
from tests.engine.counter_game import RULES, Add, CounterRules, Hide, Roll, Shuffle, header, new_game


def played(**changes):
    game = Game.new(RULES, header(undo="free", **changes), seed="a seed")
    game.act("red", Add(1))
    game.act("red", Roll(2))
    game.queue_dice([6])
    game.act("blue", Roll(2))
    game.undo("blue")
    game.act("blue", Shuffle())
    game.note("red", {"type": "chat"})
    game.act("blue", Hide(3))
    return game


def tampered(game, n, **changes):
    return [msgspec.structs.replace(line, **changes) if line.n == n else line for line in game.lines]


def test_an_honest_log_has_no_differences():
    game = played()
    assert verify(RULES, game.header, game.lines) == []


def test_other_rules_are_told_from_line_to_line():
    game = played()
    found = verify(CounterRules(bonus=1), game.header, game.lines)
    assert [(difference.line, difference.what, difference.index) for difference in found] == [(2, "event", 0)]
    assert found[0].recorded["amount"] == 1
    assert found[0].decided["amount"] == 2


def test_a_forged_die_is_found_even_on_a_line_that_was_taken_back():
    game = played()
    for n in (3, 4):
        rolled, *rest = game.lines[n - 2].events
        forged = {**rolled, "dice": [7, 7]}
        found = verify(RULES, game.header, tampered(game, n, events=(forged, *rest)))
        assert [(difference.line, difference.index) for difference in found] == [(n, 0)]


def test_missing_and_added_events_are_found():
    game = played()
    found = verify(RULES, game.header, tampered(game, 8, events=()))
    assert [(one.line, one.recorded) for one in found] == [(8, None)]
    extra = game.lines[0].events * 2
    found = verify(RULES, game.header, tampered(game, 2, events=extra))
    assert [(one.line, one.index, one.decided) for one in found] == [(2, 1, None)]


def test_what_would_be_refused_or_break_today_is_said():
    game = played()
    found = verify(RULES, game.header, tampered(game, 2, action={"type": "add", "amount": -1}))
    assert [(one.line, one.what, one.decided) for one in found] == [(2, "refused", "not_up")]
    found = verify(RULES, game.header, tampered(game, 2, action={"type": "dance"}))
    assert [(one.line, one.what) for one in found] == [(2, "failed")]


def test_a_wrong_count_of_dice_is_found():
    game = new_game()
    game.act("red", Shuffle(1))
    found = verify(RULES, game.header, tampered(game, 2, dice=3))
    assert [(one.line, one.what) for one in found] == [(2, "dice")]


def test_without_its_seed_a_hosted_game_is_verified_as_far_as_it_goes():
    game = played(seed="", commitment=commitment("a seed"))
    assert [one.line for one in verify(RULES, game.header, game.lines)] == [3, 4, 6]
    assert {one.what for one in verify(RULES, game.header, game.lines)} == {"no_seed"}
    assert verify(RULES, game.header, game.lines, seed="a seed") == []
