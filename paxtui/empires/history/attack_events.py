"""Attacks that are declared, in which order allies move, and which attack is fought."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.empires.history.event import Event, Kinds
from paxtui.empires.state.campaign import Attack, Campaign
from paxtui.empires.state.model import State


class AttackDeclared(Event, frozen=True, tag="attack_declared"):
    """An attack is declared."""

    attack: Attack


class AttacksDeclared(Event, frozen=True, tag="attacks_declared"):
    """All attacks of a sequence are declared, and who takes part is settled."""


class FirstProposed(Event, frozen=True, tag="first_proposed"):
    """One of the allies who move together says who should move first."""

    power: str
    first: str


class MoversOrdered(Event, frozen=True, tag="movers_ordered"):
    """The order in which they move."""

    order: tuple[str, ...]


class AttackChosen(Event, frozen=True, tag="attack_chosen"):
    """The attack in an area is fought next."""

    area: str


class AttackOver(Event, frozen=True, tag="attack_over"):
    """An attack is over, or nobody is left to attack."""

    area: str


def _attack(state: State, event: AttackDeclared) -> State:
    others = tuple(one for one in state.campaign.attacks if one.area != event.attack.area)
    return _campaign(state, replace(state.campaign, attacks=(*others, event.attack)))


def _all_declared(state: State, event: AttacksDeclared) -> State:
    return _campaign(state, replace(state.campaign, declared=True))


def _proposed(state: State, event: FirstProposed) -> State:
    proposed = {**state.campaign.proposed, event.power: event.first}
    return _campaign(state, replace(state.campaign, proposed=proposed))


def _ordered(state: State, event: MoversOrdered) -> State:
    return _campaign(state, replace(state.campaign, order=event.order))


def _chosen(state: State, event: AttackChosen) -> State:
    return _campaign(state, replace(state.campaign, engaged=event.area, stayed=(), agreed=()))


def _over(state: State, event: AttackOver) -> State:
    left = tuple(one for one in state.campaign.attacks if one.area != event.area)
    return _campaign(state, replace(state.campaign, attacks=left, engaged="", stayed=(), agreed=()))


def _campaign(state: State, campaign: Campaign) -> State:
    return replace(state, campaign=campaign)


KINDS: Kinds = {
    AttackDeclared: _attack,
    AttacksDeclared: _all_declared,
    FirstProposed: _proposed,
    MoversOrdered: _ordered,
    AttackChosen: _chosen,
    AttackOver: _over,
}
