"""What is under way at sea: a stack that sails, a combat, and who has done what in this sequence."""

from __future__ import annotations

from typing import Literal

import msgspec

from paxtui.empires.state.pieces import Fleet

SideName = Literal["attacker", "defender"]
Stage = Literal["evasion", "guns", "wind", "fire", "losses", "result", "retreat", "pursuit", "entry"]
Cause = Literal["attack", "interception", "breakout"]


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
    """A naval combat that goes on.

    Attributes:
        place: where, as orders name it.
        cause: an attack of the combat step, an interception, or a fleet that leaves a port which has fallen.
        phasing: the Power in whose sequence it is fought.
        attacker, defender: the sides.
        stage: what comes next.
        wind: who has the wind gauge, "" while nobody has.
        fired: who has fired.
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
    wind: Literal["", "attacker", "defender", "nobody"] = ""
    fired: tuple[SideName, ...] = ()
    beaten: Literal["", "attacker", "defender"] = ""
    evaded: bool = False
    port: str = ""


class AtSea(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What has happened in the naval sequence of a Power, and what goes on in it.

    Attributes:
        done: fleets whose movement in it has ended.
        barred: fleets that were beaten intercepting, and try no more in it.
        closed: places where nobody else can be attacked in it.
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
