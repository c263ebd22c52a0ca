"""The peace editor, and the screen that answers proposed peaces."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from msgspec.structs import replace
from rich.text import Text
from textual import on
from textual.binding import BindingType
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.clauses.notation import describe_clause
from paxtui.games.pax.diplomacy.settlement import played_belligerents
from paxtui.games.pax.preview import peace
from paxtui.games.pax.preview.dry_run import Outcome
from paxtui.games.pax.preview.peace import PAYMENT_STEP, PeaceTerms
from paxtui.games.pax.reports import war_status
from paxtui.games.pax.state.diplomacy import SETTLEMENT, Clause, Treaty
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import place_name, power_name, sentence, the_power
from paxtui.games.pax.text.parsing import in_table_order
from paxtui.session.session import Session, SessionChange
from paxtui.tui.base.dialogs import CHECKED_SIGN, UNCHECKED_SIGN, InputDialog, PickDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.playing import SessionScreen
from paxtui.tui.base.screen import ChoiceList
from paxtui.tui.diplomacy.comparison import MapListScreen, marker_signs, peace_effects
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.formatting.look import wrap_hanging
from paxtui.tui.formatting.reports import treaty_line
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.reference_screens.reference import RulesScreen

SIGNER, AREA, MONEY, ARTICLE, MORE_AREAS, MORE_ARTICLES = "signer", "area", "money", "article", "areas", "articles"
"""Kinds of list rows."""
RULES = "WEN-027 WEN-028 WEN-036 WEN-037 WEN-038 WEN-045 WEN-046 NEG-011 NEG-014 COD-001"
"""Rules of a peace."""
NAME_WIDTH, MARKER_WIDTH = 20, 12
"""Width in cells of a name, and of the markers in an Area."""


class PeaceRow(NamedTuple):
    """A row of the list: its kind, and its Power, Area or article (by number)."""

    about: str
    what: str = ""


class PeaceScreen(MapListScreen[bool], SessionScreen[bool]):
    """Edit a peace and propose it; return whether it was proposed.

    Args:
        session: the open game.
        war: the War to end.
        power: the Power of the seat that proposes.
        old: the draft to which this is a counter-proposal.
    """

    TOPIC = "peace"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("peace.close", "escape,q", "close", "Close", "From the map to the list, then close"),
        bind("peace.next", "right,plus", "change(1)", "Next", "Next term of this row"),
        bind("peace.before", "left,minus", "change(-1)", "Previous", "Previous term of this row"),
        bind("peace.tick", "space", "tick", "Select", "Who signs; another term of an Area"),
        bind("peace.map", "m", "map", "On the map", "Choose an Area on the map"),
        bind("peace.turn", "tab", "turn", "Before and after", "The map before and after"),
        bind("peace.strike", "d,delete", "strike", "No article", "No article about it"),
        bind("peace.words", "e", "words", "In words", "All articles in words"),
        bind("peace.offer", "y,f10,ctrl+s", "offer", "Propose", "Sign it and propose it to the others"),
        bind("peace.rules", "question_mark", "rules", "Rules", "The rules of a peace"),
    ]

    def __init__(self, session: Session, war: War, power: str, old: Treaty | None = None) -> None:
        super().__init__(session)
        self.war, self._power, self._old = war, power, old
        tables, state = session.tables, session.live
        if old is None:
            self.terms = peace.initial_terms(tables, state, war, power)
        else:
            self.terms = peace.terms_from_draft(war, power, old.clauses, old.parties, old.id)
        self._added: set[str] = set()  # Areas that were put on the table and have no article yet
        self.lines: list[PeaceRow] = []
        self._outcome: Outcome | None = None

    def begin(self) -> None:
        """Highlight the first Area, or the first signer."""
        self._fill(0)
        self.rows.highlighted = next((n for n, row in enumerate(self.lines) if row.about == AREA), 0)

    # --- what is written --------------------------------------------------------------------------------------------

    def write(self) -> None:
        s = self.session
        title = war_status.war_title(s.tables, self.war)
        what = "An answer to a proposed peace" if self._old else "A peace"
        out = wrap_hanging(Text(f"{what}: {title}", "bold"), self.room, 0)
        me = power_name(s.tables, self._power)
        how = f"\n{me} proposes. The peace takes effect when all named Powers have signed."
        out.append(self.look.palette.text(how), self.look.faint)
        self.question_panel.update(self.look.signs(out))
        where = "" if self.has_class("small") else " of them · {peace.map} Area on the map"
        terms = f"{{peace.before}} {{peace.next}} terms · Enter all{where}"
        more = f"{{peace.words}} in words · {self.turns} · {{peace.offer}} propose · {{peace.close}} close"
        self.show_keys(f"{terms} · {more}")

    def _fill(self, at: int | PeaceRow) -> None:
        """Rebuild the rows. Args: the row to highlight."""
        s, terms = self.session, self.terms
        tables, state = s.tables, s.live
        voices = [p for p in played_belligerents(tables, state, self.war) if p != self._power]
        neutral = [p for p in terms.signers if p not in voices]
        areas = peace.main_areas(tables, state, self.war, terms)
        added = [a for a in state.areas if a in self._added and a not in areas]
        self.lines = [
            *(PeaceRow(SIGNER, p) for p in (*voices, *neutral)),
            *(PeaceRow(AREA, a) for a in (*areas, *added)),
            PeaceRow(MORE_AREAS),
            *(PeaceRow(MONEY, p) for p in (*voices, *neutral) if p in terms.signers),
            *(PeaceRow(ARTICLE, str(n)) for n in range(len(terms.others))),
            PeaceRow(MORE_ARTICLES),
        ]
        self._outcome = None
        where = at if isinstance(at, int) else self.lines.index(at) if at in self.lines else 0
        self.rows.refill((Option(self._line(row)) for row in self.lines), where)
        self._show()

    def _line(self, row: PeaceRow) -> Text:
        s, look, terms, tables = self.session, self.look, self.terms, self.session.tables
        out = Text(no_wrap=True, overflow="ellipsis")
        if row.about == SIGNER:
            signs = row.what in terms.signers
            out.append(f"{CHECKED_SIGN if signs else UNCHECKED_SIGN} ", look.key if signs else "")
            out.append(f"{power_name(tables, row.what)[:NAME_WIDTH]:<{NAME_WIDTH}}", look.ink(row.what) or "")
            out.append(" signs" if signs else " does not sign", "" if signs else look.alarm)
            out.append(f"   {self._stands(row.what)}", look.faint)
        elif row.about == AREA:
            clause = terms.fates.get(row.what)
            out.append(f"{place_name(tables, row.what)[:NAME_WIDTH]:<{NAME_WIDTH}} ", "bold")
            now = marker_signs(tables, look, s.live, row.what)
            out.append_text(now)
            out.append(" " * max(1, MARKER_WIDTH - now.cell_len))
            if clause is None:
                out.append(peace.default_fate_text(tables, s.live, self.war, row.what), look.faint)
            else:
                out.append(f"→ {peace.fate_text(tables, s.live, clause)}", look.key)
        elif row.about == MONEY:
            out.append(f"{'£ ' + power_name(tables, row.what):<{NAME_WIDTH}.{NAME_WIDTH}} ")
            out.append(*self._paid(row.what))
        elif row.about == ARTICLE:
            out.append(describe_clause(tables, terms.others[int(row.what)]))
        else:
            out.append(f"another {'Area' if row.about == MORE_AREAS else 'article'}…", look.faint)
        return look.signs(out)

    def _stands(self, power: str) -> str:
        """Describe the role of a Power in the War."""
        number = self.war.side_of(power)
        return "neutral" if not number else "an ally" if number == self.war.side_of(self._power) else "an enemy"

    def _paid(self, power: str) -> tuple[str, str]:
        """Return the payment between the writer and another Power, with its style."""
        pounds, name = self.terms.money.get(power, 0), the_power(self.session.tables, power)
        if not pounds:
            return "nobody pays", self.look.faint
        if pounds > 0:
            return sentence(f"{name} pays £{pounds}"), self.look.good
        return f"You pay £{-pounds}.", self.look.alarm

    # --- what it brings ---------------------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome:
        """Return the outcome of the peace as currently written."""
        if self._outcome is None:
            s = self.session
            order = peace.peace_draft(s.tables, s.live, self.terms)
            parties = in_table_order(s.tables.powers, (self._power, *order.parties))
            self._outcome = peace.preview_peace(s.tables, s.live, order.clauses, parties)
            refusal = peace.peace_refusal(s.tables, s.live, self.terms)
            if refusal is not None:
                self._outcome = self._outcome._replace(refusal=refusal)
        return self._outcome

    @on(ChoiceList.OptionHighlighted)
    def _row_highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        self._show()

    def _show(self) -> None:
        """Show the effects of the peace, and the map with the highlighted Area."""
        s = self.session
        self.effects_panel.update(peace_effects(s, self.look, self._power, self.war, self.outcome, self.room))
        self.map_turned()

    def map_turned(self) -> None:
        row = self._row()
        at = row.what if row and row.about == AREA else next(iter(self.outcome.areas), "")
        lit = self.outcome.areas or ((at,) if at else ())
        self.draw(self.session, self.session.live, self.outcome.state, lit, at, self._power)

    def _row(self) -> PeaceRow | None:
        at = self.rows.highlighted
        return self.lines[at] if at is not None and at < len(self.lines) else None

    def _set(self, terms: PeaceTerms) -> None:
        """Change the terms; keep the cursor."""
        row, at = self._row(), self.rows.highlighted or 0
        self.terms = terms
        self._fill(row if row in self.lines and row is not None else at)

    # --- keys -------------------------------------------------------------------------------------------------------

    def action_change(self, step: int) -> None:
        row = self._row()
        if row is None:
            return
        if row.about == SIGNER:
            self.action_tick()
        elif row.about == MONEY:
            self._set(self.terms.paying(row.what, step * PAYMENT_STEP))
        elif row.about == AREA:
            several = self._quick(row.what)
            now = self.terms.fates.get(row.what)
            at = several.index(now) if now in several else 0
            self._give(row.what, several[(at + step) % len(several)])

    def _quick(self, area: str) -> list[Clause | None]:
        """Return the terms that Left and Right cycle through: none, then those among the parties at War."""
        s = self.session
        found = peace.possible_fates(s.tables, s.live, self.war, area, self._power)
        between = (c for c in found if c.kind == "codominion" or (c.kind == "transfer" and self.war.side_of(c.to)))
        return [None, *between]

    def _give(self, area: str, clause: Clause | None) -> None:
        self._added.add(area)
        self._set(self.terms.with_fate(area, clause))

    def action_tick(self) -> None:
        """Toggle a signer; for an Area, select the next term."""
        row = self._row()
        if row is not None and row.about == SIGNER:
            self._set(self.terms.toggled(row.what))
        elif row is not None and row.about in (AREA, MONEY):
            self.action_change(1)

    def action_strike(self) -> None:
        """Remove the article about the highlighted row."""
        row, terms = self._row(), self.terms
        if row is None:
            return
        if row.about == AREA:
            self._set(terms.with_fate(row.what, None))
        elif row.about == MONEY:
            self._set(terms.paying(row.what, -terms.money.get(row.what, 0)))
        elif row.about == ARTICLE:
            self._set(terms.without(int(row.what)))

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        """Show all options of the row."""
        event.stop()
        row = self._row()
        if row is None:
            return
        if row.about == SIGNER:
            self.action_tick()
        elif row.about == AREA:
            self._ask_area_outcome(row.what)
        elif row.about == MONEY:
            self._ask_pounds(row.what)
        elif row.about == MORE_AREAS:
            self._ask_area()
        else:
            self.action_words()

    def _ask_area_outcome(self, area: str) -> None:
        """Choose from all outcomes of an Area, with the obstacles of each."""
        s, war = self.session, self.war
        several: list[Clause | None] = [None, *peace.possible_fates(s.tables, s.live, war, area, self._power)]
        lines = [sentence(peace.default_fate_text(s.tables, s.live, war, area))]
        more = ["No article about it."]
        for clause in several[1:]:
            assert clause is not None
            barred = peace.peace_refusal(s.tables, s.live, self.terms.with_fate(area, clause))
            lines.append(("✗ " if barred else "") + sentence(peace.fate_text(s.tables, s.live, clause)))
            more.append(barred.message if barred else f"{describe_clause(s.tables, clause)}.")
        now = self.terms.fates.get(area)
        title = f"What happens to {place_name(s.tables, area)}?"
        dialog = PickDialog(title, lines, several.index(now) if now in several else 0, more)
        self.app.ask(dialog, lambda number: self._give(area, several[number]))

    def _ask_pounds(self, power: str) -> None:
        name = power_name(self.session.tables, power)

        def wrong(words: str) -> str:
            return "" if words.strip().lstrip("-").isdecimal() and words.isascii() else "A number, such as 15 or -15."

        title = f"Pounds that {name} pays; with a minus, pounds that you pay"
        before = self.terms.money.get(power, 0)
        dialog = InputDialog(title, str(before), wrong)
        self.app.ask(dialog, lambda words: self._set(self.terms.paying(power, int(words) - before)))

    def _ask_area(self) -> None:
        s = self.session
        found = peace.other_areas(s.tables, s.live, self.war, self.terms)
        dialog = PickDialog("Which Area?", [self._area_line(area) for area in found])
        self.app.ask(dialog, lambda number: self._put(found[number]))

    def _area_line(self, area: str) -> str:
        tables = self.session.tables
        now = marker_signs(tables, self.look, self.session.live, area).plain.strip()
        return f"{place_name(tables, area):<{NAME_WIDTH + 4}} EV {tables.areas[area].value:<3} {now}"

    def _put(self, area: str) -> None:
        """Add an Area to the list and highlight it."""
        self._added.add(area)
        self._fill(PeaceRow(AREA, area))

    def action_map(self) -> None:
        """Focus the map until the player chooses an Area or presses Esc."""
        self.set_class(self.has_class("small"), "-map")
        self.map.can_focus = True
        self.set_focus(self.map)
        self.notify(self.format_keys("Enter chooses the Area under the cursor; {peace.close} goes back."), timeout=4)

    def _from_map(self) -> None:
        self.set_focus(self.rows)
        self.map.can_focus = False
        self.set_class(False, "-map")

    @on(WorldMap.Activated)
    def _chosen(self, event: WorldMap.Activated) -> None:
        event.stop()
        s, area = self.session, self.map.cursor
        if area in s.tables.areas and next(peace.possible_fates(s.tables, s.live, self.war, area), None):
            self._from_map()
            self._put(area)
        else:
            self.notify("No belligerent has a marker there that could change hands.", timeout=4)

    def action_words(self) -> None:
        """Edit the articles in the treaty editor, which allows all kinds; take over the result."""
        s = self.session
        draft = peace.peace_draft(s.tables, s.live, self.terms)
        editor = TreatyEditor(s, SETTLEMENT, self._old, draft, keeps_articles=True)

        def done(offered: bool | None) -> None:
            if offered:
                self.dismiss(True)
                return
            parties = (self._power, *editor.parties)
            self._set(peace.terms_from_draft(self.war, self._power, tuple(editor.clauses), parties, self.terms.instead))

        self.app.push_screen(editor, done)

    def action_offer(self) -> None:
        order = peace.peace_draft(self.session.tables, self.session.live, self.terms)
        self.act(order, then=lambda: self.dismiss(True))

    def action_rules(self) -> None:
        """Show the rules of a peace, those of current obstacles first."""
        refusal: Refusal | None = self.outcome.refusal
        rules = " ".join((*(refusal.rules if refusal else ()), RULES))
        self.app.push_screen(RulesScreen(rules, refusal))

    def action_close(self) -> None:
        """Return from the map to the list, or close."""
        if self.focused is self.map or self.has_class("-map"):
            self._from_map()
        else:
            self.dismiss(False)


class PeaceOffersScreen(MapListScreen[None], SessionScreen[None]):
    """The proposed peaces to which a Power is a party.

    Args: the open game; the War; the Power of the seat that answers.
    """

    TOPIC = "peace_offers"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("offers.close", "escape,q", "close", "Close", "Answer later"),
        bind("offers.sign", "s,y", "sign", "Sign", "Sign the peace"),
        bind("offers.refuse", "x", "refuse", "Refuse", "Refuse it, or withdraw your own"),
        bind("offers.counter", "a", "counter", "Counter", "Make a counter-proposal"),
        bind("offers.new", "n", "new", "New", "Propose a peace of your own"),
        bind("offers.turn", "tab", "turn", "Before and after", "The map before and after"),
    ]

    def __init__(self, session: Session, war: War, power: str) -> None:
        super().__init__(session)
        self._war, self._power = war, power
        self._treaties: tuple[Treaty, ...] = ()

    def begin(self) -> None:
        self._fill()

    def session_changed(self, change: SessionChange) -> None:
        """Refresh after a change; close if no peace is left."""
        if self.is_mounted:
            self._fill()

    def write(self) -> None:
        s = self.session
        out = wrap_hanging(Text(f"Proposed peace: {war_status.war_title(s.tables, self._war)}", "bold"), self.room, 0)
        out.append(self.look.palette.text(f"\nYou answer for {power_name(s.tables, self._power)}."), self.look.faint)
        self.question_panel.update(self.look.signs(out))
        answers = "{offers.sign} sign · {offers.refuse} refuse · {offers.counter} counter · {offers.new} new proposal"
        self.show_keys(f"{answers} · {self.turns} · {{offers.close}} later")

    def _fill(self) -> None:
        s = self.session
        self._treaties = peace.proposed_treaties(s.live, self._power)
        if not self._treaties or s.seat not in s.live.players:
            self.dismiss(None)
            return
        options = (Option(treaty_line(s, self.look, t), id=t.id) for t in self._treaties)
        self.rows.refill(options, self.rows.highlighted or 0)
        self._show()

    @property
    def chosen(self) -> Treaty:
        """The highlighted peace."""
        return self._treaties[min(self.rows.highlighted or 0, len(self._treaties) - 1)]

    @on(ChoiceList.OptionHighlighted)
    def _row_highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        self._show()

    def _show(self) -> None:
        """Show the articles of the highlighted peace and its effects."""
        s, look, treaty = self.session, self.look, self.chosen
        articles = (f"{n} {describe_clause(s.tables, clause)}." for n, clause in enumerate(treaty.clauses, 1))
        out = look.rows(articles, self.room)
        out.append("\nEffects\n", "bold")
        found = peace.preview_peace(s.tables, s.live, treaty.clauses, treaty.parties)
        out.append_text(peace_effects(s, look, self._power, self._war, found, self.room))
        self.effects_panel.update(look.signs(out))
        self.map_turned()

    def map_turned(self) -> None:
        s = self.session
        found = peace.preview_peace(s.tables, s.live, self.chosen.clauses, self.chosen.parties)
        at = next(iter(found.areas), "")
        self.draw(s, s.live, found.state, found.areas, at, self._power)

    # --- answers ----------------------------------------------------------------------------------------------------

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        """Ignore Enter: it is too easy to press by accident."""
        event.stop()
        text = "{offers.sign} signs, {offers.refuse} refuses, {offers.counter} makes a counter-proposal."
        self.notify(self.format_keys(text), timeout=4)

    def _give(self, order: actions.Sign | actions.Reject) -> None:
        whole = order if self._power == self.session.seat else replace(order, power=self._power)
        self.act(whole, then=self._answered)

    def _answered(self) -> None:
        """Close if no other peace awaits an answer."""
        if all(self._power in t.signed for t in peace.proposed_treaties(self.session.live, self._power)):
            self.dismiss(None)

    def action_sign(self) -> None:
        if self._power in self.chosen.signed:
            self.notify("You have signed it; it waits for the others.", timeout=4)
        else:
            self._give(actions.Sign(self.chosen.id))

    def action_refuse(self) -> None:
        self._give(actions.Reject(self.chosen.id))

    def action_counter(self) -> None:
        self.app.push_screen(PeaceScreen(self.session, self._war, self._power, self.chosen))

    def action_new(self) -> None:
        self.app.push_screen(PeaceScreen(self.session, self._war, self._power))
