"""Pieces on the map, and the state of the land phase and of the war at sea.

Pieces are fleets, corps, garrisons, depots and leaders. A place is the id of an area or of a sea area.
"""

from __future__ import annotations

from operator import add, ge, sub
from typing import Literal

import msgspec
from msgspec.structs import astuple


class Fleet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fleet counter.

    Attributes:
        id: its name in orders.
        power: the Power that moves it.
        nation: whose ships they are: that Power, or a minor country.
        where: a sea area or the area of a port.
        box: "" at sea; "port" in the port of that area, "blockade" in its blockade box.
        ships: strength, in ships.
        most: how many ships it may hold, 0 where the exercise sets no limit.
        cargo: ids of the corps aboard.
        leaders: ids of leaders aboard.
        moved: movement points used this month.
    """

    id: str
    power: str
    nation: str = ""
    where: str
    box: str = ""
    ships: int
    most: int = 0
    cargo: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()
    moved: int = 0


class Factors(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Army factors by their kinds."""

    infantry: int = 0
    militia: int = 0
    cavalry: int = 0
    guard: int = 0
    artillery: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.infantry + self.militia + self.cavalry + self.guard + self.artillery

    def count(self, kind: str) -> int:
        """Return how many of a kind there are."""
        number: int = getattr(self, kind)
        return number

    def __add__(self, more: Factors) -> Factors:
        return Factors(*map(add, astuple(self), astuple(more)))

    def __sub__(self, less: Factors) -> Factors:
        return Factors(*map(sub, astuple(self), astuple(less)))

    def contains(self, some: Factors) -> bool:
        """Return whether there are at least as many of each kind as in `some`."""
        return all(map(ge, astuple(self), astuple(some)))


class Corps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A corps counter, or another counter that moves by itself.

    Attributes:
        id: its name in orders.
        power: the Power that moves it.
        nation: whose factors they are: that Power, or a minor country.
        kind: infantry, cavalry, artillery, cossack, freikorps, guerrilla.
        where: an area, "" while it is aboard a fleet.
        inside: whether it stands inside the city of the area.
        factors: what it holds.
        most: what it may hold.
        moved: movement points used this month.
        forced: whether it force-marched this month.
        swift: whether its allowance stands in brackets: one more under French control.
    """

    id: str
    power: str
    nation: str = ""
    kind: str = "infantry"
    where: str
    inside: bool = False
    factors: Factors
    most: Factors
    moved: int = 0
    forced: bool = False
    swift: bool = False


HIDDEN = "hidden:"
"""What stands before a Power in place of the id of one of its corps, in an event that another seat reads."""


def is_hidden(corps: Corps) -> bool:
    """Return whether a corps of a view lies face down: where it is and its kind are known, its strength is not."""
    return not corps.factors.total


class Garrison(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Factors without a corps, in the city of an area or with a depot.

    Attributes:
        where: the area.
        power: whose they are.
        of_depot: whether they guard a depot and not a city.
        factors: what they are.
    """

    where: str
    power: str
    of_depot: bool = False
    factors: Factors


class Depot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A depot.

    Attributes:
        where: the area, or the id of a fleet.
        power: whose it is.
        inside: whether it stands in the city itself (a besieged port).
        since: the month in which it was placed, 0 for one of the start.
        at: of one on a fleet, the sea area.
    """

    where: str
    power: str
    inside: bool = False
    since: int = 0
    at: str = ""


class Leader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A leader.

    Attributes:
        id: the name in orders.
        power: the owner.
        where: the id of a corps, of a fleet, or of an area; "" off the map.
        rank: A to D; the order among commanders.
        strategic: strategic rating.
        tactical: tactical rating.
        most: number of corps commanded at the full tactical rating.
        naval: whether the leader commands at sea.
        captor: the Power that captured the leader, "" for none.
    """

    id: str
    power: str
    where: str
    rank: str = "C"
    strategic: int = 0
    tactical: int = 0
    most: int = 0
    naval: bool = False
    captor: str = ""


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

    def force(self, side: str) -> Force:
        """Return the force of the attacker or the defender."""
        return self.attacker if side == "attacker" else self.defender


class BattleChoices(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open and made choices of a field combat with all rules; a new day and each round begin with fresh ones.

    Attributes:
        owed: factors that attacker and defender still have to take off.
        asked: sides that have decided about their guard for the next round.
        guard: what the guard of attacker and defender adds to the next die.
        spent: sides that have committed their guard on this day.
        supported: sides that have called a corps to the combat, or have declined to.
        leaving: the side that leaves the field, "" for none.
        beaten: whether that side is beaten.
        why: why it leaves.
        refuges: by Power the area into which it retreats.
    """

    owed: tuple[int, int] = (0, 0)
    asked: tuple[str, ...] = ()
    guard: tuple[int, int] = (0, 0)
    spent: tuple[str, ...] = ()
    supported: tuple[str, ...] = ()
    leaving: str = ""
    beaten: bool = False
    why: str = ""
    refuges: dict[str, str] = {}


class Assault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An assault in which owners choose their losses. It names no corps: they lie face down.

    Attributes:
        area: the area of the city.
        power: the besieger.
        defenders: the Powers in the city.
        morale: of besieger and garrison, in tenths.
        round: rounds fought.
        owed: by Power, factors of the last round that it still has to take off.
    """

    area: str
    power: str
    defenders: tuple[str, ...]
    morale: tuple[int, int]
    round: int = 0
    owed: dict[str, int] = {}


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
    """State of the land phase apart from the pieces.

    Attributes:
        phasing: the Powers of the current sequence, none between two.
        treks: by counter, its movement in the current sequence.
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
        choices: the choices of the field combat that is fought.
        settled: besieged areas whose siege is settled in this sequence.
        sorties: besieged areas, each with a Power that has decided whether to attack the besiegers.
        besieged_since: by besieged area the month in which the siege began.
        assault: the assault that goes on, None outside one.
        lines: besieged areas, each with a corps of the besieger that keeps out of combats there; with "" once the
            besieger has decided.
        foot_first: Powers that lose foot first in all combats, without a question.
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
    choices: BattleChoices = BattleChoices()
    settled: tuple[str, ...] = ()
    sorties: tuple[tuple[str, str], ...] = ()
    besieged_since: dict[str, int] = {}
    assault: Assault | None = None
    lines: tuple[tuple[str, str], ...] = ()
    foot_first: tuple[str, ...] = ()


SideName = Literal["attacker", "defender"]
Stage = Literal["evasion", "guns", "wind", "fire", "losses", "result", "retreat", "pursuit", "entry"]
Cause = Literal["attack", "interception", "breakout"]
Wind = Literal["", "attacker", "defender", "nobody"]


class Voyage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stack that sails; it has ended its movement when another one sails.

    Attributes:
        fleets: who sails in it.
        place: where it is.
        before: where it came from with its last step.
        route: the places that are still before it.
        seeking: whether it wishes to be met in the blockade box of a port that it enters.
        entered: whether interceptions of its last step are still to be tried.
        tried: the Powers that have had their chance at it, where it is.
    """

    fleets: tuple[str, ...]
    place: str
    before: str = ""
    route: tuple[str, ...] = ()
    seeking: bool = False
    entered: bool = False
    tried: tuple[str, ...] = ()


class Side(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One side of a naval combat.

    Attributes:
        powers: who fights on it.
        fleets: its fleets at the beginning.
        ships: its ships at the beginning.
        lost: ships lost so far.
        owed: ships that it must take off.
        asked: how many of them its fleets bear, as far as it has said, in the order of `fleets`.
        naval_leader: the leader who commands it at sea, "" for none.
        before: where it came from, for who left a port.
    """

    powers: tuple[str, ...]
    fleets: tuple[str, ...]
    ships: int
    lost: int = 0
    owed: int = 0
    asked: tuple[int, ...] = ()
    naval_leader: str = ""
    before: str = ""


class Encounter(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A naval combat in progress.

    Attributes:
        place: where, as orders name it.
        cause: an attack of the combat step, an interception, or a fleet that leaves a port which has fallen.
        phasing: the Power in whose sequence it is fought.
        attacker, defender: the sides.
        stage: what comes next.
        wind: the side with the wind gauge, "" for none yet.
        fired: the sides that have fired.
        beaten: who has lost, "" while undecided and in a draw.
        evaded: whether the defender got away before a shot.
        port: where the loser has gone, a port that may be blockaded; "" where it has none.
    """

    place: str
    cause: Cause
    phasing: str
    attacker: Side
    defender: Side
    stage: Stage
    wind: Wind = ""
    fired: tuple[SideName, ...] = ()
    beaten: Literal["", "attacker", "defender"] = ""
    evaded: bool = False
    port: str = ""

    def side(self, side: SideName) -> Side:
        """Return the attacker or the defender."""
        return self.attacker if side == "attacker" else self.defender


class AtSea(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """State of the naval sequence of a Power.

    Attributes:
        done: fleets whose movement in it has ended.
        barred: fleets that were beaten when they intercepted, and cannot intercept again in it.
        closed: places where no other stack can be attacked in it.
        voyage: the stack that sails.
        encounter: the combat that goes on.
    """

    done: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    voyage: Voyage | None = None
    encounter: Encounter | None = None


class ShipsDue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ships and fleet counters that a nation has bought and not yet placed.

    Attributes:
        turn: the month from which they may be placed.
        power: who places them.
        nation: whose they are, that Power or a minor country.
        ships: how many ships.
        fleets: empty fleet counters; where they are to stand is not looked at.
    """

    turn: int
    power: str
    nation: str
    ships: int = 0
    fleets: tuple[Fleet, ...] = ()
