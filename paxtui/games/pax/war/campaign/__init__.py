"""Campaigning: one Alliance Phase after the other, from the first step of a Unit to its surrender.

Offers `maneuver` (moves), `battle` (attacks; `battle_result` and `battle_retreat` are what comes of them), `supply`,
`conquest`, `surrender`; below them `ways` (what is next to what in War), `stepping` (one step is taken), `passages`
(canals and straits), `coaling`, `codominion_entry` (the pretext of neutrals).
"""
