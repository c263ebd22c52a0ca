"""The Random Events Phase: events rolled on the table, and Unrest. Later effects are stored in `State.events`."""

from __future__ import annotations

from paxtui.games.pax import casus_belli
from paxtui.games.pax.board.tables import RandomEvent
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.transaction import Phase, Transaction


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


PHASE = Phase(name="random_events", run=run_random_events)
