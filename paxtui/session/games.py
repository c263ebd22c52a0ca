"""The games there are: `GAME_KINDS` has a row for each. No module above this one asks which rulebook a game has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from paxtui.engine.bots import BotPlayer
from paxtui.engine.game import Game
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog, Header
from paxtui.engine.refusal import Refusal

if TYPE_CHECKING:
    from paxtui.session.tables.scenarios import PaxScenario


class Scenario(NamedTuple):
    """A start that new games can have.

    Attributes:
        id: its name in commands.
        title: its name for players.
        about: what it is, in a sentence or two.
        seats: the seats of its players.
        options: options that differ from their defaults.
        bots: bots by seat, by name; persons play the others.
        patch: the position of the start as a patch of the usual one, if it differs.
    """

    id: str
    title: str
    about: str
    seats: tuple[str, ...]
    options: Mapping[str, str] = {}
    bots: Mapping[str, str] = {}
    patch: Mapping[str, Any] | None = None


class GameKind(NamedTuple):
    """A kind of game. Its modules are imported when they are first needed.

    Attributes:
        rulebook: its name in headers of logs.
        title: its name for players.
        load: returns the game of a header. Raises: TableError.
        start: returns the game of a scenario, with the replacement tables of a directory. Raises: TableError.
        logged_tables: returns the tables of a scenario that its log keeps, as texts by name: those of that directory,
            and shipped ones that may change later.
        scenarios: returns its scenarios. A file of a player with an error is left out.
        default: id of the scenario of games that name none; "" if they must name one.
        find: returns a scenario by id or path; None if there is none. Raises: TableError.
        seats_for: returns the seats for a number of players; None if the scenario determines them.
        bots: returns its bots.
        remedies: file with advice after refusals, in `data/`.
    """

    rulebook: str
    title: str
    load: Callable[[Header], Game[Any]]
    start: Callable[[str, Path | None], Game[Any]]
    logged_tables: Callable[[str, Path | None], Mapping[str, Any]]
    scenarios: Callable[[], tuple[Scenario, ...]]
    default: str
    find: Callable[[str], Scenario | None]
    seats_for: Callable[[int], tuple[str, ...]] | None
    bots: Callable[[], BotPlayer]
    remedies: str


# --- Pax Britannica ---------------------------------------------------------------------------------------------------

WHOLE_GAME = "1880"


def _load_pax(header: Header) -> Game[Any]:
    from paxtui.games.pax.game import PaxGame
    from paxtui.session.tables.loader import load_tables_from_header

    return PaxGame(load_tables_from_header({name: str(text) for name, text in header.tables.items()}))


def _start_pax(scenario: str, tables_dir: Path | None) -> Game[Any]:
    from paxtui.games.pax.game import PaxGame
    from paxtui.session.tables.loader import load_tables

    return PaxGame(load_tables(tables_dir))


def _logged_in_pax(scenario: str, tables_dir: Path | None) -> Mapping[str, Any]:
    from paxtui.session.tables.loader import replaced_tables

    return replaced_tables(tables_dir)


def _pax_scenarios() -> tuple[Scenario, ...]:
    from paxtui.session.tables.scenarios import list_scenarios

    return tuple(_pax_scenario(one) for one in list_scenarios())


def _find_in_pax(name: str) -> Scenario | None:
    if name == WHOLE_GAME:  # most games: no file is read
        return Scenario(name, "The whole game", "Ten Game Turns from 1880 on.", _pax_seats(7))
    from paxtui.session.tables.scenarios import find_scenario_file, load_scenario

    path = find_scenario_file(name)
    return _pax_scenario(load_scenario(path)) if path is not None else None


def _pax_scenario(one: PaxScenario) -> Scenario:
    return Scenario(one.id, one.title, one.about, one.seats, one.options, one.bots, one.patch)


def _pax_seats(players: int) -> tuple[str, ...]:
    from paxtui.games.pax.position.setup import seats_for

    return seats_for(players)


def _pax_bots() -> BotPlayer:
    from paxtui.bots.pax.registry import PaxBots

    return PaxBots()


# --- Empires in Arms --------------------------------------------------------------------------------------------------


def _load_empires(header: Header) -> Game[Any]:
    return _empires_game(
        str(header.options.get("exercise", "")), {name: str(text) for name, text in header.tables.items()}
    )


def _start_empires(scenario: str, tables_dir: Path | None) -> Game[Any]:
    return _empires_game(scenario, _replaced_in_empires(tables_dir))


def _empires_game(scenario: str, replaced: Mapping[str, str]) -> Game[Any]:
    from paxtui.games.empires.game import EmpiresGame
    from paxtui.session.tables.exercises import load_exercise

    return EmpiresGame(load_exercise(scenario, replaced))


def _replaced_in_empires(tables_dir: Path | None) -> Mapping[str, str]:
    from paxtui.session.tables.campaigns import replaced_campaign_tables

    return replaced_campaign_tables(tables_dir)


def _logged_in_empires(scenario: str, tables_dir: Path | None) -> Mapping[str, Any]:
    from paxtui.session.tables.campaigns import campaign_names, campaign_texts

    replaced = _replaced_in_empires(tables_dir)
    return campaign_texts(replaced) if scenario in campaign_names() else replaced


def _empires_scenarios() -> tuple[Scenario, ...]:
    from paxtui.session.tables.exercises import load_exercise, scenario_names

    exercises = (load_exercise(name).exercise for name in scenario_names())
    return tuple(Scenario(one.id, one.title, " ".join(one.about.split()), one.powers) for one in exercises)


def _find_in_empires(name: str) -> Scenario | None:
    return next((one for one in _empires_scenarios() if one.id == name), None)


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
            logged_tables=_logged_in_pax,
            scenarios=_pax_scenarios,
            default=WHOLE_GAME,
            find=_find_in_pax,
            seats_for=_pax_seats,
            bots=_pax_bots,
            remedies="remedies.tsv",
        ),
        GameKind(
            rulebook="empires",
            title="Empires in Arms",
            load=_load_empires,
            start=_start_empires,
            logged_tables=_logged_in_empires,
            scenarios=_empires_scenarios,
            default="",
            find=_find_in_empires,
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
    """Return a scenario of a game by id, or by the path of a file; without a name the default or the first.

    Raises:
        Refusal: `unknown_game`, `unknown_scenario`.
        TableError: the file of the scenario has an error.
    """
    kind = GAME_KINDS.get(rulebook)
    if kind is None:
        raise Refusal("unknown_game", (), f"There is no game {rulebook!r}; there are {', '.join(GAME_KINDS)}.")
    found = kind.find(name or kind.default or kind.scenarios()[0].id)
    if found is None:
        known = ", ".join(one.id for one in kind.scenarios())
        raise Refusal("unknown_scenario", (), f"There is no scenario {name!r}; there are {known}.")
    return found


def bots_of(game: Game[Any]) -> BotPlayer:
    """Return the bots of a game."""
    return GAME_KINDS[game.rulebook].bots()
