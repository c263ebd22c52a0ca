"""Army reinforcement and the land phase up to its combats: depots, marches, garrisons (5.2, 5.3, 7)."""
