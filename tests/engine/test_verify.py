import contextlib

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxtui.engine.dice import commitment
from paxtui.engine.game_log import GameLog
from paxtui.engine.refusal import Refusal
from paxtui.engine.upcast import Upcasters
from paxtui.engine.verify import verify
from tests.engine.counter_game import RULES, Add, CounterRules, Hide, Roll, Shuffle, Whisper, header, new_game


def sample_game(**changes):
    game = GameLog(RULES, header(undo="free", **changes), seed="a seed")
    game.act("red", Add(1))
    game.act("red", Roll(2))
    game.queue_dice([6])
    game.act("blue", Roll(2))
    game.undo("blue")
    game.act("blue", Shuffle())
    game.note("red", {"type": "chat"})
    game.act("blue", Hide(3))
    return game


def change_line(game, n, **changes):
    return [msgspec.structs.replace(line, **changes) if line.n == n else line for line in game.lines]


def test_honest_log_has_no_differences():
    game = sample_game()
    assert verify(RULES, game.header, game.lines) == []


def test_other_rules_give_differences():
    game = sample_game()
    found = verify(CounterRules(bonus=1), game.header, game.lines)
    assert [(difference.line, difference.what, difference.index) for difference in found] == [(2, "event", 0)]
    assert found[0].recorded["amount"] == 1
    assert found[0].decided["amount"] == 2


def test_forged_die_is_found_also_on_an_undone_line():
    game = sample_game()
    for n in (3, 4):
        rolled, *rest = game.lines[n - 2].events
        forged = {**rolled, "dice": [7, 7]}
        found = verify(RULES, game.header, change_line(game, n, events=(forged, *rest)))
        assert [(difference.line, difference.index) for difference in found] == [(n, 0)]


def test_missing_and_added_events_are_found():
    game = sample_game()
    found = verify(RULES, game.header, change_line(game, 8, events=()))
    assert [(one.line, one.recorded) for one in found] == [(8, None)]
    extra = game.lines[0].events * 2
    found = verify(RULES, game.header, change_line(game, 2, events=extra))
    assert [(one.line, one.index, one.decided) for one in found] == [(2, 1, None)]


def test_refused_and_failing_acts_are_reported():
    game = sample_game()
    found = verify(RULES, game.header, change_line(game, 2, action={"type": "add", "amount": -1}))
    assert [(one.line, one.what, one.decided) for one in found] == [(2, "refused", "not_up")]
    found = verify(RULES, game.header, change_line(game, 2, action={"type": "dance"}))
    assert [(one.line, one.what) for one in found] == [(2, "failed")]


def test_wrong_number_of_dice_is_found():
    game = new_game()
    game.act("red", Shuffle(1))
    found = verify(RULES, game.header, change_line(game, 2, dice=3))
    assert [(one.line, one.what) for one in found] == [(2, "dice")]


def differences(game, lines):
    return [(one.line, one.what) for one in verify(RULES, game.header, lines)]


def test_wrong_start_is_found():
    game = sample_game(start={"total": 5})
    (found,) = verify(RULES, game.header, game.lines)
    assert (found.line, found.what, found.in_act) == (1, "start", False)
    assert "total" in found.message

    class Refusing(CounterRules):
        def begin(self, header):
            raise ValueError("no such edition")

    (found,) = verify(Refusing(), new_game().header, ())
    assert (found.line, found.what) == (1, "header")
    assert "no such edition" in found.message


def test_unknown_keys_are_found():
    """The decoders ignore unknown keys, but a log must not have any."""
    game = sample_game()
    added = {**game.lines[0].events[0], "secretly": 1}
    assert differences(game, change_line(game, 2, events=(added,))) == [(2, "event")]
    assert differences(game, change_line(game, 2, action={"type": "add", "amount": 1, "secretly": 1})) == [(2, "event")]


def test_older_form_of_an_event_is_no_difference():
    upcasters = Upcasters()
    rules = CounterRules(upcasters=upcasters)
    game = GameLog(rules, header())
    game.act("red", Add(1))

    @upcasters.step("added", 1)
    def _named(raw):
        return {**raw, "seat": raw["seat"]}

    assert verify(rules, game.header, game.lines) == []
    raw = game.lines[0].events[0]
    spaced = msgspec.structs.replace(game.lines[0], events=({name: raw[name] for name in reversed(raw)},))
    assert verify(rules, game.header, [spaced]) == []


@pytest.mark.parametrize("n", [2, 3, 4, 6, 8])
def test_act_of_another_seat_is_found(n):
    game = sample_game()
    lines = change_line(game, n, seat={"red": "blue", "blue": "red"}[game.lines[n - 2].seat])
    assert (n, "event") in differences(game, lines)


def test_act_of_an_unknown_seat_is_found():
    game = sample_game()
    (found,) = verify(RULES, game.header, change_line(game, 2, seat="rad"))
    assert (found.line, found.what, found.in_act) == (2, "seat", False)
    assert "rad" in found.message


def test_undo_lines_are_verified():
    game = sample_game()  # free undo
    assert differences(game, change_line(game, 5, seat="nobody")) == [(5, "undo")]
    assert differences(game, change_line(game, 5, action={"type": "undo"})) == [(5, "undo")]
    assert differences(game, change_line(game, 5, events=game.lines[0].events)) == [(5, "undo")]
    assert differences(game, change_line(game, 5, dice=1)) == [(5, "undo"), (6, "event")]
    strict = msgspec.structs.replace(game.header, undo="strict")
    (found,) = verify(RULES, strict, game.lines)
    assert (found.line, found.what) == (5, "undo")
    assert "green, red" in found.message


def test_undo_with_consent_is_verified():
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Add(2))
    game.undo("red", to=1)
    assert game.undo("blue", to=1).kind == "undo"
    assert [line.kind for line in game.lines] == ["act", "act", "note", "note", "undo"]
    assert differences(game, game.lines) == []
    alone = [*game.lines[:3], msgspec.structs.replace(game.lines[4], n=5)]
    assert differences(game, alone) == [(5, "undo")]  # blue never asked
    others = [game.lines[0], game.lines[1], msgspec.structs.replace(game.lines[4], n=4)]
    (found,) = verify(RULES, game.header, others)
    assert (found.line, found.what) == (4, "undo")
    assert "others" in found.message


def test_undo_requests_are_verified():
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Add(2))
    game.undo("red", to=1)
    for action in ({"to": 9}, {"to": True, "x": 1}, {"to": None}, {"to": 1, "x": 1}, {"to": 3}):
        assert differences(game, change_line(game, 4, action={"type": "undo_request", **action})) == [(4, "note")]
    assert differences(game, change_line(game, 4, seat="spectator")) == [(4, "note")]
    needless = [game.lines[0], msgspec.structs.replace(game.lines[2], n=3)]
    assert differences(game, needless) == [(3, "note")]  # red could have undone it without a request


def test_undo_request_must_name_a_line_that_its_seat_knows():
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Whisper("green", "psst"))
    game.act("green", Whisper("blue", "what?"))
    game.act("blue", Add(2))
    game.undo("red", to=2)
    found = {to: differences(game, change_line(game, 6, action={"type": "undo_request", "to": to})) for to in (2, 3, 4)}
    # red sees no line between the two public ones; the last hidden line ends its line 2
    assert found == {2: [], 3: [(6, "note")], 4: []}


def test_redo_lines_are_verified():
    game = new_game()
    game.act("red", Add(1))
    game.undo("red")
    game.redo("red")
    game.act("red", Add(1))
    game.undo("red", to=2)
    game.redo("red")
    assert differences(game, game.lines) == []
    assert differences(game, change_line(game, 4, seat="blue")) == [(4, "redo")]
    assert differences(game, change_line(game, 4, action={"type": "redo"})) == [(4, "redo")]


def test_forced_undo_of_the_arbiter_is_verified():
    game = new_game()
    game.act("red", Roll(2))
    game.act("blue", Roll(2))
    game.undo("arbiter", to=1, force=True)
    assert differences(game, game.lines) == []


def test_undo_that_keeps_private_acts_is_verified():
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Whisper("green", "psst"))
    game.act("green", Whisper("blue", "hush"))
    game.undo("red")
    assert game.lines[-1].kept
    assert differences(game, game.lines) == []
    assert differences(game, change_line(game, 5, kept=(3,))) == [(5, "undo")]


def test_notes_are_verified():
    game = new_game()
    game.note("red", {"type": "chat", "text": "hello"})
    assert differences(game, game.lines) == []
    for changes in (
        {"seat": "green"},
        {"action": {"type": "chat", "text": " hello"}},
        {"action": {"type": "chat", "text": 3}},
        {"action": {"type": "shout"}},
        {"action": None},
        {"events": ({"type": "added"},)},
        {"dice": 1},
    ):
        assert differences(game, change_line(game, 2, **changes)) == [(2, "note")], changes


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_allowed_play_is_verified(data):
    """Undos, redos and requests in any order, if they are allowed."""
    game = GameLog(RULES, header(undo=data.draw(st.sampled_from(["free", "strict"]))))
    seats = st.sampled_from(["red", "blue", "green", "arbiter"])
    for _ in range(data.draw(st.integers(1, 14))):
        seat = data.draw(seats)
        do = data.draw(st.sampled_from(["act", "act", "whisper", "roll", "undo", "to", "redo", "chat"]))
        with contextlib.suppress(Refusal):
            if do == "undo":
                game.undo(seat)
            elif do == "to":
                game.undo(seat, data.draw(st.integers(1, game.version)), force=seat == "arbiter")
            elif do == "redo":
                game.redo(seat)
            elif do == "chat":
                game.note("red", {"type": "chat", "text": "x"})
            else:
                game.act(seat, {"act": Add(1), "roll": Roll(1), "whisper": Whisper("red", "x")}[do])
    assert verify(RULES, game.header, game.lines) == game.verify() == []


def test_game_without_its_seed_is_verified_partly():
    game = sample_game(seed="", commitment=commitment("a seed"))
    assert [one.line for one in verify(RULES, game.header, game.lines)] == [3, 4, 6]
    assert {one.what for one in verify(RULES, game.header, game.lines)} == {"no_seed"}
    assert verify(RULES, game.header, game.lines, seed="a seed") == []
