"""Checks of a position and a log: menus, notation, secrecy, undo and serialization."""

from __future__ import annotations

from random import Random

import msgspec

from paxtui.engine.dice import Dice
from paxtui.engine.log import parse as parse_log
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import format_order, parse_order
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.decide import decide
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.view import view_for_seat
from paxtui.games.pax.position.writer import dump_position
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.model import State
from paxtui.games.pax.visibility import seats_between, visible_state
from paxtui.session.game_host import empty_clock
from paxtui.session.pax_host import PaxHost
from paxtui.simulation.invariants import check_invariant, check_possible

PAPER = "paper"
"""Dice seed for trial actions."""
AT_ONCE = 24
"""Maximum number of menu texts tested per position in a partial check."""


def check_position(tables: Tables, state: State, seed: str, random: Random, thorough: bool) -> None:
    """Check all invariants of a position.

    With `thorough`, all menus and a reload of the position are checked; otherwise one random waiting seat and a part of
    its menu. No view may contain the seed of the game.

    Raises:
        InvariantFault: a check fails.
    """
    check_possible(tables, state)
    due = waiting_seats(tables, state)
    for seat in state.players if thorough else random.sample(due, min(1, len(due))):
        check_menu(tables, state, seat, random, thorough)
        check_secrecy(tables, state, seat)
    check_views(tables, state, seed)
    if thorough:
        check_round_trip(state)
        check_setup(tables, state)


def check_menu(tables: Tables, state: State, seat: str, random: Random, thorough: bool) -> None:
    """Check that each menu action is accepted and has one text that parses to the same action.

    Raises:
        InvariantFault: `menu`, `notation`.
    """
    texts = list(legal_actions(tables, state, seat).texts())
    check_invariant(
        len(set(texts)) == len(texts), f"{seat} is offered a text twice in the {state.phase} Phase", "notation"
    )
    meant: dict[object, str] = {}
    for text in texts if thorough or len(texts) <= AT_ONCE else random.sample(texts, AT_ONCE):
        action = parse_order(tables, text)
        check_invariant(isinstance(action, actions.Action), f"{text!r} is not an action", "notation")
        assert isinstance(action, actions.Action)
        check_invariant(
            format_order(tables, action) == text,
            f"{text!r} is formatted as {format_order(tables, action)!r}",
            "notation",
        )
        raw = msgspec.json.encode(action)
        check_invariant(raw not in meant, f"{text!r} has the same meaning as {meant.get(raw)!r}", "notation")
        meant[raw] = text
        try:
            decide(tables, state, seat, action, Dice(PAPER))
        except Refusal as refusal:
            check_invariant(False, f"{seat} is offered {text!r}, but it is refused: {refusal.message}", "menu")


def check_secrecy(tables: Tables, state: State, seat: str) -> None:
    """Check that a seat's legal actions follow from its view, without other seats' questions and Treaties.

    Raises:
        InvariantFault: `secrecy`.
    """
    seen = visible_state(tables, state, seat)
    same = legal_actions(tables, state, seat) == legal_actions(tables, seen, seat)
    check_invariant(same, f"the menu of {seat} depends on what it cannot know", "secrecy")
    for choice in seen.choices:
        check_invariant(seat in seats_between(tables, state, choice), f"{seat} knows of {choice.id}", "secrecy")
    own = powers_of(tables, state, seat)
    for treaty in seen.treaties:
        if not treaty.public:
            check_invariant(any(p in treaty.parties for p in own), f"{seat} knows of {treaty.id}", "secrecy")


def check_views(tables: Tables, state: State, seed: str) -> None:
    """Check that no view contains the seed or a question to another seat.

    Raises:
        InvariantFault: `secrecy`.
    """
    for seat in (*state.players, SPECTATOR):
        seen = view_for_seat(tables, state, seat, 1)
        text = msgspec.json.encode(seen).decode()
        check_invariant(not seed or f'"{seed}"' not in text, f"the view of {seat} contains the seed", "secrecy")
        check_invariant(
            all(c["seat"] == seat for c in seen["pending"]), f"the view of {seat} has others' questions", "secrecy"
        )


def check_round_trip(state: State) -> None:
    """Check that the position survives JSON encoding and decoding.

    Raises:
        InvariantFault: `round trip`.
    """
    text = msgspec.json.encode(state)
    check_invariant(msgspec.json.decode(text, type=State) == state, "the reloaded position differs", "round trip")


def check_log(tables: Tables, data: bytes, state: State | None = None) -> None:
    """Check that reloading a log gives the same position, and each action the same events.

    Args:
        tables: the tables of the game.
        log: the log.
        state: the resulting position, None if unknown.

    Raises:
        InvariantFault: `log`.
    """
    again = PaxHost(PaxGame(tables), parse_log(data), None, empty_clock)
    check_invariant(state is None or again.state == state, "the reloaded log gives a different position", "log")
    wrong = again.verify()
    check_invariant(not wrong, f"the log is not valid: {wrong[:3]}", "log")


def check_setup(tables: Tables, state: State) -> None:
    """Check that the position can be restored from its setup patch.

    Raises:
        InvariantFault: `position`.
    """
    if state.result is not None:
        return
    try:
        decide(tables, state, ARBITER, actions.SetPosition(dump_position(state)), Dice(PAPER))
    except Refusal as refusal:
        check_invariant(False, refusal.message, "position")


def check_undo(table: PaxHost, seat: str, before: State) -> None:
    """Check that undo of the seat's last action restores the exact position, and redo works.

    Raises:
        InvariantFault: `undo`.
    """
    after = msgspec.json.encode(table.state)
    try:
        table.undo(seat)
    except Refusal:
        return  # dice were rolled, or something was revealed
    check_invariant(msgspec.json.encode(table.state) == msgspec.json.encode(before), f"the undo of {seat}", "undo")
    table.redo(seat)
    check_invariant(msgspec.json.encode(table.state) == after, f"the redo of {seat}", "undo")
