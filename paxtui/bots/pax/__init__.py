"""Bots for Pax Britannica.

`registry` finds a bot by its name and asks it for actions. `profiles` holds levels and characters. `steady` is a short
example of a bot. `valuation` is shared: the worth of markers, odds and campaigns. The packages `caretaker` and
`statesman` are the other two bots.
"""
