"""The Movement/Status Change Phase.

`placement` says which Status markers are possible and their price, `status_change` places and changes them. `movement`
builds and moves Military Units and Merchant Fleets, `garrisons` keeps armies in Areas, `canals` builds canals, `duties`
checks what a Power must or may spend.
"""
