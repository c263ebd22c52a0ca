"""The cache of the rules: the same arguments are computed once, and games do not affect each other."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.board.adjacency import board, canals
from paxtui.games.pax.board.caching import cached, first_alike
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.war import empire
from paxtui.session.tables.loader import load_tables
from tests.rules import wars


class CountedFunction:
    """A function that counts how often it is called."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

        @cached(most=2, by=lambda thing, word: (word, (thing,)))
        def answer(thing: list[int], word: str) -> str:
            self.calls.append((thing, word))
            return f"{word} {thing}"

        self.answer = answer


def test_same_arguments_are_computed_once() -> None:
    counted, thing = CountedFunction(), [1]
    assert counted.answer(thing, "a") == counted.answer(thing, "a") == "a [1]"
    assert len(counted.calls) == 1
    assert counted.answer(thing, "b") == "b [1]"
    assert counted.answer([1], "b") == "b [1]"
    assert len(counted.calls) == 3, "an object that is only equal is another"


def test_cache_keeps_two_games_and_drops_the_oldest() -> None:
    counted, one, other = CountedFunction(), [1], [2]
    for _ in range(3):
        counted.answer(one, "a")
        counted.answer(other, "a")
    assert len(counted.calls) == 2
    counted.answer([3], "a")
    counted.answer(other, "a")
    assert len(counted.calls) == 3
    counted.answer(one, "a")
    assert len(counted.calls) == 4


def test_cache_entry_keeps_its_arguments_alive() -> None:
    """Without that, a new object could get the id of a deleted one, and its result."""
    counted = CountedFunction()
    assert [counted.answer([n], "a") for n in range(50)] == [f"a [{n}]" for n in range(50)]


def test_equivalent_dictionaries_share_the_first_one() -> None:
    find = first_alike(2, lambda then, now: then[0] == now[0])
    first: dict[str, str] = {"a": "x1", "b": "y"}
    assert find(first) is first
    alike = {**first, "a": "x2"}
    assert find(alike) is first and find({**alike, "a": "x3"}) is first
    other, less = {**first, "a": "z"}, {"a": "x1"}
    assert find(other) is other and find(alike) is first
    assert find(less) is less, "a missing name is a difference"
    assert find({**other}) is not first


def test_equal_positions_share_a_board() -> None:
    tables = load_tables()
    state = new_game(tables, seats_for(7), {})
    map_ = board(tables, state)
    again = new_game(tables, seats_for(7), {})
    assert board(tables, again) is map_ and canals(again) == canals(state) == ()
    assert linked_areas(tables, again, "britain") == linked_areas(tables, state, "britain")


def test_each_canal_makes_another_board() -> None:
    tables = load_tables()
    start = new_game(tables, seats_for(7), {})
    dug = [area.id for area in tables.areas.values() if area.passage == "canal"]
    assert len(dug) > 1
    boards = []
    for count in range(len(dug) + 1):
        with_canals = {area: replace(start.areas[area], canal=True) for area in dug[:count]}
        boards.append(board(tables, replace(start, areas={**start.areas, **with_canals})))
    assert len({id(map_) for map_ in boards}) == len(boards)


def test_area_that_becomes_ottoman_belongs_to_the_empire() -> None:
    g = wars.at_war([["ottoman_empire"], ["italy"]], war={"kind": "ottoman"})
    war, areas = wars.the_war(g), g.state.areas
    turned = replace(g.state, areas={**areas, "egypt": replace(areas["egypt"], type="ottoman")})
    for _ in range(2):
        assert "egypt" not in empire.empire_areas(g.tables, g.state, war)
        assert "egypt" in empire.empire_areas(g.tables, turned, war)
