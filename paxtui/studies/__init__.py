"""Studies of games, kept beside a log that they never change.

`study` has the format of `GAME.study` and reads and writes it: comments, marks, arrows and branches. `review` finds
what decided a game.
"""
