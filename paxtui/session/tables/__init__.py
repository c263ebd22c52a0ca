"""Readers of the files in `data/`, with checks.

`records` gives records with line numbers. `board`, `dice_tables`, `scoring` and `exercises` check them. Other packages
use `loader`.
"""
