"""One attack on the Combat Strength of an Area: the die, the losses, and what victory or defeat brings.

Rules: CCB-002, CCB-006 to CCB-012, CCB-018 to CCB-024, CCB-034, CCB-039, CCB-042 to CCB-060, CCB-063, CCB-066,
MIN-056, MIN-057, STA-017, STA-020
"""

from __future__ import annotations

from paxtui.pax.combat import combat_table
from paxtui.pax.combat.colonial_outcome import fail, win
from paxtui.pax.combat.exchange import exchange
from paxtui.pax.combat.losses import armies, remove, strength
from paxtui.pax.history import events as ev
from paxtui.pax.play.play import Play


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
        remove(play, area, pieces, "combat", (*outcome.rules, *joint))
        fail(play, area, powers)
    elif outcome.effect == combat_table.RETREAT:
        fail(play, area, powers)
    else:
        exchange(play, area, powers, outcome.losses, outcome.rules)
