"""A finished or running game displayed line by line from its log, with the reader's own notes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from paxtui.engine.refusal import Refusal
from paxtui.engine.seats import ARBITER, SPECTATOR
from paxtui.games.pax.events import events
from paxtui.games.pax.text.display import power_name
from paxtui.session.game_viewer import GameViewer
from paxtui.session.pax_host import PaxHost
from paxtui.session.session import BotControl, KeyboardSeats, Operation, Session
from paxtui.session.storage.saved_games import Sidecar, read_sidecar, write_sidecar


class ReplayViewer(GameViewer):
    """A view of a log. Places after the last line count as the last line."""

    def number_of(self, place: int) -> int:
        """Convert a place in the shared count to the viewpoint's line number."""
        return super().number_of(min(place, self.place))


class ReplaySeats(KeyboardSeats):
    """All seats: each Power's sheets can be displayed."""

    def here(self) -> tuple[str, ...]:
        """Return all seats."""
        return self._host.state.players


class ReplaySession(Session):
    """A game displayed from its first line on; nothing in it can be changed.

    Args:
        path: the log.

    Attributes:
        path: the log.

    Raises: FileNotFoundError, OSError, BrokenLog, TableError: the log cannot be used.
    """

    def __init__(self, path: Path) -> None:
        host = PaxHost.open(path, write=False)
        view = ReplayViewer(host, SPECTATOR)
        super().__init__(host, view, ReplaySeats(host, view), BotControl(host, None))
        self._host: PaxHost = host
        self.seat = self.power = host.state.players[0]
        self.path = path
        self._sidecar = read_sidecar(path, host.game.header.game)
        view.at = 1

    @property
    def log_path(self) -> Path:
        """The log."""
        return self.path

    # --- viewpoint ------------------------------------------------------------------------------------------------

    @property
    def viewpoints(self) -> tuple[str, ...]:
        """The available viewpoints: public, each seat, and everything when the game is over."""
        everybody = (ARBITER,) if self._host.state.result is not None else ()
        return (SPECTATOR, *self._host.state.players, *everybody)

    def set_viewpoint(self, viewpoint: str) -> None:
        """Change the viewpoint and keep the displayed moment. Raises: Refusal for an unavailable viewpoint."""
        if viewpoint not in self.viewpoints:
            raise Refusal("not_over", (), "All secrets are visible when the game is over.")
        self.view.change_viewpoint(viewpoint)
        if viewpoint in self._host.state.players:
            self.seat = self.power = viewpoint
        self._notify()

    def viewpoint_label(self, viewpoint: str) -> str:
        """Return the name of a viewpoint."""
        return {SPECTATOR: "the public", ARBITER: "all secrets"}.get(viewpoint) or power_name(self.tables, viewpoint)

    @property
    def read_only_label(self) -> str:
        """What the top line shows."""
        return f"replay · {self.viewpoint_label(self.view.viewpoint)}"

    def take_seat(self, seat: str) -> None:
        """Show the sheets of another Power; the viewpoint of a seat changes with it."""
        if self.view.viewpoint in self._host.state.players:
            self.set_viewpoint(seat)
        else:
            self.seat = self.power = seat
            self._notify()

    def look_at(self, line: int | None) -> None:
        """Display the position after a line; a replay has a last line, but no present."""
        last = self.version
        self.view.at = last if line is None else max(1, min(line, last))
        self._notify()

    # --- notes ----------------------------------------------------------------------------------------------------

    @property
    def notes(self) -> Mapping[int, str]:
        """The reader's notes by line number of the full log; they are stored outside the log."""
        return self._sidecar.notes

    def note_at_line(self) -> str:
        """Return the note at the displayed line, "" for none."""
        return self.notes.get(self.view.place_of(self.line), "")

    def save_note(self, text: str) -> Path:
        """Save a note to the displayed line ("" deletes it) and return its file. Raises: OSError."""
        place = self.view.place_of(self.line)
        notes = {n: note for n, note in self.notes.items() if n != place} | ({place: text} if text else {})
        old = self._sidecar
        sidecar = Sidecar(
            game=self._host.game.header.game, step=old.step, learned=old.learned, notes=dict(sorted(notes.items()))
        )
        path = write_sidecar(self.path, sidecar)
        self._sidecar = sidecar
        return path

    def perform(self, operation: Operation) -> tuple[events.Event, ...]:
        """Refuse. Raises: Refusal."""
        raise Refusal("replay", (), "This is a replay. It is read-only.")
