"""The steps of the Political Phase for the sequence, with their acts and answers (3.1)."""

from __future__ import annotations

from paxtui.empires.orders import actions_politics as ac
from paxtui.empires.play.play import Play
from paxtui.empires.play.steps import Acts, Answers, Step, Steps
from paxtui.empires.politics import (
    alliances,
    calls,
    declarations,
    going_home,
    minors,
    rivals,
    separate,
    suing,
    terms,
)
from paxtui.empires.state.model import State
from paxtui.empires.tables.tables import Tables
from paxtui.empires.time.order_of_powers import POLITICAL


def _nobody(tables: Tables, state: State) -> tuple[str, ...]:
    return ()


def _peace(play: Play) -> None:
    """What follows once the papers lie open: offers, terms, peace, the way home, demands. Rules: EIA 4.4"""
    if not play.state.politics.opened:
        if set(suing.actors(play.tables, play.state)) <= set(play.state.cursor.done):
            suing.open_papers(play)
        return
    if suing.propose(play) or terms.draft(play) or going_home.send_home(play):
        return
    separate.ask(play)


def _minors(play: Play) -> None:
    """Each country on which war was declared, one after the other. Rules: EIA 4.6, EIA 4.6.3.2"""
    order = sorted(play.state.politics.minors, key=lambda one: one.settled)
    for one in order:
        if not one.settled:
            minors.select(play, one)
            return
    if minors.set_up(play):
        return
    for one in order:
        if not one.over:
            rivals.compete(play, one)
            return


STEPS: Steps = {
    (POLITICAL, "declarations"): Step(offers=declarations.offers, close=declarations.open_all),
    (POLITICAL, "calls"): Step(actors=calls.actors, offers=calls.offers, run=calls.run),
    (POLITICAL, "peace"): Step(actors=suing.actors, offers=suing.offers, run=_peace),
    (POLITICAL, "alliances"): Step(offers=alliances.alliance_offers),
    (POLITICAL, "minors"): Step(actors=_nobody, run=_minors),
    (POLITICAL, "breaking"): Step(actors=alliances.breakers, offers=alliances.break_offers),
    (POLITICAL, "free_states"): Step(actors=alliances.liberators, offers=alliances.free_offers),
    (POLITICAL, "combined"): Step(actors=alliances.breakers, offers=alliances.combine_offers),
}
"""The Diplomacy Step is talk at the table: it is passed over."""

ACTS: Acts = {
    ac.Declare: (((POLITICAL, "declarations"),), declarations.write),
    ac.CallAlly: (((POLITICAL, "calls"),), calls.call),
    ac.Sue: (((POLITICAL, "peace"),), suing.sue),
    ac.OfferPeace: (((POLITICAL, "peace"),), suing.offer),
    ac.Ally: (((POLITICAL, "alliances"),), alliances.ally),
    ac.BreakAlliance: (((POLITICAL, "breaking"),), alliances.break_),
    ac.FreeState: (((POLITICAL, "free_states"),), alliances.free),
    ac.Combine: (((POLITICAL, "combined"),), alliances.combine),
}

ANSWERS: Answers = {
    calls.CALL: calls.answer,
    suing.OFFER: suing.take_offer,
    suing.ACCEPT: suing.take_answer,
    terms.GIVEN: terms.take_given,
    terms.TERM: terms.take_term,
    going_home.CORPS_HOME: going_home.take_corps,
    going_home.GARRISON_HOME: going_home.take_garrison,
    separate.DEMAND: separate.answer,
    minors.RUN: minors.answer,
    minors.SET_UP: minors.take_place,
    rivals.STAND: rivals.take_stand,
    rivals.SUPPORT: rivals.take_support,
}
