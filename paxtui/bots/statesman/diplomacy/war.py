"""War: what is declared, how it is fought, when it is ended, what is taken, and whom the statesman comes to help.

What hangs on it is rehearsed on copies of the position: a War is declared only where it brings more than it costs in
the rehearsals taken together, and none of them makes the statesman the culprit of the Great War.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from paxtui.bots.act import Act
from paxtui.bots.caretaker import answers as general_orders
from paxtui.bots.caretaker.calls import said
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman import ambitions
from paxtui.bots.statesman.diplomacy.regard import Regard
from paxtui.bots.statesman.diplomacy.rehearsal import Until, rehearsed
from paxtui.bots.statesman.outlook import Outlook, strength
from paxtui.bots.worth import trade
from paxtui.pax.board.status import established
from paxtui.pax.orders import actions as ac
from paxtui.pax.play.choices import default_of
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Pending
from paxtui.pax.state.war_questions import Call, Cession, Cessions, EndWaiver, Spoils
from paxtui.pax.war import declarations
from paxtui.pax.war.great_war import FOUR
from paxtui.pax.words.spoken import place_name, power_name

REHEARSALS = {"easy": 0, "normal": 3, "hard": 6}
"""How often a War is played through before it is declared."""
WORTH_A_WAR = 35.0
"""Pounds by the end of the game from which a War on a Minor Power is worth its risks."""
ON_A_PLAYER = 2.0
"""How much more a War on a Power with a player must promise: he has friends, and the turns to come to pay it back."""
STRONGER = 1.2
"""By how much it must outweigh a Power with a player and all whom Treaties call to his side."""
HEAT = 22
"""Points by which a War is likely to raise the European Tensions, with those whom it draws in."""
TOO_HOT = 80
"""European Tensions that no War of its own may bring about, for a statesman of no temper."""
RUIN = 400.0
"""Pounds that the blame for the Great War costs on top of its penalty."""


def declare(outlook: Outlook, desk: Desk) -> None:
    """Declare the War that brings most, if one brings enough."""
    times = REHEARSALS.get(outlook.who.level, 0)
    causes = declarations.usable(desk.tables, desk.state, desk.power) if times else ()
    wars: dict[str, ac.DeclareWar] = {}
    own = "" if desk.power == desk.seat else desk.power
    regard = Regard(desk.tables, desk.state)
    for cause in causes:
        if _can_be_borne(outlook, desk, regard, cause.against):
            wars.setdefault(cause.against, ac.DeclareWar((cause.against,), (cause.id,), own))
    if not wars or desk.state.wars:
        return
    peace = prospect(outlook, desk, (), times)
    promised = [
        (prospect(outlook, desk, (war,), times, hopeless=peace) - peace, against) for against, war in wars.items()
    ]
    for gain, against in sorted(promised, reverse=True):
        if gain > WORTH_A_WAR * outlook.who.care * (1.0 if against in desk.state.minors else ON_A_PLAYER):
            why = f"War on {power_name(desk.tables, against)} promises some £{gain:.0f} over what it costs"
            desk.faithful = not outlook.who.faithless or gain < outlook.breach(desk.state) + WORTH_A_WAR
            declared = desk.do(wars[against], why)
            desk.faithful = True
            if declared:
                return


def _can_be_borne(outlook: Outlook, desk: Desk, regard: Regard, foe: str) -> bool:
    """Whether a War can be borne whatever comes of it: it outweighs the foe with all whom Treaties call to his side,
    these do not make it the Great War, and the tensions leave room for it."""
    power, friends = desk.power, regard.allies(foe, desk.power)
    sides = [power, foe, *friends, *regard.allies(power, foe)]
    europeans = sum(desk.tables.powers[p].european for p in dict.fromkeys(sides))
    minor = foe in desk.state.minors
    heat = HEAT * (0.5 if minor and not friends else 1.0 + 0.25 * len(friends))
    if europeans >= FOUR or desk.state.tension + heat * outlook.who.care**0.5 > TOO_HOT:
        return False
    if minor and not friends:
        return True
    return regard.strength(power) > STRONGER * (regard.strength(foe) + sum(map(regard.strength, friends)))


def prospect(
    outlook: Outlook,
    desk: Desk,
    first: Sequence[ac.Action],
    times: int,
    until: Until | None = None,
    hopeless: float = float("-inf"),
) -> float:
    """Pounds at the end of the game, on the average of several rehearsals, after some acts; -inf where the first is
    refused.

    Args: the judgement; the paper; the acts; how often; what is far enough, None for the end of the Wars; pounds with
        which it is given up after the first rehearsal: long Wars take long to play through.
    """
    speaks = partial(_speaks, outlook, desk)
    ends = rehearsed(desk.tables, desk.state, desk.seat, first, f"{desk.power}/war", times, speaks, until)
    found: list[float] = []
    for state in ends:
        found.append(standing(outlook, desk, state))
        if found[0] <= hopeless:
            break
    return sum(found) / len(found) if found else float("-inf")


def standing(outlook: Outlook, desk: Desk, state: State) -> float:
    """Pounds at the end that a position promises the Power, but for what is the same in all that are compared."""
    power = desk.power
    total = outlook.now * state.powers[power].treasury + 2.0 * strength(state, power)
    for area, here in state.areas.items():
        total += sum(max(0.0, outlook.worth(state, area, m.marker)) for m in here.markers if m.power == power)
    total += outlook.point * ambitions.standing(desk.tables, state, power)
    total -= sum(share * trade(desk.tables, state, rival, outlook.years) for rival, share in outlook.leaders)
    total -= outlook.tension(desk.state, max(0, state.tension - desk.state.tension))
    if state.result is not None:
        penalty = desk.tables.turns[desk.state.turn - 1].great_war_penalty * outlook.point
        blamed = desk.seat in state.result.culprits
        total -= 3 * penalty + RUIN if blamed else penalty
    return total


def _speaks(outlook: Outlook, desk: Desk, state: State, choice: Pending) -> ac.Choose | None:
    """What it would answer in a rehearsal: it takes its spoils."""
    if isinstance(choice.about, Spoils | Cession):
        return ac.Choose(choice.id, tuple(best_prize(outlook, desk, state, choice)[1].split()))
    return None


def answer(outlook: Outlook, desk: Desk, choice: Pending) -> Act:
    """The answer to a question of a War: spoils by their worth, calls and the end of it by what rehearsals promise."""
    about = choice.about
    if isinstance(about, Spoils | Cession):
        worth, text = best_prize(outlook, desk, desk.state, choice)
        why = f"What is won is worth some £{worth:.0f}" if worth > 0 else "Nothing here is worth its keep"
        return said(ac.Choose(choice.id, tuple(text.split())), why)
    if isinstance(about, Cessions):
        return said(ac.Choose(choice.id, ("sign",)), "Without all signatures nothing is ceded to anybody")
    times = REHEARSALS.get(outlook.who.level, 0)
    if times and isinstance(about, EndWaiver):
        return _by_rehearsal(outlook, desk, choice, ("end", "go on"), times)
    if times and isinstance(about, Call) and outlook.who.faithless:
        return _by_rehearsal(outlook, desk, choice, (default_of(choice)[0], "refuse"), times)
    return general_orders.answer(desk, choice)


def best_prize(outlook: Outlook, desk: Desk, state: State, choice: Pending) -> tuple[float, str]:
    """The option of a division of spoils that is worth most to the Power, with its worth in pounds at the end."""
    found = [(0.0, " ".join(default_of(choice)))]
    for option in choice.options:
        words = option.split() if isinstance(option, str) else []
        if words[:1] == ["place"] and len(words) == 3:
            _, marker, area = words
            own = established(state, area, choice.power)
            worth = outlook.worth(state, area, marker) - outlook.china(state, area, marker)
            worth += outlook.point * (
                ambitions.standing(desk.tables, ambitions.held(state, area, choice.power), choice.power)
                - ambitions.standing(desk.tables, state, choice.power)
            )
            found.append((worth - (outlook.worth(state, area, own.marker) if own else 0.0), " ".join(words)))
    return max(found, key=lambda prize: prize[0])


def _by_rehearsal(outlook: Outlook, desk: Desk, choice: Pending, texts: Sequence[str], times: int) -> Act:
    """The answer that promises most."""
    acts = [ac.Choose(choice.id, tuple(text.split())) for text in texts]
    gain, best = max(((prospect(outlook, desk, (act,), times), act) for act in acts), key=lambda found: found[0])
    if gain == float("-inf"):
        return general_orders.answer(desk, choice)
    where = f" of {place_name(desk.tables, choice.area)}" if choice.area else ""
    return said(best, f"Of the ways{where} played through, this one ends best")
