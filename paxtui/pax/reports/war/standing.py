"""How a War stands: its sides with their forces, its place in the War Sequence, and who is waited for.

Rules: WAR-019, WAR-026, WAR-055, SUP-005, SUP-023
"""

from __future__ import annotations

from typing import NamedTuple

from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, Unit
from paxtui.pax.state.war import (
    ALLIANCES,
    ATTACK,
    END,
    GREAT,
    INITIATIVE,
    MANEUVER,
    OTTOMAN,
    REBELLION,
    RESOLUTION,
    SUPPLY,
    War,
)
from paxtui.pax.war import cycle
from paxtui.pax.words.spoken import the_powers

KINDS = {GREAT: "The Great War", OTTOMAN: "An Ottoman War", REBELLION: "A Chinese Rebellion"}
"""What Wars of a kind of their own are called."""
STEPS = {MANEUVER: "moves", ATTACK: "attacks", SUPPLY: "supply"}
"""The Phases of an Alliance, in a word each."""
MOMENTS = {
    ALLIANCES: "declared, not yet fought", INITIATIVE: "Initiative Determination", MANEUVER: "Maneuver Phase",
    ATTACK: "Attack Phase", SUPPLY: "Supply Determination", END: "War End Determination",
    RESOLUTION: "War Resolution",
}  # fmt: skip
"""Names of the Phases of the War Sequence."""


class Side(NamedTuple):
    """An Alliance and its forces.

    Attributes:
        number: its number, from 1.
        powers: its Powers.
        abroad: its Units in Areas, heavy ones first.
        at_sea: its Units in Sea and Cape Zones.
        at_home: its Units in the Home Countries.
        conquered: Areas that it has conquered.
        lost: Areas of its Powers that an enemy has conquered.
        prisoners: Units of its own that have surrendered.
    """

    number: int
    powers: tuple[str, ...]
    abroad: tuple[Unit, ...]
    at_sea: tuple[Unit, ...]
    at_home: tuple[Unit, ...]
    conquered: tuple[str, ...]
    lost: tuple[str, ...]
    prisoners: tuple[Unit, ...]


class Moment(NamedTuple):
    """A Phase of the War Sequence in this cycle: its name, whose it is (0 for nobody's), and whether it is now."""

    stage: str
    side: int
    now: bool
    done: bool


def sides(state: State, war: War) -> tuple[Side, ...]:
    """The Alliances that are still in a War, in their order of the cycle where that has been rolled."""
    numbers = [n for n, powers in enumerate(war.alliances, start=1) if powers]
    numbers.sort(key=lambda n: war.order.index(n) if n in war.order else n)
    return tuple(_side(state, war, number) for number in numbers)


def _side(state: State, war: War, number: int) -> Side:
    powers = war.alliance(number)
    return Side(
        number,
        powers,
        _of(powers, *(here.units for here in state.areas.values())),
        _of(powers, *state.at_sea.values()),
        _of(powers, *state.homes.values()),
        tuple(c.area for c in war.conquered if c.alliance == number),
        tuple(
            c.area
            for c in war.conquered
            if c.alliance != number and any(m.power in powers and m.established for m in state.areas[c.area].markers)
        ),
        tuple(Unit(u.power, u.kind, u.strength) for u in war.surrendered if u.power in powers),
    )


def _of(powers: tuple[str, ...], *groups: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The Units of some Powers: Armies before fleets, heavy ones first."""
    units = [u for group in groups for u in group if u.power in powers]
    return tuple(sorted(units, key=lambda u: (u.kind != ARMY, -u.strength, powers.index(u.power))))


def strength(units: tuple[Unit, ...], kind: str) -> int:
    """Strength points of the Units of a kind."""
    return sum(u.strength for u in units if u.kind == kind)


def track(war: War) -> tuple[Moment, ...]:
    """The Phases of the cycle in their order: Initiative, three for each Alliance, the end; none before the War is
    fought.

    Rules: WAR-026, WAR-055
    """
    if war.stage == ALLIANCES:
        return ()
    rounds = [(stage, number) for number in war.order for stage in (MANEUVER, ATTACK, SUPPLY)]
    last = RESOLUTION if war.stage == RESOLUTION else END
    phases = [(INITIATIVE, 0), *rounds, (last, 0)]
    whose = war.turn_of if war.stage in STEPS else 0
    now = phases.index((war.stage, whose))
    return tuple(Moment(stage, side, n == now, n < now) for n, (stage, side) in enumerate(phases))


def title(tables: Tables, war: War) -> str:
    """A War by its sides, as it goes on in a sentence: "Japan and Great Britain against the Ottoman Empire"."""
    named = [the_powers(tables, powers) for powers in war.alliances if powers]
    if war.kind == REBELLION and len(named) < 2:
        return KINDS[REBELLION]
    against = " against ".join(named)
    return f"{KINDS[war.kind]}: {against}" if war.kind in KINDS else against


def moment(tables: Tables, war: War) -> str:
    """Where a War is: "cycle 2, Attack Phase of Japan and Great Britain"."""
    if war.stage == ALLIANCES and war.turn_of:
        against = war.alliance(1) if war.turn_of == 2 else war.alliance(2)
        return f"Alliance Determination: who joins the War against {the_powers(tables, against)}"
    if war.stage == ALLIANCES:
        return MOMENTS[ALLIANCES]
    whose = f" of {the_powers(tables, war.alliance(war.turn_of))}" if war.stage in STEPS else ""
    return f"cycle {war.cycle}, {MOMENTS[war.stage]}{whose}"


def wars_of(state: State, powers: tuple[str, ...]) -> tuple[War, ...]:
    """The Wars of a position: those of some Powers first, of each kind the one played now first."""
    now = cycle.current(state)
    return tuple(sorted(state.wars, key=lambda war: (not set(powers) & set(war.powers), war is not now and war != now)))
