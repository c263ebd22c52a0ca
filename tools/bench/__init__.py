"""Measurements of `paxtui bench`: `core` (engine), `screen` (pseudo-terminal), `hub` (server), `games` (mail).

`map_demo` prints one frame of the map.
"""
