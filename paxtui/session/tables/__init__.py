"""Readers of the files in `data/`, with checks.

`records` gives records with line numbers. `board`, `dice_tables`, `scoring`, `exercises` and `scenarios`
check them. Other packages
use `loader`.
"""
