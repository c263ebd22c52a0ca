"""Event-sourced engine: log, dice, positions, undo, verification. Independent of any game.

`game_log` is a running game: it calls the rules, appends lines to the log and derives positions. `log` defines header
and line, `projection` the log of one seat, `refusal` the error of a rejected order, `verify` the check of a log.
"""
