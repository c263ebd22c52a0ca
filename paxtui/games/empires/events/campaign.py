"""Events of the reconstructed rules: choices in a field combat, trivial combats and sieges."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.empires.events.base import Event
from paxtui.games.empires.events.land import Volley, with_battle, with_campaign
from paxtui.games.empires.pieces import Assault, BattleChoices
from paxtui.games.empires.state import State


class CasualtiesOwed(Event, frozen=True, tag="casualties_owed"):
    """Factors of a round that attacker and defender still have to take off; their owners choose which."""

    attacker: int
    defender: int

    def evolve(self, state: State) -> State:
        fresh = BattleChoices(owed=(self.attacker, self.defender), spent=state.campaign.choices.spent)
        return with_campaign(state, choices=fresh)


class CasualtiesTaken(Event, frozen=True, tag="casualties_taken"):
    """A side has taken off what it owed."""

    side: str

    def evolve(self, state: State) -> State:
        return _with_choices(state, owed=_at(state.campaign.choices.owed, self.side, 0))


class LossesOrdered(Event, frozen=True, tag="losses_ordered"):
    """A Power orders that all its combats cost foot first, or chooses its losses again."""

    power: str
    foot_first: bool

    def evolve(self, state: State) -> State:
        others = tuple(one for one in state.campaign.foot_first if one != self.power)
        return with_campaign(state, foot_first=(*others, self.power) if self.foot_first else others)


class GuardDecided(Event, frozen=True, tag="guard_decided"):
    """What the guard of a side adds to the die of the next round; 0 if it is not committed."""

    side: str
    bonus: int

    def evolve(self, state: State) -> State:
        choices = state.campaign.choices
        spent = (*choices.spent, self.side) if self.bonus else choices.spent
        guard = _at(choices.guard, self.side, self.bonus)
        return _with_choices(state, asked=(*choices.asked, self.side), guard=guard, spent=spent)


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

    def evolve(self, state: State) -> State:
        state = SupportDeclined(self.side).evolve(state)
        battle = state.campaign.battle
        if not self.arrived or battle is None or self.corps not in state.corps:
            return state
        corps = replace(state.corps[self.corps], where=self.area, inside=False)
        force = battle.force(self.side)
        state = with_battle(state, **{self.side: replace(force, corps=(*force.corps, self.corps))})
        return replace(state, corps={**state.corps, corps.id: corps})


class SupportDeclined(Event, frozen=True, tag="support_declined"):
    """A side calls no corps before the next round."""

    side: str

    def evolve(self, state: State) -> State:
        return _with_choices(state, supported=(*state.campaign.choices.supported, self.side))


class FieldLeft(Event, frozen=True, tag="field_left"):
    """A side is about to leave the field. Attributes: whether it is beaten; the reason."""

    side: str
    beaten: bool
    why: str

    def evolve(self, state: State) -> State:
        return _with_choices(state, leaving=self.side, beaten=self.beaten, why=self.why)


class RefugeChosen(Event, frozen=True, tag="refuge_chosen"):
    """The area into which a Power retreats; the area of the combat itself means its city."""

    power: str
    to: str

    def evolve(self, state: State) -> State:
        return _with_choices(state, refuges={**state.campaign.choices.refuges, self.power: self.to})


class TrivialFought(Event, frozen=True, tag="trivial_fought"):
    """A trivial combat: what attackers and defenders did."""

    area: str
    attacker: Volley
    defender: Volley


class SiegeSettled(Event, frozen=True, tag="siege_settled"):
    """The siege of a city is settled in this sequence: an assault, or none."""

    area: str

    def evolve(self, state: State) -> State:
        return with_campaign(state, settled=(*state.campaign.settled, self.area))


class SortieDecided(Event, frozen=True, tag="sortie_decided"):
    """Whether besieged corps attack their besiegers."""

    area: str
    power: str
    attacks: bool

    def evolve(self, state: State) -> State:
        return with_campaign(state, sorties=(*state.campaign.sorties, (self.area, self.power)))


class StayedInLines(Event, frozen=True, tag="stayed_in_lines"):
    """A besieger keeps a corps in the siege lines of a city, out of a combat there; no corps: it keeps no more."""

    area: str
    corps: str

    def evolve(self, state: State) -> State:
        return with_campaign(state, lines=(*state.campaign.lines, (self.area, self.corps)))


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

    def evolve(self, state: State) -> State:
        return with_campaign(state, assault=self.assault)


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

    def evolve(self, state: State) -> State:
        return with_campaign(state, assault=None)


def _with_choices(state: State, **changes: object) -> State:
    return with_campaign(state, choices=replace(state.campaign.choices, **changes))


def _at(values: tuple[int, int], side: str, value: int) -> tuple[int, int]:
    return (value, values[1]) if side == "attacker" else (values[0], value)
