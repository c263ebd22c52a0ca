"""Positions of the land phase on the map of the Danube exercise, with only the pieces a test names."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from paxtui.games.empires.pieces import Corps, Depot, Factors, Fleet, Garrison, Leader
from paxtui.games.empires.state import Account
from paxtui.games.empires.tables import Area, Border, Tables
from paxtui.session.tables.exercises import load_exercise
from tests.empires.scripted_game import ScriptedGame, start_game

DANUBE = load_exercise("danube-1805")
CAMPAIGN = load_exercise("ulm-1805")
ULM = replace(
    CAMPAIGN,
    exercise=replace(
        CAMPAIGN.exercise, phases=("land",), corps=(), garrisons=(), depots=(), leaders=(), reinforcements=()
    ),
)
"""The map and the rules of the campaign of 1805 without pieces."""
SEPTEMBER, DECEMBER = 21668, 21671


Piece = Corps | Garrison | Depot | Leader | Fleet
"""What stands on the map."""


def corps(name: str, power: str, where: str, infantry: int = 5, **changes: Any) -> Corps:
    """A corps with room for twenty of each kind."""
    factors = changes.pop("factors", Factors(infantry=infantry))
    most = changes.pop("most", Factors(infantry=20, militia=20, cavalry=20, guard=20, artillery=20))
    return Corps(id=name, power=power, where=where, factors=factors, most=most, **changes)


def guard(where: str, power: str, infantry: int = 2, of_depot: bool = False, militia: int = 0) -> Garrison:
    """A garrison."""
    return Garrison(where=where, power=power, of_depot=of_depot, factors=Factors(infantry=infantry, militia=militia))


def depot(where: str, power: str, **changes: Any) -> Depot:
    """A depot that stood before this month."""
    return Depot(where=where, power=power, **changes)


def leader(name: str, power: str, where: str, **changes: Any) -> Leader:
    """A leader."""
    return Leader(id=name, power=power, where=where, **changes)


def tables(*phases: str, **changes: Any) -> Tables:
    """The exercise's tables with an empty map."""
    exercise = replace(
        DANUBE.exercise,
        phases=phases or ("land",),
        corps=(),
        garrisons=(),
        depots=(),
        leaders=(),
        reinforcements=(),
    )
    return replace(DANUBE, exercise=replace(exercise, **changes))


def field(*pieces: Piece, at: str = "", on: Tables | None = None, **changes: Any) -> ScriptedGame:
    """A position with some pieces, at the first step of France, or at one that is named."""
    money = changes.pop("money", 20)
    accounts = {power: Account(money=money) for power in (on or DANUBE).exercise.powers}
    relations = changes.pop("relations", ())
    game = start_game(
        on or tables(),
        *relations,
        corps={one.id: one for one in pieces if isinstance(one, Corps)},
        garrisons=tuple(one for one in pieces if isinstance(one, Garrison)),
        depots=tuple(one for one in pieces if isinstance(one, Depot)),
        leaders={one.id: one for one in pieces if isinstance(one, Leader)},
        fleets={one.id: one for one in pieces if isinstance(one, Fleet)},
        **{"accounts": accounts, "turn": SEPTEMBER, **changes},
    )
    if at:
        game.until(at)
    return game


def at_movement(*pieces: Piece, **changes: Any) -> ScriptedGame:
    """A position in France's movement step."""
    return field(*pieces, at="movement", **changes)


def besiege(game: ScriptedGame, area: str, by: str = "austria") -> ScriptedGame:
    """The game with a siege of the city of an Area."""
    game.state = replace(game.state, campaign=replace(game.state.campaign, sieges={area: by}))
    return game


def power_at(game: ScriptedGame, power: str, step: str) -> ScriptedGame:
    """The game when a Power's step comes; everybody is done until then."""
    for _ in range(30):
        cursor = game.state.cursor
        if cursor.step == step and power in cursor.powers:
            return game
        game.act(cursor.powers[0], "done")
    raise AssertionError(f"{power} has no {step}")


def met(*pieces: Piece, where: str = "black_forest") -> ScriptedGame:
    """French corps beside Austrian ones where no city is, when chits are picked."""
    game = field(*pieces, depot("alsace", "france"), at="movement")
    game.act(
        "france", "done", *(1 for one in pieces if isinstance(one, Corps) and one.power == "france" and not near(one))
    )
    assert game.state.campaign.battle is not None
    return game


def near(one: Corps) -> bool:
    """Whether a corps lives on the depot in Alsace."""
    return one.where in ("alsace", "baden", "black_forest", "swabia", "wurttemberg")


def picked(game: ScriptedGame, attacker: str, defender: str, *dice: int) -> ScriptedGame:
    """The same after both chits are picked; the dice that fall then."""
    game.act("france", f"chit {attacker}")
    game.act("austria", f"chit {defender}", *dice)
    return game


PORTS = (
    Area(id="brest", name="Brest", owner="france", city="Brest", supply=3, forage=3, port=True, coast="biscay"),
    Area(id="inland", name="Inland", owner="france", forage=3),
    Area(
        id="trieste", name="Trieste", owner="austria", city="Trieste", supply=2, forage=3, port=True, coast="adriatic"
    ),
    Area(id="ancona", name="Ancona", owner="baden", city="Ancona", supply=2, forage=3, port=True, coast="adriatic"),
    Area(id="hills", name="Hills", owner="baden", forage=2, terrain="mountain"),
    Area(id="island", name="Island", owner="austria", forage=2),
    Area(id="biscay", name="Bay of Biscay", sea=True),
    Area(id="straits", name="Straits", sea=True, gate="trieste"),
    Area(id="adriatic", name="Adriatic", sea=True),
)
"""A coast: Brest with its hinterland in the west, three shores in the east, straits between them that Trieste keeps."""

WAYS = (
    Border(a="brest", b="inland"),
    Border(a="ancona", b="hills", kind="river"),
    Border(a="hills", b="trieste"),
    Border(a="ancona", b="island", kind="crossing", sea="adriatic"),
    Border(a="brest", b="biscay"),
    Border(a="biscay", b="adriatic"),
    Border(a="adriatic", b="trieste"),
    Border(a="adriatic", b="ancona"),
    Border(a="adriatic", b="island"),
)


def coast(*pieces: Piece, **changes: Any) -> ScriptedGame:
    """A position on the coast."""
    areas = changes.pop("areas", PORTS)
    ways = changes.pop("ways", WAYS)
    return field(*pieces, on=tables(areas=areas, borders=ways, prizes={}), **changes)


def fleet(name: str, power: str, where: str, box: str = "", **changes: Any) -> Fleet:
    """A fleet of ten ships."""
    return Fleet(id=name, power=power, where=where, box=box, ships=10, **changes)
