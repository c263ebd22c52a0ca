"""Rule 6: where the Indian Army stands.

Rules: ORD-018 (R-ORD-08, R-ORD-23)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.caretaker.superiority import superior
from paxtui.pax.board.neighbours import area_type, board
from paxtui.pax.board.status import at, controls, established
from paxtui.pax.expansion.special_garrisons import HEAVY, INDIAN, KEPT, india_zone, is_heavy
from paxtui.pax.orders import actions as ac
from paxtui.pax.state.pieces import ARMY, INFLUENCE, PROTECTORATE
from paxtui.pax.words.spoken import place_name

CHINA = "chinese_empire"


class Post(NamedTuple):
    """Where a Unit of the Indian Army is wanted: `rank` 0 for a garrison, 1 for Unrest, 2 beside a dispute, 3 beside
    China.
    """

    rank: int
    value: int
    area: str

    def why(self, name: str) -> str:
        """The order in a few words. Args: the name of the Area."""
        what = ("garrisons", "puts down the Unrest in", "stands beside a dispute in", "stands beside China in")
        return f"Rule 6: the Indian Army {what[self.rank]} {name}"


def place(desk: Desk) -> None:
    """Move what the Indian Army can spare to where it is wanted most, within its limits.

    Rules: ORD-018
    """
    if desk.power != INDIAN:
        return
    for start, rank in spare(desk):
        for post in sorted(posts(desk), key=lambda p: (p.rank, -p.value, p.area)):
            if post.rank >= rank:
                break
            if post.area != start and desk.all_or_none(partial(_go, desk, start, post)):
                break


def spare(desk: Desk) -> list[tuple[str, int]]:
    """Army (10) Units that may move, with the rank of the post they hold: those that must come out from home first."""
    state, zone = desk.state, india_zone(desk.tables, desk.state)
    inside = sum(is_heavy(u, INDIAN) for area in zone for u in at(state, area).units)
    away = KEPT - inside
    found = [(desk.home, len(POSTS)) for s in desk.armies_at_home() if s == HEAVY][: max(0, away)]
    for area in sorted(zone):
        armies = [u for u in at(state, area).units if u.power == INDIAN and u.kind == ARMY]
        heavy = sum(is_heavy(u, INDIAN) and not u.halted for u in armies)
        held = min((p.rank for p in posts(desk, occupied=True) if p.area == area), default=len(POSTS))
        loose = heavy if len(armies) > heavy or not controls(state, area, INDIAN) else heavy - 1
        found += [(area, held)] * loose
    return found


POSTS = ("garrison", "unrest", "dispute", "china")
"""What the Indian Army is for, the most urgent first."""


def posts(desk: Desk, occupied: bool = False) -> Iterator[Post]:
    """Where the Indian Army is wanted within its limits; `occupied`: also where one of it stands already."""
    tables, state = desk.tables, desk.state
    routes = board(tables, state).routes
    disputed = {c.area for c in state.casus_belli if c.holder == INDIAN and c.area}
    for area in india_zone(tables, state):
        here, value = at(state, area), tables.areas[area].value
        held = controls(state, area, INDIAN)
        armies = [u for u in here.units if u.power == INDIAN and u.kind == ARMY]
        own = established(state, area, INDIAN)
        if here.unrest:
            enough = superior(_force(desk, area), _of(desk, area))
            if own and (held or own.marker == INFLUENCE) and (occupied or not enough):
                yield Post(1, value, area)
            continue
        if not held:
            continue
        if not armies:
            yield Post(0, value, area)
        if occupied or not any(u.strength == HEAVY for u in armies):
            beside = routes.get(area, ())
            if disputed & set(beside):
                yield Post(2, value, area)
            elif any(area_type(tables, state, b) == CHINA for b in beside if b in tables.areas):
                yield Post(3, value, area)


def _go(desk: Desk, start: str, post: Post) -> bool:
    """Send an Army (10) to a post; to Unrest only where it makes 3 to 2, with a Protectorate where it needs one."""
    why = post.why(place_name(desk.tables, post.area))
    if post.rank == 1:
        if not superior(_force(desk, post.area) + HEAVY, _of(desk, post.area)):
            return False
        if not controls(desk.state, post.area, INDIAN) and not desk.do(ac.Upgrade(PROTECTORATE, post.area), why):
            return False
    return desk.move([HEAVY], start, post.area, why)


def _force(desk: Desk, area: str) -> int:
    return sum(u.strength for u in at(desk.state, area).units if u.power == INDIAN and u.kind == ARMY)


def _of(desk: Desk, area: str) -> int:
    return desk.tables.areas[area].strength
