"""The Administrative Phase: Sections I to IV of every Record Sheet, and the Treasury of the turn.

Every Power with a Treasury in the order of the table: Colonial Office, lines 01 to 22, Treasury. A deficit is met
at once where only one way is allowed, else its seat chooses while the others' sheets are done.
Rules: SET-066, SET-067, SET-068, SEQ-008, ADM-001 to ADM-024, BEL-008, BEL-009, BEL-011, EVT-013, EVT-043 to EVT-055
"""

from __future__ import annotations

from paxtui.pax.board.holdings import holdings
from paxtui.pax.board.tables import RandomEvent, Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.turn.deficits import cover, upkeep_counted
from paxtui.pax.turn.record_sheet import colonial_income, figure

SIX = 6
"""The column for Powers without a Control marker (ADM-009)."""

FULL_ROW = "italy"
"""The row of which Belgium gets half, and all of it when King Leopold demands colonies (BEL-008, BEL-011)."""

SHEET_RULES = (
    "ADM-004",
    "ADM-005",
    "ADM-006",
    "ADM-011",
    "ADM-012",
    "ADM-013",
    "ADM-015",
    "ADM-016",
    "ADM-018",
)


def run(play: Play) -> None:
    """Do every Power's sheet, once.

    Rules: SEQ-008, SET-068, ADM-003
    """
    if play.state.top.step == "done":
        return
    for power in play.tables.powers:
        if power in play.state.powers:
            keep_record(play, power)
    play.emit(ev.StepTaken(step="done", rules=("SET-068",)))


def keep_record(play: Play, power: str) -> None:
    """Sections I to IV of one Power's sheet.

    Lines 16 to 21 stay as they were figured when a deficit makes the Power give something up afterwards; line 22
    is what the Treasury then holds, never below 0.

    Rules: ADM-002, ADM-012, ADM-016, ADM-018, ADM-019, ADM-020, SET-054
    """
    tables = play.tables
    figures = figure(tables, play.state, power)
    office = colonial_office(play, power)
    income = office + colonial_income(figures)
    net = income - figures["21"]
    lines: dict[str, int | None] = dict.fromkeys(tables.record)
    lines.update(figures)
    lines["10"], lines["15"], lines["22"] = office, income, max(0, net)
    play.emit(
        ev.RecordWritten(
            power=power,
            lines=lines,
            fresh=True,
            upkeep=upkeep_counted(tables, play.state, power),
            had_control=has_control(play.state, power),
            rules=SHEET_RULES,
        )
    )
    left = play.state.powers[power].treasury
    # the Treasury is set: what was left of the last turn is gone
    play.money(power, max(0, net) - left, "net income of the turn", ("ADM-018", "ADM-019"))
    if net < 0:
        cover(play, power, -net)


# --- the Colonial Office ------------------------------------------------------------------------------------------


def has_control(state: State, power: str) -> bool:
    """Whether the Power has an established Control marker on the map, linked or not (R-ADM-05)."""
    return any(marker in CONTROL for _, marker in holdings(state, power))


def rolls(tables: Tables, state: State, power: str) -> bool:
    """Whether the Power rolls for its Colonial Office, instead of taking the column of the six.

    Austria-Hungary always does; Belgium does from its first Control marker on, even if it has lost it since.

    Rules: ADM-009, ADM-010, BEL-009, R-BEL-01
    """
    kind = tables.powers[power].kind
    if kind == "played_by_germany":
        return True
    if kind == "minor_or_eighth_player":
        return state.powers[power].had_control
    return has_control(state, power)


def office_events(tables: Tables, state: State, power: str) -> list[RandomEvent]:
    """Events of this turn that change the Power's Colonial Office income.

    Rules: EVT-013, EVT-043, EVT-045, EVT-047, EVT-050 to EVT-055, EVT-061
    """
    events = [tables.events[d] for d in state.events]
    return [e for e in events if e.power == power and e.office]


def changed(amount: int, events: list[RandomEvent]) -> int:
    """Colonial Office income in pounds that the events of the turn double or halve; halves go up.

    Rules: EVT-013, EVT-043, EVT-045, EVT-050 to EVT-055, EVT-061
    """
    kinds = [e.office for e in events]
    amount *= 2 ** kinds.count("double")
    for _ in range(kinds.count("halve")):
        amount = (amount + 1) // 2
    return amount


def colonial_office(play: Play, power: str) -> int:
    """Line 10 of a Power in pounds: one die on its row, or the column of the six, and the events of the turn.

    An event that takes the income away altogether beats all others, and no die is rolled for it.

    Rules: ADM-008, ADM-009, ADM-010, SET-067, BEL-008, BEL-009, BEL-011, EVT-013, EVT-023, EVT-045, EVT-047
    """
    tables, state = play.tables, play.state
    events = office_events(tables, state, power)
    rules = ["ADM-008", *(e.rules[0] for e in events if e.rules)]
    notes = [f"{e.title}: {e.office}" for e in events]
    if any(e.office == "none" for e in events):
        die = column = 0
    elif rolls(tables, state, power):
        die = column = play.dice.roll()
        if tables.powers[power].kind == "played_by_germany":
            rules.append("ADM-010")
    else:
        die, column = 0, SIX
        notes.insert(0, "no Control marker, the column of the six")
        rules.append("BEL-009" if tables.powers[power].kind == "minor_or_eighth_player" else "ADM-009")
    row = tables.colonial_office[power]
    if state.leopold and tables.powers[power].kind == "minor_or_eighth_player":
        row = tables.colonial_office[FULL_ROW]
        notes.append("King Leopold demands colonial expansion: not halved")
        rules.append("BEL-011")
    if sum(e.office == "double" for e in events) > 1 and column:
        rules.append("EVT-013")
    amount = changed(row[column - 1], events) if column else 0
    play.emit(ev.OfficeIncome(power=power, die=die, amount=amount, note="; ".join(notes), rules=tuple(rules)))
    return amount


PHASE = Phase(name="administrative", run=run)
