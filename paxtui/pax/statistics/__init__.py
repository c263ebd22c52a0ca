"""The course of a game in figures, made of positions and events as a seat may know them. Pure, and it looks no further.

    course    what is told: the figures of each Game Turn, points and where they came from, regions, spans of time
    ledgers   the figures of a Game Turn that is over, or of the one in progress
    sources   where a player's Victory Points came from, and would come from if the game ended now
    regions   who holds what in every region, and how that has changed since the start
    spans     Wars, Congresses and Treaties: when they began, when and how they ended
    gathered  all of it, of a game from its start to a moment

Screens, commands and the runs of many games draw and print what they find here.
"""
