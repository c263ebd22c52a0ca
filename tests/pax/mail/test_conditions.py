"""Conditional orders as a system of equations, compared with all combinations of orders."""

from __future__ import annotations

from itertools import chain, combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from paxtui.games.pax.decide import apply_mail_order
from paxtui.games.pax.mail.forms import parse_form
from paxtui.games.pax.mail.movement import ConditionSolution, OrderNode, SeatBoards, solve_conditions
from tests.rules.harness import moving, tables

T = tables()
SEATS = ("britain", "france", "italy")
UNITS = ("A1", "N1")
G = moving(1000)
POOR = moving(10)


def boards(forms: dict[str, list[str]], rich: bool = True) -> SeatBoards:
    read = {seat: parse_form(T, "\n".join(lines)) for seat, lines in forms.items()}
    assert not any(faults for _, faults in read.values())
    return SeatBoards(
        T, (G if rich else POOR).state, {seat: form for seat, (form, _) in read.items()}, apply_mail_order
    )


def fixpoints(game: SeatBoards) -> list[frozenset[OrderNode]]:
    """Every set of conditional orders that is equal to the set of those with a met condition."""
    nodes = sorted(game.conditional)
    every = chain.from_iterable(combinations(nodes, n) for n in range(len(nodes) + 1))
    return [
        chosen
        for chosen in map(frozenset, every)
        if {n for n in nodes if game.met(n, game.outcomes_with(chosen))} == chosen
    ]


def assert_consistent(game: SeatBoards, found: ConditionSolution) -> None:
    """Assert that orders outside a paradox are carried out if and only if their condition is met, others not."""
    assert not found.fires & found.paradox
    for node in game.conditional - found.paradox:
        assert game.met(node, found.outcomes) == (node in found.fires)


def form_of(seat: str, words: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    others = [s for s in SEATS if s != seat]
    condition = st.tuples(st.sampled_from(words), st.sampled_from(others), st.sampled_from(UNITS)).map(
        lambda c: f"{c[0]} {c[1]} builds {c[2]}"
    )
    return st.lists(condition, min_size=1, max_size=2).map(
        lambda some: [f"build {unit} {text}" for unit, text in zip(UNITS, some, strict=False)]
    )


def forms(*words: str) -> st.SearchStrategy[dict[str, list[str]]]:
    return st.fixed_dictionaries({seat: form_of(seat, words) for seat in SEATS})


@settings(max_examples=60, deadline=None, derandomize=True)
@given(forms("if"))
def test_largest_solution_is_carried_out_without_exclusions(texts: dict[str, list[str]]) -> None:
    game = boards(texts)
    found = solve_conditions(game)
    assert_consistent(game, found)
    assert not found.paradox and found.fires == max(fixpoints(game), key=len)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(forms("if", "unless"))
def test_solution_with_exclusions_is_consistent(texts: dict[str, list[str]]) -> None:
    game = boards(texts)
    found = solve_conditions(game)
    assert_consistent(game, found)
    if not found.paradox:
        assert found.fires in fixpoints(game)
    if not fixpoints(game):
        assert found.paradox


@settings(max_examples=80, deadline=None, derandomize=True)
@given(forms("if", "unless"))
def test_solution_with_too_little_money_is_consistent(texts: dict[str, list[str]]) -> None:
    game = boards(texts, rich=False)
    assert_consistent(game, solve_conditions(game))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(forms("if", "unless"), st.permutations(SEATS))
def test_solution_does_not_depend_on_the_order_of_forms(texts: dict[str, list[str]], order: list[str]) -> None:
    found = solve_conditions(boards(texts))
    again = solve_conditions(boards({seat: texts[seat] for seat in order}))
    assert (found.fires, found.paradox, found.outcomes.effects) == (again.fires, again.paradox, again.outcomes.effects)


def test_order_barred_by_a_subset_of_others_is_checked_again():
    """With all conditional orders, and with none, the Interest can be placed; with the first alone it cannot."""
    texts = {
        "britain": ["build A1 if france places interest egypt"],
        "france": [
            "place influence egypt if italy builds A1",
            "withdraw influence egypt if italy builds N1",
            "place interest egypt",
        ],
        "italy": ["build A1"],
    }
    game = boards(texts)
    found = solve_conditions(game)
    assert_consistent(game, found)
    assert found.fires == {("france", 0)} and not found.paradox
