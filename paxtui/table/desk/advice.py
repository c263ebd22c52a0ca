"""What a statesman would do in the place of the seat at the keyboard: a few acts to choose from, with their reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from paxtui.bots.act import Act
from paxtui.bots.players import STATESMAN
from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.pax.decide import played
from paxtui.pax.menus.trial import TRIAL
from paxtui.pax.narration.choice_narration import chosen, question
from paxtui.pax.narration.known import title
from paxtui.pax.orders import actions as ac
from paxtui.pax.reports.foresight import Foresight, foresee
from paxtui.pax.words.spoken import sentence, the_powers
from paxtui.table.session import Session

ADVISER = f"{STATESMAN}:normal"
"""Who is asked."""
NO_ADVICE = "The host has switched advice off at this table."
MOST = 3
"""Acts that are proposed at most."""
LAST = ("ready", "garrison")
"""What one does when nothing else is left."""
JOINED = ("place", "upgrade", "build", "move")
"""Orders that belong together if they have the same reason: a marker, its army, and the way there."""


class Advice(NamedTuple):
    """Orders that are proposed together, and why.

    Attributes:
        texts: the orders as they are typed, in the order in which they are given.
        why: the reason.
        foresight: what all of them bring; None for those that bring nothing that can be told.
    """

    texts: tuple[str, ...]
    why: str
    foresight: Foresight | None = None

    @property
    def text(self) -> str:
        """The orders in one line."""
        return ", then ".join(self.texts)


def proposed(session: Session, acts: Sequence[Act]) -> list[Advice]:
    """Those of a statesman's acts that are put before the seat: the first ones that could be done now.

    A marker is proposed together with the army that it needs. To be ready is proposed if there is nothing else to do.
    """
    found: list[Advice] = []
    for texts, why in _joined(session, acts):
        if texts[0] in LAST or any(texts == other.texts for other in found):
            continue
        foresight = _foreseen(session, texts)
        if foresight is not None:
            found.append(Advice(texts, why, foresight))
        if len(found) == MOST:
            return found
    return found or [Advice((act.text,), act.why) for act in acts if act.text == "ready"][:1]


def _joined(session: Session, acts: Sequence[Act]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Acts with their reasons; those that serve one purpose together."""
    if session.live.phase != "movement":
        yield from (((act.text,), act.why) for act in acts)
        return

    def purpose(numbered: tuple[int, Act]) -> tuple[str, int]:
        n, act = numbered
        verb = act.text.rpartition(": ")[2].split(" ")[0]
        return (act.why, -1) if act.why and verb in JOINED else ("", n)

    for _, group in groupby(enumerate(acts), purpose):
        together = [act for _, act in group]
        yield tuple(dict.fromkeys(act.text for act in together)), together[0].why


def _foreseen(session: Session, texts: Sequence[str]) -> Foresight | None:
    """What orders given one after the other would bring in all; None if one of them is refused."""
    tables, state, seat = session.tables, session.live, session.seat
    whole: Foresight | None = None
    for n, text in enumerate(texts):
        order = session.understood(text)
        seen = foresee(tables, state, seat, order) if order is not None else None
        if order is None or seen is None or isinstance(seen, Refusal):
            return None
        whole = _added(whole, seen) if whole is not None else seen
        if n + 1 < len(texts):
            try:
                state = played(tables, state, seat, order, Dice(TRIAL)).state
            except Refusal:
                return None
    return whole


def _added(first: Foresight, later: Foresight) -> Foresight:
    """What two acts bring together: the second supplies the army or the money that the first lacks."""
    return replace(
        first,
        price=first.price + later.price,
        income=first.income + later.income,
        points_at_end=first.points_at_end + later.points_at_end,
        ungarrisoned=(*(a for a in first.ungarrisoned if a not in later.garrisoned), *later.ungarrisoned),
        garrisoned=tuple(a for a in later.garrisoned if a not in first.ungarrisoned),
        combat=later.combat or first.combat,
        odds=later.odds or first.odds,
        breaches=(*first.breaches, *later.breaches),
    )


def about(session: Session, text: str) -> str:
    """What an act speaks of that names a question or a Treaty by its number alone, in words; "" for any other.

    Args: the open game; the act, as it is typed.
    """
    try:
        order = session.order_of(text)
    except Refusal:
        return ""
    tables, state = session.tables, session.live
    if isinstance(order, ac.Choose):
        asked = next((choice for choice in state.choices if choice.id == order.id), None)
        return f"{question(tables, asked)} {sentence(chosen(tables, asked, order.answer))}" if asked else ""
    if isinstance(order, ac.Sign | ac.Reject):
        treaty = next((treaty for treaty in state.treaties if treaty.id == order.id), None)
        others = tuple(power for power in treaty.parties if power != session.seat) if treaty else ()
        return sentence(f"{title(tables, treaty)} with {the_powers(tables, others)}") if treaty else ""
    return ""
