"""Plant faults one at a time in a copy of the tree and report which tests catch them.

    python -m tools.planted_faults --seed 1915 --count 40 --over paxtui/games/pax paxtui/engine --resume faults.jsonl

`planting` chooses and changes single lines. `tree_copy` is the copy of the tree in which the tests run. `coverage_map`
knows which tests execute a line, as recorded once by `plugin/pytest_faults.py`. `trial` runs the tests against a fault,
`report` saves and prints the results.
"""
