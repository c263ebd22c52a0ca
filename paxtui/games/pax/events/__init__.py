"""Events of Pax Britannica by subject: struct, evolve method and sentence side by side. No rules and no dice.

`turn` has Phases, Indexes, money, points and dice, `map` markers and units, `treaties` Treaties and the Congress, `war`
Wars. `events` joins them, `encoding` defines the base class and upgrades events of old logs, `names` is what sentences
need to know about Treaties and Wars.
"""
