"""Arguments that choose a game, its scenario, seats and options, for `new`, `simulate` and `postal new`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from paxtui.cli.runtime import CommandError
from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.session.games import GAME_KINDS, Scenario


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
