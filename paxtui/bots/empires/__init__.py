"""Bots of Empires in Arms: `player` for exercises, with `armies` on land and `fleets` at sea, `general` for campaigns.

`registry` connects them to the engine.
"""
