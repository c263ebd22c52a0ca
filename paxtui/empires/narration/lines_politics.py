"""What is said of war and peace, alliances and minor countries."""

from __future__ import annotations

from collections.abc import Mapping

LINES: Mapping[str, str] = {
    "war_declared": "{aggressor} and {defender} are at war{mutual?: each declared it on the other|}.",
    "war_ended": "The war of {a} and {b} is over: {how}.",
    "competitive_rolled": "Dice, {about}: {order} ({dice}).",
    "callers_ordered": "",
    "call_made": "{call.caller} calls {call.ally} against {call.enemy}.",
    "caller_done": "",
    "alliance_made": "{a} and {b} are allies.",
    "alliance_broken": "The alliance of {a} and {b} is broken; none before the end of {until}.",
    "offered": "{power} offers {to}: {kind}.",
    "movement_combined": "{powers} move together this month.",
    "papers_opened": "",
    "surrender_changed": "",
    "peace_made": "Peace of {loser} and {victor}: {kind}; terms: {terms}.",
    "demand_settled": "{power} has said whether {ally} must give up the alliance.",
    "corps_went_home": "{corps} goes home to {where}.",
    "garrison_went_home": "The garrison of {power} in {origin} goes home to {where}.",
    "depot_taken_up": "The depot of {power} in {where} is taken up.",
    "fleets_must_leave": "Fleets {fleets} have to leave port.",
    "minor_attacked": "War is declared on {minority.minor} by {minority.attackers}.",
    "minor_asked": "",
    "minor_rolled": "Dice for {minor}: {dice}; with modifiers {totals}.",
    "minor_controlled": "{power} runs {minor} ({status}).",
    "minor_set_up": "{corps} is set up in {where}.",
    "minor_fleet_set_up": "Fleet {fleet} is set up at {where}.",
    "free_state_declared": "{minor} is declared a free state.",
}

QUESTIONS: Mapping[str, str] = {
    "accept": "whether to accept the peace that {0} offers",
    "call": "whether to join {0} against {1}",
    "corps_home": "where {0} goes home",
    "demand": "whether to demand that {0} gives up the alliance",
    "garrison_home": "where the garrison at {0} goes home",
    "given": "which term of list A it grants {0}",
    "offer": "which kind of peace to offer to {0}",
    "run_minor": "whether to run {0}",
    "set_up": "where to set up {0}",
    "stand": "whether to stand or to back down over {0}",
    "support": "against whom to support {0}",
    "term": "which term to demand of {0}",
}
"""What a Power is asked, by the kind of question; `{0}` is the first of what it is about."""
