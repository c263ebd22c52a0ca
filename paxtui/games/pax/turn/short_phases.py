"""The Random Events Phase, the Chinese Resentment Phase, and the end of the Negotiation Phase.

Later effects of an event are stored in `State.events`. The Chinese Resentment Phase raises the Index, then rolls three
dice for a Chinese Rebellion.

Rules: CRI-005
"""

from __future__ import annotations

from paxtui.games.pax import casus_belli, transaction
from paxtui.games.pax.board.status import is_chinese
from paxtui.games.pax.board.tables import RandomEvent, Tables
from paxtui.games.pax.congress import calling
from paxtui.games.pax.diplomacy import disputes, settlement
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import CONTROL, POSSESSION
from paxtui.games.pax.text.display import place_name
from paxtui.games.pax.transaction import Phase, Transaction, seats_not_ready


def run_random_events(play: Transaction) -> None:
    """Roll the number of events, then roll and carry out each event before the next.

    Rules: EVT-001, EVT-002, EVT-003, SEQ-006, SEQ-007
    """
    count = play.dice.roll()
    what = "1 Random Event" if count == 1 else f"{count} Random Events"
    play.emit(events.DiceRolled(what="number_of_events", dice=(count,), outcome=what, rules=("EVT-003", "SEQ-006")))
    for _ in range(count):
        carry_out_event(play, roll_event(play))


def roll_event(play: Transaction) -> RandomEvent:
    """Roll two dice, read in order; roll again for an event that is impossible this turn.

    Rules: EVT-005, EVT-008, EVT-044
    """
    while True:
        event = play.tables.events[f"{play.dice.roll()}-{play.dice.roll()}"]
        why, rules = event_obstacle(play.state, event)
        if not why:
            return event
        play.emit(events.RandomEventRolled(event=event.dice, title=event.title, happens=False, why=why, rules=rules))


def event_obstacle(state: State, event: RandomEvent) -> tuple[str, tuple[str, ...]]:
    """Return why an event is impossible in this Phase, with the rules; ("", ()) if possible. Unrest always is.

    Rules: EVT-008, EVT-009, EVT-044
    """
    if event.unrest:
        return "", ()
    if event.dice in state.events:
        return "it has happened this turn already", ("EVT-008",)
    if any(other in state.events for other in event.excludes):
        return "the contrary has happened this turn", ("EVT-044",)
    return "", ()


def carry_out_event(play: Transaction, event: RandomEvent) -> None:
    """Carry out the immediate effects of an event, in the order of its text.

    Raises: GameOver, without culprits.
    Rules: EVT-006, EVT-010, EVT-011, EVT-042 to EVT-062, EVT-064, BEL-010
    """
    own = event.rules[:1]
    minor = bool(event.power) and event.power in play.state.minors
    leopold = bool(event.extra) and event.with_player in play.state.players and not play.state.leopold
    play.emit(
        events.RandomEventRolled(
            event=event.dice,
            title=event.title,
            leopold=leopold,
            balkan_war=event.balkan_war,
            rules=(
                *own,
                "EVT-005",
                *(("EVT-064",) if minor else ()),
                *(("BEL-010",) if leopold else ()),
            ),
        )
    )
    if minor and (event.office or event.spend_at_least):
        name = play.tables.powers[event.power].name
        play.add_note(
            "event_void",
            f"{name} is a Minor Power: nothing of this event but what it does to the Indexes.",
            ("EVT-064",),
            event.power,
        )
    play.tension(event.tension, event.title, (*own, "EVT-010"))
    play.resentment(event.resentment, event.title, own)
    if event.casus_belli_against and not minor:
        # the Casus Belli Summary has a row of its own for it; a replaced one may not
        named = (c.id for c in play.tables.causes if set(c.rules) & set(event.rules))
        casus_belli.create_casus_belli(play, event.power, event.casus_belli_against, "", next(named, event.title), own)
    if event.unrest:
        place_unrest(play, event.unrest)


def place_unrest(play: Transaction, letter: str) -> None:
    """Place Unrest in an Area of the Unrest Table; roll again on this Table for an Area in Unrest.

    Rules: EVT-026, EVT-027, EVT-028, EVT-029
    """
    table = play.tables.unrest[letter]
    if all(play.state.areas[area].unrest for area in table.rows.values()):
        play.add_note("no_area_left", f"Every Area of Unrest Table {letter} is in Unrest already.", ("EVT-028",))
        return
    while True:
        dice = play.dice.roll_many(table.dice)
        area = table.rows["-".join(map(str, dice))]
        again = play.state.areas[area].unrest
        rules = ("EVT-028",) if again else ("EVT-026", "EVT-027")
        play.emit(events.UnrestBegan(area=area, table=letter, dice=dice, happens=not again, rules=rules))
        if not again:
            return


RANDOM_EVENTS = Phase(name="random_events", run=run_random_events)


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


CHINESE_RESENTMENT = Phase(name="chinese_resentment", run=run_chinese_resentment)


def close_negotiation(play: Transaction) -> None:
    """End the Phase: proposals lapse, and disputes without a possible War are settled by default.

    Disputes that a Congress or a declaration at the opening of the War Phase may settle stay open.

    Rules: SEQ-019, NEG-001, NEG-002, NEG-006, NEG-029, WAR-060 (R-NEG-09, R-WAR-24)
    """
    transaction.lapse_offers(play)
    settlement.lapse_settlements(play)
    called = calling.is_called(play.state)
    if not called:
        disputes.announce_open_disputes(play)
    disputes.settle_closed_disputes(play, called)


NEGOTIATION_PHASE = Phase(name="negotiation", close=close_negotiation, waits=seats_not_ready, open=True)
