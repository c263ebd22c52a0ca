"""What the parts of the game screen share: the open game, the mode, and the widgets they speak to."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.screen import Screen
from textual.timer import Timer

from paxtui.engine.refusal import Refusal
from paxtui.table.reference.remedies import remedy_of
from paxtui.table.session import Session
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.player.look import Look

if TYPE_CHECKING:
    from paxtui.tui.app import PaxApp


class GamePart(Screen[None]):
    """A part of the game screen; `GameScreen` puts the parts together."""

    session: Session
    mode: str
    groups: list[tuple[str, ...]]
    group: int
    move_from: str
    reach: dict[str, int]
    marked: int
    player: Timer | None
    refused: tuple[str, ...]
    refusal: Refusal | None
    history: list[str]
    recalled: int
    pane: str
    cards: bool
    show: int

    @property
    def pax(self) -> PaxApp:
        """The app."""
        return cast("PaxApp", self.app)

    @property
    def look(self) -> Look:
        """Colours of the settings."""
        return Look(self.pax.palette)

    @property
    def map(self) -> WorldMap:
        """The map."""
        return self.query_one(WorldMap)

    def redraw(self) -> None:
        """Everything that can have changed."""
        raise AssertionError("the game screen draws")

    def draw_map(self) -> None:
        """The map alone."""
        raise AssertionError("the game screen draws")

    def draw_card(self) -> None:
        """The card of the place under the cursor."""
        raise AssertionError("the game screen draws")

    def act(self, text: str) -> bool:
        """Give an order for the seat at the keyboard; whether it was accepted."""
        raise AssertionError("the game screen acts")

    def sit(self, seat: str) -> None:
        """Another seat sits down."""
        raise AssertionError("the game screen knows who sits")

    def action_menu(self) -> None:
        """What can be done under the cursor."""
        raise AssertionError("the game screen acts")

    def tell(self, refusal: Refusal) -> None:
        """Say what was refused, by which rules, and what would make it legal; `?` says all of it."""
        self.refused, self.refusal = refusal.rules, refusal
        rules = f" [{' '.join(refusal.rules[:3])}]" if refusal.rules else ""
        lines = (refusal.message, remedy_of(refusal), f"{self.pax.key_of('game.why', 'question_mark')} tells more")
        text = "\n".join(line for line in lines if line)
        self.notify(text, title=f"Not allowed{rules}", severity="warning", timeout=8, markup=False)
