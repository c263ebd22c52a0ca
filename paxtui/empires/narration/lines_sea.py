"""What is said of fleets."""

from __future__ import annotations

from collections.abc import Mapping

LINES: Mapping[str, str] = {
    "naval_sequence_ended": "",
    "stack_moved": "Fleet {fleets} {errand} {place}.",
    "voyage": "",
    "fleets_done": "",
    "fleets_barred": "Fleet {fleets} was beaten and intercepts nobody else in this sequence.",
    "place_closed": "",
    "embarked": "{corps} goes aboard {fleet}.",
    "interception_rolled": "{powers} try to intercept at {place}: die {die}, modified {modified}, needed {needed}.",
    "encounter": "",
    "evasion_rolled": "{powers} try to evade: die {die}, {evaded?away|met}.",
    "wind_rolled": "Wind gauge: attacker {attacker_modified} (die {attacker}), "
    "defender {defender_modified} (die {defender}).",
    "fired": "{side}, {harbour?harbour guns|broadside}: die {die}, modified {modified}: "
    "{percent} % of {ships}, {losses} sunk.",
    "ships_lost": "Fleet {fleet} loses {ships} ships.",
    "naval_combat_decided": "Battle at {place}: attacked by {attackers}, ships lost {attacker_lost}; "
    "defended by {defenders}, ships lost {defender_lost}; won by {winner}.",
    "fleet_removed": "Fleet {fleet} is off the map ({why}), and {ships} ships with it.",
    "corps_drowned": "{corps} is lost ({why}).",
    "corps_shifted": "{corps} changes from {giver} to {taker}.",
    "leader_went": "{leader} goes to {where}.",
    "leader_taken": "{leader} is taken by {captor}.",
    "fleet_placed": "{power} launches fleet {fleet.id} at {fleet.where}, {fleet.ships} ships.",
    "ships_placed": "{ships} ships join {fleet}.",
    "ships_transferred": "{ships} ships go from {giver} to {taker}.",
}

ERRANDS: Mapping[str, str] = {
    "sail": "sails to",
    "intercept": "comes to",
    "retreat": "retreats to",
    "pursue": "follows to",
    "enter": "goes into",
    "leave": "leaves for",
}
"""What is said of why a stack moves."""

QUESTIONS: Mapping[str, str] = {
    "combined_sailing": "whether its fleets sail with {4}: {0} to {1}",
    "interception": "whether to intercept what sails at {0}, and from where",
    "evasion": "whether to evade the attack at {0}, or to stand and fight",
    "harbour_guns": "whether the guns of {0} fire",
    "losses": "how many of the {2} ships to be taken off fleet {1} loses",
    "retreat": "where its beaten fleets go from {0}",
    "driven_off": "into which water the beaten are driven from {0}",
    "pursuit": "who follows from {0} and blockades {1}",
    "entry": "whether to go into the port it has won {0}",
    "leave_port": "where its fleets go from {0}, which has fallen",
    "beset": "whether its fleets in {0}, which has fallen, fight the blockader or are scuttled",
}
"""What a Power is asked, by the kind of question; `{0}` is the first of what it is about."""

EMPTY: Mapping[str, tuple[str, str]] = {
    "naval_combat_decided": (
        "winner",
        "Battle at {place}: attacked by {attackers}, ships lost {attacker_lost}; "
        "defended by {defenders}, ships lost {defender_lost}; nobody has won.",
    ),
    "leader_went": ("where", "{leader} leaves the map."),
}
"""Lines for events in which a field is empty: by `type` of the event, the field and the line to tell then."""
