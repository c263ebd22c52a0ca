"""Event-sourced kernel: dice, the hash-chained log, positions, undo, and what each seat may see.

It knows no rule of any game: `game_log.GameLog` takes a `timeline.Rules` object that decides actions and applies
events.
"""
