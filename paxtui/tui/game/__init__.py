"""Game screen: `screen` binds the keys to controllers, each with its own state. Its widgets are in `tui/widgets/`.

`controller` is their base. `view` lays out and draws, `orders` gives orders, `seats` changes players, `bots` shows the
moves of bots, `history` steps through the game, `review` shows what decided it, `other_screens` opens the screens of
diplomacy and reference. `replay` is the screen of a finished log.
"""
