"""What is said of corps, depots, supply and field combats."""

from __future__ import annotations

from collections.abc import Mapping

LINES: Mapping[str, str] = {
    "sequence_began": "",
    "depot_placed": "A depot of {depot.power} stands at {depot.where}.",
    "depot_removed": "The depot of {power} at {where} is gone: {why}.",
    "marched": "{corps} marches to {path}{forced?, forced|} ({cost} movement points).",
    "landed": "{corps} lands from {fleet}: {area}.",
    "quartered": "{corps} goes {inside?into|out of} the city.",
    "corps_strength": "{corps} now has {factors} ({why}).",
    "garrison_strength": "The garrison of {power} at {where} now has {factors} ({why}).",
    "left_behind": "",
    "corps_arrived": "{corps.id} comes onto the map at {corps.where}.",
    "leader_moved": "{leader} goes to {where}.",
    "siege": "{power} besieges {area}.",
    "besieging": "{corps} takes part in a siege.",
    "supplied": "{corps} is supplied: {how}.",
    "foraged": "{corps} forages at {area}: die {die}, modifiers {modifiers}, value {value}: {loss} factors lost.",
    "supply_refused": "{ally} will not supply {corps}.",
    "control_changed": "{power} controls {area}.",
    "attack_declared": "An attack is declared: {attack.attackers} against {attack.defenders} in {attack.area}.",
    "attacks_declared": "",
    "first_proposed": "{power} proposes that {first} moves first.",
    "movers_ordered": "",
    "join_refused": "",
    "attack_chosen": "The attack in {area} is fought next.",
    "attack_over": "The attack in {area} is over.",
    "reinforcements_came": "",
    "reinforcement_lost": "{power} has no place for a reinforcement: it is lost.",
    "stayed": "{corps} stay outside the city.",
    "agreed_to_retire": "{power} would retire into the city.",
    "fights_on": "The {side} wants another day.",
    "retreated": "{corps} retreats to {to}.",
    "battle_began": "Field combat (reconstructed) in {battle.area}.",
    "outflank_announced": "The chit says outflank for: {sides}.",
    "divided": "The {side} sends {around} around the flank.",
    "chits_shown": "Chits: attacker {attacker}, defender {defender}.",
    "withdrawal_rolled": "The defender tries to withdraw: die {die}, at most {needed}: {away?away|no}.",
    "flank_rolled": "The outflanking force: die {die}, at most {needed}: {arrived?it arrives|not yet}.",
    "round_fought": "Round {number}: attacker {attacker.table}, die {attacker.die} {attacker.modifier}, loses "
    "{defender.losses}; defender {defender.table}, die {defender.die} {defender.modifier}, loses {attacker.losses}.",
    "battle_over": "{winner} wins the combat in {area} ({why}).",
}

EMPTY: Mapping[str, tuple[str, str]] = {
    "siege": ("power", "The siege of {area} is over."),
    "landed": ("area", "{corps} has not landed from {fleet}."),
    "leader_moved": ("where", "{leader} leaves the map."),
    "outflank_announced": ("sides", "Nobody outflanks."),
    "divided": ("side", "No side sends corps around the flank."),
    "battle_over": ("winner", "The combat in {area} ends without a winner ({why})."),
    "foraged": (
        "modifiers",
        "{corps} forages at {area}: die {die}, no modifiers, value {value}: {loss} factors lost.",
    ),
}
"""Lines for events in which a field is empty: by `type` of the event, the field and the line to tell then."""

QUESTIONS: Mapping[str, str] = {
    "allied_supply": "whether to supply {0} from its own depots",
    "besiege": "whether to besiege the city of {0}",
    "burn_depot": "whether to destroy its own depot at {0}",
    "captured_depot": "what to do with the enemy depot at {0}",
    "divide": "which corps go around the flank in {1}",
    "end_of_day": "whether to fight another day in {1}",
    "forage_losses": "which factors {0} loses by foraging",
    "join_defence": "whether to declare war and defend its ally in {0}",
    "leave_area": "into which area its counters leave {0}",
    "losses_left_behind": "which garrison left behind by {0} bears the loss ({1})",
    "moves_first": "which Power moves first",
    "next_combat": "which attack is fought next",
    "occupy": "who goes into the city of {0}",
    "retire": "whether {0} retires into the city of {1}",
    "retire_together": "whether it agrees to retire into the city of {0}",
}
"""What a Power is asked, by the kind of question; `{0}` is the first of what it is about."""

SECRET_QUESTIONS: Mapping[str, str] = {
    "allied_supply": "whether to supply a corps of an ally",
    "divide": "which corps go around the flank",
    "forage_losses": "which factors a corps loses by foraging",
    "losses_left_behind": "which factors left behind are lost",
    "occupy": "who goes into a city",
    "retire": "whether a corps retires into the city",
}
"""The same for other seats, who do not know what the question is about."""
