"""The Chinese Resentment Phase: the yearly rise of the Index, then three dice for a Chinese Rebellion.

Rules: SEQ-022, SEQ-023, CRI-001 to CRI-005, CRI-008, CRI-009, CRI-012 to CRI-014, CRI-017
"""

from __future__ import annotations

from paxtui.pax.board.status import is_chinese
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, POSSESSION
from paxtui.pax.words.spoken import place_name


def run(play: Play) -> None:
    """First the adjustment, then the dice against the new Index (CRI-002)."""
    adjust(play)
    check(play)


def adjust(play: Play) -> None:
    """Raise the Index for every established Control marker in an Area of the Chinese Empire, Minor Powers' too.

    Three points each, whatever its level; by the sheet with the option `cri_per_phase`.

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


def target(state: State) -> int:
    """The number that three dice must not exceed for a Rebellion: the Index without its last digit.

    Rules: CRI-003, CRI-004
    """
    return state.resentment // 10


def can_rise(tables: Tables, state: State) -> bool:
    """Whether a Chinese Army could be placed: an Area of the Placement Table that is nobody's Possession.

    Rules: CRI-009, R-CRI-05
    """
    return any(
        not any(m.established and m.marker == POSSESSION for m in state.areas[area].markers)
        for area in tables.chinese_armies.values()
    )


def check(play: Play) -> None:
    """Three dice against the Index; the Rebellion they bring is for the War Phase of this turn.

    Rules: SEQ-023, CRI-002, CRI-003, CRI-009, CRI-014
    """
    if not can_rise(play.tables, play.state):
        play.noted(
            "no_rebellion",
            "Every Area where Chinese Armies could appear is a Possession: no dice, no Rebellion.",
            ("CRI-009",),
        )
        return
    dice = play.dice.roll_many(3)
    number = target(play.state)
    rises = sum(dice) <= number
    play.emit(
        ev.RebellionChecked(
            dice=dice, target=number, rebellion=rises, rules=("CRI-003", "CRI-004", "CRI-014", "SEQ-023")
        )
    )
    if rises:
        play.emit(ev.WarDue(war="chinese_rebellion", rules=("CRI-003",)))


PHASE = Phase(name="chinese_resentment", run=run)
