"""The steps of the Political Phase for the sequence, with their acts and answers (3.1)."""

from __future__ import annotations

from paxtui.games.empires import orders
from paxtui.games.empires.calendar import POLITICAL
from paxtui.games.empires.politics import alliances, declarations, peace
from paxtui.games.empires.transaction import (
    ActionHandlers,
    AnswerHandlers,
    RulesByStep,
    SequenceStep,
    Transaction,
    no_powers,
)


def _run_peace(play: Transaction) -> None:
    """Run the Peace Step after papers are revealed: offers, terms, peace, return home, demands. Rules: EIA 4.4"""
    if not play.state.politics.opened:
        if set(peace.powers_at_war(play.tables, play.state)) <= set(play.state.cursor.done):
            peace.reveal_peace_papers(play)
        return
    if peace.ask_next_proposal(play) or peace.draft_terms(play) or peace.send_home(play):
        return
    peace.ask_separate_peace(play)


def _run_minors(play: Transaction) -> None:
    """Resolve each minor country on which war was declared, in turn. Rules: EIA 4.6, EIA 4.6.3.2"""
    order = sorted(play.state.politics.minors, key=lambda one: one.settled)
    for one in order:
        if not one.settled:
            alliances.select_controller(play, one)
            return
    if alliances.set_up_minor(play):
        return
    for one in order:
        if not one.over:
            alliances.settle_attackers(play, one)
            return


POLITICAL_STEP_RULES: RulesByStep = {
    (POLITICAL, "declarations"): SequenceStep(
        offers=declarations.declaration_offers, close=declarations.reveal_declarations
    ),
    (POLITICAL, "calls"): SequenceStep(
        actors=declarations.calling_powers, offers=declarations.call_offers, run=declarations.settle_callers
    ),
    (POLITICAL, "peace"): SequenceStep(actors=peace.powers_at_war, offers=peace.peace_offers, run=_run_peace),
    (POLITICAL, "alliances"): SequenceStep(offers=alliances.alliance_offers),
    (POLITICAL, "minors"): SequenceStep(actors=no_powers, run=_run_minors),
    (POLITICAL, "breaking"): SequenceStep(actors=alliances.powers_with_alliances, offers=alliances.break_offers),
    (POLITICAL, "free_states"): SequenceStep(actors=alliances.powers_with_conquests, offers=alliances.free_offers),
    (POLITICAL, "combined"): SequenceStep(actors=alliances.powers_with_alliances, offers=alliances.combine_offers),
}
"""The Diplomacy Step has no actions: players talk outside the program."""

POLITICAL_ACTS: ActionHandlers = {
    orders.Declare: (((POLITICAL, "declarations"),), declarations.seal_declaration),
    orders.CallAlly: (((POLITICAL, "calls"),), declarations.call_ally),
    orders.Sue: (((POLITICAL, "peace"),), peace.seal_suit),
    orders.OfferPeace: (((POLITICAL, "peace"),), peace.seal_informal_offer),
    orders.Ally: (((POLITICAL, "alliances"),), alliances.offer_alliance),
    orders.BreakAlliance: (((POLITICAL, "breaking"),), alliances.end_alliance),
    orders.FreeState: (((POLITICAL, "free_states"),), alliances.declare_free_state),
    orders.Combine: (((POLITICAL, "combined"),), alliances.offer_combined_movement),
}

POLITICAL_ANSWERS: AnswerHandlers = {
    declarations.CALL: declarations.answer_call,
    peace.OFFER: peace.answer_offer,
    peace.ACCEPT: peace.answer_proposal,
    peace.GIVEN: peace.answer_given_term,
    peace.TERM: peace.answer_chosen_term,
    peace.CORPS_HOME: peace.answer_corps_home,
    peace.GARRISON_HOME: peace.answer_garrison_home,
    peace.DEMAND: peace.answer_demand,
    alliances.RUN: alliances.answer_control,
    alliances.SET_UP: alliances.answer_set_up,
    alliances.STAND: alliances.answer_stand,
    alliances.SUPPORT: alliances.answer_support,
}
