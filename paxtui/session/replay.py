"""A log that is only read: no lock, nothing written, seen by the public, by one seat or, when it is over, by all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import Order
from paxtui.games.pax.actions.seats import SeatOccupant
from paxtui.games.pax.events import events
from paxtui.games.pax.text.display import power_name
from paxtui.session.game_host import GameHost
from paxtui.session.local_session import Session
from paxtui.session.storage.saved_games import Sidecar, read_sidecar, write_sidecar


class ReplaySession(Session):
    """A game that is looked at, from its first line on.

    Args:
        path: the log; it may be anybody's.

    Raises: FileNotFoundError, OSError, BrokenLog, TableError: the log cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._file = path
        self._eyes = SPECTATOR
        table = GameHost.open(path, write=False)
        super().__init__(table, table.state.players[0], in_earnest=False)
        self._beside = read_sidecar(path, table.game.header.game)
        self.at = 1

    # --- whose eyes -----------------------------------------------------------------------------------------------

    @property
    def viewpoint(self) -> str:
        """Whose knowledge is shown: SPECTATOR for what is public, ARBITER for all of it."""
        return self._eyes

    @property
    def viewpoints(self) -> tuple[str, ...]:
        """Whose eyes there are: the public's, each seat's, and everybody's when the game is over."""
        everybody = (ARBITER,) if self._table.state.result is not None else ()
        return (SPECTATOR, *self._table.state.players, *everybody)

    def set_viewpoint(self, eyes: str) -> None:
        """See the game with other eyes; the moment looked at stays. Raises: Refusal for eyes that there are not."""
        if eyes not in self.viewpoints:
            raise Refusal("not_over", (), "Everything can be seen when the game is over.")
        place = self._table.log_line(self._eyes, self.line)
        self._eyes = eyes
        if eyes in self._table.state.players:
            self.seat = self.power = eyes
        self.look_at(self._table.known(eyes).number(place))

    def viewpoint_label(self, eyes: str) -> str:
        """Whose eyes they are, in words."""
        return {SPECTATOR: "the public", ARBITER: "all secrets"}.get(eyes) or power_name(self.tables, eyes)

    @property
    def reading(self) -> str:
        """For the top line."""
        return f"replay · {self.viewpoint_label(self._eyes)}"

    def take_seat(self, seat: str) -> None:
        """The sheets of another Power are shown; only the eyes of a seat go with it."""
        if self._eyes in self._table.state.players:
            self.set_viewpoint(seat)
        else:
            super().take_seat(seat)

    def seats_here(self) -> tuple[str, ...]:
        """All seats: whoever sits there, one may look over the shoulder."""
        return self._table.state.players

    # --- when -----------------------------------------------------------------------------------------------------

    def look_at(self, line: int | None) -> None:
        """Look at the position after a line; there is no present to return to, only a last line."""
        last = self.version
        self.at = last if line is None else max(1, min(line, last))
        self._changed()

    # --- what is noted down ---------------------------------------------------------------------------------------

    @property
    def notes(self) -> Mapping[int, str]:
        """The reader's notes by the number of the line in the eyes of all; the file of the game has none of them."""
        return self._beside.notes

    def note_at_line(self) -> str:
        """The note at the line looked at, "" for none."""
        return self._beside.notes.get(self.place_of(self.line), "")

    def save_note(self, text: str) -> Path:
        """Keep a note to the line looked at beside the log; "" takes it away. Where it is kept. Raises: OSError."""
        notes = {n: said for n, said in self._beside.notes.items() if n != self.place_of(self.line)}
        if text:
            notes[self.place_of(self.line)] = text
        beside = Sidecar(
            game=self._table.game.header.game,
            step=self._beside.step,
            learned=self._beside.learned,
            notes=dict(sorted(notes.items())),
        )
        path = write_sidecar(self._file, beside)
        self._beside = beside
        return path

    def number_of(self, place: int) -> int:
        """The line that the eyes have for a place of the shared count."""
        return self._table.known(self._eyes).number(min(place, self._table.version))

    # --- nothing is done --------------------------------------------------------------------------------------------

    def act(self, asked: str | Order | actions.Action) -> tuple[events.Event, ...]:
        """Refused."""
        self._refuse()

    def advance(self) -> tuple[events.Event, ...]:
        """Refused."""
        self._refuse()

    def undo(self, to: int | None = None) -> None:
        """Refused."""
        self._refuse()

    def redo(self) -> None:
        """Refused."""
        self._refuse()

    def send(self, text: str) -> None:
        """Refused."""
        self._refuse()

    def seat_players(self, sitters: Mapping[str, SeatOccupant]) -> None:
        """Refused."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise Refusal("replay", (), "This is a replay: it can be looked at, and nothing in it can be changed.")
