"""What has changed in the Wars between two moments: begun and ended, sides, cycles, conquests, supply, battles.

Rules: WAR-026, SUP-001, SUP-015, SUP-023, WEN-027
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.narration.war_narration import TESTS
from paxtui.pax.reports.page import BAD, FAINT, GOOD, PLAIN, Told
from paxtui.pax.reports.war import peril, standing
from paxtui.pax.reports.war.battles import battles, told_battle
from paxtui.pax.state.model import State
from paxtui.pax.state.war import War
from paxtui.pax.words.spoken import all_of, of_power, place_name, powers_named, sentence, the_powers


def changes(
    narrator: Narrator, before: State, after: State, happened: Sequence[ev.Event], mine: tuple[str, ...]
) -> list[Told]:
    """What has changed in the Wars from one moment to a later one, a sentence each; empty where nothing has.

    Args:
        narrator: of who reads it.
        before, after: the positions, as the reader may know them.
        happened: the events in between.
        mine: the Powers of the reader.
    """
    tables, out = narrator.known.tables, list[Told]()
    old = {war.id: war for war in before.wars}
    new = {war.id: war for war in after.wars}
    for war in _appeared(old, happened):
        out.append(Told(f"War has begun: {standing.title(tables, war)}."))
    for war_id, war in old.items():
        if war_id in new:
            out += _went_on(tables, before, after, war, new[war_id], mine)
    for war_id, war in new.items():
        if war_id not in old:
            out += _stands(tables, after, war, mine)
    out += _ended(tables, old, happened)
    out += [told_battle(narrator, battle, mine) for battle in battles(happened)]
    return out


def _appeared(old: dict[str, War], happened: Sequence[ev.Event]) -> Iterator[War]:
    """The Wars that have begun, each as it was last heard of."""
    heard: dict[str, War] = {}
    for event in happened:
        if isinstance(event, ev.WarDeclared | ev.WarArose | ev.WarsMerged | ev.GreatWarBegan):
            heard[event.war.id] = event.war
    yield from (war for war_id, war in heard.items() if war_id not in old)


def _ended(tables: Tables, old: dict[str, War], happened: Sequence[ev.Event]) -> Iterator[Told]:
    """The Wars that have ended: how, and for whom."""
    known = {**old, **{war.id: war for war in _appeared({}, happened)}}
    for event in happened:
        if isinstance(event, ev.WarDecided) and event.war in known:
            war = known[event.war]
            victor = f": a victory for {the_powers(tables, war.alliance(event.victor))}" if event.victor else ""
            yield Told(f"War is over: {standing.title(tables, war)}, {TESTS.get(event.test, 'ended')}{victor}.")
        elif isinstance(event, ev.WarsMerged) and event.gone:
            yield Told(f"The Wars have become one: {standing.title(tables, event.war)}.")


def _went_on(
    tables: Tables, before: State, after: State, war: War, now: War, mine: tuple[str, ...]
) -> Iterator[Told]:
    """A War that was being fought at both moments."""
    title = standing.title(tables, now)
    then_at, now_at = standing.moment(tables, war), standing.moment(tables, now)
    if then_at != now_at:
        yield Told(f"{title}: from {then_at} to {now_at}.", tone=FAINT)
    for number in range(1, max(len(war.alliances), len(now.alliances)) + 1):
        yield from _sides(tables, war, now, number)
    yield from _holdings(tables, war, now, mine)
    yield from _dangers(tables, before, after, war, now, mine)


def _stands(tables: Tables, after: State, war: War, mine: tuple[str, ...]) -> Iterator[Told]:
    """A War that has begun and goes on: where it is, what has been won and lost, what is in danger."""
    if not war.outcome:
        yield Told(f"It has come to {standing.moment(tables, war)}.", tone=FAINT)
    unfought = War(id=war.id, alliances=war.alliances)
    yield from _holdings(tables, unfought, war, mine)
    yield from _dangers(tables, None, after, unfought, war, mine)


def _sides(tables: Tables, war: War, now: War, number: int) -> Iterator[Told]:
    """Who has come to a side, and who has left it."""
    was, is_ = war.alliance(number), now.alliance(number)
    joined = tuple(p for p in is_ if p not in was and not war.side_of(p))
    left = tuple(p for p in was if p not in is_ and not now.side_of(p))
    if joined and was:
        yield Told(sentence(f"{the_powers(tables, joined)} came to the side of {the_powers(tables, was)}"))
    elif joined:
        yield Told(sentence(f"{the_powers(tables, joined)} came into the War on a side of their own"))
    if left:
        verb = "is" if len(left) == 1 else "are"
        yield Told(sentence(f"{the_powers(tables, left)} {verb} at War no longer"))


def _holdings(tables: Tables, war: War, now: War, mine: tuple[str, ...]) -> Iterator[Told]:
    """Areas conquered and freed, and Units that have surrendered."""
    own = {now.side_of(power) for power in mine} - {0}
    for number in range(1, len(now.alliances) + 1):
        tone = PLAIN if not own else GOOD if number in own else BAD
        taken = [c.area for c in now.conquered if c.alliance == number and war.conqueror(c.area) != number]
        freed = [c.area for c in war.conquered if c.alliance == number and not now.conqueror(c.area)]
        who = powers_named(tables, now.alliance(number) or war.alliance(number))
        for verb, areas in (("conquered", taken), ("lost again", freed)):
            if areas:
                told = all_of([place_name(tables, area) for area in areas])
                yield Told(sentence(f"{who} {verb} {told}"), areas[0], tone if verb == "conquered" else PLAIN)
    held = list(war.surrendered)
    for power in dict.fromkeys(unit.power for unit in now.surrendered):
        names = []
        for unit in now.surrendered:
            if unit.power != power:
                continue
            if unit in held:
                held.remove(unit)
            else:
                names.append(unit.name)
        if names:
            tone = BAD if power in mine else PLAIN
            yield Told(sentence(f"{of_power(tables, power)} {' '.join(names)} surrendered"), tone=tone)


def _dangers(
    tables: Tables, before: State | None, after: State, war: War, now: War, mine: tuple[str, ...]
) -> Iterator[Told]:
    """What has come to be out of supply, and what is in supply again. Args: `before`: None where it was not fought."""
    for number in range(1, len(now.alliances) + 1):
        then = peril.perils(tables, before, war, number) if before is not None else ()
        still = peril.perils(tables, after, now, number)
        tone = BAD if set(mine) & set(now.alliance(number)) else PLAIN
        for danger in still:
            if danger not in then:
                yield Told(peril.said(tables, now, danger), danger.place, tone)
        for danger in then:
            if not any((danger.kind, danger.place, danger.power) == (d.kind, d.place, d.power) for d in still):
                who = f"{of_power(tables, danger.power)} {' '.join(danger.units)} in " if danger.power else ""
                verb = "are" if danger.power else "is"
                yield Told(
                    sentence(f"{who}{place_name(tables, danger.place)} {verb} no longer out of supply"), danger.place
                )
