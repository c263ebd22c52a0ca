"""Studies of games: comments, marks, arrows and branches, kept beside a log that they never change.

`study` has the format of `GAME.study` and reads and writes it.
"""
