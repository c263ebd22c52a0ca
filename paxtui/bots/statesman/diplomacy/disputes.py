"""Disputes: which are pressed, which shared, which yielded, and what is taken that others offer."""

from __future__ import annotations

from paxtui.bots.act import Act
from paxtui.bots.caretaker.calls import said
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman.outlook import Outlook, strength
from paxtui.pax.board.status import at, controls, established
from paxtui.pax.diplomacy.sharing import JOINING
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.choices import default_of
from paxtui.pax.state.model import State
from paxtui.pax.state.pieces import CONTROL, INTEREST, PROTECTORATE
from paxtui.pax.state.questions import MarkerOffer, MoneyOffer, Pending, ShareOffer
from paxtui.pax.words.spoken import place_name, power_name

ACCEPT = ("accept",)


def settle(outlook: Outlook, desk: Desk) -> None:
    """Do what is best about each dispute over Control: propose to share it, where neither will give way."""
    for area, rival in contested(desk.state, desk.power):
        if controls(desk.state, area, rival) and sharing_pays(outlook, desk.state, area):
            name = place_name(desk.tables, area)
            why = f"Half of {name} is better than a quarrel with {power_name(desk.tables, rival)}"
            desk.do(ac.Codominion(area), why)


def contested(state: State, power: str) -> list[tuple[str, str]]:
    """Areas in which the Power has Control, each with a rival whom it has a Casus Belli against or who has one."""
    found: dict[tuple[str, str], None] = {}
    for cause in state.casus_belli:
        if cause.area and power in (cause.holder, cause.against) and controls(state, cause.area, power):
            found[cause.area, cause.against if cause.holder == power else cause.holder] = None
    return list(found)


def sharing_pays(outlook: Outlook, state: State, area: str) -> bool:
    """Whether Control that is shared is worth more than the Interest that is left to who gives way."""
    shared = outlook.worth(state, area, PROTECTORATE)
    return shared > outlook.worth(state, area, INTEREST)


def answer(outlook: Outlook, desk: Desk, choice: Pending) -> Act:
    """Take what is worth having; share where that beats what else would come of it."""
    about = choice.about
    refuse = ac.Choose(choice.id, default_of(choice))
    if isinstance(about, MoneyOffer):
        return said(ac.Choose(choice.id, ACCEPT), "Money is always welcome")
    if isinstance(about, MarkerOffer):
        worth = outlook.worth(desk.state, about.area, about.marker)
        name = place_name(desk.tables, about.area)
        if worth > 0:
            return said(ac.Choose(choice.id, ACCEPT), f"{name} is worth some £{worth:.0f} as it is offered")
        return said(refuse, f"{name} would cost more than it brings")
    if isinstance(about, ShareOffer):
        return _share(outlook, desk, choice, about)
    return said(refuse, "Nothing is to be gained by it")


def _share(outlook: Outlook, desk: Desk, choice: Pending, offer: ShareOffer) -> Act:
    """Share an Area where the others hold Control too, or where an Influence becomes a Protectorate by it."""
    state, power, area = desk.state, choice.power, offer.area
    refuse, accept = ac.Choose(choice.id, default_of(choice)), ac.Choose(choice.id, ACCEPT)
    name = place_name(desk.tables, area)
    own = established(state, area, power)
    if own is None:
        return said(refuse, f"It has nothing in {name} to share")
    pays = sharing_pays(outlook, state, area)
    if own.marker not in CONTROL:
        gain = outlook.worth(state, area, PROTECTORATE) - outlook.worth(state, area, INTEREST)
        if gain > JOINING * outlook.cash:
            return said(accept, f"For £{JOINING} an Influence in {name} becomes a share of it")
        return said(refuse, f"A share of {name} is not worth £{JOINING}")
    rivals = [m.power for m in at(state, area).markers if m.power != power and m.marker in CONTROL]
    if pays and rivals:
        return said(accept, f"Half of {name} is better than a quarrel with {power_name(desk.tables, rivals[0])}")
    stronger = [p for p in offer.members if p != power and strength(state, p) > strength(state, power)]
    if pays and stronger and outlook.who.care > 1.0:
        return said(accept, f"{power_name(desk.tables, stronger[0])} is too strong to be refused a share of {name}")
    return said(refuse, f"{name} is held, and need not be shared")
