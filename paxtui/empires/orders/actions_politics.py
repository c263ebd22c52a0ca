"""What a Power does in the Political Phase. Lists of names may hold `none`."""

from __future__ import annotations

from paxtui.empires.orders.action import Action


class Declare(Action, frozen=True, tag="declare"):
    """Write down on whom war is declared; `none` for nobody. It is revealed with those of all others."""

    on: tuple[str, ...]


class CallAlly(Action, frozen=True, tag="call"):
    """Call an ally against an enemy of this month. One's own name stands for the attempt where nobody can be called."""

    ally: str
    enemy: str


class Sue(Action, frozen=True, tag="sue"):
    """Write down to whom one surrenders."""

    to: tuple[str, ...]


class OfferPeace(Action, frozen=True, tag="offer_peace"):
    """Write down with whom one would make an informal peace."""

    to: tuple[str, ...]


class Ally(Action, frozen=True, tag="ally"):
    """Offer an alliance, or take up one that is offered."""

    to: str


class BreakAlliance(Action, frozen=True, tag="break_alliance"):
    """Break an alliance."""

    ally: str


class FreeState(Action, frozen=True, tag="free_state"):
    """Make a conquered minor country a free state, for good."""

    minor: str


class Combine(Action, frozen=True, tag="combine"):
    """Offer an ally to move together this month, or take up such an offer."""

    to: str


FORMS: dict[type[Action], str] = {
    Declare: "declare war on {on}",
    CallAlly: "call {ally} against {enemy}",
    Sue: "sue {to}",
    OfferPeace: "offer peace to {to}",
    Ally: "ally with {to}",
    BreakAlliance: "break with {ally}",
    FreeState: "free {minor}",
    Combine: "combine with {to}",
}
