"""Bot for the exercises of Empires in Arms.

`player` chooses an action, with `armies` for the land steps and `fleets` for the naval steps.
"""
