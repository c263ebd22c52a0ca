"""The menu of a place for the seat at the keyboard, and the effects of its entries."""

from __future__ import annotations

from msgspec.structs import replace

from paxtui.engine.refusal import Refusal
from paxtui.games.pax.actions import actions
from paxtui.games.pax.menus import place as menu
from paxtui.games.pax.menus.place import MenuItem
from paxtui.games.pax.preview.preview import Preview
from paxtui.games.pax.text.display import power_name
from paxtui.session.session import Order, Session

OTHER_POWER_LETTER = "A"
"""Key of the entry that opens the menu of the other Power; the letters of `place_menu` are lower case."""


def place_menu(session: Session, place: str, power: str = "") -> list[MenuItem]:
    """Return every entry for a place, allowed or not.

    Args:
        session: the open game.
        place: an Area, Sea Zone or Home Country.
        power: the acting Power of the seat, by default the one at the keyboard.
    """
    return menu.place_menu(session.tables, session.live, session.seat, power or session.power, place)


def other_power_entries(session: Session, place: str, power: str = "") -> list[MenuItem]:
    """Return an entry for each other Power of the seat that can act in a place. It opens the menu of that Power.

    Args: as for `place_menu`.
    """
    entries: list[MenuItem] = []
    for other in session.powers():
        if other == (power or session.power):
            continue
        labels = [item.label for item in place_menu(session, place, other) if item.allowed]
        if labels:
            label = f"{power_name(session.tables, other)}: {len(labels)} action{'s' * (len(labels) > 1)}…"
            what = f"{'; '.join(labels)}."
            entries.append(
                MenuItem(None, label, True, reason=what, letter=OTHER_POWER_LETTER * (not entries), power=other)
            )
    return entries


def preview_item(session: Session, item: MenuItem) -> Preview | None:
    """Return the effects of an entry; None for one that is not allowed, or that only starts an action."""
    if item.action is None or not item.allowed:
        return None
    found = session.preview(item.action, item.trial)
    return None if isinstance(found, Refusal) else found


def home_port_choices(session: Session, order: Order) -> tuple[actions.Build, ...]:
    """Return the order for each possible home box of its fleets, if it names none; () if only one is possible.

    Rules: SET-027
    """
    if (
        not isinstance(order, actions.Build)
        or order.box
        or not any(name.upper().startswith("N") for name in order.units)
    ):
        return ()
    home = session.tables.homes.get(order.power or session.seat)
    boxes = home.boxes if home else ()
    return tuple(replace(order, box=box[0]) for box in boxes) if len(boxes) > 1 else ()
