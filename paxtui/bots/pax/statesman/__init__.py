"""The statesman: a bot that plays to win and gives a reason for each act.

It sees only what its seat sees and tries its acts on a copy of the position first.
"""
