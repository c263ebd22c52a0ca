"""Screens for reading: `reference` (rules and terms), `help`, `log`, `record`, `statistics` and `review`."""
