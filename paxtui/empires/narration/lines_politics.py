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
