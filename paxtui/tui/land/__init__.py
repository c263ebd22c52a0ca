"""The land below the map: where every place lies on the globe, and which cells of a canvas are whose land.

    sources      the rows of the tables; the only module that opens a file
    projection   one warp from longitude and latitude to cells, for any size of canvas
    places       Areas, Home Countries, Sea Zones and Capes with their codes
    coast        the outlines of the land, rasterised to dots
    territory    whose land every quarter of a cell is
    shapes       the same as outlines, for a drawing that is no terminal

Nothing in here has a colour, and nothing knows the rules of the game.
"""
