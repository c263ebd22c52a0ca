"""Fair dice from a promised seed and a word of each seat, and forgeries of them."""

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


def make_dice(game, seats_with_hash=("red", "blue", "green"), seats_with_word=("red", "blue", "green"), words=WORDS):
    """Make the dice with the words of some seats; the others are left out."""
    lacking = tuple(seat for seat in WORDS if seat not in seats_with_hash)
    game.dice_note(ARBITER, WordsRequested(LATER))
    for seat in seats_with_hash:
        game.dice_note(seat, hash_of(seat, words))
    game.dice_note(ARBITER, HashesClosed(lacking, (), LATER))
    for seat in seats_with_word:
        if seat in seats_with_hash:
            game.dice_note(seat, Word(words[seat]))
    game.dice_note(ARBITER, WordsClosed(tuple(s for s in WORDS if s in seats_with_hash and s not in seats_with_word)))
    return game


def rolled(game, count=3):
    return game.act("red", Roll(count)).events[0]["dice"]


def differences(game, **changes):
    return [(one.line, one.what, one.message) for one in verify(RULES, game.header, game.lines, **changes)]


def forged(game, n, **changes):
    """Return the lines with one of them changed, without new hashes."""
    return [msgspec.structs.replace(line, **changes) if line.n == n else line for line in game.lines]


# --- making the dice --------------------------------------------------------------------------------------------------


def test_dice_are_a_documented_function_of_seed_words_and_number():
    words = [("red", "rose"), ("green", "moss")]
    whole = sha256()
    for part in ("paxtui/fair", SEED, "red", "rose", "green", "moss"):
        whole.update(sha256(part.encode()).digest())
    assert dice_key(SEED, words) == whole.hexdigest()
    game = make_dice(fair_game(), seats_with_word=("red", "green"))
    assert tuple(rolled(game, 5)) == tuple(die(whole.hexdigest(), n) for n in range(5))


def test_dice_of_seed_and_words_never_change():
    assert rolled(make_dice(fair_game()), 10) == [6, 6, 4, 2, 6, 1, 3, 4, 1, 3]


@settings(max_examples=40, deadline=None)
@given(
    order=st.permutations(list(WORDS)),
    second=st.permutations(list(WORDS)),
    left_out=st.sets(st.sampled_from(list(WORDS))),
)
def test_order_of_words_makes_no_difference(order, second, left_out):
    seats_with_word = [seat for seat in second if seat not in left_out]
    other = [seat for seat in WORDS if seat not in left_out]
    one = make_dice(fair_game(), seats_with_hash=tuple(order), seats_with_word=tuple(seats_with_word))
    two = make_dice(fair_game(), seats_with_word=tuple(other))
    assert one.dice.contributors == two.dice.contributors == tuple(other)
    assert rolled(one, 12) == rolled(two, 12)
    assert differences(one, seed=SEED) == []


@settings(max_examples=40, deadline=None)
@given(seat=st.sampled_from(list(WORDS)), word=st.text("abcdef", min_size=1, max_size=8))
def test_each_word_changes_the_dice(seat, word):
    words = {**WORDS, seat: word}
    same = words == WORDS
    assert (rolled(make_dice(fair_game()), 40) == rolled(make_dice(fair_game(), words=words), 40)) is same


def test_boundaries_of_words_matter():
    assert dice_key(SEED, [("red", "ab"), ("blue", "c")]) != dice_key(SEED, [("red", "a"), ("blue", "bc")])
    assert dice_key(SEED, [("red", "x")]) != dice_key(SEED, [("red", "x"), ("blue", "")])


def test_only_seats_without_a_word_are_left_out():
    game = make_dice(fair_game(), seats_with_hash=("blue",), seats_with_word=())
    assert game.dice.contributors == ()
    assert rolled(game)
    for silent in ((), ("red",), ("red", "green", "blue"), ("red", "green", "red")):
        game = fair_game()
        game.dice_note("blue", hash_of("blue"))
        with pytest.raises(Refusal) as refused:
            game.dice_note(ARBITER, HashesClosed(silent, (), LATER))
        assert refused.value.code == "dice_left_out"
        assert "red, green" in refused.value.message


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_dice_wait_for_words_and_other_acts_do_not():
    game = fair_game()
    game.act("red", Add(1))
    with pytest.raises(Refusal) as refused:
        game.act("red", Roll())
    assert refused.value.code == "dice_wait"
    assert refused.value.detail["lacking"] == ["red", "blue", "green"]
    assert game.version == 2
    assert game.dice_used == 0
    assert rolled(make_dice(game))


def test_log_without_its_seed_rolls_no_dice():
    game = make_dice(fair_game())
    again = GameLog(RULES, game.header, game.lines)
    with pytest.raises(Refusal, match="seed of this game is missing"):
        again.act("red", Roll())


def test_fair_dice_cannot_be_queued():
    with pytest.raises(Refusal) as refused:
        fair_game().queue_dice([6])
    assert refused.value.code == "fair_dice"


def refusal_of(game, seat, note):
    """Return the code of the refusal of a note."""
    with pytest.raises(Refusal) as refused:
        game.dice_note(seat, note)
    return refused.value.code


def test_notes_at_a_wrong_time_seat_or_twice_are_refused():
    game = fair_game()
    assert refusal_of(game, "red", Word("rose")) == "dice_stage"
    assert refusal_of(game, "red", WordsRequested(LATER)) == "not_arbiter"
    assert refusal_of(game, ARBITER, hash_of("red")) == "not_a_player"
    assert refusal_of(game, "red", WordHash("F" * 64)) == "bad_hash"
    assert refusal_of(game, "red", WordHash("ab")) == "bad_hash"
    game.dice_note("red", hash_of("red"))
    assert refusal_of(game, "red", hash_of("red")) == "dice_twice"
    assert refusal_of(game, "blue", hash_of("red")) == "bad_hash"  # a copy of another seat's hash
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


def test_hash_is_valid_for_one_seat_of_one_game():
    other = fair_game(commitment=PROMISE)
    assert word_hash(PROMISE, "red", "rose") != word_hash(PROMISE, "blue", "rose")
    assert word_hash(PROMISE, "red", "rose") != word_hash(commitment("x"), "red", "rose")
    other.dice_note("red", WordHash(word_hash(commitment("x"), "red", "rose")))  # from another game
    other.dice_note(ARBITER, HashesClosed(("blue", "green"), (), LATER))
    assert refusal_of(other, "red", Word("rose")) == "bad_word"


def test_plain_games_need_no_words():
    game = GameLog(RULES, header())
    assert refusal_of(game, "red", hash_of("red")) == "plain_dice"
    assert b'"dice"' not in encode_header(header())  # headers of old logs do not change


# --- undo -------------------------------------------------------------------------------------------------------------


def test_free_undo_does_not_undo_fair_dice():
    game = make_dice(fair_game(undo="free"))
    game.act("red", Add(1))
    game.undo("red")
    game.act("red", Roll())
    with pytest.raises(Refusal) as refused:
        game.undo("red")
    assert refused.value.code == "undo_barrier"


def test_rewind_past_dice_is_noted_and_returns_no_die():
    game = make_dice(fair_game())
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


def test_undo_without_dice_has_no_note():
    game = make_dice(fair_game())
    game.act("red", Add(1))
    game.undo("red")
    assert game.note_passed_dice() is None
    assert refusal_of(game, ARBITER, DicePassed(1, 1)) == "dice_passed"


# --- the end ----------------------------------------------------------------------------------------------------------


def finished():
    game = make_dice(fair_game())
    rolled(game)
    game.act("blue", Add(1000))
    game.reveal_seed()
    return game


def differences_of(game, lines):
    return [(one.line, one.what, one.message) for one in verify(RULES, game.header, lines, seed=SEED)]


def test_finished_log_is_verified_without_a_seed_file():
    game = finished()
    data = encode_header(game.header) + b"".join(encode_line(line) for line in game.lines)
    parsed = parse(data)
    assert verify(RULES, parsed.header, parsed.lines) == []
    assert GameLog(RULES, parsed.header, parsed.lines).verify() == []


def test_no_act_after_the_seed_is_published():
    game = finished()
    changes = (lambda: game.act("red", Add(1)), lambda: game.undo("blue"), lambda: game.undo(ARBITER, 2, force=True))
    for change in changes:
        with pytest.raises(Refusal) as refused:
            change()
        assert refused.value.code == "seed_told"


def test_client_receives_the_seed_at_the_end_only():
    game = finished()
    client = GameLog(RULES, game.header, game.lines[:-1])
    assert not client.has_seed
    client.follow(game.lines[-1], game.tip)
    assert client.has_seed
    assert client.verify() == []


def one(game, lines):
    """Return line and message of the first difference of forged lines."""
    line, _, message = differences_of(game, lines)[0]
    return line, message


def number_of(game, kind, seat=None):
    return next(
        line.n
        for line in game.lines
        if line.kind == "note" and line.action["type"] == kind and (seat is None or line.seat == seat)
    )


def test_each_forgery_of_dice_is_found():
    game = finished()
    at = {kind: number_of(game, f"dice_{kind}") for kind in ("hash", "hashes_closed", "word", "words_closed", "seed")}
    dice = next(line.n for line in game.lines if line.kind == "act")
    cases = {
        "another word": (at["word"], {"type": "dice_word", "word": "thorn"}, "not the word whose hash red has given"),
        "another hash": (at["hash"], {"type": "dice_hash", "hash": "0" * 64}, ""),
        "left out despite a word": (
            at["words_closed"],
            {"type": "dice_words_closed", "silent": ["red"]},
            "without a word: nobody",
        ),
        "a bot that gave a hash": (
            at["hashes_closed"],
            {"type": "dice_hashes_closed", "silent": [], "bots": ["red"], "until": LATER},
            "without a hash: nobody",
        ),
        "another seed": (at["seed"], {"type": "dice_seed", "seed": "x"}, "not the seed that was promised"),
    }
    for name, (n, action, expected) in cases.items():
        line, message = one(game, forged(game, n, action=action))
        # A forged hash is found at the word that does not fit it.
        assert line == (at["word"] if name == "another hash" else n), name
        assert expected in message, name
    line, message = one(game, forged(game, dice, events=({**game.line(dice).events[0], "dice": [6, 6, 6]},)))
    assert line == dice
    line, message = one(game, forged(game, dice, queue=(6,), dice=2))
    assert (line, "set by hand" in message) == (dice, True)


def test_removed_words_and_early_seeds_and_dice_are_found():
    game = finished()
    blue = number_of(game, "dice_word", "blue")
    without = [msgspec.structs.replace(x, n=x.n - (x.n > blue)) for x in game.lines if x.n != blue]
    line, message = one(game, without)
    assert (line, "without a word: blue" in message) == (number_of(game, "dice_words_closed") - 1, True)
    seed, *before = game.lines[-1], *game.lines[:-2]
    early = [*before, msgspec.structs.replace(seed, n=game.version - 1)]
    assert "when the game is over" in one(game, early)[1]
    roll = next(line for line in game.lines if line.kind == "act")
    line, message = one(game, [msgspec.structs.replace(roll, n=2)])
    assert (line, "not ready" in message) == (2, True)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_changed_word_note_is_found(data):
    game = finished()
    notes = [line for line in game.lines if line.kind == "note" and line.action["type"] != "dice_asked"]
    line = data.draw(st.sampled_from(notes))
    name = data.draw(st.sampled_from([key for key in line.action if key not in ("type", "until")]))
    texts = st.text(max_size=70).filter(lambda text: text != line.action[name])
    change = data.draw(texts if isinstance(line.action[name], str) else st.just(["red"]))
    assert differences_of(game, forged(game, line.n, action={**line.action, name: change}))


def test_header_with_fair_dice_has_no_seed():
    plain = GameLog(RULES, header())
    lied = header(dice="fair", commitment=commitment("a seed"))
    (found, *_) = verify(RULES, lied, plain.lines)
    assert (found.line, "holds the seed" in found.message) == (1, True)
    (found, *_) = verify(RULES, header(seed="", dice="fair"), plain.lines)
    assert (found.line, "holds no commitment" in found.message) == (1, True)


# --- second round of words --------------------------------------------------------------------------------------------

AGAIN = {"red": "tulip", "blue": "sea", "green": "fern"}


def give_words(game, words, round_):
    """Give the words of all seats in one round."""
    for seat, word in words.items():
        game.dice_note(seat, WordHash(word_hash(PROMISE, seat, word, round_)))
    game.dice_note(ARBITER, HashesClosed((), (), LATER))
    for seat, word in words.items():
        game.dice_note(seat, Word(word))
    game.dice_note(ARBITER, WordsClosed(()))


def rewound_game():
    """Return a game that rolled dice and was rewound to its beginning."""
    game = make_dice(fair_game())
    rolled(game)
    game.undo(ARBITER, 1, force=True)
    game.note_passed_dice()
    game.dice_note(ARBITER, WordsReopened(2))
    return game


def test_rewound_game_has_new_words_and_new_dice():
    game = rewound_game()
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


def test_words_of_the_first_round_are_invalid_in_the_second():
    game = rewound_game()
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
def test_second_round_is_refused_in_a_running_game(seat, round_, code):
    game = make_dice(fair_game())
    if code == "dice_begun":
        rolled(game)
    before = game.version
    with pytest.raises(Refusal) as refused:
        game.dice_note(seat, WordsReopened(round_))
    assert refused.value.code == code and game.version == before
    with pytest.raises(Refusal, match="No new words have been requested"):
        fair_game().dice_note(ARBITER, WordsReopened(2))


def test_forged_second_round_is_found():
    """The owner of the log adds a second round to a running game, to get other dice."""
    game = make_dice(fair_game())
    rolled(game)
    game.note(ARBITER, {"type": "dice_reopened", "round": 2})
    assert game.dice.round == 1 and rolled(game)
    ((line, what, message),) = differences(game, seed=SEED)
    assert (line, what) == (game.version - 1, "note") and "Acts are in force" in message
    honest = rewound_game()
    give_words(honest, AGAIN, 2)
    roll = honest.act("red", Roll(2))
    dropped = [line for line in honest.lines if line.action != {"type": "dice_reopened", "round": 2}]
    numbered = [msgspec.structs.replace(line, n=n) for n, line in enumerate(dropped, 2)]
    found = verify(RULES, honest.header, numbered, seed=SEED)
    assert any(one.what == "event" and one.line == roll.n - 1 for one in found)  # the dice are not those of round 1
