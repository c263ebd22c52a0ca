"""The games there are: `GAME_KINDS` has a row for each. No module above this one asks which rulebook a game has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from paxtui.engine.bots import BotPlayer
from paxtui.engine.game import Game
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog, Header
from paxtui.engine.refusal import Refusal


class Scenario(NamedTuple):
    """A start that new games can have.

    Attributes:
        id: its name in commands.
        title: its name for players.
        about: what it is, in a sentence or two.
        seats: the seats of its players.
    """

    id: str
    title: str
    about: str
    seats: tuple[str, ...]


class GameKind(NamedTuple):
    """A kind of game. Its modules are imported when they are first needed.

    Attributes:
        rulebook: its name in headers of logs.
        title: its name for players.
        load: returns the game of a header. Raises: TableError.
        start: returns the game of a scenario, with the replacement tables of a directory. Raises: TableError.
        replaced: returns the tables of that directory as texts by name, for the log.
        scenarios: returns its scenarios, the default first.
        seats_for: returns the seats for a number of players; None if the scenario determines them.
        bots: returns its bots.
        remedies: file with advice after refusals, in `data/`.
    """

    rulebook: str
    title: str
    load: Callable[[Header], Game[Any]]
    start: Callable[[str, Path | None], Game[Any]]
    replaced: Callable[[Path | None], Mapping[str, Any]]
    scenarios: Callable[[], tuple[Scenario, ...]]
    seats_for: Callable[[int], tuple[str, ...]] | None
    bots: Callable[[], BotPlayer]
    remedies: str


# --- Pax Britannica ---------------------------------------------------------------------------------------------------

PAX_SCENARIO = "1880"


def _load_pax(header: Header) -> Game[Any]:
    from paxtui.games.pax.game import PaxGame
    from paxtui.session.tables.loader import load_tables_from_header

    return PaxGame(load_tables_from_header({name: str(text) for name, text in header.tables.items()}))


def _start_pax(scenario: str, tables_dir: Path | None) -> Game[Any]:
    from paxtui.games.pax.game import PaxGame
    from paxtui.session.tables.loader import load_tables

    return PaxGame(load_tables(tables_dir))


def _replaced_in_pax(tables_dir: Path | None) -> Mapping[str, Any]:
    from paxtui.session.tables.loader import replaced_tables

    return replaced_tables(tables_dir)


def _pax_scenarios() -> tuple[Scenario, ...]:
    from paxtui.games.pax.position.setup import seats_for

    return (Scenario(PAX_SCENARIO, "Pax Britannica", "Ten Game Turns from 1880 on.", seats_for(7)),)


def _pax_seats(players: int) -> tuple[str, ...]:
    from paxtui.games.pax.position.setup import seats_for

    return seats_for(players)


def _pax_bots() -> BotPlayer:
    from paxtui.bots.pax.registry import PaxBots

    return PaxBots()


# --- Empires in Arms --------------------------------------------------------------------------------------------------


def _load_empires(header: Header) -> Game[Any]:
    return _start_empires(str(header.options.get("exercise", "")), None)


def _start_empires(scenario: str, tables_dir: Path | None) -> Game[Any]:
    from paxtui.games.empires.game import EmpiresGame
    from paxtui.session.tables.exercises import load_exercise

    return EmpiresGame(load_exercise(scenario))


def _empires_scenarios() -> tuple[Scenario, ...]:
    from paxtui.session.tables.exercises import exercise_names, load_exercise

    exercises = (load_exercise(name).exercise for name in exercise_names())
    return tuple(Scenario(one.id, one.title, " ".join(one.about.split()), one.powers) for one in exercises)


def _empires_bots() -> BotPlayer:
    from paxtui.bots.empires.registry import EmpiresBots

    return EmpiresBots()


GAME_KINDS: dict[str, GameKind] = {
    kind.rulebook: kind
    for kind in (
        GameKind(
            rulebook=FIRST_RULEBOOK,
            title="Pax Britannica",
            load=_load_pax,
            start=_start_pax,
            replaced=_replaced_in_pax,
            scenarios=_pax_scenarios,
            seats_for=_pax_seats,
            bots=_pax_bots,
            remedies="remedies.tsv",
        ),
        GameKind(
            rulebook="empires",
            title="Empires in Arms",
            load=_load_empires,
            start=_start_empires,
            replaced=lambda tables_dir: {},
            scenarios=_empires_scenarios,
            seats_for=None,
            bots=_empires_bots,
            remedies="empires/remedies.tsv",
        ),
    )
}


def load_game(header: Header) -> Game[Any]:
    """Return the game of a header, with its tables.

    Raises:
        BrokenLog: no game has this rulebook.
        TableError: its tables cannot be used.
    """
    kind = GAME_KINDS.get(header.rulebook)
    if kind is None:
        known = ", ".join(GAME_KINDS)
        raise BrokenLog(1, f"it is a game by the rules '{header.rulebook}', and this program knows {known}")
    return kind.load(header)


def find_scenario(rulebook: str, name: str = "") -> Scenario:
    """Return a scenario of a game by name; without a name the first.

    Raises:
        Refusal: `unknown_game`, `unknown_scenario`.
    """
    kind = GAME_KINDS.get(rulebook)
    if kind is None:
        raise Refusal("unknown_game", (), f"There is no game {rulebook!r}; there are {', '.join(GAME_KINDS)}.")
    scenarios = {one.id: one for one in kind.scenarios()}
    if name and name not in scenarios:
        raise Refusal("unknown_scenario", (), f"There is no scenario {name!r}; there are {', '.join(scenarios)}.")
    return scenarios[name] if name else next(iter(scenarios.values()))


def bots_of(game: Game[Any]) -> BotPlayer:
    """Return the bots of a game."""
    return GAME_KINDS[game.rulebook].bots()
