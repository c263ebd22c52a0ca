"""The state of a game: pieces, Treaties, Congress, and the position that holds them all. Data only, no rule.

Everything else reads it; only `history.evolve` makes a new one of an old one.
"""
