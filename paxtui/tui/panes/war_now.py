"""What the seat at the keyboard can do in a War Phase, in a sentence with the keys that do it."""

from __future__ import annotations

from collections.abc import Callable

from paxtui.pax.reports.war import standing
from paxtui.pax.reports.war.peace_terms import wars_to_end
from paxtui.pax.state.war import ATTACK, FOUGHT, MANEUVER, War
from paxtui.pax.war import aid, cycle, ottomans
from paxtui.pax.words.spoken import place_name, the_powers
from paxtui.table.session import Session

KeyOf = Callable[[str, str], str]


def told(session: Session, key_of: KeyOf) -> str:
    """Where the War played now is, and what the seat can do there.

    Args: the open game; gives the key of a binding as people write it, from its id and the key it has by itself.
    """
    tables, state = session.tables, session.state
    war = cycle.current(state) if state.top.step == FOUGHT else None
    ready = key_of("game.ready", "r")
    if len(session.seats_here()) == 1:
        ready += f"; {key_of('game.all_ready', 'R')} passes until something concerns you"
    asked = any(c.seat == session.seat and c.about.pressing for c in state.choices)
    mine = session.seat in session.waiting() and not asked
    if war is None:
        if forming := aid.forming(state):
            return _aid(session, forming, mine, ready)
        if not mine:
            return "The War Phase opens with the declarations of others."
        return f"Declare War (Enter on the enemy's Home Country or the Area in dispute), or pass ({ready})."
    where = standing.moment(tables, war)
    head = f"{where[:1].upper()}{where[1:]}. "
    peace = f" {key_of('game.peace', 'P')} makes peace." if wars_to_end(tables, session.live, session.power) else ""
    if mine and war.stage == MANEUVER:
        move = key_of("game.move", "v")
        return f"{head}Move Units a step each ({move} where they stand), then pass ({ready}).{peace}"
    if mine and war.stage == ATTACK:
        return f"{head}Attack (Enter on a place with ⚔), then pass ({ready}).{peace}"
    if mine:
        return f"{head}Declare War on what gives you a cause, or pass ({ready}).{peace}"
    waiting = session.waiting()
    if asked:
        return f"{head}First answer what you are asked ({key_of('game.choose', 'c')})."
    return head + (f"It is for {the_powers(tables, waiting)} to act." if waiting else "")


def _aid(session: Session, war: War, mine: bool, ready: str) -> str:
    """What the seat can do in the Alliance Determination of an Ottoman War."""
    where = standing.moment(session.tables, war)
    head, heart = f"{where[:1].upper()}{where[1:]}. ", place_name(session.tables, ottomans.heart(session.tables))
    if not mine:
        waiting = session.waiting()
        return head + (f"It is for {the_powers(session.tables, waiting)} to say." if waiting else "")
    if war.turn_of == aid.EMPIRE:
        return f"{head}Come to the Empire's aid (Enter on {heart}), or pass ({ready})."
    return f"{head}Ask others for aid, once (: invite POWERS, or Enter on {heart}), or pass ({ready})."


def short(session: Session, key_of: KeyOf) -> str:
    """The same in a few words, for small screens."""
    state = session.state
    war = cycle.current(state) if state.top.step == FOUGHT else None
    ready = key_of("game.ready", "r")
    if session.seat not in session.waiting():
        return standing.moment(session.tables, war) if war else "War"
    if war is None and (forming := aid.forming(state)):
        return f"{'join the Empire' if forming.turn_of == aid.EMPIRE else 'invite Powers'}, or pass ({ready})"
    if war is None:
        return f"declare War, or pass ({ready})"
    if war.stage == MANEUVER:
        return f"cycle {war.cycle}: move a step each ({key_of('game.move', 'v')}), then {ready}"
    return f"cycle {war.cycle}: attack (Enter on ⚔), then {ready}" if war.stage == ATTACK else f"declare, or {ready}"
