"""What passes between Powers, on screens: dispatches, Treaties and their editor, a Congress, peace,
questions and spoils of War.

Their screens give orders through `stage.playing`, as the game screen does.
"""
