"""The screen at war: its pane, the map in a war view, and the boxes in which a War is fought and ended.

pane         the War in the side column
view         the sides, lines and dangers of a War laid over a scene of the map
steps        where Units in hand can go in a Maneuver Phase
attack       the odds before an attack, and the order
retreat      where each Unit retreats to
declare      what follows from a declaration, before it is final
spoils       what a victor may place
boxes        which box answers which question
"""
