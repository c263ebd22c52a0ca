"""The orders of one Power in the phases in which all seats act: markers, units, fleets, proposals, gifts.

Candidates come from the same predicates that `decide` asks; what is rare is simply tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.status import level
from paxtui.pax.board.tables import Tables
from paxtui.pax.decide import ACTS
from paxtui.pax.expansion import duties, placement
from paxtui.pax.menus.menu import Pays
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import text_of
from paxtui.pax.play.play import Trial, refusal_of
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import LEVEL, Marker
from paxtui.pax.state.questions import MoneyOffer


class Orders:
    """The orders of one Power, in texts."""

    def __init__(self, tables: Tables, state: State, seat: str, power: str) -> None:
        self.tables = tables
        self.state = state
        self.power = power
        self.prefix = "" if power == seat else f"{power}: "
        self.treasury = state.powers[power].treasury

    def allowed(self, action: ac.Action) -> bool:
        """Whether the rules' own function for the action takes it: `decide` without what comes after it."""
        act = ACTS[type(action)][self.state.phase]
        return refusal_of(lambda: act(Trial(self.tables, self.state), self.power, action)) is None

    def affordable(self, pounds: int, counts: str = "") -> bool:
        """Whether the Power may spend so many pounds now."""
        trial = Trial(self.tables, self.state)
        return refusal_of(lambda: duties.check_spending(trial, self.power, pounds, counts)) is None

    def those(self, actions: Iterable[ac.Action]) -> Iterator[str]:
        """The texts of those that are allowed."""
        for action in actions:
            if self.allowed(action):
                yield self.prefix + text_of(self.tables, action)

    def movement(self) -> Iterator[str]:
        """Orders of the Movement/Status Change Phase, moves and gifts left out."""
        yield from self.markers()
        yield from self.those(self.given_up())
        yield from self.those(self.handed_over())
        yield from self.those(self.built())
        yield from self.those(self.fleets())
        yield from self.those(ac.Canal(a.id) for a in self.tables.areas.values() if a.passage == "canal")
        if self.allowed(ac.Garrison()):
            yield self.prefix + "garrison"

    def negotiation(self) -> Iterator[str]:
        """Orders of the Negotiation Phase, gifts left out."""
        yield from self.those(self.given_up())
        yield from self.those(self.handed_over())
        yield from self.those(self.shared())
        yield from self.those(self.defended())

    def markers(self) -> Iterator[str]:
        """Markers to place and to upgrade."""
        tables, state, power = self.tables, self.state, self.power
        able: dict[tuple[int, str], bool] = {}
        linked = linked_areas(tables, state, power)
        for area in tables.areas:
            if area not in linked:
                continue
            own = placement.highest(state, area, power)
            for kind in tables.markers.values():
                if kind.level <= level(own) or kind.only_for not in ("", power):
                    continue
                price = placement.price(tables, state, power, area, kind.id)
                counts = "control" if kind.control and not kind.only_for else ""
                if price > self.treasury:
                    continue
                if (price, counts) not in able:
                    able[price, counts] = self.affordable(price, counts)
                if able[price, counts] and not placement.problems(tables, state, power, area, kind.id):
                    yield f"{self.prefix}place {kind.id} {area}"
                    if own:
                        yield f"{self.prefix}upgrade {kind.id} {area}"

    def given_up(self) -> Iterator[ac.Action]:
        """Own markers lowered or withdrawn."""
        for area, own in self.own_markers():
            yield ac.Withdraw(own.marker, area)
            for kind in self.tables.markers.values():
                if kind.level < LEVEL[own.marker] and not kind.only_for:
                    yield ac.Downgrade(kind.id, area)

    def handed_over(self) -> Iterator[ac.Action]:
        """Own established markers offered to others."""
        for area, own in self.own_markers():
            if own.established:
                yield from (ac.Transfer(area, to) for to in self.state.powers if to != self.power)

    def own_markers(self) -> Iterator[tuple[str, Marker]]:
        """Own markers with their Areas."""
        for area, here in self.state.areas.items():
            for m in here.markers:
                if m.power == self.power:
                    yield area, m

    def built(self) -> Iterator[ac.Action]:
        """One unit of each kind and strength, a naval one in each home box."""
        boxes = self.tables.homes[self.power].boxes
        for cost in self.tables.units.values():
            if cost.army <= self.treasury:
                yield ac.Build((f"A{cost.strength}",))
            if cost.naval <= self.treasury:
                yield from (ac.Build((f"N{cost.strength}",), box[0]) for box in boxes)

    def fleets(self) -> Iterator[ac.Action]:
        """Merchant Fleets to move and to bring on."""
        own = [zone for zone, fleets in self.state.sea_zones.items() if self.power in fleets]
        starts = (["new"] if self.state.powers[self.power].merchants_due else []) + own
        free = [zone for zone in self.tables.sea_zones if zone not in own]
        yield from (ac.Merchant(start, to) for start in starts for to in free)

    def shared(self) -> Iterator[ac.Action]:
        """Codominions to propose: of the holders of Control alone, and with each and all holders of Influence."""
        for area, here in self.state.areas.items():
            if len(here.markers) < 2:
                continue
            holders = tuple(m.power for m in here.markers if m.established and m.marker == "influence")
            yield ac.Codominion(area)
            yield from (ac.Codominion(area, (p,)) for p in holders)
            if len(holders) > 1:
                yield ac.Codominion(area, holders)

    def defended(self) -> Iterator[ac.Action]:
        """Minor Powers whose Influence is pressed by Control, to announce their defence."""
        for area, here in self.state.areas.items():
            if len(here.markers) > 1:
                yield from (ac.Defend(m.power, area) for m in here.markers if m.power in self.state.minors)

    def gifts(self) -> Iterator[Pays]:
        """Gifts of money to each Power that may have one."""
        for to in self.state.powers:
            asked = {
                c.about.amount
                for c in self.state.choices
                if isinstance(c.about, MoneyOffer) and (c.about.giver, c.about.to) == (self.power, to)
            }
            least = next(n for n in range(1, len(asked) + 2) if n not in asked)
            if to == self.power or least > self.treasury or not self.allowed(ac.Pay(to, least)):
                continue
            low, high = least, self.treasury
            while low < high:  # what may be spent has an upper end only
                middle = (low + high + 1) // 2
                low, high = (middle, high) if self.affordable(middle) else (low, middle - 1)
            yield Pays(self.power, to, low, tuple(sorted(asked)))
