"""The event-sourced kernel: dice, the log and its chain, positions along it, undo, and what each seat may see.

It knows no rule of any game: `game.Game` takes a `Rules` object that decides and evolves. Offers `Game`, the log's
`Header` and `Line`, `Dice`, `Refusal`, and `verify`.
"""
