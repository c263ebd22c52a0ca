"""Alliance Determination of an Ottoman War: who comes to the Empire's aid, then whom its enemies ask for theirs.

Two windows, in this order and once only. The Phase is the one of the Alliance whose aid is asked about (`turn_of`).
Whoever joins declares War on the other side and adds 5 to the European Tensions Index.

Rules: OTT-005, OTT-006, OTT-007, OTT-035, SET-070, WAR-020, WAR-041, AUS-014 (R-OTT-03, R-OTT-17, Decision 6)
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.board.status import seat_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.play import GameOver, Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import EXPANSION
from paxtui.pax.state.questions import Invitation, Pending
from paxtui.pax.state.war import ALLIANCES, OTTOMAN, Declaration, War
from paxtui.pax.war import calls, cycle, declarations, empire, great_war, ottomans
from paxtui.pax.words.spoken import power_name, powers_named

EMPIRE, ENEMIES = 1, 2
"""Numbers of the Alliances of an Ottoman War, and the windows in which their aid is asked about."""
JOIN, STAY = "join", "stay out"
"""What a Power that is asked for aid may answer."""


# --- the windows ----------------------------------------------------------------------------------------------------


def forming(state: State) -> War | None:
    """The Ottoman War in its Alliance Determination, None where there is none now.

    Rules: OTT-004, OTT-007
    """
    war = next(iter(cycle.fought(state)), None)
    return war if war and war.kind == OTTOMAN and war.stage == ALLIANCES else None


def asked(tables: Tables, state: State) -> tuple[str, ...]:
    """The seats that may come to the Empire's aid now, or ask for aid against it.

    Rules: OTT-005, OTT-006, OTT-007
    """
    war = forming(state)
    if war is None:
        return ()
    if war.turn_of == EMPIRE:
        powers = [p for p in state.powers if may_aid(tables, state, war, p)]
    else:
        powers = [p for p in state.powers if may_ask(tables, state, war, p)]
    seats = {seat_of(tables, state, p) for p in powers}
    return tuple(seat for seat in state.players if seat in seats)


def go_on(play: Play) -> bool:
    """One step of the Alliance Determination; whether there was one, or the Ottoman War may be fought now.

    Rules: OTT-007, OTT-012
    """
    war = forming(play.state)
    if war is None:
        return False
    if war.turn_of == 0:
        ottomans.take_the_field(play)
        _window(play, war, EMPIRE, ("OTT-005", "OTT-007"))
        return True
    if war.turn_of == EMPIRE:
        _window(play, war, ENEMIES, ("OTT-006", "OTT-007"))
        return True
    return _ask_next(play, war)


def _window(play: Play, war: War, side: int, rules: tuple[str, ...]) -> None:
    play.emit(
        ev.WarPhaseBegan(war=war.id, stage=ALLIANCES, turn_of=side, since=play.state.next_cause, rules=rules)
    )


# --- who may --------------------------------------------------------------------------------------------------------


def may_aid(tables: Tables, state: State, war: War, power: str) -> bool:
    """Whether a Power may come to the Empire's aid now.

    Who has come with another Power of its seat may follow it.

    Rules: OTT-005, OTT-007, SET-070
    """
    if war.turn_of != EMPIRE or war.side_of(power) or power not in state.powers:
        return False
    seat = seat_of(tables, state, power)
    return all(seat_of(tables, state, p) != seat for p in war.alliance(ENEMIES) if p in state.powers)


def may_ask(tables: Tables, state: State, war: War, power: str) -> bool:
    """Whether a Power may ask for aid now: one that the Empire has declared War on, once.

    Rules: OTT-006, OTT-007
    """
    first = war.turn_of == ENEMIES and power in war.declared and power in war.alliance(ENEMIES)
    once = not any(guest.host == power for guest in war.guests)
    return first and once and power in state.powers and bool(guests_for(tables, state, war))


def guests_for(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """The Powers that may still be asked for aid against the Empire. Minor Powers would stay out (R-OTT-17).

    Rules: OTT-006, AUS-014
    """
    known = {guest.power for guest in war.guests}
    foes = {seat_of(tables, state, p) for p in war.alliance(EMPIRE) if p in state.powers}
    return tuple(
        p
        for p in state.powers
        if p not in known and not war.side_of(p) and seat_of(tables, state, p) not in foes
    )


# --- the orders -----------------------------------------------------------------------------------------------------


def join(play: Play, power: str, action: ac.JoinWar) -> None:
    """Come to the aid of the Ottoman Empire: a declaration of War on all its enemies, for which no cause is needed.

    Raises: Refusal `no_war_to_join`, `not_invited`, `oneself`; GameOver.
    Rules: OTT-005, OTT-006, OTT-007, OTT-035, SET-070
    """
    war = forming(play.state)
    if war is None or war.turn_of == 0:
        refuse("no_war_to_join", ("OTT-005", "SET-070"), "There is no War that one may join without a Casus Belli.")
    if action.side != EXPANSION:
        refuse("not_invited", ("OTT-006",), "The Empire's enemies are helped by those only whom they have asked.")
    if war.turn_of != EMPIRE or war.side_of(power):
        refuse("no_war_to_join", ("OTT-007",), "The Empire's aid is decided first, and once only.")
    if not may_aid(play.tables, play.state, war, power):
        refuse("oneself", ("AUS-014",), "A Power of your own seat stands on the other side.")
    _declare(play, war, power, EMPIRE, ("OTT-005", "OTT-035", "ETI-019"))


def invite(play: Play, power: str, action: ac.InviteAid) -> None:
    """Ask Powers for aid against the Ottoman Empire, once; they answer in the order in which they are named.

    Raises: Refusal `no_war_to_join`, `twice`, `no_guest`.
    Rules: OTT-006, OTT-007
    """
    tables, state = play.tables, play.state
    war = forming(state)
    if war is None or not may_ask(tables, state, war, power):
        refuse(
            "no_war_to_join",
            ("OTT-006", "OTT-007"),
            "Aid is asked for in an Ottoman War, once, by those whom the Empire has declared War on.",
        )
    if len(set(action.guests)) != len(action.guests):
        refuse("twice", ("OTT-006",), "A Power is named twice.")
    open_ = guests_for(tables, state, war)
    wrong = next((p for p in action.guests if p not in open_), "")
    if wrong:
        refuse("no_guest", ("OTT-006", "OTT-007"), f"{power_name(tables, wrong)} cannot be asked for aid.", power=wrong)
    play.emit(ev.AidAsked(war=war.id, host=power, guests=action.guests, rules=("OTT-006", "OTT-007")))
    _ask_next(play, _again(play, war))


def _again(play: Play, war: War) -> War:
    """The War as it is now."""
    return next(w for w in play.state.wars if w.id == war.id)


# --- the invitations ------------------------------------------------------------------------------------------------


def _ask_next(play: Play, war: War) -> bool:
    """Ask the first of those who have still to answer; whether there is one.

    Rules: OTT-006, OTT-007
    """
    guest = next((g for g in war.guests if not g.answer), None)
    if guest is None:
        return False
    if any(isinstance(c.about, Invitation) for c in play.state.choices):
        return True
    host = power_name(play.tables, guest.host)
    _remind(play, war, guest.power)
    play.offer(
        guest.power,
        Invitation(war=war.id, host=guest.host),
        (f"{JOIN} {guest.host}", STAY),
        STAY,
        "",
        f"{host} asks for your aid against {powers_named(play.tables, war.alliance(EMPIRE))}. Join the War, "
        f"which raises the tensions by {declarations.TENSION}, or stay out?",
        ("OTT-006", "OTT-007"),
    )
    return True


def _remind(play: Play, war: War, power: str) -> None:
    """Tell a Power, and nobody else, which Treaties it breaks by staying out. Rules: WAR-047 (R-OTT-17)."""
    owed = _calls(play, war, power)
    names = ", ".join(dict.fromkeys(call.treaty.name or call.treaty.id for call in owed))
    if names:
        seat = seat_of(play.tables, play.state, power)
        text = f"Staying out of the Ottoman War breaks {names}."
        play.noted("aid_owed", text, ("WAR-047", "WAR-049"), power=power, only=(seat,))


def answer(play: Play, choice: Pending, about: Invitation, words: tuple[str, ...]) -> None:
    """A Power that is asked for aid joins the Empire's enemies or stays out; a defensive partner breaks his Treaty so.

    Raises: Refusal `bad_answer`; GameOver.
    Rules: OTT-006, OTT-007, OTT-035, WAR-049 (R-OTT-17)
    """
    joins = one_of(choice, words) != STAY
    war = next(w for w in play.state.wars if w.id == about.war)
    play.emit(
        ev.AidAnswered(war=war.id, power=choice.power, answer=JOIN if joins else STAY, rules=("OTT-006", "OTT-007"))
    )
    if joins:
        _declare(play, _again(play, war), choice.power, ENEMIES, ("OTT-006", "OTT-035", "ETI-019"))
    else:
        for call in _calls(play, war, choice.power):
            calls.refused(play, choice.power, call)
    _ask_next(play, _again(play, war))


def _calls(play: Play, war: War, power: str) -> list[calls.Due]:
    """What calls a Power that is asked for aid: its defensive Treaties with those that the Empire, or a Power at its
    side, has declared War on. That they took new Control does not make them the ones who began it; that they declared
    War over the Empire's expansion does.

    Rules: WAR-047, WAR-051, EVT-036 (R-OTT-17)
    """
    now = play.state
    attacked = war if empire.over_expansion(play.tables, play.state, war) else replace(war, declared=())
    found = [
        call
        for declarer in war.alliance(EMPIRE)
        for call in calls.due(play.tables, now, now, Declaration(declarer, war.alliance(ENEMIES)), attacked)
        if call.power == power and call.treaty.clauses[call.clause].kind == calls.DEFENSIVE
    ]
    return list({(call.treaty.id, call.clause): call for call in found}.values())


# --- joining --------------------------------------------------------------------------------------------------------


def _declare(play: Play, war: War, power: str, side: int, rules: tuple[str, ...]) -> None:
    """A Power joins a side: a declaration of War on all of the other, with its tension, and the Great War tested.

    Whom an offensive Treaty binds to a Power that comes to the Empire's aid is called to follow it.

    Raises: GameOver.
    Rules: WAR-047, OTT-005, OTT-006, OTT-025, OTT-032, OTT-033, OTT-035, WAR-041, ETI-019 (R-OTT-03, R-GWR-06)
    """
    before = play.state
    on = war.alliance(ENEMIES if side == EMPIRE else EMPIRE)
    sides = tuple((*members, power) if n == side else members for n, members in enumerate(war.alliances, start=1))
    joined = replace(war, alliances=sides)
    declaration = Declaration(power, on)
    play.emit(ev.WarDeclared(power=power, on=on, war=joined, rules=rules))
    try:
        play.tension(declarations.TENSION, f"War declared on {powers_named(play.tables, on)}", rules, power)
    except GameOver as end:
        raise great_war.beside(play, end, joined, before, declaration) from None
    great_war.test(play, joined, before, declaration)
    for target in on:
        if target in play.tables.powers:
            declarations.end_treaties(play, before, power, target)
    declarations.end_treaties_between_enemies(play, before)
    if side == EMPIRE:
        calls.ask(play, [calls.Declared(before, declaration, joined)])
