"""Naval rules (5.1 and 6): `reinforcement`, `fleets`, `sailing`, `combat` and `retreat`.

`phase` gives the steps to the sequence of play. `State.at_sea` holds the stack that sails and the current combat.
"""
