"""Offers: something that one seat puts before others, done once they have accepted it, lapsed when the Phase ends.

Rules: MOV-020, STA-034, NEG-019, CAN-011
"""

from __future__ import annotations

from typing import Any

from paxtui.engine.choices import Choice
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse

ACCEPT, DECLINE = ANSWERS = "accept", "decline"
OFFERS = ("money", "transfer", "codominion", "canal")


def put(play: Play, to: str, kind: str, area: str, prompt: str, data: dict[str, Any], rule: str) -> None:
    """Offer something to the seat of `to`.

    Raises: Refusal `offered`, when the very same offer is pending.
    """
    if any(c.kind == kind and c.power == to and c.data == data for c in play.state.choices):
        refuse("offered", (rule,), f"{play.tables.powers[to].name} has this very offer already and may answer it.")
    play.offer(to, kind, ANSWERS, DECLINE, area, prompt, (rule,), data)


def accepted(choice: Choice, answer: tuple[str, ...]) -> bool:
    """Whether an offer is accepted.

    Raises: Refusal `bad_answer`.
    """
    if len(answer) != 1:
        refuse("bad_answer", choice.rules, f"Answer {choice.id} with accept or with decline.")
    return answer[0] == ACCEPT


def lapse(play: Play) -> None:
    """End every offer still pending, when the Phase ends.

    Rules: MOV-020, STA-034
    """
    for choice in play.state.choices:
        if choice.kind in OFFERS:
            play.emit(ev.ChoiceMade(id=choice.id, void=True, rules=choice.rules))


def rest_of(play: Play, choice: Choice) -> list[Choice]:
    """The offers of the same proposal that wait for an answer still."""
    return [
        c for c in play.state.choices if c.kind == choice.kind and c.data["proposal"] == choice.data["proposal"]
    ]


def void_rest(play: Play, choice: Choice) -> None:
    """A proposal comes to nothing because one has declined it: the others need not answer any more."""
    for other in rest_of(play, choice):
        play.emit(ev.ChoiceMade(id=other.id, void=True, rules=choice.rules))
