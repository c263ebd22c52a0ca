"""The Ottoman War: its start, and the two windows of its Alliance Determination.

The Empire declares War and puts its Armies into the field. Then Powers may come to the Empire's aid, and after that its
enemies may ask for aid; each window opens once. `turn_of` is the Alliance whose aid is determined. A Power that joins
declares War on the other side and adds 5 to the European Tensions Index.

Rules: Decision 6
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import controls, seat_of
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat.ottoman_expansion import heart_area
from paxtui.games.pax.events import events
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE, Holding
from paxtui.games.pax.state.questions import Invitation, Pending
from paxtui.games.pax.state.war import ALLIANCES, OTTOMAN, Declaration, War
from paxtui.games.pax.text.display import power_name, powers_text
from paxtui.games.pax.transaction import ActTable, GameOver, Transaction, refuse, single_answer
from paxtui.games.pax.visibility import seats_of
from paxtui.games.pax.war import alliances, calls, declarations, empire
from paxtui.games.pax.war.alliances import current_form, war_against_empire, with_members

FIELD_ARMIES = 3
"""Number of Armies that the Empire puts into the field (OTT-012)."""
EMPIRE, ENEMIES = 1, 2
"""Numbers of the Alliances of an Ottoman War, also used for the windows of their aid."""
JOIN_AID, STAY_OUT = "join", "stay out"
"""Answers of a Power that is asked for aid."""


def control_placers(state: State) -> tuple[Holding, ...]:
    """Return the Powers with newly taken Control in the Empire, with its Areas.

    These are the Powers that took it, or those that received it from them; none if the marker is gone.

    Rules: OTT-002, OTT-003 (R-OTT-01, R-OTT-16)
    """
    found: dict[Holding, None] = {}
    for taken in state.ottoman_wars:
        if controls(state, taken.area, taken.power):
            found[taken] = None
            continue
        for now in state.handed_over:
            if now.area == taken.area and controls(state, now.area, now.power):
                found[now] = None
    return tuple(found)


def open_ottoman_war(play: Transaction) -> None:
    """Begin one War of the Empire against all its targets of this turn, without tension.

    The Powers that took Ottoman Areas count as its first declarers. Powers that have declared War on the Empire over
    its expansion fight in the same War.

    Rules: EVT-036, OTT-002, OTT-004, OTT-025, OTT-035, ETI-041 (R-OTT-02, R-OTT-03, R-ETI-03)
    """
    taken = control_placers(play.state)
    powers = tuple(p for p in play.tables.powers if any(h.power == p for h in taken))
    if not powers:
        return
    over = tuple(dict.fromkeys(h.area for h in taken))
    war = war_against_empire(play.state, powers, over)
    war = replace(war, declared=tuple(dict.fromkeys((*war.declared, *powers))))
    war = declarations.with_fleets_noted(play.state, war)
    before = play.state
    play.emit(events.WarArose(war=war, rules=("OTT-002", "OTT-025")))
    declarations.end_treaties(play, before)


def place_field_armies(play: Transaction) -> None:
    """Place three Armies at the heart of the Empire, even if it is Controlled or holds enemies.

    Rules: OTT-012 (R-OTT-04)
    """
    units = (f"A{play.tables.other_armies.strength}",) * FIELD_ARMIES
    play.emit(events.UnitsBuilt(power=OTTOMAN_EMPIRE, units=units, place=heart_area(play.tables), rules=("OTT-012",)))


def forming_war(state: State) -> War | None:
    """Return the Ottoman War during its Alliance Determination, else None. Rules: OTT-004, OTT-007."""
    war = next(iter(alliances.active_wars(state)), None)
    return war if war and war.kind == OTTOMAN and war.stage == ALLIANCES else None


def determining_seats(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the seats that may now come to the Empire's aid, or ask for aid against it.

    Rules: OTT-005, OTT-006, OTT-007
    """
    war = forming_war(state)
    if war is None:
        return ()
    if war.turn_of == EMPIRE:
        powers = [p for p in state.powers if can_aid(tables, state, war, p)]
    else:
        powers = [p for p in state.powers if can_ask_for_aid(tables, state, war, p)]
    return seats_of(tables, state, tuple(powers))


def continue_determination(play: Transaction) -> bool:
    """Run one step of the Alliance Determination; return False if the Ottoman War is ready to be fought.

    Rules: OTT-007, OTT-012
    """
    war = forming_war(play.state)
    if war is None:
        return False
    if war.turn_of == 0:
        place_field_armies(play)
        _open_window(play, war, EMPIRE, ("OTT-005", "OTT-007"))
        return True
    if war.turn_of == EMPIRE:
        _open_window(play, war, ENEMIES, ("OTT-006", "OTT-007"))
        return True
    return _ask_next_power(play, war)


def _open_window(play: Transaction, war: War, side: int, rules: tuple[str, ...]) -> None:
    play.emit(events.WarPhaseBegan(war=war.id, stage=ALLIANCES, turn_of=side, since=play.state.next_cause, rules=rules))


def can_aid(tables: Tables, state: State, war: War, power: str) -> bool:
    """Return whether a Power may come to the Empire's aid now.

    A Power may follow another Power of its seat that has come.

    Rules: OTT-005, OTT-007, SET-070, AUS-014
    """
    if war.turn_of != EMPIRE or war.side_of(power) or power not in state.powers:
        return False
    return not _own_power_among(tables, state, power, war.alliance(ENEMIES))


def _own_power_among(tables: Tables, state: State, power: str, foes: tuple[str, ...]) -> str:
    """Return the Power of the same seat that is one of these, or an ally of one; "" for none. Rules: AUS-014."""
    return next((own for foe in foes if (own := alliances.own_power_beside(tables, state, power, foe))), "")


def can_ask_for_aid(tables: Tables, state: State, war: War, power: str) -> bool:
    """Return whether a Power may ask for aid now: once, if the Empire has declared War on it.

    Rules: OTT-006, OTT-007
    """
    first = war.turn_of == ENEMIES and power in war.declared and power in war.alliance(ENEMIES)
    once = not any(guest.host == power for guest in war.guests)
    return first and once and power in state.powers and bool(askable_powers(tables, state, war))


def askable_powers(tables: Tables, state: State, war: War) -> tuple[str, ...]:
    """Return the Powers that may still be asked for aid against the Empire. Minor Powers would refuse (R-OTT-17).

    Rules: OTT-006, AUS-014
    """
    known = {guest.power for guest in war.guests}
    foes = war.alliance(EMPIRE)
    return tuple(
        p
        for p in state.powers
        if p not in known and not war.side_of(p) and not _own_power_among(tables, state, p, foes)
    )


def join_empire(play: Transaction, power: str, action: actions.JoinWar) -> None:
    """Come to the aid of the Ottoman Empire: a declaration of War on all its enemies, without a Casus Belli.

    Raises: Refusal `no_war_to_join`, `not_invited`, `oneself`; GameOver.
    Rules: OTT-005, OTT-006, OTT-007, OTT-035, SET-070
    """
    war = forming_war(play.state)
    if war is None or war.turn_of == 0:
        refuse("no_war_to_join", ("OTT-005", "SET-070"), "There is no War that you can join without a Casus Belli.")
    if action.side != OTTOMAN_EMPIRE:
        refuse("not_invited", ("OTT-006",), "You can help the Empire's enemies only if they have asked you.")
    if war.turn_of != EMPIRE or war.side_of(power):
        refuse("no_war_to_join", ("OTT-007",), "Aid for the Empire is decided first, and only once.")
    if own := _own_power_among(play.tables, play.state, power, war.alliance(ENEMIES)):
        text = f"You play {power_name(play.tables, own)} too, which is on the other side or has an ally there."
        refuse("oneself", ("AUS-014",), text)
    _join_side(play, war, power, EMPIRE, ("OTT-005", "OTT-035", "ETI-019"))


def ask_for_aid(play: Transaction, power: str, action: actions.InviteAid) -> None:
    """Ask Powers for aid against the Ottoman Empire, once; they answer in the order of their names in the order.

    Raises: Refusal `no_war_to_join`, `twice`, `no_guest`.
    Rules: OTT-006, OTT-007
    """
    tables, state = play.tables, play.state
    war = forming_war(state)
    if war is None or not can_ask_for_aid(tables, state, war, power):
        refuse(
            "no_war_to_join",
            ("OTT-006", "OTT-007"),
            "Only Powers on which the Ottoman Empire has declared War can ask for aid, and only once.",
        )
    if len(set(action.guests)) != len(action.guests):
        refuse("twice", ("OTT-006",), "You named a Power twice.")
    open_ = askable_powers(tables, state, war)
    wrong = next((p for p in action.guests if p not in open_), "")
    if wrong:
        refuse("no_guest", ("OTT-006", "OTT-007"), f"{power_name(tables, wrong)} cannot be asked for aid.", power=wrong)
    play.emit(events.AidAsked(war=war.id, host=power, guests=action.guests, rules=("OTT-006", "OTT-007")))
    _ask_next_power(play, current_form(play.state, war))


def _ask_next_power(play: Transaction, war: War) -> bool:
    """Ask the first Power that has still to answer; return whether there is one."""
    guest = next((g for g in war.guests if not g.answer), None)
    if guest is None:
        return False
    if any(isinstance(c.about, Invitation) for c in play.state.choices):
        return True
    host = power_name(play.tables, guest.host)
    _remind_of_treaties(play, war, guest.power)
    play.offer(
        guest.power,
        Invitation(war=war.id, host=guest.host),
        (f"{JOIN_AID} {guest.host}", STAY_OUT),
        STAY_OUT,
        "",
        f"{host} asks for your aid against {powers_text(play.tables, war.alliance(EMPIRE))}. Join the War, "
        f"which raises the tensions by {declarations.DECLARATION_TENSION}, or stay out?",
        ("OTT-006", "OTT-007"),
    )
    return True


def _remind_of_treaties(play: Transaction, war: War, power: str) -> None:
    """Tell only the Power itself which Treaties it breaks by staying out."""
    owed = _calls_on(play, war, power)
    names = ", ".join(dict.fromkeys(call.treaty.name or call.treaty.id for call in owed))
    if names:
        seat = seat_of(play.tables, play.state, power)
        text = f"Staying out of the Ottoman War breaks {names}."
        play.add_note("aid_owed", text, ("WAR-047", "WAR-049"), power=power, only=(seat,))


def answer_aid_request(play: Transaction, choice: Pending, about: Invitation, words: tuple[str, ...]) -> None:
    """Join the Empire's enemies when asked for aid, or stay out; a defensive partner that stays out breaks its Treaty.

    Rules: OTT-006, OTT-007, OTT-035, WAR-049 (R-OTT-17)
    """
    joins = single_answer(choice, words) != STAY_OUT
    war = next(w for w in play.state.wars if w.id == about.war)
    play.emit(
        events.AidAnswered(
            war=war.id, power=choice.power, answer=JOIN_AID if joins else STAY_OUT, rules=("OTT-006", "OTT-007")
        )
    )
    if joins:
        _join_side(play, current_form(play.state, war), choice.power, ENEMIES, ("OTT-006", "OTT-035", "ETI-019"))
    else:
        owed = _calls_on(play, war, choice.power)
        calls.record_refusals(play, choice.power, [(call.treaty.id, call.clause) for call in owed])
    _ask_next_power(play, current_form(play.state, war))


def _calls_on(play: Transaction, war: War, power: str) -> list[calls.TreatyCall]:
    """Return the Treaty calls on a Power that is asked for aid.

    These are its defensive Treaties with the Powers on which the Empire or an ally of it has declared War. Powers that
    declared War over the Empire's expansion count as aggressors; Powers that only took new Control do not.

    Rules: WAR-047, WAR-051, EVT-036 (R-OTT-17)
    """
    now = play.state
    attacked = war if empire.is_over_expansion(play.tables, play.state, war) else replace(war, declared=())
    found = [
        call
        for declarer in war.alliance(EMPIRE)
        for call in calls.calls_due(play.tables, now, now, Declaration(declarer, war.alliance(ENEMIES)), attacked)
        if call.power == power and call.treaty.clauses[call.clause].kind == calls.DEFENSIVE
    ]
    return list({(call.treaty.id, call.clause): call for call in found}.values())


def _join_side(play: Transaction, war: War, power: str, side: int, rules: tuple[str, ...]) -> None:
    """Add a Power to a side: declare War on the other side, raise tension, and test for the Great War.

    A Power with an offensive Treaty with an ally of the Empire is called to follow it.

    Rules: WAR-047, OTT-005, OTT-006, OTT-025, OTT-032, OTT-033, OTT-035, WAR-041, ETI-019 (R-OTT-03, R-GWR-06)
    """
    before = play.state
    on = war.alliance(ENEMIES if side == EMPIRE else EMPIRE)
    joined = with_members(war, side, (power,))
    declaration = Declaration(power, on)
    play.emit(events.WarDeclared(power=power, on=on, war=joined, rules=rules))
    try:
        play.tension(declarations.DECLARATION_TENSION, f"War declared on {powers_text(play.tables, on)}", rules, power)
    except GameOver as end:
        raise declarations.with_great_war_blame(play, end, joined, before, declaration) from None
    declarations.test_great_war(play, joined, before, declaration)
    declarations.end_treaties(play, before, power, on)
    if side == EMPIRE:
        calls.ask_called_powers(play, [calls.Declared(before, declaration, joined)])


ACTS: ActTable = {
    actions.JoinWar: {"war": join_empire},
    actions.InviteAid: {"war": ask_for_aid},
}
