"""The parts of the game screen: map, cards, side column, shelf, dice, the line for words, and what they show of a game.

    board        the map of the game screen, fed by `scene_of`: a position as a map scene
    marching     units in hand, and where they can go
    cards        the region under the cursor, in the place of the map
    side_column  what now, and the panes in turn; `shelf` has two of them below the map
    order_line   the line for words; what can stand next in it comes from `guesses`
    dice_panel   what the dice said

A widget is told what to show, says by messages what the player wants, and knows nothing of the screen or of the others.
"""
