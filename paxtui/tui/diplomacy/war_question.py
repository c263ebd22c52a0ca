"""A question of War: what is asked in a whole sentence, and what each answer would bring, beside the map."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.widgets.option_list import Option

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import HOME
from paxtui.pax.narration.choice_narration import option, question
from paxtui.pax.orders.actions import Choose
from paxtui.pax.play.choices import default_of, options_of
from paxtui.pax.reports.page import BAD, GOOD
from paxtui.pax.reports.war import answers, shares, standing
from paxtui.pax.reports.war.answers import Answer
from paxtui.pax.state.questions import Pending
from paxtui.pax.words.spoken import power_name
from paxtui.table.reference.rule_links import load_orders
from paxtui.table.session import Session
from paxtui.tui.diplomacy.balance import figure_row, now_and_then
from paxtui.tui.diplomacy.beside_map import BesideMap
from paxtui.tui.reading.reading import RulesScreen
from paxtui.tui.stage.prose import Rows
from paxtui.tui.writing.wrapping import hanging

SUMS = ("Line 22", "Line 31")
"""Figures that are always told: what a Game Turn brings, and the Victory Points if the game ended now."""


class WarQuestionScreen(BesideMap[Choose | None]):
    """A question of War with its answers.

    Args: the open game; the choice.
    """

    TOPIC = "war_question"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Later", id="question.close", tooltip="Answer later"),
        Binding("tab", "turn", "Before and after", id="question.turn", tooltip="The map as it is, as it would be"),
        Binding("d", "default", "Default", id="question.default", tooltip="Take the default"),
        Binding("question_mark", "rules", "Rules", id="question.rules", tooltip="The rules of the question"),
    ]

    def __init__(self, session: Session, choice: Pending) -> None:
        super().__init__()
        self._session, self._choice = session, choice
        self._texts = options_of(choice)
        self._answers: dict[str, Answer] = {}

    def begin(self) -> None:
        """The answer that the rules take by default is under the cursor."""
        self.rows.add_options(Option(self._line(text)) for text in self._texts)
        default = default_of(self._choice)
        first = next((n for n, text in enumerate(self._texts) if text in default), 0)
        self.rows.highlighted = first
        self._show(self._texts[first])

    def write(self) -> None:
        """The question, for whom, in which War; the keys."""
        s, choice = self._session, self._choice
        out = hanging(Text(question(s.tables, choice), "bold"), self.room, 0)
        war = next((w for w in s.live.wars if w.id == getattr(choice.about, "war", "")), None)
        where = f"{standing.title(s.tables, war)}. " if war is not None else ""
        out.append("\n")
        who = f"{where}You answer for {power_name(s.tables, choice.power)}."
        out.append_text(hanging(Text(who, self.look.faint), self.room, 0))
        self.asked.update(self.look.signs(out))
        keys = f"Enter answers · {self.turns} · {{question.default}} default · {{question.rules}} rules"
        self.keys.update(self.look.palette.text(self.keyed(f"{keys} · {{question.close}} later")))

    # --- an answer --------------------------------------------------------------------------------------------------

    def _answer(self, text: str) -> Answer:
        """What an answer would bring, worked out once."""
        if text not in self._answers:
            s = self._session
            self._answers[text] = answers.answer(s.tables, s.live, self._choice, text)
        return self._answers[text]

    def _line(self, text: str) -> Text:
        """An answer with what it does to the tensions."""
        s, look, found = self._session, self.look, self._answer(text)
        out = Text(no_wrap=True, overflow="ellipsis")
        said = option(s.tables, self._choice, text)
        out.append(said[:1].upper() + said[1:])
        if found.state.result is not None and s.live.result is None:
            out.append("   the Great War", look.alarm)
        elif found.state.tension != s.live.tension:
            out.append(f"   tension {s.live.tension} → {found.state.tension}", look.alarm)
        return look.signs(out)

    @on(Rows.OptionHighlighted)
    def _walked(self, event: Rows.OptionHighlighted) -> None:
        self._show(self._texts[event.option_index])

    def _show(self, text: str) -> None:
        """What the answer under the cursor would bring, in sentences, markers and figures."""
        s, look, choice, found = self._session, self.look, self._choice, self._answer(text)
        styles = {GOOD: look.good, BAD: look.alarm}
        out = Text()
        for line in found.told:
            out.append_text(hanging(Text(f"• {line.text}", styles.get(line.tone, "")), self.room, 2))
            out.append("\n")
        small = self.has_class("small")
        if found.areas:
            if not small:  # on a small screen the sentences have to do
                out.append("\n")
                out.append_text(now_and_then(s.tables, look, found.areas, s.live, found.state))
            if choice.power in s.live.powers:
                seat = seat_of(s.tables, s.live, choice.power)
                for figure in shares.figures(s.tables, choice.power, seat, s.live, found.state):
                    if figure.what.startswith(SUMS) or (figure.before != figure.after and not small):
                        out.append_text(figure_row(look, figure))
        out.rstrip()
        self.told.update(look.signs(out))
        self.turned()

    def turned(self) -> None:
        """The map as it is, or as it would be."""
        found, choice = self._answer(self._under_cursor()), self._choice
        at = choice.area or next(iter(found.areas), HOME + choice.power)
        self.draw(self._session, self._session.live, found.state, found.areas or (at,), at, choice.power)

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

    def action_rules(self) -> None:
        """The rules of the question: those of this one, then those of its kind."""
        kind = load_orders()[1].get(self._choice.kind)
        self.app.push_screen(RulesScreen(" ".join((*self._choice.rules, *(kind.rules if kind else ())))))

    def action_close(self) -> None:
        """Answer later."""
        self.dismiss(None)
