"""Read what the archive stores about a game from the events of its log, without replaying it by the rules.

Only events that all seats see are used, so the facts of a game that still runs hold no secrets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from paxtui.bots.pax.registry import bot_name
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog, Header, decode_header, decode_line, digest, parse
from paxtui.engine.positions import Positions
from paxtui.engine.seating import SEATING_NOTE, SeatOccupant, seat_occupants
from paxtui.engine.upcast import Raw
from paxtui.games.pax.state.pieces import CONTROL
from paxtui.session.storage.files import read_regular
from paxtui.session.storage.saved_games import FIRST_YEAR, year_of

OPENING_TURNS = 2
"""Number of Game Turns whose placements are the opening."""

WAR, REBELLION, OTTOMAN_WAR, GREAT_WAR, CONGRESS = "war", "rebellion", "ottoman_war", "great_war", "congress"
"""Kinds of `Happening`."""

_WAR_KINDS = {"war": WAR, "rebellion": REBELLION, "ottoman": OTTOMAN_WAR, "great": GREAT_WAR}


class SeatFacts(msgspec.Struct, frozen=True, array_like=True):
    """A seat at the end of the log: the Powers, the player's name or bot, the result (0 without one)."""

    seat: str
    powers: tuple[str, ...]
    player: str
    is_bot: bool
    rank: int = 0
    total: int = 0


class ControlSpan(msgspec.Struct, frozen=True, array_like=True):
    """Established Control of an Area, from one Game Turn to another.

    Attributes:
        area, power: who holds what.
        first: the turn in which it began, 0 for the start of the game.
        last: the turn in which it was lost, 0 if it lasts.
    """

    area: str
    power: str
    first: int
    last: int = 0


class Placement(msgspec.Struct, frozen=True, array_like=True):
    """The last marker that a Power placed in an Area in one of the first turns, which are numbered from 1."""

    power: str
    turn: int
    area: str
    marker: str


class Happening(msgspec.Struct, frozen=True, array_like=True):
    """A War or a Congress: its kind, its first turn, and its sides (a Congress has one)."""

    kind: str
    turn: int
    sides: tuple[tuple[str, ...], ...]


class GameFacts(msgspec.Struct, frozen=True, array_like=True, kw_only=True):
    """The facts of one log.

    Attributes:
        digest: of the file's bytes.
        game, program, rulebook, created: from the header. scenario: its id, "" for none. options: as texts.
        played: time of the last line, "" if unknown.
        seats: in the order of the header.
        first_turn, turn: the first and the last Game Turn so far. year: of the last one.
        lines: count, the header included.
        reason: how the game ended (`last_turn`, `great_war`), "" while it runs.
        control: who held which Area, and when. placements: the opening. happenings: Wars and Congresses.
        positions: the turn and the hash of the map (`hash_of_markers`) at the start of each turn and at the end (turn
            0 for the end).
        notice: a warning, such as an incomplete last line; "" for none.
    """

    digest: str
    game: str
    program: str
    rulebook: str
    created: str
    scenario: str
    options: dict[str, str]
    played: str
    seats: tuple[SeatFacts, ...]
    first_turn: int
    turn: int
    year: int
    lines: int
    reason: str = ""
    control: tuple[ControlSpan, ...] = ()
    placements: tuple[Placement, ...] = ()
    happenings: tuple[Happening, ...] = ()
    positions: tuple[tuple[int, int], ...] = ()
    notice: str = ""

    @property
    def is_finished(self) -> bool:
        """Whether the game has a result."""
        return bool(self.reason)


class NotALog(Exception):
    """A file of JSON lines that is no log of a game, such as the results of a simulation."""


class _Event(msgspec.Struct):
    """The fields that are read. Fields of other events with the same name may have any type."""

    type: str
    turn: Any = 0
    year: Any = 0
    area: Any = ""
    power: Any = ""
    marker: Any = ""
    to: Any = ""
    established: bool = True
    replaces: str = ""
    state: Any = None
    result: Any = None
    war: Any = None
    congress: Any = None
    only: Any = ()
    others: Any = None


class _ActLine(msgspec.Struct):
    n: int
    kind: str = "act"
    events: list[_Event] = []


class _Time(msgspec.Struct):
    time: str = ""


class _End(msgspec.Struct):
    type: str
    winners: tuple[str, ...] = ()
    reason: str = ""


class _EndLine(msgspec.Struct):
    events: list[_End] = []


_ENDED = b'"type":"ended"'
_decode_end = msgspec.json.Decoder(_EndLine).decode
_decode_act = msgspec.json.Decoder(_ActLine).decode
_decode_time = msgspec.json.Decoder(_Time).decode

_USED = re.compile(
    rb'"type":"(?:marker_(?:placed|established|lowered|transferred)|turn_began|position_set|game_ended|war_declared'
    rb'|war_arose|wars_merged|great_war_began|congress_changed)"'
)
_UNREADABLE = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError, TypeError, KeyError, AttributeError)
_FALSE_START = (b'"format":', b'"seats":')
"""Names that the header of each log contains."""

MONTHS = 12
"""Turns of Empires in Arms in a year."""


@cache
def _marker_hash(area: str, power: str, marker: str, established: bool) -> int:
    text = f"{area} {power} {marker} {int(established)}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1  # SQLite's integers are signed


def hash_of_markers(markers: Iterable[tuple[str, str, str, bool]]) -> int:
    """Return the hash of a map: the exclusive or of the hashes of its Status markers.

    Args:
        markers: Area, Power, kind and whether established, of each marker, in any order.
    """
    found = 0
    for marker in markers:
        found ^= _marker_hash(*marker)
    return found


def read_facts(path: Path) -> GameFacts:
    """Read the facts of a log.

    Raises:
        OSError: the file cannot be read.
        NotALog: it is no log.
        BrokenLog: it is damaged.
    """
    return facts_of(read_regular(path))


def facts_of(data: bytes) -> GameFacts:
    """Read the facts of a log from its bytes.

    Raises:
        NotALog, BrokenLog: as in `read_facts`.
    """
    try:
        return _facts_of(data)
    except _UNREADABLE as error:  # the chain of a log proves nothing about its contents
        raise BrokenLog(1, f"it cannot be read ({error})") from error


def _facts_of(data: bytes) -> GameFacts:
    lines = data.split(b"\n")
    if not all(name in lines[0] for name in _FALSE_START):
        raise NotALog
    torn = lines.pop()
    if not lines:
        raise BrokenLog(1, "the header was not written to its end")
    header = decode_header(lines[0])
    notice = ""
    if torn or not _is_chain(lines):
        parsed = parse(data)  # finds the place of the damage
        notice, lines = parsed.notice, data[: parsed.sound].split(b"\n")[:-1]
    seatings = [
        decode_line(line, n)
        for n, line in enumerate(lines[1:], start=2)
        if b'"kind":"note"' in line and SEATING_NOTE.encode() in line
    ]
    replay = _Replay(header)
    if header.rulebook == FIRST_RULEBOOK:
        for line in _acts_in_force(data, lines):
            if _USED.search(line):
                try:
                    replay.apply(_decode_act(line).events)
                except _UNREADABLE as error:
                    raise BrokenLog(lines.index(line) + 1, f"it cannot be read ({error})") from error
    else:
        replay.result = _result_of_exercise(_acts_in_force(data, lines), tuple(header.seats))
        replay.year = replay.turn // MONTHS
    result, occupants = replay.result, seat_occupants(seatings)
    ranks, totals = result.get("ranks", {}), result.get("totals", {})
    return GameFacts(
        digest=blake2b(data, digest_size=16).hexdigest(),
        game=header.game,
        program=header.program,
        rulebook=header.rulebook,
        created=header.created,
        scenario=replay.scenario,
        options={name: str(value) for name, value in header.options.items()},
        played=_decode_time(lines[-1]).time or header.created,
        seats=tuple(
            _seat_facts(seat, powers, occupants.get(seat), int(ranks.get(seat, 0)), int(totals.get(seat, 0)))
            for seat, powers in header.seats.items()
        ),
        first_turn=replay.first_turn,
        turn=replay.turn,
        year=replay.year,
        lines=len(lines),
        reason=str(result.get("reason", "")),
        control=tuple(replay.spans()),
        placements=tuple(Placement(*where, marker) for where, marker in replay.placements.items()),
        happenings=tuple(replay.happenings()),
        positions=tuple(replay.positions),
        notice=notice,
    )


def _seat_facts(seat: str, powers: list[str], occupant: SeatOccupant | None, rank: int, total: int) -> SeatFacts:
    if occupant is None:
        return SeatFacts(seat, tuple(powers), "", False, rank, total)
    if occupant.hidden and not rank:
        occupant = msgspec.structs.replace(occupant, temper="")
    return SeatFacts(seat, tuple(powers), occupant.name or bot_name(occupant), occupant.is_automatic, rank, total)


def _is_chain(lines: list[bytes]) -> bool:
    """Return whether each line ends with the hash of the line before it."""
    tip = digest(lines[0])
    for line in lines[1:]:
        if not line.endswith(b'"prev":"%b"}' % tip.encode()):
            return False
        tip = digest(line)
    return True


def _acts_in_force(data: bytes, lines: list[bytes]) -> Iterator[bytes]:
    """Yield the lines of the acts that no undo has taken back."""
    if b'"kind":"undo"' not in data:
        yield from lines[1:]
        return
    positions = Positions(checks=False)
    for n, line in enumerate(lines[1:], start=2):
        positions.follow(decode_line(line, n))
    for n in positions.in_force(positions.now):
        yield lines[n - 1]


def _result_of_exercise(acts: Iterable[bytes], seats: Sequence[str]) -> Raw:
    """Return the result of a game of Empires in Arms: reason and ranks, empty while it runs."""
    last = next((line for line in reversed([*acts]) if _ENDED in line), None)
    if last is None:
        return {}
    ended = next((event for event in _decode_end(last).events if event.type == "ended"), _End("ended"))
    losers = len(ended.winners) + 1
    return {"reason": ended.reason, "ranks": {seat: 1 if seat in ended.winners else losers for seat in seats}}


class _Replay:
    """The Status markers and the indexes of a game, event by event.

    Args: the header of its log.
    """

    def __init__(self, header: Header) -> None:
        self.result: Raw = {}
        self._begin(header.start if isinstance(header.start, dict) else {})

    def _begin(self, state: Raw) -> None:
        """Begin with a raw position: that of the header, or one that was set by hand, as at the start of a scenario."""
        self.scenario = str(state.get("scenario", ""))
        self.first_turn = self.turn = _count(state.get("turn"), 1)
        self.year = year_of(self.turn)
        self.placements: dict[tuple[str, int, str], str] = {}
        self._hash = 0
        self._markers: dict[str, list[tuple[str, str, bool]]] = {}
        self._held: dict[tuple[str, str], int] = {}
        self._spans: list[ControlSpan] = []
        self._wars: dict[str, Happening] = {}
        self._others: list[Happening] = []
        areas = state.get("areas")
        for area, contents in (areas if isinstance(areas, dict) else {}).items():
            found = contents.get("markers", ())
            self._change(area, [(m["power"], m["marker"], m.get("established", True)) for m in found], 0)
        self.positions = [(self.turn, self._hash)]

    def apply(self, events: list[_Event]) -> None:
        for event in events:
            if event.only and event.others is None:
                continue
            apply = getattr(self, f"_{event.type}", None)
            if apply is not None:
                apply(event)

    def spans(self) -> Iterator[ControlSpan]:
        """Yield who held which Area, and when."""
        yield from self._spans
        for (area, power), first in self._held.items():
            yield ControlSpan(area, power, first)

    def happenings(self) -> Iterator[Happening]:
        """Yield Wars and Congresses."""
        yield from self._wars.values()
        yield from self._others

    # --- the map ----------------------------------------------------------------------------------------------------

    def _change(self, area: str, markers: list[tuple[str, str, bool]], turn: int | None = None) -> None:
        """Replace the markers of an Area. Args: Control that is new began in this turn, by default the present one."""
        old = self._markers.get(area, [])
        for power, marker, established in (*old, *markers):
            self._hash ^= _marker_hash(area, power, marker, established)
        self._markers[area] = markers
        before = {power for power, marker, established in old if established and marker in CONTROL}
        after = {power for power, marker, established in markers if established and marker in CONTROL}
        if before == after:
            return
        for power in after - before:
            self._held[area, power] = self.turn if turn is None else turn
        for power in before - after:
            self._spans.append(ControlSpan(area, power, self._held.pop((area, power)), self.turn))

    def _marker_placed(self, event: _Event) -> None:
        here = self._markers.get(event.area, [])
        kept = [
            m for m in here if not (m[0] == event.power and m[2] == event.established and event.replaces in ("", m[1]))
        ]
        self._change(event.area, [*kept, (event.power, event.marker, event.established)])
        since = self.turn - self.first_turn + 1
        if not event.established and since <= OPENING_TURNS:
            self.placements[event.power, since, event.area] = event.marker

    def _marker_established(self, event: _Event) -> None:
        kept = []
        for power, marker, established in self._markers.get(event.area, []):
            if power != event.power:
                kept.append((power, marker, established))
            elif not established and marker == event.marker:
                kept.append((power, marker, True))
        self._change(event.area, kept)

    def _marker_lowered(self, event: _Event) -> None:
        lowered = (event.power, event.marker, event.established)
        new = []
        for marker in self._markers.get(event.area, []):
            if marker != lowered:
                new.append(marker)
            elif event.to:
                new.append((event.power, event.to, event.established))
        self._change(event.area, new)

    def _marker_transferred(self, event: _Event) -> None:
        here = self._markers.get(event.area, [])
        given = (event.power, event.marker, True)
        kept = [m for m in here if m[0] != event.to and m != given]
        self._change(event.area, [*kept, (event.to, event.marker, True)])

    # --- the sequence of play ---------------------------------------------------------------------------------------

    def _turn_began(self, event: _Event) -> None:
        self.turn, self.year = _count(event.turn, 1), _count(event.year, FIRST_YEAR)
        self.positions.append((self.turn, self._hash))

    def _position_set(self, event: _Event) -> None:
        self._begin(event.state if isinstance(event.state, dict) else {})

    def _game_ended(self, event: _Event) -> None:
        self.result = event.result if isinstance(event.result, dict) else {}
        self.positions.append((0, self._hash))

    def _war_declared(self, event: _Event) -> None:
        war = event.war if isinstance(event.war, dict) else {}
        id_, sides = str(war.get("id")), tuple(tuple(side) for side in war.get("alliances", ()))
        known = self._wars.get(id_)
        kind = _WAR_KINDS.get(war.get("kind", WAR), WAR)
        if known is not None and known.kind == kind:
            self._wars[id_] = Happening(kind, known.turn, _join_sides(known.sides, sides))
        elif known is not None:  # a War that became the Great War
            self._others.append(Happening(kind, self.turn, sides))
        else:
            self._wars[id_] = Happening(kind, self.turn, sides)

    _war_arose = _wars_merged = _great_war_began = _war_declared

    def _congress_changed(self, event: _Event) -> None:
        members = event.congress.get("members", ()) if isinstance(event.congress, dict) else ()
        known = [h for h in self._others if h.kind == CONGRESS and h.turn == self.turn]
        for congress in known:
            self._others.remove(congress)
        self._others.append(Happening(CONGRESS, self.turn, (tuple(members),)))


def _join_sides(sides: tuple[tuple[str, ...], ...], now: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Merge two lists of sides: each side keeps the Powers that have left and gains those that have joined."""
    pairs = zip_longest(sides, now, fillvalue=())
    return tuple(tuple(dict.fromkeys((*one, *other))) for one, other in pairs)


def _count(value: object, default: int) -> int:
    return value if isinstance(value, int) else default
