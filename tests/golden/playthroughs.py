"""Saved games as text: each action with its events. A change of rules or wording is a diff."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from paxtui.engine.log import parse
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.narration.narrator import Narrator
from tests.places import SAVES
from tests.rules.harness import tables

TEXTS = Path(__file__).with_name("playthroughs")
GAMES = tuple(
    f"{name}-0.2.0"
    for name in ("congress", "great-war", "ottoman-war", "rebellion-won", "russo-japanese", "scenes", "tension")
)
"""The short saved games, whose texts are recorded."""


def game_text(name: str) -> str:
    """Return a game as text."""
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    # from the log, without playing the game again
    log, rules = parse((SAVES / f"{name}.jsonl").read_bytes()), PaxGame(tables())
    narrator = Narrator(tables(), rules.decode_state(log.header.start))
    for line in log.lines:
        if line.kind != "act":
            yield f"{line.n} {line.seat}: {line.kind} {line.target or ''}".rstrip()
            continue
        action = rules.decode_action(line.action)
        order = "sets up a position" if isinstance(action, actions.SetPosition) else format_order(tables(), action)
        yield f"{line.n} {line.seat}: {order}"
        for raw in line.events:
            text = narrator.tell(rules.decode_event(raw))
            if text:
                yield f"    {text}"
