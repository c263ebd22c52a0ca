"""What a seat may do at moments of the kept games: every order, move and gift, and the whole menu of an Area."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paxtui import __version__
from paxtui.pax.legal import legal
from paxtui.pax.menus.area_menu import area_menu
from paxtui.pax.menus.menu import Menu
from paxtui.pax.orders.notation import text_of
from tests.pax.kept import kept
from tests.recorded import same_as_recorded
from tests.rules.harness import tables

MOMENTS = {
    "congress": (("italy", 5, "tunis"), ("france", 21, ""), ("italy", 25, "")),
    "great-war": (("italy", 3, ""),),
    "ottoman-war": (("france", 19, ""), ("italy", 29, ""), ("russia", 23, ""), ("italy", 2, "tripoli")),
    "rebellion-lost": (("britain", 8, ""),),
    "rebellion-won": (("france", 20, ""), ("france", 36, "")),
    "russo-japanese": (("japan", 12, ""), ("japan", 23, ""), ("britain", 3, "")),
    "scenes": (("germany", 10, "kongo"), ("france", 30, "tunis"), ("united_states", 50, "hawaii")),
    "spanish-american": (("united_states", 8, ""), ("united_states", 15, "")),
    "tension": (("germany", 10, "papua"),),
    "whole-game": (("united_states", 100, "alaska"), ("germany", 200, "anatolia")),
}
"""Who asks, after which line, and in which Area, "" for none."""


def told(menu: Menu) -> Iterator[str]:
    yield from menu.orders
    for moves in menu.moves:
        ends = ", ".join(f"{end.place} ({end.coast})" if end.coast else end.place for end in moves.ends)
        yield f"move {moves.power} {moves.kind} {' '.join(moves.units)}: {moves.start} > {ends}"
    for gift in menu.pays:
        yield f"pay {gift}"


@pytest.mark.parametrize("name", MOMENTS)
def test_a_menu_offers_what_it_offered(name: str) -> None:
    game, lines = kept(f"{name}-{__version__}"), list[str]()
    for seat, line, area in MOMENTS[name]:
        lines += [f"======== {seat}, line {line}", *told(legal(tables(), game.after(line), seat))]
        for item in area_menu(tables(), game.after(line), seat, area) if area else ():
            act = "move" if item.action is None else text_of(tables(), item.action)
            can = "harmless" if item.harmless else "allowed" if item.allowed else f"{item.code}: {item.reason}"
            lines.append(f"{area} {item.letter} {item.label} £{item.price} ({act}) {' '.join(item.rules)}: {can}")
    same_as_recorded(Path(__file__).with_name("kept") / f"{name}.txt", lines)
