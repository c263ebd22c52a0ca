"""Private acts between other seats: an undo keeps them, they block no undo, and they stay secret."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paxtui.engine.game_log import GameLog
from paxtui.engine.log import BrokenLog, Line, encode_header, encode_line, parse
from paxtui.engine.projection import Projection
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.engine.timeline import SNAPSHOT_LINES
from tests.engine.counter_game import (
    RULES,
    Add,
    CounterRules,
    Roll,
    Show,
    State,
    Whisper,
    header,
    history,
    new_game,
    redact,
    reload,
    visible,
)
from tests.refusals import refused


def known(game: GameLog[State], seat: str) -> Projection:
    projection = Projection(seat, visible)
    for line in game.lines:
        projection.follow(line)
    return projection


# --- single cases ----------------------------------------------------------------------------------------------------


def test_whisper_of_others_blocks_no_undo_and_survives_it():
    game = new_game()
    game.act("green", Add(1))
    game.act("red", Whisper("blue", "psst"))
    game.act("blue", Whisper("red", "yes"))
    line = game.undo("green")
    assert (line.target, line.kept) == (1, (3, 4))
    assert (game.state.total, game.state.whispers) == (0, ("psst", "yes"))
    assert [line.n for line in game.effective_lines()] == [3, 4]
    assert reload(game).state == game.state
    game.redo("green")
    assert (game.state.total, game.state.whispers) == (1, ("psst", "yes"))
    assert game.state == game.seek(4) == reload(game).state


def test_undo_to_a_line_keeps_whispers_of_others_and_reverts_own_ones():
    game = new_game()
    game.act("red", Add(1))
    game.act("red", Whisper("blue", "mine"))
    game.act("blue", Whisper("green", "theirs"))
    game.act("red", Add(2))
    assert game.undo("red", to=2).kept == (4,)
    assert (game.state.total, game.state.whispers) == (1, ("theirs",))


def test_undo_of_an_own_whisper_reverts_nothing_else():
    """Reverting public acts of others too would reveal the whisper."""
    game = new_game(undo="free")
    game.act("red", Whisper("blue", "psst"))
    game.act("green", Add(1))
    game.undo("red")
    assert (game.state.total, game.state.whispers) == (1, ())
    game = new_game()
    game.act("red", Whisper("blue", "psst"))
    game.act("green", Add(1))
    refusal = refused(game.undo, "red")
    assert (refusal.detail["seats"], refusal.detail["to"]) == (["green"], 1)
    assert game.undo("red", to=1).kind == "note"
    assert game.undo("green", to=1).kind == "undo"
    assert (game.state.total, game.state.whispers) == (0, ("psst",))


def test_own_whisper_can_be_undone_until_it_is_answered():
    game = new_game()
    game.act("red", Add(1))
    game.act("red", Whisper("blue", "psst"))
    game.act("green", Whisper("blue", "not red's business"))
    game.undo("red")
    assert (game.state.total, game.state.whispers) == (1, ("not red's business",))
    game.redo("red")
    assert game.state.whispers == ("psst", "not red's business")
    game.act("blue", Whisper("red", "agreed"))
    refusal = refused(game.undo, "red")
    assert (refusal.code, refusal.detail["seats"], refusal.detail["to"]) == ("undo_barrier", ["blue"], None)
    assert "green" not in str(refusal)
    # An undo further back keeps both.
    game.undo("red", to=1)
    assert (game.state.total, game.state.whispers) == (0, ("psst", "not red's business", "agreed"))


def test_whisper_ends_no_redo_and_no_request():
    game = new_game()
    game.act("green", Add(1))
    game.undo("green")
    game.act("red", Whisper("blue", "psst"))
    game.undo("red")
    game.act("blue", Whisper("red", "hush"))
    game.redo("green")
    assert (game.state.total, game.state.whispers) == (1, ("hush",))
    game.act("red", Add(1))
    game.undo("green", to=1)
    game.act("green", Whisper("red", "please"))
    assert game.undo_requests() == {1: ("green",)}
    assert game.undo("red", to=1).kind == "undo"
    assert (game.state.total, game.state.whispers) == (0, ("hush", "please"))


def test_two_seats_can_name_one_position_by_different_lines():
    game = new_game()
    game.act("red", Whisper("blue", "psst"))
    game.act("red", Add(1))
    game.act("green", Add(1))
    assert game.undo("green", to=1).kind == "note"
    assert game.undo("red", to=2).kind == "undo"
    assert game.state.total == 0


def test_undo_of_the_arbiter_reverts_everything():
    game = new_game()
    game.act("red", Whisper("blue", "psst"))
    game.act("green", Add(1))
    game.act("red", Whisper("blue", "psst again"))
    game.undo(ARBITER, to=2, force=True)
    assert (game.state.total, game.state.whispers) == (0, ("psst",))
    game.undo(ARBITER, force=True)
    assert game.state == game.seek(1)


def test_dice_and_revelations_are_barriers_in_the_seats_numbers():
    for action, key in ((Roll(), "dice"), (Show(), "reveals")):
        game = new_game()
        game.act("red", Whisper("blue", "psst"))
        game.act("green", action)
        game.act("blue", Whisper("red", "psst"))
        refusal = refused(game.undo, "green", known=known(game, "green"))
        assert (refusal.detail[key], refusal.detail["seats"], refusal.detail["to"]) == ([2], [], 1)
        assert refused(game.undo, "green").detail[key] == [3]


def test_act_that_draws_a_number_is_never_private():
    """The next die would reveal the act to others."""

    class Dicey(CounterRules):
        def decide(self, state, seat, action, dice):
            if isinstance(action, Whisper):
                dice.draw(6)
            return super().decide(state, seat, action, dice)

    game = GameLog(Dicey(), header())
    game.act("green", Add(1))
    game.act("red", Whisper("blue", "psst"))
    assert refused(game.undo, "green").detail["seats"] == ["red"]


def test_rules_without_secrets_need_no_method():
    class Plain(CounterRules):
        between = None  # type: ignore[assignment]

    del Plain.between
    assert GameLog(Plain(), header()).act("red", Add(1)).n == 2


def test_undo_line_names_the_kept_lines_that_the_seat_knows():
    game = new_game()
    game.act("green", Add(1))
    game.act("red", Whisper("blue", "psst"))
    game.undo("green")
    red = redact(game.lines, "red", visible)
    assert [(line.n, line.kind, line.target, line.kept) for line in red][-1] == (4, "undo", 1, (3,))
    green = redact(game.lines, "green", visible)
    assert [(line.n, line.kind, line.target, line.kept) for line in green] == [(2, "act", 0, ()), (3, "undo", 1, ())]


@pytest.mark.parametrize(
    ("kind", "target", "kept"),
    [
        ("undo", 1, (5,)),
        ("undo", 1, (1,)),
        ("undo", 1, (4, 3)),
        ("undo", 2, (3, 4)),
        ("redo", 1, (3,)),
        ("act", 0, (3,)),
        ("note", 0, (3,)),
    ],
)
def test_invalid_kept_lines_break_the_log(kind, target, kept):
    game = new_game()
    for n in range(3):
        game.act("red", Add(n + 1))
    bad = Line(n=5, seat="red", kind=kind, target=target, kept=kept)
    with pytest.raises(BrokenLog) as broken:
        GameLog(RULES, game.header, [*game.lines, bad], tip="x")
    assert broken.value.line_number == 5


def test_seek_is_fast_over_many_kept_lines():
    folded = 0

    class Counting(CounterRules):
        def evolve(self, state, event):
            nonlocal folded
            folded += 1
            return super().evolve(state, event)

    game = GameLog(Counting(), header())
    for n in range(600):
        game.act("green", Add(1))
        game.act("red", Whisper("blue", f"psst {n}"))
    game.undo("green", to=2)
    game.act("green", Add(5))
    assert (game.state.total, len(game.state.whispers)) == (6, 600)
    loaded = GameLog(Counting(), game.header, game.lines)
    assert loaded.state == game.state
    folded = 0
    loaded.seek(game.version)
    assert folded < SNAPSHOT_LINES


# --- any game --------------------------------------------------------------------------------------------------------

SEATS = ("red", "blue", "green")
steps = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "roll", "whisper", "whisper", "undo", "undo_to", "redo", "note", "force"]),
        st.sampled_from(SEATS),
        st.integers(0, 30),
    ),
    max_size=40,
)


def listener(seat: str, number: int) -> str:
    """Return the recipient of a whisper. Red and blue never whisper to green."""
    return {"red": "blue", "blue": "red"}.get(seat, SEATS[number % 2])


def do(game: GameLog[State], kind: str, seat: str, number: int, to: int) -> tuple[str, ...]:
    """Make a step; return the refusal, () if there is none. Args: `to` is the line of an undo."""
    projection = known(game, seat)
    try:
        match kind:
            case "add":
                game.act(seat, Add(number + 1))
            case "roll":
                game.act(seat, Roll(number % 3))
            case "whisper":
                game.act(seat, Whisper(listener(seat, number), f"secret {number}"))
            case "undo":
                game.undo(seat, known=projection)
            case "undo_to":
                game.undo(seat, to=to, known=projection)
            case "redo":
                game.redo(seat)
            case "note":
                game.note(seat, {"type": "chat"})
            case "force":
                game.undo(ARBITER, to=to, force=True)
    except Refusal as refusal:
        return (refusal.code, refusal.message, str(refusal.detail))
    return ()


@settings(max_examples=300, deadline=None)
@given(steps, st.sampled_from(["strict", "free"]))
def test_every_line_of_any_game_can_be_looked_at(moves, undo):
    """The model is the set of acts in force at each line."""
    game = new_game(undo=undo)
    in_force: list[tuple[int, ...]] = [(), ()]
    for kind, seat, number in moves:
        before = game.version
        do(game, kind, seat, number, number)
        for line in game.lines[before - 1 :]:
            acts = in_force[-1]
            if line.kind == "act":
                acts = (*acts, line.n)
            elif line.kind in ("undo", "redo"):
                acts = (*in_force[line.target], *line.kept)
                gone, back = set(in_force[-1]) - set(acts), set(acts) - set(in_force[-1])
                assert (bool(gone), bool(back)) == ((True, False) if line.kind == "undo" else (False, True))
                assert list(acts) == sorted(acts)
                others = {n for n in gone if game.lines[n - 2].seat != line.seat}
                if line.kind == "undo" and line.seat != ARBITER:
                    assert not any(RULES.between(game.lines[n - 2].events) for n in others)
            in_force.append(acts)
    loaded = GameLog(RULES, game.header, game.lines)
    for n in (*range(game.version, 0, -1), *range(1, game.version + 1)):
        state = RULES.decode_state(game.header.start)
        for act in in_force[n]:
            for raw in game.lines[act - 2].events:
                state = RULES.evolve(state, RULES.decode_event(raw))
        assert game.seek(n) == loaded.seek(n) == state
    assert history(game) == history(loaded)
    assert game.undo_requests() == loaded.undo_requests()
    assert [line.n for line in game.effective_lines()] == list(in_force[-1])
    data = encode_header(game.header) + b"".join(encode_line(line) for line in game.lines)
    assert parse(data).lines == game.lines


@settings(max_examples=300, deadline=None)
@given(steps, st.sampled_from(["strict", "free"]))
@example([("roll", "green", 1), ("whisper", "red", 0), ("undo_to", "green", 0), ("undo_to", "red", 0)], "strict")
def test_other_seats_cannot_detect_whispers(moves, undo):
    """Green sees the same in a game with and without the whispers of red and blue."""
    secret, open_ = new_game(undo=undo), new_game(undo=undo)
    for kind, seat, number in moves:
        outside = seat == "green"
        if kind == "whisper" and not outside:
            do(secret, kind, seat, number, 0)
            continue
        mine = [line for line in secret.effective_lines() if line.seat == seat]
        if kind == "undo" and not outside and mine and RULES.between(mine[-1].events):
            do(secret, kind, seat, number, 0)  # reverts a whisper
            continue
        if kind == "redo" and not outside:
            before = known(secret, "green").version
            refusal_ = do(secret, kind, seat, number, 0)
            if not refusal_ and known(secret, "green").version == before:
                continue  # restored a whisper
            assert do(open_, kind, seat, number, 0)[:1] == refusal_[:1]
        else:
            to = number % known(secret, "green").version + 1
            refusal_ = do(secret, kind, seat, number, known(secret, "green").log_line(to))
            same = do(open_, kind, seat, number, known(open_, "green").log_line(to))
            if outside and kind != "force":
                assert same == refusal_
        for outsider in ("green", SPECTATOR):
            with_whispers, without = known(secret, outsider), known(open_, outsider)
            assert with_whispers.lines == without.lines
            assert with_whispers.version == without.version
            assert (
                b"secret" not in msgspec.json.encode([x for x in with_whispers.lines if x.seat != "green"]) or outside
            )
        assert (secret.state.total, secret.state.counts) == (open_.state.total, open_.state.counts)
        positions = [
            {known(game, "green").position(n): who for n, who in game.undo_requests().items()}
            for game in (secret, open_)
        ]
        assert positions[0] == positions[1]
        assert secret.dice_used == open_.dice_used
