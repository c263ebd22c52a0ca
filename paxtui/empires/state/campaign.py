"""What goes on in the land phase: how corps have marched, who attacks where, sieges, and the battle that is fought."""

from __future__ import annotations

import msgspec

from paxtui.empires.state.pieces import Factors


class Detached(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Factors that a corps left behind while it moved: the area, whether with a depot, and what they are now."""

    where: str
    of_depot: bool
    factors: Factors


class Trek(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a counter has done in the sequence of its Power.

    Attributes:
        start: where it stood.
        path: the areas it has entered since, in order.
        detached: what it left behind on the way.
        over_river: whether it came into its area over a river, or from the sea.
        landed: whether it came from a fleet.
        abroad: whether it has been outside its Power's territory.
        besieges: whether it besieges where it stands, or is going to.
        fed: how it was supplied: foraged, captured (an enemy depot), paid; "" before that.
        captured: the last area in which it destroyed an enemy depot, "" for none.
    """

    start: str
    path: tuple[str, ...] = ()
    detached: tuple[Detached, ...] = ()
    over_river: bool = False
    landed: bool = False
    abroad: bool = False
    besieges: bool = False
    fed: str = ""
    captured: str = ""


class Attack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An attack that was declared: where, by whom, on whom."""

    area: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]


class Force(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One side of a field combat.

    Attributes:
        powers: who fights together; the first of them decides.
        corps: ids of the counters that fight.
        garrison: whether the garrison of its depot fights too.
        leader: id of the leader in command, "" for none.
        chit: the chit, once it lies open.
        around: ids of those that go around the flank, until they arrive.
        morale: in tenths.
        lost: factors lost so far.
    """

    powers: tuple[str, ...]
    corps: tuple[str, ...]
    garrison: bool = False
    leader: str = ""
    chit: str = ""
    around: tuple[str, ...] = ()
    morale: int = 0
    lost: int = 0


class Battle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A field combat while it is fought.

    Attributes:
        area: where.
        attacker, defender: the two sides.
        river: whether every attacking corps came over a river.
        round: rounds fought.
        arrived: whether the outflanking force is there.
        announced: whether both have said if they outflank.
        divided: whether the step of dividing is over.
        withdrawal: whether the roll to withdraw was made.
        flank_rolls: rolls made for the outflanking force to arrive.
        day: the day of combat, from 1.
        fights_on: the sides that want another day.
    """

    area: str
    attacker: Force
    defender: Force
    river: bool = False
    round: int = 0
    arrived: bool = False
    announced: bool = False
    divided: bool = False
    withdrawal: bool = False
    flank_rolls: int = 0
    day: int = 1
    fights_on: tuple[str, ...] = ()


class Due(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Army factors that came this month and are not placed yet.

    Attributes:
        power: whose they are.
        where: the area that a scenario names, "" for any that the rules of a campaign allow.
        nation: the minor free state they are of, "" for the Power itself.
        factors: what is left of them.
    """

    power: str
    where: str = ""
    nation: str = ""
    factors: Factors


class Campaign(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything of the land phase that pieces alone do not tell.

    Attributes:
        phasing: the Powers whose sequence goes on, none between two.
        treks: by counter, what it has done in the sequence that goes on.
        moving: the counter that has moved last and may go on.
        attacks: declared and not yet fought.
        declared: whether all attacks of the sequence are declared.
        aside: Powers that do not join the defence of an ally, each with the area.
        proposed: whom each of the allies who move together wants to move first.
        order: in which order they do.
        engaged: the area whose attack is fought now.
        agreed: Powers attacked together that agree to retire into the city.
        stayed: attacked counters that do not retire into a city.
        sieges: by area the Power that besieges its city.
        battle: the field combat that is fought, None outside one.
        fought: field combats since the exercise began.
        due: reinforcements that are not placed yet.
        mustered: the month in which each Power last had its reinforcements.
        refused: corps and allies who will not supply them, in this sequence.
    """

    phasing: tuple[str, ...] = ()
    treks: dict[str, Trek] = {}
    moving: str = ""
    attacks: tuple[Attack, ...] = ()
    declared: bool = False
    aside: tuple[tuple[str, str], ...] = ()
    proposed: dict[str, str] = {}
    order: tuple[str, ...] = ()
    engaged: str = ""
    stayed: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    sieges: dict[str, str] = {}
    battle: Battle | None = None
    fought: int = 0
    due: tuple[Due, ...] = ()
    mustered: dict[str, int] = {}
    refused: tuple[tuple[str, str], ...] = ()
