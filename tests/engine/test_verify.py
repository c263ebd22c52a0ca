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


def played(**changes):
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


def tampered(game, n, **changes):
    return [msgspec.structs.replace(line, **changes) if line.n == n else line for line in game.lines]


def test_an_honest_log_has_no_differences():
    game = played()
    assert verify(RULES, game.header, game.lines) == []


def test_other_rules_are_reported_from_line_to_line():
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


def told(game, lines):
    return [(one.line, one.what) for one in verify(RULES, game.header, lines)]


def test_a_start_that_is_none_of_the_rules_is_found():
    game = played(start={"total": 5})
    (found,) = verify(RULES, game.header, game.lines)
    assert (found.line, found.what, found.in_act) == (1, "start", False)
    assert "total" in found.message

    class Refusing(CounterRules):
        def begin(self, header):
            raise ValueError("no such edition")

    (found,) = verify(Refusing(), new_game().header, ())
    assert (found.line, found.what) == (1, "header")
    assert "no such edition" in found.message


def test_what_an_event_or_an_action_says_besides_is_found():
    """The decoders pass over keys that they do not know; a log has none."""
    game = played()
    added = {**game.lines[0].events[0], "secretly": 1}
    assert told(game, tampered(game, 2, events=(added,))) == [(2, "event")]
    assert told(game, tampered(game, 2, action={"type": "add", "amount": 1, "secretly": 1})) == [(2, "event")]


def test_an_event_in_an_older_form_is_no_difference():
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
def test_an_act_of_another_seat_is_found(n):
    game = played()
    lines = tampered(game, n, seat={"red": "blue", "blue": "red"}[game.lines[n - 2].seat])
    assert (n, "event") in told(game, lines)


def test_an_act_of_a_seat_that_is_not_at_the_table_is_no_matter_of_the_rules():
    game = played()
    (found,) = verify(RULES, game.header, tampered(game, 2, seat="rad"))
    assert (found.line, found.what, found.in_act) == (2, "seat", False)
    assert "rad" in found.message


def test_an_undo_is_accounted_for():
    game = played()  # free undo
    assert told(game, tampered(game, 5, seat="nobody")) == [(5, "undo")]
    assert told(game, tampered(game, 5, action={"type": "undo"})) == [(5, "undo")]
    assert told(game, tampered(game, 5, events=game.lines[0].events)) == [(5, "undo")]
    assert told(game, tampered(game, 5, dice=1)) == [(5, "undo"), (6, "event")]
    strict = msgspec.structs.replace(game.header, undo="strict")
    (found,) = verify(RULES, strict, game.lines)
    assert (found.line, found.what) == (5, "undo")
    assert "green, red" in found.message


def test_an_undo_by_consent_is_accounted_for():
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Add(2))
    game.undo("red", to=1)
    assert game.undo("blue", to=1).kind == "undo"
    assert [line.kind for line in game.lines] == ["act", "act", "note", "note", "undo"]
    assert told(game, game.lines) == []
    alone = [*game.lines[:3], msgspec.structs.replace(game.lines[4], n=5)]
    assert told(game, alone) == [(5, "undo")]  # blue never asked
    others = [game.lines[0], game.lines[1], msgspec.structs.replace(game.lines[4], n=4)]
    (found,) = verify(RULES, game.header, others)
    assert (found.line, found.what) == (4, "undo")
    assert "others" in found.message


def test_a_request_for_an_undo_is_accounted_for():
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Add(2))
    game.undo("red", to=1)
    for action in ({"to": 9}, {"to": True, "x": 1}, {"to": None}, {"to": 1, "x": 1}, {"to": 3}):
        assert told(game, tampered(game, 4, action={"type": "undo_request", **action})) == [(4, "note")]
    assert told(game, tampered(game, 4, seat="spectator")) == [(4, "note")]
    needless = [game.lines[0], msgspec.structs.replace(game.lines[2], n=3)]
    assert told(game, needless) == [(3, "note")]  # red could have taken it back at once


def test_a_request_for_an_undo_names_a_line_that_its_seat_knows():
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Whisper("green", "psst"))
    game.act("green", Whisper("blue", "what?"))
    game.act("blue", Add(2))
    game.undo("red", to=2)
    told_to = {to: told(game, tampered(game, 6, action={"type": "undo_request", "to": to})) for to in (2, 3, 4)}
    # red has no line between the two that all know; of those hidden from it the last one is where its line 2 ends
    assert told_to == {2: [], 3: [(6, "note")], 4: []}


def test_a_redo_is_accounted_for():
    game = new_game()
    game.act("red", Add(1))
    game.undo("red")
    game.redo("red")
    game.act("red", Add(1))
    game.undo("red", to=2)
    game.redo("red")
    assert told(game, game.lines) == []
    assert told(game, tampered(game, 4, seat="blue")) == [(4, "redo")]
    assert told(game, tampered(game, 4, action={"type": "redo"})) == [(4, "redo")]


def test_the_arbiter_takes_back_whatever_it_likes():
    game = new_game()
    game.act("red", Roll(2))
    game.act("blue", Roll(2))
    game.undo("arbiter", to=1, force=True)
    assert told(game, game.lines) == []


def test_an_undo_that_leaves_private_acts_is_accounted_for():
    game = new_game()
    game.act("red", Add(1))
    game.act("blue", Whisper("green", "psst"))
    game.act("green", Whisper("blue", "hush"))
    game.undo("red")
    assert game.lines[-1].kept
    assert told(game, game.lines) == []
    assert told(game, tampered(game, 5, kept=(3,))) == [(5, "undo")]


def test_a_note_is_accounted_for():
    game = new_game()
    game.note("red", {"type": "chat", "text": "hello"})
    assert told(game, game.lines) == []
    for changes in (
        {"seat": "green"},
        {"action": {"type": "chat", "text": " hello"}},
        {"action": {"type": "chat", "text": 3}},
        {"action": {"type": "shout"}},
        {"action": None},
        {"events": ({"type": "added"},)},
        {"dice": 1},
    ):
        assert told(game, tampered(game, 2, **changes)) == [(2, "note")], changes


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_is_played_is_accounted_for(data):
    """Undos, redos and requests in any order, as far as they are allowed."""
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


def test_without_its_seed_a_hosted_game_is_verified_as_far_as_it_goes():
    game = played(seed="", commitment=commitment("a seed"))
    assert [one.line for one in verify(RULES, game.header, game.lines)] == [3, 4, 6]
    assert {one.what for one in verify(RULES, game.header, game.lines)} == {"no_seed"}
    assert verify(RULES, game.header, game.lines, seed="a seed") == []
