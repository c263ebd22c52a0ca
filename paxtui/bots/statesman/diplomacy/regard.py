"""How Powers stand to each other: who outweighs whom, who has reason to fear whom, and whose word is believed."""

from __future__ import annotations

from collections import Counter

from paxtui.bots.statesman.character import character
from paxtui.bots.statesman.outlook import Outlook, strength
from paxtui.bots.statesman.reckoning import last_points
from paxtui.pax.board.tables import Tables
from paxtui.pax.state.model import State
from paxtui.pax.state.treaty import IN_FORCE
from paxtui.pax.treaties import permanent

DEFENSIVE = "defensive"
BELIEVED = 0.85
"""How sure it is that a Power keeps its word which has broken none."""
ONCE_BROKEN, LONG_AGO = 0.4, 0.7
"""What is left of that with each Treaty that is known to be broken: of late, and before."""
OF_LATE = 4
"""Game Turns for which a broken Treaty rankles."""
A_MENACE = 5.0
"""Pounds at the end that it is worth to be safe from a neighbour of one's own strength."""
NEIGHBOURS = 3
"""Areas in which two Powers meet who are neighbours in full."""
REMOTE = 0.4
"""What a menace weighs from a Power that is met nowhere."""
BALANCE = 0.16
"""Pounds that a rival's pound costs those who help him to it."""
AHEAD = (4.0, 2.5, 1.5)
"""How much more it costs to see those gain who would be first, second and third at the end."""
SOBER = character("normal", "")._replace(looks_on=False)
"""How it takes others to judge."""


class Regard:
    """What can be told of all Powers from one position. Args: the tables; the position as a seat knows it."""

    def __init__(self, tables: Tables, state: State) -> None:
        self.tables, self.state = tables, state
        self._strength: dict[str, int] = {}
        self._outlooks: dict[str, Outlook] = {}
        self._met: Counter[frozenset[str]] = Counter()
        for here in state.areas.values():
            holders = sorted({m.power for m in here.markers})
            self._met.update(frozenset((a, b)) for n, a in enumerate(holders) for b in holders[n + 1 :])
        self._causes = Counter((cause.holder, cause.against) for cause in state.casus_belli)
        self._first: tuple[str, ...] | None = None

    def strength(self, power: str) -> int:
        """Strength points of a Power's Military Units, one at least."""
        if power not in self._strength:
            self._strength[power] = max(1, strength(self.state, power))
        return self._strength[power]

    def judgement(self, power: str) -> Outlook:
        """How another Power is taken to judge, by what lies open."""
        if power not in self._outlooks:
            self._outlooks[power] = Outlook(self.tables, self.state, power, SOBER, "")
        return self._outlooks[power]

    @property
    def first(self) -> tuple[str, ...]:
        """The seats in the order in which they would stand at the last turn, if all went on as it is."""
        if self._first is None:
            points = last_points(self.tables, self.state)
            self._first = tuple(sorted(points, key=lambda seat: (-points[seat], seat)))
        return self._first

    def met(self, power: str, other: str) -> int:
        """In how many Areas both have a marker."""
        return self._met[frozenset((power, other))]

    def has_cause(self, power: str, against: str) -> bool:
        """Whether a Power holds a Casus Belli against another."""
        return self._causes[power, against] > 0

    def outweighs(self, power: str, other: str) -> bool:
        """Whether a Power is clearly stronger than another."""
        return self.strength(power) > 1.1 * self.strength(other)

    def menace(self, power: str, foe: str) -> float:
        """Pounds at the end that it is worth to a Power to be safe from another."""
        near = max(REMOTE, min(1.0, self.met(power, foe) / NEIGHBOURS)) + (1.0 if self.has_cause(foe, power) else 0.0)
        return A_MENACE * near * min(2.5, self.strength(foe) / self.strength(power))

    def allies(self, power: str, foe: str) -> tuple[str, ...]:
        """Powers that a Treaty which is known of calls to defend a Power against a foe."""
        found: dict[str, None] = {}
        for treaty in permanent.all_treaties(self.tables, self.state):
            if treaty.stage == IN_FORCE and power in treaty.bound:
                calls = [c for c in treaty.clauses if c.kind == DEFENSIVE and (foe in c.against or not c.against)]
                helpers = [p for c in calls for p in treaty.bound if c.power in ("", p)]
                found.update((p, None) for p in helpers if p not in (power, foe) and foe not in treaty.bound)
        return tuple(found)

    def allied(self, power: str, other: str) -> bool:
        """Whether a defensive Treaty is known that binds both."""
        return any(
            treaty.stage == IN_FORCE and power in treaty.bound and other in treaty.bound
            and any(clause.kind == DEFENSIVE for clause in treaty.clauses)
            for treaty in self.state.treaties
        )  # fmt: skip

    def broken(self, power: str) -> tuple[int, ...]:
        """The Game Turns in which a Power is known to have last broken each Treaty that it has broken."""
        last: dict[str, int] = {}
        for treaty in self.state.treaties:
            for breach in treaty.breaches:
                if breach.power == power:
                    last[treaty.id] = max(breach.turn, last.get(treaty.id, 0))
        return tuple(last.values())

    def trust(self, power: str) -> float:
        """How sure it is that a Power keeps its word, from 0 to 1: broken Treaties are remembered."""
        trust = BELIEVED
        for turn in self.broken(power):
            trust *= ONCE_BROKEN if turn > self.state.turn - OF_LATE else LONG_AGO
        return trust

    def weight(self, power: str, rival: str) -> float:
        """What a rival's pound costs a Power that makes a Treaty with him."""
        ahead = dict(zip(self.first, AHEAD, strict=False)).get(rival, 1.0)
        return BALANCE * self.judgement(power).rivalled(rival) * ahead
