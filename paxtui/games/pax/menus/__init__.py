"""Legal orders of a seat.

`legal` finds all of them as a `menu.Menu`, `place` builds the menu of a place, with reasons for what is not allowed.
Both try `candidates`, and those of `treaties` and `war`.
"""
