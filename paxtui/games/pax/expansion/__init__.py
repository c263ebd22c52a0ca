"""The Movement/Status Change Phase: Status markers, units, movement, garrisons, canals, and duties to spend."""
