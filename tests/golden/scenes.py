"""Games made of scenes: positions that the arbiter sets up one after the other, for rare events.

Each line of `scenes.jsonl` is an act: its seat, an order or a position, and its dice.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from paxtui.engine.seats import ARBITER
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables

SCENES = Path(__file__).with_name("scenes.jsonl")
COMMAND: dict[str, Any] = {
    "phase": "war",
    "wars": [{"alliances": [["united_states"], ["spain"]], "phase": "alliances"}],
}
TENSE: dict[str, Any] = {
    "phase": "movement",
    "indexes": {"european_tensions": 98},
    "powers": {"germany": {"treasury": 200}},
}


def start_game(seed: str, options: dict[str, str]) -> PaxHost:
    """Start a game of seven in memory."""
    game = f"golden-{seed}"
    return PaxHost.new(load_tables(), seats_for(7), seed, options, clock=empty_clock, undo="free", game_id=game)


def scenes() -> PaxHost:
    """Play scenes with broken, judged and ended Treaties, merging Wars, surrendering Units, and other rare events."""
    head, *acts = map(json.loads, SCENES.read_text("utf-8").splitlines())
    table = start_game(head["seed"], head["options"])
    for act in acts:
        table.game.queue_dice(act.get("dice", ()))
        table.act(act["seat"], act["act"])
    return table


def tension() -> PaxHost:
    """Let all players give Germany the command of Spain; then a fleet ends the game by tension."""
    table = start_game("tension", {"neutral_command": "yes"})
    table.act(ARBITER, {"type": "set_position", "patch": COMMAND})
    table.act(ARBITER, "advance")
    while table.state.choices:
        choice = table.state.choices[0]
        table.act(choice.seat, f"choose {choice.id} germany")
    table.act(ARBITER, {"type": "set_position", "patch": TENSE})
    table.act("germany", "build N10")
    assert table.state.result is not None and table.state.result.reason == "great_war"
    return table
