"""A declaration of War before it is final: on whom, who is called, what tension becomes, the Great War, its blame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from paxtui.engine.refusal import Refusal
from paxtui.pax.menus.forecast import Forecast, sentences
from paxtui.pax.menus.trial import try_action
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli
from paxtui.pax.state.causes import CasusBelli
from paxtui.pax.war import declarations
from paxtui.pax.words.spoken import power_name
from paxtui.table.session import Session
from paxtui.tui.stage.listing import ListBox
from paxtui.tui.stage.prose import Keys, Prose, Rows
from paxtui.tui.writing.look import Look
from paxtui.tui.writing.wrapping import hanging

TICKED, OPEN = "[x]", "[ ]"
WIDTH = 84
"""Cells of a line of the box, where there is room for it."""
FRAME = 10
"""Cells that the box takes around it."""


class DeclareScreen(ListBox[ac.DeclareWar | None]):
    """The enemies that one declaration names, and what follows from it; `y` declares.

    Args: the open game; the declaration as it was begun.
    """

    TOPIC = "declare"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="declare.close", tooltip="Declare nothing"),
        Binding("space", "tick", "Tick", id="declare.tick", tooltip="Name this Power too, or no longer"),
        Binding("y", "declare", "Declare", id="declare.yes", tooltip="Declare War"),
    ]

    def __init__(self, session: Session, begun: ac.DeclareWar) -> None:
        super().__init__()
        self._session, self._power, self._beside = session, begun.power, begun.beside
        holder = begun.power or session.seat
        self._causes = declarations.usable(session.tables, session.live, holder)
        named = [n for n, c in enumerate(self._causes) if c.against in begun.on]
        over = [n for n in named if self._causes[n].id in begun.over]
        self.ticked = set((over or named)[:1])
        self.first = min(self.ticked, default=0)

    @property
    def order(self) -> ac.DeclareWar:
        """The declaration as it stands."""
        chosen = [c for n, c in enumerate(self._causes) if n in self.ticked]
        on = tuple(dict.fromkeys(c.against for c in chosen))
        several = any(sum(c.against == power for c in self._causes) > 1 for power in on)
        return ac.DeclareWar(on, tuple(c.id for c in chosen) if several else (), self._power, self._beside)

    def compose(self) -> ComposeResult:
        """The causes, what would follow, and the keys."""
        with Vertical(classes="box"):
            yield Prose("Declare War", classes="title")
            yield Rows(id="causes")
            yield Prose(id="foretold")
            keys = "{declare.tick} names another Power too · {declare.yes} declares War · {declare.close} not now"
            yield Keys(self.keyed(keys))

    def lines(self) -> Iterable[Text]:
        """The causes; below them, what follows from those that are ticked."""
        self.query_one("#foretold", Prose).update(self._foretold())
        return [self._line(n, cause) for n, cause in enumerate(self._causes)]

    def _line(self, n: int, cause: CasusBelli) -> Text:
        look, tables = self.look, self._session.tables
        out = Text(no_wrap=True, overflow="ellipsis")
        out.append(f"{TICKED if n in self.ticked else OPEN} ", look.key if n in self.ticked else "")
        out.append(power_name(tables, cause.against), f"bold {look.ink(cause.against)}".strip())
        out.append(f"   {casus_belli.said(tables, cause)}", look.faint)
        return look.signs(out)

    def _foretold(self) -> Text:
        """What the declaration would bring about, or why it is refused."""
        s, order = self._session, self.order
        if not order.on:
            return Text("Nobody is named.", self.look.faint)
        told = s.forecast(order)
        if told is None:
            said = try_action(s.tables, s.live, s.seat, order)
            return Text(said.message if isinstance(said, Refusal) else "", self.look.alarm)
        return foretold(s, self.look, told, min(WIDTH, self.app.size.width - FRAME))

    def action_tick(self) -> None:
        """Name the Power under the cursor too, or no longer."""
        if self.row is not None:
            self.ticked ^= {self.row}
            self.fill(self.row)

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        """Enter is pressed too easily for a declaration of War."""
        event.stop()
        self.notify(self.keyed("{declare.yes} declares War, {declare.close} leaves it."), timeout=4)

    def action_declare(self) -> None:
        """Declare War."""
        if self.order.on:
            self.dismiss(self.order)


def foretold(session: Session, look: Look, told: Forecast, width: int) -> Text:
    """A forecast, a row for each of its sentences; what ends the game stands out.

    Args: the open game; the colours; the forecast; cells of a row.
    """
    out = Text()
    for line in sentences(session.tables, told):
        bad = "Great War" in line or "would break" in line
        out.append_text(hanging(Text(look.palette.text(f"• {line}"), look.alarm if bad else ""), width, 2))
        out.append("\n")
    out.rstrip()
    return out
