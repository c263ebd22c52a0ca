"""What must hold at every position of a game: for the menu, the notation, undo, secrets, and the position itself."""

from __future__ import annotations

from random import Random

import msgspec

from paxtui.arena.books import audit, possible
from paxtui.arena.fault import claim
from paxtui.engine.dice import Dice
from paxtui.engine.log import parse as parse_log
from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import decide
from paxtui.pax.legal import legal
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import parse, text_of
from paxtui.pax.play.secrecy import between, state_seen
from paxtui.pax.position.patches import dump
from paxtui.pax.position.view import view
from paxtui.pax.sequence import waiting
from paxtui.pax.state.model import State
from paxtui.table.authority import Table, no_clock

PAPER = "paper"
"""Seed of the dice of what is only tried."""
AT_ONCE = 24
"""Texts of a menu that are tried at a position where not all of them are."""


def course(table: Table) -> None:
    """Every line of a game: what its events explain is all that has changed, and every position is one that can be.

    Raises: Fault.
    """
    before: State | None = None
    for line in table.game.effective_lines():
        after = table.game.seek(line.n)
        if before is not None and line.kind == "act":
            audit(table.tables, before, table.game.events(line.n), after)
        before = after


def position(tables: Tables, state: State, seed: str, random: Random, thorough: bool) -> None:
    """Everything that must hold at a position; `thorough`: all of each menu, and the position read again. Otherwise one
    seat that is waited for, by chance, and a part of its menu.

    Args: the tables; the position; the seed of the game, which nobody may see; chance, for what is not tried of all.
    Raises: Fault.
    """
    possible(tables, state)
    due = waiting(tables, state)
    for seat in state.players if thorough else random.sample(due, min(1, len(due))):
        menu(tables, state, seat, random, thorough)
        secrecy(tables, state, seat)
    views(tables, state, seed)
    if thorough:
        round_trip(state)
        can_be_set_up(tables, state)


def menu(tables: Tables, state: State, seat: str, random: Random, thorough: bool) -> None:
    """Whatever the menu offers is accepted, has one text, and the text says the same again.

    Raises: Fault `menu`, `notation`.
    """
    texts = list(legal(tables, state, seat).texts())
    claim(len(set(texts)) == len(texts), f"{seat} is offered a text twice in the {state.phase} Phase", "notation")
    meant: dict[object, str] = {}
    for text in texts if thorough or len(texts) <= AT_ONCE else random.sample(texts, AT_ONCE):
        action = parse(tables, text, state)
        claim(isinstance(action, ac.Action), f"{text!r} is no act", "notation")
        assert isinstance(action, ac.Action)
        claim(text_of(tables, action) == text, f"{text!r} is written {text_of(tables, action)!r}", "notation")
        raw = msgspec.json.encode(action)
        claim(raw not in meant, f"{text!r} means what {meant.get(raw)!r} means", "notation")
        meant[raw] = text
        try:
            decide(tables, state, seat, action, Dice(PAPER))
        except Refusal as refusal:
            claim(False, f"{seat} is offered {text!r}, and it is refused: {refusal.message}", "menu")


def secrecy(tables: Tables, state: State, seat: str) -> None:
    """What a seat may do follows from what it knows, and it knows of no question or Treaty of others.

    Raises: Fault `secrecy`.
    """
    seen = state_seen(tables, state, seat)
    same = legal(tables, state, seat) == legal(tables, seen, seat)
    claim(same, f"the menu of {seat} depends on what it cannot know", "secrecy")
    for choice in seen.choices:
        claim(seat in between(tables, state, choice), f"{seat} knows of {choice.id}", "secrecy")
    own = powers_of(tables, state, seat)
    for treaty in seen.treaties:
        if not treaty.public:
            claim(any(p in treaty.parties for p in own), f"{seat} knows of {treaty.id}", "secrecy")


def views(tables: Tables, state: State, seed: str) -> None:
    """No view holds the seed, or a question to somebody else. Raises: Fault `secrecy`."""
    for seat in (*state.players, SPECTATOR):
        seen = view(tables, state, seat, 1)
        text = msgspec.json.encode(seen).decode()
        claim(not seed or f'"{seed}"' not in text, f"the view of {seat} holds the seed", "secrecy")
        claim(all(c["seat"] == seat for c in seen["pending"]), f"the view of {seat} has others' questions", "secrecy")


def round_trip(state: State) -> None:
    """The position, written as JSON and read again, is the same. Raises: Fault `round trip`."""
    text = msgspec.json.encode(state)
    claim(msgspec.json.decode(text, type=State) == state, "the position is another when it is read again", "round trip")


def read_again(tables: Tables, data: bytes, state: State | None = None) -> None:
    """A log that is read again leads to the same position, and every act in it to the same events.

    Args: the tables; the log; the position that it led to, None where that is not known.
    Raises: Fault `log`.
    """
    again = Table(tables, parse_log(data), None, no_clock)
    claim(state is None or again.state == state, "the log leads to another position when it is read again", "log")
    wrong = again.verify()
    claim(not wrong, f"the log is not sound: {wrong[:3]}", "log")


def can_be_set_up(tables: Tables, state: State) -> None:
    """The position, written down as a patch, is one that can be set up again. Raises: Fault `position`."""
    if state.result is not None:
        return
    try:
        decide(tables, state, ARBITER, ac.SetPosition(dump(state)), Dice(PAPER))
    except Refusal as refusal:
        claim(False, refusal.message, "position")


def undo(table: Table, seat: str, before: State) -> None:
    """What the seat has done last can be taken back, to the very same position, and brought back.

    Raises: Fault `undo`.
    """
    after = msgspec.json.encode(table.state)
    try:
        table.undo(seat)
    except Refusal:
        return  # dice were rolled, or something was revealed
    claim(msgspec.json.encode(table.state) == msgspec.json.encode(before), f"the undo of {seat}", "undo")
    table.redo(seat)
    claim(msgspec.json.encode(table.state) == after, f"the redo of {seat}", "undo")
