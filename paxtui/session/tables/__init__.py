"""Readers of the files in `data/`, with checks. Other packages use `loader`.

`records` gives records with line numbers. `board`, `dice_tables`, `scoring`, `scenarios`, `exercises` and `campaigns`
check them.
"""
