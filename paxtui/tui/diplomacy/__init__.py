"""What passes between Powers, on screens: dispatches, Treaties and their editor, a Congress, a peace, spoils of War.

Their screens give orders through `stage.playing`, as the game screen does.
"""
