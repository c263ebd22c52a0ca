"""Short logs of finished games, for tests of the club."""

from __future__ import annotations

from paxtui.engine.log import Header, Line, digest, encode_header, encode_line
from paxtui.engine.seats import ARBITER

SEATS = ("britain", "france", "germany", "united_states")


def make_log(ranks: dict[str, int], notes: tuple[object, ...] = (), time: str = "2026-01-01T10:00:00Z") -> bytes:
    """Make a short log with a result. Each seat acts in two Phases; the notes of the arbiter are between them."""
    header = Header(program="test", game="g", edition="consolidated", seats={seat: [seat] for seat in ranks}, start={})
    data = encode_header(header)
    lines: list[dict[str, object]] = [{"seat": seat, "action": {"type": "ready"}, "events": ()} for seat in ranks]
    lines = [{**one, "events": ({"type": "seat_ready", "seat": one["seat"]},)} for one in lines]
    began = {"seat": ARBITER, "action": {"type": "advance"}, "events": ({"type": "phase_began", "phase": "war"},)}
    result = {"reason": "last_turn", "turn": 10, "ranks": ranks, "totals": {s: 100 - r for s, r in ranks.items()}}
    ended = {"seat": ARBITER, "action": {"type": "advance"}, "events": ({"type": "game_ended", "result": result},)}
    noted = [{"seat": ARBITER, "kind": "note", "action": note} for note in notes]
    for one in (*lines, began, *noted, *lines, ended):
        n, last = data.count(b"\n") + 1, data.split(b"\n")[-2]
        data += encode_line(Line(n=n, time=time, prev=digest(last), **one))  # type: ignore[arg-type]
    return data
