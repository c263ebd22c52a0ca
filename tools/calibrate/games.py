"""Play games of bots into a directory, and read from their logs what the results do not say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from paxtui.engine.dice import draw
from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.events import evolve
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import TRADING_PHASES
from paxtui.session.pax_host import PaxHost
from paxtui.simulation.match import Match, Outcome
from paxtui.simulation.workers import play_all

MIXED = "mixed"
"""Name of the population in which each seat draws a level and a temper."""
MIXTURE = (
    *("steady", "statesman:easy", "statesman:normal", "statesman:normal", "statesman:hard"),
    *("statesman:normal:cautious", "statesman:normal:bold", "statesman:normal:treacherous", "statesman:hard:bold"),
)
RESULTS = "results.jsonl"
LEFT_LINE = "23"
"""Line of the record sheet with the pounds that buy Victory Points."""


class GameRecord(msgspec.Struct, frozen=True):
    """A finished game.

    Attributes:
        outcome: its outcome.
        tables: its tables.
        ends: the position at the end of each Game Turn, before the next one begins.
        positions: those at the beginning of each Movement and Negotiation Phase, and at the end of each Game Turn.
        wars: Game Turn of each War declared by a Power with a player, not required by a Treaty.
    """

    outcome: Outcome
    tables: Tables
    ends: tuple[State, ...]
    positions: tuple[State, ...]
    wars: tuple[int, ...]

    @property
    def new_controls(self) -> list[int]:
        """Areas by Game Turn in which a Power has Control at the end that it had not at the end before."""
        first = {row.area: {r.power for r in self.tables.start_markers if r.area == row.area}
                 for row in self.tables.start_markers}  # fmt: skip
        before, found = {area: first.get(area, set()) for area in self.tables.areas}, []
        for state in self.ends:
            now = {area: set(controllers(state, area)) for area in self.tables.areas}
            found.append(sum(bool(now[area] - before[area]) for area in now))
            before = now
        return found

    def pounds_left(self, turn: int) -> dict[str, int]:
        """Pounds of each seat that bought Victory Points in a Game Turn."""
        state = self.ends[turn - 1]
        return {seat: state.powers[seat].record.get(LEFT_LINE) or 0 for seat in state.players}


def matches(
    games: int, seed: str, bots: str, players: int, tables: str, directory: Path, options: dict[str, str]
) -> Iterator[Match]:
    """Yield the games of a run: one bot at all seats, or a mixture drawn by the seed."""
    if players == len(seats_for(8)):
        options = {"belgium": "yes", **options}
    for number in range(1, games + 1):
        name = f"{seed}-{number}"
        at = {
            seat: MIXTURE[draw(name, n + 1, len(MIXTURE)) - 1] if bots == MIXED else bots
            for n, seat in enumerate(seats_for(players))
        }
        file = str(directory / f"{number}.jsonl")
        yield Match(number=number, seed=name, bots=at, options=options, file=file, tables=tables)


def play_into(directory: Path, planned: Sequence[Match], jobs: int) -> list[Outcome]:
    """Play the games that the directory does not have yet; return all outcomes, by number."""
    directory.mkdir(parents=True, exist_ok=True)
    kept = directory / RESULTS
    done = {o.number: o for o in read_outcomes(directory)} if kept.exists() else {}
    with kept.open("ab") as lines:
        for outcome in play_all([match for match in planned if match.number not in done], jobs):
            done[outcome.number] = outcome
            lines.write(msgspec.json.encode(outcome) + b"\n")
            lines.flush()
    return [done[match.number] for match in planned]


def read_outcomes(directory: Path) -> list[Outcome]:
    """Read the outcomes of a run; a torn last line is ignored."""
    lines = (directory / RESULTS).read_bytes().split(b"\n")[:-1]
    return [msgspec.json.decode(line, type=Outcome) for line in lines]


def read_record(outcome: Outcome, tables: Tables | None = None) -> GameRecord:
    """Read the log of a game. Args: the outcome; the tables, if they are loaded already."""
    table = PaxHost.open(Path(outcome.file), write=False)
    state, ends, positions, wars = table.game.seek(1), [], [], []
    for line in table.game.effective_lines():
        for event in table.game.events(line.n):
            if isinstance(event, ev.TurnBegan):
                ends.append(state)
                positions.append(state)
            elif isinstance(event, ev.PhaseBegan) and event.phase in TRADING_PHASES:
                positions.append(evolve(state, event))
            elif isinstance(event, ev.WarDeclared) and not event.treaty and event.power in state.players:
                wars.append(state.turn)
            state = evolve(state, event)
    ends.append(state)
    return GameRecord(outcome, tables or table.tables, tuple(ends), tuple(positions), tuple(wars))
