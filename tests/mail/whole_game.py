"""Play a whole game of eight by mail through files: `python -m tests.mail.whole_game DIR`.

The script contains disputes, conditional orders, a Congress, a War, a missed move, a seat that is given to another
player, and a secret Treaty that is published late; all other orders are those of the caretaker. Keys, words and clock
are fixed, so that the same program plays the same game.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import TemporaryDirectory
from unittest.mock import patch

from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.position.setup import seats_for
from paxtui.games.pax.state.model import State
from paxtui.mail import administration, fair_dice, keys
from paxtui.mail.game_directory import GameDirectory
from paxtui.mail.gamemaster import GamemasterService
from paxtui.mail.submissions import caretaker_form, submit_form
from paxtui.session.pax_host import PaxHost
from tests.rules.harness import tables

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
SEED = "0002" * 16
KEPT = Path(__file__).parents[2] / "saves" / "by-mail"
"""The saved files of the game: all that an audit needs."""

FIRST_ORDERS = {
    "germany": "treaty Reinsurance with russia secret: defensive",
    "russia": "treaty Reinsurance with germany secret: defensive",
    "britain": "pay belgium 2 unless france builds N10",
    "belgium": "accept 2 from britain",
}
"""Orders of the first turn."""

DISPUTES = {"congress": (1, "france", "italy"), "war": (3, "britain", "germany")}
"""First Game Turn and seats of each dispute over an Area, which ends with a Congress and with a War."""


@contextmanager
def fixed_keys(home: Path) -> Iterator[None]:
    """Use fixed keys and words, and a separate directory for the players' data."""
    numbers = count()

    def drawn(size: int = 32) -> bytes:
        return sha256(f"by mail {next(numbers)}".encode()).digest()[:size]

    hexed = lambda size=16: drawn(size).hex()  # noqa: E731
    with (
        patch.object(keys, "new_secret_key", drawn),
        patch("paxtui.mail.fair_dice.secrets.token_hex", hexed),
        patch.dict(os.environ, {"PAXTUI_HOME": str(home)}),
    ):
        yield


class WholeGame:
    """The game. Args: an empty directory for it."""

    def __init__(self, root: Path) -> None:
        self.time = START
        self.folder = GameDirectory.made(root)
        self.service = GamemasterService.begin(
            self.folder, tables(), seats_for(8), seed=SEED, options={"belgium": "yes"}, game_id="bymail",
            sealed=True, fair=True, now=self._now,
        )  # fmt: skip
        self.seats = tuple(self.service.terms.players)
        self.left_at_stop = self.returned_at_stop = 0
        self.had = set[str]()
        self.areas = dict[str, str]()
        for seat in self.seats:
            keys.request_seat(
                self.folder, self.service.terms, self.service.new_code(seat), seat.replace("_", " ").title()
            )
        self.service.status()
        for _ in ("hashes", "words"):
            for seat in self.seats:
                fair_dice.send_dice_answer(self.folder, self.service.terms, seat)
            self.service.status()

    def _now(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time

    def play(self, most: int = 300) -> None:
        """Play until the game is over."""
        for _ in range(most):
            if self.service.terms.over:
                return
            self._stop()
        raise AssertionError("the game never ends")

    def _stop(self) -> None:
        """Submit the forms of a stop, and adjudicate them."""
        terms = self.service.terms
        with PaxHost.open(self.folder.game, write=False) as table:
            forms = {seat: self._form(table, seat) for seat in terms.waits_for}
            turn, phase = table.state.turn, table.state.phase
            self.had |= {"congress"} if table.state.congress else set()
            self.had |= {"war"} if table.state.wars else set()
        if turn == 3 and phase == "movement":
            forms.pop("japan", None)  # a missed move
        if turn == 4 and phase == "movement" and not self.left_at_stop:
            administration.assign_caretaker(self.service, "italy")
            self.left_at_stop = terms.stop
            forms.pop("italy", None)
        if turn == 6 and phase == "movement" and not self.returned_at_stop:
            code = administration.assign_player(self.service, "italy", "Carla")
            keys.request_seat(self.folder, self.service.terms, code, "Carla")
            self.service.status()
            self.returned_at_stop = terms.stop
            forms["italy"] = "build A1"
        for seat, text in forms.items():
            submit_form(self.folder, self.service.terms, tables(), text, seat, self._now)
        if not list(administration.run_due_tasks(self.service)):
            self.time += timedelta(days=30)
            assert list(administration.run_due_tasks(self.service))

    def _form(self, table: PaxHost, seat: str) -> str:
        """Return the form of a player: scripted orders, and then those of the caretaker."""
        state = table.state
        if state.phase != "movement":
            has_dispute = state.phase == "negotiation" and any(seat in pair for pair in DISPUTES.values())
            return self._talk(state, seat) + ("" if has_dispute else f"\n{caretaker_form(table, seat).text}")
        lines = [FIRST_ORDERS.get(seat, "")] if state.turn == 1 else []
        for what, (turn, *pair) in DISPUTES.items():
            if seat in pair and what not in self.had and state.turn >= turn:
                lines.append(claim_area(table, self.areas, what, *pair, seat))
        if state.turn == 5 and seat == "russia":
            lines += [f"reveal {t.id}" for t in state.treaties if t.stage == "in_force" and t.name == "Reinsurance"]
        return "\n".join([*lines, caretaker_form(table, seat).text])

    def _talk(self, state: State, seat: str) -> str:
        """Return the scripted orders of other Phases."""
        own = {cause.area: cause for cause in state.casus_belli if cause.holder == seat}
        lines = list[str]()
        if state.phase == "negotiation" and seat == "france" and self.areas.get("congress") in own:
            lines.append(f"congress britain over {own[self.areas['congress']].id}")
        if state.phase == "negotiation" and seat == "germany" and self.areas.get("war") in own:
            lines.append(f"declare war britain over {own[self.areas['war']].id}")
        if state.phase == "war" and seat == "germany" and self.areas.get("war"):
            lines.append(f"attack {self.areas['war']}")
        if seat == "france" and state.congress is not None and state.phase == "congress" and not state.ballots:
            lines.append(f"propose Act: italy lowers {self.areas['congress']} to interest; france pays italy 3")
        for choice in state.choices:
            if choice.seat == seat and choice.kind == "ballot":
                lines.append(f"choose {choice.id} yes sign")
        return "\n".join(lines)


def claim_area(table: PaxHost, areas: dict[str, str], what: str, first: str, second: str, seat: str) -> str:
    """Return a seat's orders to place a Protectorate where both could place one, with the strongest Army at home.

    The second seat's orders have the condition that the first places Control there. `areas` gets the disputed Area.
    """
    if seat == first:
        both = [_open_to(table, s) for s in (first, second)]
        areas[what] = next((a for a in both[0] if a in both[1] and not table.state.areas[a].markers), "")
    area = areas[what]
    home = table.state.homes[seat]
    armies = sorted((u.strength for u in home if u.power == seat and u.kind == "army"), reverse=True)
    if not area or not armies:
        return ""
    order = f"place protectorate {area}; move A{armies[0]} home > {area}"
    return order if seat == first else f"if {first} places control {area}: {order}"


def _open_to(table: PaxHost, seat: str) -> list[str]:
    """Return the Areas in which a seat can place a Protectorate."""
    orders = legal_actions(table.tables, table.state_for(seat), seat).orders
    return [text.split()[2] for text in orders if text.startswith("place protectorate ")]


def keep(root: Path, kept: Path = KEPT) -> None:
    """Copy the files that an audit needs. Args: the directory of the game; the destination."""
    rmtree(kept, ignore_errors=True)
    files = [root / "postal.json", root / "desk" / "game.jsonl", *sorted(root.glob("reports/*/public.txt"))]
    for file in files:
        there = kept / file.relative_to(root)
        there.parent.mkdir(parents=True, exist_ok=True)
        copyfile(file, there)


def main(args: list[str]) -> int:
    """Play the game, and save it in `saves/` or in the given directory."""
    with TemporaryDirectory() as home, fixed_keys(Path(home)):
        game = WholeGame(Path(home) / "game")
        game.play()
        keep(game.folder.root, Path(args[0]) if args else KEPT)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
