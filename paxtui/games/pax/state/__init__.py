"""Position of a game as frozen structs: `model` has the whole, the others its parts.

`pieces`, `phases`, `diplomacy` (Treaties, Casus Belli, Congress), `war`, `questions` (choices of seats), `options`.
Data only, no rules. Only the package `events/` makes a new position from an old one.
"""
