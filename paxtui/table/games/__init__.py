"""A player's games as files: listed, named, thrown away, and what is kept beside a log and never in it.

Offers `list_games` and `latest_first` (`saves`), `progress`, `free_path`, `rename`, `throw_away` and `bring_back`
(`folder`), `read_beside` and `write_beside` (`beside`), and the sessions of lessons
(`lesson`) and replays (`replay`).
"""
