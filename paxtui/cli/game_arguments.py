"""Arguments of several commands: game, scenario, options, seats of a new game; file, seat, line of a saved game."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paxtui.cli.runtime import CommandError
from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.session.games import GAME_KINDS, Scenario

if TYPE_CHECKING:
    from paxtui.session.game_host import GameHost
    from paxtui.session.pax_host import PaxHost


def add_game_arguments(part: argparse.ArgumentParser) -> None:
    """Add the arguments that choose a game and its scenario."""
    part.add_argument(
        "--game", choices=tuple(GAME_KINDS), default=FIRST_RULEBOOK, help="pax, or empires for an exercise"
    )
    part.add_argument(
        "--scenario",
        "--exercise",
        dest="scenario",
        default="",
        metavar="NAME",
        help="a scenario, such as evening, or its file; for --game empires an exercise, such as channel-1805",
    )


def named_options(texts: Sequence[str], players: int | None) -> dict[str, str]:
    """Return the options of the command line; eight players need Belgium. Raises: CommandError."""
    options: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"--option takes NAME=VALUE, not {text!r}")
        options[name.strip()] = value.strip()
    if players == 8:
        options.setdefault("belgium", "yes")
    return options


def seats_of(scenario: Scenario, game: str, players: int | None) -> tuple[str, ...]:
    """Return the seats for a number of players, None for the default. Raises: CommandError."""
    kind = GAME_KINDS[game]
    if players is None:
        return scenario.seats
    if not kind.has_free_seats or scenario.patch is not None:
        raise CommandError(f"--players: {scenario.id} is for {', '.join(scenario.seats)}")
    if not 4 <= players <= 8:
        raise CommandError(f"--players takes 4 to 8, not {players}")
    return kind.seats_for(players)


def open_pax_game(file: str, otherwise: str) -> PaxHost:
    """Open a saved game of Pax Britannica to read it.

    Raises:
        CommandError: it is another game; the message is `otherwise`.
        BrokenLog, OSError, TableError: as `open_game`.
    """
    from paxtui.session.hosts import open_game
    from paxtui.session.pax_host import PaxHost

    host = open_game(Path(file), write=False)
    if not isinstance(host, PaxHost):
        raise CommandError(otherwise)
    return host


def viewpoint_of(host: GameHost, seat: str) -> str:
    """Return the viewpoint of `--seat`; without it everything of a finished game, and what everybody knows of another.

    Raises:
        CommandError: there is no such seat.
    """
    if seat and seat not in (*host.seats, ARBITER, SPECTATOR):
        raise CommandError(f"--seat takes {', '.join(host.seats)}, spectator or arbiter, not {seat!r}")
    return seat or (ARBITER if host.state.result is not None else SPECTATOR)


def line_of(at: int | None, last: int) -> int:
    """Return the line of `--at`, by default the last one. Raises: CommandError if there is no such line."""
    if at is not None and not 1 <= at <= last:
        raise CommandError(f"--at takes a line from 1 to {last}, not {at}")
    return last if at is None else at
