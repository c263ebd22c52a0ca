"""The game screen and its flow: who sits down, what is done on the map and beside it, and walking through time.

`screen` owns the flow and stands on the other modules, each a layer of it; its parts are in `tui/widgets/`.
"""
