"""Random players of Wars, who choose legal actions and prefer battles, the enemy's land, or peace."""

from __future__ import annotations

from collections import Counter, deque
from random import Random
from typing import NamedTuple

from paxtui.games.pax.actions import actions
from paxtui.games.pax.actions.notation import parse_order
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.status import controllers
from paxtui.games.pax.board.tables import HOME
from paxtui.games.pax.events import events
from paxtui.games.pax.menus.legal import legal_actions
from paxtui.games.pax.sequence import waiting_seats
from paxtui.games.pax.state.model import State, units_at
from paxtui.games.pax.state.war import RESOLUTION, War
from paxtui.games.pax.war.alliances import commanded_powers, current_war
from tests.pax.walk import T, Walk
from tools.random_wars.checks import misplaced_units, seats_with_leaks

COUNTED = (
    "three Alliances", "mergers", "BattleFought", "PowerLeftWar", "GreatWarBegan", "allied Ottoman", "alone Ottoman",
)  # fmt: skip
"""What is counted besides how the Wars end."""
MARTIAL = ("declare", "attack", "choose", "move", "pass", "join", "invite", "announce", "deny", "allow", "volunteer")
"""Verbs of who would fight."""
SHARP = ("declare", "attack", "choose")
"""What is done before anything else."""


class Temper(NamedTuple):
    """How likely a seat is to attack, to advance, to offer peace when its turn comes, and to sign one."""

    attacks: float
    advances: float
    offers: float
    signs: float


TEMPERS = (
    Temper(0.99, 0.97, 0.0, 0.1),
    Temper(0.95, 0.9, 0.004, 0.4),
    Temper(0.8, 0.8, 0.02, 0.8),
)
"""Bold, steady and weary of War."""


@cached(most=2, by=lambda: ((), ()))
def graph() -> dict[str, tuple[str, ...]]:
    """Every place with those one step away, by land or sea."""
    found: dict[str, set[str]] = {place: set(others) for place, others in T.routes.items()}

    def join(one: str, other: str) -> None:
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)

    for area in T.areas.values():
        for sea in area.sea_zones:
            join(area.id, sea)
    for home in T.homes.values():
        for sea in home.sea_zones:
            join(HOME + home.power, sea)
    for zone in T.sea_zones.values():
        for other in zone.adjacent:
            join(zone.id, other)
    for cape in T.capes.values():
        for other in cape.adjacent:
            join(cape.id, other)
    return {place: tuple(others) for place, others in found.items()}


def far(state: State, war: War, side: int) -> dict[str, int]:
    """How many steps every place is from the nearest enemy's Units or Control."""
    foes = {p for n, powers in enumerate(war.alliances, 1) if n != side for p in powers}
    targets = [
        place
        for place in (*state.areas, *state.at_sea)
        if any(u.power in foes for u in units_at(state, place))
        or (place in state.areas and war.conqueror(place) != side and foes & {*controllers(state, place)})
    ]
    steps, todo = dict.fromkeys(targets, 0), deque(targets)
    while todo:
        here = todo.popleft()
        for other in graph().get(here, ()):
            if other not in steps:
                steps[other] = steps[here] + 1
                todo.append(other)
    return steps


def verb(text: str) -> str:
    """Return the first word of an order, without its Power."""
    return text.rpartition(": ")[2].split(" ")[0]


def place(text: str) -> str:
    """A place of a move, without its coast or box."""
    return text.removeprefix(HOME).split(":")[0] if not text.startswith(HOME) else text


class Warrior(Walk):
    """A game at War in which players prefer fighting to waiting; `count` has the number of events of each kind."""

    def __init__(self, seed: int, players: int = 7, options: dict[str, str] | None = None) -> None:
        super().__init__(seed, players=players, options={"counter_limits": "unlimited", **(options or {})})
        self.count = Counter[str]()
        self.ends: list[str] = []
        tempers = Random(seed)
        self.tempers = {seat: tempers.choice(TEMPERS) for seat in self.state.players}

    def _parse(self, text: str) -> actions.Action:
        order = parse_order(T, text)
        assert isinstance(order, actions.Action)
        return order

    def act(self, seat: str, action: actions.Action, thorough: bool = False) -> list[events.Event] | None:
        """Let a seat act, and check the result."""
        before = self.state
        events = super().act(seat, action, thorough)
        if events and not isinstance(action, actions.SetPosition):
            assert not (wrong := misplaced_units(before, self.state, events)), wrong
            assert seats_with_leaks(self.state, events) == []
            for event in events:
                self._counted(event, (*self.state.wars, *before.wars))
        return events

    def _counted(self, event: events.Event, wars: tuple[War, ...]) -> None:
        if isinstance(event, events.WarDecided):
            self.ends.append(event.test)
            self.count[event.test] += 1
            war = next((w for w in wars if w.id == event.war), None)
            if war and war.kind == "ottoman":
                great = any(p in self.state.powers for side in war.alliances if "ottoman_empire" in side for p in side)
                self.count["allied Ottoman" if great else "alone Ottoman"] += 1
        elif isinstance(event, events.WarDeclared | events.WarsMerged):
            self.count["three Alliances"] += sum(1 for side in event.war.alliances if side) > 2
            self.count["mergers"] += isinstance(event, events.WarsMerged)
        elif isinstance(event, events.GreatWarBegan | events.BattleFought | events.PowerLeftWar):
            self.count[type(event).__name__] += 1

    # --- one turn -----------------------------------------------------------------------------------------------------

    def turn(self, wild: float = 0.3, thorough: bool = False) -> None:
        """Let a random player fight; sometimes they offer peace or take any action."""
        due = waiting_seats(T, self.state)
        if not due or self.random.random() < 0.02:
            super().turn(wild, thorough)
            return
        seat = self.random.choice(due)
        temper = self.tempers[seat]
        if self.random.random() < temper.offers and self._peace(seat):
            return
        orders = [text for text in legal_actions(T, self.state, seat).texts() if verb(text) in MARTIAL]
        text = self._chosen(seat, temper, orders)
        if text:
            self.act(seat, self._parse(text), thorough)
        else:
            super().turn(wild, thorough)

    def _chosen(self, seat: str, temper: Temper, orders: list[str]) -> str:
        """Return the order of a player with a temper, "" if there is none."""
        random = self.random
        sharp = [text for text in orders if verb(text) in SHARP]
        if sharp and random.random() < temper.attacks:
            return random.choice(sharp)
        if any(verb(text) == "announce" for text in orders) and random.random() < 0.3:
            return "announce end"
        bold = self._forward(seat, [text for text in orders if verb(text) == "move"])
        if bold and random.random() < temper.advances:
            return random.choice(bold)
        rest = [text for text in orders if verb(text) != "move" or random.random() < 0.1]
        if not rest:
            return random.choice(orders) if orders else ""
        calm = [text for text in rest if verb(text) == "pass"]
        return random.choice(calm) if calm and random.random() < 0.7 else random.choice(rest)

    def _forward(self, seat: str, moves: list[str]) -> list[str]:
        """The moves that bring Units nearer to the enemy."""
        war = current_war(self.state)
        if war is None or not moves:
            return []
        mine = commanded_powers(T, self.state, war, seat)
        side = next((war.side_of(p) for p in mine), 0)
        steps = far(self.state, war, side)
        found = []
        for text in moves:
            start, _, end = text.partition(" > ")
            begun = place(start.split(" ")[-1])
            begun = HOME + (text.partition(": ")[0] if ": " in start else seat) if begun == "home" else begun
            ends = place(end.split(" > ")[-1])
            if steps.get(ends, 99) < steps.get(begun, 99):
                found.append(text)
        return found

    # --- peace --------------------------------------------------------------------------------------------------------

    def _peace(self, seat: str) -> bool:
        """A seat offers peace to all its enemies, with its allies or without them; whether it could."""
        war = next((w for w in self.state.wars if w.side_of(seat) and w.stage != RESOLUTION), None)
        if war is None:
            return False
        side = war.side_of(seat)
        foes = [p for p in war.powers if war.side_of(p) != side and p in self.state.powers]
        friends = [p for p in war.alliance(side) if p != seat and p in self.state.powers]
        others = foes + (friends if self.random.random() < 0.6 else [])
        if not foes:
            return False
        ceded = [f"{c.area} to {self.random.choice(foes)}" for c in war.conquered if self.random.random() < 0.2]
        text = f"propose with {' '.join(others)}: {'; '.join(['peace', *ceded[:1]])}"
        if self.act(seat, self._parse(text)) is None:
            return False
        id_ = self.state.treaties[-1].id
        for other in dict.fromkeys(T.powers[p].seat or p for p in others):
            signs = self.random.random() < self.tempers[other].signs if other in self.tempers else True
            if self.act(other, self._parse(f"{'sign' if signs else 'reject'} {id_}")) is None or not signs:
                break
        return True
