"""Treaties: what is offered to whom, what is signed, and whether a duty is kept that one of them asks for.

Every draft has its answer: a signature, a counter-offer where money would make it worth signing, or a refusal with the
article that stands in the way. An answer to an amended draft is yes or no, so that nobody haggles without end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from msgspec.structs import replace

from paxtui.bots.act import Act
from paxtui.bots.caretaker import calls
from paxtui.bots.caretaker.calls import said
from paxtui.bots.caretaker.desk import Desk
from paxtui.bots.statesman.diplomacy import campaign
from paxtui.bots.statesman.diplomacy.articles import Scales, gain
from paxtui.bots.statesman.diplomacy.offers import Offers
from paxtui.bots.statesman.diplomacy.prices import asked, pay_day
from paxtui.bots.statesman.diplomacy.regard import Regard
from paxtui.bots.statesman.outlook import Outlook
from paxtui.pax.clauses.exchanges import PAY
from paxtui.pax.clauses.peace import PEACE
from paxtui.pax.clauses.wording import say
from paxtui.pax.orders import actions as ac
from paxtui.pax.orders.dispatches import Dispatch, text_of_dispatch
from paxtui.pax.sequence import OPEN
from paxtui.pax.state.model import State
from paxtui.pax.state.questions import Duty, Pending
from paxtui.pax.state.treaty import DRAFT, IN_FORCE, Clause, Treaty
from paxtui.pax.words.spoken import power_name, sentence

OFFERS = {"easy": 1, "normal": 2, "hard": 3}
"""Drafts that it puts before others in a turn."""
SIGNED_FROM = 0.2
"""Pounds by the end from which it signs what others have drafted."""
MOST_ASKED = 50
"""Pounds that it asks for a signature at most."""
MEANT = 0.3
"""How much of a price the other must seem to gain for it to be named: he knows best what he is after."""


def offer(outlook: Outlook, desk: Desk) -> None:
    """Put before others the Treaties that bring most, and them something too."""
    if desk.power != desk.seat:
        return
    others = [p for p in desk.state.players if p != desk.power]
    offers = Offers(Regard(desk.tables, desk.state), outlook)
    found = offers.best(others, OFFERS.get(outlook.who.level, 1))
    if outlook.who.level != "easy" and desk.state.phase == "negotiation":  # nobody who may strike is put off
        served = {p for one in found for p in one.draft.parties}
        found += offers.settlements([p for p in others if p not in served])
    for one in found:
        desk.do(one.draft, one.why)


# --- answers ----------------------------------------------------------------------------------------------------------


def answer_drafts(outlook: Outlook, desk: Desk) -> None:
    """Sign, amend or turn down whatever waits for the Power's signature."""
    drafts = desk.unsigned()
    regard = Regard(desk.tables, desk.state) if drafts else None
    for treaty in drafts:
        assert regard is not None
        brings = gain(regard, outlook, treaty.parties, treaty.clauses, treaty.public)
        if any(clause.kind == PEACE.id for clause in treaty.clauses):
            brings += campaign.worth(outlook, desk, campaign.LOOKS.get(outlook.who.level, 1))
        due, left = _due_at_once(desk.state, treaty, desk.power), _left(desk)
        if due > left:
            desk.do(ac.Reject(treaty.id), f"£{due} would be due at once, which is more than it can pay")
            continue
        named = _named(desk.state, treaty, desk.power)
        if named is not None and _paid(treaty, desk.power) >= named:
            brings = max(brings, SIGNED_FROM)  # it takes what it has asked for
        elif _haggled(regard, outlook, desk, treaty, brings):
            continue
        if brings >= SIGNED_FROM:
            if desk.do(ac.Sign(treaty.id), f"The Treaty is worth some £{max(1, round(brings))} to it"):
                continue
            desk.do(ac.Reject(treaty.id), "As things stand it cannot be carried out, or would break another Treaty")
        elif not _amended(regard, outlook, desk, treaty, SIGNED_FROM - brings):
            desk.do(ac.Reject(treaty.id), _objection(regard, outlook, desk, treaty))


def _amended(regard: Regard, outlook: Outlook, desk: Desk, treaty: Treaty, lacks: float) -> bool:
    """Answer a draft with the same and money for a signature, where the other can pay and gains enough by it."""
    other = treaty.drafter
    if treaty.instead or len(treaty.parties) != 2 or desk.state.phase not in OPEN or other not in desk.state.players:
        return False
    theirs = regard.judgement(other)
    surplus = Scales(regard, theirs, treaty.parties, treaty.clauses, treaty.public).total()
    pounds, named = ceil(lacks / outlook.cash) + 1, _named(desk.state, treaty, desk.power)
    if named is not None:
        pounds = min(pounds, named - _paid(treaty, desk.power))
    if not 0 < pounds <= min(MOST_ASKED, desk.state.powers[other].treasury):
        return False
    if named is None and surplus < MEANT * pounds * theirs.cash:
        return False
    fee, now = Clause("pay", power=other, to=desk.power, amount=pounds), (0, desk.state.turn)
    paid = [c for c in treaty.clauses if c.turn in now and replace(c, amount=pounds, turn=0) == fee]
    fee = replace(fee, amount=pounds + sum(c.amount for c in paid))
    clauses = balanced([c for c in treaty.clauses if c not in paid], fee)
    draft = ac.Draft("", treaty.parties, clauses, treaty.form, treaty.public, treaty.id)
    return desk.do(draft, f"For £{pounds} it would sign what {power_name(desk.tables, other)} asks for")


def balanced(clauses: Sequence[Clause], fee: Clause) -> tuple[Clause, ...]:
    """Articles with a fee, set off against what who gets it was to pay the other once for its part, now or later."""
    back = replace(fee, power=fee.to, to=fee.power)
    against = [c for c in clauses if c.kind == fee.kind and replace(c, amount=fee.amount, turn=fee.turn) == back]
    owed = fee.amount - sum(c.amount for c in against)
    net = replace(fee, amount=owed) if owed > 0 or not against else replace(against[-1], amount=-owed)
    return (*(c for c in clauses if c not in against), *([net] if net.amount else []))


def _due_at_once(state: State, treaty: Treaty, power: str) -> int:
    """Pounds that a Power would owe in this Game Turn by a Treaty that is signed now, over what it gets by it."""
    return sum(
        clause.amount * (1 if clause.power == power else -1)
        for clause in treaty.clauses
        if clause.kind == PAY.id and power in (clause.power, clause.to) and clause.upon is None
        if clause.every_turn or clause.turn in (0, state.turn)
    )


def _left(desk: Desk) -> int:
    """Pounds of the Power without those due at once by drafts that it has signed and others have yet to sign."""
    waiting = [t for t in desk.state.treaties if t.stage == DRAFT and desk.power in t.signed]
    return desk.treasury - sum(max(0, _due_at_once(desk.state, t, desk.power)) for t in waiting)


def _paid(treaty: Treaty, power: str) -> int:
    """Pounds that a Power gets by a Treaty, less those that it pays."""
    return sum(c.amount * ((c.to == power) - (c.power == power)) for c in treaty.clauses if c.kind == PAY.id)


def _named(state: State, treaty: Treaty, power: str) -> int | None:
    """The price that a Power has named in this Game Turn for the same articles; None where it has named none."""
    wanted = [clause for clause in treaty.clauses if clause.kind != PAY.id]
    prices = [
        _paid(old, power)
        for old in state.treaties
        if old.drafter == power and old.instead and old.drafted == state.turn
        if set(old.parties) == set(treaty.parties)
        if [clause for clause in old.clauses if clause.kind != PAY.id] == wanted
    ]
    return min(prices, default=None)


def _haggled(regard: Regard, outlook: Outlook, desk: Desk, treaty: Treaty, brings: float) -> bool:
    """Ask for a share where the other gains far more Victory Points by a Treaty.

    By a price that it has named for the same it stands while the turn lasts, whatever is offered next.

    Args: how Powers stand; the judgement; the paper; the draft; pounds at the end that it brings as it stands.
    """
    other = treaty.drafter
    if treaty.instead or len(treaty.parties) != 2 or desk.state.phase not in OPEN or other not in desk.state.players:
        return False
    theirs, state = regard.judgement(other), desk.state
    surplus = Scales(regard, theirs, treaty.parties, treaty.clauses, treaty.public).total()
    promised = [c for c in treaty.clauses if c.kind == PAY.id and c.power == other and c.to == desk.power]
    date, pounds = pay_day(desk.tables, state, other), asked(regard, outlook, theirs, brings, surplus)
    if not pounds or not date or len(promised) > 1 or outlook.who.level == "easy":
        return False
    offered = sum(clause.amount for clause in promised)
    named = _named(state, treaty, desk.power)
    pounds = offered + pounds if named is None else named
    if pounds <= offered:
        return False
    fee = Clause("pay", power=other, to=desk.power, amount=pounds, turn=date)
    clauses = balanced([c for c in treaty.clauses if c not in promised], fee)
    draft = ac.Draft("", treaty.parties, clauses, treaty.form, treaty.public, treaty.id)
    return desk.do(draft, f"{power_name(desk.tables, other)} gains more by it, and may pay £{pounds} for that")


def _objection(regard: Regard, outlook: Outlook, desk: Desk, treaty: Treaty) -> str:
    """Why a draft is turned down: the article that costs most, or that it brings too little."""
    worth = Scales(regard, outlook, treaty.parties, treaty.clauses, treaty.public).articles()
    if worth and min(worth) < -0.5:
        number = worth.index(min(worth))
        words = say(desk.tables, treaty.clauses[number])
        pounds = max(1, round(-min(worth)))
        return sentence(f"{words}: that would cost it some £{pounds}, and what it gets is worth less")
    doubted = next((p for p in treaty.parties if p != desk.power and regard.broken(p)), "")
    if doubted:
        return f"The word of {power_name(desk.tables, doubted)} has been broken before"
    return "It gains nothing by it that it has not got already"


def answer_letters(outlook: Outlook, desk: Desk, writers: Sequence[str]) -> list[Act]:
    """A word for each seat that has written: with it goes a draft, where there is one that would serve both.

    Rules: TRE-001
    """
    told = []
    offers = Offers(Regard(desk.tables, desk.state), outlook) if desk.state.phase in OPEN else None
    for writer in writers:
        found = offers.best([writer], 1) if offers else []
        put = [one for one in found if desk.do(one.draft, one.why)]
        if put:
            articles = "; ".join(say(desk.tables, clause) for clause in put[0].draft.clauses)
            words = f"Our terms lie before you in writing. {sentence(articles)}"
        elif any(t.drafter == desk.power and writer in t.parties and t.stage == DRAFT for t in desk.state.treaties):
            words = "Our terms lie before you already; they wait for your signature."
        else:
            words = "At present we see nothing that serves us both. Put it in writing, and you have our answer at once."
        told.append(Act(text_of_dispatch(desk.tables, Dispatch((writer,), words))))
    return told


# --- duties -----------------------------------------------------------------------------------------------------------


def put_by(outlook: Outlook, state: State, power: str) -> State:
    """The position without the pounds that the Power will owe by its Treaties when this turn's Negotiation begins.

    The faithless put nothing by for what is dearer than their word.
    """
    owed = sum(
        clause.amount
        for treaty in state.treaties
        for clause in (treaty.clauses if treaty.stage == IN_FORCE else ())
        if clause.kind == PAY.id and clause.power == power and clause.upon is None
        if clause.turn == state.turn or (clause.every_turn and state.turn <= (clause.until or state.turn))
    )
    if not owed or (outlook.who.faithless and owed * outlook.now > outlook.breach(state)):
        return state
    purse = state.powers[power]
    left = replace(purse, treasury=max(0, purse.treasury - owed))
    return replace(state, powers={**state.powers, power: left})


def answer_duty(outlook: Outlook, desk: Desk, choice: Pending, duty: Duty) -> Act:
    """Keep what is promised; the faithless break it where that costs less than it brings."""
    if outlook.who.faithless and duty.owes == desk.power:
        treaty = next((t for t in desk.state.treaties if t.id == duty.treaty), None)
        clause = treaty.clauses[duty.clause] if treaty else None
        if clause is not None and clause.amount * outlook.now > outlook.breach(desk.state):
            return said(ac.Choose(choice.id, ("break",)), f"£{clause.amount} is more than a promise is worth")
        if clause is not None and clause.kind == PAY.id and clause.amount > desk.treasury:
            return said(ac.Choose(choice.id, ("break",)), "What it owes has been put to better use")
    return calls.answer_duty(desk, choice, duty)
