"""Files of the program and of saved games.

`files` reads and writes files atomically and finds the directories, `log_store` appends to logs, `saved_games` lists
them, `interface` is what every storage of logs can do, `extras` names optional dependencies.
"""
