"""The peaces that are proposed in a War: what each says and would leave, and the answer: sign, refuse, counter."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.widgets.option_list import Option

from paxtui.pax.clauses.wording import say
from paxtui.pax.orders import actions as ac
from paxtui.pax.reports.war import peace_outcome, peace_terms, standing
from paxtui.pax.state.treaty import Treaty
from paxtui.pax.state.war import War
from paxtui.pax.words.spoken import power_name
from paxtui.table.seated import Change
from paxtui.table.session import Session
from paxtui.tui.diplomacy.balance import of_peace
from paxtui.tui.diplomacy.beside_map import BesideMap
from paxtui.tui.diplomacy.peace import PeaceScreen
from paxtui.tui.stage.playing import Playing
from paxtui.tui.stage.prose import Rows
from paxtui.tui.writing.treaty_text import treaty_line
from paxtui.tui.writing.wrapping import hanging


class PeaceOffers(BesideMap[None], Playing[None]):
    """The proposed peaces to which a Power is a party.

    Args: the open game; the War; the Power of the seat that answers.
    """

    TOPIC = "peace_offers"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="offers.close", tooltip="Answer later"),
        Binding("s,y", "sign", "Sign", id="offers.sign", tooltip="Sign the peace"),
        Binding("x", "refuse", "Refuse", id="offers.refuse", tooltip="Turn it down, or take back your own"),
        Binding("a", "counter", "Counter", id="offers.counter", tooltip="Answer with another peace"),
        Binding("n", "new", "New", id="offers.new", tooltip="Propose a peace of your own"),
        Binding("tab", "turn", "Before and after", id="offers.turn", tooltip="The map as it is, as it would be"),
    ]

    def __init__(self, session: Session, war: War, power: str) -> None:
        super().__init__(session)
        self._war, self._power = war, power
        self._treaties: tuple[Treaty, ...] = ()

    def begin(self) -> None:
        """What waits for the seat is under the cursor."""
        self._fill()

    def session_changed(self, change: Change) -> None:
        """Something has been signed, turned down or proposed; where nothing is left, the screen closes."""
        if self.is_mounted:
            self._fill()

    def write(self) -> None:
        """What the War is, and the keys."""
        s = self.session
        out = hanging(Text(f"Peace is proposed: {standing.title(s.tables, self._war)}", "bold"), self.room, 0)
        out.append(self.look.palette.text(f"\nYou answer for {power_name(s.tables, self._power)}."), self.look.faint)
        self.asked.update(self.look.signs(out))
        answers = "{offers.sign} sign · {offers.refuse} refuse · {offers.counter} counter · {offers.new} your own"
        self.keys.update(self.look.palette.text(self.keyed(f"{answers} · {self.turns} · {{offers.close}} later")))

    def _fill(self) -> None:
        s = self.session
        self._treaties = peace_terms.proposed(s.live, self._power)
        if not self._treaties or s.seat not in s.live.players:
            self.dismiss(None)
            return
        at = self.rows.highlighted or 0
        self.rows.clear_options()
        self.rows.add_options(Option(treaty_line(s, self.look, t), id=t.id) for t in self._treaties)
        self.rows.highlighted = min(at, len(self._treaties) - 1)
        self._show()

    @property
    def chosen(self) -> Treaty:
        """The peace under the cursor."""
        return self._treaties[min(self.rows.highlighted or 0, len(self._treaties) - 1)]

    @on(Rows.OptionHighlighted)
    def _walked(self, event: Rows.OptionHighlighted) -> None:
        self._show()

    def _show(self) -> None:
        """The articles of the peace under the cursor, and what it would bring."""
        s, look, treaty = self.session, self.look, self.chosen
        out = Text()
        for n, clause in enumerate(treaty.clauses, 1):
            out.append_text(hanging(Text(f"{n} {say(s.tables, clause)}."), self.room, 2))
            out.append("\n")
        out.append("\nWhat it would bring\n", "bold")
        found = peace_outcome.outcome(s.tables, s.live, treaty.clauses, treaty.parties)
        out.append_text(of_peace(s, look, self._power, self._war, found, self.room))
        self.told.update(look.signs(out))
        self.turned()

    def turned(self) -> None:
        """The map as it is, or as it would be."""
        s = self.session
        found = peace_outcome.outcome(s.tables, s.live, self.chosen.clauses, self.chosen.parties)
        at = next(iter(found.areas), "")
        self.draw(s, s.live, found.state, found.areas, at, self._power)

    # --- answers ----------------------------------------------------------------------------------------------------

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        """Enter is pressed too easily for a peace."""
        event.stop()
        self.notify(self.keyed("{offers.sign} signs, {offers.refuse} refuses, {offers.counter} counters."), timeout=4)

    def _give(self, order: ac.Sign | ac.Reject) -> None:
        whole = order if self._power == self.session.seat else replace(order, power=self._power)
        self.act(whole, then=self._answered)

    def _answered(self) -> None:
        """Where no other peace waits for an answer, back to the map."""
        if all(self._power in t.signed for t in peace_terms.proposed(self.session.live, self._power)):
            self.dismiss(None)

    def action_sign(self) -> None:
        """Sign it."""
        if self._power in self.chosen.signed:
            self.notify("You have signed it; it waits for the others.", timeout=4)
        else:
            self._give(ac.Sign(self.chosen.id))

    def action_refuse(self) -> None:
        """Turn it down."""
        self._give(ac.Reject(self.chosen.id))

    def action_counter(self) -> None:
        """Answer with another peace, which begins as this one."""
        self.app.push_screen(PeaceScreen(self.session, self._war, self._power, self.chosen))

    def action_new(self) -> None:
        """Propose another one beside it."""
        self.app.push_screen(PeaceScreen(self.session, self._war, self._power))

    def action_close(self) -> None:
        """Answer later."""
        self.dismiss(None)
