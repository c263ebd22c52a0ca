"""The map: where every label stands, what the land looks like, and how a row of it becomes a Strip.

    layout      label rectangles, neighbours for the arrow keys
    scene       what a screen wants drawn, free of any rule
    routes      dotted lines between places
    labels      which text in which style lies on which cells
    wash        the colour of a territory
    styles      the styles of a palette, made once
    ground      what lies under the labels, row by row
    dotted      the ground as coasts in dots, for terminals without colours or signs
    painted     the ground as territories in their holders' colours
    canvas      rows of cells as Strips, each composed once and kept
    world_map   the map as a widget

Nothing in here knows the rules of the game.
"""
