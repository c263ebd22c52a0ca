"""Treaties: `lifecycle` (draft to end), `treaty_duties` (what falls due), `breaches` (whether promises are kept).

`lookup` finds Treaties as a seat knows them, `conflicts` those that contradict each other.
"""
