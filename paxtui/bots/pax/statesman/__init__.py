"""Statesman bot: plays to win, with a reason for each action.

It uses only what its seat can see and tests its actions on a copy of the position.
"""
