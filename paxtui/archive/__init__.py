"""The archive: an SQLite index of the games in several folders, queries and openings.

`log_facts` reads one log, `index` stores the facts of all logs, `query` finds games, `openings` counts first moves.
The logs stay the truth: the index can be rebuilt from them at any time, and no function here writes to a log.
"""
