"""Campaigns of a War: `maneuver` (moves), `battle`, `supply` and surrender.

`war_adjacency` says which places are adjacent in War, `supply_lines` where Lines of Supply run.
"""
