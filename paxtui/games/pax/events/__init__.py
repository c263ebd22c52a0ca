"""Events of Pax Britannica by subject: struct, `evolve` and sentence side by side. Contains no rules and no dice.

`encoding` defines the base class and upgrades events of old logs; `events` joins the subjects.
"""
