"""Whole games between bots, without a screen, and fuzzing.

`match` plays one game, `batch` and `workers` play many, `report` summarizes a run. `fuzzing` plays random and hostile
actions; `invariants` checks every position.
"""
