"""Puzzles: positions with one clearly best act, with the chances to win that each candidate brings.

The files in `data/puzzles/` are made by `python -m tools.puzzles` from games of statesmen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.state.model import State
from paxtui.games.pax.text.display import percent, sentence, the_power, the_powers
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.files import StorageError, data_path, read_regular
from paxtui.session.tables.loader import load_tables
from paxtui.studies.review import Chances

FOLDER = "puzzles"
PUZZLE_VERSION = 1
MARKER, TREATY, WAR = "marker", "treaty", "war"
"""Kinds of puzzles: which marker to buy, whether to sign a draft, whether to declare War."""
QUESTIONS = {
    MARKER: "It buys one marker: which gains most?",
    TREATY: "Another Power has signed a draft: which answer gains most?",
    WAR: "It has a Casus Belli: does it gain by War?",
}
MARKER_OR_NONE = "It buys one marker or none: which gains most?"
RULES = {
    MARKER: "rivals reply, the Game Turn is played out",
    TREATY: "statesmen play two Game Turns",
    WAR: "statesmen play two Game Turns",
}
"""How rollouts of each kind are played."""


class Candidate(msgspec.Struct, frozen=True):
    """An act that may be the solution.

    Attributes:
        text: the act in words: `an Influence in Brasil`.
        place: its Area.
        orders: its orders in notation, in order.
        chances: the chances to win after it, by rollouts.
        why: what speaks for it, as a sentence.
    """

    text: str
    place: str
    orders: tuple[str, ...]
    chances: Chances
    why: str = ""


class Puzzle(msgspec.Struct, frozen=True):
    """A position with one clearly best act.

    Attributes:
        format: number of the format.
        id: its name.
        seat: the seat that moves.
        year: the year of the position.
        players: the seats of the game.
        options: options of the game that differ from their defaults.
        position: the position, as a patch of the start of 1880.
        candidates: the acts, in the order of their Areas.
        rollouts: number of rollouts of each act.
        kind: MARKER, TREATY or WAR.
    """

    format: int
    id: str
    seat: str
    year: int
    players: tuple[str, ...]
    options: dict[str, str]
    position: dict[str, Any]
    candidates: tuple[Candidate, ...]
    rollouts: int
    kind: str = MARKER

    @property
    def solution(self) -> int:
        """The index of the best act."""
        chances = [candidate.chances[self.seat] for candidate in self.candidates]
        return chances.index(max(chances))


def load_puzzles() -> list[Puzzle]:
    """Return the shipped puzzles in order. Raises: StorageError for a damaged installation."""
    return [read_puzzle(path) for path in sorted(data_path(FOLDER).glob("*.json"))]


def read_puzzle(path: Path) -> Puzzle:
    """Read a puzzle. Raises: StorageError if it is damaged or of another version; OSError."""
    try:
        puzzle = msgspec.json.decode(read_regular(path), type=Puzzle)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise StorageError(path, f"{path} is not a puzzle ({error}); install the program again") from error
    if puzzle.format != PUZZLE_VERSION:
        raise StorageError(path, f"{path} is a puzzle of format {puzzle.format}; install a newer program")
    if puzzle.kind not in QUESTIONS:
        raise StorageError(path, f"{path} is no puzzle (of the kind {puzzle.kind[:20]}); install the program again")
    if not puzzle.candidates or any(set(one.chances) != {puzzle.seat, *puzzle.players} for one in puzzle.candidates):
        raise StorageError(path, f"{path} is not a puzzle (it has no chances of each seat); install the program again")
    return puzzle


def open_puzzle(puzzle: Puzzle) -> PaxHost:
    """Return a game in memory with the position of a puzzle. Raises: Refusal if it is impossible."""
    host = PaxHost.new(load_tables(), puzzle.players, puzzle.id, puzzle.options, undo="free", clock=lambda: "")
    host.set_position(puzzle.position)
    return host


def ask(tables: Tables, puzzle: Puzzle) -> str:
    may_buy_nothing = puzzle.kind == MARKER and not all(candidate.orders for candidate in puzzle.candidates)
    question = MARKER_OR_NONE if may_buy_nothing else QUESTIONS[puzzle.kind]
    return f"{puzzle.year}, {the_power(tables, puzzle.seat)} to move. {question}"


def draft_terms(tables: Tables, state: State, puzzle: Puzzle) -> str:
    """Return the articles of the draft that a puzzle is about, as a sentence; "" for none."""
    orders = [order for candidate in puzzle.candidates for order in candidate.orders]
    draft = next((one for one in state.treaties if f"sign {one.id}" in orders), None)
    if puzzle.kind != TREATY or draft is None:
        return ""
    return f"The draft: {'; '.join(describe_clause(tables, clause) for clause in draft.clauses)}."


def explain(tables: Tables, puzzle: Puzzle, answer: int) -> list[str]:
    """Return the solution and the chances of each act, in sentences."""
    best, chosen = puzzle.candidates[puzzle.solution], puzzle.candidates[answer]
    chance = percent(best.chances[puzzle.seat])
    lines = [f"Right: {best.text}, {chance}." if chosen is best else f"Better: {best.text}, {chance}."]
    if chosen is not best:
        lines[0] += f" Yours: {chosen.text}, {percent(chosen.chances[puzzle.seat])}."
    if best.why:
        lines.append(sentence(best.why))
    loss = {seat: best.chances[seat] - chosen.chances[seat] for seat in best.chances if seat != puzzle.seat}
    rivals = sorted((seat for seat in loss if loss[seat] <= -0.01), key=lambda seat: loss[seat])[:2]
    if chosen is not best and rivals:
        lines.append(f"After your choice {the_powers(tables, rivals)} would stand better than after this one.")
    return lines
