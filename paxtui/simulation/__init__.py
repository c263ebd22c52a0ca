"""Whole games without a screen: simulated by the hundred, and tried for faults.

`match` says what is played and what it came to, `contest` plays a match, `workers` plays many in processes of their
own, `cluster` on the workers of a dask cluster, `run` keeps a run in a directory and goes on with it, `report` reads it
out, `charts` draws it, `page` does both; `pairs` compares two bots. `fuzz` tries a game for faults, with acts by
`chance`, the `books` audited after each and the `checks` of each position; a `Fault` is what they raise.
"""
