"""The procedures of Empires in Arms, as far as their text is public, as exercises on small maps drawn by us.

It is no campaign: map, forces and charts of the game are nowhere public. What the text gives is here; every number
that it does not give comes from the file of an exercise, each marked `ours`. Doors: `rules_of_play`, `decide`,
`legal`, `sequence`.
"""
