"""Fights outside Wars: the Phases `colonial_combat` and `marker_adjustment`, and `ottoman_expansion`.

`results` has the Combat Results Tables, losses and retreats, which Wars use too.
"""
