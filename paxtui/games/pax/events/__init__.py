"""What has happened: every event there is, and the position after each of them. No rule and no die.

Offers the structs of `events` and `evolve(state, event)`.
"""
