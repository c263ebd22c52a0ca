"""One attack on the Combat Strength of an Area: the die, the losses, and what victory or defeat brings.

Rules: CCB-002, CCB-006 to CCB-012, CCB-018 to CCB-024, CCB-034, CCB-039, CCB-042 to CCB-060, CCB-063, CCB-066,
MIN-056, MIN-057, STA-017, STA-020
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from paxtui.engine.choices import Choice
from paxtui.pax.board.links import linked_areas
from paxtui.pax.board.neighbours import area_type
from paxtui.pax.board.status import at, controllers, controls, established, influence_holders, unestablished
from paxtui.pax.combat import combat_table, ottoman_expansion, retreats
from paxtui.pax.expansion import status_change
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import ARMY, CONTROL, EXPANSION, POSSESSION, PROTECTORATE

Piece = tuple[str, str]
"""An Army Unit that may be lost: its Power and its name."""


def armies(state: State, area: str, power: str) -> tuple[str, ...]:
    """The Power's Army Units in the Area by name, heavy ones first. Naval Units never count (CCB-007)."""
    units = [u for u in at(state, area).units if u.power == power and u.kind == ARMY]
    return tuple(f"A{n}" for n in sorted((u.strength for u in units), reverse=True))


def strength(pieces: Iterable[str]) -> int:
    """Strength points of units given by name."""
    return sum(int(name[1:]) for name in pieces)


# --- the attack ---------------------------------------------------------------------------------------------------


def attack(play: Play, area: str, powers: tuple[str, ...]) -> None:
    """`powers` attack the Area with all their armies there, together where they are several members of a Codominion.

    Rules: CCB-006, CCB-007, CCB-008, CCB-014, CCB-018, CCB-022, CCB-042, CCB-043, CCB-044, CCB-046, CCB-066
    """
    tables = play.tables
    force = sum(strength(armies(play.state, area, p)) for p in powers)
    defend = tables.areas[area].strength
    joint = ("CCB-042", "CCB-066") if len(powers) > 1 else ()
    if defend == 0:
        play.emit(
            ev.ColonialCombat(
                area=area,
                powers=powers,
                attack=force,
                defend=0,
                effect=combat_table.DEFEATED,
                rules=("CCB-008", *joint),
            )
        )
        win(play, area, powers, ("CCB-008",))
        return
    table = combat_table.table_for(force, defend)
    index = combat_table.column(tables, force, defend)
    die = play.dice.roll()
    result = combat_table.look_up(tables, table, die, index)
    outcome = combat_table.read(result, force, defend)
    play.emit(
        ev.ColonialCombat(
            area=area,
            powers=powers,
            attack=force,
            defend=defend,
            table=table,
            column=combat_table.label(tables.ratios[index]),
            die=die,
            result=result,
            effect=outcome.effect,
            losses=outcome.losses,
            rules=("CCB-006", "CCB-043", "CCB-044", "CCB-046", *outcome.rules, *joint),
        )
    )
    if outcome.effect == combat_table.DEFEATED:
        win(play, area, powers, outcome.rules)
    elif outcome.effect == combat_table.ELIMINATED:
        pieces = [(p, name) for p in powers for name in armies(play.state, area, p)]
        _remove(play, area, pieces, "combat", (*outcome.rules, *joint))
        fail(play, area, powers)
    elif outcome.effect == combat_table.RETREAT:
        fail(play, area, powers)
    else:
        _exchange(play, area, powers, outcome.losses, outcome.rules)


def _remove(play: Play, area: str, pieces: Iterable[Piece], reason: str, rules: tuple[str, ...]) -> None:
    gone: dict[str, list[str]] = {}
    for power, name in pieces:
        gone.setdefault(power, []).append(name)
    for power, names in gone.items():
        play.emit(ev.UnitsLost(power=power, units=tuple(names), place=area, reason=reason, rules=rules))


def win(play: Play, area: str, powers: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """The Area is defeated: Unrest ends, and the attackers' new Control markers are established at once.

    `rules`: why it is defeated.

    Rules: CCB-002, CCB-009, CCB-012, CCB-019, CCB-024, CCB-034, CCB-039, STA-017, STA-020, MIN-057, EVT-040, OTT-002
    """
    fresh = {p: m for p in powers if (m := unestablished(play.state, area, p)) and m.marker in CONTROL}
    if at(play.state, area).unrest:
        both = ("CCB-002", "CCB-018") if fresh else ()
        play.emit(ev.UnrestEnded(area=area, by=powers, rules=("CCB-019", _why(play.state, area), *both, *rules)))
        for power in powers:
            if power in play.state.minors:
                _rise(play, area, power)
            elif power == EXPANSION:
                ottoman_expansion.annex(play, area)
    for power, new in fresh.items():
        controlled = controls(play.state, area, power)
        play.emit(
            ev.MarkerEstablished(
                area=area, power=power, marker=new.marker, rules=("CCB-009", "STA-017", "STA-020", *rules)
            )
        )
        if not controlled:
            war_due(play, area, power)


def war_due(play: Play, area: str, power: str) -> None:
    """New Control in an Ottoman Area brings the Ottoman Empire to war this turn.

    Rules: OTT-002
    """
    if area_type(play.tables, play.state, area) == "ottoman":
        play.emit(ev.WarDue(war="ottoman", power=power, area=area, rules=("OTT-002",)))


def _why(state: State, area: str) -> str:
    """Rule by which the victory ends this kind of Unrest."""
    if controllers(state, area):
        return "CCB-024"
    return "CCB-034" if influence_holders(state, area) else "CCB-039"


def _rise(play: Play, area: str, minor: str) -> None:
    """A Minor Power that put down Unrest turns its Protectorate of an earlier turn into a Possession.

    Rules: MIN-057, R-MIN-06
    """
    own = established(play.state, area, minor)
    if own is None or own.marker != PROTECTORATE:
        return
    old = own.since < play.state.turn or play.state.options["minor_fresh_protectorate_upgrades"] == "yes"
    if old and area in linked_areas(play.tables, play.state, minor):
        status_change.place_minor(play, minor, area, POSSESSION, ("MIN-057",))


def fail(play: Play, area: str, powers: tuple[str, ...]) -> None:
    """The Area is not defeated: new Control markers of the attackers go, what is left of their armies retreats.

    Rules: CCB-010, CCB-011, CCB-012, CCB-048, CCB-063, ETI-039
    """
    for power in powers:
        drop_new_control(play, area, power)
        if power == EXPANSION:
            ottoman_expansion.dissolve(play, area)
        else:
            retreats.retreat_armies(play, power, area, ("CCB-011", "CCB-048"))


def drop_new_control(play: Play, area: str, power: str) -> None:
    """Take an unestablished Control marker off that its Power's armies did not fight for with success.

    The older marker under it stays, unless the option for failed upgrades says otherwise (Decision 3).

    Rules: CCB-010, CCB-063, ETI-039
    """
    new = unestablished(play.state, area, power)
    if new is None or new.marker not in CONTROL:
        return
    old = established(play.state, area, power)
    rules = ("CCB-010", "CCB-063", "ETI-039") if old else ("CCB-010", "ETI-039")
    play.lower(area, power, new.marker, "", "not defeated", rules, None, established=False)
    if old and old.marker not in CONTROL and play.state.options["failed_upgrade_keeps_old"] == "no":
        play.lower(area, power, old.marker, "", "failed upgrade", ("CCB-010",), None)


# --- exchanges ----------------------------------------------------------------------------------------------------


def smallest(pieces: list[Piece], required: int) -> list[Piece]:
    """The smallest total of at least `required` strength points among `pieces`, then the fewest units.

    Rules: R-CCB-13
    """
    best: dict[int, list[Piece]] = {0: []}
    for piece in pieces:
        for total, chosen in sorted(best.items(), reverse=True):
            if total < required:
                sum_ = total + strength([piece[1]])
                if sum_ not in best or len(best[sum_]) > len(chosen) + 1:
                    best[sum_] = [*chosen, piece]
    enough = [total for total in best if total >= required]
    return best[min(enough)] if enough else list(pieces)


def only_one_way(pieces: list[Piece], chosen: list[Piece], required: int) -> bool:
    """Whether every sufficient loss contains `chosen`, so that there is nothing to choose."""
    have, lost = Counter(pieces), Counter(chosen)
    total = strength(name for _, name in pieces)
    return all(
        total - (have[piece] - n + 1) * strength([piece[1]]) < required for piece, n in lost.items()
    )


def _exchange(play: Play, area: str, powers: tuple[str, ...], required: int, rules: tuple[str, ...]) -> None:
    """The attackers lose at least `required` strength points of their choice.

    Minor Powers bear the smallest possible share, and choose nothing; Great Powers that attack together have to agree.

    Rules: CCB-052, CCB-055, CCB-066, MIN-056 (R-CCB-13, R-CCB-14, Decision 22)
    """
    state = play.state
    greats = tuple(p for p in powers if p in state.powers)
    own = [(p, name) for p in greats for name in armies(state, area, p)]
    others = [(p, name) for p in powers if p not in greats for name in armies(state, area, p)]
    rest = max(0, required - strength(name for _, name in own))
    share = smallest(others, rest) if rest else []
    needed = min(required, strength(name for _, name in own)) if own else 0
    chosen = smallest(own, needed) if needed else []
    if share:
        _remove(play, area, share, "combat", (*rules, "MIN-056"))
    if not chosen or only_one_way(own, chosen, needed):
        _remove(play, area, chosen, "combat", rules)
        conclude(play, area, powers, rules)
        return
    _ask(play, area, powers, greats[0], needed, {}, rules)


def _ask(
    play: Play,
    area: str,
    powers: tuple[str, ...],
    asked: str,
    needed: int,
    said: dict[str, list[str]],
    rules: tuple[str, ...],
) -> None:
    """Ask a Great Power which armies are lost; `said`: what its partners have proposed."""
    greats = [p for p in powers if p in play.state.powers]
    own = [(p, name) for p in greats for name in armies(play.state, area, p)]
    texts = {piece: piece[1] if len(greats) == 1 else f"{piece[0]} {piece[1]}" for piece in own}
    first = next(iter(said.values()), None)
    default = tuple(first) if first else tuple(texts[piece] for piece in smallest(own, needed))
    agree = " The partners have to name the same armies, or all of theirs are lost." if len(greats) > 1 else ""
    heard = "".join(f" Proposed by {play.tables.powers[p].name}: {' '.join(t)}." for p, t in said.items())
    play.offer(
        asked,
        "losses",
        tuple(texts[piece] for piece in own),
        default if len(default) > 1 else default[0],
        area,
        f"Which armies of at least {needed} strength points are lost in {play.tables.areas[area].name}?{agree}{heard}",
        rules,
        {"powers": list(powers), "needed": needed, "said": said},
    )


def answer_losses(play: Play, choice: Choice, answer: tuple[str, ...]) -> None:
    """Lose the armies named; partners in a combined attack name the same ones, or lose all.

    Raises: Refusal `not_there`, `not_enough`.
    Rules: CCB-052, CCB-055, CCB-066
    """
    area, needed = choice.area, int(choice.data["needed"])
    powers = tuple(str(p) for p in choice.data["powers"])
    greats = [p for p in powers if p in play.state.powers]
    own = Counter((p, name) for p in greats for name in armies(play.state, area, p))
    named = [(text.split()[0], text.split()[1]) if " " in text else (greats[0], text) for text in answer]
    if Counter(named) - own:
        refuse("not_there", choice.rules, f"Not all of {' '.join(answer)} stand in {play.tables.areas[area].name}.")
    if strength(name for _, name in named) < needed:
        refuse(
            "not_enough",
            choice.rules,
            f"{' '.join(answer) or 'Nothing'} is too little: at least {needed} strength points are lost.",
            needed=needed,
        )
    said = {**choice.data["said"], choice.power: sorted(answer)}
    left = [p for p in greats if p not in said]
    if left:
        _ask(play, area, powers, left[0], needed, said, choice.rules)
        return
    if all(texts == sorted(answer) for texts in said.values()):
        _remove(play, area, named, "combat", choice.rules)
    else:
        _remove(play, area, own.elements(), "combat", ("CCB-066",))
    conclude(play, area, powers, choice.rules)


def conclude(play: Play, area: str, powers: tuple[str, ...], rules: tuple[str, ...]) -> None:
    """After an exchange: the Area is defeated if an army of the attackers is left in it.

    Rules: CCB-053, CCB-056
    """
    if any(armies(play.state, area, p) for p in powers):
        win(play, area, powers, ("CCB-053" if "CCB-052" in rules else "CCB-056",))
    else:
        fail(play, area, powers)
