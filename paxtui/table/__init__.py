"""The authority over one running game: it reads orders, keeps the log on disk, and lets each seat see its own part.

Offers `authority.Table`, the tables of a game (`tables`), the engine protocol, and what is looked up about rules,
words and remedies.
"""
