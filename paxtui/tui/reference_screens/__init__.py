"""Screens for reading: `reference` (rules and terms), `help`, `log`, `record` (Record Sheet) and `statistics`."""
