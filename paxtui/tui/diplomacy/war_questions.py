"""Questions of War beside the map: spoils, cessions of China, and others, with the effects of each answer."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.binding import BindingType
from textual.widgets.option_list import Option

from paxtui.games.pax.actions.actions import Choose
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.figures import FigureChange
from paxtui.games.pax.narration.labels import describe_option, describe_question
from paxtui.games.pax.preview import war_answers
from paxtui.games.pax.preview.dry_run import Outcome
from paxtui.games.pax.reports import war_status
from paxtui.games.pax.state.questions import Pending
from paxtui.games.pax.text.display import (
    capitalize,
    join_with_and,
    marker_name,
    place_name,
    power_name,
    the_power,
    the_powers,
)
from paxtui.games.pax.transaction import default_answer, option_texts
from paxtui.session.session import Session
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import ChoiceList
from paxtui.tui.diplomacy.comparison import MapListScreen, figure_row, marker_changes
from paxtui.tui.formatting.look import GAIN, LOSS, wrap_hanging
from paxtui.tui.reference_screens.reference import choice_rules
from paxtui.tui.rendering.key_queue import DebouncedScreen

MAX_PENDING_AREAS = 6
"""Maximum number of Areas named as pending."""


class QuestionScreen(MapListScreen[Choose | None]):
    """A question with its answers, and the effects of the highlighted one."""

    def __init__(self, session: Session, choice: Pending) -> None:
        super().__init__()
        self._session, self._choice = session, choice
        self._texts = option_texts(choice)
        self._outcomes: dict[str, Outcome] = {}

    @abstractmethod
    def first_row(self) -> int:
        """Return the answer highlighted at first."""

    @abstractmethod
    def line(self, text: str) -> Text:
        """Format an answer as a row."""

    @abstractmethod
    def preview(self, text: str) -> Outcome:
        """Return the result of an answer."""

    @abstractmethod
    def effects(self, text: str) -> Text:
        """Describe the effects of an answer."""

    def outcome(self, text: str) -> Outcome:
        """Return the result of an answer, computed once."""
        if text not in self._outcomes:
            self._outcomes[text] = self.preview(text)
        return self._outcomes[text]

    @property
    def highlighted(self) -> Outcome:
        """Return the result of the highlighted answer."""
        return self.outcome(self._texts[self.rows.highlighted or 0])

    def begin(self) -> None:
        self.rows.add_options(Option(self.line(text)) for text in self._texts)
        self.rows.highlighted = row = self.first_row()
        self._show(self._texts[row])

    def _show(self, text: str) -> None:
        self.effects_panel.update(self.effects(text))
        self.map_turned()

    @on(ChoiceList.OptionHighlighted)
    def _row_highlighted(self, event: ChoiceList.OptionHighlighted) -> None:
        self._show(self._texts[event.option_index])

    @on(ChoiceList.OptionSelected)
    def _selected(self, event: ChoiceList.OptionSelected) -> None:
        event.stop()
        self.dismiss(Choose(self._choice.id, (self._texts[event.option_index],)))

    def action_default(self) -> None:
        self.dismiss(Choose(self._choice.id, default_answer(self._choice)))

    def action_rules(self) -> None:
        self.app.push_screen(choice_rules(self._choice))


class SpoilsScreen(QuestionScreen):
    """Choose the marker for an Area won in a War. The choice is about spoils or cessions."""

    TOPIC = "spoils"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("spoils.close", "escape,q", "close", "Later", "Answer later"),
        bind("spoils.turn", "tab", "turn", "Before and after", "The map before and after"),
        bind("spoils.default", "d", "default", "Default", "Take the default"),
        bind("spoils.rules", "question_mark", "rules", "Rules", "Rules of the question"),
    ]

    def first_row(self) -> int:
        """Return the first demand without an objection, one for the own Power if possible; no demand as last resort."""
        agreed = [n for n, text in enumerate(self._texts) if not self.outcome(text).against]
        demands = [n for n in agreed if self._area_of(self._texts[n])]
        own = [n for n in demands if self._is_for_own_power(self._texts[n])]
        return next(iter((*own, *demands, *agreed)), 0)

    def _is_for_own_power(self, text: str) -> bool:
        s, choice = self._session, self._choice
        demand = war_answers.demanded_marker(s.tables, s.live, choice, text)
        return demand is not None and choice.power in demand.powers

    def write(self) -> None:
        """Write the question with earlier and later ones, and the keys."""
        s, tables = self._session, self._session.tables
        out = wrap_hanging(Text(describe_question(tables, self._choice), "bold"), self.room, 0)
        for power, text in war_answers.other_answers(self._choice):
            answer = f"{power_name(tables, power)} has said: {describe_option(tables, self._choice, text)}."
            out.append("\n")
            out.append_text(wrap_hanging(Text(answer, self.look.alarm), self.room, 2))
        to_come = war_answers.remaining_areas(tables, s.live, self._choice)
        if to_come:
            more = [f"{len(to_come) - MAX_PENDING_AREAS} more"] if len(to_come) > MAX_PENDING_AREAS else []
            named = join_with_and([*(place_name(tables, area) for area in to_come[:MAX_PENDING_AREAS]), *more])
            out.append("\n")
            out.append_text(wrap_hanging(Text(f"After it: {named}.", self.look.faint), self.room, 2))
        self.question_panel.update(self.look.signs(out))
        keys = f"Enter answer · ↑ ↓ other answers · {self.turns} · {{spoils.default}} default"
        self.show_keys(f"{keys} · {{spoils.rules}} rules · {{spoils.close}} later")

    # --- an answer --------------------------------------------------------------------------------------------------

    def preview(self, text: str) -> Outcome:
        return war_answers.preview_spoils(self._session.tables, self._session.live, self._choice, text)

    def _area_of(self, text: str) -> str:
        """Return the Area of an answer; "" if it demands nothing."""
        s = self._session
        if war_answers.demanded_marker(s.tables, s.live, self._choice, text) is None:
            return ""
        last = text.split()[-1] if text.split() else ""
        return self._choice.area or (last if last in s.tables.areas else "")

    def _figures(self, text: str) -> tuple[FigureChange, ...]:
        s, asked = self._session, self._choice
        return war_answers.figure_changes(s.tables, asked.power, asked.seat, s.live, self.outcome(text).state)

    def _option_label(self, text: str) -> str:
        """Format an answer: the marker, the Power, and the Area if the answers differ in it."""
        s, tables = self._session, self._session.tables
        demand = war_answers.demanded_marker(tables, s.live, self._choice, text)
        if demand is None:
            return describe_option(tables, self._choice, text)
        label = marker_name(tables, demand.marker)
        if len(demand.powers) > 1:
            label += f" shared by {the_powers(tables, demand.powers)}"
        elif demand.powers != (self._choice.power,):
            label += f" for {the_power(tables, demand.powers[0])}"
        return label if self._choice.area else f"{label} in {place_name(tables, text.split()[-1])}"

    def line(self, text: str) -> Text:
        """Format an answer with its income per turn and its points at the end."""
        look = self.look
        out = Text(no_wrap=True, overflow="ellipsis")
        out.append(self._option_label(text))
        by_name = {figure.what.partition(":")[0]: figure for figure in self._figures(text)}
        for line, pounds, points in (("Line 22", "£", ""), ("Line 31", "", " VP")):
            change = by_name[line].after - by_name[line].before
            if change:
                sign, style = (GAIN, look.good) if change > 0 else (LOSS, look.alarm)
                out.append(f"  {sign}{pounds}{abs(change)}{points}", style)
        if self.outcome(text).against:
            out.append("  quarrel", look.alarm)
        return look.signs(out)

    def effects(self, text: str) -> Text:
        s, look, tables, found = self._session, self.look, self._session.tables, self.outcome(text)
        areas = found.areas or ((self._choice.area,) if self._choice.area else ())
        out = marker_changes(tables, look, areas, s.live, found.state)
        out.append_text(look.bullets(war_answers.describe_spoils(tables, self._choice, s.live, found), self.room))
        out.append("" if self.has_class("small") else "\n")
        for figure in self._figures(text):
            # on a small screen what stays as it is goes without saying, but for the sum
            if not self.has_class("small") or figure.before != figure.after or figure.what.startswith("Line 31"):
                out.append_text(figure_row(look, figure))
        out.rstrip()
        return look.signs(out)

    def map_turned(self) -> None:
        s, found = self._session, self.highlighted
        asked = next((area for area in map(self._area_of, self._texts) if area), "")
        at = self._choice.area or (found.areas[0] if found.areas else asked)
        self.draw(s, s.live, found.state, found.areas or ((at,) if at else ()), at, self._choice.power)


class NextSpoilsScreen(DebouncedScreen, SpoilsScreen):
    """The question that opens automatically after the answer to the previous one."""


MAIN_FIGURES = ("Line 22", "Line 31")
"""Figures that are always shown: income per Game Turn, and Victory Points if the game ended now."""


class WarQuestionScreen(QuestionScreen):
    """A question of War with its answers."""

    TOPIC = "war_question"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("question.close", "escape,q", "close", "Later", "Answer later"),
        bind("question.turn", "tab", "turn", "Before and after", "The map before and after"),
        bind("question.default", "d", "default", "Default", "Take the default"),
        bind("question.rules", "question_mark", "rules", "Rules", "Rules of the question"),
    ]

    def first_row(self) -> int:
        default = default_answer(self._choice)
        return next((n for n, text in enumerate(self._texts) if text in default), 0)

    def write(self) -> None:
        """Write the question, the Power, the War and the keys."""
        s, choice = self._session, self._choice
        out = wrap_hanging(Text(describe_question(s.tables, choice), "bold"), self.room, 0)
        war = next((w for w in s.live.wars if w.id == getattr(choice.about, "war", "")), None)
        where = f"{war_status.war_title(s.tables, war)}. " if war is not None else ""
        out.append("\n")
        who = f"{where}You answer for {power_name(s.tables, choice.power)}."
        out.append_text(wrap_hanging(Text(who, self.look.faint), self.room, 0))
        self.question_panel.update(self.look.signs(out))
        keys = f"Enter answers · {self.turns} · {{question.default}} default · {{question.rules}} rules"
        self.show_keys(f"{keys} · {{question.close}} later")

    # --- an answer --------------------------------------------------------------------------------------------------

    def preview(self, text: str) -> Outcome:
        return war_answers.preview_answer(self._session.tables, self._session.live, self._choice, text)

    def line(self, text: str) -> Text:
        """Format an answer with its effect on tensions."""
        s, look, found = self._session, self.look, self.outcome(text)
        out = Text(no_wrap=True, overflow="ellipsis")
        label = describe_option(s.tables, self._choice, text)
        out.append(capitalize(label))
        if found.state.result is not None and s.live.result is None:
            out.append("   the Great War", look.alarm)
        elif found.state.tension != s.live.tension:
            out.append(f"   tension {s.live.tension} → {found.state.tension}", look.alarm)
        return look.signs(out)

    def effects(self, text: str) -> Text:
        """Describe the effects of an answer as sentences, markers and figures."""
        s, look, choice, found = self._session, self.look, self._choice, self.outcome(text)
        out = look.bullets(found.lines, self.room)
        small = self.has_class("small")
        if found.areas:
            if not small:  # on a small screen the sentences have to do
                out.append("\n")
                out.append_text(marker_changes(s.tables, look, found.areas, s.live, found.state))
            if choice.power in s.live.powers:
                seat = seat_of(s.tables, s.live, choice.power)
                for figure in war_answers.figure_changes(s.tables, choice.power, seat, s.live, found.state):
                    if figure.what.startswith(MAIN_FIGURES) or (figure.before != figure.after and not small):
                        out.append_text(figure_row(look, figure))
        out.rstrip()
        return look.signs(out)

    def map_turned(self) -> None:
        found, choice = self.highlighted, self._choice
        at = choice.area or next(iter(found.areas), HOME + choice.power)
        self.draw(self._session, self._session.live, found.state, found.areas or (at,), at, choice.power)
