"""Menus of the seats of saved games, Phase by Phase, and menus of Areas, in `menus.txt`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.menus.menu import Menu
from paxtui.games.pax.menus.place import MenuItem, area_menu, place_menu
from paxtui.games.pax.state.model import State
from tests.pax.saved_games import saved_game
from tests.previews import breaches_of
from tests.recorded import same_as_recorded
from tests.rules.harness import tables

T = tables()
GAMES = tuple(
    f"{name}-0.2.0" for name in ("whole-game", "scenes", "congress", "russo-japanese", "ottoman-war", "rebellion-won")
)
EACH = 140
"""Number of acts between two tested positions."""


def menu_lines(menu: Menu, state: State) -> Iterator[str]:
    """The orders of a menu: up to three of each verb with their number, then moves, payments and breaches."""
    verbs = Counter(text.split()[0].rstrip(":") for text in menu.orders)
    for verb, count in sorted(verbs.items()):
        some = [text for text in menu.orders if text.split()[0].rstrip(":") == verb]
        yield f"    {count} {verb}: {'; '.join(some if count < 4 else [some[0], some[count // 2], some[-1]])}"
    for moves in menu.moves[:3]:
        ends = ", ".join(f"{end.place} {end.coast}".rstrip() for end in moves.ends)
        yield f"    {moves.power} moves {' '.join(moves.units)} of {moves.kind} from {moves.start} to {ends}"
    for gift in menu.pays[:2]:
        yield f"    {gift.power} pays {gift.to} up to {gift.most}, offered {gift.offered}"
    for text in menu.orders[-2:]:
        yield from (f"    {text} {warned}" for warned in breaches_of(T, state, menu.seat, parse_order(T, text)))


def area_lines(state: State, seat: str, area: str) -> Iterator[str]:
    """The lines of the menu of an Area."""
    for item in area_menu(T, state, seat, area):
        why = f"{item.code}: {item.reason}" if not item.allowed else f"harmless {item.harmless}"
        yield f"        {item.label} £{item.price} {' '.join(item.rules)} {why}"


def lines() -> Iterator[str]:
    seen = Counter[str]()
    for name in GAMES:
        game = saved_game(name)
        step = EACH if len(game.states) > EACH else 6
        for n in range(1, len(game.states), step):
            state = game.states[n]
            seats = [*dict.fromkeys([*(c.seat for c in state.choices), *state.players])][:1]
            for seat in (*seats, ARBITER):
                yield f"{name} {n}, {state.phase}, {seat}"
                yield from menu_lines(legal_actions(T, state, seat), state)
            own = [a for a, here in state.areas.items() if any(m.power == seats[0] for m in here.markers)]
            for area in [*own[:1], *(c.area for c in state.choices[:1] if c.area)]:
                seen[state.phase] += 1
                if seen[state.phase] < 4:
                    yield f"    menu of {area}"
                    yield from area_lines(state, seats[0], area)


def test_menus_are_as_recorded() -> None:
    same_as_recorded(Path(__file__).with_name("menus.txt"), lines())


def test_menu_item_defaults_are_empty() -> None:
    begins_a_move = MenuItem(None, "move A3", True)
    assert (begins_a_move.price, begins_a_move.code, begins_a_move.rules, begins_a_move.reason) == (0, "", (), "")


def test_lines_that_are_possible_come_first() -> None:
    mixed = 0
    for state in saved_game("whole-game-0.2.0").states[1:80:20]:
        for area in T.areas:
            allowed = [item.allowed for item in place_menu(T, state, "france", "france", area)]
            assert allowed == sorted(allowed, reverse=True)
            mixed += len(set(allowed)) == 2
    assert mixed > 20
