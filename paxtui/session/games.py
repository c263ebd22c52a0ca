"""The games there are: `GAME_KINDS` has one of each. No module above this one asks which rulebook a game has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
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


class GameKind(ABC):
    """A kind of game. Its modules are imported when they are first needed.

    Attributes:
        rulebook: its name in headers of logs.
        title: its name for players.
        default: id of the scenario of games that name none; "" if they must name one.
        has_free_seats: whether the number of players determines the seats; otherwise the scenario does.
        remedies: file with advice after refusals, in `data/`.
    """

    rulebook: str
    title: str
    default: str
    has_free_seats: bool
    remedies: str

    @abstractmethod
    def load(self, header: Header) -> Game[Any]:
        """Return the game of a header. Raises: TableError."""

    @abstractmethod
    def start(self, scenario: str, tables_dir: Path | None) -> Game[Any]:
        """Return the game of a scenario, with the replacement tables of a directory. Raises: TableError."""

    @abstractmethod
    def logged_tables(self, scenario: str, tables_dir: Path | None) -> Mapping[str, Any]:
        """Return the tables of a scenario that its log keeps, as texts by name.

        They are those of the directory, and shipped ones that may change later.
        """

    @abstractmethod
    def scenarios(self) -> tuple[Scenario, ...]:
        """Return the scenarios. A file of a player with an error is left out."""

    def find(self, name: str) -> Scenario | None:
        """Return a scenario by id or path; None if there is none. Raises: TableError."""
        return next((one for one in self.scenarios() if one.id == name), None)

    def seats_for(self, players: int) -> tuple[str, ...]:
        """Return the seats for a number of players; none in a game whose scenarios name the seats."""
        return ()

    @abstractmethod
    def bots(self) -> BotPlayer:
        """Return the bots."""


class PaxKind(GameKind):
    """Games of Pax Britannica."""

    rulebook = FIRST_RULEBOOK
    title = "Pax Britannica"
    default = "1880"
    has_free_seats = True
    remedies = "remedies.tsv"

    def load(self, header: Header) -> Game[Any]:
        from paxtui.games.pax.game import PaxGame
        from paxtui.session.tables.loader import load_tables_from_header

        return PaxGame(load_tables_from_header(_logged_texts(header)))

    def start(self, scenario: str, tables_dir: Path | None) -> Game[Any]:
        from paxtui.games.pax.game import PaxGame
        from paxtui.session.tables.loader import load_tables

        return PaxGame(load_tables(tables_dir))

    def logged_tables(self, scenario: str, tables_dir: Path | None) -> Mapping[str, Any]:
        from paxtui.session.tables.loader import replaced_tables

        return replaced_tables(tables_dir)

    def scenarios(self) -> tuple[Scenario, ...]:
        from paxtui.session.tables.scenarios import list_scenarios

        return tuple(map(self._summary, list_scenarios()))

    def find(self, name: str) -> Scenario | None:
        if name == self.default:  # most games: no file is read
            return Scenario(name, "The whole game", "Ten Game Turns from 1880 on.", self.seats_for(7))
        from paxtui.session.tables.scenarios import find_scenario_file, load_scenario

        path = find_scenario_file(name)
        return self._summary(load_scenario(path)) if path is not None else None

    def _summary(self, one: PaxScenario) -> Scenario:
        return Scenario(one.id, one.title, one.about, one.seats, one.options, one.bots, one.patch)

    def seats_for(self, players: int) -> tuple[str, ...]:
        from paxtui.games.pax.position.setup import seats_for

        return seats_for(players)

    def bots(self) -> BotPlayer:
        from paxtui.bots.pax.registry import PaxBots

        return PaxBots()


class EmpiresKind(GameKind):
    """Games of Empires in Arms."""

    rulebook = "empires"
    title = "Empires in Arms"
    default = ""
    has_free_seats = False
    remedies = "empires/remedies.tsv"

    def load(self, header: Header) -> Game[Any]:
        return self._game(str(header.options.get("exercise", "")), _logged_texts(header))

    def start(self, scenario: str, tables_dir: Path | None) -> Game[Any]:
        from paxtui.session.tables.campaigns import replaced_campaign_tables

        return self._game(scenario, replaced_campaign_tables(tables_dir))

    def _game(self, scenario: str, replaced: Mapping[str, str]) -> Game[Any]:
        from paxtui.games.empires.game import EmpiresGame
        from paxtui.session.tables.exercises import load_exercise

        return EmpiresGame(load_exercise(scenario, replaced))

    def logged_tables(self, scenario: str, tables_dir: Path | None) -> Mapping[str, Any]:
        from paxtui.session.tables.campaigns import campaign_names, campaign_texts, replaced_campaign_tables

        replaced = replaced_campaign_tables(tables_dir)
        return campaign_texts(replaced) if scenario in campaign_names() else replaced

    def scenarios(self) -> tuple[Scenario, ...]:
        from paxtui.session.tables.exercises import load_exercise, scenario_names

        exercises = (load_exercise(name).exercise for name in scenario_names())
        return tuple(Scenario(one.id, one.title, " ".join(one.about.split()), one.powers) for one in exercises)

    def bots(self) -> BotPlayer:
        from paxtui.bots.empires.registry import EmpiresBots

        return EmpiresBots()


GAME_KINDS: dict[str, GameKind] = {kind.rulebook: kind for kind in (PaxKind(), EmpiresKind())}


def _logged_texts(header: Header) -> dict[str, str]:
    return {name: str(text) for name, text in header.tables.items()}


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
