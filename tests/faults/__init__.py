"""Faults planted one at a time in a copy of the tree, to see whether the tests catch them.

    python -m tests.faults --seed 1915 --count 40 --over paxtui/pax paxtui/engine --resume faults.jsonl

`planting` finds the places where a single line can be made wrong and changes one; `copy` is the copy of the tree in
which tests run, so that the work tree is never touched; `coverage_map` knows which tests execute a line, recorded once
by the pytest plugin `pytest_faults`; `trial` says what catches a fault; `report` keeps and prints what came of each.
"""
