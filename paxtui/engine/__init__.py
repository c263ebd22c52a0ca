"""Event-sourced engine: log, dice, positions, undo, verification. Independent of any game.

`game` is the interface to the rules of a game, `bots` that to its bots. `game_log` is a running game: it calls the
rules, appends lines to the log and derives positions by `timeline`. `log` defines header and line, `projection` the log
of one seat, `refusal` the error of a rejected order. `undo` decides what an undo takes back, `verify` checks a log,
`upcast` reads old events. `notes` are lines without an effect on the position: `seating`, `clock`, `fair_dice`.
"""
