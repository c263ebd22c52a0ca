"""Kinds of Treaty articles, one object each (`kind.ClauseKind`), in the module of their family.

`alliances` has Alliances, non-aggression, passage and coaling, `limits` what a Power may not place, keep or build,
`promises` units to build, votes and free words, `exchanges` what is carried out: money, markers, waivers, peace.
`registry` lists all kinds and checks whole agreements, `notation` parses, formats and describes articles, `examples`
has one of each kind that fits the position. Whether a clause is kept is judged in `treaties/breaches.py`.
"""
