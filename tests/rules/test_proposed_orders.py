"""Orders that a refusal proposes: players can type them as shown, and they remove the cause of the refusal."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import paxtui.games.pax
from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.decide import decide
from paxtui.games.pax.state.model import State
from tests.pax.walk import Walk
from tests.rules.harness import UNLIMITED, Bench, army, at_home, held, here, start, tables

QUOTED = re.compile(r"'((?:\w+: )?garrison)' does")
BELGIUM = {**UNLIMITED, "belgium": "yes"}


def proposals() -> dict[str, Path]:
    """Codes of the refusals in the source that propose orders, with their modules."""
    found = {}
    for path in Path(paxtui.games.pax.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and any(word.arg == "fix" for word in call.keywords):
                assert isinstance(call.args[0], ast.Constant)
                found[str(call.args[0].value)] = path
    return found


def phase(areas: dict[str, Any], homes: dict[str, Any], **more: Any) -> Bench:
    """A Movement/Status Change Phase of eight seats without money."""
    everybody = start(players=8, options=BELGIUM).state.powers
    powers = {power: {"treasury": 0} for power in everybody}
    patch = {"phase": "movement", "areas": areas, "homes": homes, "powers": powers, **more}
    return start(patch, 8, BELGIUM)


def followed(g: Bench, seat: str, refusal: Refusal) -> None:
    """Give the proposed orders in turn. Asserts that each is for a Power of the seat."""
    for text in refusal.detail["fix"]:
        action = parse_order(g.tables, text)
        power = getattr(action, "power", "") or seat
        assert power in powers_of(g.tables, g.state, seat)
        g.do(seat, action)


def test_only_garrison_refusals_propose_orders() -> None:
    assert set(proposals()) == {"garrison"}  # other refusals with proposals must be tested here too


# Seats and Powers


LANDS = {
    "britain": "aden",
    "france": "tunis",
    "germany": "tunis",
    "united_states": "mexico",
    "japan": "korea",
    "russia": "persia",
    "italy": "tunis",
    "belgium": "kongo",
    "austria_hungary": "serbia",
}
"""An Area that each Power can reach from home."""


@pytest.mark.rule("STA-039", "AUS-001")
@pytest.mark.parametrize("power", LANDS)
def test_each_seat_can_type_its_proposed_orders(power: str) -> None:
    def game() -> Bench:
        units = [army(power, 10)] * 4 + [army(power, 1)]
        return phase({LANDS[power]: held(power)}, at_home(power, *units[3:]))

    g = game()
    seat = next(s for s in g.state.players if power in powers_of(g.tables, g.state, s))
    refusal = g.refused(seat, "ready")
    assert refusal.code == "garrison" and refusal.detail["fix"] and refusal.detail["areas"] == [LANDS[power]]
    assert all(text in refusal.message for text in refusal.detail["fix"])
    followed(g, seat, refusal)
    g.act(seat, "ready")
    assert seat in g.state.ready
    # the order that the sentence itself names does the same
    g = game()
    (quoted,) = QUOTED.findall(g.refused(seat, "ready").message)
    g.act(seat, quoted)
    g.act(seat, "ready")
    assert g.units(LANDS[power], power, "army")


@pytest.mark.rule("AUS-001", "STA-039")
def test_germany_sees_austrian_proposals_after_its_own() -> None:
    g = phase(
        {"serbia": held("austria_hungary"), "tunis": held("germany")},
        {**at_home("austria_hungary", army("austria_hungary", 10)), **at_home("germany", army("germany", 10))},
    )
    for power, fix in (
        ("Germany", ["move A10 home > tunis"]),
        ("Austria-Hungary", ["austria_hungary: move A10 home > serbia"]),
    ):
        refusal = g.refused("germany", "ready")
        assert power in refusal.message and refusal.detail["fix"] == fix
        followed(g, "germany", refusal)
    g.act("germany", "ready")
    assert g.units("serbia") == ["A10"] and g.units("tunis") == ["A10"]


@pytest.mark.rule("STA-039", "STA-045", "MOV-002")
def test_proposed_orders_include_fleets_and_the_indian_army() -> None:
    alone = {a: held("britain", "possession", army("britain", 1)) for a in ("australia", "canada")}
    bengal = {"units": [army("britain", 10), army("britain", 1)]}
    g = phase({"bengal": bengal, **alone}, at_home("britain"))
    g.act("britain", "move A10 bengal > home")
    g.act("britain", "merchant indian_ocean > caribbean")
    refusal = g.refused("britain", "ready")
    assert "STA-045" in refusal.rules and len(refusal.detail["fix"]) == 3
    followed(g, "britain", refusal)
    g.act("britain", "ready")
    # a fix that mends only a part is typed no less
    bare = {"senegambia": held("france", "possession"), "gabon": here(unrest=True), "algiers": here()}
    g = phase(bare, at_home("france", army("france", 1)))
    g.act("france", "move A1 guiana > gabon")
    refusal = g.refused("france", "ready")
    followed(g, "france", refusal)


# Random games


def refusals_of_ready(state: State) -> Iterator[tuple[str, Refusal]]:
    """Seats that cannot be ready, with their refusals."""
    for seat in state.players:
        if seat not in state.ready:
            try:
                decide(tables(), state, seat, actions.Ready(), Dice("fix"))
            except Refusal as refusal:
                yield seat, refusal


@pytest.mark.random
@pytest.mark.parametrize("seed", range(4))
def test_proposed_orders_of_random_games_can_be_typed(seed: int) -> None:
    walk = Walk(seed, 8 if seed % 2 else 7)
    tried = 0
    while tried < 12 and not walk.over:
        walk.turn()
        if walk.state.phase != "movement" or walk.acts % 5:
            continue
        for seat, refusal in refusals_of_ready(walk.state):
            if refusal.code != "garrison" or not refusal.detail["fix"]:
                continue  # if only an undo helps, no order is proposed
            g = start(players=7)
            g.state = walk.state
            followed(g, seat, refusal)
            tried += 1
            again = [r for s, r in refusals_of_ready(g.state) if s == seat]
            assert not again or again[0].detail.get("fix") != refusal.detail["fix"]
    assert tried
