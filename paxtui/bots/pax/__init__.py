"""Bots of Pax Britannica.

`registry` selects one by name. `steady` is the simple bot. The packages `statesman` (with its levels and tempers in
`profiles`), `expert` and `caretaker` are the others. `valuation` prices markers, `prediction` estimates final points
and chances to win, `turning_points` finds the acts that decided a game. `treaty_ideas` suggests Treaties to players and
bots, `own_drafts` withdraws old drafts, `wishes` answers what a bot wants.
"""
