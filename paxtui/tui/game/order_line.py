"""The line for words of the game screen: an order, or a place to be found."""

from __future__ import annotations

from textual import on
from textual.message import Message
from textual.suggester import Suggester, SuggestFromList
from textual.widgets import Input

from paxtui.pax.legal import legal
from paxtui.pax.orders.notation import VERBS
from paxtui.pax.words.spoken import place_name
from paxtui.table.session import Session

ORDER, PLACE = "command", "find"
"""What the line asks for; the page of the help about each is called so, too."""

ARBITERS = ("advance", "advance!", "step", "position")
"""Orders of the arbiter of the engine protocol: here the game advances by itself."""

SEAT = "seat"
"""The word that the line knows besides the notation: another seat sits down."""

WORDS = (*(verb for verb in VERBS if verb not in ARBITERS), SEAT)
"""First words of orders."""


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


class OrderLine(Input):
    """The line for words; it keeps the orders that were given."""

    class Entered(Message):
        """Words have been entered. `asks` is what for: ORDER or PLACE."""

        def __init__(self, text: str, asks: str) -> None:
            super().__init__()
            self.text, self.asks = text, asks

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True)
        self.asks = ""
        self.given: list[str] = []
        self._recalled = 0

    def ask_order(self, session: Session, verb: str = "") -> None:
        """Ask for an order; `verb` stands there already."""
        self.placeholder = "order: place influence egypt"
        self.suggester = Orders(session)
        self._ask(ORDER, f"{verb} " if verb else "")

    def ask_place(self, session: Session) -> None:
        """Ask for a place."""
        tables = session.tables
        names = [place_name(tables, p).lower() for p in (*tables.areas, *tables.sea_zones)]
        self.placeholder = "find: egy"
        self.suggester = SuggestFromList(names, case_sensitive=False)
        self._ask(PLACE, "")

    def _ask(self, asks: str, value: str) -> None:
        self.asks = asks
        self.select_on_focus = not value  # a word that stands there stays when one types on
        self.value = value
        self.cursor_position = len(value)

    def remember(self, text: str) -> None:
        """Keep an order that was given, to be recalled."""
        self.given.append(text)
        self._recalled = len(self.given)

    def recall(self, step: int) -> None:
        """Show an earlier order (-1) or a later one (1)."""
        if self.given:
            self._recalled = max(0, min(len(self.given), self._recalled + step))
            self.value = self.given[self._recalled] if self._recalled < len(self.given) else ""
            self.cursor_position = len(self.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Entered(event.value.strip(), self.asks))
