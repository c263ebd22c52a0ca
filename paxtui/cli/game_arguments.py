"""Arguments that choose a game and its scenario, for `new`, `simulate` and `postal new`."""

from __future__ import annotations

import argparse

from paxtui.engine.log import FIRST_RULEBOOK
from paxtui.session.games import GAME_KINDS


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
