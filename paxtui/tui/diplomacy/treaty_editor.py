"""The editor of an agreement: name, parties, articles; shows the meaning of the text during typing.

While the draft has no articles, the list offers ready-made Treaties with one Power.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input
from textual.widgets.option_list import Option

from paxtui.bots.pax.treaty_ideas import TreatyIdea, describe_chance
from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.actions import Draft
from paxtui.games.pax.clauses.examples import example_article, partner_of
from paxtui.games.pax.clauses.notation import describe_clause, parse_clause, text_of_clause
from paxtui.games.pax.clauses.registry import CLAUSE_KINDS, affected_powers
from paxtui.games.pax.diplomacy.settlement import required_signers
from paxtui.games.pax.state.diplomacy import CONGRESS, SETTLEMENT, TREATY, Clause, Treaty
from paxtui.games.pax.text.display import power_name, powers_text
from paxtui.games.pax.text.parsing import clean_name, in_table_order
from paxtui.games.pax.treaties.lookup import propose_name
from paxtui.session.session import Session, SessionChange
from paxtui.session.treaty_suggestions import (
    describe_idea,
    describe_prospects,
    format_points,
    mark_wish_answer_read,
    partners,
    treaty_ideas,
    wish_answer,
    wish_question,
)
from paxtui.tui.base.dialogs import ConfirmDialog, MultiPickDialog, PickDialog, pick_line_width
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.playing import SessionDialog
from paxtui.tui.base.screen import ChoiceList, KeyHints, PlainText

TITLES = {
    TREATY: "A Treaty",
    SETTLEMENT: "A proposal: carried out at once",
    CONGRESS: "A draft for the Congress",
}


IDEA_COLUMNS, GAIN_COLUMNS = 38, 9
"""Columns of the title of a ready-made Treaty, and of what it brings."""


class TreatyEditor(SessionDialog[bool]):
    """Edit an agreement and offer it to the other parties. A refused draft stays in the editor.

    Args:
        session: the open game; its active Power is the author.
        form: TREATY, SETTLEMENT or CONGRESS.
        old: the draft to amend.
        begun: initial articles and parties, if they differ from those of the old draft.
        keeps_articles: whether the screen below takes over the articles when the editor closes.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("editor.close", "escape", "close", "Close", "Leave the line, then the editor"),
        bind("editor.add", "a,insert", "add", "Add", "Add an article in words"),
        bind("editor.kinds", "k", "kinds", "Kinds", "Add an article from the list of kinds"),
        bind("editor.edit", "e", "edit", "Edit", "Change the article under the cursor"),
        bind("editor.delete", "d,delete", "delete", "Delete", "Delete the article"),
        bind("editor.secret", "s", "secret", "Secret or public article", "Make the article secret or public"),
        bind("editor.parties", "p", "parties", "Parties", "Choose who must sign"),
        bind("editor.name", "n", "name", "Name", "Give it a name"),
        bind("editor.public", "o", "open", "Secret or public", "Public or secret"),
        bind("editor.partner", "right", "partner(1)", "Next Power", "Ready-made Treaties: another Power"),
        bind("editor.partner_back", "left", "partner(-1)", "Previous Power", "Previous Power"),
        bind("editor.wishes", "w", "wishes", "What do they want?", "Ask the Power what it wants"),
        bind("editor.offer", "f10,ctrl+s", "offer", "Offer", "Sign it and offer it to the other parties"),
    ]

    def __init__(
        self,
        session: Session,
        form: str = TREATY,
        old: Treaty | None = None,
        begun: Draft | None = None,
        keeps_articles: bool = False,
    ) -> None:
        super().__init__(session)
        self._form, self._old, self._keeps_articles = form, old, keeps_articles
        me = session.power
        self.called = old.name if old else propose_name(session.tables, session.state, session.seat, (me,))
        self.parties = [p for p in old.parties if p != me] if old else []
        self.clauses: list[Clause] = list(old.clauses) if old else []
        if begun is not None:
            self.parties, self.clauses = list(begun.parties), list(begun.clauses)
        self._initial_clauses = list(self.clauses)
        self.public = old.public if old else form == CONGRESS or (begun is not None and begun.public)
        self._ideas: tuple[TreatyIdea, ...] = ()
        self._partner = self.parties[0] if self.parties else partner_of(session.live, me)
        self._asks = ""  # what the line is for: "add", "name", or the number of an article

    def compose(self) -> ComposeResult:
        with Vertical(classes="box", id="editor-box"):
            yield PlainText(classes="title", id="editor-title")
            yield PlainText(id="editor-head")
            yield ChoiceList(id="editor-list")
            yield Input(id="editor-line", compact=True, select_on_focus=False)
            yield PlainText(id="editor-says")
            keys = (
                "{editor.add} article · {editor.kinds} kinds · {editor.edit} edit · {editor.delete} delete · "
                "{editor.secret} secret · {editor.parties} parties · {editor.name} name · {editor.public} public · "
                "{editor.wishes} what do they want? · {editor.offer} offer"
            )
            yield KeyHints(self.format_keys(keys))

    def on_mount(self) -> None:
        self.query_one(Input).display = False
        self._fill(0)
        self.set_focus(self.query_one(ChoiceList))
        self.call_after_refresh(self._suggest)

    def _suggest(self) -> None:
        """Offer ready-made Treaties in an empty draft."""
        can_suggest = not self.clauses and self._form != CONGRESS and self._old is None
        self._ideas = treaty_ideas(self.session, self._partner) if can_suggest else ()
        if self._ideas:
            self._fill(self.query_one(ChoiceList).highlighted or 0)

    def _fill(self, row: int) -> None:
        session, look = self.session, self.look
        tables = session.tables
        self.query_one("#editor-title", PlainText).update(TITLES[self._form])
        head = Text()
        if self._form != SETTLEMENT:
            head.append(look.palette.text(self.called), "bold")
            head.append("  public\n" if self.public else "  secret\n", look.faint)
        head.append(*look.power(tables, session.power))
        for power in self.parties:
            head.append(" · ", look.faint)
            head.append(*look.power(tables, power))
        if not self.parties and self._form != CONGRESS:
            head.append(self.format_keys("  and nobody else yet ({editor.parties})"), look.alarm)
        elif missing := self._missing_parties():
            missing_text = f"\n{powers_text(tables, missing)} must sign too ({{editor.parties}})"
            head.append(self.format_keys(missing_text), look.alarm)
        self.query_one("#editor-head", PlainText).update(head)
        options = []
        for n, clause in enumerate(self.clauses, 1):
            secret = (" (secret article)" if clause.secret else "", look.faint)
            options.append(Option(look.text((f"{n:>2} ", look.key), describe_clause(tables, clause), secret)))
        options.append(Option(Text("   add an article", look.faint)))
        if not self.clauses and self._ideas:
            options.append(Option(self._idea_heading(), disabled=True))
            options += (Option(self._idea_row(idea)) for idea in self._ideas)
        self.query_one(ChoiceList).refill(options, row)
        self._write_message("")
        self.call_after_refresh(self._show_prospects)

    def _show_prospects(self) -> None:
        """Show what the draft brings as it is, and whether the others sign."""
        if self.clauses and self.parties and self._form != CONGRESS and not self._asks:
            draft = Draft("", tuple(self.parties), tuple(self.clauses), self._form, self.public)
            self._write_message(describe_prospects(self.session, draft))

    def _missing_parties(self) -> tuple[str, ...]:
        """Return the Powers without whose signature the articles cannot be done."""
        session = self.session
        if self._form == CONGRESS:
            return ()
        needed = required_signers(session.tables, session.live, self.clauses)
        return tuple(p for p in needed if p in session.live.powers and p not in (session.power, *self.parties))

    def _idea_heading(self) -> Text:
        """Render the Power of the ready-made Treaties, and the heads of their columns."""
        text = Text("\n")
        back, forward = self.format_keys("{editor.partner_back}"), self.format_keys("{editor.partner}")
        title = f"Ready-made with {back} {power_name(self.session.tables, self._partner)} {forward}"
        text.append(f"   {title:<{IDEA_COLUMNS}}", "bold")
        text.append(f"{'you':>{GAIN_COLUMNS}}   they sign", self.look.faint)
        return self.look.signs(text)

    def _idea_row(self, idea: TreatyIdea) -> Text:
        """Render a ready-made Treaty: title, what it brings the Power, and whether the other side signs."""
        look, word = self.look, describe_chance(idea.chance)
        text = Text(f"   {idea.title:<{IDEA_COLUMNS}.{IDEA_COLUMNS}}", no_wrap=True, overflow="ellipsis")
        gain = f"{format_points(idea.gain)} VP"
        text.append(f"{gain:>{GAIN_COLUMNS}}", look.good if idea.gain > 0 else look.alarm)
        text.append(f"   {word}", look.good if word == "likely" else "" if word == "perhaps" else look.faint)
        return look.signs(text)

    @property
    def _idea(self) -> TreatyIdea | None:
        """The ready-made Treaty under the cursor."""
        row = self.query_one(ChoiceList).highlighted
        number = -1 if row is None or self.clauses else row - 2
        return self._ideas[number] if 0 <= number < len(self._ideas) else None

    @on(ChoiceList.OptionHighlighted)
    def _show_idea(self) -> None:
        if self._idea is not None:
            self._write_message(describe_idea(self.session, self._idea))
        elif not self.clauses:
            self._show_wishes()

    def _show_wishes(self) -> None:
        """Show the answer of the Power that was asked what it wants."""
        answer = wish_answer(self.session, self._partner)
        mark_wish_answer_read(self.session, self._partner)
        name = power_name(self.session.tables, self._partner)
        self._write_message(f"{name}: {answer}" if answer else "", self.look.key)

    def session_changed(self, change: SessionChange) -> None:
        """Show the answer to the question what a Power wants, and renew what is offered."""
        if not change.more and not self._asks:
            self._suggest()
            self._show_wishes()

    def _write_message(self, text: str, style: str = "") -> None:
        self.query_one("#editor-says", PlainText).update(Text(self.look.palette.text(text), style))

    def _row(self) -> int | None:
        """Return the number of the selected article, None on the last line."""
        row = self.query_one(ChoiceList).highlighted
        return row if row is not None and row < len(self.clauses) else None

    # --- the line -----------------------------------------------------------------------------------------------

    def _ask(self, what: str, value: str, hint: str) -> None:
        self._asks = what
        line = self.query_one(Input)
        line.value, line.placeholder, line.display = value, hint, True
        line.cursor_position = len(value)
        self.set_focus(line)
        self._wording(value)

    def _wording(self, value: str) -> None:
        """Return the meaning of the input line, or its error."""
        if self._asks == "name" or not value.strip():
            self._write_message("")
            return
        try:
            clause = parse_clause(self.session.tables, value)
        except Refusal as refusal:
            self._write_message(refusal.message, self.look.faint)
        else:
            self._write_message(describe_clause(self.session.tables, clause), self.look.good)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._wording(event.value)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        value, what = event.value.strip(), self._asks
        if not value:
            self._shut()
            return
        try:
            if what == "name":
                self.called = clean_name(value)
                self._shut()
                return
            clause = parse_clause(self.session.tables, value)
        except Refusal as refusal:
            self._write_message(refusal.message, self.look.alarm)
            return
        if what == "add":
            self.clauses.append(clause)
            row = len(self.clauses)
        else:
            row = int(what)
            self.clauses[row] = clause
        self._add_parties(clause)
        self._shut(row)

    def _add_parties(self, clause: Clause) -> None:
        """Add the Powers that an article needs or names, so that the draft can be signed."""
        session = self.session
        if self._form == CONGRESS:
            return
        needed = (*affected_powers(clause), *required_signers(session.tables, session.live, (clause,)))
        others = [p for p in needed if p in session.live.powers and p not in (session.power, *self.parties)]
        self.parties += dict.fromkeys(others)

    def _shut(self, row: int = 0) -> None:
        self._asks = ""
        self.query_one(Input).display = False
        self._fill(row)
        self.set_focus(self.query_one(ChoiceList))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable key bindings while the input line has focus."""
        return not (isinstance(self.focused, Input) and action not in ("close", "offer"))

    # --- keys ---------------------------------------------------------------------------------------------------

    @on(ChoiceList.OptionSelected)
    def _selected(self) -> None:
        idea = self._idea
        if idea is not None:
            self._form, self.public = idea.draft.form, idea.draft.public
            self.parties, self.clauses = list(idea.draft.parties), list(idea.draft.clauses)
            self._fill(0)
        elif self._row() is None:
            self.action_add()
        else:
            self.action_edit()

    def action_add(self) -> None:
        self._ask("add", "", "france pays italy 10 every turn   ·   no marker by britain in kenya until 1892")

    def action_kinds(self) -> None:
        ids = [k for k in CLAUSE_KINDS if self._form == TREATY or self._form == CONGRESS or CLAUSE_KINDS[k].act]
        session = self.session
        examples = {k: example_article(session.tables, session.state, k, session.power, self.parties) for k in ids}
        width = max(len(CLAUSE_KINDS[k].summary) for k in ids)
        lines = [f"{CLAUSE_KINDS[k].summary:<{width}}  {examples[k]}" for k in ids]
        more: list[str] = []
        if max(len(line) for line in lines) > pick_line_width(self.app.size.width):
            # the examples stand below the list, where they are not cut off
            lines, more = [CLAUSE_KINDS[k].summary for k in ids], [f"such as: {examples[k]}" for k in ids]
        dialog = PickDialog("Which kind of article?", lines, more=more)
        self.app.ask(dialog, lambda number: self._ask("add", examples[ids[number]], ""))

    def action_edit(self) -> None:
        row = self._row()
        if row is not None:
            self._ask(str(row), text_of_clause(self.session.tables, self.clauses[row]), "")

    def action_delete(self) -> None:
        row = self._row()
        if row is not None:
            del self.clauses[row]
            self._fill(row)

    def action_secret(self) -> None:
        row = self._row()
        if row is not None:
            self.clauses[row] = replace(self.clauses[row], secret=not self.clauses[row].secret)
            self._fill(row)

    def action_parties(self) -> None:
        tables, state = self.session.tables, self.session.state
        mine = self.session.powers()
        others = [p for p in state.powers if p not in mine or p != self.session.power]
        now = [n for n, p in enumerate(others) if p in self.parties]

        def done(ticked: frozenset[int]) -> None:
            self.parties = [p for n, p in enumerate(others) if n in ticked]
            self._partner = self.parties[0] if self.parties else self._partner
            self._fill(0)
            self._suggest()

        names = [power_name(tables, p) for p in others]
        self.app.ask(MultiPickDialog("Who must sign?", names, now), done)

    def action_partner(self, step: int) -> None:
        if self._ideas:
            others = partners(self.session)
            at = others.index(self._partner) if self._partner in others else 0
            self._partner = others[(at + step) % len(others)]
            self._suggest()

    def action_wishes(self) -> None:
        """Ask the Power what it wants, in a dispatch; the answer appears here."""
        partner = self.parties[0] if self.parties else self._partner
        self._partner = partner
        self.query_one(ChoiceList).highlighted = 0
        self.carry_out(wish_question(partner), then=self._show_wishes)

    def action_name(self) -> None:
        self._ask("name", self.called, "a name, such as a city")

    def action_open(self) -> None:
        self.public = not self.public
        self._fill(0)

    def order(self) -> Draft:
        """Return the order that offers the agreement."""
        power = "" if self.session.power == self.session.seat else self.session.power
        parties = in_table_order(self.session.tables.powers, self.parties)
        clauses, old = tuple(self.clauses), self._old
        if old is not None:
            # what has not changed is left out
            called = self.called if self.called != old.name else ""
            others = in_table_order(self.session.tables.powers, (p for p in old.parties if p != self.session.power))
            changed = parties if parties != others else ()
            return Draft(called, changed, clauses, TREATY, self.public and not old.public, old.id, power)
        if self._form == SETTLEMENT:
            return Draft("", parties, clauses, SETTLEMENT, power=power)
        if self._form == CONGRESS:
            return Draft(self.called, (), clauses, CONGRESS, power=power)
        return Draft(self.called, parties, clauses, TREATY, self.public, power=power)

    def action_offer(self) -> None:
        if not self.clauses:
            text = "An agreement needs an article: {editor.add} adds one."
            self._write_message(self.format_keys(text), self.look.alarm)
        elif not self.parties and self._form != CONGRESS and self._old is None:
            self._write_message(self.format_keys("Another Power must sign: {editor.parties} chooses."), self.look.alarm)
        else:
            self.act(self.order(), then=lambda: self.dismiss(True))

    def action_close(self) -> None:
        """Leave the input line, or close the editor. Changed articles are lost, so it asks first."""

        def close(is_sure: bool | None) -> None:
            if is_sure:
                self.dismiss(False)

        if self.query_one(Input).display:
            self._shut(self.query_one(ChoiceList).highlighted or 0)
        elif self.clauses and self.clauses != self._initial_clauses and not self._keeps_articles:
            told = "Its articles are lost, because the draft has not been offered."
            self.app.push_screen(ConfirmDialog("Leave the draft?", told, "leave"), close)
        else:
            self.dismiss(False)
