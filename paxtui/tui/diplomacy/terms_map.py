"""An agreement on the map: the world as it is beside the world as it would be, and the Areas that change hands."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import at
from paxtui.pax.reports.war.terms import agreed, changed
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import Treaty
from paxtui.pax.treaties.treaty_names import display_name
from paxtui.pax.words.spoken import place_name
from paxtui.table.session import Session
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.stage.prose import Keys, Prose, entitle
from paxtui.tui.stage.screen import PaxScreen
from paxtui.tui.widgets.scene_of import scene
from paxtui.tui.writing.timeline import differences

WIDE = 130
"""Columns from which both maps stand side by side."""
NOW, THEN = "now", "then"


class TermsMap(PaxScreen[None]):
    """The map before and after an agreement; on small screens Tab shows the other one.

    Args: the open game; the draft.
    """

    TOPIC = "terms"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,m", "close", "Close", id="terms.close", tooltip="Back to the articles"),
        Binding("tab", "turn", "Before and after", id="terms.turn", tooltip="The other map"),
        Binding("n", "next", "Next Area", id="terms.next", tooltip="Go to the next Area that changes hands"),
    ]

    def __init__(self, session: Session, treaty: Treaty) -> None:
        super().__init__()
        self._session, self._treaty = session, treaty
        said = agreed(session.tables, session.live, treaty)
        self.barred = said if isinstance(said, Refusal) else None
        self._after: State = session.live if isinstance(said, Refusal) else said
        self._areas = changed(session.live, self._after)
        self._at = -1

    def compose(self) -> ComposeResult:
        """Both maps, what changes, and the keys."""
        yield Prose(classes="title", id="terms-title")
        with Horizontal(id="terms-maps"):
            yield WorldMap(id=NOW, palette=self.app.palette)
            yield WorldMap(id=THEN, palette=self.app.palette)
        yield Prose(id="terms-told")
        look = "{terms.next} next Area · {terms.turn} before and after · arrows walk"
        yield Keys(self.keyed(look + " · {terms.close} back to the articles"))

    def on_mount(self) -> None:
        """The Areas that change hands are lit, the first under the cursor."""
        s = self._session
        name = display_name(s.tables, self._treaty)
        self.query_one("#terms-title", Prose).update(f"'{name}' on the map")
        for id_, state, title in ((NOW, s.live, "As it is"), (THEN, self._after, "Signed by all")):
            map_ = self.query_one(f"#{id_}", WorldMap)
            entitle(map_, title)
            drawn = scene(s.tables, state, self._areas[0] if self._areas else "", s.power)
            map_.scene = replace(drawn, lit=frozenset(self._areas))
        self.query_one("#terms-told", Prose).update(self._told())
        self.set_class(self.app.size.width < WIDE, "small")
        self.set_focus(self.query_one(f"#{THEN}", WorldMap))
        self.action_next()

    def on_resize(self) -> None:
        """Another size, another composition."""
        self.set_class(self.app.size.width < WIDE, "small")

    def _told(self) -> Text:
        """Return the Areas that change hands, with the markers now and then; without any, what else would change."""
        look, tables = self.look, self._session.tables
        if self.barred is not None:
            return Text(f"It cannot be carried out now: {self.barred.message}", look.alarm)
        if not self._areas:
            return differences(tables, self._session.live, self._after, look)
        out = Text()
        for area in self._areas:
            out.append(f"{place_name(tables, area)}: ", "bold")
            for n, state in enumerate((self._session.live, self._after)):
                out.append(" → " if n else "")
                markers = [m for m in at(state, area).markers if m.established]
                for m in markers:
                    out.append_text(look.text(look.marker(tables, m.power, m.marker), " "))
                out.append("" if markers else "nobody's")
            out.append("   ")
        return look.signs(out)

    @on(WorldMap.Selected)
    def _walked(self, event: WorldMap.Selected) -> None:
        """Both maps show the same place."""
        event.stop()
        for map_ in self.query(WorldMap):
            if map_.cursor != event.place:
                map_.cursor = event.place

    def action_next(self) -> None:
        """Go to the next Area that changes hands."""
        if self._areas:
            self._at = (self._at + 1) % len(self._areas)
            self.query_one(f"#{THEN}", WorldMap).cursor = self._areas[self._at]

    def action_turn(self) -> None:
        """On a small screen, the other map."""
        self.toggle_class("-now")

    def action_close(self) -> None:
        """Back to the articles."""
        self.dismiss(None)
