"""Answering pending choices: what answers each kind of question stands beside the rule that asks it.

An answer names options by their texts; several where the question allows several (`paxtui.pax.play.choices`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paxtui.pax.combat import colonial_combat, exchange, retreats
from paxtui.pax.congress import ballots, session, signatures, to_arms
from paxtui.pax.diplomacy import codominions, gifts, transfers
from paxtui.pax.expansion import canals, units
from paxtui.pax.play import choices
from paxtui.pax.play.choices import Answer
from paxtui.pax.play.play import Play
from paxtui.pax.state import questions as qu
from paxtui.pax.state.war import REBELLION
from paxtui.pax.treaties import treaty_duties
from paxtui.pax.turn import deficits
from paxtui.pax.war import aid, declarations
from paxtui.pax.war.campaign import battle_result, battle_retreat, codominion_entry
from paxtui.pax.war.command import general_orders, neutrals
from paxtui.pax.war.command.standing_answers import standing_answer
from paxtui.pax.war.outcome import cessions, ends, ottoman_end, rebellion_end, returns, spoils


def _announced(play: Play, choice: qu.Pending, about: qu.Announce, answer: Answer) -> None:
    """The end of a Rebellion or an Ottoman War is demanded, or objected to. Rules: REB-033, OTT-023."""
    war = next(w for w in play.state.wars if w.id == about.war)
    (rebellion_end if war.kind == REBELLION else ottoman_end).answer_announce(play, choice, about, answer)


ANSWERED: dict[type[qu.Question], Callable[[Play, qu.Pending, Any, Answer], None]] = {
    # the struct of the question -> what takes its answer: `(play, choice, question, answer)`
    qu.Deficit: deficits.answer_deficit,
    qu.FightOrDecline: colonial_combat.answer_fight,
    qu.Losses: exchange.answer_losses,
    qu.Combine: colonial_combat.answer_combine,
    qu.Retreat: retreats.answer_retreat,
    qu.MoneyOffer: gifts.answer_money,
    qu.MarkerOffer: transfers.answer_transfer,
    qu.ShareOffer: codominions.answer_codominion,
    qu.CanalOffer: canals.answer_canal,
    qu.Coast: units.answer_coast,
    qu.Duty: treaty_duties.answer,
    qu.Site: session.answer_site,
    qu.Attend: session.answer_attend,
    qu.Invite: session.answer_invite,
    qu.Agenda: session.answer_agenda,
    qu.Propose: session.answer_propose,
    qu.Ballot: ballots.answer_ballot,
    qu.Tie: ballots.answer_tie,
    qu.Signature: signatures.answer_sign,
    qu.Call: declarations.answer_call,
    qu.Invitation: aid.answer,
    qu.Command: neutrals.answer,
    qu.Uncalled: declarations.answer_uncalled,
    qu.Defence: declarations.answer_defender,
    qu.Defiance: to_arms.answer,
    qu.CodominionWar: codominion_entry.answer,
    qu.Spoils: spoils.answer,
    qu.EndWaiver: ends.answer_waiver,
    qu.Cession: cessions.answer_cession,
    qu.Cessions: cessions.answer_cessions,
    qu.Return: returns.answer,
    qu.Announce: _announced,
    qu.JoinAttack: general_orders.answer_join,
    qu.WarLosses: battle_result.answer_losses,
    qu.WarRetreat: battle_retreat.answer_retreat,
}


def take(play: Play, choice: qu.Pending, answer: Answer, by_default: bool = False) -> None:
    """Answer a choice. What takes the answer checks it against the rules, and refuses what they forbid."""
    choices.made(play, choice, answer, by_default)
    ANSWERED[type(choice.about)](play, choice, choice.about, answer)


def take_default(play: Play, choice: qu.Pending) -> None:
    """Take the default of a choice, for an abandoned Power the answer of the General Orders.

    Rules: ORD-005, ORD-007 (Decision 60)
    """
    take(play, choice, standing_answer(play.tables, play.state, choice), by_default=True)
