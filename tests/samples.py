"""Sizes of random samples: small in each run, large with HYPOTHESIS_PROFILE=search."""

from __future__ import annotations

import os

SEARCHES = os.environ.get("HYPOTHESIS_PROFILE") == "search"
"""Whether this run searches for new faults. Other runs repeat the same few examples."""


def sample(each_run: int, search: int) -> int:
    """Return the size of a sample for this run."""
    return search if SEARCHES else each_run
