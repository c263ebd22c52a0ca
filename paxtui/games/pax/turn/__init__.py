"""Phases of a Game Turn that no other package has, one a module: their rules, and a `Phase` for the sequence.

`victory` covers the Victory Point Record and the Final Record.
"""
