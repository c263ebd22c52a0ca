"""The Congress of Europe, and the order that calls one.

`calling` decides who attends and where, `proposals` handles proposals and votes, `session` runs the Congress Phase.
`outcome` carries out its Treaties and a failed Congress.
"""
