"""Treaties and proposals of a seat: what it has signed, what waits for its signature, and what each would change."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from paxtui.pax.state.treaty import DRAFT, IN_FORCE, SETTLEMENT, TREATY, Treaty
from paxtui.pax.words.spoken import power_name
from paxtui.table.session import Session
from paxtui.tui.panes.treaty_text import in_order, treaty_line, treaty_page, waits_for, what_it_does
from paxtui.tui.player.look import Look
from paxtui.tui.stage.pick import PickScreen
from paxtui.tui.swift.overlay import Overlay

NOTE = "n treaty · p proposal · s sign · x reject · a answer · v reveal · l lapse · w withdraw · c charge · Esc back"


class TreatyScreen(Overlay[None]):
    """The archive and the negotiating table in one: agreements on the left, the one chosen on the right.

    Args:
        session: the open game; its seat reads and signs.
        look: colours.
        act: gives an order of the notation; whether it was accepted.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="treaties.close", tooltip="Back to the map"),
        Binding("n", "new('treaty')", "New Treaty", id="treaties.new", tooltip="Draft a Treaty"),
        Binding("p", "new('settlement')", "Propose", id="treaties.propose", tooltip="Propose a settlement of disputes"),
        Binding("s,enter", "sign", "Sign", id="treaties.sign", tooltip="Sign the draft"),
        Binding("x", "reject", "Reject", id="treaties.reject", tooltip="Turn the draft down, or take the own one back"),
        Binding("a", "amend", "Answer", id="treaties.amend", tooltip="Answer the draft with another one"),
        Binding("v", "reveal", "Reveal", id="treaties.reveal", tooltip="Make the Treaty, or a secret article, public"),
        Binding("l", "lapse", "Lapse", id="treaties.lapse", tooltip="Agree that the Treaty ends"),
        Binding("w", "leave", "Withdraw", id="treaties.leave", tooltip="Ask to leave the Treaty, or let another go"),
        Binding(
            "B", "renounce", "Break", id="treaties.renounce", tooltip="Leave without anybody's leave: that breaks it"
        ),
        Binding(
            "c", "charge", "Charge", id="treaties.charge", tooltip="Charge a signer with a breach, or judge a charge"
        ),
    ]

    def __init__(self, session: Session, look: Look, act: Callable[[str], bool]) -> None:
        super().__init__()
        self._session, self._look, self._act = session, look, act
        self._treaties: list[Treaty] = []

    def compose(self) -> ComposeResult:
        """List, page, keys."""
        with Vertical(classes="box", id="treaty-box"):
            yield Static("", classes="title", id="treaty-title")
            with Horizontal(id="treaty-body"):
                yield OptionList(id="treaty-list")
                with VerticalScroll(id="treaty-page"):
                    yield Static("", id="treaty-text")
            yield Static(NOTE, classes="note")

    def on_mount(self) -> None:
        """Show the archive."""
        self.set_class(self.app.size.width < 110, "small")
        self._fill("")
        self.set_focus(self.query_one(OptionList))

    def on_resize(self) -> None:
        """Another size, another composition."""
        self.set_class(self.app.size.width < 110, "small")

    def _fill(self, id_: str) -> None:
        """List what the seat knows, the agreement `id_` under the cursor."""
        session, look = self._session, self._look
        seat = power_name(session.tables, session.power)
        self.query_one("#treaty-title", Static).update(f"Treaties and proposals · {seat}")
        self._treaties = in_order(session)
        rows = self.query_one(OptionList)
        rows.clear_options()
        for treaty in self._treaties:
            rows.add_option(Option(treaty_line(session, look, treaty), id=treaty.id))
        at = next((n for n, t in enumerate(self._treaties) if t.id == id_), 0)
        if self._treaties:
            rows.highlighted = at
        else:
            text = "No Treaty yet. n drafts one, p proposes a settlement; both bind only who has signed."
            self.query_one("#treaty-text", Static).update(Text(text, look.faint))

    @property
    def chosen(self) -> Treaty | None:
        """The agreement under the cursor."""
        row = self.query_one(OptionList).highlighted
        return self._treaties[row] if row is not None and row < len(self._treaties) else None

    @on(OptionList.OptionHighlighted)
    def _show(self, event: OptionList.OptionHighlighted) -> None:
        treaty = self._treaties[event.option_index]
        text = treaty_page(self._session, self._look, treaty)
        text.append_text(what_it_does(self._session, self._look, treaty))
        self.query_one("#treaty-text", Static).update(text)
        self.query_one("#treaty-page", VerticalScroll).scroll_home(animate=False)

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_sign()

    def _give(self, order: str, treaty: Treaty) -> None:
        """Give an order about an agreement, for the Power of the seat that it concerns."""
        power = self._power(treaty)
        seat = self._session.seat
        if self._act(order if power == seat else f"{power}: {order}"):
            if self._session.seat != seat:
                self.dismiss()  # somebody else sits down: these papers are not theirs
            else:
                self._fill(treaty.id)

    def _power(self, treaty: Treaty) -> str:
        """The Power of the seat that signs: the one at the keyboard, or another of its that is a party."""
        mine = self._session.my_powers()
        if self._session.power in treaty.parties:
            return self._session.power
        return next((p for p in mine if p in treaty.parties), self._session.power)

    # --- drafts -------------------------------------------------------------------------------------------------

    def action_new(self, form: str) -> None:
        """Open the editor."""
        self._edit(None, form)

    def action_amend(self) -> None:
        """Open the editor with the draft under the cursor."""
        treaty = self.chosen
        if treaty is not None and treaty.stage == DRAFT:
            self._edit(treaty, treaty.form)
        else:
            self.notify("Only a draft can be answered with another one.")

    def _edit(self, treaty: Treaty | None, form: str) -> None:
        from paxtui.tui.diplomacy.treaty_editor import TreatyEditor

        seat = self._session.seat

        def done(order: str | None) -> None:
            if self._session.seat != seat:
                self.dismiss()
            elif order is not None:
                self._fill("")

        self.app.push_screen(TreatyEditor(self._session, self._look, self._act, form, treaty), done)

    def action_sign(self) -> None:
        """Sign."""
        treaty = self.chosen
        if treaty is None:
            return
        if waits_for(treaty, self._session.my_powers()):
            self._give(f"sign {treaty.id}", treaty)
        else:
            self.notify("This one does not wait for your signature.")

    def action_reject(self) -> None:
        """Turn down."""
        treaty = self.chosen
        if treaty is not None:
            self._give(f"reject {treaty.id}", treaty)

    # --- Treaties in force --------------------------------------------------------------------------------------

    def action_reveal(self) -> None:
        """Make public: the whole Treaty first, then its secret articles one by one."""
        treaty = self.chosen
        if treaty is None:
            return
        hidden = [n for n, c in enumerate(treaty.clauses) if c.secret and n not in treaty.shown]
        if not treaty.public or not hidden:
            self._give(f"reveal {treaty.id}", treaty)
            return
        self._pick("Reveal", [f"article {n + 1}" for n in hidden], [f"reveal {treaty.id} {n + 1}" for n in hidden])

    def action_lapse(self) -> None:
        """Agree to its end."""
        treaty = self.chosen
        if treaty is not None:
            self._give(f"lapse {treaty.id}", treaty)

    def action_leave(self) -> None:
        """Ask to leave, or let another party go."""
        treaty = self.chosen
        if treaty is None or treaty.stage != IN_FORCE:
            self.notify("Only a Treaty in force can be left.")
            return
        names = [power_name(self._session.tables, p) for p in treaty.bound]
        self._pick("Who leaves?", names, [f"release {treaty.id} {p}" for p in treaty.bound])

    def action_renounce(self) -> None:
        """Break the Treaty; whoever gives an order that breaks one is asked once more."""
        treaty = self.chosen
        if treaty is not None:
            self._give(f"renounce {treaty.id}", treaty)

    def action_charge(self) -> None:
        """Judge what is charged, or charge somebody."""
        treaty = self.chosen
        if treaty is None:
            return
        mine, tables = self._session.my_powers(), self._session.tables
        open_ = [c for c in treaty.charges if c.against not in mine]
        if open_:
            lines, orders = [], []
            for c in open_:
                for word in ("guilty", "innocent"):
                    lines.append(f"{power_name(tables, c.against)}, article {c.clause + 1}: {word}")
                    orders.append(f"judge {treaty.id} {c.clause + 1} {c.against} {word}")
            self._pick("Judge", lines, orders)
            return
        lines, orders = [], []
        for n, _ in enumerate(treaty.clauses):
            for p in treaty.parties:
                if p not in mine:
                    lines.append(f"{power_name(tables, p)} has broken article {n + 1}")
                    orders.append(f"charge {treaty.id} {n + 1} {p}")
        self._pick("Charge", lines, orders)

    def _pick(self, title: str, lines: list[str], orders: list[str]) -> None:
        treaty = self.chosen

        def done(number: int | None) -> None:
            if number is not None and treaty is not None:
                self._give(orders[number], treaty)

        self.app.push_screen(PickScreen(title, lines, self._look), done)

    def action_close(self) -> None:
        """Back to the map."""
        self.dismiss(None)


FORMS = (TREATY, SETTLEMENT)
"""Forms that the editor writes; drafts before a Congress are written in its hall."""
