"""What follows from an act besides what it does on the map: tensions, resentment, points, causes of war, money."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.reports.page import BAD, GOOD, PLAIN, Told
from paxtui.pax.words.spoken import all_of, place_name, power_name, the_power


def what_follows(tables: Tables, power: str, events: Iterable[ev.Event]) -> Iterator[Told]:
    """Tensions, resentment, Victory Points, causes of war and money that events bring, a sentence each.

    Args: the tables; the Power for whom it is told; the events.
    """
    costs: list[ev.TreasuryChanged] = []
    angry: list[ev.ResentmentRaised] = []
    for event in events:
        if isinstance(event, ev.TensionRaised):
            who = f" ({the_power(tables, event.blame)})" if event.blame else ""
            text = f"European Tensions rise by {event.amount} to {event.total}: {event.reason}{who}."
            yield Told(text, tone=BAD)
        elif isinstance(event, ev.ResentmentRaised):
            angry.append(event)
        elif isinstance(event, ev.ResentmentReset):
            yield Told("Chinese Resentment goes back to 0.")
        elif isinstance(event, ev.VictoryPointsChanged):
            verb, tone = ("gains", GOOD) if event.amount > 0 else ("loses", BAD)
            points = f"{abs(event.amount)} Victory Point{'s' if abs(event.amount) != 1 else ''}"
            own = event.power == power
            yield Told(f"{power_name(tables, event.power)} {verb} {points}.", tone=tone if own else PLAIN)
        elif isinstance(event, ev.CasusBelliArose):
            where = f" over {place_name(tables, event.area)}" if event.area else ""
            tone = GOOD if event.holder == power else BAD if event.against == power else PLAIN
            who, whom = power_name(tables, event.holder), the_power(tables, event.against)
            yield Told(f"{who} gets a Casus Belli against {whom}{where}.", event.area, tone)
        elif isinstance(event, ev.TreasuryChanged) and event.amount < 0:
            costs.append(event)
    if angry:
        yield Told(f"Chinese Resentment rises by {sum(e.amount for e in angry)} to {angry[-1].total}.", tone=BAD)
    if costs:
        yield Told(f"It costs {all_of([f'{power_name(tables, e.power)} £{-e.amount}' for e in costs])}.")
