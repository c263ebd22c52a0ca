"""Treaties and proposals of a seat, and the map before and after an agreement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from msgspec.structs import replace as structs_replace
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets.option_list import Option

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import area_state
from paxtui.games.pax.preview import peace
from paxtui.games.pax.preview.war_answers import preview_signatures
from paxtui.games.pax.state.diplomacy import DRAFT, IN_FORCE, Treaty
from paxtui.games.pax.text.display import place_name, power_name, sentence, the_powers
from paxtui.games.pax.treaties.lookup import display_name
from paxtui.session.session import Session, SessionChange
from paxtui.session.treaty_suggestions import describe_prospects
from paxtui.tui.base.dialogs import ConfirmDialog, PickDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.playing import SessionDialog
from paxtui.tui.base.screen import BaseScreen, ChoiceList, KeyHints, PlainText, set_border_title
from paxtui.tui.diplomacy.peace import PeaceScreen
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.formatting.reports import (
    awaits_signature,
    contradiction,
    sorted_treaties,
    treaty_effects,
    treaty_line,
    treaty_page,
    treaty_points,
)
from paxtui.tui.formatting.timeline import differences
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.widgets.map_scene import build_scene

WIDE = 130
"""Minimum columns to show both maps side by side."""
NOW, THEN = "now", "then"


class TermsMap(BaseScreen[None]):
    """The map before and after an agreement; on small screens Tab shows the other one."""

    TOPIC = "terms"
    HORIZONTAL_BREAKPOINTS = [(0, "small"), (WIDE, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("terms.close", "escape,q,m", "close", "Close", "Back to the articles"),
        bind("terms.turn", "tab", "turn", "Before and after", "The other map"),
        bind("terms.next", "n", "next", "Next Area", "Go to the next Area that changes hands"),
    ]

    def __init__(self, session: Session, treaty: Treaty) -> None:
        super().__init__()
        self._session, self._treaty = session, treaty
        found = preview_signatures(session.tables, session.live, treaty)
        self.barred, self._after, self._areas = found.refusal, found.state, found.areas
        self._at = -1

    def compose(self) -> ComposeResult:
        yield PlainText(classes="title", id="terms-title")
        with Horizontal(id="terms-maps"):
            yield WorldMap(id=NOW, palette=self.app.palette)
            yield WorldMap(id=THEN, palette=self.app.palette)
        yield PlainText(id="terms-told")
        look = "{terms.next} next Area · {terms.turn} before and after · arrows move"
        yield KeyHints(self.format_keys(look + " · {terms.close} back to the articles"))

    def on_mount(self) -> None:
        """Highlight the Areas that change hands; select the first one."""
        s = self._session
        name = display_name(s.tables, self._treaty)
        self.query_one("#terms-title", PlainText).update(f"'{name}' on the map")
        for id_, state, title in ((NOW, s.live, "As it is"), (THEN, self._after, "Signed by all")):
            map_ = self.query_one(f"#{id_}", WorldMap)
            set_border_title(map_, title)
            drawn = build_scene(s.tables, state, self._areas[0] if self._areas else "", s.power)
            map_.scene = replace(drawn, lit=frozenset(self._areas))
        self.query_one("#terms-told", PlainText).update(self._terms_text())
        self.set_focus(self.query_one(f"#{THEN}", WorldMap))
        self.action_next()

    def _terms_text(self) -> Text:
        """List the Areas that change hands with their markers; without any, list the other changes."""
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
                markers = [m for m in area_state(state, area).markers if m.established]
                for m in markers:
                    out.append_text(look.text(look.marker(tables, m.power, m.marker), " "))
                out.append("" if markers else "nobody's")
            out.append("   ")
        return look.signs(out)

    @on(WorldMap.Selected)
    def _place_selected(self, event: WorldMap.Selected) -> None:
        """Move both maps to the same place."""
        event.stop()
        for map_ in self.query(WorldMap):
            if map_.cursor != event.place:
                map_.cursor = event.place

    def action_next(self) -> None:
        if self._areas:
            self._at = (self._at + 1) % len(self._areas)
            self.query_one(f"#{THEN}", WorldMap).cursor = self._areas[self._at]

    def action_turn(self) -> None:
        self.toggle_class("-now")


KEY_NOTE = (
    "{treaties.new} treaty · {treaties.propose} proposal · {treaties.sign} sign · {treaties.reject} reject · "
    "{treaties.amend} counter-draft · {treaties.reveal} reveal · {treaties.lapse} lapse · {treaties.leave} withdraw · "
    "{treaties.charge} charge · {treaties.map} map · {treaties.close} back"
)
"""Key hints by binding id."""
READ_ONLY_NOTE = "{treaties.map} map · {treaties.close} back · nothing can be drafted or signed here"
"""Key hints in a replay or a study."""
ORDERS = ("new", "sign", "reject", "amend", "reveal", "lapse", "leave", "renounce", "charge")
"""Actions that draft an agreement or give an order about one."""


TreatyAction = (
    actions.Sign
    | actions.Reject
    | actions.Reveal
    | actions.Lapse
    | actions.Release
    | actions.Renounce
    | actions.Charge
    | actions.Judge
)
"""An action on an existing agreement."""


class TreatyScreen(SessionDialog[None]):
    """Agreements on the left, the selected one on the right.

    Args: the open game, whose seat reads and signs; the agreement selected first, "" for the first one.
    """

    HORIZONTAL_BREAKPOINTS = [(0, "small"), (110, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("treaties.close", "escape,q", "close", "Close", "Back to the map"),
        bind("treaties.new", "n", "new('treaty')", "New Treaty", "Draft a Treaty"),
        bind("treaties.propose", "p", "new('settlement')", "Propose", "Propose a settlement of disputes"),
        bind("treaties.sign", "s,enter", "sign", "Sign", "Sign the draft"),
        bind("treaties.reject", "x", "reject", "Reject", "Reject the draft, or withdraw your own"),
        bind("treaties.amend", "a", "amend", "Answer", "Make a counter-draft"),
        bind("treaties.next", "space", "next", "Next draft", "Next draft that waits for your signature"),
        bind("treaties.reveal", "v", "reveal", "Publish", "Publish the Treaty or a secret article"),
        bind("treaties.lapse", "l", "lapse", "Lapse", "Agree to end the Treaty"),
        bind("treaties.leave", "w", "leave", "Withdraw", "Ask to leave the Treaty, or release another Power"),
        bind("treaties.renounce", "B", "renounce", "Break", "Leave without permission: this breaks the Treaty"),
        bind("treaties.map", "m", "map", "Map", "The map before and after the draft"),
        bind("treaties.charge", "c", "charge", "Accuse", "Accuse a signer of a breach, or vote on an accusation"),
    ]

    def __init__(self, session: Session, chosen: str = "") -> None:
        super().__init__(session)
        self._first = chosen
        self._treaties: list[Treaty] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="treaty-box"):
            yield PlainText(classes="title", id="treaty-title")
            with Horizontal(id="treaty-body"):
                yield ChoiceList(id="treaty-list")
                with VerticalScroll(id="treaty-page"):
                    yield PlainText(id="treaty-text")
            yield KeyHints(self.format_keys(READ_ONLY_NOTE if self.session.read_only_label else KEY_NOTE))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable what drafts or answers in a game that is only read."""
        return not self.session.read_only_label or action not in ORDERS

    def on_mount(self) -> None:
        self._fill(self._first)
        self.set_focus(self.query_one(ChoiceList))

    def _fill(self, id_: str) -> None:
        """List the agreements that the seat knows; select `id_`."""
        session, look = self.session, self.look
        seat = power_name(session.tables, session.power)
        self._treaties = sorted_treaties(session)
        count = sum(awaits_signature(treaty, session.powers()) for treaty in self._treaties)
        waiting = self.format_keys(f" · {count} to sign ({{treaties.next}} next)") if count > 1 else ""
        self.query_one("#treaty-title", PlainText).update(f"Treaties and proposals · {seat}{waiting}")
        row = next((n for n, t in enumerate(self._treaties) if t.id == id_), 0)
        options = (Option(treaty_line(session, look, treaty), id=treaty.id) for treaty in self._treaties)
        self.query_one(ChoiceList).refill(options, row)
        if not self._treaties:
            drafts = "n drafts a Treaty, p proposes a settlement. Each binds only the Powers that sign it."
            text = f"No Treaty yet. {'' if self.session.read_only_label else drafts}".strip()
            self.query_one("#treaty-text", PlainText).update(Text(text, look.faint))

    @property
    def chosen(self) -> Treaty | None:
        """The selected agreement."""
        row = self.query_one(ChoiceList).highlighted
        return self._treaties[row] if row is not None and row < len(self._treaties) else None

    @on(ChoiceList.OptionHighlighted)
    def _show(self, event: ChoiceList.OptionHighlighted) -> None:
        treaty = self._treaties[event.option_index]
        text = treaty_page(self.session, self.look, treaty)
        if treaty.reason == "rejected" and (why := self.session.view.objection(treaty.id)):
            others = [p for p in treaty.parties if p not in (*treaty.signed, *self.session.powers())]
            says = f"{power_name(self.session.tables, others[0])}: " if len(others) == 1 else ""
            text.append(f"\n{says}{sentence(why)}\n", self.look.faint)
        text.append_text(treaty_points(self.session, self.look, treaty))
        text.append_text(treaty_effects(self.session, self.look, treaty))
        if awaits_signature(treaty, (self.session.seat,)):
            with_us = tuple(p for p in treaty.parties if p != self.session.seat)
            draft = actions.Draft("", with_us, treaty.clauses, treaty.form, treaty.public)
            if brings := describe_prospects(self.session, draft, treaty.signed):
                text.append(f"\n{brings}\n")
        self.query_one("#treaty-text", PlainText).update(text)
        self.query_one("#treaty-page", VerticalScroll).scroll_home(animate=False)

    @on(ChoiceList.OptionSelected)
    def _selected(self) -> None:
        if not self.session.read_only_label:
            self.action_sign()

    def session_changed(self, change: SessionChange) -> None:
        """Refresh after a change. An answered draft stays selected, so that no key answers the next one unread.

        A counter-draft to the selected draft is selected instead of it.
        """
        chosen = self.chosen.id if self.chosen is not None else ""
        counters = (treaty for treaty in self.session.live.treaties if chosen and treaty.instead == chosen)
        self._fill(next((treaty.id for treaty in counters), chosen))

    def _give(self, order: TreatyAction, then: Callable[[], object] = lambda: None) -> None:
        """Give an order about the selected agreement, for the Power of the seat that it concerns."""
        if self.chosen is not None:
            power = self._power(self.chosen, isinstance(order, actions.Sign))
            self.act(order if power == self.session.seat else structs_replace(order, power=power), then)

    def _power(self, treaty: Treaty, signs: bool = False) -> str:
        """Return the Power of the seat that an order concerns: the active one, or another party that can give it.

        Args: the agreement; whether the order is a signature, which each party gives once.
        """
        mine = self.session.powers()
        parties = [p for p in mine if p in treaty.parties and not (signs and p in treaty.signed)]
        return self.session.power if self.session.power in parties or not parties else parties[0]

    # --- drafts -------------------------------------------------------------------------------------------------

    def action_new(self, form: str) -> None:
        self._edit(None, form)

    def action_amend(self) -> None:
        """Open the editor with the selected draft; with the articles of one that was rejected, for a new draft."""
        treaty = self.chosen
        if treaty is not None and treaty.stage == DRAFT:
            self._edit(treaty, treaty.form)
        elif treaty is not None and treaty.reason == "rejected":
            others = tuple(p for p in treaty.parties if p != self.session.power)
            self._edit(None, treaty.form, actions.Draft("", others, treaty.clauses, treaty.form, treaty.public))
        else:
            self.notify("You can make a counter-draft only to a draft.")

    def _edit(self, treaty: Treaty | None, form: str, begun: actions.Draft | None = None) -> None:
        s, power = self.session, self._power(treaty) if treaty is not None else self.session.power
        war = next(iter(peace.wars_to_end(s.tables, s.live, power)), None)

        def done(offered: bool | None) -> None:
            if offered:
                self._fill(next((t.id for t in reversed(s.live.treaties) if t.drafter in s.powers()), ""))

        if treaty is not None and war is not None and peace.is_peace(treaty):
            self.app.push_screen(PeaceScreen(s, war, power, treaty), done)
        else:
            self.app.push_screen(TreatyEditor(s, form, treaty, begun), done)

    def action_sign(self) -> None:
        treaty = self.chosen
        if treaty is None:
            return
        order = actions.Sign(treaty.id)
        if not awaits_signature(treaty, self.session.powers()):
            self.notify("This draft does not need your signature.")
        elif against := contradiction(self.session, treaty):
            self.app.ask(ConfirmDialog("Two promises", against, "sign anyway"), lambda _: self._give(order))
        else:
            self._give(order)

    def action_next(self) -> None:
        waiting = [n for n, t in enumerate(self._treaties) if awaits_signature(t, self.session.powers())]
        rows = self.query_one(ChoiceList)
        if waiting:
            after = [n for n in waiting if n > (rows.highlighted or 0)]
            rows.highlighted = (after or waiting)[0]
        else:
            self.notify("No draft waits for your signature.", timeout=4)

    def action_map(self) -> None:
        treaty = self.chosen
        if treaty is not None and treaty.stage == DRAFT:
            self.app.push_screen(TermsMap(self.session, treaty))
        else:
            self.notify("Only a draft can be shown on the map before and after.")

    def action_reject(self) -> None:
        treaty = self.chosen
        if treaty is not None:
            self._give(actions.Reject(treaty.id))

    # --- Treaties in force --------------------------------------------------------------------------------------

    def action_reveal(self) -> None:
        """Reveal the whole Treaty, or one of its secret articles."""
        treaty = self.chosen
        if treaty is None:
            return
        hidden = [n for n, c in enumerate(treaty.clauses) if c.secret and n not in treaty.shown]
        if not treaty.public or not hidden:
            self._give(actions.Reveal(treaty.id))
            return
        self._pick("Reveal", [f"article {n + 1}" for n in hidden], [actions.Reveal(treaty.id, n + 1) for n in hidden])

    def action_lapse(self) -> None:
        treaty = self.chosen
        if treaty is not None:
            self._give(actions.Lapse(treaty.id), lambda: self._report_lapse(treaty.id))

    def _report_lapse(self, id_: str) -> None:
        """Say who else must agree that a Treaty ends."""
        treaty = next((t for t in self.session.live.treaties if t.id == id_ and t.stage == IN_FORCE), None)
        if treaty is not None:
            others = tuple(p for p in treaty.bound if p not in treaty.lapse)
            text = f"{the_powers(self.session.tables, others)} must agree too; until then it binds you."
            self.notify(sentence(text), title="You agree to end it", timeout=6)

    def action_leave(self) -> None:
        """Ask to leave the Treaty, or release another party."""
        treaty = self.chosen
        if treaty is None or treaty.stage != IN_FORCE:
            self.notify("Only a Treaty in force can be left.")
            return
        names = [power_name(self.session.tables, p) for p in treaty.bound]
        self._pick("Who leaves?", names, [actions.Release(treaty.id, p) for p in treaty.bound])

    def action_renounce(self) -> None:
        """Break the Treaty, after a confirmation."""
        treaty = self.chosen
        if treaty is not None:
            self._give(actions.Renounce(treaty.id))

    def action_charge(self) -> None:
        """Judge a pending charge, or charge a Power."""
        treaty = self.chosen
        if treaty is None:
            return
        mine, tables = self.session.powers(), self.session.tables
        lines: list[str] = []
        orders: list[TreatyAction] = []
        for c in treaty.charges:
            for word in ("guilty", "innocent") if c.against not in mine else ():
                lines.append(f"{power_name(tables, c.against)}, article {c.clause + 1}: {word}")
                orders.append(actions.Judge(treaty.id, c.clause + 1, c.against, word == "guilty"))
        if orders:
            self._pick("Judge", lines, orders)
            return
        if treaty.stage == DRAFT:
            self.notify("A draft binds nobody. Only a Treaty in force can be broken.")
            return
        for n, _ in enumerate(treaty.clauses):
            for p in treaty.parties:
                if p not in mine:
                    lines.append(f"{power_name(tables, p)} has broken article {n + 1}")
                    orders.append(actions.Charge(treaty.id, n + 1, p))
        self._pick("Charge", lines, orders)

    def _pick(self, title: str, lines: Sequence[str], orders: Sequence[TreatyAction]) -> None:
        self.app.ask(PickDialog(title, lines), lambda number: self._give(orders[number]))
