"""The Movement/Status Change Phase: placing, raising and sharing markers, building, moving, garrisons, canals, fleets.

Offers a function for each order of the Phase, and the duties that have to be met before a seat is ready.
"""
