"""The Colonial Combat Phase: who may attack which Area, in what order, and what each attacker is asked.

Fights in different Areas are open at the same time. In one Area the Powers go one after another, Minor Powers first.

Rules: SEQ-013, CCB-001 to CCB-005, CCB-013 to CCB-042, CCB-066, CCB-067, MIN-056, STA-021, STA-023
"""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.pax.board.remembered import remembered
from paxtui.pax.board.status import at, controllers, controls, influence_holders, unestablished
from paxtui.pax.board.tables import Tables
from paxtui.pax.combat.colonial_attack import attack
from paxtui.pax.combat.losses import armies
from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play import choices
from paxtui.pax.play.choices import one_of
from paxtui.pax.play.phase import Phase
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, CONTROL, EXPANSION, AreaState, Marker
from paxtui.pax.state.progress import CombatNotes
from paxtui.pax.state.questions import Combine, FightOrDecline, Losses, Pending
from paxtui.pax.words.spoken import powers_named

Reason = tuple[str, tuple[str, ...], str]
"""Code, rules and sentence of a refusal."""


# --- who may attack -----------------------------------------------------------------------------------------------


def new_control(state: State, area: str, power: str) -> Marker | None:
    """The Power's Control marker that is not yet established. Interests and Influences never need a fight (STA-021)."""
    new = unestablished(state, area, power)
    return new if new and new.marker in CONTROL else None


def forbidden(tables: Tables, state: State, area: str, power: str) -> Reason | None:
    """Why a Great Power may not attack the Area, its turn left aside; None where it may.

    Rules: SEQ-013, CCB-001, CCB-016, CCB-017, CCB-030, CCB-033, CCB-039, CCB-041, STA-021, STA-023
    """
    here, name = at(state, area), tables.areas[area].name
    new = new_control(state, area, power)
    if not here.unrest and new is None:
        return (
            "nothing_to_fight",
            ("CCB-001", "SEQ-013", "STA-021"),
            f"{name} is not in Unrest, and no new Control marker of yours waits there: there is nothing to fight for.",
        )
    if here.unrest:
        held = controllers(state, area)
        if held and power not in held:
            shared = bool(here.codominion)
            return (
                "not_a_member" if shared else "revolt_of_others",
                ("CCB-041",) if shared else ("CCB-030",),
                f"The revolt in {name} is against {powers_named(tables, held)}: only who Controls the Area fights it.",
            )
        stake = new or any(m.power == power for m in here.markers if not m.established)
        holders = influence_holders(state, area)
        if not held and holders and power not in holders and not stake:
            return (
                "no_influence",
                ("CCB-033", "CCB-032"),
                f"{name} rises against those with an Influence there: only they, or who tries to take Control, may "
                f"put the Unrest down.",
            )
    if not armies(state, area, power):
        return (
            "no_army",
            ("CCB-001",),
            f"You have no Army Unit in {name}: with one there you could attack it; Naval Units do not fight here.",
        )
    return None


def contested(state: State) -> list[str]:
    """Areas with units that are in Unrest or hold an unestablished Control marker. Not to be changed."""
    return _contested(state.areas)


@remembered(most=8, by=lambda areas: ((), (areas,)))
def _contested(areas: dict[str, AreaState]) -> list[str]:
    return [name for name, here in areas.items() if here.units and (here.unrest or _newly_controlled(here))]


def _newly_controlled(here: AreaState) -> bool:
    for m in here.markers:  # noqa: SIM110 (asked too often for a generator)
        if not m.established and m.marker in CONTROL:
            return True
    return False


def due(tables: Tables, state: State, area: str) -> tuple[str, ...]:
    """Great Powers that may still attack or decline in the Area.

    Rules: CCB-013, CCB-021, CCB-037
    """
    done = _noted(state).done.get(area, ())
    there = {u.power for u in at(state, area).units if u.kind == ARMY}
    return tuple(
        p for p in state.powers if p in there and p not in done and forbidden(tables, state, area, p) is None
    )


def minor_fights(state: State, area: str) -> tuple[str, ...]:
    """Minor Powers (and the Ottomans of the optional rule) that still fight the Unrest of an Area they Control.

    Rules: CCB-003, CCB-005, MIN-050, MIN-056
    """
    if not at(state, area).unrest:
        return ()
    done = _noted(state).done.get(area, ())
    return tuple(
        p
        for p in (*state.minors, EXPANSION)
        if p not in done and controls(state, area, p) and armies(state, area, p)
    )


def fights_last(state: State, area: str, minor: str) -> bool:
    """Whether the Minor Power waits for Great Powers with whom it shares the Area (MIN-056, Decision 22)."""
    shared = at(state, area).codominion
    return minor in shared and any(p in state.powers for p in shared)


def first_fights(state: State) -> list[tuple[str, str]]:
    """(Area, Minor Power) of the fights that come before the players' (CCB-003, CCB-067)."""
    found = [
        (area, minor)
        for area in contested(state)
        for minor in minor_fights(state, area)
        if not fights_last(state, area, minor)
    ]
    order = (*state.minors, EXPANSION)
    return sorted(found, key=lambda fight: order.index(fight[1]))


# --- notes of the Phase -------------------------------------------------------------------------------------------


def _noted(state: State) -> CombatNotes:
    """What the Phase has noted down; nothing in any other Phase."""
    return state.top.notes if isinstance(state.top.notes, CombatNotes) else CombatNotes()


def _note(play: Play, notes: CombatNotes) -> None:
    play.emit(ev.StepTaken(step=play.state.top.step, notes=notes, rules=("SEQ-013",)))


def _done(play: Play, area: str, powers: tuple[str, ...]) -> None:
    notes = _noted(play.state)
    _note(play, replace(notes, done={**notes.done, area: (*notes.done.get(area, ()), *powers)}))


# --- the Phase ----------------------------------------------------------------------------------------------------


def begin(play: Play) -> None:
    """Offer what is to be decided: in each Area to the Power whose turn it is. Minor Powers fight before (in `run`).

    Rules: CCB-067, CCB-003
    """
    if first_fights(play.state):
        return
    for area in contested(play.state):
        if not _asking(play.state, area):
            _offer_next(play, area)


def run(play: Play) -> None:
    """The Minor Powers' own fights; after the players', those of Minor Powers in Codominions nobody fought for.

    Rules: CCB-003, CCB-005, MIN-056, EVT-038
    """
    for area, minor in first_fights(play.state):
        if minor in minor_fights(play.state, area):
            _done(play, area, (minor,))
            attack(play, area, (minor,))
    begin(play)
    for area in contested(play.state):
        if not _asking(play.state, area) and not due(play.tables, play.state, area):
            for minor in minor_fights(play.state, area):
                if minor in minor_fights(play.state, area):
                    _done(play, area, (minor,))
                    attack(play, area, (minor,))


def _asking(state: State, area: str) -> bool:
    """Whether the next Power in the Area has to wait for an answer."""
    return any(c.area == area and isinstance(c.about, FightOrDecline | Losses | Combine) for c in state.choices)


def _offer_next(play: Play, area: str) -> None:
    """Ask who is next in the Area: the members of a Codominion whether they combine, else one Power whether it fights.

    Rules: CCB-016, CCB-017, CCB-028, CCB-042, CCB-067
    """
    powers = due(play.tables, play.state, area)
    if not powers:
        return
    members = _members(play.state, area)
    answered = _noted(play.state).combine.get(area, {})
    unasked = [p for p in powers if p in members and p not in answered]
    if len(members) > 1 and unasked and not answered:
        for power in unasked:
            _offer_combine(play, area, power, members)
        return
    order = _order(play, area, powers)
    waited = _noted(play.state).waited.get(area, ())
    power = min((p for p in order if p in powers), key=lambda p: (p in waited, order.index(p)))
    name = play.tables.areas[area].name
    attacks = _fights_by_default(play.state, area, power)
    texts: tuple[str, ...] = (f"fight {area}", f"decline {area}")
    if len(powers) > 1 and power not in waited:
        texts += (f"wait {area}",)
    points = play.tables.areas[area].strength
    play.offer(
        power,
        FightOrDecline(),
        texts,
        texts[0] if attacks else texts[1],
        area,
        f"Attack {name} ({' '.join(armies(play.state, area, power))} against {points})?",
        ("CCB-001", "CCB-016" if at(play.state, area).unrest else "CCB-017"),
    )


def _fights_by_default(state: State, area: str, power: str) -> bool:
    """Whether a new Control marker of its own or a revolt stands there."""
    if new_control(state, area, power):
        return True
    holders = (*controllers(state, area), *influence_holders(state, area))
    return at(state, area).unrest and power in holders


def _order(play: Play, area: str, powers: tuple[str, ...]) -> tuple[str, ...]:
    """The order in which the Powers attack the Area, drawn when it is first needed.

    Another order comes about by agreement: a Power waits once, and those after it go first if they will; when they
    wait as well the order drawn stands.

    Rules: CCB-067, CCB-037
    """
    known = _noted(play.state).order.get(area, ())
    if all(p in known for p in powers):
        return known
    if len(powers) == 1:
        return powers
    left, order = list(powers), []
    while len(left) > 1:
        order.append(left.pop(play.dice.draw(len(left))))
    order += left
    play.emit(ev.OrderDrawn(area=area, powers=tuple(order), rules=("CCB-067", "CCB-037")))
    notes = _noted(play.state)
    _note(play, replace(notes, order={**notes.order, area: tuple(order)}))
    return tuple(order)


# --- Codominions in Unrest ----------------------------------------------------------------------------------------


def _members(state: State, area: str) -> tuple[str, ...]:
    """Members of a Codominion in Unrest with armies there that have not fought, Great Powers first.

    Rules: CCB-041, CCB-042, MIN-056
    """
    here = at(state, area)
    if not here.unrest or not here.codominion:
        return ()
    done = _noted(state).done.get(area, ())
    both = (*state.powers, *state.minors)
    return tuple(p for p in both if p in here.codominion and p not in done and armies(state, area, p))


def _offer_combine(play: Play, area: str, power: str, members: tuple[str, ...]) -> None:
    partners = ", ".join(play.tables.powers[p].name for p in members if p != power)
    play.offer(
        power,
        Combine(),
        ("combine", "alone", "decline"),
        "combine",
        area,
        f"{play.tables.areas[area].name} rises: attack together with {partners}, alone, or not at all?",
        ("CCB-042", "CCB-066"),
    )


def answer_combine(play: Play, choice: Pending, about: Combine, answer: tuple[str, ...]) -> None:
    """Attack together, alone afterwards, or not at all. The last answer starts the common attack.

    Raises: Refusal `bad_answer`.
    Rules: CCB-042, CCB-066, MIN-056
    """
    area = choice.area
    word, notes = one_of(choice, answer), _noted(play.state)
    said = {**notes.combine.get(area, {}), choice.power: word}
    _note(play, replace(notes, combine={**notes.combine, area: said}))
    if word == "decline":
        _done(play, area, (choice.power,))
    if any(c.area == area and isinstance(c.about, Combine) for c in play.state.choices):
        return
    group = [p for p in play.state.powers if said.get(p) == "combine"]
    if group:
        partners = [p for p in _members(play.state, area) if p in play.state.minors]
        together = (*group, *partners)
        _done(play, area, together)
        attack(play, area, together)


# --- answers ------------------------------------------------------------------------------------------------------


def answer_fight(play: Play, choice: Pending, about: FightOrDecline, answer: tuple[str, ...]) -> None:
    """Attack, or decline and leave things as they are; or let the other Powers there go first.

    Raises: Refusal `bad_answer`.
    Rules: CCB-001, CCB-021, CCB-022, CCB-028, CCB-067
    """
    word = one_of(choice, answer)
    if word.startswith("wait"):
        notes = _noted(play.state)
        waited = (*notes.waited.get(choice.area, ()), choice.power)
        _note(play, replace(notes, waited={**notes.waited, choice.area: waited}))
        return
    _done(play, choice.area, (choice.power,))
    if word.startswith("fight"):
        attack(play, choice.area, (choice.power,))


def fight(play: Play, power: str, action: ac.Fight) -> None:
    """The plain order to attack: it answers the pending choice.

    Raises: Refusal as `_pending`.
    Rules: CCB-001, CCB-021, CCB-030, CCB-041, CCB-067
    """
    choice = _pending(play, power, action.area)
    _answer(play, choice, "combine" if isinstance(choice.about, Combine) else f"fight {action.area}")


def decline(play: Play, power: str, action: ac.Decline) -> None:
    """The plain order not to attack.

    Raises: Refusal as `_pending`.
    Rules: CCB-028, CCB-067
    """
    choice = _pending(play, power, action.area)
    _answer(play, choice, "decline" if isinstance(choice.about, Combine) else f"decline {action.area}")


def _answer(play: Play, choice: Pending, option: str) -> None:
    choices.made(play, choice, (option,))
    if isinstance(choice.about, Combine):
        answer_combine(play, choice, choice.about, (option,))
    elif isinstance(choice.about, FightOrDecline):
        answer_fight(play, choice, choice.about, (option,))


def _pending(play: Play, power: str, area: str) -> Pending:
    """The choice of the Power whether to fight in the Area.

    Raises: Refusal `unknown_area`, `fought_already`, `minors_first`, `not_your_turn`, or why it may not fight there.
    """
    if area not in play.tables.areas:
        refuse("unknown_area", (), f"There is no Area {area!r}.")
    for choice in play.state.choices:
        if choice.area == area and choice.power == power and isinstance(choice.about, FightOrDecline | Combine):
            return choice
    name = play.tables.areas[area].name
    if power in _noted(play.state).done.get(area, ()):
        refuse(
            "fought_already",
            ("CCB-021",),
            f"You have decided on {name} in this Phase already: there is one Colonial Combat for each Power and Area.",
        )
    reason = forbidden(play.tables, play.state, area, power)
    if reason:
        refuse(reason[0], reason[1], reason[2])
    if first_fights(play.state):
        refuse("minors_first", ("CCB-003", "CCB-067"), "The Minor Powers fight before the players do.")
    refuse("not_your_turn", ("CCB-067", "CCB-037"), f"Another Power's attack on {name} comes before yours.")


PHASE = Phase(name="colonial_combat", begin=begin, run=run)
