"""The contract of `paxtui.engine.game.Game`, tested by random play of each game through this interface."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from paxtui.engine.dice import Dice
from paxtui.engine.game import Game, Redo, Undo
from paxtui.engine.log import Header
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.session.games import GAME_KINDS, load_game

ACTS = 40
"""Random acts in each game."""


SCENARIOS = [(kind, one.id) for kind in GAME_KINDS.values() for one in kind.scenarios()]


@pytest.fixture(params=SCENARIOS, ids=lambda param: param[1])
def game_and_header(request: pytest.FixtureRequest) -> tuple[Game[Any], Header]:
    """A game, and the header of its start."""
    kind, scenario = request.param
    game = kind.start(scenario, None)
    start = game.new_game(None, {})
    return game, Header(
        program="paxtui 0",
        game="g1",
        edition=start.edition,
        options=start.options,
        seats=start.seats,
        start=game.encode_state(start.state),
        rules=game.rules_number,
        rulebook=game.rulebook,
    )


def through_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def play_at_random(game: Game[Any], header: Header, seed: int) -> Iterator[tuple[Any, str, Any, Any]]:
    """Yield the position before each act, its seat, the act and its decision."""
    chance, state = random.Random(seed), game.begin(header)
    for n in range(ACTS):
        action, seat = game.automatic_action(state), ARBITER
        if action is None:
            waiting = game.waiting_seats(state)
            if not waiting:
                assert game.is_over(state)
                return
            seat = chance.choice(waiting)
            orders = game.legal_orders(game.seat_state(state, seat), seat)
            action = game.parse_order(chance.choice(orders), state)
        decided = game.decide(state, seat, action, Dice(f"{seed}|{n}"))
        yield state, seat, action, decided
        state = decided.state


def test_the_registry_loads_the_game_of_each_header(game_and_header: tuple[Game[Any], Header]) -> None:
    game, header = game_and_header
    assert GAME_KINDS[game.rulebook].title
    loaded = load_game(header)
    assert type(loaded) is type(game)
    assert loaded.begin(header) == game.decode_state(through_json(header.start))


def test_random_play_is_legal_and_survives_the_log(game_and_header: tuple[Game[Any], Header]) -> None:
    """Every offered order is accepted, its text and its structure come back, and events rebuild the state."""
    game, header = game_and_header
    for state, seat, action, decided in play_at_random(game, header, 1):
        assert game.decode_action(through_json(game.encode_action(action))) == action
        if seat != ARBITER:
            assert game.parse_order(game.format_order(action), state) == action
            assert game.decode_order(through_json(game.encode_action(action))) == action
        for event in decided.events:
            raw = through_json(game.encode_event(event))
            assert game.decode_event(raw) == event
            state = game.evolve(state, event)
        assert state == decided.state
        assert game.decode_state(through_json(game.encode_state(state))) == state


def test_each_event_is_visible_to_seats_that_may_know_it(game_and_header: tuple[Game[Any], Header]) -> None:
    game, header = game_and_header
    tell, described_count = game.narrator(game.begin(header)), 0
    for _, _, _, decided in play_at_random(game, header, 2):
        raws = [game.encode_event(event) for event in decided.events]
        private = game.between(raws)
        for event, raw in zip(decided.events, raws, strict=True):
            described_count += bool(tell(event))
            assert game.seat_event(raw, ARBITER) == raw
            for seat in (*header.seats, SPECTATOR):
                seen, known = game.seat_event(raw, seat), game.visible_event(event, seat)
                assert (seen is None) == (known is None)
                assert seen is None or game.decode_event(seen) == known
                assert not private or seat in private or seen is None
    assert described_count > 10


def test_seat_sees_its_position_and_its_questions(game_and_header: tuple[Game[Any], Header]) -> None:
    game, header = game_and_header
    for n, (state, acting, _, _) in enumerate(play_at_random(game, header, 3)):
        phase = game.phase(state)
        assert phase.id in game.phases and phase.name
        everything = game.pending(state, ARBITER)
        assert not game.pending(state, SPECTATOR)
        assert game.seat_state(state, ARBITER) == state
        for seat in header.seats:
            known = game.seat_state(state, seat)
            assert game.seat_state(known, seat) == known
            assert [one.seat for one in game.pending(state, seat)] == [seat for o in everything if o.seat == seat]
            assert game.waiting_seats(known) == game.waiting_seats(state)
            assert through_json(game.seat_view(state, seat, 7))["version"] == 7
            if seat == acting and n % 5 == 0:
                assert set(game.legal_orders(state, seat)) <= set(game.encode_legal(state, seat)["texts"])
        assert all(one.text for one in everything)
    assert all(isinstance(line, str) and "\n" not in line for line in game.describe_position(state))


def test_default_answers_play_a_game_to_its_end(game_and_header: tuple[Game[Any], Header]) -> None:
    game, header = game_and_header
    state = game.begin(header)
    for n in range(5000):
        if game.is_over(state):
            break
        action, seat = game.automatic_action(state), ARBITER
        if action is None:
            seat = game.waiting_seats(state)[0]
            action = game.default_action(state, seat)
            try:
                state = game.decide(state, seat, action, Dice(f"5|{n}")).state
                continue
            except Refusal:  # the arbiter takes what the seat still owes
                action, seat = game.automatic_action(state, force=True), ARBITER
        state = game.decide(state, seat, action, Dice(f"5|{n}")).state
    result = game.result(state)
    assert result is not None and result.winners and set(result.ranks) == set(header.seats) == set(result.scores)
    assert game.automatic_action(state) is None and not game.waiting_seats(state)


def test_each_game_parses_undo_and_redo(game_and_header: tuple[Game[Any], Header]) -> None:
    game, header = game_and_header
    state = game.begin(header)
    assert game.parse_order("undo", state) == Undo()
    assert game.parse_order("undo 7", state) == Undo(7)
    assert game.parse_order("redo", state) == Redo()
    with pytest.raises(Refusal):
        game.parse_order("stand on your head", state)
    with pytest.raises(Refusal, match="not an action"):
        game.decode_order({"type": "stand_on_your_head"})
