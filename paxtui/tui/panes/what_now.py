"""What now: who must act, what the seat may do, and what is missing before it can be ready."""

from __future__ import annotations

from rich.text import Text

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.tables import Tables
from paxtui.pax.menus.trial import try_action
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import casus_belli
from paxtui.pax.state.model import State
from paxtui.pax.words.spoken import phase_name, power_name
from paxtui.table.own_files import unread
from paxtui.table.session import Session
from paxtui.tui.panes.look import Look, pounds


def what_now(session: Session, look: Look, width: int) -> Text:
    """Who must act, what the seat may do, what is missing before it can be ready."""
    tables, state = session.tables, session.state
    seat = session.seat
    out = look.text(look.power(tables, seat), f" · {phase_name(state.phase)}\n")
    if session.at is not None:
        out.append(f"You look at line {session.at}. ] goes on, End returns to the present.\n", look.alarm)
    if state.result is not None:
        return out + _final(session, look)
    for power in session.my_powers():
        if power in state.powers:
            p = state.powers[power]
            due = f", {p.merchants_due} Merchant Fleet{'s' if p.merchants_due > 1 else ''} due" * bool(p.merchants_due)
            name = "You have" if power == seat else f"{power_name(tables, power)} has"
            out.append(f"{name} {pounds(p.treasury)}{due}.\n")
    mine = [c for c in state.choices if c.seat == seat]
    for choice in mine:
        out.append_text(look.text((f"{choice.id} ", look.key), f"{choice.prompt or choice.kind}: "))
        options = " / ".join(o if isinstance(o, str) else " ".join(o) for o in choice.options[:8])
        out.append(f"{options}  (c answers)\n", look.faint)
    if session.at is not None:
        return out
    if not session.waiting():
        out.append(f"Everything is ready for the {phase_name(state.phase)} Phase: ")
        out.append("r", look.key)
        out.append(" rolls the dice and plays on.\n")
        return out
    if state.phase == "movement":
        out.append_text(_movement_hints(session, look))
    elif state.phase == "negotiation":
        for cause in state.casus_belli:
            if {cause.holder, cause.against} & set(session.my_powers()):
                out.append(f"⚔ {cause.id} {casus_belli.said(tables, cause)}\n", look.alarm)
        out.append(
            "Pay, hand over markers, propose (t), call a Congress (C), lower or waive; then be ready (r).\n"
        )
    new = unread(session)
    if new:
        out.append(f"{new} unread dispatch{'es' if new > 1 else ''} ", look.key)
        out.append("(d)\n", look.faint)
    for event in _reminders(tables, state, seat):
        out.append(f"• {event}\n", look.ink("china"))
    due_seats = session.waiting()
    if due_seats:
        out.append("waiting for ", look.faint)
        for s in due_seats:
            out.append_text(look.text(look.power(tables, s, long=False), " "))
        out.append("\n")
    return out


def hint(session: Session, look: Look) -> Text:
    """What now in one line, for small screens."""
    tables, state, seat = session.tables, session.state, session.seat
    out = look.text(look.power(tables, seat), " ")
    out.no_wrap = True
    out.overflow = "ellipsis"
    if seat in state.powers:
        out.append(f"{pounds(state.powers[seat].treasury)} · ")
    mine = [c for c in state.choices if c.seat == seat]
    if session.at is not None:
        out.append(f"looking at line {session.at}; End returns", look.alarm)
    elif mine:
        out.append(f"choose ({len(mine)}): {mine[0].prompt or mine[0].kind}  c answers", look.key)
    elif state.result is not None:
        out.append("the game is over: 1 shows the ranks", look.key)
    elif not session.waiting():
        out.append("r rolls the dice and plays on", look.key)
    elif seat in state.ready:
        out.append("ready", look.good)
    elif state.phase == "movement":
        blocked = try_action(tables, session.live, seat, ac.Ready())
        if isinstance(blocked, Refusal):
            out.append(f"! {blocked.message}", look.alarm)
        else:
            out.append("place, change, build and move; then r")
    else:
        out.append(phase_name(state.phase))
    return out


def _movement_hints(session: Session, look: Look) -> Text:
    """What stands between the seat and being ready."""
    out = Text()
    if session.seat in session.live.ready:
        out.append("You are ready. An act of yours, or a rival's, reopens your turn.\n", look.good)
        return out
    out.append("Place, change, build and move; then be ready (r).\n")
    blocked = try_action(session.tables, session.live, session.seat, ac.Ready())
    if isinstance(blocked, Refusal):
        out.append(f"! {blocked.message}", look.alarm)
        out.append(f" [{', '.join(blocked.rules[:2])}]\n", look.faint)
    return out


def _reminders(tables: Tables, state: State, seat: str) -> list[str]:
    """Random Events of the turn that concern the seat."""
    out = []
    for dice in state.events:
        event = tables.events[dice]
        named = event.power or (event.permit.power if event.permit else "")
        if named and tables.powers[named].seat in (seat, "") and named in (seat, *_played(tables, seat)):
            out.append(f"{event.title} is in force this turn ({dice}).")
    return out


def _played(tables: Tables, seat: str) -> tuple[str, ...]:
    return tuple(p.id for p in tables.powers.values() if p.seat == seat)


def _final(session: Session, look: Look) -> Text:
    """The ranks of a finished game."""
    tables, result = session.tables, session.state.result
    out = Text()
    if result is None:
        return out
    why = "The Great War has broken out." if result.reason == "great_war" else "The tenth Game Turn is over."
    out.append(why + "\n", "bold")
    if result.culprits:
        out.append(f"To blame: {', '.join(power_name(tables, c) for c in result.culprits)}\n", look.alarm)
    for seat, rank in sorted(result.ranks.items(), key=lambda kv: (kv[1], kv[0])):
        out.append_text(look.text(f"{rank:>2}. ", look.power(tables, seat), f"  {result.totals.get(seat, 0)} VP\n"))
    return out
