"""Games of Pax Britannica: `PaxHost` is a `GameHost` with dispatches, forecasts of War and abandoned seats.

`SealedLetters` opens dispatches when their Game Turn comes.

Rules: TRE-011
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import msgspec

from paxtui.engine.game import Game
from paxtui.engine.game_log import GameLog
from paxtui.engine.log import BrokenLog, Line, Parsed
from paxtui.engine.refusal import Refusal
from paxtui.engine.seating import SeatOccupant
from paxtui.engine.seats import ARBITER
from paxtui.engine.upcast import Raw
from paxtui.games.pax.actions import actions, dispatches
from paxtui.games.pax.actions.dispatches import Dispatch, Letter
from paxtui.games.pax.board.status import powers_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.game import PaxGame
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.menus.menu import Menu
from paxtui.games.pax.position.reader import find_unknown_name
from paxtui.games.pax.preview.forecast import describe_forecast
from paxtui.games.pax.preview.preview import encode_preview, preview_action
from paxtui.games.pax.reports.todo import todo_items
from paxtui.games.pax.state.model import State
from paxtui.games.pax.visibility import visible_state
from paxtui.session.game_host import Clock, GameHost, GameSettings, OrderInput, SeatViews
from paxtui.session.storage.interface import StoredLog
from paxtui.session.tables.loader import replaced_tables


class PaxViews(SeatViews):
    """Queries of a game of Pax Britannica."""

    game: GameLog[State]
    tables: Tables
    state: State

    def state_for(self, seat: str, at: int | None = None) -> State:
        """Return the position as a seat may know it, now or after a line; it contains nothing else.

        Raises: Refusal `unknown_seat`, `no_such_line`.
        """
        state: State = super().state_for(seat, at)
        return state

    def visible_events(self, seat: str, n: int) -> tuple[events.Event, ...]:
        """Return the events of line `n` of the log (its own number) as a seat may know them.

        Raises: Refusal `no_such_line`.
        """
        return super().visible_events(seat, n)

    def reason(self, seat: str, n: int) -> str:
        """Return the reason for line `n` of the log if the seat may know it; "" for none.

        The reason for rejecting a draft is known to all its parties; other sealed reasons only after the game.
        """
        line = self.game.line(n)
        if line.why is not None and line.why.sealed and self._sees_rejection(seat, line):
            return line.why.text
        return super().reason(seat, n)

    def objection(self, seat: str, id_: str) -> str:
        """Return the stated reason for rejecting a draft; "" if there is none, or the seat may not know it."""
        lines = reversed(self.game.effective_lines())
        n = next((line.n for line in lines if id_ in self._rejected_drafts(line)), 0)
        return self.reason(seat, n) if n else ""

    def _rejected_drafts(self, line: Line) -> tuple[str, ...]:
        found = (event for event in self.game.events(line.n) if isinstance(event, events.TreatyRejected))
        return tuple(event.id for event in found if event.reason == "rejected")

    def _sees_rejection(self, seat: str, line: Line) -> bool:
        """Whether a line rejects a draft to which a seat is a party."""
        ids = self._rejected_drafts(line)
        parties = {power for treaty in self.state.treaties if treaty.id in ids for power in treaty.parties}
        return seat in self.state.players and not parties.isdisjoint(powers_of(self.tables, self.state, seat))

    def dispatches(self, seat: str) -> tuple[Letter, ...]:
        """Return the dispatches that a seat sent or received, in order. Raises: Refusal `unknown_seat`."""
        return dispatches.list_letters(self.known(seat).lines, seat)


class SealedLetters:
    """The sealed dispatches of one game."""

    def __init__(self, game: GameLog[State]) -> None:
        self._game = game
        self._shut: dict[int, Line] = {}
        self._searched = 1

    def open_due(self, state: State, time: str) -> None:
        """Open each dispatch that is due at a position; an undo does not seal it again.

        Args: the position now; the time for the log.
        """
        for line in self._game.lines_after(self._searched):
            content = line.action
            if dispatches.is_sealed_letter(content):
                self._shut[line.n] = line
            elif line.kind == "note" and isinstance(content, dict) and content.get("type") == dispatches.LETTER:
                self._shut.pop(content.get("line", 0), None)
        self._searched = self._game.version
        for n, line in self._shut.items():
            if dispatches.is_letter_due(state, line.action):
                # A failed write is retried after the next act.
                with suppress(OSError):
                    self._game.note(line.seat, dispatches.make_opening_note(n, line.seat, line.action), time)


class PendingReplies(NamedTuple):
    """Which seats owe a reply.

    Attributes:
        pairs: the seat that owes it, and the writer.
        searched: the last log line that was searched.
    """

    pairs: dict[tuple[str, str], None]
    searched: int


class UnansweredDispatches:
    """The dispatches of one game that wait for a reply. Public ones need none."""

    def __init__(self, game: GameLog[State], before: PendingReplies) -> None:
        self._game = game
        self._waiting, self._searched = before

    @property
    def now(self) -> PendingReplies:
        """The state to continue from when the game is opened again."""
        return PendingReplies(self._waiting, self._searched)

    def writers(self, seat: str) -> tuple[str, ...]:
        """Return the seats that wrote to a seat since it last wrote to them, sealed dispatches excluded."""
        for line in self._game.lines_after(self._searched):
            content = line.action
            is_open = line.kind == "note" and content.get("type") == dispatches.DISPATCH
            if is_open and not dispatches.is_sealed_letter(content):
                for to in content.get("to", ()):
                    self._waiting[to, line.seat] = None
                    self._waiting.pop((line.seat, to), None)
        self._searched = self._game.version
        return tuple(writer for to, writer in self._waiting if to == seat)

    def dismiss(self, seat: str, writer: str) -> None:
        """Record that a seat was asked for a reply and gives none."""
        self._waiting.pop((seat, writer), None)


class PaxHost(PaxViews, GameHost):
    """A running game of Pax Britannica. Create it with `PaxHost.new` or `PaxHost.open`; a context manager.

    Args: as `GameHost`.
    """

    def __init__(self, rules: Game[Any], parsed: Parsed, store: StoredLog | None, clock: Clock, seed: str = "") -> None:
        if not isinstance(rules, PaxGame):
            raise BrokenLog(1, f"it is a game by the rules '{rules.rulebook}', and this is '{PaxGame.rulebook}'")
        super().__init__(rules, parsed, store, clock, seed)
        self._letters = SealedLetters(self.game)

    @classmethod
    def new(
        cls,
        tables: Tables,
        powers: Sequence[str],
        seed: str,
        options: Mapping[str, str] | None = None,
        *,
        tables_dir: Path | None = None,
        **settings: Unpack[GameSettings],
    ) -> PaxHost:
        """Create a game at the 1880 start. Nothing is rolled and nothing advances.

        Args:
            tables: those that `tables_dir` (a directory of replacements, or None) gave.
            powers: the seats.
            seed: of the dice; stored in the log, or for fair dice in a file beside it.
            options: by name; missing ones have their default.
            settings: as in `GameSettings`.

        Raises:
            Refusal: powers or options do not make a game.
            FileExistsError, FileLocked, OSError: the file cannot be made.
        """
        return cls.create(PaxGame(tables), powers, seed, options, tables=replaced_tables(tables_dir), **settings)

    def check_position(self) -> None:
        """Check that the tables of the log know all names in its position. Raises: BrokenLog."""
        unknown = find_unknown_name(self.tables, self.state)
        if unknown:
            raise BrokenLog(self.version, f"the position after it is invalid: {unknown}")

    def legal(self, seat: str) -> Menu:
        """Return every legal action of a seat. Raises: Refusal `unknown_seat`."""
        return legal_actions(self.tables, self.state, seat)

    def forecast(self, seat: str, asked: OrderInput) -> Raw:
        """Return the effects of a declaration of War, or of the answer to a call, in figures and sentences.

        They are those that the seat may know.

        Raises: Refusal `no_forecast` for other orders, or as the order.
        """
        order, seen = self.read(asked), None
        if isinstance(order, actions.Action):
            seen = preview_action(self.tables, visible_state(self.tables, self.state, seat), seat, order)
        if isinstance(seen, Refusal):
            raise seen
        if seen is None or seen.forecast is None:
            raise Refusal("no_forecast", (), "Only orders about a declaration of War can be previewed here.")
        text = [line.text for line in describe_forecast(self.tables, seen.forecast)]
        return {**msgspec.to_builtins(seen.forecast), "text": text}

    def preview(self, seat: str, text: str) -> Raw:
        """Return the effects of an order as a seat may know them, in figures and sentences; or its refusal."""
        state = self.state_for(seat)
        try:
            order = self.read(text)
            if not isinstance(order, actions.Action):
                raise Refusal("bad_params", (), "Undo and redo have no preview.")
            seen = preview_action(self.tables, state, seat, order)
        except Refusal as refusal:
            seen = refusal
        if isinstance(seen, Refusal):
            return {"refused": {"code": seen.code, "rules": list(seen.rules), "message": seen.message}}
        return encode_preview(self.tables, state, seat, seen)

    def set_position(self, patch: Mapping[str, Any]) -> None:
        """Replace the position by the patched 1880 start. Raises: Refusal, OSError."""
        self.act(ARBITER, actions.SetPosition(dict(patch)))

    def act(
        self, seat: str, asked: OrderInput, auto: bool = False, why: str = ""
    ) -> tuple[Line, tuple[events.Event, ...]]:
        """Carry out an act of a seat, or send a dispatch. Args, Returns, Raises: as `GameHost.act`."""
        order = self.read(asked)
        if isinstance(order, Dispatch):
            return self.dispatch(seat, order.to, order.text, order.opens), ()
        return super().act(seat, order, auto, why)

    def is_message(self, order: Any) -> bool:
        """Return whether an order is a dispatch."""
        return isinstance(order, Dispatch)

    @property
    def ready_seats(self) -> tuple[str, ...]:
        """The seats that are ready."""
        return self.state.ready

    def tasks(self, seat: str) -> tuple[str, ...]:
        """Return the pending tasks of a seat in sentences, the most urgent first."""
        return tuple(item.text for item in todo_items(self.tables, self.state_for(seat), seat))

    def after_act(self) -> None:
        """Open the sealed dispatches that are due."""
        self._letters.open_due(self.state, self._now())

    def dispatch(self, seat: str, to: Sequence[str], text: str, opens: int = 0) -> Line:
        """Send a dispatch to the seats of some Powers, or to all; an undo does not remove it.

        Args:
            seat: the sender; the arbiter may send too.
            to: Powers; none for a proclamation.
            text: at most `dispatches.MAX_DISPATCH_LENGTH` characters; control characters are dropped.
            opens: Game Turn until which it is sealed, 0 for an open one.

        Raises:
            Refusal: nothing was sent.
            OSError: the file could not be written; nothing was sent.
        """
        note = dispatches.make_dispatch_note(self.tables, self.state, seat, Dispatch(tuple(to), text, opens))
        return self.game.note(seat, note, self._now())

    def seat(self, occupants: Mapping[str, SeatOccupant]) -> Line:
        """Assign occupants to seats, and update abandoned seats. Args, Returns, Raises: as `GameHost.seat`."""
        line = super().seat(occupants)
        self.keep_abandoned()
        return line

    def keep_abandoned(self) -> None:
        """Update the abandoned seats in the position from the occupants: an undo may have reverted them.

        Rules: ORD-001, ORD-036
        """
        known = self.occupants()
        for lifted in (False, True):
            seats = tuple(
                seat
                for seat in self.state.players
                if seat in known and known[seat].is_abandoned != lifted and (seat in self.state.abandoned) == lifted
            )
            if seats and self.state.result is None:
                self.game.act(ARBITER, actions.Abandon(seats, lifted), self._now())
