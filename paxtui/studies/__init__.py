"""Comments and reviews of games, beside a log that they never change; and puzzles.

`study` has the format of `GAME.study`: comments, marks, arrows and branches. `study_book` is an open one, `editing`
changes it, `branches` plays on from a line, `study_session` shows it. `review` finds what decided a game, by
`act_analysis` of single acts; `review_file` keeps it. `review_refinement` makes it more exact by `rollouts`,
`review_job` does so in the background of a screen. `puzzles` are positions with one clearly best act.
"""
