"""The map: where every place stands, what the sea looks like, and how a row of it becomes a Strip.

    projection   one warp from longitude and latitude to cells, for any size of canvas
    coast        the outlines of the land, rasterised to dots
    layout       places, label rectangles, neighbours for the arrow keys
    palette      colours and signs, by power and by role
    scene        what a screen wants drawn, free of any rule
    routes       dotted lines between places
    canvas       rows of cells as Strips, each composed once and kept

Nothing in here knows the rules of the game.
"""
