"""The editor of an agreement: name, parties, articles; what is typed is said in plain English while it is typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.pax.clauses.kinds import KINDS
from paxtui.pax.clauses.reading import read
from paxtui.pax.clauses.wording import say
from paxtui.pax.clauses.wording import text_of_clause as text_of
from paxtui.pax.state.treaty import CONGRESS, SETTLEMENT, TREATY, Clause, Treaty
from paxtui.pax.words.spoken import power_name
from paxtui.table.session import Session
from paxtui.tui.player.look import Look
from paxtui.tui.stage.pick import PickScreen
from paxtui.tui.swift.overlay import Overlay

TITLES = {
    TREATY: "A Treaty",
    SETTLEMENT: "A proposal, done at once or not at all",
    CONGRESS: "A draft for the Congress",
}


class TreatyEditor(Overlay[str | None]):
    """Writes an agreement and offers it; answers with the order that was given, None for none.

    Args:
        session: the open game; the Power at its keyboard drafts.
        look: colours.
        act: gives an order; whether it was accepted. What is refused stays in the editor.
        form: TREATY, SETTLEMENT or CONGRESS.
        old: a draft to answer with changes.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="editor.close", tooltip="Out of the line, then out of the editor"),
        Binding("a,insert", "add", "Add", id="editor.add", tooltip="Add an article in words"),
        Binding("k", "kinds", "Kinds", id="editor.kinds", tooltip="Add an article from the list of kinds"),
        Binding("e", "edit", "Edit", id="editor.edit", tooltip="Change the article under the cursor"),
        Binding("d,delete", "delete", "Delete", id="editor.delete", tooltip="Strike the article out"),
        Binding("s", "secret", "Secret article", id="editor.secret", tooltip="Hide the article, or show it"),
        Binding("p", "parties", "Parties", id="editor.parties", tooltip="Who is to sign"),
        Binding("n", "name", "Name", id="editor.name", tooltip="Give it a name"),
        Binding("o", "open", "Public", id="editor.public", tooltip="Public or secret"),
        Binding("f10,ctrl+s", "offer", "Offer", id="editor.offer", tooltip="Sign it and offer it to the others"),
    ]

    def __init__(
        self, session: Session, look: Look, act: Callable[[str], bool], form: str = TREATY, old: Treaty | None = None
    ) -> None:
        super().__init__()
        self._session, self._look, self._act, self._form, self._old = session, look, act, form, old
        me = session.power
        self.name_ = old.name if old else proposed_name(session)
        self.parties = [p for p in old.parties if p != me] if old else []
        self.clauses: list[Clause] = list(old.clauses) if old else []
        self.public = old.public if old else form == CONGRESS
        self._asks = ""  # what the line is for: "add", "name", or the number of an article

    def compose(self) -> ComposeResult:
        """Head, articles, line with its wording, keys."""
        with Vertical(classes="box", id="editor-box"):
            yield Static("", classes="title", id="editor-title")
            yield Static("", id="editor-head")
            yield OptionList(id="editor-list")
            yield Input(id="editor-line", compact=True, select_on_focus=False)
            yield Static("", id="editor-says")
            keys = "a article · k kinds · e edit · d strike · s secret · p parties · n name · o public · F10 offer"
            yield Static(keys, classes="note")

    def on_mount(self) -> None:
        """Show the draft."""
        self.query_one(Input).display = False
        self._fill(0)

    def _fill(self, row: int) -> None:
        session, look = self._session, self._look
        tables = session.tables
        self.query_one("#editor-title", Static).update(TITLES[self._form])
        head = Text()
        if self._form != SETTLEMENT:
            head.append(look.palette.text(self.name_), "bold")
            head.append("  public\n" if self.public else "  secret\n", look.faint)
        head.append(*look.power(tables, session.power))
        for power in self.parties:
            head.append(" · ", look.faint)
            head.append(*look.power(tables, power))
        if not self.parties and self._form != CONGRESS:
            head.append("  and nobody else yet (p)", look.alarm)
        self.query_one("#editor-head", Static).update(head)
        rows = self.query_one(OptionList)
        rows.clear_options()
        for n, clause in enumerate(self.clauses):
            text = Text()
            text.append(f"{n + 1:>2} ", look.key)
            text.append(look.palette.text(say(tables, clause)))
            text.append(" (secret article)" if clause.secret else "", look.faint)
            rows.add_option(Option(text, id=str(n)))
        rows.add_option(Option(Text("   add an article", look.faint), id="add"))
        rows.highlighted = min(row, len(self.clauses))
        self.set_focus(rows)
        self._say("")

    def _say(self, text: str, style: str = "") -> None:
        self.query_one("#editor-says", Static).update(Text(self._look.palette.text(text), style))

    def _row(self) -> int | None:
        """Number of the article under the cursor, None on the last line."""
        row = self.query_one(OptionList).highlighted
        return row if row is not None and row < len(self.clauses) else None

    # --- the line -----------------------------------------------------------------------------------------------

    def _ask(self, what: str, value: str, hint: str) -> None:
        self._asks = what
        line = self.query_one(Input)
        line.value, line.placeholder, line.display = value, hint, True
        line.cursor_position = len(value)
        # at once: what is typed meanwhile belongs into the line
        self.set_focus(line)
        self._wording(value)

    def _wording(self, value: str) -> None:
        """What the words of the line mean, or what is wrong with them."""
        if self._asks == "name" or not value.strip():
            self._say("")
            return
        try:
            clause = read(self._session.tables, value)
        except Refusal as refusal:
            self._say(refusal.message, self._look.faint)
        else:
            self._say(say(self._session.tables, clause), self._look.good)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._wording(event.value)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        value, what = event.value.strip(), self._asks
        if not value:
            self._shut()
            return
        if what == "name":
            self.name_ = value
            self._shut()
            return
        try:
            clause = read(self._session.tables, value)
        except Refusal as refusal:
            self._say(refusal.message, self._look.alarm)
            return
        if what == "add":
            self.clauses.append(clause)
            row = len(self.clauses)
        else:
            row = int(what)
            self.clauses[row] = clause
        self._shut(row)

    def _shut(self, row: int = 0) -> None:
        self._asks = ""
        self.query_one(Input).display = False
        self._fill(row)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """In the line every key is a letter."""
        return not (isinstance(self.focused, Input) and action not in ("close", "offer"))

    # --- keys ---------------------------------------------------------------------------------------------------

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        if self._row() is None:
            self.action_add()
        else:
            self.action_edit()

    def action_add(self) -> None:
        """An article in words."""
        self._ask("add", "", "france pays italy 10 every turn   ·   no marker by britain in kenya until 1892")

    def action_kinds(self) -> None:
        """An article from the list of kinds, to be filled in."""
        ids = [k for k in KINDS if self._form == TREATY or self._form == CONGRESS or KINDS[k].act]

        def done(number: int | None) -> None:
            if number is not None:
                self._ask("add", KINDS[ids[number]].example, "")

        lines = [f"{KINDS[k].what:<44.44} {KINDS[k].example}" for k in ids]
        self.app.push_screen(PickScreen("What kind of article?", lines, self._look), done)

    def action_edit(self) -> None:
        """Change an article."""
        row = self._row()
        if row is not None:
            self._ask(str(row), text_of(self._session.tables, self.clauses[row]), "")

    def action_delete(self) -> None:
        """Strike an article out."""
        row = self._row()
        if row is not None:
            del self.clauses[row]
            self._fill(row)

    def action_secret(self) -> None:
        """Hide or show an article."""
        row = self._row()
        if row is not None:
            from msgspec.structs import replace

            self.clauses[row] = replace(self.clauses[row], secret=not self.clauses[row].secret)
            self._fill(row)

    def action_parties(self) -> None:
        """Who signs: one Power after another, in or out."""
        tables, state = self._session.tables, self._session.state
        mine = self._session.my_powers()
        others = [p for p in state.powers if p not in mine or p != self._session.power]
        lines = [f"{'[x]' if p in self.parties else '[ ]'} {power_name(tables, p)}" for p in others]

        def done(number: int | None) -> None:
            if number is None:
                return
            power = others[number]
            self.parties = [p for p in others if (p in self.parties) != (p == power)]
            self._fill(0)
            self.action_parties()

        self.app.push_screen(PickScreen("Who is to sign? Esc when all are there", lines, self._look), done)

    def action_name(self) -> None:
        """Name it."""
        self._ask("name", self.name_, "a name, such as a city")

    def action_open(self) -> None:
        """Public or secret."""
        self.public = not self.public
        self._fill(0)

    def order(self) -> str:
        """The order that offers what is written."""
        tables = self._session.tables
        clauses = "; ".join(text_of(tables, c) for c in self.clauses)
        if self._old is not None:
            return f"amend {self._old.id}: {clauses}"
        whom = ", ".join(self.parties)
        if self._form == SETTLEMENT:
            return f"propose with {whom}: {clauses}"
        if self._form == CONGRESS:
            return f"propose {self.name_}: {clauses}"
        return f"treaty {self.name_} with {whom}{' public' if self.public else ''}: {clauses}"

    def action_offer(self) -> None:
        """Offer it."""
        if not self.clauses:
            self._say("An agreement needs an article: a adds one.", self._look.alarm)
            return
        if not self.parties and self._form != CONGRESS and self._old is None:
            self._say("Somebody else has to sign: p chooses.", self._look.alarm)
            return
        order = self.order()
        if self._act(order):
            self.dismiss(order)

    def action_close(self) -> None:
        """Out of the line first, then out of the editor."""
        if self.query_one(Input).display:
            self._shut(self.query_one(OptionList).highlighted or 0)
        else:
            self.dismiss(None)


def proposed_name(session: Session) -> str:
    """A city for the name of a Treaty."""
    from paxtui.pax.treaties.treaty_names import proposed

    return proposed(session.tables, session.state, session.seat, (session.power,))
