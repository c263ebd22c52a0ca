"""A random walk through whole games, with an audit after every act.

`Walk` plays a game by a seeded generator: mostly orders of the menu, often wild ones, sometimes the
arbiter. The orders and the audit are those of `paxtui fuzz` (`tools.fuzz`).
"""

from __future__ import annotations

from random import Random

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER
from paxtui.games.pax.actions import actions
from paxtui.games.pax.decide import decide
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.setup import new_game, seats_for
from paxtui.games.pax.sequence import waiting_seats
from paxtui.simulation.invariants import audit_events
from tests.rules.harness import decode_event, has_rules, tables
from tools.fuzz.games import offered_action, wild_action

T = tables()
SWITCHES: list[dict[str, str]] = [
    {},
    {"counter_limits": "unlimited", "balkan_routes": "yes"},
    {"edition": "1993", "failed_upgrade_keeps_old": "no", "transfer_raises_eti": "yes"},
    {"ottoman_expansion": "yes", "minor_fresh_protectorate_upgrades": "yes"},
    {"ungarrisoned_new_control_becomes_influence": "no", "eti_for_lost_garrisons": "no", "cri_per_phase": "sheet"},
]


class Walk:
    """One random game. `acts` counts accepted orders, `refused` the others."""

    def __init__(self, seed: int, players: int = 0, options: dict[str, str] | None = None) -> None:
        self.random = Random(seed)
        count = players or self.random.choice([4, 5, 6, 7, 7, 7, 8])
        chosen = dict(self.random.choice(SWITCHES) if options is None else options)
        if count == 8:
            chosen["belgium"] = "yes"
        self.state = new_game(T, seats_for(count), chosen)
        self.seed = f"walk {seed}"
        self.index = 0
        self.acts = self.refused = 0
        self.since_step = 0

    def decide(self, seat: str, action: actions.Action) -> list[ev.Event]:
        """The events of an act. Raises: Refusal."""
        return decide(T, self.state, seat, action, Dice(self.seed, self.index)).events

    def act(self, seat: str, action: actions.Action, thorough: bool = False) -> list[ev.Event] | None:
        """Let a seat act, with an audit. Returns: None for a refusal."""
        before = self.state
        frozen = msgspec.json.encode(before) if thorough else b""
        dice = Dice(self.seed, self.index)
        try:
            events = decide(T, before, seat, action, dice).events
        except Refusal as refusal:
            self.refused += 1
            assert refusal.message and refusal.code
            assert not thorough or msgspec.json.encode(before) == frozen
            return None
        after = before
        for event in events:
            if thorough:
                assert decode_event(msgspec.json.encode(event)) == event
            after = evolve(after, event)
        assert not thorough or msgspec.json.encode(before) == frozen
        if thorough:
            assert decide(T, before, seat, action, Dice(self.seed, self.index)).events == events
        assert all(has_rules(e) for e in events)
        audit_events(T, before, events, after)
        self.state = after
        self.index = dice.index
        self.acts += 1
        return events

    def turn(self, wild: float = 0.3, thorough: bool = False) -> None:
        """Let one seat try an order; the arbiter advances the game when no seat is waited for."""
        state, random = self.state, self.random
        due = waiting_seats(T, state)
        self.since_step += 1
        if not due or self.since_step > 40:
            self.since_step = 0
            choice = random.choice([actions.Advance(force=bool(due)), actions.Step()])
            assert self.act(ARBITER, choice, thorough) is not None, "the game does not go on"
            return
        seat = random.choice(due if random.random() < 0.8 else state.players)
        if random.random() < wild:
            action = wild_action(T, random, state, seat)
        else:
            action = offered_action(random, legal_actions(T, state, seat))
        if action is not None:
            self.act(seat, action, thorough)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.result is not None
