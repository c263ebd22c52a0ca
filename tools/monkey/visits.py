"""Starts of visits: each prepares a directory, and names the game that is opened."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from paxtui.bots.pax.registry import parse_bot_name
from paxtui.engine.seating import PERSON, SeatOccupant
from paxtui.games.pax.position.setup import seats_for
from paxtui.session.hosts import new_game
from paxtui.session.pax_host import PaxHost
from paxtui.session.tables.loader import load_tables
from paxtui.studies.study_session import open_study
from tests.places import CONGRESS, GOLDEN, SAVES
from tests.rules.harness import army, held, here
from tests.tui.playing import MOVEMENT, NEGOTIATION
from tests.tui.wars import FAR_EAST, OTTOMAN_AID, SPOILS, far_east
from tools.monkey.typing import Stroke, key, typed

GAME = "game.jsonl"
GREAT_WAR = SAVES / "great-war-0.2.0.jsonl"
CURTAIN = (key("space"),)
"""Closes the screen that hides the secrets of a seat."""


def begin(home: Path, patch: dict[str, Any], occupants: Mapping[str, SeatOccupant] = MappingProxyType({})) -> Path:
    """Create a game of seven at a position. Args: the directory; the position; occupants that are no persons."""
    path = home / GAME
    with PaxHost.new(load_tables(), seats_for(7), "7", {}, path=path, undo="free", clock=lambda: "") as table:
        if occupants:
            table.seat(occupants)
        table.act("arbiter", {"type": "set_position", "patch": patch})
    return path


def copy_log(home: Path, log: Path) -> Path:
    """Copy a saved game."""
    return Path(shutil.copy(log, home / GAME))


ATTACK = {**MOVEMENT, "areas": {"egypt": here()}}
"""The Movement Phase with no Units in Egypt."""


def nothing(home: Path) -> None:
    """The start screen, with nothing saved."""


def saved(home: Path) -> None:
    """The start screen, with two saved games."""
    (home / "saves").mkdir()
    shutil.copy(CONGRESS, home / "saves")
    shutil.copy(begin(home, MOVEMENT), home / "saves" / "begun.jsonl")


def studied(home: Path) -> None:
    """The start screen, with a finished game that has a study with a comment, a mark and a branch."""
    (home / "saves").mkdir()
    log = Path(shutil.copy(GOLDEN, home / "saves" / GAME))
    session = open_study(log, author="monkey", clock=lambda: "")
    session.look_at(40)
    session.write_comment("Why here?")
    session.toggle_mark("question")
    seats = session.live.players
    session.play_on(seats[0], {seat: parse_bot_name("caretaker") for seat in seats[1:]} | {seats[0]: PERSON}, "")
    session.book.close()


def exercise(home: Path, name: str) -> None:
    """The start screen, with an exercise of Empires in Arms saved."""
    new_game("empires", "7", scenario=name, path=home / "saves" / f"{name}.jsonl").close()


def driven_out() -> dict[str, Any]:
    """Russia attacks, and Japanese Armies may have to leave Manchuria."""
    armies = [*[army("japan", 1)] * 2, *[army("russia", 10)] * 2]
    manchuria = held("russia", "protectorate", *armies)
    return {**far_east("attack", order=[2, 1], turn_of=2), "areas": {**FAR_EAST["areas"], "manchuria": manchuria}}


BOTS: Mapping[str, SeatOccupant] = {
    "france": parse_bot_name("steady"),
    "germany": parse_bot_name("caretaker"),
    "russia": parse_bot_name("statesman:easy"),
    "italy": SeatOccupant(by="nobody"),
}
"""Bots of each kind, and an empty seat."""

VISITS: Sequence[tuple[str, Callable[[Path], Path | None], tuple[Stroke, ...]]] = (
    ("movement", lambda home: begin(home, MOVEMENT), ()),
    ("negotiation", lambda home: begin(home, NEGOTIATION), CURTAIN),
    ("congress", lambda home: copy_log(home, CONGRESS), (*CURTAIN, *typed("{{{{C"))),
    ("start", nothing, ()),
    ("saved", saved, ()),
    ("tutorial", nothing, typed("l")),
    ("new", nothing, typed("n")),
    ("settings", lambda home: begin(home, MOVEMENT), (key("f4"),)),
    ("keys", lambda home: begin(home, MOVEMENT), (key("f5"),)),
    ("treaties", lambda home: begin(home, NEGOTIATION), (*CURTAIN, *typed("t"))),
    ("editor", lambda home: begin(home, NEGOTIATION), (*CURTAIN, *typed("tna"))),
    ("replay", lambda home: copy_log(home, GOLDEN), (*CURTAIN, *typed("{{["))),
    ("menu", lambda home: begin(home, MOVEMENT), typed("/egy\r\r")),
    ("reading", lambda home: begin(home, MOVEMENT), (key("f2"),)),
    ("dispatches", lambda home: begin(home, NEGOTIATION), (*CURTAIN, *typed("d"))),
    ("sheet", lambda home: begin(home, NEGOTIATION), (*CURTAIN, *typed("e"))),
    ("war", lambda home: begin(home, FAR_EAST), typed("ssssv")),
    ("attack", lambda home: begin(home, far_east("attack")), typed("/manch\r\ra")),
    ("retreat", lambda home: begin(home, driven_out()), typed(" :attack manchuria\r\rc")),
    ("declare", lambda home: begin(home, NEGOTIATION), typed(" :seat france\r /italy\r\ru")),
    ("aid", lambda home: begin(home, OTTOMAN_AID), typed("/anatolia\r\ra")),
    ("spoils", lambda home: begin(home, SPOILS), typed("r\rc")),
    ("bring", lambda home: begin(home, ATTACK), typed("/egy\r\rdV")),
    ("bots", lambda home: begin(home, MOVEMENT, BOTS), ()),
    ("sitters", lambda home: begin(home, MOVEMENT), typed("W")),
    ("great", lambda home: copy_log(home, GREAT_WAR), (*CURTAIN, *typed("{{"))),
    ("channel", lambda home: exercise(home, "channel-1805"), (key("enter"), key("ctrl+p"))),
    ("cabinet", lambda home: exercise(home, "cabinet-1805"), (key("enter"),)),
    ("danube", lambda home: exercise(home, "danube-1805"), (key("enter"),)),
    ("charts", lambda home: copy_log(home, GOLDEN), typed("i")),
    ("study", studied, typed("y")),
    ("tree", studied, typed("yy")),
    ("archive", studied, typed("k")),
    ("shelf", nothing, typed("c")),
    ("puzzles", nothing, typed("cp\r")),
    ("review", lambda home: copy_log(home, GOLDEN), (*CURTAIN, *typed("D"))),
)
"""Name, preparation of the directory with the game that is opened, and the first keys."""
