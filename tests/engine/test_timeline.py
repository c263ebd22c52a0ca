import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paxtui.engine.game_log import GameLog
from paxtui.engine.log import Line, digest, encode_header, encode_line, parse
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.engine.timeline import RECENT, SNAPSHOT_LINES, Timeline
from tests.engine.counter_game import RULES, Add, Hide, Roll, State, frozen, header, history, new_game


def naive_states(game: GameLog[State]) -> dict[int, State]:
    """Return the state after each line, found in a slow and simple way."""
    states = {1: RULES.decode_state(game.header.start)}
    undone: list[State] = []
    for line in game.lines:
        state = states[line.n - 1]
        if line.kind == "act":
            undone = []
            for raw in line.events:
                state = RULES.evolve(state, RULES.decode_event(raw))
        elif line.kind == "undo":
            undone.append(state)
            state = states[line.target]
        elif line.kind == "redo":
            state = undone.pop()
        states[line.n] = state
    return states


steps = st.lists(
    st.tuples(
        st.sampled_from(["add", "roll", "hide", "undo", "undo_to", "redo", "note", "force"]),
        st.sampled_from(["red", "blue"]),
        st.integers(1, 30),
    ),
    max_size=40,
)


def play(game: GameLog[State], moves) -> None:
    for kind, seat, number in moves:
        try:
            match kind:
                case "add":
                    game.act(seat, Add(number))
                case "roll":
                    game.act(seat, Roll(number % 3))
                case "hide":
                    game.act(seat, Hide(number))
                case "undo":
                    game.undo(seat)
                case "undo_to":
                    game.undo(seat, to=number)
                case "redo":
                    game.redo(seat)
                case "note":
                    game.note(seat, {"type": "chat"})
                case "force":
                    game.undo(ARBITER, to=number, force=True)
        except Refusal:
            pass


@settings(max_examples=300, deadline=None)
@given(steps, st.sampled_from(["strict", "free"]))
def test_every_line_of_any_game_can_be_looked_at(moves, undo):
    game = new_game(undo=undo)
    play(game, moves)
    wanted = naive_states(game)
    loaded = GameLog(RULES, game.header, game.lines)
    # Backward and forward, in the played game and in the loaded one.
    for n in (*range(game.version, 0, -1), *range(1, game.version + 1)):
        assert game.seek(n) == wanted[n]
        assert loaded.seek(n) == wanted[n]
    assert frozen(game) == frozen(loaded) == msgspec.json.encode(RULES.encode_state(wanted[game.version]))
    assert game.undo_requests() == loaded.undo_requests()
    assert history(game) == history(loaded)
    state = wanted[1]
    for line in game.effective_lines():
        for raw in line.events:
            state = RULES.evolve(state, RULES.decode_event(raw))
    assert state == game.state
    data = encode_header(game.header) + b"".join(encode_line(line) for line in game.lines)
    assert parse(data).lines == game.lines


def long_log(lines: int, events: int) -> list[Line]:
    out: list[Line] = []
    prev = digest(encode_header(header()))
    for n in range(2, lines + 2):
        line = Line(
            n=n,
            seat="red",
            action={"type": "add", "amount": 1},
            events=tuple({"type": "added", "seat": f"s{k}", "amount": n} for k in range(events)),
            prev=prev,
        )
        prev = digest(encode_line(line))
        out.append(line)
    return out


@pytest.mark.parametrize(("lines", "events"), [(10_000, 1), (5_000, 2), (100, 100)])
def test_seek_in_long_logs(lines, events):
    game = GameLog(RULES, header(), long_log(lines, events))
    for n in (1, 2, SNAPSHOT_LINES, SNAPSHOT_LINES + 1, lines // 2 - 1, lines - 1, lines, lines + 1, 77):
        state = game.seek(min(n, lines + 1))
        assert state.total == sum(range(2, min(n, lines + 1) + 1)) * events


def test_seek_evolves_only_from_the_last_snapshot():
    evolve_count = 0

    class Counting(type(RULES)):
        def evolve(self, state, event):
            nonlocal evolve_count
            evolve_count += 1
            return super().evolve(state, event)

    game = GameLog(Counting(), header(), long_log(1000, 1))
    assert evolve_count == 1000
    for n in (150, 399, 650, 1001):
        evolve_count = 0
        game.seek(n)
        assert evolve_count < SNAPSHOT_LINES
    evolve_count = 0
    game.undo("red")
    assert evolve_count < SNAPSHOT_LINES
    evolve_count = 0
    game.redo("red")
    game.undo("red")
    game.seek(1000)
    assert evolve_count == 0


def test_undone_lines_are_not_evolved_on_loading():
    game = new_game()
    for _ in range(50):
        game.act("red", Add(1))
    game.undo("red", to=1)
    game.act("red", Add(5))

    class Counting(type(RULES)):
        evolve_count = 0

        def evolve(self, state, event):
            Counting.evolve_count += 1
            return super().evolve(state, event)

    loaded = GameLog(Counting(), game.header, game.lines)
    assert (loaded.state.total, Counting.evolve_count) == (5, 1)
    assert loaded.seek(51).total == 50


@pytest.mark.parametrize("n", [0, -1, 4, 10**9])
def test_missing_line_is_refused(n):
    game = new_game()
    game.act("red", Add(1))
    game.act("red", Add(1))
    for function in (game.seek, game.events):
        with pytest.raises(Refusal) as refused:
            function(n)
        assert refused.value.code == "no_such_line"


def test_events_are_decoded_once():
    class Counting(type(RULES)):
        decoded = 0

        def decode_event(self, raw):
            Counting.decoded += 1
            return super().decode_event(raw)

    game = GameLog(Counting(), header(), long_log(30, 2))
    for n in (5, 30, 2, 17, 5, 31):
        game.seek(n)
    assert Counting.decoded == 60


def test_only_snapshots_are_kept():
    timeline = Timeline(RULES, header(), long_log(1000, 1))
    for n in range(1, 1002):
        timeline.state_at(n)
    assert len(timeline._recent) <= RECENT
    assert sorted(timeline._kept) == [1, 201, 401, 601, 801, 1001]
