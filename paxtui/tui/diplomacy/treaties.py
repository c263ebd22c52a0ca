"""Treaties and proposals of a seat: what it has signed, what waits for its signature, and what each would change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets.option_list import Option

from paxtui.pax.orders import actions as ac
from paxtui.pax.reports.war import peace_terms
from paxtui.pax.state.treaty import DRAFT, IN_FORCE, Treaty
from paxtui.pax.words.spoken import power_name, sentence
from paxtui.table.seated import Change
from paxtui.table.session import Session
from paxtui.tui.boxes.pick import PickScreen
from paxtui.tui.diplomacy.peace import PeaceScreen
from paxtui.tui.diplomacy.terms_map import TermsMap
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.stage.playing import PlayingOverlay
from paxtui.tui.stage.prose import Keys, Prose, Rows
from paxtui.tui.writing.treaty_text import in_order, points_of, treaty_line, treaty_page, waits_for, what_it_does

NOTE = (
    "{treaties.new} treaty · {treaties.propose} proposal · {treaties.sign} sign · {treaties.reject} reject · "
    "{treaties.amend} answer · {treaties.reveal} reveal · {treaties.lapse} lapse · {treaties.leave} withdraw · "
    "{treaties.charge} charge · {treaties.map} map · {treaties.close}"
)
"""Its keys, by the bindings that have them."""


About = (
    ac.Sign | ac.Reject | ac.Reveal | ac.Lapse | ac.Release | ac.Renounce | ac.Charge | ac.Judge
)
"""What can be done about an agreement that there is."""


class TreatyScreen(PlayingOverlay[None]):
    """The archive and the negotiating table in one: agreements on the left, the one chosen on the right.

    Args: the open game, whose seat reads and signs; the agreement that is chosen at first, "" for the first one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="treaties.close", tooltip="Back to the map"),
        Binding("n", "new('treaty')", "New Treaty", id="treaties.new", tooltip="Draft a Treaty"),
        Binding("p", "new('settlement')", "Propose", id="treaties.propose", tooltip="Propose a settlement of disputes"),
        Binding("s,enter", "sign", "Sign", id="treaties.sign", tooltip="Sign the draft"),
        Binding("x", "reject", "Reject", id="treaties.reject", tooltip="Turn the draft down, or take back your own"),
        Binding("a", "amend", "Answer", id="treaties.amend", tooltip="Answer the draft with another one"),
        Binding("v", "reveal", "Reveal", id="treaties.reveal", tooltip="Make the Treaty, or a secret article, public"),
        Binding("l", "lapse", "Lapse", id="treaties.lapse", tooltip="Agree that the Treaty ends"),
        Binding("w", "leave", "Withdraw", id="treaties.leave", tooltip="Ask to leave the Treaty, or let another go"),
        Binding(
            "B", "renounce", "Break", id="treaties.renounce", tooltip="Leave without anybody's leave: that breaks it"
        ),
        Binding("m", "map", "Map", id="treaties.map", tooltip="The map as it is and as the draft would leave it"),
        Binding(
            "c", "charge", "Charge", id="treaties.charge", tooltip="Charge a signer with a breach, or judge a charge"
        ),
    ]

    def __init__(self, session: Session, chosen: str = "") -> None:
        super().__init__(session)
        self._first = chosen
        self._treaties: list[Treaty] = []

    def compose(self) -> ComposeResult:
        """List, page, keys."""
        with Vertical(classes="box", id="treaty-box"):
            yield Prose(classes="title", id="treaty-title")
            with Horizontal(id="treaty-body"):
                yield Rows(id="treaty-list")
                with VerticalScroll(id="treaty-page"):
                    yield Prose(id="treaty-text")
            yield Keys(self.keyed(NOTE))

    def on_mount(self) -> None:
        """Show the archive."""
        self.set_class(self.app.size.width < 110, "small")
        self._fill(self._first)
        self.set_focus(self.query_one(Rows))

    def on_resize(self) -> None:
        """Another size, another composition."""
        self.set_class(self.app.size.width < 110, "small")

    def _fill(self, id_: str) -> None:
        """List what the seat knows, the agreement `id_` under the cursor."""
        session, look = self.session, self.look
        seat = power_name(session.tables, session.power)
        self.query_one("#treaty-title", Prose).update(f"Treaties and proposals · {seat}")
        self._treaties = in_order(session)
        rows = self.query_one(Rows)
        rows.clear_options()
        for treaty in self._treaties:
            rows.add_option(Option(treaty_line(session, look, treaty), id=treaty.id))
        at = next((n for n, t in enumerate(self._treaties) if t.id == id_), 0)
        if self._treaties:
            rows.highlighted = at
        else:
            text = "No Treaty yet. n drafts one, p proposes a settlement; both bind only who has signed."
            self.query_one("#treaty-text", Prose).update(Text(text, look.faint))

    @property
    def chosen(self) -> Treaty | None:
        """The agreement under the cursor."""
        row = self.query_one(Rows).highlighted
        return self._treaties[row] if row is not None and row < len(self._treaties) else None

    @on(Rows.OptionHighlighted)
    def _show(self, event: Rows.OptionHighlighted) -> None:
        treaty = self._treaties[event.option_index]
        text = treaty_page(self.session, self.look, treaty)
        if treaty.reason == "rejected" and (why := self.session.objection(treaty.id)):
            text.append(f"\n{sentence(why)}\n", self.look.faint)
        text.append_text(points_of(self.session, self.look, treaty))
        text.append_text(what_it_does(self.session, self.look, treaty))
        self.query_one("#treaty-text", Prose).update(text)
        self.query_one("#treaty-page", VerticalScroll).scroll_home(animate=False)

    @on(Rows.OptionSelected)
    def _selected(self) -> None:
        self.action_sign()

    def session_changed(self, change: Change) -> None:
        """Something has been signed, or turned down: what is done with gives way to the next draft that waits."""
        chosen, mine = self.chosen, self.session.my_powers()
        known = {t.id: t for t in self.session.state.treaties}
        now = known.get(chosen.id) if chosen is not None else None
        answered = chosen is not None and waits_for(chosen, mine) and not (now is not None and waits_for(now, mine))
        on = answered and any(waits_for(t, mine) for t in known.values())
        self._fill("" if on or chosen is None else chosen.id)

    def _give(self, order: About) -> None:
        """Give an order about the agreement chosen, for the Power of the seat that it concerns."""
        if self.chosen is not None:
            power = self._power(self.chosen)
            self.act(order if power == self.session.seat else replace(order, power=power))

    def _power(self, treaty: Treaty) -> str:
        """The Power of the seat that signs: the one at the keyboard, or another of its that is a party."""
        mine = self.session.my_powers()
        if self.session.power in treaty.parties:
            return self.session.power
        return next((p for p in mine if p in treaty.parties), self.session.power)

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
        s, power = self.session, self._power(treaty) if treaty is not None else self.session.power
        war = next(iter(peace_terms.wars_to_end(s.tables, s.live, power)), None)

        def done(offered: bool | None) -> None:
            if offered:
                self._fill("")

        if treaty is not None and war is not None and peace_terms.is_peace(treaty):
            self.app.push_screen(PeaceScreen(s, war, power, treaty), done)
        else:
            self.app.push_screen(TreatyEditor(s, form, treaty), done)

    def action_sign(self) -> None:
        """Sign."""
        treaty = self.chosen
        if treaty is None:
            return
        if waits_for(treaty, self.session.my_powers()):
            self._give(ac.Sign(treaty.id))
        else:
            self.notify("This one does not wait for your signature.")

    def action_map(self) -> None:
        """The map before and after the draft."""
        treaty = self.chosen
        if treaty is not None and treaty.stage == DRAFT:
            self.app.push_screen(TermsMap(self.session, treaty))
        else:
            self.notify("Only a draft would change the map.")

    def action_reject(self) -> None:
        """Turn down."""
        treaty = self.chosen
        if treaty is not None:
            self._give(ac.Reject(treaty.id))

    # --- Treaties in force --------------------------------------------------------------------------------------

    def action_reveal(self) -> None:
        """Make public: the whole Treaty first, then its secret articles one by one."""
        treaty = self.chosen
        if treaty is None:
            return
        hidden = [n for n, c in enumerate(treaty.clauses) if c.secret and n not in treaty.shown]
        if not treaty.public or not hidden:
            self._give(ac.Reveal(treaty.id))
            return
        self._pick("Reveal", [f"article {n + 1}" for n in hidden], [ac.Reveal(treaty.id, n + 1) for n in hidden])

    def action_lapse(self) -> None:
        """Agree to its end."""
        treaty = self.chosen
        if treaty is not None:
            self._give(ac.Lapse(treaty.id))

    def action_leave(self) -> None:
        """Ask to leave, or let another party go."""
        treaty = self.chosen
        if treaty is None or treaty.stage != IN_FORCE:
            self.notify("Only a Treaty in force can be left.")
            return
        names = [power_name(self.session.tables, p) for p in treaty.bound]
        self._pick("Who leaves?", names, [ac.Release(treaty.id, p) for p in treaty.bound])

    def action_renounce(self) -> None:
        """Break the Treaty; whoever gives an order that breaks one is asked once more."""
        treaty = self.chosen
        if treaty is not None:
            self._give(ac.Renounce(treaty.id))

    def action_charge(self) -> None:
        """Judge what is charged, or charge somebody."""
        treaty = self.chosen
        if treaty is None:
            return
        mine, tables = self.session.my_powers(), self.session.tables
        lines: list[str] = []
        orders: list[About] = []
        for c in treaty.charges:
            for word in ("guilty", "innocent") if c.against not in mine else ():
                lines.append(f"{power_name(tables, c.against)}, article {c.clause + 1}: {word}")
                orders.append(ac.Judge(treaty.id, c.clause + 1, c.against, word == "guilty"))
        if orders:
            self._pick("Judge", lines, orders)
            return
        if treaty.stage == DRAFT:
            self.notify("A draft binds nobody, so nobody can have broken it.")
            return
        for n, _ in enumerate(treaty.clauses):
            for p in treaty.parties:
                if p not in mine:
                    lines.append(f"{power_name(tables, p)} has broken article {n + 1}")
                    orders.append(ac.Charge(treaty.id, n + 1, p))
        self._pick("Charge", lines, orders)

    def _pick(self, title: str, lines: Sequence[str], orders: Sequence[About]) -> None:
        def done(number: int | None) -> None:
            if number is not None:
                self._give(orders[number])

        self.app.push_screen(PickScreen(title, lines), done)

    def action_close(self) -> None:
        """Back to the map."""
        self.dismiss(None)

