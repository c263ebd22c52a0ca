"""A position in lines: the record sheet of every Power, what stands where, who is waited for."""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.empires.state.model import State
from paxtui.empires.state.pieces import Factors, is_hidden
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.calendar import month

BOXES = {"": "at sea", "port": "in port", "blockade": "in the blockade box"}


def heading(tables: Tables, state: State, short: bool = False) -> str:
    """The exercise, the month, and the step that goes on. Args: short: whether the title is left out."""
    title = "An exercise drawn by us" if short else f"{tables.exercise.title} (an exercise drawn by us)"
    step = state.cursor.step.replace("_", " ")
    return f"{title}: {month(state.turn)}, {state.cursor.phase} phase, {step}"


def record(tables: Tables, state: State) -> Iterator[str]:
    """The record sheet: points, money and manpower, wars and alliances of every Power."""
    for power in state.powers:
        account = state.accounts[power]
        ships = sum(fleet.ships for fleet in state.fleets.values() if fleet.power == power)
        own = [corps for corps in state.corps.values() if corps.power == power]
        factors = sum(corps.factors.total for corps in own)
        hidden = sum(is_hidden(corps) for corps in own)
        forces = [f"{ships} ships"] * bool(ships) + [f"{factors} factors in corps"] * bool(factors)
        forces += [f"{hidden} corps face down"] * bool(hidden)
        parts = [f"{account.points} points", f"${account.money}", *forces]
        yield f"{tables.name(power)}: {', '.join(parts)}"
    for relation in state.relations:
        if relation.kind in ("war", "alliance"):
            yield f"  {relation.kind}: {tables.name(relation.a)}, {tables.name(relation.b)}"
        elif relation.kind == "enforced_peace" and state.turn <= relation.until:
            pair = f"{tables.name(relation.a)} with {tables.name(relation.b)}"
            yield f"  enforced peace: {pair} to the end of {month(relation.until)}"
    for treaty in state.treaties:
        terms = ", ".join(term.upper() for term in treaty.terms) or "none"
        yield f"  {treaty.kind} peace of {tables.name(treaty.loser)} and {tables.name(treaty.victor)}: terms {terms}"
        if any(not tables.terms[term].effect for term in treaty.terms):
            yield "    (terms whose chart is not public are names without effect)"


def factors_said(factors: Factors) -> str:
    """Factors by kinds."""
    kinds = ((name, getattr(factors, name)) for name in factors.__struct_fields__)
    return ", ".join(f"{number} {name}" for name, number in kinds if number) or "empty"


def pieces(tables: Tables, state: State) -> Iterator[str]:
    """What stands where."""
    for fleet in state.fleets.values():
        if fleet.where:
            cargo = f", carrying {', '.join(fleet.cargo)}" if fleet.cargo else ""
            yield f"fleet {fleet.id}: {fleet.ships} ships, {tables.name(fleet.where)} {BOXES[fleet.box]}{cargo}"
    for corps in state.corps.values():
        if corps.where:
            inside = " in the city" if corps.inside else ""
            if is_hidden(corps):
                yield f"{corps.kind} corps of {tables.name(corps.power)}: {tables.name(corps.where)}{inside}"
                continue
            yield f"corps {corps.id}: {factors_said(corps.factors)}; {tables.name(corps.where)}{inside}"
    for garrison in state.garrisons:
        kind = "depot garrison" if garrison.of_depot else "garrison"
        whose, place = tables.name(garrison.power), tables.name(garrison.where)
        yield f"{kind} of {whose}: {factors_said(garrison.factors)}; {place}"
    for depot in state.depots:
        yield f"depot of {tables.name(depot.power)}: {tables.name(depot.where)}"
    for leader in state.leaders.values():
        if leader.where:
            yield f"leader {leader.id}: {tables.name(leader.where)}"


def postings(tables: Tables, state: State, last: int = 8) -> Iterator[str]:
    """The last changes of political points, each with its reason."""
    points = [one for one in state.ledger if one.what == "points"]
    for one in points[-last:]:
        yield f"{tables.name(one.power)} {one.amount:+d} {one.reason}"


def ours(tables: Tables) -> Iterator[str]:
    """The numbers of the exercise that nobody published."""
    for name, cell in tables.cells.items():
        if cell.source == "ours":
            yield f"{name} = {cell.value} (ours: {cell.why})"
