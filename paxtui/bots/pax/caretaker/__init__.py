"""Caretaker: a bot that follows the General Orders for a Power without a player.

`general_orders` chooses the actions and answers. `planner` tries actions on a copy of the position and applies the
general prohibitions. `forces` places garrisons and armies, `spending` handles required expenditure, `war` covers
declarations, calls and campaigns.
"""
