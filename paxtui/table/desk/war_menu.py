"""What can be done at a place in War, or on the way to it: steps, attacks, declarations, coaling, passages.

Every line is one of the menu of War (`paxtui.pax.menus.war_menu`), put where a player looks for it; what is forbidden
here and now says why.
"""

from __future__ import annotations

from collections.abc import Iterator

from paxtui.engine.refusal import Refusal
from paxtui.pax.board.passages import area_of
from paxtui.pax.board.tables import HOME
from paxtui.pax.menus import war_menu
from paxtui.pax.menus.menu import MenuItem
from paxtui.pax.menus.trial import try_action
from paxtui.pax.narration.choice_narration import option
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.choices import options_of
from paxtui.pax.reports.war import odds
from paxtui.pax.state.model import State, units_at
from paxtui.pax.state.pieces import ARMY, NAVAL
from paxtui.pax.state.war import ATTACK, MANEUVER, War
from paxtui.pax.war import alliances, cycle
from paxtui.pax.war.ottomans import heart
from paxtui.pax.words.spoken import power_name, the_power, the_powers, the_zone
from paxtui.table.session import Session

MOVE = "Move Units from here (v)"
"""The line that begins a move."""


def war_lines(session: Session, place: str, power: str) -> list[MenuItem]:
    """Every line of War for a place; empty where War has nothing to do with it.

    Args: the open game; the place; one of the seat's Powers: its own acts are listed, and with the seat's principal
        Power those of the Powers that the seat commands besides.
    """
    state = session.live
    if state.result is not None:
        return []
    acts = [a for a in _orders(session) if place in places_of(session, a) and _whose(session, a, power)]
    items = [_line(session, a, label(session, a)) for a in acts]
    if state.phase == "war" and state.wars:
        items = [*_steps(session, place, power), *_answers(session, place), *items]
        items += _attacks_barred(session, place, power, acts)
    return items


def _orders(session: Session) -> list[ac.Action]:
    """All orders of War that are open to the seat."""
    return session.derived("war_orders", lambda: list(war_menu.orders(session.tables, session.live, session.seat)))


def _whose(session: Session, action: ac.Action, power: str) -> bool:
    own = getattr(action, "power", "") or session.seat
    return own == power or (power == session.seat and own not in session.my_powers())


def places_of(session: Session, action: ac.Action) -> tuple[str, ...]:
    """The places at which an order of War is listed."""
    if isinstance(action, ac.Attack):
        return (action.place,)
    if isinstance(action, ac.Volunteer):
        return (action.area,)
    if isinstance(action, ac.Deny | ac.Allow):
        return (area_of(session.tables, action.passage),)
    if isinstance(action, ac.AnnounceEnd):
        return (HOME + (action.power or session.seat),)
    if isinstance(action, ac.DeclareWar):
        causes = [c for c in session.live.casus_belli if c.holder == (action.power or session.seat)]
        about = tuple(c.area for c in causes if c.against in action.on and c.area)
        return (*(HOME + power for power in action.on), *about)
    if isinstance(action, ac.JoinWar):
        return (heart(session.tables),)
    if isinstance(action, ac.InviteAid):
        return (heart(session.tables), *(HOME + guest for guest in action.guests))
    return ()


def label(session: Session, action: ac.Action) -> str:
    """What a menu calls an order of War."""
    tables, state = session.tables, session.live
    own = getattr(action, "power", "")
    whose = f"{power_name(tables, own)}: " if own and own != session.power else ""
    text = ""
    if isinstance(action, ac.Attack):
        text = f"Attack with {_forces(session, action)}"
    elif isinstance(action, ac.Volunteer):
        to = next((w.alliance(w.side_of(action.to)) for w in cycle.fought(state) if w.side_of(action.to)), (action.to,))
        text = f"Volunteer for coaling to {the_powers(tables, to)}"
    elif isinstance(action, ac.Deny | ac.Allow):
        what = "Close" if isinstance(action, ac.Deny) else "Open"
        passage = action.passage.replace("_", " ").title()
        text = f"{what} {'the ' if passage == 'Straits' else ''}{passage} to {the_power(tables, action.to)}"
    elif isinstance(action, ac.DeclareWar):
        over = f" over {action.over[0]}" if action.over else ""
        text = f"⚔ Declare War on {the_powers(tables, action.on)}{over}…"
    elif isinstance(action, ac.JoinWar):
        text = f"⚔ Join the War at the side of {the_power(tables, action.side)}…"
    elif isinstance(action, ac.InviteAid):
        text = f"Ask {the_powers(tables, action.guests)} for aid against the Ottoman Empire, and nobody else"
    elif isinstance(action, ac.AnnounceEnd):
        text = "Announce the end of the War"
    return whose + text


def _forces(session: Session, action: ac.Attack) -> str:
    """The forces of an attack with all allies, and what it can bring."""
    war, kind = cycle.current(session.live), NAVAL if action.naval or action.place not in session.tables.areas else ARMY
    if war is None:
        return kind
    found = odds.assault(session.tables, session.live, war, action.place, kind, ())
    return f"{'fleets' if kind == NAVAL else 'armies'}: {odds.summary(found)}"


def _line(session: Session, action: ac.Action, text: str) -> MenuItem:
    said = try_action(session.tables, session.live, session.seat, action)
    if isinstance(said, Refusal):
        return MenuItem(action, text, False, 0, said.code, said.rules, said.message)
    return MenuItem(action, text, True, rules=tuple(dict.fromkeys(r for e in said for r in e.rules)))


# --- steps and answers --------------------------------------------------------------------------------------------


def movable(session: Session, place: str) -> tuple[str, ...]:
    """The Powers that the seat commands in the War played now and that have Units in a place that may move still."""
    state = session.live
    war = cycle.current(state) if state.phase == "war" else None
    if war is None or war.stage != MANEUVER:
        return ()
    own = alliances.commanded(session.tables, state, war, session.seat)
    here = {u.power for u in units_at(state, place) if not u.halted}
    return tuple(p for p in own if p in here and war.side_of(p) == war.turn_of)


def _steps(session: Session, place: str, power: str) -> Iterator[MenuItem]:
    """The move, and the way through from one coast to the other, which no walk on the map can say."""
    if power != session.seat and power not in movable(session, place):
        return
    if movable(session, place):
        yield MenuItem(None, MOVE, True, rules=("WMV-006",))
    for moves in war_menu.moves(session.tables, session.live, session.seat):
        if moves.start != place or not _whose(session, ac.Move((), (), power=moves.power), power):
            continue
        for end in moves.ends:
            if end.place == place:
                own = "" if moves.power == session.seat else moves.power
                for name in dict.fromkeys(moves.units):
                    action = ac.Move((name,), (place, place), end.coast, own)
                    yield _line(session, action, f"Take {name} through to {the_zone(session.tables, end.coast)}")


def _answers(session: Session, place: str) -> Iterator[MenuItem]:
    """The answers to what is asked about the place, where one of a few is to be given."""
    for choice in session.live.choices:
        if choice.seat == session.seat and choice.area == place and not choice.about.several:
            for text in options_of(choice):
                said = option(session.tables, choice, text)
                yield MenuItem(ac.Choose(choice.id, (text,)), said[:1].upper() + said[1:], True, rules=choice.rules)


def _attacks_barred(session: Session, place: str, power: str, acts: list[ac.Action]) -> Iterator[MenuItem]:
    """Attacks on the enemy in the place that are not open now, each with its reason."""
    state = session.live
    open_ = {a.naval or a.place not in session.tables.areas for a in acts if isinstance(a, ac.Attack)}
    for war in cycle.fought(state):
        for own in alliances.commanded(session.tables, state, war, session.seat):
            if not _whose(session, ac.Attack(place, power=own), power):
                continue
            for kind in sorted(_facing(state, war, place, own)):
                naval = kind == NAVAL
                if naval not in open_:
                    open_.add(naval)
                    order = ac.Attack(place, naval, "" if own == session.seat else own)
                    item = _line(session, order, f"Attack with {'fleets' if naval else 'armies'}")
                    if not item.allowed:
                        yield item


def _facing(state: State, war: War, place: str, power: str) -> set[str]:
    """The kinds of Units of a Power that stand in a place among Units of the same kind of an enemy."""
    units = units_at(state, place)
    foes = {u.kind for u in units if u.power in alliances.enemies(war, power)}
    kinds = {u.kind for u in units if u.power == power} & foes
    return kinds if place in state.areas else kinds - {ARMY}


def can_attack(session: Session) -> tuple[str, ...]:
    """The places where the seat may attack now."""
    war = cycle.current(session.live) if session.live.phase == "war" else None
    if war is None or war.stage != ATTACK:
        return ()
    return tuple(dict.fromkeys(a.place for a in _orders(session) if isinstance(a, ac.Attack)))
