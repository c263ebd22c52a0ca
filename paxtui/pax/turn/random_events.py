"""The Random Events Phase: how many events, which ones, and what they do at once.

What an event does later in the turn is remembered by `State.events` and read where it matters.
Rules: EVT-001 to EVT-011, EVT-026 to EVT-029, EVT-042 to EVT-062, EVT-064, BEL-010, SEQ-006, SEQ-007
"""

from __future__ import annotations

from paxtui.pax.board.tables import RandomEvent
from paxtui.pax.history import events as ev
from paxtui.pax.play import casus_belli
from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play
from paxtui.pax.state.model import State


def run(play: Play) -> None:
    """Roll the number of events, then each event, carrying one out before the next is rolled.

    Rules: EVT-001, EVT-002, EVT-003, SEQ-006, SEQ-007
    """
    count = play.dice.roll()
    what = "1 Random Event" if count == 1 else f"{count} Random Events"
    play.emit(ev.DiceRolled(what="number_of_events", dice=(count,), outcome=what, rules=("EVT-003", "SEQ-006")))
    for _ in range(count):
        happen(play, roll_event(play))


def roll_event(play: Play) -> RandomEvent:
    """Two dice read in order; a headline that cannot happen (again) this turn is rolled again.

    Rules: EVT-005, EVT-008, EVT-044
    """
    while True:
        event = play.tables.events[f"{play.dice.roll()}-{play.dice.roll()}"]
        why, rules = why_not(play.state, event)
        if not why:
            return event
        play.emit(ev.RandomEventRolled(event=event.dice, title=event.title, happens=False, why=why, rules=rules))


def why_not(state: State, event: RandomEvent) -> tuple[str, tuple[str, ...]]:
    """Why an event cannot happen in this Phase, with the rules; ("", ()) if it can. Unrest always can.

    Rules: EVT-008, EVT-009, EVT-044
    """
    if event.unrest:
        return "", ()
    if event.dice in state.events:
        return "it has happened this turn already", ("EVT-008",)
    if any(other in state.events for other in event.excludes):
        return "the contrary has happened this turn", ("EVT-044",)
    return "", ()


def happen(play: Play, event: RandomEvent) -> None:
    """Carry an event out: what it does at once, in the order of its text.

    Rules: EVT-006, EVT-010, EVT-011, EVT-042 to EVT-062, EVT-064, BEL-010

    Raises: GameOver, with nobody to blame.
    """
    own = event.rules[:1]
    minor = bool(event.power) and event.power in play.state.minors
    leopold = bool(event.extra) and event.with_player in play.state.players and not play.state.leopold
    play.emit(
        ev.RandomEventRolled(
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
        play.noted(
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
        casus_belli.arise(play, event.power, event.casus_belli_against, "", next(named, event.title), own)
    if event.unrest:
        unrest(play, event.unrest)


def unrest(play: Play, letter: str) -> None:
    """An Area of the Unrest Table goes into Unrest; one that is in Unrest already is rolled again on this Table.

    Rules: EVT-026, EVT-027, EVT-028, EVT-029
    """
    table = play.tables.unrest[letter]
    if all(play.state.areas[area].unrest for area in table.rows.values()):
        play.noted("no_area_left", f"Every Area of Unrest Table {letter} is in Unrest already.", ("EVT-028",))
        return
    while True:
        dice = play.dice.roll_many(table.dice)
        area = table.rows["-".join(map(str, dice))]
        again = play.state.areas[area].unrest
        rules = ("EVT-028",) if again else ("EVT-026", "EVT-027")
        play.emit(ev.UnrestBegan(area=area, table=letter, dice=dice, happens=not again, rules=rules))
        if not again:
            return


PHASE = Phase(name="random_events", run=run)
