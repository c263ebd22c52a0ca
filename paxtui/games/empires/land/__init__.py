"""Army `reinforcement`, `depots`, land `movement` and `garrisons` (5.2, 5.3 and 7)."""
