"""What a Power says about the sequence of the month."""

from __future__ import annotations

from paxtui.empires.orders.action import Action


class Announce(Action, frozen=True, tag="announce"):
    """Say after which Power one's own moves in this phase; `first` for before all others."""

    after: str


FORMS: dict[type[Action], str] = {Announce: "announce {after}"}
