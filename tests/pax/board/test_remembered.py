"""The cache of the rules: the very same question is answered once, and games do not disturb one another."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.board.adjacency import board, canals
from paxtui.games.pax.board.caching import cached, first_alike
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.war import empire
from paxtui.session.tables.loader import load_tables
from tests.rules import wars


class Asked:
    """A function that counts how often it is called."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

        @cached(most=2, by=lambda thing, word: (word, (thing,)))
        def answer(thing: list[int], word: str) -> str:
            self.calls.append((thing, word))
            return f"{word} {thing}"

        self.answer = answer


def test_the_same_question_is_answered_once() -> None:
    asked, thing = Asked(), [1]
    assert asked.answer(thing, "a") == asked.answer(thing, "a") == "a [1]"
    assert len(asked.calls) == 1
    assert asked.answer(thing, "b") == "b [1]"
    assert asked.answer([1], "b") == "b [1]"
    assert len(asked.calls) == 3, "an object that is only equal is another"


def test_two_games_side_by_side_keep_their_answers_and_the_oldest_goes() -> None:
    asked, one, other = Asked(), [1], [2]
    for _ in range(3):
        asked.answer(one, "a")
        asked.answer(other, "a")
    assert len(asked.calls) == 2
    asked.answer([3], "a")
    asked.answer(other, "a")
    assert len(asked.calls) == 3
    asked.answer(one, "a")
    assert len(asked.calls) == 4


def test_an_answer_keeps_what_it_was_made_of() -> None:
    """Else another object could come to bear the id of one that is gone, and get its answer."""
    asked = Asked()
    assert [asked.answer([n], "a") for n in range(50)] == [f"a [{n}]" for n in range(50)]


def test_dictionaries_alike_in_what_matters_share_the_first_of_them() -> None:
    find = first_alike(2, lambda then, now: then[0] == now[0])
    first: dict[str, str] = {"a": "x1", "b": "y"}
    assert find(first) is first
    alike = {**first, "a": "x2"}
    assert find(alike) is first and find({**alike, "a": "x3"}) is first
    other, less = {**first, "a": "z"}, {"a": "x1"}
    assert find(other) is other and find(alike) is first
    assert find(less) is less, "a missing name is a difference"
    assert find({**other}) is not first


def test_a_board_is_made_once_for_what_changes_it() -> None:
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


def test_an_area_that_has_become_ottoman_is_the_empires_land() -> None:
    g = wars.at_war([["ottoman_empire"], ["italy"]], war={"kind": "ottoman"})
    war, areas = wars.the_war(g), g.state.areas
    turned = replace(g.state, areas={**areas, "egypt": replace(areas["egypt"], type="ottoman")})
    for _ in range(2):
        assert "egypt" not in empire.empire_areas(g.tables, g.state, war)
        assert "egypt" in empire.empire_areas(g.tables, turned, war)
