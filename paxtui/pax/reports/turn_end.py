"""The page that closes a Game Turn: Victory Points of everybody and why, tension and why, what became of disputes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.narration.ledger_narration import points_reason, tension_reason
from paxtui.pax.narration.narrate import Narrator
from paxtui.pax.reports.page import BAD, FAINT, GOOD, Page, Standing, Told, sections
from paxtui.pax.reports.war.battles import battles, told_battle
from paxtui.pax.state.congress import ADOPTED, DEFEATED, DONE, REFUSED, Congress
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.words.spoken import all_of, marker_name, place_name, power_name, sentence, the_power, the_proposal


def end_of_turn(narrator: Narrator, seat: str, after: State, events: Sequence[ev.Event], year: int) -> Page:
    """The page of a Game Turn that is over.

    Args:
        narrator: of the seat.
        seat: who reads it.
        after: the position as the seat may know it when the next Game Turn has begun, or the game is over.
        events: everything that happened in the Game Turn, as the seat may know it.
        year: of the Game Turn.
    """
    tables = narrator.known.tables
    mine = powers_of(tables, after, seat)
    return Page(
        f"End of {year}",
        sections(
            ("The game is over", _result(tables, after)),
            ("Yours", _own(narrator, mine, events)),
            ("European Tensions", _tension(tables, events)),
            ("Chinese Resentment", _resentment(narrator, events)),
            ("Congress of Europe", _congress(tables, events)),
            ("Wars", _wars(narrator, mine, events)),
        ),
        _standings(tables, after, events),
    )


_WARS = (
    *(ev.WarDeclared, ev.WarArose, ev.GreatWarBegan, ev.PowerLeftWar, ev.WarDecided, ev.WarOver),
    *(ev.AreaConquered, ev.UnitsSurrendered),
)


def _wars(narrator: Narrator, mine: tuple[str, ...], events: Sequence[ev.Event]) -> list[Told]:
    """The Wars of the turn in their order: declarations, battles with what followed, conquests, ends."""
    fought = {id(battle.fought): battle for battle in battles(events)}
    follows = {id(event) for battle in fought.values() for event in battle.follows}
    out = []
    for event in events:
        if id(event) in fought:
            out.append(told_battle(narrator, fought[id(event)], mine))
        elif isinstance(event, _WARS) and id(event) not in follows:
            out.append(Told(sentence(narrator.tell(event))))
    return out


def _result(tables: Tables, after: State) -> list[Told]:
    if after.result is None:
        return []
    why = "The Great War has broken out." if after.result.reason == "great_war" else "The last Game Turn is over."
    blame = [the_power(tables, p) for p in after.result.culprits]
    return [Told(why)] + ([Told(sentence(f"{all_of(blame)} brought it about"), tone=BAD)] if blame else [])


def _standings(tables: Tables, after: State, events: Iterable[ev.Event]) -> tuple[Standing, ...]:
    """Every seat, the most Victory Points first."""
    gained: dict[str, list[ev.VictoryPointsChanged]] = {}
    for event in events:
        if isinstance(event, ev.VictoryPointsChanged):
            gained.setdefault(event.power, []).append(event)
    noted = {seat: after.powers[seat].victory_points for seat in after.players}
    totals = after.result.totals if after.result is not None else noted
    out = []
    for seat in sorted(after.players, key=lambda s: -totals[s]):
        mine = gained.get(seat, [])
        final = totals[seat] - noted[seat]
        told = [f"{e.amount:+d} {points_reason(e.reason)}" for e in mine]
        why = "; ".join([*told, f"{final:+d} Final Record"] if final else told)
        rank = 1 + sum(total > totals[seat] for total in totals.values())
        out.append(Standing(seat, rank, totals[seat], final + sum(e.amount for e in mine), why))
    return tuple(out)


def _own(narrator: Narrator, mine: tuple[str, ...], events: Sequence[ev.Event]) -> list[Told]:
    """What the Game Turn has brought the Powers of the seat, and what it has cost them."""
    tables = narrator.known.tables
    out = []
    for event in events:
        if isinstance(event, ev.MarkerLowered) and event.power in mine:
            out.append(Told(sentence(narrator.tell(event)), event.area, BAD))
        elif isinstance(event, ev.MarkerEstablished) and event.power in mine and event.marker in CONTROL:
            out.append(Told(sentence(narrator.tell(event)), event.area, GOOD))
        elif isinstance(event, ev.UnitsLost) and event.power in mine:
            out.append(Told(sentence(narrator.tell(event)), event.place, BAD))
        elif isinstance(event, ev.VictoryPointsChanged) and event.power in mine and event.bonus:
            out.append(Told(sentence(narrator.tell(event)), tone=GOOD if event.amount > 0 else BAD))
    for power in mine:
        names: dict[str, list[str]] = {}
        for event in events:
            if isinstance(event, ev.MarkerEstablished) and event.power == power and event.marker not in CONTROL:
                names.setdefault(event.marker, []).append(place_name(tables, event.area))
        for marker, areas in names.items():
            who = power_name(tables, power)
            out.append(Told(f"{who} has established {marker_name(tables, marker)} in {all_of(areas)}.", tone=GOOD))
    return out


def _tension(tables: Tables, events: Iterable[ev.Event]) -> list[Told]:
    """By how much tension rose, what for, and by whose acts."""
    rises = [e for e in events if isinstance(e, ev.TensionRaised)]
    if not rises:
        return [Told("European Tensions did not rise.", tone=FAINT)]
    total = sum(e.amount for e in rises)
    out = [Told(f"European Tensions rose by {total}, to {rises[-1].total} of 100.", tone=BAD)]
    by_reason: dict[str, list[ev.TensionRaised]] = {}
    for event in rises:
        by_reason.setdefault(event.reason, []).append(event)
    for reason, some in by_reason.items():
        blamed: dict[str, int] = {}
        for event in some:
            if event.blame:
                blamed[event.blame] = blamed.get(event.blame, 0) + event.amount
        whose = ", ".join(f"{power_name(tables, power)} {amount}" for power, amount in blamed.items())
        areas = [e.area for e in some if e.area]
        said = f"+{sum(e.amount for e in some)}: {tension_reason(reason)}" + (f" (by {whose})" if whose else "")
        out.append(Told(sentence(said), areas[0] if len(areas) == 1 else ""))
    return out


def _resentment(narrator: Narrator, events: Iterable[ev.Event]) -> list[Told]:
    rises = [e for e in events if isinstance(e, ev.ResentmentRaised)]
    out = []
    if rises:
        by_power: dict[str, int] = {}
        for event in rises:
            by_power[event.power] = by_power.get(event.power, 0) + event.amount
        tables = narrator.known.tables
        whose = ", ".join(f"{power_name(tables, p) if p else 'events'} {n}" for p, n in by_power.items())
        total = sum(e.amount for e in rises)
        out.append(Told(f"Chinese Resentment rose by {total}, to {rises[-1].total} (by {whose})."))
    told = (ev.RebellionChecked, ev.WarDue, ev.ResentmentReset)
    out += [Told(sentence(narrator.tell(e))) for e in events if isinstance(e, told)]
    return out


_STAGES = {DEFEATED: "defeated", ADOPTED: "adopted", DONE: "adopted, and in effect", REFUSED: "adopted and refused"}


def _congress(tables: Tables, events: Iterable[ev.Event]) -> list[Told]:
    """What was proposed in the Congress of the Game Turn, and what came of it."""
    sat: Congress | None = None
    said = ""
    for event in events:
        if isinstance(event, ev.CongressChanged):
            sat, said = event.congress, event.note or said
    if sat is None:
        return []
    out = []
    for proposal in sat.proposals:
        votes = list(proposal.votes.values())
        count = ", ".join(f"{votes.count(word)} {word}" for word in ("yes", "no", "abstain") if word in votes)
        stage = _STAGES.get(proposal.stage, "not voted on")
        if proposal.stage == REFUSED and not votes:
            stage = "not put to the vote"  # what was adopted before it has made it impossible
        who = the_power(tables, proposal.proposer)
        line = f"{the_proposal(tables, proposal.name)}, proposed by {who}: {stage}"
        out.append(Told(sentence(line + f" ({count})" * bool(count))))
    return [*out, Told(sentence(said))] if said else out
