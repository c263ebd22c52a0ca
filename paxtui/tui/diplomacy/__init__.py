"""What passes between Powers, on screens: dispatches, Treaties and their editor, a Congress, the spoils of a War.

Their screens give orders through `stage.playing`, as the game screen does.
"""
