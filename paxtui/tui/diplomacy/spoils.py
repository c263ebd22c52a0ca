"""The spoils of a War, or what China cedes: every answer in a list, with what each of them brings, beside the map."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.widgets.option_list import Option

from paxtui.pax.narration.choice_narration import option, question
from paxtui.pax.orders.actions import Choose
from paxtui.pax.play.choices import default_of, options_of
from paxtui.pax.reports.page import BAD, GOOD
from paxtui.pax.reports.war import shares
from paxtui.pax.reports.war.shares import Figure, Share
from paxtui.pax.reports.war.terms import changed
from paxtui.pax.state.questions import Pending
from paxtui.pax.words.spoken import all_of, marker_name, place_name, power_name, the_power, the_powers
from paxtui.table.reference.rule_links import load_orders
from paxtui.table.session import Session
from paxtui.tui.diplomacy.balance import figure_row, now_and_then
from paxtui.tui.diplomacy.beside_map import BesideMap
from paxtui.tui.reading.reading import RulesScreen
from paxtui.tui.stage.prose import Rows
from paxtui.tui.swift.type_ahead import SeenFirst
from paxtui.tui.writing.look import GAIN, LOSS
from paxtui.tui.writing.wrapping import hanging

MOST = 6
"""Areas that are named as still to come."""


class SpoilsScreen(BesideMap[Choose | None]):
    """What is placed in an Area that a War has won: the answers, and what the one under the cursor would bring.

    Args: the open game; the choice, about spoils or cessions.
    """

    TOPIC = "spoils"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Later", id="spoils.close", tooltip="Answer later"),
        Binding("tab", "turn", "Before and after", id="spoils.turn", tooltip="The map as it is, as it would be"),
        Binding("d", "default", "Default", id="spoils.default", tooltip="Take the default"),
        Binding("question_mark", "rules", "Rules", id="spoils.rules", tooltip="The rules of the question"),
    ]

    def __init__(self, session: Session, choice: Pending) -> None:
        super().__init__()
        self._session, self._choice = session, choice
        self._texts = options_of(choice)
        self._shares: dict[str, Share] = {}

    def begin(self) -> None:
        """The first demand that nobody objects to is under the cursor; to demand nothing only if there is no other."""
        self.rows.add_options(Option(self._line(text)) for text in self._texts)
        # never a quarrel under the cursor at first, where there is a way round it
        agreed = [n for n, text in enumerate(self._texts) if not self._share(text).against]
        demands = [n for n in agreed if self._area_of(self._texts[n])]
        first = next(iter((*demands, *agreed)), 0)
        self.rows.highlighted = first
        self._show(self._texts[first])

    def write(self) -> None:
        """The question with what has been said and what comes after it, and the keys."""
        s, tables = self._session, self._session.tables
        out = hanging(Text(question(tables, self._choice), "bold"), self.room, 0)
        for power, text in shares.heard(tables, self._choice):
            said = f"{power_name(tables, power)} has said: {option(tables, self._choice, text)}."
            out.append("\n")
            out.append_text(hanging(Text(said, self.look.alarm), self.room, 2))
        to_come = shares.still_to_come(tables, s.live, self._choice)
        if to_come:
            more = [f"{len(to_come) - MOST} more"] if len(to_come) > MOST else []
            named = all_of([*(place_name(tables, area) for area in to_come[:MOST]), *more])
            out.append("\n")
            out.append_text(hanging(Text(f"After it: {named}.", self.look.faint), self.room, 2))
        self.asked.update(self.look.signs(out))
        self.keys.update(self.look.palette.text(self.keyed(
            f"Enter answers · ↑ ↓ other answers · {self.turns} · {{spoils.default}} default · {{spoils.rules}} rules · "
            "{spoils.close} later"
        )))

    # --- an answer --------------------------------------------------------------------------------------------------

    def _share(self, text: str) -> Share:
        """What an answer would leave, worked out once."""
        if text not in self._shares:
            s = self._session
            self._shares[text] = shares.share(s.tables, s.live, self._choice, text)
        return self._shares[text]

    def _area_of(self, text: str) -> str:
        """The Area that an answer places something in; "" for one that demands nothing."""
        s = self._session
        if shares.demanded(s.tables, s.live, self._choice, text) is None:
            return ""
        last = text.split()[-1] if text.split() else ""
        return self._choice.area or (last if last in s.tables.areas else "")

    def _figures(self, text: str) -> tuple[Figure, ...]:
        s = self._session
        asked = self._choice
        return shares.figures(s.tables, asked.power, asked.seat, s.live, self._share(text).state)

    def _said(self, text: str) -> str:
        """An answer as a line of the list: the marker, for whom, and where it is not the same for all, the Area."""
        s, tables = self._session, self._session.tables
        demand = shares.demanded(tables, s.live, self._choice, text)
        if demand is None:
            return option(tables, self._choice, text)
        said = marker_name(tables, demand.marker)
        if len(demand.powers) > 1:
            said += f" shared by {the_powers(tables, demand.powers)}"
        elif demand.powers != (self._choice.power,):
            said += f" for {the_power(tables, demand.powers[0])}"
        return said if self._choice.area else f"{said} in {place_name(tables, text.split()[-1])}"

    def _line(self, text: str) -> Text:
        """An answer with what it earns a turn and at the end."""
        look = self.look
        out = Text(no_wrap=True, overflow="ellipsis")
        out.append(self._said(text))
        by_name = {figure.what.partition(":")[0]: figure for figure in self._figures(text)}
        for line, unit in (("Line 22", "£"), ("Line 31", " VP")):
            change = by_name[line].after - by_name[line].before
            if change:
                sign, style = (GAIN, look.good) if change > 0 else (LOSS, look.alarm)
                figure = f"£{abs(change)}" if unit == "£" else f"{abs(change)}{unit}"
                out.append(f"  {sign}{figure}", style)
        if self._share(text).against:
            out.append("  quarrel", look.alarm)
        return look.signs(out)

    @on(Rows.OptionHighlighted)
    def _walked(self, event: Rows.OptionHighlighted) -> None:
        self._show(self._texts[event.option_index])

    def _show(self, text: str) -> None:
        """What the answer under the cursor would bring."""
        found = self._share(text)
        self.told.update(self._told(text, found))
        self._draw(found)

    def _told(self, text: str, found: Share) -> Text:
        """Markers before and after, the figures, and the rest in sentences."""
        s, look, tables = self._session, self.look, self._session.tables
        areas = changed(s.live, found.state) or ((self._choice.area,) if self._choice.area else ())
        out = now_and_then(tables, look, areas, s.live, found.state)
        styles = {GOOD: look.good, BAD: look.alarm}
        for line in shares.told(tables, self._choice, s.live, found):
            out.append_text(hanging(Text(f"• {line.text}", styles.get(line.tone, "")), self.room, 2))
            out.append("\n")
        out.append("" if self.has_class("small") else "\n")
        for figure in self._figures(text):
            # on a small screen what stays as it is goes without saying, but for the sum
            if not self.has_class("small") or figure.before != figure.after or figure.what.startswith("Line 31"):
                out.append_text(figure_row(look, figure))
        out.rstrip()
        return look.signs(out)

    def _draw(self, found: Share) -> None:
        """The map as it is, or as it would be."""
        s = self._session
        areas = changed(s.live, found.state)
        asked = next((area for area in map(self._area_of, self._texts) if area), "")
        at_ = self._choice.area or (areas[0] if areas else asked)
        self.draw(s, s.live, found.state, areas or ((at_,) if at_ else ()), at_, self._choice.power)

    # --- keys -------------------------------------------------------------------------------------------------------

    def _under_cursor(self) -> str:
        return self._texts[self.rows.highlighted or 0]

    @on(Rows.OptionSelected)
    def _selected(self, event: Rows.OptionSelected) -> None:
        event.stop()
        self.dismiss(Choose(self._choice.id, (self._texts[event.option_index],)))

    def action_default(self) -> None:
        """Take the default."""
        self.dismiss(Choose(self._choice.id, default_of(self._choice)))

    def turned(self) -> None:
        """The other map is to be drawn."""
        self._draw(self._share(self._under_cursor()))

    def action_rules(self) -> None:
        """The rules of the question: those of this one, then those of its kind."""
        kind = load_orders()[1].get(self._choice.kind)
        self.app.push_screen(RulesScreen(" ".join((*self._choice.rules, *(kind.rules if kind else ())))))

    def action_close(self) -> None:
        """Answer later."""
        self.dismiss(None)


class NextSpoils(SeenFirst, SpoilsScreen):
    """The question that comes by itself when the one before it has been answered."""
