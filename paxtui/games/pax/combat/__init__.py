"""Colonial Combat and what follows it: attacks, the Combat Results Tables, losses, retreats, Marker Adjustment.

Offers the two Phases, and the ways to fight and to retreat that other wars use.
"""
