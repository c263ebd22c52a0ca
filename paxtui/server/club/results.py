"""Read the result of a finished game, and the conduct of its players, from its log."""

from __future__ import annotations

import re

import msgspec

from paxtui.archive.log_facts import NotALog, facts_of
from paxtui.engine.clock import TimeOut
from paxtui.engine.log import FIRST_RULEBOOK, BrokenLog, decode_line
from paxtui.engine.seating import SEATING_NOTE, seat_occupants
from paxtui.engine.seats import ARBITER

_ENDED = b'"type":"game_ended"'
_SEAT = re.compile(rb'"seat":"([a-z_]+)"')


class SeatResult(msgspec.Struct, frozen=True):
    """A seat of a finished game.

    Attributes:
        seat: the seat. rank, total: its result.
        bot: the bot that sat there at the end, such as `statesman:hard`; "" for a person.
        person: name of the person that the bot replaces, "" if unknown.
        phases: number of Phases in which the seat acted or was late. late: those in which its time ran out.
        is_abandoned: whether a person played and left the seat to a bot or to nobody.
    """

    seat: str
    rank: int
    total: int
    bot: str = ""
    person: str = ""
    phases: int = 0
    late: int = 0
    is_abandoned: bool = False


class GameResult(msgspec.Struct, frozen=True):
    """A finished game: its name on the server, when it ended (ISO 8601, "" if unknown), and its seats."""

    name: str
    ended: str
    scenario: str
    reason: str
    year: int
    seats: tuple[SeatResult, ...]


def read_result(name: str, data: bytes) -> GameResult | None:
    """Return the result of a game; None if it runs, is damaged, or is by other rules.

    Args:
        name: its name on the server.
        data: its log.
    """
    if _ENDED not in data:
        return None
    try:
        facts = facts_of(data)
        if facts.rulebook != FIRST_RULEBOOK or not facts.is_finished:
            return None
        conduct = _Conduct(data)
    except (NotALog, BrokenLog):
        return None
    seats = []
    for one in facts.seats:
        occupant = conduct.occupants.get(one.seat)
        is_bot, person = one.is_bot, occupant.name if occupant else ""
        seats.append(
            SeatResult(
                seat=one.seat,
                rank=one.rank,
                total=one.total,
                bot=(one.player if one.player != person else occupant.level if occupant else "") if is_bot else "",
                person=person,
                phases=len(conduct.acted.get(one.seat, set()) | conduct.late.get(one.seat, set())),
                late=len(conduct.late.get(one.seat, ())),
                is_abandoned=is_bot and one.seat in conduct.left,
            )
        )
    return GameResult(name, facts.played, facts.scenario, facts.reason, facts.year, tuple(seats))


class _Conduct:
    """Who acted in which Phase, whose time ran out, and who left.

    Args: the log.
    Raises: BrokenLog.
    Attributes: numbers of Phases by seat; seats of persons who acted and were replaced later; the last occupants.
    """

    def __init__(self, data: bytes) -> None:
        self.acted: dict[str, set[int]] = {}
        self.late: dict[str, set[int]] = {}
        self.left: set[str] = set()
        seatings = []
        phase = 0
        for n, line in enumerate(data.split(b"\n")[1:], start=2):
            if b'"kind":"note"' in line:
                if SEATING_NOTE.encode() in line:
                    seating = decode_line(line, n)
                    seatings.append(seating)
                    automatic = (s for s, who in seat_occupants([seating]).items() if who.is_automatic)
                    self.left |= self.acted.keys() & set(automatic)
                elif b'"time_out"' in line:
                    for seat in _late_seats(line, n):
                        self.late.setdefault(seat, set()).add(phase)
            elif b'"events":' in line:
                author = _SEAT.search(line)
                if author and author[1] != ARBITER.encode():
                    self.acted.setdefault(author[1].decode(), set()).add(phase)
                phase += line.count(b'"type":"phase_began"')
        self.occupants = seat_occupants(seatings)


def _late_seats(line: bytes, number: int) -> tuple[str, ...]:
    """Return the seats whose time ran out by a note; none if it is another note."""
    note = decode_line(line, number)
    try:
        return msgspec.convert(note.action, TimeOut).seats if note.seat == ARBITER else ()
    except msgspec.ValidationError:
        return ()
