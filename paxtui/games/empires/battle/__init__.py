"""Land combat: `attacks` (declaration), `sides`, `field_combat` (with `choices` of players), `siege`, `outcome`.

Field combat uses public tables. Rules after 7.5.2.5.1 are reconstructed.
"""
