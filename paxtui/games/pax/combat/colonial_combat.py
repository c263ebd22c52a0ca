"""The Colonial Combat Phase: permission and order of attacks, the die, losses, exchanges, victory and failure.

Fights in different Areas are open at the same time. In one Area the Powers fight one after another, Minor Powers first.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from paxtui.games.pax import transaction
from paxtui.games.pax.actions import actions
from paxtui.games.pax.board.adjacency import area_type
from paxtui.games.pax.board.caching import cached
from paxtui.games.pax.board.routes import linked_areas
from paxtui.games.pax.board.status import (
    area_state,
    controllers,
    controls,
    established,
    influence_holders,
    unestablished,
)
from paxtui.games.pax.board.tables import Tables
from paxtui.games.pax.combat import ottoman_expansion, results
from paxtui.games.pax.combat.results import (
    Piece,
    army_names,
    is_only_loss,
    loss_texts,
    read_losses,
    remove_units,
    smallest_loss,
    unheard_powers,
    units_strength,
)
from paxtui.games.pax.events import events
from paxtui.games.pax.expansion import status_change
from paxtui.games.pax.state.model import State
from paxtui.games.pax.state.phases import CombatNotes
from paxtui.games.pax.state.pieces import ARMY, CONTROL, OTTOMAN_EMPIRE, POSSESSION, PROTECTORATE, Marker
from paxtui.games.pax.state.questions import Combine, FightOrDecline, Losses, Pending
from paxtui.games.pax.text.display import powers_text
from paxtui.games.pax.transaction import ActTable, Phase, Transaction, refuse, single_answer

Obstacle = tuple[str, tuple[str, ...], str]
"""Code, rules and text of a refusal."""


def win_area(play: Transaction, area: str, powers: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """Defeat the Area: Unrest ends, and new Control markers of the attackers are established at once.

    `rules`: why it is defeated.

    Rules: CCB-002, CCB-009, CCB-012, CCB-019, CCB-024, CCB-034, CCB-039, STA-017, STA-020, MIN-057, EVT-040, OTT-002
    """
    new_markers = {p: m for p in powers if (m := new_control(play.state, area, p))}
    if area_state(play.state, area).unrest:
        both = ("CCB-002", "CCB-018") if new_markers else ()
        play.emit(
            events.UnrestEnded(area=area, by=powers, rules=("CCB-019", _victory_rule(play.state, area), *both, *rules))
        )
        for power in powers:
            if power in play.state.minors:
                _raise_minor_status(play, area, power)
            elif power == OTTOMAN_EMPIRE:
                ottoman_expansion.annex_possession(play, area)
    for power, new in new_markers.items():
        controlled = controls(play.state, area, power)
        play.emit(
            events.MarkerEstablished(
                area=area, power=power, marker=new.marker, rules=("CCB-009", "STA-017", "STA-020", *rules)
            )
        )
        if not controlled:
            make_ottoman_war_due(play, area, power)


def make_ottoman_war_due(play: Transaction, area: str, power: str) -> None:
    """Record that new Control in an Ottoman Area causes an Ottoman War this turn. Rules: OTT-002."""
    if area_type(play.tables, play.state, area) == "ottoman":
        play.emit(events.WarDue(war="ottoman", power=power, area=area, rules=("OTT-002",)))


def _victory_rule(state: State, area: str) -> str:
    if controllers(state, area):
        return "CCB-024"
    return "CCB-034" if influence_holders(state, area) else "CCB-039"


def _raise_minor_status(play: Transaction, area: str, minor: str) -> None:
    """Raise the Protectorate of an earlier turn to a Possession for a Minor Power that put down Unrest.

    Rules: MIN-057, R-MIN-06
    """
    own = established(play.state, area, minor)
    if own is None or own.marker != PROTECTORATE:
        return
    old = own.since < play.state.turn or play.state.options.minor_fresh_protectorate_upgrades
    if old and area in linked_areas(play.tables, play.state, minor):
        status_change.place_minor_marker(play, minor, area, POSSESSION, ("MIN-057",))


def fail_attack(play: Transaction, area: str, powers: tuple[str, ...]) -> None:
    """Record a failed attack: new Control markers of the attackers go, and surviving armies retreat.

    Rules: CCB-010, CCB-011, CCB-012, CCB-048, CCB-063, ETI-039
    """
    for power in powers:
        drop_new_control(play, area, power)
        if power == OTTOMAN_EMPIRE:
            ottoman_expansion.dissolve_armies(play, area)
        else:
            results.retreat_armies(play, power, area, ("CCB-011", "CCB-048"))


def drop_new_control(play: Transaction, area: str, power: str) -> None:
    """Remove an unestablished Control marker that its Power's armies did not win.

    The older marker under it stays, unless the option for failed upgrades says otherwise (Decision 3).

    Rules: CCB-010, CCB-063, ETI-039
    """
    new = new_control(play.state, area, power)
    if new is None:
        return
    old = established(play.state, area, power)
    rules = ("CCB-010", "CCB-063", "ETI-039") if old else ("CCB-010", "ETI-039")
    play.lower(area, power, new.marker, "", "not defeated", rules, None, established=False)
    if old and old.marker not in CONTROL and not play.state.options.failed_upgrade_keeps_old:
        play.lower(area, power, old.marker, "", "failed upgrade", ("CCB-010",), None)


def exchange_losses(
    play: Transaction, area: str, powers: tuple[str, ...], required: int, rules: tuple[str, ...]
) -> None:
    """Take at least `required` strength points from the attackers, by their choice.

    Minor Powers bear the smallest possible share without a choice. Great Powers that attack together have to agree.

    Rules: CCB-052, CCB-055, CCB-066, MIN-056 (R-CCB-13, R-CCB-14, Decision 22)
    """
    state = play.state
    greats = tuple(p for p in powers if p in state.powers)
    own = _armies_of(state, area, greats)
    others = _armies_of(state, area, (p for p in powers if p not in greats))
    rest = max(0, required - units_strength(name for _, name in own))
    share = smallest_loss(others, rest) if rest else []
    needed = min(required, units_strength(name for _, name in own)) if own else 0
    chosen = smallest_loss(own, needed) if needed else []
    if share:
        remove_units(play, area, share, (*rules, "MIN-056"))
    if not chosen or is_only_loss(own, chosen, needed):
        remove_units(play, area, chosen, rules)
        conclude_exchange(play, area, powers, rules)
        return
    _ask_losses(play, area, powers, greats[0], needed, {}, rules)


def _ask_losses(
    play: Transaction,
    area: str,
    powers: tuple[str, ...],
    asked_power: str,
    needed: int,
    answers: dict[str, tuple[str, ...]],
    rules: tuple[str, ...],
) -> None:
    """Ask a Great Power which armies are lost; `answers`: the proposals of its partners."""
    greats = tuple(p for p in powers if p in play.state.powers)
    own = _armies_of(play.state, area, greats)
    first = next(iter(answers.values()), None)
    default = first or loss_texts(smallest_loss(own, needed), greats)
    shared = answers or unheard_powers(play, greats, (asked_power,))
    agree = " The partners have to name the same armies, or all of theirs are lost." if shared else ""
    proposals_text = "".join(f" Proposed by {play.tables.powers[p].name}: {' '.join(t)}." for p, t in answers.items())
    play.offer(
        asked_power,
        Losses(powers, needed, answers),
        loss_texts(own, greats),
        default if len(default) > 1 else default[0],
        area,
        f"Which armies of at least {needed} strength points are lost in {play.tables.areas[area].name}?{agree}"
        f"{proposals_text}",
        rules,
    )


def answer_losses(play: Transaction, choice: Pending, about: Losses, answer: tuple[str, ...]) -> None:
    """Lose the named armies; partners in a combined attack name the same ones, or lose all.

    A seat answers once for all its Powers.

    Raises: Refusal `not_there`, `not_enough`.
    Rules: CCB-052, CCB-055, CCB-066, AUS-001
    """
    area, needed, powers = choice.area, about.needed, about.powers
    greats = tuple(p for p in powers if p in play.state.powers)
    own = _armies_of(play.state, area, greats)
    named = read_losses(play, choice, greats, own, needed, answer)
    answers = {**about.said, choice.power: tuple(sorted(answer))}
    left = unheard_powers(play, greats, answers)
    if left:
        _ask_losses(play, area, powers, left[0], needed, answers, choice.rules)
        return
    if all(names == answers[choice.power] for names in answers.values()):
        remove_units(play, area, named, choice.rules)
    else:
        remove_units(play, area, own, ("CCB-066",))
    conclude_exchange(play, area, powers, choice.rules)


def _armies_of(state: State, area: str, powers: Iterable[str]) -> list[Piece]:
    return [(power, name) for power in powers for name in army_names(state, area, power)]


def conclude_exchange(play: Transaction, area: str, powers: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """Conclude an exchange: the Area is defeated if an army of the attackers survives in it.

    Rules: CCB-053, CCB-056
    """
    if any(army_names(play.state, area, p) for p in powers):
        win_area(play, area, powers, ("CCB-053" if "CCB-052" in rules else "CCB-056",))
    else:
        fail_attack(play, area, powers)


def attack_area(play: Transaction, area: str, powers: tuple[str, ...]) -> None:
    """Attack the Area with all armies of `powers`; several members of a Codominion attack together.

    Rules: CCB-006, CCB-007, CCB-008, CCB-014, CCB-018, CCB-022, CCB-042, CCB-043, CCB-044, CCB-046, CCB-066
    """
    tables = play.tables
    force = sum(units_strength(army_names(play.state, area, p)) for p in powers)
    defend = tables.areas[area].strength
    joint = ("CCB-042", "CCB-066") if len(powers) > 1 else ()
    if defend == 0:
        play.emit(
            events.ColonialCombat(
                area=area,
                powers=powers,
                attack=force,
                defend=0,
                effect=results.DEFEATED,
                rules=("CCB-008", *joint),
            )
        )
        win_area(play, area, powers, ("CCB-008",))
        return
    table = results.table_number(force, defend)
    index = results.ratio_column(tables, force, defend)
    die = play.dice.roll()
    result = results.look_up_result(tables, table, die, index)
    outcome = results.read_result(result, force, defend)
    play.emit(
        events.ColonialCombat(
            area=area,
            powers=powers,
            attack=force,
            defend=defend,
            table=table,
            column=results.ratio_label(tables.ratios[index]),
            die=die,
            result=result,
            effect=outcome.effect,
            losses=outcome.losses,
            rules=("CCB-006", "CCB-043", "CCB-044", "CCB-046", *outcome.rules, *joint),
        )
    )
    if outcome.effect == results.DEFEATED:
        win_area(play, area, powers, outcome.rules)
    elif outcome.effect == results.ELIMINATED:
        remove_units(play, area, _armies_of(play.state, area, powers), (*outcome.rules, *joint))
        fail_attack(play, area, powers)
    elif outcome.effect == results.RETREAT:
        fail_attack(play, area, powers)
    else:
        exchange_losses(play, area, powers, outcome.losses, outcome.rules)


def new_control(state: State, area: str, power: str) -> Marker | None:
    """Return the Power's unestablished Control marker. Interests and Influences never need a fight (STA-021)."""
    new = unestablished(state, area, power)
    return new if new and new.marker in CONTROL else None


def attack_obstacle(tables: Tables, state: State, area: str, power: str) -> Obstacle | None:
    """Return why a Great Power may not attack the Area, apart from the order of turns; None if it may.

    Rules: SEQ-013, CCB-001, CCB-016, CCB-017, CCB-030, CCB-033, CCB-039, CCB-041, STA-021, STA-023
    """
    here, name = area_state(state, area), tables.areas[area].name
    new = new_control(state, area, power)
    if not here.unrest and new is None:
        return (
            "nothing_to_fight",
            ("CCB-001", "SEQ-013", "STA-021"),
            f"There is nothing to fight for in {name}: it is not in Unrest, and you have no new Control marker there.",
        )
    if here.unrest:
        holders_of_control = controllers(state, area)
        if holders_of_control and power not in holders_of_control:
            shared = bool(here.codominion)
            return (
                "not_a_member" if shared else "revolt_of_others",
                ("CCB-041",) if shared else ("CCB-030",),
                f"The revolt in {name} is against {powers_text(tables, holders_of_control)}: only a Power with Control "
                "there can fight it.",
            )
        stake = new or any(m.power == power for m in here.markers if not m.established)
        holders = influence_holders(state, area)
        if not holders_of_control and holders and power not in holders and not stake:
            return (
                "no_influence",
                ("CCB-033", "CCB-032"),
                f"Only a Power with Influence in {name}, or one that tries to take Control there, can "
                "suppress the Unrest.",
            )
    if not army_names(state, area, power):
        return (
            "no_army",
            ("CCB-001",),
            f"You have no Army Unit in {name}. You need one there to attack; Naval Units do not fight here.",
        )
    return None


@cached(most=8, by=lambda state: ((), (state.areas,)))
def contested_areas(state: State) -> list[str]:
    """Return the Areas with units that are in Unrest or hold an unestablished Control marker. Read-only result."""
    return [
        name
        for name, here in state.areas.items()
        if here.units and (here.unrest or any(not m.established and m.marker in CONTROL for m in here.markers))
    ]


def undecided_powers(tables: Tables, state: State, area: str) -> tuple[str, ...]:
    """Return the Great Powers that may still attack or decline in the Area. Rules: CCB-013, CCB-021, CCB-037."""
    done = _combat_notes(state).done.get(area, ())
    there = {u.power for u in area_state(state, area).units if u.kind == ARMY}
    return tuple(
        p for p in state.powers if p in there and p not in done and attack_obstacle(tables, state, area, p) is None
    )


def fighting_minors(state: State, area: str) -> tuple[str, ...]:
    """Return the Minor Powers, and optional Ottomans, that still fight Unrest in an Area they Control.

    Rules: CCB-003, CCB-005, MIN-050, MIN-056
    """
    if not area_state(state, area).unrest:
        return ()
    done = _combat_notes(state).done.get(area, ())
    return tuple(
        p
        for p in (*state.minors, OTTOMAN_EMPIRE)
        if p not in done and controls(state, area, p) and army_names(state, area, p)
    )


def is_last_to_fight(state: State, area: str, minor: str) -> bool:
    """Return whether the Minor Power waits for Great Powers that share the Area (MIN-056, Decision 22)."""
    shared = area_state(state, area).codominion
    return minor in shared and any(p in state.powers for p in shared)


def first_fights(state: State) -> list[tuple[str, str]]:
    """Return (Area, Minor Power) of the fights before those of the players (CCB-003, CCB-067)."""
    found = [
        (area, minor)
        for area in contested_areas(state)
        for minor in fighting_minors(state, area)
        if not is_last_to_fight(state, area, minor)
    ]
    order = (*state.minors, OTTOMAN_EMPIRE)
    return sorted(found, key=lambda fight: order.index(fight[1]))


def _combat_notes(state: State) -> CombatNotes:
    """Return the notes of the Phase; none in any other Phase."""
    return state.top.notes if isinstance(state.top.notes, CombatNotes) else CombatNotes()


def _change_notes(play: Transaction, notes: CombatNotes) -> None:
    play.emit(events.StepTaken(step=play.state.top.step, notes=notes, rules=("SEQ-013",)))


def _note_done(play: Transaction, area: str, powers: tuple[str, ...]) -> None:
    notes = _combat_notes(play.state)
    _change_notes(play, replace(notes, done={**notes.done, area: (*notes.done.get(area, ()), *powers)}))


def begin(play: Transaction) -> None:
    """Open the decisions in each Area for the Power whose turn it is. Minor Powers have fought before (in `run`).

    Rules: CCB-067, CCB-003
    """
    if first_fights(play.state):
        return
    for area in contested_areas(play.state):
        if not _awaits_answer(play.state, area):
            _offer_next(play, area)


def run(play: Transaction) -> None:
    """Fight for the Minor Powers; after the players, also for Minor Powers in Codominions that no player fought for.

    Rules: CCB-003, CCB-005, MIN-056, EVT-038
    """
    for area, minor in first_fights(play.state):
        _fight_for_minor(play, area, minor)
    begin(play)
    for area in contested_areas(play.state):
        if not _awaits_answer(play.state, area) and not undecided_powers(play.tables, play.state, area):
            for minor in fighting_minors(play.state, area):
                _fight_for_minor(play, area, minor)


def _fight_for_minor(play: Transaction, area: str, minor: str) -> None:
    if minor in fighting_minors(play.state, area):
        _note_done(play, area, (minor,))
        attack_area(play, area, (minor,))


def _awaits_answer(state: State, area: str) -> bool:
    return any(c.area == area and isinstance(c.about, FightOrDecline | Losses | Combine) for c in state.choices)


def _offer_next(play: Transaction, area: str) -> None:
    """Ask the next Power in the Area whether it fights, or members of a Codominion whether they combine."""
    powers = undecided_powers(play.tables, play.state, area)
    if not powers:
        return
    members = _codominion_members(play.state, area)
    answered = _combat_notes(play.state).combine.get(area, {})
    not_asked = [p for p in powers if p in members and p not in answered]
    if len(members) > 1 and not_asked and not answered:
        for power in not_asked:
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
        return
    order = _attack_order(play, area, powers)
    waited = _combat_notes(play.state).waited.get(area, ())
    power = min((p for p in order if p in powers), key=lambda p: (p in waited, order.index(p)))
    name = play.tables.areas[area].name
    attacks = _is_fight_default(play.state, area, power)
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
        f"Attack {name} ({' '.join(army_names(play.state, area, power))} against {points})?",
        ("CCB-001", "CCB-016" if area_state(play.state, area).unrest else "CCB-017"),
    )


def _is_fight_default(state: State, area: str, power: str) -> bool:
    """Return whether the Area holds a new Control marker of the Power or a revolt."""
    if new_control(state, area, power):
        return True
    holders = (*controllers(state, area), *influence_holders(state, area))
    return area_state(state, area).unrest and power in holders


def _attack_order(play: Transaction, area: str, powers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the order in which the Powers attack the Area, drawn when it is first needed.

    A Power may wait once; Powers after it then go first. If they wait as well, the drawn order stands.
    """
    known = _combat_notes(play.state).order.get(area, ())
    if all(p in known for p in powers):
        return known
    if len(powers) == 1:
        return powers
    left, order = list(powers), []
    while len(left) > 1:
        order.append(left.pop(play.dice.draw(len(left))))
    order += left
    play.emit(events.OrderDrawn(area=area, powers=tuple(order), rules=("CCB-067", "CCB-037")))
    notes = _combat_notes(play.state)
    _change_notes(play, replace(notes, order={**notes.order, area: tuple(order)}))
    return tuple(order)


def _codominion_members(state: State, area: str) -> tuple[str, ...]:
    """Return the members of a Codominion in Unrest with armies there that have not fought, Great Powers first."""
    here = area_state(state, area)
    if not here.unrest or not here.codominion:
        return ()
    done = _combat_notes(state).done.get(area, ())
    both = (*state.powers, *state.minors)
    return tuple(p for p in both if p in here.codominion and p not in done and army_names(state, area, p))


def answer_combine(play: Transaction, choice: Pending, about: Combine, answer: tuple[str, ...]) -> None:
    """Attack together, attack alone afterwards, or not at all. The last answer starts the common attack.

    Rules: CCB-042, CCB-066, MIN-056
    """
    area = choice.area
    word, notes = single_answer(choice, answer), _combat_notes(play.state)
    answers = {**notes.combine.get(area, {}), choice.power: word}
    _change_notes(play, replace(notes, combine={**notes.combine, area: answers}))
    if word == "decline":
        _note_done(play, area, (choice.power,))
    if any(c.area == area and isinstance(c.about, Combine) for c in play.state.choices):
        return
    group = [p for p in play.state.powers if answers.get(p) == "combine"]
    if group:
        partners = [p for p in _codominion_members(play.state, area) if p in play.state.minors]
        together = (*group, *partners)
        _note_done(play, area, together)
        attack_area(play, area, together)


def answer_fight(play: Transaction, choice: Pending, about: FightOrDecline, answer: tuple[str, ...]) -> None:
    """Attack, decline, or let the other Powers there go first. Rules: CCB-001, CCB-021, CCB-022, CCB-028, CCB-067."""
    word = single_answer(choice, answer)
    if word.startswith("wait"):
        notes = _combat_notes(play.state)
        waited = (*notes.waited.get(choice.area, ()), choice.power)
        _change_notes(play, replace(notes, waited={**notes.waited, choice.area: waited}))
        return
    _note_done(play, choice.area, (choice.power,))
    if word.startswith("fight"):
        attack_area(play, choice.area, (choice.power,))


def order_fight(play: Transaction, power: str, action: actions.Fight | actions.Decline) -> None:
    """Attack or decline by a plain order, which answers the pending choice.

    Raises: Refusal `unknown_area`, `fought_already`, `minors_first`, `not_your_turn`, or the obstacle to the attack.
    Rules: CCB-001, CCB-021, CCB-028, CCB-030, CCB-041, CCB-067
    """
    choice = _pending_fight(play, power, action.area)
    fights = isinstance(action, actions.Fight)
    if isinstance(choice.about, Combine):
        answer = ("combine" if fights else "decline",)
        transaction.record_choice(play, choice, answer)
        answer_combine(play, choice, choice.about, answer)
    elif isinstance(choice.about, FightOrDecline):
        answer = (f"{'fight' if fights else 'decline'} {action.area}",)
        transaction.record_choice(play, choice, answer)
        answer_fight(play, choice, choice.about, answer)


def _pending_fight(play: Transaction, power: str, area: str) -> Pending:
    if area not in play.tables.areas:
        refuse("unknown_area", (), f"There is no Area {area!r}.")
    for choice in play.state.choices:
        if choice.area == area and choice.power == power and isinstance(choice.about, FightOrDecline | Combine):
            return choice
    name = play.tables.areas[area].name
    if power in _combat_notes(play.state).done.get(area, ()):
        refuse(
            "fought_already",
            ("CCB-021",),
            f"You have already decided on {name} in this Phase: each Power fights once for each Area.",
        )
    reason = attack_obstacle(play.tables, play.state, area, power)
    if reason:
        refuse(*reason)
    if first_fights(play.state):
        refuse("minors_first", ("CCB-003", "CCB-067"), "The Minor Powers fight before the players.")
    refuse("not_your_turn", ("CCB-067", "CCB-037"), f"Another Power's attack on {name} comes before yours.")


PHASE = Phase(name="colonial_combat", begin=begin, run=run)


ACTS: ActTable = {
    actions.Fight: {"colonial_combat": order_fight},
    actions.Decline: {"colonial_combat": order_fight},
}
