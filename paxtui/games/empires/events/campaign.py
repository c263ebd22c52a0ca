"""Events of the reconstructed rules: choices in a field combat, trivial combats and sieges."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.empires.events.base import Event, EvolveByEvent
from paxtui.games.empires.events.land import Volley
from paxtui.games.empires.pieces import Assault, BattleChoices, Force
from paxtui.games.empires.state import State

SIDES = ("attacker", "defender")


class CasualtiesOwed(Event, frozen=True, tag="casualties_owed"):
    """Factors of a round that attacker and defender still have to take off; their owners choose which."""

    attacker: int
    defender: int


class CasualtiesTaken(Event, frozen=True, tag="casualties_taken"):
    """A side has taken off what it owed."""

    side: str


class GuardDecided(Event, frozen=True, tag="guard_decided"):
    """What the guard of a side adds to the die of the next round; 0 if it is not committed."""

    side: str
    bonus: int


class GuardRolled(Event, frozen=True, tag="guard_rolled"):
    """Guard factors that a committed side loses."""

    side: str
    die: int
    losses: int


class SupportRolled(Event, frozen=True, tag="support_rolled"):
    """A corps of an adjacent area marches to the combat: at most `needed`."""

    side: str
    corps: str
    area: str
    die: int
    needed: int
    arrived: bool


class SupportDeclined(Event, frozen=True, tag="support_declined"):
    """A side calls no corps before the next round."""

    side: str


class FieldLeft(Event, frozen=True, tag="field_left"):
    """A side is about to leave the field. Attributes: whether it is beaten; the reason."""

    side: str
    beaten: bool
    why: str


class RefugeChosen(Event, frozen=True, tag="refuge_chosen"):
    """The area into which a Power retreats; the area of the combat itself means its city."""

    power: str
    to: str


class TrivialFought(Event, frozen=True, tag="trivial_fought"):
    """A trivial combat: what attackers and defenders did."""

    area: str
    attacker: Volley
    defender: Volley


class SiegeSettled(Event, frozen=True, tag="siege_settled"):
    """The siege of a city is settled in this sequence: an assault, or none."""

    area: str


class SortieDecided(Event, frozen=True, tag="sortie_decided"):
    """Whether besieged corps attack their besiegers."""

    area: str
    power: str
    attacks: bool


class StayedInLines(Event, frozen=True, tag="stayed_in_lines"):
    """A besieger keeps a corps in the siege lines of a city, out of a combat there; no corps: it keeps no more."""

    area: str
    corps: str


class BreachRolled(Event, frozen=True, tag="breach_rolled"):
    """A roll of the besieger for a breach: at least `needed` with the modifier."""

    area: str
    die: int
    modifier: int
    needed: int
    breached: bool


class AssaultSet(Event, frozen=True, tag="assault_set"):
    """An assault in which owners choose their losses begins or goes on."""

    assault: Assault


class AssaultFought(Event, frozen=True, tag="assault_fought"):
    """A round of an assault: what besiegers and garrison did, and the morale of each after it."""

    area: str
    number: int
    attacker: Volley
    defender: Volley
    morale: tuple[int, int]


class AssaultOver(Event, frozen=True, tag="assault_over"):
    """An assault is over. Attributes: the Power that takes the city, "" if it was beaten off."""

    area: str
    taken_by: str


def _with_choices(state: State, choices: BattleChoices) -> State:
    return replace(state, campaign=replace(state.campaign, choices=choices))


def _at(values: tuple[int, int], side: str, value: int) -> tuple[int, int]:
    return (value, values[1]) if side == SIDES[0] else (values[0], value)


def _on_casualties_owed(state: State, event: CasualtiesOwed) -> State:
    choices = state.campaign.choices
    return _with_choices(state, BattleChoices(owed=(event.attacker, event.defender), spent=choices.spent))


def _on_casualties_taken(state: State, event: CasualtiesTaken) -> State:
    choices = state.campaign.choices
    return _with_choices(state, replace(choices, owed=_at(choices.owed, event.side, 0)))


def _on_guard_decided(state: State, event: GuardDecided) -> State:
    choices = state.campaign.choices
    spent = (*choices.spent, event.side) if event.bonus else choices.spent
    guard = _at(choices.guard, event.side, event.bonus)
    return _with_choices(state, replace(choices, asked=(*choices.asked, event.side), guard=guard, spent=spent))


def _on_support_rolled(state: State, event: SupportRolled) -> State:
    state = _on_support_declined(state, SupportDeclined(event.side))
    battle = state.campaign.battle
    if not event.arrived or battle is None or event.corps not in state.corps:
        return state
    corps = replace(state.corps[event.corps], where=event.area, inside=False)

    def with_corps(force: Force) -> Force:
        return replace(force, corps=(*force.corps, event.corps))

    if event.side == SIDES[0]:
        battle = replace(battle, attacker=with_corps(battle.attacker))
    else:
        battle = replace(battle, defender=with_corps(battle.defender))
    campaign = replace(state.campaign, battle=battle)
    return replace(state, corps={**state.corps, corps.id: corps}, campaign=campaign)


def _on_support_declined(state: State, event: SupportDeclined) -> State:
    choices = state.campaign.choices
    return _with_choices(state, replace(choices, supported=(*choices.supported, event.side)))


def _on_field_left(state: State, event: FieldLeft) -> State:
    choices = state.campaign.choices
    return _with_choices(state, replace(choices, leaving=event.side, beaten=event.beaten, why=event.why))


def _on_refuge_chosen(state: State, event: RefugeChosen) -> State:
    choices = state.campaign.choices
    return _with_choices(state, replace(choices, refuges={**choices.refuges, event.power: event.to}))


def _on_siege_settled(state: State, event: SiegeSettled) -> State:
    campaign = state.campaign
    return replace(state, campaign=replace(campaign, settled=(*campaign.settled, event.area)))


def _on_sortie_decided(state: State, event: SortieDecided) -> State:
    campaign = state.campaign
    return replace(state, campaign=replace(campaign, sorties=(*campaign.sorties, (event.area, event.power))))


def _on_stayed_in_lines(state: State, event: StayedInLines) -> State:
    campaign = state.campaign
    return replace(state, campaign=replace(campaign, lines=(*campaign.lines, (event.area, event.corps))))


def _on_assault_set(state: State, event: AssaultSet) -> State:
    return replace(state, campaign=replace(state.campaign, assault=event.assault))


def _on_assault_over(state: State, event: AssaultOver) -> State:
    return replace(state, campaign=replace(state.campaign, assault=None))


def _keep(state: State, event: Event) -> State:
    return state


CAMPAIGN_EVENTS: EvolveByEvent = {
    CasualtiesOwed: _on_casualties_owed,
    CasualtiesTaken: _on_casualties_taken,
    GuardDecided: _on_guard_decided,
    GuardRolled: _keep,
    SupportRolled: _on_support_rolled,
    SupportDeclined: _on_support_declined,
    FieldLeft: _on_field_left,
    RefugeChosen: _on_refuge_chosen,
    TrivialFought: _keep,
    SiegeSettled: _on_siege_settled,
    SortieDecided: _on_sortie_decided,
    StayedInLines: _on_stayed_in_lines,
    BreachRolled: _keep,
    AssaultSet: _on_assault_set,
    AssaultFought: _keep,
    AssaultOver: _on_assault_over,
}
