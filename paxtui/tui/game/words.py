"""The line for words: orders with completion, and finding places."""

from __future__ import annotations

from textual import on
from textual.suggester import Suggester, SuggestFromList
from textual.widgets import Input

from paxtui.engine.refusal import Refusal
from paxtui.pax.legal import legal
from paxtui.pax.words.names import index
from paxtui.pax.words.spoken import place_name, power_name
from paxtui.table.session import Session
from paxtui.tui.game.game_part import GamePart
from paxtui.tui.map.places import the_atlas


class Orders(Suggester):
    """Completes an order from everything that is legal now; made when the first words are there."""

    def __init__(self, session: Session) -> None:
        super().__init__(use_cache=False, case_sensitive=False)
        self._session = session
        self._texts: list[str] | None = None

    async def get_suggestion(self, value: str) -> str | None:
        """The first legal order that begins like `value`."""
        if len(value) < 3 or " " not in value:
            return next((w for w in WORDS if w.startswith(value)), None)
        if self._texts is None:
            s = self._session
            self._texts = sorted(legal(s.tables, s.live, s.seat).texts())
        return next((t for t in self._texts if t.startswith(value)), None)


WORDS = ("place", "upgrade", "downgrade", "withdraw", "build", "move", "merchant", "canal", "pay", "transfer", "fight")
WORDS += ("decline", "choose", "waive", "codominion", "garrison", "ready", "unready", "undo", "redo", "seat")
"""First words of orders."""


class Words(GamePart):
    """The command line of the game screen."""

    asked: str = ""
    """What the line is open for: "command" or "find". A move goes on behind it."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In a line for words every key is a letter."""
        return action in ("back", "card") or not isinstance(self.focused, Input)

    def action_command(self) -> None:
        """Open the line for orders."""
        s = self.session
        self.asked = "command"
        self._prompt("order: place influence egypt", Orders(s))

    def begin_order(self, verb: str) -> None:
        """Open the line for orders with the first word of one."""
        self.session.look_at(None)
        self.redraw()
        command = self.query_one("#command", Input)
        command.select_on_focus = False  # the word stays when one types on
        self.action_command()
        command.value = f"{verb} "
        command.cursor_position = len(command.value)

    def action_find(self) -> None:
        """Open the line for finding a place."""
        s = self.session
        self.asked = "find"
        names = [place_name(s.tables, p).lower() for p in (*s.tables.areas, *s.tables.sea_zones)]
        self._prompt("find: egy", SuggestFromList(names, case_sensitive=False))

    def _prompt(self, hint: str, suggester: Suggester) -> None:
        command = self.query_one("#command", Input)
        command.placeholder = hint
        command.suggester = suggester
        command.value = ""
        self._show_command(True)
        # at once: what is typed meanwhile belongs into the line
        self.set_focus(command)

    def _show_command(self, shown: bool) -> None:
        """The line for words takes the place of the keys; nothing else on the screen moves."""
        self.query_one("#command", Input).display = shown
        self.query_one("#keys").display = not shown
        if not shown:
            self.set_focus(self.map)

    @on(Input.Submitted, "#command")
    def _entered(self, event: Input.Submitted) -> None:
        """Enter in the line: find the place, or give the order."""
        mode, text = self.asked, event.value.strip()
        self._show_command(False)
        if not text:
            self.redraw()
        elif mode == "find":
            try:
                self.map.cursor = self._found(text)
            except Refusal as refusal:
                self.tell(refusal)
            self.redraw()
        elif text in ("undo", "redo"):
            self.run_action_text(text)
        elif text.startswith("seat "):
            self._sit_by_name(text[5:])
        else:
            self.act(text)

    def _found(self, text: str) -> str:
        """The place meant by a name, a beginning, or a three-letter code.

        Raises: Refusal.
        """
        code = text.upper()
        for place in the_atlas().places.values():
            if place.code == code:
                return place.id
        return index(self.session.tables).places.find(text)

    def _sit_by_name(self, name: str) -> None:
        """Sit down at a seat named in the command line."""
        try:
            seat = index(self.session.tables).powers.find(name)
        except Refusal as refusal:
            self.tell(refusal)
            return
        if seat in self.session.live.players:
            self.sit(seat)
        else:
            self.notify(f"{power_name(self.session.tables, seat)} has no seat in this game.", severity="warning")

    def run_action_text(self, text: str) -> None:
        """Undo and redo by word."""
        self.action_undo() if text == "undo" else self.action_redo()
