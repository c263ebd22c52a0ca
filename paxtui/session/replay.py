"""Replay of a log, read-only and without a lock, from the public viewpoint, that of a seat or, after the end, of
all.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import Order
from paxtui.games.pax.events import events
from paxtui.games.pax.text.display import power_name
from paxtui.session.local_session import Session
from paxtui.session.pax_host import PaxHost
from paxtui.session.storage.saved_games import Sidecar, read_sidecar, write_sidecar


class ReplaySession(Session):
    """A game displayed from its first line on.

    Args:
        path: the log.

    Raises: FileNotFoundError, OSError, BrokenLog, TableError: the log cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._file = path
        self._eyes = SPECTATOR
        table = PaxHost.open(path, write=False)
        super().__init__(table, table.state.players[0], in_earnest=False)
        self._beside = read_sidecar(path, table.game.header.game)
        self.at = 1

    # --- whose eyes -----------------------------------------------------------------------------------------------

    @property
    def viewpoint(self) -> str:
        """The viewpoint: SPECTATOR for what is public, ARBITER for everything, or a seat."""
        return self._eyes

    @property
    def viewpoints(self) -> tuple[str, ...]:
        """The available viewpoints: public, each seat, and everything when the game is over."""
        everybody = (ARBITER,) if self._table.state.result is not None else ()
        return (SPECTATOR, *self._table.state.players, *everybody)

    def set_viewpoint(self, eyes: str) -> None:
        """Change the viewpoint and keep the displayed moment. Raises: Refusal for an unavailable viewpoint."""
        if eyes not in self.viewpoints:
            raise Refusal("not_over", (), "Everything can be seen when the game is over.")
        place = self._table.log_line(self._eyes, self.line)
        self._eyes = eyes
        if eyes in self._table.state.players:
            self.seat = self.power = eyes
        self.look_at(self._table.known(eyes).number(place))

    def viewpoint_label(self, eyes: str) -> str:
        """The viewpoint in words."""
        return {SPECTATOR: "the public", ARBITER: "all secrets"}.get(eyes) or power_name(self.tables, eyes)

    @property
    def reading(self) -> str:
        """What the top line shows."""
        return f"replay · {self.viewpoint_label(self._eyes)}"

    def take_seat(self, seat: str) -> None:
        """Show the sheets of another Power; a seat's viewpoint changes with it."""
        if self._eyes in self._table.state.players:
            self.set_viewpoint(seat)
        else:
            super().take_seat(seat)

    def seats_here(self) -> tuple[str, ...]:
        """All seats."""
        return self._table.state.players

    # --- when -----------------------------------------------------------------------------------------------------

    def look_at(self, line: int | None) -> None:
        """Display the position after a line; a replay has a last line, but no present."""
        last = self.version
        self.at = last if line is None else max(1, min(line, last))
        self._changed()

    # --- what is noted down ---------------------------------------------------------------------------------------

    @property
    def notes(self) -> Mapping[int, str]:
        """The reader's notes by line number of the full log; they are stored outside the log."""
        return self._beside.notes

    def note_at_line(self) -> str:
        """The note at the displayed line, "" for none."""
        return self._beside.notes.get(self.place_of(self.line), "")

    def save_note(self, text: str) -> Path:
        """Save a note to the displayed line ("" deletes it) and return its file. Raises: OSError."""
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
        """Return the viewpoint's line number of a place of the shared count."""
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
