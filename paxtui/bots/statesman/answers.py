"""The answer to every question: what the statesman has a view on, and for the rest what the General Orders say."""

from __future__ import annotations

from paxtui.bots.act import Act
from paxtui.bots.campaign import Force
from paxtui.bots.caretaker import answers as orders
from paxtui.bots.caretaker.calls import said
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman import armies
from paxtui.bots.statesman.diplomacy import congress, disputes, treaties, war
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.orders import actions as ac
from paxtui.pax.state import questions as qu
from paxtui.pax.state.pieces import LEVEL
from paxtui.pax.state.questions import Pending
from paxtui.pax.state.war_questions import WarQuestion
from paxtui.pax.words.spoken import place_name

EVEN = 0.45
"""Chance to win below which an army that stands ready does not fight."""


def answer(outlook: Outlook, desk: Desk, choice: Pending) -> Act:
    """The answer to a question."""
    about = choice.about
    if isinstance(about, qu.FightOrDecline):
        return _fight(desk, choice)
    if isinstance(about, qu.MoneyOffer | qu.MarkerOffer | qu.ShareOffer):
        return disputes.answer(outlook, desk, choice)
    if isinstance(about, qu.Deficit):
        return _give_up(outlook, desk, choice, about)
    if isinstance(about, qu.Duty):
        return treaties.answer_duty(outlook, desk, choice, about)
    if isinstance(about, qu.Ballot | qu.Signature | qu.Attend | qu.Invite | qu.Tie | qu.Propose):
        return congress.answer(outlook, desk, choice)
    if isinstance(about, WarQuestion | qu.Call | qu.Defiance):
        return war.answer(outlook, desk, choice)
    return orders.answer(desk, choice)


def _fight(desk: Desk, choice: Pending) -> Act:
    """Fight where the odds are not bad."""
    chance = Force(armies.standing(desk, choice.area)).odds(desk.tables, desk.tables.areas[choice.area].strength).win
    word = "fight" if chance >= EVEN else "decline"
    name = place_name(desk.tables, choice.area)
    return said(ac.Choose(choice.id, (f"{word} {choice.area}",)), f"A chance of {chance:.0%} to win {name}")


def _give_up(outlook: Outlook, desk: Desk, choice: Pending, deficit: qu.Deficit) -> Act:
    """What is given up in a deficit: the set that costs least by the end of the game."""
    # (pounds saved, Armies near India) -> pounds lost by the end, and the pieces
    best: dict[tuple[int, int], tuple[float, tuple[str, ...]]] = {(0, 0): (0.0, ())}
    options = [option for option in choice.options if isinstance(option, str)]
    for text in sorted(options):
        what, area = text.split()
        saved, near = deficit.saves[text], int(text in deficit.near_india)
        if LEVEL.get(what, 0):
            lost = max(0.0, outlook.worth(desk.state, area, what)) + outlook.tension(desk.state, LEVEL[what])
        else:
            lost = desk.tables.units[int(what[1:])].army * 0.7
        for (pounds, used), (pain, pieces) in list(best.items()):
            key = pounds + saved, used + near
            if key[0] <= deficit.exactly and key[1] <= deficit.of_india:
                more = pain + lost, (*pieces, text)
                best[key] = min(more, best.get(key, more))
    found = [set_ for (pounds, _), set_ in best.items() if pounds == deficit.exactly]
    if not found:
        return orders.answer(desk, choice)
    return said(ac.Choose(choice.id, min(found)[1]), "A deficit: what is missed least is given up")
