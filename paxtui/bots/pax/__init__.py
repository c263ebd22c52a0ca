"""Bots for the pax game: `steady`, `caretaker` and `statesman`; `registry` selects them by name."""
