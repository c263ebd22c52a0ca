"""The dialog for a pending choice, and the effects of each answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.widget import Widget

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions.actions import Choose
from paxtui.games.pax.events import events
from paxtui.games.pax.narration.labels import describe_option, describe_question
from paxtui.games.pax.narration.narrator import Narrator
from paxtui.games.pax.preview import odds
from paxtui.games.pax.preview.dry_run import run_trial
from paxtui.games.pax.preview.odds import CombatOdds, combat_odds_at, describe_odds
from paxtui.games.pax.state.questions import Combine, DummyCall, FightOrDecline, JoinAttack, Pending, Retreat, Return
from paxtui.games.pax.text.display import capitalize, join_with_and, sentence, the_powers
from paxtui.games.pax.transaction import default_answer, option_texts
from paxtui.session.player_news import open_dummy_calls
from paxtui.session.session import Session
from paxtui.tui.base.dialogs import ListDialog
from paxtui.tui.base.keymap import bind
from paxtui.tui.base.screen import KeyHints, PlainText
from paxtui.tui.dialogs import war
from paxtui.tui.formatting.look import Look
from paxtui.tui.reference_screens.reference import choice_rules

MAX_EFFECT_LINES = 6
"""Maximum number of lines."""


def answer_effects(session: Session, look: Look, choice: Pending, text: str, width: int) -> Text:
    """Return the effects of an answer to a question of War; empty for other questions."""
    about = choice.about
    if isinstance(about, JoinAttack):
        warnings = session.war_warnings(Choose(choice.id, (text,)))
        out = look.rows(((f"! {line}", look.alarm) for line in warnings), width)
        return out.append_text(_joined_attack_odds(session, look, choice, text))
    if isinstance(about, Return):
        return _immediate_effects(session, look, choice, text, width)
    return Text()


def _joined_attack_odds(session: Session, look: Look, choice: Pending, text: str) -> Text:
    """Return the odds of an attack with and without the Power that is asked."""
    found = odds.join_options(session.tables, session.live, choice)
    if not found:
        return Text()
    assault = found[0] if text == choice.options[0] else found[-1]
    out = Text(f"{war.odds_heading(session.tables, assault)}   ")
    out.append(f"{war.odds_chances(assault)}\n", look.key)
    out.append_text(war.odds_table(look, assault))
    return look.signs(out)


def _immediate_effects(session: Session, look: Look, choice: Pending, text: str, width: int) -> Text:
    """Return the immediate effects of the answer, in the wording of the log."""
    trial = run_trial(session.tables, session.live, session.seat, Choose(choice.id, (text,)))
    if isinstance(trial, Refusal):
        return Text(trial.message, look.alarm)
    narrator = Narrator(session.tables, session.live)
    lines = []
    for event in trial.events:
        if isinstance(event, events.WarOver | events.ChoiceOffered | events.PhaseBegan | events.TurnBegan):
            break
        if not isinstance(event, events.ChoiceMade) and (line := narrator.tell(event)):
            lines.append(sentence(line))
    out = look.rows((f"• {line}" for line in lines[:MAX_EFFECT_LINES]), width)
    if len(lines) > MAX_EFFECT_LINES:
        out.append(f"and {len(lines) - MAX_EFFECT_LINES} more", look.faint)
    out.rstrip()
    return out


DIE_FACES = 6
"""Sides of a die."""
LINE_WIDTH = 80
"""Width of a line in cells."""


class ChoiceDialog(ListDialog[Choose | None]):
    """A pending choice: Space marks one of several options, Enter answers."""

    TOPIC = "choice"
    list_id, detail_id = "options", "follows"
    hides_empty_detail = True
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("choice.close", "escape", "close", "Later", "Answer later"),
        bind("choice.mark", "space", "mark", "Mark", "Select or deselect this option"),
        bind("choice.default", "d", "default", "Default", "Take the default"),
        bind(
            "choice.everywhere",
            "A",
            "everywhere",
            "Attack all certain wins",
            "Attack here and wherever you certainly win",
        ),
        bind("choice.rules", "question_mark", "rules", "Rules", "Rules of the question"),
    ]

    def __init__(self, session: Session, choice: Pending) -> None:
        super().__init__()
        self._session, self._choice = session, choice
        self.title_text = describe_question(session.tables, choice) + self._others_acknowledged()
        alone = isinstance(choice.about, Retreat) and len(choice.about.units) == 1
        self._several = choice.about.several and not alone
        self._options = list(option_texts(choice))
        self.first = self._first()
        self.onward = False
        """Whether the answer goes for all fights that are won in any case."""
        if self._several:
            left = list(default_answer(choice))
            for i, text in enumerate(self._options):
                if text in left:
                    left.remove(text)
                    self.ticked.add(i)

    def _others_acknowledged(self) -> str:
        """Name the other Powers of the seat for which the answer to an empty question counts too; "" for none."""
        if not isinstance(self._choice.about, DummyCall):
            return ""
        others = [c.power for c in open_dummy_calls(self._session) if c.id != self._choice.id]
        return f" The same holds for {the_powers(self._session.tables, others)}." if others else ""

    def head(self) -> Iterable[Widget]:
        odds = self._odds()
        return [] if odds is None else [PlainText(f"{describe_odds(odds)}\n", classes="note")]

    def notes(self) -> Iterable[Widget]:
        """Return the key that goes on attacking, if there is another fight with a certain win."""
        keys = "{choice.everywhere} attack here and wherever you certainly win"
        return [KeyHints(self.format_keys(keys))] if self._sure() else []

    def hints(self) -> str:
        keys = "{choice.mark} select · Enter confirm" if self._several else "Enter answer"
        default = join_with_and([self._option_label(text) for text in default_answer(self._choice)]) or "nothing"
        return f"{keys} · {{choice.default}} default ({default}) · {{choice.rules}} rules · {{choice.close}} later"

    def _option_label(self, text: str) -> str:
        return describe_option(self._session.tables, self._choice, text)

    def _odds(self) -> CombatOdds | None:
        """Return the odds of the fight in question; None for other questions."""
        s, c = self._session, self._choice
        if not c.area or not isinstance(c.about, FightOrDecline | Combine):
            return None
        return combat_odds_at(s.tables, s.live, c.area, (c.power,))

    def _first(self) -> int:
        """Return the initially highlighted line: never a fight that cannot be won."""
        odds = self._odds()
        if odds is None or odds.wins:
            return 0
        return next((n for n, text in enumerate(self._options) if text.startswith("decline")), 0)

    def lines(self) -> Iterable[Text]:
        for n, text in enumerate(self._options):
            yield (self.tick_text(n) if self._several else Text()).append(capitalize(self._option_label(text)))

    def detail(self, row: int) -> Text:
        return answer_effects(self._session, self.look, self._choice, self._options[row], LINE_WIDTH)

    def _answer(self, *answer: str) -> None:
        self.dismiss(Choose(self._choice.id, answer))

    def action_mark(self) -> None:
        if self._several:
            self.tick(self.row)

    def choose(self, row: int) -> None:
        """Answer with what is ticked, or else with the row."""
        rows = sorted(self.ticked) if self._several and self.ticked else [row]
        self._answer(*(self._options[n] for n in rows))

    def action_default(self) -> None:
        self._answer(*default_answer(self._choice))

    def _sure(self) -> bool:
        """Return whether this is a fight and another fight with a certain win is pending."""
        fight = isinstance(self._choice.about, FightOrDecline)
        return fight and find_certain_win(self._session, self._choice.id) is not None

    def action_everywhere(self) -> None:
        if self._sure():
            self.onward = True
            self._answer(fight_option(self._choice))

    def action_rules(self) -> None:
        self.app.push_screen(choice_rules(self._choice))


def fight_option(choice: Pending) -> str:
    """Return the option that accepts a fight."""
    return next(text for text in option_texts(choice) if not text.startswith("decline"))


def find_certain_win(session: Session, but: str = "") -> Pending | None:
    """Return a pending fight with a certain win, None if there is none. `but`: a choice to skip."""
    for choice in session.live.choices:
        if choice.seat == session.seat and choice.id != but and isinstance(choice.about, FightOrDecline):
            found = combat_odds_at(session.tables, session.live, choice.area, (choice.power,))
            if found is not None and found.wins == DIE_FACES:
                return choice
    return None


def is_unresisted(session: Session, choice: Pending) -> bool:
    """Return whether a fight is in an Area of strength 0 in which no other Power has a stake."""
    if choice.seat != session.seat or not isinstance(choice.about, FightOrDecline):
        return False
    here = session.live.areas[choice.area]
    others = any(u.power != choice.power for u in here.units) or any(m.power != choice.power for m in here.markers)
    return not others and not combat_odds_at(session.tables, session.live, choice.area, (choice.power,)).table
