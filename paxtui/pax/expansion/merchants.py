"""Merchant Fleets: moving them from Sea Zone to Sea Zone, and taking new ones from the turn track.

Rules: MOV-002 to MOV-005, SEQ-012, SET-049, SET-064
"""

from __future__ import annotations

from paxtui.pax.history import events as ev
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.play import Play, refuse
from paxtui.pax.words.spoken import place_name, the_zone


def move(play: Play, power: str, action: ac.Merchant) -> None:
    """Move a fleet any distance, or place a new one that is due.

    Raises: Refusal.
    Rules: MOV-002, MOV-003, MOV-004, MOV-005, SEQ-012
    """
    tables, state = play.tables, play.state
    who = tables.powers[power].name
    for place in (action.start, action.to):
        if place in tables.capes:
            name = place_name(tables, place)
            refuse("cape", ("MOV-005", "SET-019"), f"{name} exists in War only: no Merchant Fleet can be there.")
    if action.to not in tables.sea_zones:
        refuse("no_sea", ("MOV-002",), f"{place_name(tables, action.to)} is no Sea Zone.")
    if action.start == "new":
        if state.powers[power].merchants_due < 1:
            refuse(
                "none_due",
                ("MOV-004", "SEQ-012", "SET-064"),
                f"{who} has no Merchant Fleet due: they come from the turn track only and are never bought.",
            )
    elif power not in state.sea_zones.get(action.start, ()):
        where = place_name(tables, action.start)
        refuse("no_fleet", ("MOV-002",), f"{who} has no Merchant Fleet in the {where}.")
    if action.start == action.to:
        refuse("nowhere", ("MOV-002",), "The fleet is there already.")
    if power in state.sea_zones.get(action.to, ()):
        refuse(
            "two_fleets",
            ("MOV-003",),
            f"{who} has a Merchant Fleet in {the_zone(tables, action.to)} already: one a Sea Zone.",
        )
    rule = "MOV-004" if action.start == "new" else "MOV-002"
    play.emit(ev.MerchantMoved(power=power, start=action.start, to=action.to, rules=(rule, "MOV-003")))
