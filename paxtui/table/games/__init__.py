"""A player's games as files: listed, named, thrown away, and what is kept beside a log and never in it.

Offers `list_games` (`saves`), `free_path`, `rename` and `throw_away` (`folder`), `read_beside` and `write_beside`
(`beside`).
"""
