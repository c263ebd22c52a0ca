"""What an act of War would bring about, read out before it is final: a declaration, an attack, a loss of supply."""

from __future__ import annotations

from paxtui.cli.plain.numbered import Answer, Option
from paxtui.engine.refusal import Refusal
from paxtui.pax.menus.forecast import sentences
from paxtui.pax.menus.trial import try_action
from paxtui.pax.orders import actions as ac
from paxtui.pax.reports.war import answers, odds
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.war import cycle
from paxtui.table.session import Session


def foretold(session: Session, text: str) -> Answer | None:
    """What an order would bring about, and the order itself to be taken by its number; None where it needs no
    warning: it declares no War, answers no call, attacks nobody and loses nothing, or it is refused anyway.
    """
    told = session.forecast(text)
    said = _answer(session, text) or (
        sentences(session.tables, told) if told else [*_odds(session, text), *session.war_warnings(text)]
    )
    if not said:
        return None
    lines = ["Before it is final:", *said]
    return Answer(lines, (Option(f"Do it: {text}", text, ("yes", "do it")),), ("Or say something else.",))


def _answer(session: Session, text: str) -> list[str]:
    """What an answer to a question of War would bring; nothing for other orders."""
    order = session.understood(text)
    asked = answers.asked(session.live, session.seat, order) if order is not None else None
    if asked is None:
        return []
    found = answers.answer(session.tables, session.live, *asked)
    weighs = found.areas or any(line.tone for line in found.told)
    return [line.text for line in found.told] if weighs and not found.refusal else []


def _odds(session: Session, text: str) -> list[str]:
    """The odds of an attack, for each set of allies that may join it; nothing for other orders."""
    order, war = session.understood(text), cycle.current(session.live)
    if not isinstance(order, ac.Attack) or war is None:
        return []
    if isinstance(try_action(session.tables, session.live, session.seat, order), Refusal):
        return []
    kind = NAVAL if order.naval or order.place not in session.tables.areas else ARMY
    power = order.power or session.seat
    found = odds.assaults(session.tables, session.live, war, order.place, kind, power)
    return [odds.said(session.tables, assault) for assault in found]
