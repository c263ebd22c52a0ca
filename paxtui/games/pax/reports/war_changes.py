"""Changes in the Wars between two positions, and battle reports.

Rules: WAR-026, SUP-001, SUP-015, SUP-023, WEN-027, WCB-018 to WCB-030, WCB-034 to WCB-039
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events as ev
from paxtui.games.pax.events.war import END_TEST_NAMES
from paxtui.games.pax.narration.narrator import BAD, FAINT, GOOD, PLAIN, Narrator, ReportLine, with_consequences
from paxtui.games.pax.preview import supply
from paxtui.games.pax.reports import war_status
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.war import War
from paxtui.games.pax.text.display import join_with_and, of_power, place_name, powers_text, sentence, the_powers

_FOLLOWS = (ev.UnitsLost, ev.UnitsMoved, ev.UnitsSurrendered, ev.AreaConquered)
_BREAKS = (ev.WarPhaseBegan, ev.PhaseBegan, ev.ColonialCombat)


class BattleReport(NamedTuple):
    """A battle and its consequences in the same act."""

    fought: ev.BattleFought
    follows: tuple[ev.Event, ...]


def battle_reports(events: Sequence[ev.Event]) -> list[BattleReport]:
    """Return the battles among some events, each with its consequences in its place."""
    found = with_consequences(events, ev.BattleFought, _FOLLOWS, _BREAKS)
    return [BattleReport(battle, follows) for battle, follows in found]


def battle_aftermath(narrator: Narrator, battle: BattleReport) -> list[str]:
    """Describe the consequences of a battle, one sentence each; retreats of a Power to one place are combined."""
    tables = narrator.known.tables
    leaving: dict[tuple[str, str], list[str]] = {}
    for event in battle.follows:
        if isinstance(event, ev.UnitsMoved):
            leaving.setdefault((event.power, event.path[-1]), []).extend(event.units)
    out, described = [], set[tuple[str, str]]()
    for event in battle.follows:
        if isinstance(event, ev.UnitsMoved):
            key = event.power, event.path[-1]
            if key not in described:
                described.add(key)
                verb = "retreats" if len(leaving[key]) == 1 else "retreat"
                units = f"{of_power(tables, event.power)} {' '.join(leaving[key])}"
                out.append(sentence(f"{units} {verb} to {place_name(tables, event.path[-1])}"))
        elif text := narrator.tell(event):
            out.append(sentence(text))
    return out


def describe_battle(narrator: Narrator, battle: BattleReport, own_powers: tuple[str, ...]) -> ReportLine:
    """Describe a battle in one line of a report. `own_powers` are those of the reader."""
    fought = battle.fought
    text = " ".join([sentence(narrator.tell(fought)), *battle_aftermath(narrator, battle)])
    tone = PLAIN
    if set(own_powers) & {*fought.attackers, *fought.defenders}:
        won = fought.result in ("DR", "DE") or (fought.result in ("EX", "HX") and fought.attack > fought.defend)
        tone = GOOD if won == bool(set(own_powers) & set(fought.attackers)) else BAD
    return ReportLine(text, fought.place, tone)


def describe_war_changes(
    narrator: Narrator, before: State, after: State, happened: Sequence[ev.Event], own_powers: tuple[str, ...]
) -> list[ReportLine]:
    """Describe the changes in the Wars between two positions, one sentence each.

    Args:
        narrator: of the reader.
        before, after: the positions, as the reader knows them.
        happened: the events in between.
        own_powers: the Powers of the reader.
    """
    tables, out = narrator.known.tables, list[ReportLine]()
    old = {war.id: war for war in before.wars}
    new = {war.id: war for war in after.wars}
    for war in _new_wars(old, happened):
        out.append(ReportLine(f"War has begun: {war_status.war_title(tables, war)}."))
    for war_id, war in old.items():
        if war_id in new:
            out += _went_on(tables, before, after, war, new[war_id], own_powers)
    for war_id, war in new.items():
        if war_id not in old:
            out += _describe_new_war(tables, after, war, own_powers)
    out += _ended_wars(tables, old, happened)
    out += [describe_battle(narrator, battle, own_powers) for battle in battle_reports(happened)]
    return out


def _new_wars(old: dict[str, War], happened: Sequence[ev.Event]) -> Iterator[War]:
    """New Wars, each in its last known state."""
    unchanged: dict[str, War] = {}
    for event in happened:
        if isinstance(event, ev.WarDeclared | ev.WarArose | ev.WarsMerged | ev.GreatWarBegan):
            unchanged[event.war.id] = event.war
    yield from (war for war_id, war in unchanged.items() if war_id not in old)


def _ended_wars(tables: Tables, old: dict[str, War], happened: Sequence[ev.Event]) -> Iterator[ReportLine]:
    known = {**old, **{war.id: war for war in _new_wars({}, happened)}}
    for event in happened:
        if isinstance(event, ev.WarDecided) and event.war in known:
            war = known[event.war]
            victor = f" Victory for {the_powers(tables, war.alliance(event.victor))}." if event.victor else ""
            end = f"It ended {END_TEST_NAMES.get(event.test, 'here')}."
            yield ReportLine(f"War is over: {war_status.war_title(tables, war)}. {end}{victor}")
        elif isinstance(event, ev.WarsMerged) and event.gone:
            yield ReportLine(f"The Wars have merged: {war_status.war_title(tables, event.war)}.")


def _went_on(
    tables: Tables, before: State, after: State, war: War, now: War, own_powers: tuple[str, ...]
) -> Iterator[ReportLine]:
    title = war_status.war_title(tables, now)
    then_at, now_at = war_status.war_moment(tables, war), war_status.war_moment(tables, now)
    if then_at != now_at:
        yield ReportLine(f"{title}: from {then_at} to {now_at}.", tone=FAINT)
    for number in range(1, max(len(war.alliances), len(now.alliances)) + 1):
        yield from _sides(tables, war, now, number)
    yield from _holdings(tables, war, now, own_powers)
    yield from _supply_changes(tables, before, after, war, now, own_powers)


def _describe_new_war(tables: Tables, after: State, war: War, own_powers: tuple[str, ...]) -> Iterator[ReportLine]:
    """Describe a new War that continues: its Phase, conquests and risks."""
    if not war.outcome:
        yield ReportLine(f"Now: {war_status.war_moment(tables, war)}.", tone=FAINT)
    unfought = War(id=war.id, alliances=war.alliances)
    yield from _holdings(tables, unfought, war, own_powers)
    yield from _supply_changes(tables, None, after, unfought, war, own_powers)


def _sides(tables: Tables, war: War, now: War, number: int) -> Iterator[ReportLine]:
    was, is_ = war.alliance(number), now.alliance(number)
    joined = tuple(p for p in is_ if p not in was and not war.side_of(p))
    left = tuple(p for p in was if p not in is_ and not now.side_of(p))
    if joined and was:
        yield ReportLine(sentence(f"{the_powers(tables, joined)} joined {the_powers(tables, was)}"))
    elif joined:
        yield ReportLine(sentence(f"{the_powers(tables, joined)} entered the War on a side of their own"))
    if left:
        verb = "is" if len(left) == 1 else "are"
        yield ReportLine(sentence(f"{the_powers(tables, left)} {verb} no longer at War"))


def _holdings(tables: Tables, war: War, now: War, own_powers: tuple[str, ...]) -> Iterator[ReportLine]:
    own = {now.side_of(power) for power in own_powers} - {0}
    for number in range(1, len(now.alliances) + 1):
        tone = PLAIN if not own else GOOD if number in own else BAD
        taken = [c.area for c in now.conquered if c.alliance == number and war.conqueror(c.area) != number]
        freed = [c.area for c in war.conquered if c.alliance == number and not now.conqueror(c.area)]
        who = powers_text(tables, now.alliance(number) or war.alliance(number))
        for verb, areas in (("conquered", taken), ("lost again", freed)):
            if areas:
                names_text = join_with_and([place_name(tables, area) for area in areas])
                yield ReportLine(
                    sentence(f"{who} {verb} {names_text}"), areas[0], tone if verb == "conquered" else PLAIN
                )
    prisoners = list(war.surrendered)
    for power in dict.fromkeys(unit.power for unit in now.surrendered):
        names = []
        for unit in now.surrendered:
            if unit.power != power:
                continue
            if unit in prisoners:
                prisoners.remove(unit)
            else:
                names.append(unit.name)
        if names:
            tone = BAD if power in own_powers else PLAIN
            yield ReportLine(sentence(f"{of_power(tables, power)} {' '.join(names)} surrendered"), tone=tone)


def _supply_changes(
    tables: Tables, before: State | None, after: State, war: War, now: War, own_powers: tuple[str, ...]
) -> Iterator[ReportLine]:
    """Describe gains and losses of supply. Args: `before`: None if the War was not fought then."""
    for number in range(1, len(now.alliances) + 1):
        then = supply.supply_risks(tables, before, war, number) if before is not None else ()
        still = supply.supply_risks(tables, after, now, number)
        tone = BAD if set(own_powers) & set(now.alliance(number)) else PLAIN
        for danger in still:
            if danger not in then:
                yield ReportLine(supply.describe_risk(tables, now, danger), danger.place, tone)
        for danger in then:
            if not any((danger.kind, danger.place, danger.power) == (d.kind, d.place, d.power) for d in still):
                who = f"{of_power(tables, danger.power)} {' '.join(danger.units)} in " if danger.power else ""
                verb = "are" if danger.power else "is"
                yield ReportLine(
                    sentence(f"{who}{place_name(tables, danger.place)} {verb} no longer out of supply"), danger.place
                )
