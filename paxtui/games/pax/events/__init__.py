"""Events of Pax Britannica by subject, and `evolve(state, event)` in `events`. Contains no rules and no dice.

`encoding` defines the base class and upgrades events of old logs.
"""
