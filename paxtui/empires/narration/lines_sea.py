"""What is said of fleets."""

from __future__ import annotations

from collections.abc import Mapping

LINES: Mapping[str, str] = {
    "naval_sequence_ended": "",
    "stack_moved": "Fleets {fleets}: to {where}, {box?in its @ box|at sea}; {points} movement points.",
    "voyage": "",
    "fleets_done": "",
    "fleets_barred": "{fleets} may sail no further this month.",
    "place_closed": "",
    "embarked": "Corps {corps} goes aboard {fleet}.",
    "interception_rolled": "{powers} try to intercept at {place}: die {die}, modified {modified}, needed {needed}.",
    "encounter": "",
    "evasion_rolled": "{powers} try to evade: die {die}, {evaded?away|met}.",
    "wind_rolled": "Wind gauge: attacker {attacker_modified} (die {attacker}), "
    "defender {defender_modified} (die {defender}).",
    "fired": "The {side} fires: die {die}, modified {modified}: {percent} % of {ships} ships, {losses} lost.",
    "ships_lost": "{fleet} loses {ships} ships.",
    "naval_combat_decided": "Battle at {place}: won by {winner}; "
    "{attacker_lost} ships lost attacking, {defender_lost} defending.",
    "fleet_removed": "{fleet} is gone ({why}), with {ships} ships.",
    "corps_drowned": "Corps {corps} is lost ({why}).",
    "corps_shifted": "Corps {corps} changes from {giver} to {taker}.",
    "leader_went": "{leader} goes to {where}.",
    "leader_taken": "{leader} is taken by {captor}.",
    "fleet_placed": "{power} launches fleet {fleet.id} at {fleet.where}, {fleet.ships} ships.",
    "ships_placed": "{ships} ships join {fleet}.",
    "ships_transferred": "{ships} ships go from {giver} to {taker}.",
}
