"""Position of a game as frozen structs: `model`, `pieces`, `phases`, `diplomacy`, `war`, `questions`.

Data only, no rules. Only `games.pax.events` makes a new position from an old one.
"""
