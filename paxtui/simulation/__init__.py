"""Whole games between bots, without a screen.

`match` plays one game, `batch` and `workers` play many, `report` summarizes a run.
`invariants` checks every position.
"""
