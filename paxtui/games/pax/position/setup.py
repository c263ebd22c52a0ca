"""The 1880 start, positions set up from a patch, and the assignment of seats in mail games.

Links, effective values, record lines and pending choices are always computed.

Rules: SET-001, SET-002, SET-029, SET-039, SET-054 to SET-067, MOV-003, COD-001, BEL-001, MIN-001, PBM-003 (R-PBM-19)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from msgspec.structs import replace

from paxtui.engine.dice import Dice
from paxtui.engine.refusal import Refusal
from paxtui.games.pax import sequence
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.position.reader import PatchReader
from paxtui.games.pax.state.model import PowerState, State
from paxtui.games.pax.state.options import Options, options_from_texts
from paxtui.games.pax.state.phases import InProgress
from paxtui.games.pax.state.pieces import ARMY, CONTROL, NAVAL, POSSESSION, PROTECTORATE, AreaState, Marker, Unit
from paxtui.games.pax.transaction import Transaction, refuse

SEATS_BY_PLAYERS = ("britain", "france", "germany", "united_states", "japan", "russia", "italy", "belgium")
"""The Powers with a player: four always, then one more for each further player (SET-055)."""


def seats_for(players: int) -> tuple[str, ...]:
    """Return the seats of a game of 4 to 8 players. Rules: SET-055, BEL-001."""
    return SEATS_BY_PLAYERS[:players]


def check_powers(powers: Sequence[str], options: Options) -> tuple[str, ...]:
    """Return the seats in table order.

    Raises:
        Refusal: no game has these Powers.

    Rules: SET-001, SET-055, SET-056, SET-057, BEL-001
    """
    unknown = [p for p in powers if p not in SEATS_BY_PLAYERS]
    if unknown:
        refuse(
            "unknown_power",
            ("SET-001", "SET-057"),
            f"{', '.join(map(str, unknown))}: not a Power with a player; these are {', '.join(SEATS_BY_PLAYERS)}.",
        )
    if len(set(powers)) != len(powers):
        refuse("twice", ("SET-001",), "A Power is named twice.")
    count = len(powers)
    if options.powers == "any":
        if not 2 <= count <= 7 or "belgium" in powers:
            refuse("players", ("SET-001",), "With powers = any, two to seven Powers have players, without Belgium.")
        return tuple(p for p in SEATS_BY_PLAYERS if p in powers)
    if not 4 <= count <= 8:
        refuse("players", ("SET-001",), f"The game is for 4 to 8 players, not {count}.")
    if "belgium" in powers and (not options.belgium or count != 8):
        refuse(
            "belgium",
            ("BEL-001", "SET-001"),
            "Belgium can have a player only as the eighth seat, with the option belgium = yes.",
        )
    wanted = seats_for(count)
    if set(powers) != set(wanted):
        refuse("powers", ("SET-055",), f"With {count} players the Powers are {', '.join(wanted)}.", powers=list(wanted))
    return tuple(p for p in SEATS_BY_PLAYERS if p in powers)


def check_options(tables: Tables, options: Mapping[str, str]) -> Options:
    """Return all options of a new game: those named, and the defaults of tables and edition.

    Raises:
        Refusal: names the option, its values, and the nearest known name.
    """
    for name, value in options.items():
        known = tables.options.get(name)
        if known is None:
            names = ", ".join(sorted(tables.options))
            refuse("unknown_option", (), f"There is no option {name!r}. Known ones: {names}.")
        if value not in known.values:
            refuse("bad_option", (), f"Option {name} takes {' or '.join(known.values)}, not {value!r}.")
    out = {name: option.default for name, option in tables.options.items()}
    out.update(options)
    for name, option in tables.options.items():
        if name not in options and out["edition"] in option.for_edition:
            out[name] = option.for_edition[out["edition"]]
    return options_from_texts(out)


def new_game(tables: Tables, powers: Sequence[str], options: Mapping[str, str]) -> State:
    """Return the 1880 start with these options, and defaults for the others.

    Raises:
        Refusal: invalid Powers or options.
    """
    return start_position(tables, powers, check_options(tables, options))


def start_position(tables: Tables, powers: Sequence[str], options: Options) -> State:
    """Return the 1880 start: all pieces deployed, all tracks at zero, before the first Random Event.

    Raises:
        Refusal: no game has these Powers.

    Rules: SET-058 to SET-065, BEL-013
    """
    seats = check_powers(powers, options)
    # Powers that are never active come last: without a player they keep what they have
    minors = tuple(p for p in dict.fromkeys((*tables.minor_order, *tables.powers)) if p not in seats)
    minors = tuple(p for p in minors if tables.powers[p].seat not in seats)
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


def read_position(tables: Tables, players: tuple[str, ...], options: Options, patch: Any) -> State:
    """Return the 1880 start of this game with `patch` applied.

    Raises:
        Refusal: `impossible_position`, with all problems in `detail["problems"]`.
    """
    reader = PatchReader(tables, start_position(tables, players, options))
    state = reader.read(patch)
    if reader.problems:
        refuse(
            "impossible_position",
            tuple(reader.rules),
            "No game can have this position: " + "; ".join(reader.problems),
            problems=reader.problems,
        )
    control = {m.power for a in state.areas.values() for m in a.markers if m.established and m.marker in CONTROL}
    bought = {
        m.power
        for a in state.areas.values()
        for m in a.markers
        if m.marker in (PROTECTORATE, POSSESSION) and (not m.established or m.since == state.turn)
    }
    powers = {
        n: replace(p, had_control=p.had_control or n in control, bought_control=n in bought)
        for n, p in state.powers.items()
    }
    return replace(state, powers=powers)


def set_position(play: Transaction, patch: Any) -> None:
    """Arbiter: replace the position by the patched 1880 start. No dice are rolled and play does not advance."""
    state = read_position(play.tables, play.state.players, play.state.options, patch)
    play.emit(events.PositionSet(state=state))
    sequence.current_phase(play).begin(play)


def assign_seats(preferences: Mapping[str, Sequence[str]], seats: Sequence[str], dice: Dice) -> dict[str, str]:
    """Assign seats by preference: least sum of ranks, then least worst rank, then lot.

    Args:
        preferences: each player's Powers, the favourite first.
        seats: the seats of the game.
        dice: draws the lot.

    Raises:
        Refusal: `preferences`, if players and seats differ in number, or a list is incomplete.

    Rules: PBM-003 (R-PBM-19)
    """
    players, seats = sorted(preferences), sorted(seats)  # independent of the order of the lists
    if len(players) != len(seats):
        raise Refusal(
            "preferences",
            ("PBM-003",),
            f"The number of seats ({len(seats)}) and of preference lists ({len(players)}) must be equal.",
        )
    for player, wanted in preferences.items():
        if sorted(wanted) != seats:
            raise Refusal(
                "preferences", ("PBM-003",), f"The list of {player} must name each of these once: {', '.join(seats)}."
            )
    ranks = [[preferences[player].index(seat) for seat in seats] for player in players]
    best: tuple[int, int] | None = None
    found: list[tuple[int, ...]] = []
    for chosen in permutations(range(len(seats))):
        chosen_ranks = [ranks[player][seat] for player, seat in enumerate(chosen)]
        cost = sum(chosen_ranks), max(chosen_ranks)
        if best is None or cost < best:
            best, found = cost, [chosen]
        elif cost == best:
            found.append(chosen)
    lot = found[dice.draw(len(found))] if len(found) > 1 else found[0]
    return {player: seats[seat] for player, seat in zip(players, lot, strict=True)}
