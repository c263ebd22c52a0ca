"""The authority over one running game: it reads orders, keeps the log on disk, and lets each seat see its own part.

Offers `authority.Table`, `session.Session` through which a player sees one, the tables of a game (`tables`), the engine
protocol; its rooms hold files, a player's games, what is looked up, and what lies before a seat.
"""
