"""Random Wars by the thousand: `python -m tools.random_wars --count 1000 --resume wars.jsonl` (with `nice`).

Each War begins at one of the `openings`. A `warrior` chooses among the legal acts; it wants to win, or to have peace.
`checks` examines the position after each act. A run writes a line of JSON for each War, continues a broken run, and
ends with a table of the results. `tests/pax/test_random_wars.py` plays some Wars.
"""
