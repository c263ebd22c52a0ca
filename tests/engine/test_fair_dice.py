"""Fair dice: made of a promised seed and everybody's words, and each forgery is named by a sentence."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxtui.engine.dice import commitment, die
from paxtui.engine.fair_dice import (
    DicePassed,
    HashesClosed,
    SeedRevealed,
    Word,
    WordHash,
    WordsClosed,
    WordsReopened,
    WordsRequested,
    dice_key,
    word_hash,
)
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import encode_header, encode_line, parse
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.verify import verify
from tests.engine.counter_game import RULES, Add, Roll, header

SEED = "5eed" * 16
PROMISE = commitment(SEED)
WORDS = {"red": "rose", "blue": "sky", "green": "moss"}
LATER = "2026-01-01T00:02:00+00:00"


def fair_header(**changes):
    return header(**{"seed": "", "commitment": PROMISE, "dice": "fair", **changes})


def fair_game(**changes):
    return GameLog(RULES, fair_header(**changes), seed=SEED)


def hash_of(seat, words=WORDS):
    return WordHash(word_hash(PROMISE, seat, words[seat]))


def made(game, hashing=("red", "blue", "green"), telling=("red", "blue", "green"), words=WORDS):
    """The words of some seats are given, and the others are left out."""
    lacking = tuple(seat for seat in WORDS if seat not in hashing)
    game.dice_note(ARBITER, WordsRequested(LATER))
    for seat in hashing:
        game.dice_note(seat, hash_of(seat, words))
    game.dice_note(ARBITER, HashesClosed(lacking, (), LATER))
    for seat in telling:
        if seat in hashing:
            game.dice_note(seat, Word(words[seat]))
    game.dice_note(ARBITER, WordsClosed(tuple(s for s in WORDS if s in hashing and s not in telling)))
    return game


def rolled(game, count=3):
    return game.act("red", Roll(count)).events[0]["dice"]


def differences(game, **changes):
    return [(one.line, one.what, one.message) for one in verify(RULES, game.header, game.lines, **changes)]


def forged(game, n, **changes):
    """The lines with one of them changed, as they would be verified; the chain is another matter."""
    return [msgspec.structs.replace(line, **changes) if line.n == n else line for line in game.lines]


# --- how they are made ------------------------------------------------------------------------------------------------


def test_the_dice_are_a_function_of_seed_words_and_number_that_anybody_can_write():
    words = [("red", "rose"), ("green", "moss")]
    whole = sha256()
    for part in ("paxtui/fair", SEED, "red", "rose", "green", "moss"):
        whole.update(sha256(part.encode()).digest())
    assert dice_key(SEED, words) == whole.hexdigest()
    game = made(fair_game(), telling=("red", "green"))
    assert tuple(rolled(game, 5)) == tuple(die(whole.hexdigest(), n) for n in range(5))


def test_the_dice_never_change():
    assert rolled(made(fair_game()), 10) == [6, 6, 4, 2, 6, 1, 3, 4, 1, 3]


@settings(max_examples=40, deadline=None)
@given(
    order=st.permutations(list(WORDS)),
    second=st.permutations(list(WORDS)),
    left_out=st.sets(st.sampled_from(list(WORDS))),
)
def test_the_order_in_which_words_come_makes_no_difference(order, second, left_out):
    telling = [seat for seat in second if seat not in left_out]
    other = [seat for seat in WORDS if seat not in left_out]
    one = made(fair_game(), hashing=tuple(order), telling=tuple(telling))
    two = made(fair_game(), telling=tuple(other))
    assert one.dice.contributors == two.dice.contributors == tuple(other)
    assert rolled(one, 12) == rolled(two, 12)
    assert differences(one, seed=SEED) == []


@settings(max_examples=40, deadline=None)
@given(seat=st.sampled_from(list(WORDS)), word=st.text("abcdef", min_size=1, max_size=8))
def test_each_word_changes_the_dice(seat, word):
    words = {**WORDS, seat: word}
    same = words == WORDS
    assert (rolled(made(fair_game()), 40) == rolled(made(fair_game(), words=words), 40)) is same


def test_words_that_run_together_are_not_the_same():
    assert dice_key(SEED, [("red", "ab"), ("blue", "c")]) != dice_key(SEED, [("red", "a"), ("blue", "bc")])
    assert dice_key(SEED, [("red", "x")]) != dice_key(SEED, [("red", "x"), ("blue", "")])


def test_who_is_left_out_has_no_word_and_nobody_else_is():
    game = made(fair_game(), hashing=("blue",), telling=())
    assert game.dice.contributors == ()
    assert rolled(game)
    for silent in ((), ("red",), ("red", "green", "blue"), ("red", "green", "red")):
        game = fair_game()
        game.dice_note("blue", hash_of("blue"))
        with pytest.raises(Refusal) as refused:
            game.dice_note(ARBITER, HashesClosed(silent, (), LATER))
        assert refused.value.code == "dice_left_out"
        assert "red, green" in refused.value.message


# --- what is refused --------------------------------------------------------------------------------------------------


def test_no_die_falls_before_the_words_are_there_and_what_needs_none_is_done():
    game = fair_game()
    game.act("red", Add(1))
    with pytest.raises(Refusal) as refused:
        game.act("red", Roll())
    assert refused.value.code == "dice_wait"
    assert refused.value.detail["lacking"] == ["red", "blue", "green"]
    assert game.version == 2
    assert game.dice_used == 0
    assert rolled(made(game))


def test_a_log_without_its_seed_rolls_nothing():
    game = made(fair_game())
    again = GameLog(RULES, game.header, game.lines)
    with pytest.raises(Refusal, match="seed of this game is missing"):
        again.act("red", Roll())


def test_nobody_sets_fair_dice_by_hand():
    with pytest.raises(Refusal) as refused:
        fair_game().queue_dice([6])
    assert refused.value.code == "fair_dice"


def refusal_of(game, seat, note):
    """The code by which a note is refused."""
    with pytest.raises(Refusal) as refused:
        game.dice_note(seat, note)
    return refused.value.code


def test_what_comes_at_a_wrong_time_from_a_wrong_seat_or_twice_is_refused():
    game = fair_game()
    assert refusal_of(game, "red", Word("rose")) == "dice_stage"
    assert refusal_of(game, "red", WordsRequested(LATER)) == "not_arbiter"
    assert refusal_of(game, ARBITER, hash_of("red")) == "not_a_player"
    assert refusal_of(game, "red", WordHash("F" * 64)) == "bad_hash"
    assert refusal_of(game, "red", WordHash("ab")) == "bad_hash"
    game.dice_note("red", hash_of("red"))
    assert refusal_of(game, "red", hash_of("red")) == "dice_twice"
    assert refusal_of(game, "blue", hash_of("red")) == "bad_hash"  # a copy of another's
    assert refusal_of(game, ARBITER, WordsClosed(())) == "dice_stage"
    game.dice_note(ARBITER, HashesClosed(("blue",), ("green",), LATER))
    assert refusal_of(game, "blue", hash_of("blue")) == "dice_stage"
    assert refusal_of(game, "blue", Word("sky")) == "dice_left_out"
    assert refusal_of(game, "red", Word("rise")) == "bad_word"
    assert refusal_of(game, "red", Word("ro\u202ese")) == "bad_word"
    game.dice_note("red", Word("rose"))
    assert refusal_of(game, "red", Word("rose")) == "dice_twice"
    game.dice_note(ARBITER, WordsClosed(()))
    assert refusal_of(game, ARBITER, WordsClosed(())) == "dice_stage"
    assert refusal_of(game, ARBITER, SeedRevealed(SEED)) == "dice_not_over"
    assert refusal_of(game, ARBITER, SeedRevealed("another")) == "wrong_seed"
    assert game.version == 5


def test_a_promise_is_good_for_one_seat_of_one_game():
    other = fair_game(commitment=PROMISE)
    assert word_hash(PROMISE, "red", "rose") != word_hash(PROMISE, "blue", "rose")
    assert word_hash(PROMISE, "red", "rose") != word_hash(commitment("x"), "red", "rose")
    other.dice_note("red", WordHash(word_hash(commitment("x"), "red", "rose")))  # from another game
    other.dice_note(ARBITER, HashesClosed(("blue", "green"), (), LATER))
    assert refusal_of(other, "red", Word("rose")) == "bad_word"


def test_plain_games_need_no_words():
    game = GameLog(RULES, header())
    assert refusal_of(game, "red", hash_of("red")) == "plain_dice"
    assert b'"dice"' not in encode_header(header())  # the header of old logs stays as it was


# --- what is taken back -----------------------------------------------------------------------------------------------


def test_nobody_rolls_anew_by_his_own_word_however_freely_else_is_taken_back():
    game = made(fair_game(undo="free"))
    game.act("red", Add(1))
    game.undo("red")
    game.act("red", Roll())
    with pytest.raises(Refusal) as refused:
        game.undo("red")
    assert refused.value.code == "undo_barrier"


def test_a_rewind_past_dice_says_so_and_gives_no_die_back():
    game = made(fair_game())
    before = game.version
    seen = rolled(game)
    game.undo(ARBITER, before, force=True)
    note = game.note_passed_dice()
    assert note is not None
    assert note.action == {"type": "dice_passed", "taken_back": 3, "next": 3}
    key = dice_key(SEED, WORDS.items())
    assert rolled(game) == [die(key, n) for n in (3, 4, 5)] != seen
    assert differences(game, seed=SEED) == []
    lied = forged(game, note.n, action={**note.action, "taken_back": 2})
    ((line, _, message),) = differences_of(game, lied)
    assert (line, "which dice" in message) == (note.n, True)


def test_nothing_is_said_of_an_undo_that_went_past_no_die():
    game = made(fair_game())
    game.act("red", Add(1))
    game.undo("red")
    assert game.note_passed_dice() is None
    assert refusal_of(game, ARBITER, DicePassed(1, 1)) == "dice_passed"


# --- the end ----------------------------------------------------------------------------------------------------------


def finished():
    game = made(fair_game())
    rolled(game)
    game.act("blue", Add(1000))
    game.reveal_seed()
    return game


def differences_of(game, lines):
    return [(one.line, one.what, one.message) for one in verify(RULES, game.header, lines, seed=SEED)]


def test_a_finished_log_can_be_checked_by_anybody():
    game = finished()
    data = encode_header(game.header) + b"".join(encode_line(line) for line in game.lines)
    parsed = parse(data)
    assert verify(RULES, parsed.header, parsed.lines) == []
    assert GameLog(RULES, parsed.header, parsed.lines).verify() == []


def test_once_the_seed_is_told_nothing_goes_on():
    game = finished()
    ways = (lambda: game.act("red", Add(1)), lambda: game.undo("blue"), lambda: game.undo(ARBITER, 2, force=True))
    for go_on in ways:
        with pytest.raises(Refusal) as refused:
            go_on()
        assert refused.value.code == "seed_told"


def test_a_client_that_follows_learns_the_seed_at_the_end_only():
    game = finished()
    client = GameLog(RULES, game.header, game.lines[:-1])
    assert not client.has_seed
    client.follow(game.lines[-1], game.tip)
    assert client.has_seed
    assert client.verify() == []


def one(game, lines):
    """The first thing that is wrong with forged lines: where and what."""
    line, _, message = differences_of(game, lines)[0]
    return line, message


def number_of(game, kind, seat=None):
    return next(
        line.n
        for line in game.lines
        if line.kind == "note" and line.action["type"] == kind and (seat is None or line.seat == seat)
    )


def test_each_forgery_is_named_by_a_sentence():
    game = finished()
    at = {kind: number_of(game, f"dice_{kind}") for kind in ("hash", "hashes_closed", "word", "words_closed", "seed")}
    dice = next(line.n for line in game.lines if line.kind == "act")
    cases = {
        "another word": (at["word"], {"type": "dice_word", "word": "thorn"}, "not the word whose hash red has given"),
        "another hash": (at["hash"], {"type": "dice_hash", "hash": "0" * 64}, ""),
        "left out though he spoke": (
            at["words_closed"],
            {"type": "dice_words_closed", "silent": ["red"]},
            "no word is nobody",
        ),
        "a bot that gave a hash": (
            at["hashes_closed"],
            {"type": "dice_hashes_closed", "silent": [], "bots": ["red"], "until": LATER},
            "no hash is nobody",
        ),
        "another seed": (at["seed"], {"type": "dice_seed", "seed": "x"}, "not the seed that was promised"),
    }
    for name, (n, action, told) in cases.items():
        line, message = one(game, forged(game, n, action=action))
        # A hash that was exchanged is found out by the word that does not fit it.
        assert line == (at["word"] if name == "another hash" else n), name
        assert told in message, name
    line, message = one(game, forged(game, dice, events=({**game.line(dice).events[0], "dice": [6, 6, 6]},)))
    assert line == dice
    line, message = one(game, forged(game, dice, queue=(6,), dice=2))
    assert (line, "set by hand" in message) == (dice, True)


def test_a_word_that_was_taken_out_a_seed_too_early_and_dice_too_soon_are_named():
    game = finished()
    blue = number_of(game, "dice_word", "blue")
    without = [msgspec.structs.replace(x, n=x.n - (x.n > blue)) for x in game.lines if x.n != blue]
    line, message = one(game, without)
    assert (line, "no word is blue" in message) == (number_of(game, "dice_words_closed") - 1, True)
    seed, *before = game.lines[-1], *game.lines[:-2]
    early = [*before, msgspec.structs.replace(seed, n=game.version - 1)]
    assert "when the game is over" in one(game, early)[1]
    roll = next(line for line in game.lines if line.kind == "act")
    line, message = one(game, [msgspec.structs.replace(roll, n=2)])
    assert (line, "not ready" in message) == (2, True)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_change_of_what_the_words_say_is_found(data):
    game = finished()
    notes = [line for line in game.lines if line.kind == "note" and line.action["type"] != "dice_asked"]
    line = data.draw(st.sampled_from(notes))
    name = data.draw(st.sampled_from([key for key in line.action if key not in ("type", "until")]))
    texts = st.text(max_size=70).filter(lambda text: text != line.action[name])
    change = data.draw(texts if isinstance(line.action[name], str) else st.just(["red"]))
    assert differences_of(game, forged(game, line.n, action={**line.action, name: change}))


def test_a_header_that_calls_its_dice_fair_holds_no_seed():
    plain = GameLog(RULES, header())
    lied = header(dice="fair", commitment=commitment("a seed"))
    (found, *_) = verify(RULES, lied, plain.lines)
    assert (found.line, "holds the seed" in found.message) == (1, True)
    (found, *_) = verify(RULES, header(seed="", dice="fair"), plain.lines)
    assert (found.line, "promises no seed" in found.message) == (1, True)


# --- words that are collected again -----------------------------------------------------------------------------------

AGAIN = {"red": "tulip", "blue": "sea", "green": "fern"}


def give_words(game, words, round_):
    """Give the words of one round, by all seats."""
    for seat, word in words.items():
        game.dice_note(seat, WordHash(word_hash(PROMISE, seat, word, round_)))
    game.dice_note(ARBITER, HashesClosed((), (), LATER))
    for seat, word in words.items():
        game.dice_note(seat, Word(word))
    game.dice_note(ARBITER, WordsClosed(()))


def reopened():
    """A game that rolled dice and was taken back to before its begin."""
    game = made(fair_game())
    rolled(game)
    game.undo(ARBITER, 1, force=True)
    game.note_passed_dice()
    game.dice_note(ARBITER, WordsReopened(2))
    return game


def test_a_game_taken_back_to_before_its_begin_has_new_words_and_new_dice():
    game = reopened()
    assert (game.dice.stage, game.dice.round, game.dice.hashes, game.dice.words) == ("hashes", 2, {}, {})
    with pytest.raises(Refusal, match="not ready"):
        game.act("red", Roll(1))
    give_words(game, AGAIN, 2)
    parts = [part for seat_and_word in AGAIN.items() for part in seat_and_word]
    whole = sha256()
    for part in ("paxtui/fair", SEED, *parts, "round 2"):
        whole.update(sha256(part.encode()).digest())
    assert tuple(rolled(game, 5)) == tuple(die(whole.hexdigest(), n) for n in range(3, 8))
    assert differences(game, seed=SEED) == []
    data = encode_header(game.header) + b"".join(encode_line(line) for line in game.lines)
    assert GameLog(RULES, game.header, parse(data).lines, seed=SEED).dice.round == 2


def test_nothing_of_the_first_round_is_good_for_the_second():
    game = reopened()
    with pytest.raises(Refusal, match="earlier round"):
        game.dice_note("red", hash_of("red"))
    with pytest.raises(Refusal, match="cannot be brought back"):
        game.redo(ARBITER)
    for seat in WORDS:
        game.dice_note(seat, WordHash(word_hash(PROMISE, seat, WORDS[seat], 2)))
    game.dice_note(ARBITER, HashesClosed((), (), LATER))
    with pytest.raises(Refusal, match="published in an earlier round"):
        game.dice_note("red", Word(WORDS["red"]))
    assert word_hash(PROMISE, "red", "x") != word_hash(PROMISE, "red", "x", 2)
    assert dice_key(SEED, AGAIN.items(), 2) != dice_key(SEED, AGAIN.items())


@pytest.mark.parametrize(
    ("seat", "round_", "code"),
    [("red", 2, "not_arbiter"), (ARBITER, 3, "dice_stage"), (ARBITER, 1, "dice_stage"), (ARBITER, 2, "dice_begun")],
)
def test_words_are_not_collected_again_in_a_game_that_goes_on(seat, round_, code):
    game = made(fair_game())
    if code == "dice_begun":
        rolled(game)
    before = game.version
    with pytest.raises(Refusal) as refused:
        game.dice_note(seat, WordsReopened(round_))
    assert refused.value.code == code and game.version == before
    with pytest.raises(Refusal, match="No new words have been requested"):
        fair_game().dice_note(ARBITER, WordsReopened(2))


def test_a_forged_second_round_is_named():
    """Somebody who holds the log writes a second round into a game that went on, to have other dice."""
    game = made(fair_game())
    rolled(game)
    game.note(ARBITER, {"type": "dice_reopened", "round": 2})
    assert game.dice.round == 1 and rolled(game)
    ((line, what, message),) = differences(game, seed=SEED)
    assert (line, what) == (game.version - 1, "note") and "Acts are in force" in message
    honest = reopened()
    give_words(honest, AGAIN, 2)
    roll = honest.act("red", Roll(2))
    dropped = [line for line in honest.lines if line.action != {"type": "dice_reopened", "round": 2}]
    numbered = [msgspec.structs.replace(line, n=n) for n, line in enumerate(dropped, 2)]
    found = verify(RULES, honest.header, numbered, seed=SEED)
    assert any(one.what == "event" and one.line == roll.n - 1 for one in found)  # the dice are not those of round 1
