"""Comments and reviews of games, beside a log that they never change; and puzzles.

`study` has the format of `GAME.study`: comments, marks, arrows and branches. `study_book` is an open one, `editing`
changes it, `branches` plays on from a line, `study_session` shows it. `review` finds what decided a game; `review_file`
keeps it, `refine` makes it more exact by `rollouts`, `job` does so beside a screen, `acts` explains one act. `puzzles`
are positions with one clearly best act.
"""
