"""Where a game stands for the seat at the keyboard, and what keeps it from being ready."""

from __future__ import annotations

from paxtui.cli.plain import show as plain_show
from paxtui.cli.plain.told.reports import reminders, waits
from paxtui.cli.plain.told.text import listed, spoken
from paxtui.engine.refusal import Refusal
from paxtui.pax.board.status import units_line
from paxtui.pax.expansion.garrison_plan import garrisoned
from paxtui.pax.menus.trial import try_action
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.clock_notes import duration
from paxtui.pax.reports.war import standing as war_standing
from paxtui.pax.sequence import OPEN, waiting
from paxtui.pax.state.pieces import CONTROL
from paxtui.pax.state.war import War
from paxtui.pax.war import empire
from paxtui.pax.words.spoken import place_name, power_name
from paxtui.table.session import Session


def situation(session: Session) -> tuple[object, ...]:
    """What makes it worth saying anew where the game stands, as soon as it differs."""
    return session.seat, session.live.phase, session.live.turn, session.at, session.live.result


def standing(session: Session) -> list[str]:
    """Turn and Phase, what the seat has, who must act, and what it is reminded of."""
    s, tables, state = session, session.tables, session.state
    out = [f"{plain_show.headline(tables, state)}; line {s.line}."]
    if state.result is not None:
        return out + plain_show.result(tables, state)
    if s.at is not None:
        return [*out, "You look at the past: 'history +1' goes on, 'now' returns to the present."]
    for power in s.my_powers():
        if power in state.powers:
            p = state.powers[power]
            due = f", {p.merchants_due} Merchant Fleets due" if p.merchants_due else ""
            out.append(f"{power_name(tables, power)}: £{p.treasury}, {p.victory_points} Victory Points{due}.")
    due_seats = waiting(tables, state)
    for war in state.wars:
        out.append(f"{war_standing.title(tables, war)}; {war_standing.moment(tables, war)}.")
        out += _armies_of_an_empire(session, war)
    out.append(f"Waiting for {listed([power_name(tables, seat) for seat in due_seats])}.")
    if s.seat in state.ready and state.phase in OPEN:
        out.append("You are ready.")
    acted = [f"{power_name(tables, seat)} at {place_name(tables, place)}" for seat, place in s.acted_at.items()]
    if acted:
        out.append(f"Last acts: {listed(acted)}.")
    left = s.left
    if s.paused:
        out.append("The table is paused.")
    elif left is not None:
        out.append(f"{duration(left).capitalize()} left.")
    return out + reminders(s)


def _armies_of_an_empire(session: Session, war: War) -> list[str]:
    """Where the Armies of an Empire at War stand, which no seat has in its own list."""
    name = empire.of(war)
    found = []
    for area, here in session.state.areas.items():
        units = units_line(tuple(u for u in here.units if u.power == name))
        if name and units:
            found.append(f"{units} in {place_name(session.tables, area)}")
    return [f"{power_name(session.tables, name)}: {listed(found)}."] if found else []


def before_ready(session: Session) -> list[str]:
    """What keeps the seat from being ready, found out by trying; and new markers that nobody garrisons."""
    s = session
    if s.live.phase not in OPEN or s.seat in s.live.ready or s.live.result is not None:
        return []
    said = try_action(s.tables, s.live, s.seat, ac.Ready())
    if isinstance(said, Refusal):
        return [f"Before ready: {spoken(said.message)}{_bracket(said.rules)}", *waits(s)]
    bare = _bare(session) if s.live.phase == "movement" else []
    if bare:
        return [f"Nothing is missing before ready; mind that no army of yours is in {listed(bare)}.", *waits(s)]
    return [*waits(s), "Nothing is missing before ready."]


def _bare(session: Session) -> list[str]:
    """Areas with a Control marker of the seat, old or new, and no army of its own."""
    s = session
    return [
        s.tables.areas[area].name
        for area, here in s.live.areas.items()
        for m in here.markers
        if m.power in s.my_powers() and m.marker in CONTROL and not garrisoned(s.live, area, m.power)
    ]


def _bracket(rules: tuple[str, ...]) -> str:
    return f" [{', '.join(rules)}]" if rules else ""
