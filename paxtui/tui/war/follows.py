"""What an answer would bring about, beside the answers of a short question of War: odds, and where a unit goes."""

from __future__ import annotations

from rich.text import Text

from paxtui.engine.refusal import Refusal
from paxtui.pax.history import events as ev
from paxtui.pax.menus.trial import try_action
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.orders.actions import Choose
from paxtui.pax.reports.war import odds as odds_of
from paxtui.pax.state.questions import JoinAttack, Pending, Return
from paxtui.pax.words.spoken import sentence
from paxtui.table.session import Session
from paxtui.tui.war import odds
from paxtui.tui.writing.look import Look
from paxtui.tui.writing.wrapping import hanging

MOST = 6
"""Lines told at most."""


def follows(session: Session, look: Look, choice: Pending, text: str, width: int) -> Text:
    """What an answer to a question of War would bring about; nothing for other questions.

    Args: the open game; the colours; the question; the answer; cells of a row.
    """
    about = choice.about
    if isinstance(about, JoinAttack):
        out = Text()
        for line in session.war_warnings(Choose(choice.id, (text,))):
            out.append_text(hanging(Text(look.palette.text(f"! {line}"), look.alarm), width, 2))
            out.append("\n")
        return out.append_text(_joining(session, look, choice, text))
    if isinstance(about, Return):
        return _tried(session, look, choice, text, width)
    return Text()


def _joining(session: Session, look: Look, choice: Pending, text: str) -> Text:
    """The odds of an attack with the Power that is asked, or without it."""
    found = odds_of.asked_to_join(session.tables, session.live, choice)
    if not found:
        return Text()
    assault = found[0] if text == choice.options[0] else found[-1]
    out = Text(f"{odds.heading(session.tables, assault)}   ")
    out.append(f"{odds.chances(assault)}\n", look.key)
    out.append_text(odds.table(look, assault))
    return look.signs(out)


def _tried(session: Session, look: Look, choice: Pending, text: str, width: int) -> Text:
    """What the answer does at once, in the words of the log."""
    said = try_action(session.tables, session.live, session.seat, Choose(choice.id, (text,)))
    if isinstance(said, Refusal):
        return Text(said.message, look.alarm)
    narrator = Narrator(session.tables, session.live)
    out, lines = Text(), []
    for event in said:
        if isinstance(event, ev.WarOver | ev.ChoiceOffered | ev.PhaseBegan | ev.TurnBegan):
            break
        if not isinstance(event, ev.ChoiceMade) and (told := narrator.tell(event)):
            lines.append(sentence(told))
    for line in lines[:MOST]:
        out.append_text(hanging(Text(look.palette.text(f"• {line}")), width, 2))
        out.append("\n")
    if len(lines) > MOST:
        out.append(f"and {len(lines) - MOST} more", look.faint)
    out.rstrip()
    return out
