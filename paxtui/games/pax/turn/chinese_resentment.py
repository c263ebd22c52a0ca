"""The Chinese Resentment Phase: it raises the Index, then rolls three dice for a Chinese Rebellion. Rules: CRI-005."""

from __future__ import annotations

from paxtui.games.pax.board.status import is_chinese
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, POSSESSION
from paxtui.games.pax.text.display import place_name
from paxtui.games.pax.transaction import Phase, Transaction


def run_chinese_resentment(play: Transaction) -> None:
    """Adjust the Index, then roll the dice against the new Index (CRI-002)."""
    adjust_resentment(play)
    check_rebellion(play)


def adjust_resentment(play: Transaction) -> None:
    """Raise the Index for each established Control marker in Areas of the Chinese Empire, Minor Powers' included.

    Each counts three points at any level; with the option `cri_per_phase` it follows the sheet.

    Rules: SEQ-022, CRI-008, CRI-012, CRI-017
    """
    tables = play.tables
    by_sheet = play.state.options.cri_per_phase == "sheet"
    for area, here in play.state.areas.items():
        if not here.markers or is_chinese(tables, play.state, area) != "empire":
            continue
        for m in here.markers:
            if m.established and m.marker in CONTROL:
                points = tables.resentment[m.marker]
                amount = points.per_phase_sheet if by_sheet else points.per_phase
                what = f"{tables.markers[m.marker].name} in {place_name(tables, area)}"
                play.resentment(amount, what, ("CRI-008", "SEQ-022"), m.power, area)


def can_rebel(tables: Tables, state: State) -> bool:
    """Return whether a Chinese Army could be placed: an Area of the Placement Table without a Possession.

    Rules: CRI-009, R-CRI-05
    """
    return any(
        not any(m.established and m.marker == POSSESSION for m in state.areas[area].markers)
        for area in tables.chinese_armies.values()
    )


def check_rebellion(play: Transaction) -> None:
    """Roll three dice against the Index; a Rebellion belongs to the War Phase of this turn.

    Rules: SEQ-023, CRI-002, CRI-003, CRI-004, CRI-009, CRI-014
    """
    if not can_rebel(play.tables, play.state):
        play.add_note(
            "no_rebellion",
            "Every Area where Chinese Armies could appear is a Possession: no dice, no Rebellion.",
            ("CRI-009",),
        )
        return
    dice = play.dice.roll_many(3)
    number = play.state.resentment // 10  # the Index without its last digit
    rises = sum(dice) <= number
    play.emit(
        events.RebellionChecked(
            dice=dice, target=number, rebellion=rises, rules=("CRI-003", "CRI-004", "CRI-014", "SEQ-023")
        )
    )
    if rises:
        play.emit(events.WarDue(war="chinese_rebellion", rules=("CRI-003",)))


PHASE = Phase(name="chinese_resentment", run=run_chinese_resentment)
