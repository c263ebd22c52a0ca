"""Setting up the game of 1880: seats, Minor Powers, deployments.

Rules: SET-001, SET-002, SET-054 to SET-067, BEL-001, MIN-001
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paxtui.pax.board.tables import Tables
from paxtui.pax.play.play import refuse
from paxtui.pax.state.model import PowerState, State
from paxtui.pax.state.options import Options, of_texts
from paxtui.pax.state.pieces import ARMY, NAVAL, AreaState, Marker, Unit
from paxtui.pax.state.progress import InProgress

BY_PLAYERS = ("britain", "france", "germany", "united_states", "japan", "russia", "italy", "belgium")
"""The Powers with a player: the first four always, then one more for each further player (SET-055)."""


def seats_for(players: int) -> tuple[str, ...]:
    """The seats of a game of 4 to 8 players.

    Rules: SET-055, BEL-001
    """
    return BY_PLAYERS[:players]


def check_powers(powers: Sequence[str], options: Options) -> tuple[str, ...]:
    """The seats in the order of the table.

    Raises: Refusal when the Powers do not make a game.
    Rules: SET-001, SET-055, SET-056, SET-057, BEL-001
    """
    unknown = [p for p in powers if p not in BY_PLAYERS]
    if unknown:
        refuse(
            "unknown_power",
            ("SET-001", "SET-057"),
            f"{', '.join(map(str, unknown))}: not a Power with a player; these are {', '.join(BY_PLAYERS)}.",
        )
    if len(set(powers)) != len(powers):
        refuse("twice", ("SET-001",), "A Power is named twice.")
    count = len(powers)
    if not 4 <= count <= 8:
        refuse("players", ("SET-001",), f"The game is for 4 to 8 players, not {count}.")
    if "belgium" in powers and (not options.belgium or count != 8):
        refuse(
            "belgium",
            ("BEL-001", "SET-001"),
            "Belgium has a player only as the eighth seat, with the option belgium = yes.",
        )
    wanted = seats_for(count)
    if set(powers) != set(wanted):
        refuse(
            "powers", ("SET-055",), f"With {count} players the Powers are {', '.join(wanted)}.", powers=list(wanted)
        )
    return tuple(p for p in BY_PLAYERS if p in powers)


def check_options(tables: Tables, options: Mapping[str, str]) -> Options:
    """All options of a new game: those named, and the defaults of the tables and of the edition for the others.

    Raises: Refusal naming the option, its values, and the nearest known name.
    """
    for name, value in options.items():
        known = tables.options.get(name)
        if known is None:
            refuse("unknown_option", (), f"There is no option {name!r}; there are {', '.join(sorted(tables.options))}.")
        if value not in known.values:
            refuse("bad_option", (), f"Option {name} takes {' or '.join(known.values)}, not {value!r}.")
    out = {name: option.default for name, option in tables.options.items()}
    out.update(options)
    for name, option in tables.options.items():
        if name not in options and out["edition"] in option.for_edition:
            out[name] = option.for_edition[out["edition"]]
    return of_texts(out)


def new_game(tables: Tables, powers: Sequence[str], options: Mapping[str, str]) -> State:
    """The 1880 start with the options named, and defaults for the others.

    Raises: Refusal when powers or options are not those of a game.
    """
    return start_of(tables, powers, check_options(tables, options))


def start_of(tables: Tables, powers: Sequence[str], options: Options) -> State:
    """The 1880 start: everything deployed, all tracks at zero, before the first Random Event.

    Raises: Refusal when these Powers do not make a game.
    Rules: SET-058 to SET-065, BEL-013
    """
    seats = check_powers(powers, options)
    minors = tuple(p for p in tables.minor_order if p not in seats)
    areas: dict[str, AreaState] = {}
    markers: dict[str, list[Marker]] = {a: [] for a in tables.areas}
    units: dict[str, list[Unit]] = {a: [] for a in tables.areas}
    shared: dict[str, list[str]] = {a: [] for a in tables.areas}
    homes: dict[str, list[Unit]] = {p: [] for p in tables.powers}
    zones: dict[str, list[str]] = {z: [] for z in tables.sea_zones}
    for row in tables.start_markers:
        markers[row.area].append(Marker(row.power, row.marker))
        if row.codominion:
            shared[row.area].append(row.power)
    for piece in tables.start_units:
        if piece.only_as_minor and piece.power not in minors:
            continue
        if piece.unit == "merchant_fleet":
            zones[piece.place].append(piece.power)
            continue
        kind = ARMY if piece.unit == ARMY else NAVAL
        unit = Unit(piece.power, kind, piece.strength, piece.coast)
        where = homes[piece.place[5:]] if piece.place.startswith("home:") else units[piece.place]
        where.extend([unit] * piece.count)
    for a in tables.areas:
        areas[a] = AreaState(tuple(markers[a]), tuple(units[a]), codominion=tuple(shared[a]))
    played = [p for p in tables.powers if p in seats or tables.powers[p].seat in seats]
    control = {m.power for m in tables.start_markers if m.marker not in ("interest", "influence")}
    first = tables.turns[0].merchant_fleets
    return State(
        turn=1,
        frames=(InProgress("random_events"),),
        areas=areas,
        homes={p: tuple(us) for p, us in homes.items()},
        sea_zones={z: tuple(ps) for z, ps in zones.items()},
        powers={p: PowerState(merchants_due=first.count(p), had_control=p in control) for p in played},
        players=seats,
        minors=minors,
        options=options,
    )
