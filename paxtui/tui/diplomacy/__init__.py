"""What passes between Powers, on screens: dispatches, Treaties and their editor, the hall of a Congress.

Their screens give orders through `stage.playing`, as the game screen does.
"""
