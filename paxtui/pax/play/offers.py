"""Offers: something that one seat puts before others, done once they have accepted it, lapsed when the Phase ends.

Rules: MOV-020, STA-034, NEG-019, CAN-011
"""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.questions import Joint, MarkerOffer, MoneyOffer, Offer, Pending

ACCEPT, DECLINE = ANSWERS = "accept", "decline"


def put(play: Play, offer: MoneyOffer | MarkerOffer, area: str, prompt: str, rule: str) -> None:
    """Offer something to the Power it is for.

    Raises: Refusal `offered`, when the very same offer is pending.
    """
    if any(c.about == offer for c in play.state.choices):
        name = play.tables.powers[offer.to].name
        refuse("offered", (rule,), f"{name} has this very offer already and may answer it.")
    play.offer(offer.to, offer, ANSWERS, DECLINE, area, prompt, (rule,))


def accepted(choice: Pending, answer: tuple[str, ...]) -> bool:
    """Whether an offer is accepted.

    Raises: Refusal `bad_answer`.
    """
    return one_of(choice, answer) == ACCEPT


def lapse(play: Play) -> None:
    """End every offer still pending, when the Phase ends.

    Rules: MOV-020, STA-034
    """
    for choice in play.state.choices:
        if isinstance(choice.about, Offer):
            play.emit(ev.ChoiceMade(id=choice.id, void=True, rules=choice.rules))


def rest_of(play: Play, offer: Joint) -> list[Pending]:
    """The questions of the same proposal that still wait for an answer."""
    return [c for c in play.state.choices if isinstance(c.about, type(offer)) and c.about.proposal == offer.proposal]


def void_rest(play: Play, offer: Joint) -> None:
    """A proposal comes to nothing because one has declined it: the others need not answer any more."""
    for other in rest_of(play, offer):
        play.emit(ev.ChoiceMade(id=other.id, void=True, rules=other.rules))
