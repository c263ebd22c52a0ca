"""A peace put together by keys: who signs, what becomes of each Area, who pays whom, and what all of it would leave."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.widgets.option_list import Option

from paxtui.engine.refusal import Refusal
from paxtui.pax.clauses.wording import say
from paxtui.pax.diplomacy.peace import with_a_voice
from paxtui.pax.reports.war import peace_outcome, peace_terms, standing
from paxtui.pax.reports.war.peace_outcome import Outcome
from paxtui.pax.reports.war.peace_terms import STEP, Terms
from paxtui.pax.state.treaty import SETTLEMENT, Clause, Treaty
from paxtui.pax.state.war import War
from paxtui.pax.words.places import in_order
from paxtui.pax.words.spoken import place_name, power_name, sentence, the_power
from paxtui.table.session import Session
from paxtui.tui.boxes.ask import AskScreen
from paxtui.tui.boxes.pick import PickScreen
from paxtui.tui.diplomacy.balance import markers, of_peace
from paxtui.tui.diplomacy.beside_map import BesideMap
from paxtui.tui.diplomacy.treaty_editor import TreatyEditor
from paxtui.tui.map.world_map import WorldMap
from paxtui.tui.reading.reading import RulesScreen
from paxtui.tui.stage.playing import Playing
from paxtui.tui.stage.prose import Rows
from paxtui.tui.writing.wrapping import hanging

SIGNER, AREA, MONEY, ARTICLE, MORE_AREAS, MORE_ARTICLES = "signer", "area", "money", "article", "areas", "articles"
"""What a row of the list is about."""
RULES = "WEN-027 WEN-028 WEN-036 WEN-037 WEN-038 WEN-045 WEN-046 NEG-011 NEG-014 COD-001"
"""Rules of a peace."""
NAME, NOW = 20, 12
"""Cells of the name of an Area or a Power, and of the markers in an Area."""


class Row(NamedTuple):
    """A row of the list: what it is about, and which Power, Area or article (by its number)."""

    about: str
    what: str = ""


class PeaceScreen(BesideMap[bool], Playing[bool]):
    """Puts a peace together and proposes it; answers whether it has.

    Args:
        session: the open game.
        war: the War to end.
        power: the Power of the seat that proposes.
        old: a draft to answer with another one.
    """

    TOPIC = "peace"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="peace.close", tooltip="From the map to the list, then away"),
        Binding("right,plus", "change(1)", "Next", id="peace.next", tooltip="The next term of this row"),
        Binding("left,minus", "change(-1)", "Before", id="peace.before", tooltip="The term before"),
        Binding("space", "tick", "Tick", id="peace.tick", tooltip="Who signs; another term of an Area"),
        Binding("m", "map", "On the map", id="peace.map", tooltip="Choose an Area on the map"),
        Binding("tab", "turn", "Before and after", id="peace.turn", tooltip="The map as it is, as it would be"),
        Binding("d,delete", "strike", "Strike", id="peace.strike", tooltip="No article about it"),
        Binding("e", "words", "In words", id="peace.words", tooltip="The articles in words, of every kind"),
        Binding("y,f10,ctrl+s", "offer", "Propose", id="peace.offer", tooltip="Sign it and propose it to the others"),
        Binding("question_mark", "rules", "Rules", id="peace.rules", tooltip="The rules of a peace"),
    ]

    def __init__(self, session: Session, war: War, power: str, old: Treaty | None = None) -> None:
        super().__init__(session)
        self.war, self._power, self._old = war, power, old
        tables, state = session.tables, session.live
        if old is None:
            self.terms = peace_terms.begun(tables, state, war, power)
        else:
            self.terms = peace_terms.read(war, power, old.clauses, old.parties, old.id)
        self._added: set[str] = set()  # Areas that were put on the table and have no article yet
        self.lines: list[Row] = []
        self._outcome: Outcome | None = None

    def begin(self) -> None:
        """The first Area, or the first signer, is under the cursor."""
        self._fill(0)
        self.rows.highlighted = next((n for n, row in enumerate(self.lines) if row.about == AREA), 0)

    # --- what is written --------------------------------------------------------------------------------------------

    def write(self) -> None:
        """What the War is, and the keys."""
        s = self.session
        title = standing.title(s.tables, self.war)
        what = "An answer to a proposed peace" if self._old else "A peace"
        out = hanging(Text(f"{what}: {title}", "bold"), self.room, 0)
        me = power_name(s.tables, self._power)
        how = f"\n{me} proposes. It is done when all who are named have signed."
        out.append(self.look.palette.text(how), self.look.faint)
        self.asked.update(self.look.signs(out))
        where = "" if self.has_class("small") else " of them · {peace.map} Area on the map"
        terms = f"{{peace.before}} {{peace.next}} terms · Enter all{where}"
        more = f"{{peace.words}} in words · {self.turns} · {{peace.offer}} propose · {{peace.close}} close"
        self.keys.update(self.look.palette.text(self.keyed(f"{terms} · {more}")))

    def _fill(self, at: int | Row) -> None:
        """Make the rows anew. Args: the row under the cursor then."""
        s, terms = self.session, self.terms
        tables, state = s.tables, s.live
        voices = [p for p in with_a_voice(tables, state, self.war) if p != self._power]
        neutral = [p for p in terms.signers if p not in voices]
        areas = peace_terms.on_the_table(tables, state, self.war, terms)
        added = [a for a in state.areas if a in self._added and a not in areas]
        self.lines = [
            *(Row(SIGNER, p) for p in (*voices, *neutral)),
            *(Row(AREA, a) for a in (*areas, *added)),
            Row(MORE_AREAS),
            *(Row(MONEY, p) for p in (*voices, *neutral) if p in terms.signers),
            *(Row(ARTICLE, str(n)) for n in range(len(terms.others))),
            Row(MORE_ARTICLES),
        ]
        self._outcome = None
        self.rows.clear_options()
        self.rows.add_options(Option(self._line(row)) for row in self.lines)
        where = at if isinstance(at, int) else self.lines.index(at) if at in self.lines else 0
        self.rows.highlighted = min(where, len(self.lines) - 1)
        self._show()

    def _line(self, row: Row) -> Text:
        s, look, terms, tables = self.session, self.look, self.terms, self.session.tables
        out = Text(no_wrap=True, overflow="ellipsis")
        if row.about == SIGNER:
            signs = row.what in terms.signers
            out.append("[x] " if signs else "[ ] ", look.key if signs else "")
            out.append(f"{power_name(tables, row.what)[:NAME]:<{NAME}}", look.ink(row.what) or "")
            out.append(" signs" if signs else " does not sign", "" if signs else look.alarm)
            out.append(f"   {self._stands(row.what)}", look.faint)
        elif row.about == AREA:
            clause = terms.fates.get(row.what)
            out.append(f"{place_name(tables, row.what)[:NAME]:<{NAME}} ", "bold")
            now = markers(tables, look, s.live, row.what)
            out.append_text(now)
            out.append(" " * max(1, NOW - now.cell_len))
            if clause is None:
                out.append(peace_terms.stays(tables, s.live, self.war, row.what), look.faint)
            else:
                out.append(f"→ {peace_terms.fate_said(tables, s.live, clause)}", look.key)
        elif row.about == MONEY:
            out.append(f"{'£ ' + power_name(tables, row.what):<{NAME}.{NAME}} ")
            out.append(*self._paid(row.what))
        elif row.about == ARTICLE:
            out.append(say(tables, terms.others[int(row.what)]))
        else:
            out.append(f"another {'Area' if row.about == MORE_AREAS else 'article'}…", look.faint)
        return look.signs(out)

    def _stands(self, power: str) -> str:
        """Where a Power stands in the War."""
        number = self.war.side_of(power)
        return "neutral" if not number else "an ally" if number == self.war.side_of(self._power) else "an enemy"

    def _paid(self, power: str) -> tuple[str, str]:
        """What passes between the writer and another, with its style."""
        pounds, name = self.terms.money.get(power, 0), the_power(self.session.tables, power)
        if not pounds:
            return "nobody pays", self.look.faint
        return (sentence(f"{name} pays £{pounds}"), self.look.good) if pounds > 0 else (
            f"You pay £{-pounds}.", self.look.alarm
        )

    # --- what it brings ---------------------------------------------------------------------------------------------

    @property
    def outcome(self) -> Outcome:
        """What the peace would leave as it is written now."""
        if self._outcome is None:
            s = self.session
            order = peace_terms.draft(s.tables, s.live, self.terms)
            parties = in_order(s.tables.powers, (self._power, *order.parties))
            self._outcome = peace_outcome.outcome(s.tables, s.live, order.clauses, parties)
            refusal = peace_terms.refused(s.tables, s.live, self.terms)
            if refusal is not None:
                self._outcome = self._outcome._replace(refusal=refusal)
        return self._outcome

    @on(Rows.OptionHighlighted)
    def _walked(self, event: Rows.OptionHighlighted) -> None:
        self._show()

    def _show(self) -> None:
        """What the whole peace would bring, and the map with the Area under the cursor."""
        s = self.session
        self.told.update(of_peace(s, self.look, self._power, self.war, self.outcome, self.room))
        self.turned()

    def turned(self) -> None:
        """The map as it is, or as it would be."""
        row = self._row()
        at = row.what if row and row.about == AREA else next(iter(self.outcome.areas), "")
        lit = self.outcome.areas or ((at,) if at else ())
        self.draw(self.session, self.session.live, self.outcome.state, lit, at, self._power)

    def _row(self) -> Row | None:
        at = self.rows.highlighted
        return self.lines[at] if at is not None and at < len(self.lines) else None

    def _set(self, terms: Terms) -> None:
        """Other terms; the cursor stays where it is."""
        row, at = self._row(), self.rows.highlighted or 0
        self.terms = terms
        self._fill(row if row in self.lines and row is not None else at)

    # --- keys -------------------------------------------------------------------------------------------------------

    def action_change(self, step: int) -> None:
        """The next term of the row, or the one before."""
        row = self._row()
        if row is None:
            return
        if row.about == SIGNER:
            self.action_tick()
        elif row.about == MONEY:
            self._set(self.terms.paying(row.what, step * STEP))
        elif row.about == AREA:
            several = self._quick(row.what)
            now = self.terms.fates.get(row.what)
            at = several.index(now) if now in several else 0
            self._give(row.what, several[(at + step) % len(several)])

    def _quick(self, area: str) -> list[Clause | None]:
        """What Left and Right go through: nothing, then what stays among those at War."""
        s = self.session
        found = peace_terms.fates(s.tables, s.live, self.war, area, self._power)
        between = (c for c in found if c.kind == "codominion" or (c.kind == "transfer" and self.war.side_of(c.to)))
        return [None, *between]

    def _give(self, area: str, clause: Clause | None) -> None:
        self._added.add(area)
        self._set(self.terms.with_fate(area, clause))

    def action_tick(self) -> None:
        """Who signs, or no longer; of an Area the next term."""
        row = self._row()
        if row is not None and row.about == SIGNER:
            self._set(self.terms.toggled(row.what))
        elif row is not None and row.about in (AREA, MONEY):
            self.action_change(1)

    def action_strike(self) -> None:
        """No article about what is under the cursor."""
        row, terms = self._row(), self.terms
        if row is None:
            return
        if row.about == AREA:
            self._set(terms.with_fate(row.what, None))
        elif row.about == MONEY:
            self._set(terms.paying(row.what, -terms.money.get(row.what, 0)))
        elif row.about == ARTICLE:
            self._set(terms.without(int(row.what)))

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        """Enter: all that can be said in the row."""
        event.stop()
        row = self._row()
        if row is None:
            return
        if row.about == SIGNER:
            self.action_tick()
        elif row.about == AREA:
            self._ask_fate(row.what)
        elif row.about == MONEY:
            self._ask_pounds(row.what)
        elif row.about == MORE_AREAS:
            self._ask_area()
        else:
            self.action_words()

    def _ask_fate(self, area: str) -> None:
        """Everything that can become of an Area, with what stands in its way."""
        s, war = self.session, self.war
        several: list[Clause | None] = [None, *peace_terms.fates(s.tables, s.live, war, area, self._power)]
        lines = [sentence(peace_terms.stays(s.tables, s.live, war, area))]
        more = ["No article about it."]
        for clause in several[1:]:
            assert clause is not None
            barred = peace_terms.refused(s.tables, s.live, self.terms.with_fate(area, clause))
            lines.append(("✗ " if barred else "") + sentence(peace_terms.fate_said(s.tables, s.live, clause)))
            more.append(barred.message if barred else f"{say(s.tables, clause)}.")
        now = self.terms.fates.get(area)

        def done(number: int | None) -> None:
            if number is not None:
                self._give(area, several[number])

        title = f"What becomes of {place_name(s.tables, area)}?"
        self.app.push_screen(PickScreen(title, lines, several.index(now) if now in several else 0, more), done)

    def _ask_pounds(self, power: str) -> None:
        name = power_name(self.session.tables, power)

        def wrong(words: str) -> str:
            return "" if words.strip().lstrip("-").isdecimal() and words.isascii() else "A number, such as 15 or -15."

        def done(words: str | None) -> None:
            if words is not None:
                self._set(self.terms.paying(power, int(words) - self.terms.money.get(power, 0)))

        title = f"Pounds that {name} pays; with a minus, pounds that you pay"
        self.app.push_screen(AskScreen(title, str(self.terms.money.get(power, 0)), wrong), done)

    def _ask_area(self) -> None:
        """Another Area from a list."""
        s = self.session
        found = peace_terms.others(s.tables, s.live, self.war, self.terms)

        def done(number: int | None) -> None:
            if number is not None:
                self._put(found[number])

        self.app.push_screen(PickScreen("Which Area?", [self._area_line(area) for area in found]), done)

    def _area_line(self, area: str) -> str:
        tables = self.session.tables
        now = markers(tables, self.look, self.session.live, area).plain.strip()
        return f"{place_name(tables, area):<{NAME + 4}} EV {tables.areas[area].value:<3} {now}"

    def _put(self, area: str) -> None:
        """An Area comes on the table, under the cursor."""
        self._added.add(area)
        self._fill(Row(AREA, area))

    def action_map(self) -> None:
        """The map has the keyboard until an Area is chosen, or Esc."""
        self.set_class(self.has_class("small"), "-map")
        self.map.can_focus = True
        self.set_focus(self.map)
        self.notify(self.keyed("Enter takes the Area under the cursor, {peace.close} leads back."), timeout=4)

    def _from_map(self) -> None:
        self.set_focus(self.rows)
        self.map.can_focus = False
        self.set_class(False, "-map")

    @on(WorldMap.Activated)
    def _chosen(self, event: WorldMap.Activated) -> None:
        event.stop()
        s, area = self.session, self.map.cursor
        if area in s.tables.areas and next(peace_terms.fates(s.tables, s.live, self.war, area), None):
            self._from_map()
            self._put(area)
        else:
            self.notify("No belligerent has a marker there that could change hands.", timeout=4)

    def action_words(self) -> None:
        """The articles in the editor of agreements, where every kind can be written; what it leaves comes back."""
        s = self.session
        editor = TreatyEditor(s, SETTLEMENT, self._old, peace_terms.draft(s.tables, s.live, self.terms))

        def done(offered: bool | None) -> None:
            if offered:
                self.dismiss(True)
                return
            parties = (self._power, *editor.parties)
            self._set(peace_terms.read(self.war, self._power, tuple(editor.clauses), parties, self.terms.instead))

        self.app.push_screen(editor, done)

    def action_offer(self) -> None:
        """Sign it, and propose it to the others."""
        order = peace_terms.draft(self.session.tables, self.session.live, self.terms)
        self.act(order, then=lambda: self.dismiss(True))

    def action_rules(self) -> None:
        """The rules of a peace; of what stands in its way first."""
        refusal: Refusal | None = self.outcome.refusal
        rules = " ".join((*(refusal.rules if refusal else ()), RULES))
        self.app.push_screen(RulesScreen(rules, refusal))

    def action_close(self) -> None:
        """From the map to the list first, then away."""
        if self.focused is self.map or self.has_class("-map"):
            self._from_map()
        else:
            self.dismiss(False)

