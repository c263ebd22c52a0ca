"""Campaigning: one Alliance Phase after the other, from the first step of a Unit to its surrender.

Offers `maneuver` (moves), `battle` (attacks and their results), `supply`, `conquest`, `surrender`; below them `ways`
(what is next to what in War), `passages` (canals and straits), `coaling`.
"""
