"""What an event is about: its place on the map, and whether it is bookkeeping rather than news."""

from __future__ import annotations

from paxtui.pax.history import events as ev


def place_of(event: ev.Event) -> str:
    """The Area, Sea Zone or Home Country that an event is about; "" for none. Of a move it is the end."""
    if isinstance(event, ev.UnitsMoved):
        return event.path[-1]
    if isinstance(event, ev.ChoiceOffered):
        return event.choice.area
    if isinstance(event, ev.MerchantMoved):
        return event.to
    return str(getattr(event, "area", "") or getattr(event, "place", ""))


_BOOKKEEPING = (ev.SeatReady, ev.ReadyCleared, ev.ChoiceOffered, ev.BallotCast, ev.ClauseDone)


def is_bookkeeping(event: ev.Event) -> bool:
    """Whether an event matters only while it happens: ready marks, questions, prices paid, warnings."""
    if isinstance(event, ev.TreasuryChanged):
        return event.amount < 0 or event.reason == ev.UNTOLD
    if isinstance(event, ev.Noted):
        return event.code == "no_army"
    return isinstance(event, _BOOKKEEPING)
