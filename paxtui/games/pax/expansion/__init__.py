"""Movement/Status Change Phase: markers, building, movement, garrisons, canals and Merchant Fleets.

`duties` checks what a seat must do before it is ready.
"""
