"""Declarations of War: who may declare on whom and when, the queue of declarations, and the test for the Great War.

Declarations are processed first in, first out. Each one sets the sides, raises tensions by 5 points, tests for the end
of the game, ends the Treaties between declarer and target, calls Powers, and grants Casus Belli by Treaty. Declarations
that follow from it go to the end of the queue.

Rules: R-GWR-01, R-GWR-03
"""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from paxtui.games.pax import casus_belli, visibility
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.status import seat_of
from paxtui.games.pax.board.tables import PLAYED_BY_GERMANY, Tables
from paxtui.games.pax.events import events
from paxtui.games.pax.state.diplomacy import IN_FORCE, CasusBelli, Treaty
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.pieces import OTTOMAN_EMPIRE
from paxtui.games.pax.state.questions import DECLARATION_QUESTIONS, Call, Defence, DummyCall, Pending
from paxtui.games.pax.state.war import (
    ATTACK,
    FOUGHT,
    GREAT,
    INITIATIVE,
    MANEUVER,
    REBELLION,
    Declaration,
    MinorFleet,
    War,
)
from paxtui.games.pax.text.display import capitalize, power_name, powers_text, the_power
from paxtui.games.pax.transaction import ActTable, GameOver, Transaction, refuse, single_answer
from paxtui.games.pax.treaties import breaches, lifecycle, lookup
from paxtui.games.pax.war import calls
from paxtui.games.pax.war.alliances import (
    at_war,
    current_war,
    declared_war_of,
    enemies,
    follows_to_empire,
    linked_wars,
    merge_all,
    new_war,
    ottoman_war,
    own_power_beside,
    powers_of_one_seat,
    unallied_empire,
    war_against_empire,
    with_declaration,
    with_members,
)

GREAT_WAR_POWERS = 4
"""Number of European Powers that makes a War the Great War (GWR-002)."""
FEWEST_SEATS = 4
"""Number of seats in a game for which `ENOUGH_WITH_FEWEST_SEATS` are enough (GWR-008)."""
ENOUGH_WITH_FEWEST_SEATS = ("britain", "france", "germany")
"""Powers that by themselves make a War the Great War in such a game (GWR-008)."""
DECLARATION_TENSION = 5
"""Points by which a declaration of War raises the European Tensions Index (ETI-019)."""


def overlapping_wars(state: State, war: War) -> tuple[War, ...]:
    """Return the Wars that count as one with this War, including it.

    These are the Wars linked to it by a declaration, and the Wars that share a Power with it. A Rebellion, and a War
    against an Empire without an ally, is never counted with another War.

    Rules: GWR-010, GWR-011, GWR-013, GWR-014, ETI-033
    """
    counted = [w for w in state.wars if w.kind != REBELLION and not unallied_empire(state, w)]
    pairs = [(one.id, other.id) for one, other in linked_wars(state)]
    pairs += [(w.id, x.id) for w in counted for x in counted if w is not x and set(w.powers) & set(x.powers)]
    found = {war.id}
    for _ in counted:
        found |= {id_ for pair in pairs for id_ in pair if found & set(pair)}
    return tuple(w for w in state.wars if w.id in found)


def european_belligerents(tables: Tables, wars: tuple[War, ...]) -> tuple[str, ...]:
    """Return the European Powers in some Wars, including those without a player, in the order of the powers table.

    Rules: GWR-002, GWR-006, GWR-016, GWR-017, BEL-003
    """
    return tuple(p for p, row in tables.powers.items() if row.european and any(w.side_of(p) for w in wars))


def is_great_war(tables: Tables, state: State, war: War) -> bool:
    """Return whether a War, with those that overlap it, is the Great War.

    Rules: GWR-002, GWR-008, GWR-009, GWR-010, GWR-011, GWR-012, GWR-014
    """
    if war.kind == REBELLION or unallied_empire(state, war):
        return False
    there = european_belligerents(tables, overlapping_wars(state, war))
    if len(there) >= GREAT_WAR_POWERS:
        return True
    return len(state.players) == FEWEST_SEATS and all(power in there for power in ENOUGH_WITH_FEWEST_SEATS)


def great_war_culprits(
    tables: Tables, state: State, war: War, before: State, declaration: Declaration
) -> tuple[str, ...]:
    """Return the seats to blame for the Great War that a declaration has caused, in seat order.

    These are the first declarer of each War in it, and the declarer of this War if it is the fourth Power or drew in
    the fourth. If the fourth Power is called by its own seat, the Power whose declaration called it is to
    blame.

    Args: `war` as it is now; `before`: the position before the declaration.

    Rules: GWR-004 to GWR-007, GWR-015, GWR-018, GWR-020, ETI-006 to ETI-008, ETI-042 (R-GWR-02, R-GWR-07)
    """
    wars = overlapping_wars(state, war)
    powers = [first for w in wars for first in w.declared]
    declarer = declaration.power
    fought = any(w.side_of(declarer) for w in before.wars if w.id in {x.id for x in wars})
    is_second = declarer in tables.powers and tables.powers[declarer].kind == PLAYED_BY_GERMANY  # GWR-007
    powers.append(declaration.called_by if is_second and not fought else declarer)
    seats = [seat_of(tables, state, power) for power in powers if power]
    return tuple(seat for seat in state.players if seat in seats)


def test_great_war(play: Transaction, war: War, before: State, declaration: Declaration) -> None:
    """End the game if this declaration makes its War the Great War.

    Args: as for `great_war_culprits`.

    Raises: GameOver.
    Rules: GWR-002, GWR-003, GWR-017, GWR-019
    """
    if is_great_war(play.tables, play.state, war):
        to_blame = great_war_culprits(play.tables, play.state, war, before, declaration)
        _record_great_war(play, war)
        raise GameOver(to_blame)


def with_great_war_blame(
    play: Transaction, end: GameOver, war: War, before: State, declaration: Declaration
) -> GameOver:
    """Return the end of the game at an Index of 100, with the blame for a Great War caused by the same declaration.

    Rules: ETI-009, ETI-042 (R-ETI-06)
    """
    if not is_great_war(play.tables, play.state, war):
        return end
    to_blame = {*end.culprits, *great_war_culprits(play.tables, play.state, war, before, declaration)}
    _record_great_war(play, war)
    return GameOver(tuple(seat for seat in play.state.players if seat in to_blame))


def _record_great_war(play: Transaction, war: War) -> None:
    first, *others = overlapping_wars(play.state, war)
    one = merge_all((first, *others), powers_of_one_seat(play.tables, play.state))
    play.emit(
        events.GreatWarBegan(
            war=replace(one, kind=GREAT), gone=tuple(w.id for w in others), rules=("GWR-002", "GWR-014")
        )
    )


def usable_causes(tables: Tables, state: State, power: str) -> tuple[CasusBelli, ...]:
    """Return the Casus Belli on which a Power may declare War.

    The defence of a Minor Power forces a Congress and is no cause of War. A Power cannot declare on a Power of its own
    seat or on its allies, nor on one with which it is already at War.

    Rules: WAR-015, WAR-040, AUS-014, MIN-040
    """
    return tuple(
        c
        for c in state.casus_belli
        if c.holder == power
        and c.cause != casus_belli.DEFENCE
        and not at_war(state, power, c.against)
        and not _is_empire_ally(state, power, c.against)
        and not own_power_beside(tables, state, power, c.against)
    )


def _is_empire_ally(state: State, power: str, against: str) -> bool:
    """Return whether a Power is allied with the Ottoman Empire although it has a cause against it.

    Rules: OTT-005, EVT-036
    """
    war = ottoman_war(state)
    return war is not None and against == OTTOMAN_EMPIRE and war.side_of(power) == war.side_of(OTTOMAN_EMPIRE)


def can_declare(state: State, power: str) -> bool:
    """Return whether a Power with a cause may declare War at this moment.

    It may in Negotiation, in a Congress, at the opening of the War Phase, before the dice of each Initiative
    Determination, and in the window after a Phase in which a cause arose. A seat that play waits for may declare at
    once.

    Rules: WAR-017, WAR-044, WAR-045, WAR-061 (R-WAR-01, R-WAR-03, R-WAR-26)
    """
    if state.declaring:
        return False
    if state.phase in ("negotiation", "congress"):
        return True
    if state.phase != "war":
        return False
    if state.top.step != FOUGHT:
        return True
    war = current_war(state)
    if war is None:
        return False
    if war.stage == INITIATIVE:
        return not war.order
    return war.stage in (MANEUVER, ATTACK) and power in war.alliance(war.turn_of)


def declaring_seats(tables: Tables, state: State) -> tuple[str, ...]:
    """Return the seats that may declare War now, in seat order."""
    able = [p for p in state.powers if can_declare(state, p) and usable_causes(tables, state, p)]
    return visibility.seats_of(tables, state, tuple(able))


def declare_war(play: Transaction, power: str, action: actions.DeclareWar) -> None:
    """Declare War on one or several Powers against which `power` has a Casus Belli.

    Raises: Refusal, as `check_declaration`; GameOver.
    Rules: WAR-015, WAR-043, ETI-019, ETI-020
    """
    causes = check_declaration(play, power, action)
    queue_declaration(play, power, action.on, tuple(dict.fromkeys(c.area for c in causes)), action.beside)


def check_declaration(play: Transaction, power: str, action: actions.DeclareWar) -> list[CasusBelli]:
    """Return the Casus Belli on which `power` declares War, one for each Power named.

    Raises: Refusal `no_window`, `calls_first`, `oneself`, `twice`, `at_war`, `no_cause_of_war`, `which_cause`.
    Rules: WAR-015, WAR-017, WAR-040, WAR-043, WAR-044, WAR-045, WAR-061
    """
    tables, state = play.tables, play.state
    if state.declaring:
        refuse(
            "calls_first", ("WAR-062",), "A declaration of War is still open. The Powers that it calls answer first."
        )
    if not can_declare(state, power):
        refuse(
            "no_window",
            ("WAR-044", "WAR-061"),
            "War can be declared in the Negotiation Phase, in a Congress, when the War Phase opens, and "
            "after a new cause or a new cycle of a War.",
        )
    _check_targets(play, power, action.on)
    causes = [_find_cause(play, power, target, action.over) for target in action.on]
    sides = open_alliances(tables, state, power, action.on)
    if action.beside and not any(action.beside in side for side in sides):
        can = "; ".join(powers_text(tables, side) for side in sides)
        refuse(
            "no_such_side",
            ("WAR-055", "WAR-061"),
            f"You cannot join {power_name(tables, action.beside)} with this declaration. "
            + (f"You can join: {can}." if can else "There is no alliance to choose: leave out 'beside'."),
        )
    return causes


def open_alliances(tables: Tables, state: State, power: str, on: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the alliances of which a power that declares war on `on` has to choose one; none without a choice.

    A Power whose seat plays another Power in the War joins that one.

    Rules: WAR-055, WAR-061, AUS-014 (Decision 58)
    """
    war = next((w for p in on if (w := declared_war_of(state, p))), None)
    if war is None or OTTOMAN_EMPIRE in on or declared_war_of(state, power):
        return ()
    sides = tuple(side for side in war.alliances if side and not set(side).intersection(on))
    inseparable = powers_of_one_seat(tables, state)
    bound = power in inseparable and any(p in inseparable for side in sides for p in side)
    return sides if len(sides) > 1 and not bound else ()


def default_alliance(tables: Tables, state: State, power: str, on: tuple[str, ...]) -> str:
    """Return a power of the first open alliance that is at war with no treaty partner of `power`; "" for the first.

    Rules: WAR-055, WAR-061 (Decision 58)
    """
    sides = open_alliances(tables, state, power, on)
    treaties = (t for t in lookup.all_treaties(tables, state) if t.stage == IN_FORCE)
    partners = {p for treaty in treaties for p in treaty.partners(power)}
    war = declared_war_of(state, on[0]) if sides else None
    for side in sides:
        if war and not partners.intersection(enemies(war, side[0])):
            return "" if side == sides[0] else side[0]
    return ""


def declare_war_of_minor(play: Transaction, minor: str, on: str, area: str) -> None:
    """Declare War for a Minor Power on the Great Power that defies a Congress over an Area; tensions do not rise.

    Raises: GameOver.
    Rules: MIN-044 (R-WAR-18)
    """
    if not at_war(play.state, minor, on):
        declaration = Declaration(minor, (on,), over=(area,))
        play.emit(events.DeclarationQueued(declaration=declaration, rules=("MIN-044", "WAR-062")))
        process_queue(play)


def queue_declaration(
    play: Transaction, power: str, on: tuple[str, ...], over: tuple[str, ...], beside: str = ""
) -> None:
    """Queue a permitted declaration and process the queue.

    Args: `over`: Areas of its causes, "" for none; `beside`: a Power of the Alliance to join, "" for the default.

    Raises: GameOver.
    Rules: WAR-015, WAR-035, WAR-062 (Decision 58)
    """
    beside = beside or default_alliance(play.tables, play.state, power, on)
    declaration = Declaration(power, on, over=over, partner=beside)
    play.emit(events.DeclarationQueued(declaration=declaration, rules=("WAR-015", "WAR-062")))
    for cause in play.state.casus_belli:
        if {cause.holder, cause.against} <= {power, *on} and power in (cause.holder, cause.against):
            play.emit(events.CasusBelliEnded(id=cause.id, reason="war", rules=("WAR-035",)))
    process_queue(play)


def _check_targets(play: Transaction, power: str, on: tuple[str, ...]) -> None:
    tables, state = play.tables, play.state
    if len(set(on)) != len(on):
        refuse("twice", ("WAR-043",), "You named a Power twice.")
    if OTTOMAN_EMPIRE in on and len(on) > 1:
        refuse("apart", ("OTT-004", "EVT-036"), "Declare War on the Ottoman Empire in a separate declaration.")
    for target in on:
        own = own_power_beside(tables, state, power, target)
        if own:
            whose = "your own Power" if own == power else "played by the same seat"
            name = capitalize(the_power(tables, target))
            beside = "" if own == target else f"{name} fights beside {power_name(tables, own)}. "
            refuse("oneself", ("AUS-014",), f"{beside}{power_name(tables, own)} is {whose}.")
        if at_war(state, power, target):
            refuse("at_war", ("WAR-042",), f"You are already at War with {power_name(tables, target)}.")


def _find_cause(play: Transaction, power: str, target: str, over: tuple[str, ...]) -> CasusBelli:
    name = power_name(play.tables, target)
    found = [c for c in usable_causes(play.tables, play.state, power) if c.against == target]
    named = [c for c in found if c.id in over]
    if not found or (over and not named):
        refuse("no_cause_of_war", ("WAR-015", "WAR-040"), f"You have no such Casus Belli against {name}.")
    if not named and len(found) > 1:
        ids = ", ".join(c.id for c in found)
        refuse("which_cause", ("WAR-015",), f"You have several Casus Belli against {name}: {ids}.", causes=ids)
    return (named or found)[0]


def process_queue(play: Transaction) -> None:
    """Process all queued declarations, then ask the Powers that they call; repeat when all have answered.

    Raises: GameOver.
    Rules: WAR-047, WAR-062 (R-WAR-04)
    """
    while play.state.declarations and not any(isinstance(c.about, DECLARATION_QUESTIONS) for c in play.state.choices):
        wave: list[calls.Declared] = []
        while play.state.declarations:
            _process_declaration(play, play.state.declarations[0], wave)


def answer_call(play: Transaction, choice: Pending, about: Call, words: tuple[str, ...]) -> None:
    """Answer a Treaty call; the queue continues after the last answer. Rules: WAR-048, WAR-049, WAR-062."""
    calls.take_call_answer(play, choice, about, words)
    process_queue(play)


def answer_uncalled(play: Transaction, choice: Pending, about: DummyCall, words: tuple[str, ...]) -> None:
    """Acknowledge a declaration as a Power that no Treaty calls; the queue continues after the last answer.

    Rules: WAR-047, WAR-062, TRE-011
    """
    single_answer(choice, words)
    process_queue(play)


def answer_defender(play: Transaction, choice: Pending, about: Defence, words: tuple[str, ...]) -> None:
    """Answer as an announced defender of a Minor Power; the queue continues after the last answer.

    Rules: MIN-045, WAR-062
    """
    calls.take_defender_answer(play, choice, about, words)
    process_queue(play)


def _process_declaration(play: Transaction, declaration: Declaration, wave: list[calls.Declared]) -> None:
    """Process one declaration in the steps of R-WAR-04. After the last of a wave, ask the called Powers."""
    before, power = play.state, declaration.power
    on = tuple(p for p in declaration.on if not at_war(before, power, p))
    if not on:
        play.emit(events.DeclarationDropped(declaration=declaration, rules=("WAR-042",)))
        if not play.state.declarations:
            calls.ask_called_powers(play, wave)
        return
    war = _resulting_war(play, replace(declaration, on=on))
    rules = ("WAR-048", "WAR-062") if declaration.treaty else ("WAR-015", "WAR-062")
    if power not in before.powers or declaration.defends:
        rules = ("MIN-045" if declaration.defends else "MIN-044", "WAR-062")
    play.emit(events.WarDeclared(power=power, on=declaration.on, war=war, treaty=declaration.treaty, rules=rules))
    if power in before.powers:
        targets_text = powers_text(play.tables, on)
        try:
            play.tension(DECLARATION_TENSION, f"War declared on {targets_text}", ("ETI-019", "ETI-020"), power)
        except GameOver as end:
            raise with_great_war_blame(play, end, war, before, declaration) from None
    test_great_war(play, war, before, declaration)
    end_treaties(play, before, power, on)
    wave.append(calls.Declared(before, declaration, war))
    if not play.state.declarations:
        calls.ask_called_powers(play, wave)
    if power in before.powers:
        breaches.grant_on_declaration(play, power, on)


def _resulting_war(play: Transaction, declaration: Declaration) -> War:
    """Return the War that a declaration begins or joins. Powers of another War are linked for the time being.

    Rules: WAR-055, WAR-061, WAR-064, EVT-036 (R-WAR-08)
    """
    state, power, on = play.state, declaration.power, declaration.on
    if OTTOMAN_EMPIRE in on:
        return with_fleets_noted(state, war_against_empire(state, (power,), declaration.over))
    followed = ottoman_war(state)
    if followed and declaration.treaty and follows_to_empire(followed, declaration.called_by, on):
        return with_fleets_noted(state, with_members(followed, followed.side_of(OTTOMAN_EMPIRE), (power,)))
    partner = calls.helped_partner(play.tables, state, declaration)
    own = declared_war_of(state, power)
    their_war = next((w for p in (partner, *on) if p and (w := declared_war_of(state, p))), None)
    war = own or their_war
    if war is None:
        war = new_war(state, power, on, declaration.over)
    else:
        elsewhere = tuple(p for p in on if (w := declared_war_of(state, p)) and w.id != war.id)
        inseparable = powers_of_one_seat(play.tables, state)
        war = with_declaration(war, power, tuple(p for p in on if p not in elsewhere), partner, inseparable)
        there = declared_war_of(state, partner) if partner else None
        war = replace(
            war,
            links=(*war.links, *((power, p) for p in elsewhere)),
            helps=(*war.helps, (power, partner)) if there and there.id != war.id else war.helps,
            over=tuple(dict.fromkeys((*war.over, *declaration.over))),
        )
    defended = ((declaration.defends, power),) if declaration.defends else ()
    return with_fleets_noted(state, replace(war, defended=(*war.defended, *defended)))


def with_fleets_noted(state: State, war: War) -> War:
    """Return a War with the places of the Naval Units abroad of its Minor Powers recorded, if they are not yet.

    Rules: WEN-049, WEN-050 (Decision 52)
    """
    known = {fleet.power for fleet in war.began}
    fleets = tuple(
        MinorFleet(unit.power, area)
        for area, here in state.areas.items()
        for unit in here.units
        if unit.kind == "naval" and unit.power in state.minors and war.side_of(unit.power) and unit.power not in known
    )
    return replace(war, began=(*war.began, *fleets))


def end_treaties(play: Transaction, before: State, declarer: str = "", on: tuple[str, ...] = ()) -> None:
    """End the Treaties between two Powers that have come to be at War with each other since `before`, for these two.

    This is no breach, except that a declarer breaks its promises of peace with those on which it declares War. A
    promise that awakes with this War is not broken by it.

    Args: the position before; the declarer and its targets, whose Treaties end first, if there was a declaration.

    Raises: GameOver.
    Rules: WAR-041 (R-WAR-05, R-WAR-23, Decision 69)
    """
    for target in (*on, ""):
        for treaty in lookup.all_treaties(play.tables, play.state):
            if treaty.stage != IN_FORCE or (target and target not in treaty.partners(declarer)):
                continue
            if target:
                _break_promises(play, before, treaty, declarer, target)
            pairs = [(declarer, target)] if target else combinations(treaty.bound, 2)
            enemies_now = [
                (one, other)
                for one, other in pairs
                if other in treaty.partners(one) and at_war(play.state, one, other) and not at_war(before, one, other)
            ]
            if enemies_now:
                lookup.record_pact(play, treaty)
                lifecycle.end_between_enemies(play, treaty, enemies_now)


def _break_promises(play: Transaction, before: State, treaty: Treaty, declarer: str, target: str) -> None:
    """Record that a declaration breaks the promises of peace in a Treaty. Raises: GameOver. Rules: WAR-041."""
    for n, clause in enumerate(treaty.clauses):
        broken = any(b.clause == n and b.power == target for b in treaty.breaches)
        if clause.kind == "non_aggression" and breaches.is_awake(before, treaty, n) and not broken:
            breaches.break_clause(play, treaty, n, declarer, "declares War on a signer", ("WAR-041",))


ACTS: ActTable = {actions.DeclareWar: {"negotiation": declare_war, "war": declare_war}}
