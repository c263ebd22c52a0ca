"""War and peace, alliances and minor countries, step by step (chapter 4). Doors: `steps` for the sequence,
`declaring.go_to_war` for declarations outside their step.
"""
