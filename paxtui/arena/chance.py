"""Acts by chance: what the menu offers, or something of the right words that may or may not be allowed."""

from __future__ import annotations

from random import Random

from paxtui.pax.board.status import powers_of
from paxtui.pax.board.tables import Tables
from paxtui.pax.menus.menu import Menu
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.notation import parse
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import home


def offered_action(tables: Tables, random: Random, menu: Menu) -> ac.Action | None:
    """Something that the menu offers."""
    kinds = [k for k, there in (("order", menu.orders), ("move", menu.moves), ("pay", menu.pays)) if there]
    if not kinds:
        return None
    kind = random.choice(kinds)
    if kind == "order":
        # ready is one of hundreds: give it its share, so that Phases end by themselves too
        text = "ready" if "ready" in menu.orders and random.random() < 0.15 else random.choice(menu.orders)
    elif kind == "pay":
        gift = random.choice(menu.pays)
        amount = random.randint(1, gift.most)
        text = f"{gift.power}: pay {gift.to} {amount}"
        if amount in gift.offered:
            return None
    else:
        moves = random.choice(menu.moves)
        units = random.sample(moves.units, random.randint(1, len(moves.units)))
        text = menu.move_text(moves, units, random.choice(moves.ends))
    order = parse(tables, text)
    assert isinstance(order, ac.Action)
    return order


def wild_action(tables: Tables, random: Random, state: State, seat: str) -> ac.Action:
    """Something that may or may not be allowed, of the right words."""
    powers, markers, zones = list(tables.powers), list(tables.markers), list(tables.sea_zones)
    kinds = [kind + str(strength) for kind in "AN" for strength in tables.units]
    power = random.choice(["", *powers_of(tables, state, seat), random.choice(powers)])
    acting = power or seat
    own = [
        area
        for area, here in state.areas.items()
        if any(m.power == acting for m in here.markers) or any(u.power == acting for u in here.units)
    ]
    area = random.choice(own) if own and random.random() < 0.6 else random.choice(list(tables.areas))
    other = random.choice(own) if own and random.random() < 0.6 else random.choice(list(tables.areas))
    marker, to = random.choice(markers), random.choice(powers)
    here = [u.name for u in (*state.areas[area].units, *state.homes.get(acting, ())) if u.power == acting]
    units = tuple(random.choice(here if here and random.random() < 0.7 else kinds) for _ in range(random.randint(1, 3)))
    zone, zone2 = random.choice(zones), random.choice(zones)
    start = random.choice([area, home(acting), "home", zone])
    end = random.choice([other, home(acting), home(to), "home", zone2])
    middle = tuple(random.choice([zone, area, other]) for _ in range(random.choice([0, 0, 0, 1, 2])))
    choices = [c.id for c in state.choices] + ["c1", "c999"]
    answers = [o for c in state.choices for o in c.options if isinstance(o, str)] + ["accept", "A1", "home", "x"]
    causes = [c.id for c in state.casus_belli] + ["cb1", "cb9"]
    coast = random.choice(["", "", zone, zone2])
    return random.choice(
        [
            ac.Place(marker, area, power),
            ac.Upgrade(marker, area, power),
            ac.Downgrade(marker, area, power),
            ac.Withdraw(marker, area, power),
            ac.Transfer(area, to, power),
            ac.Build(units, random.choice(["", zone]), power),
            ac.Move(units, (start, *middle, end), coast, power),
            ac.Move(units, (random.choice(["home", area]), end), coast, power),
            ac.Merchant(random.choice([zone, "new"]), zone2, power),
            ac.Canal(random.choice([area, "panama"]), power),
            ac.Pay(to, random.choice([0, 1, 5, -3, 1000]), power),
            ac.Garrison(power),
            ac.Fight(area, power),
            ac.Decline(area, power),
            ac.Choose(random.choice(choices), tuple(random.choice(answers) for _ in range(random.randint(0, 2)))),
            ac.Codominion(area, tuple(random.sample(powers, random.randint(0, 2))), power),
            ac.Waive(random.choice(causes)),
            ac.Defend(random.choice(powers), area, power),
            ac.Unready(),
            ac.Advance(),
            ac.SetPosition({}),
        ]
    )
