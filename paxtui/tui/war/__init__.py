"""The screen at war: the map in a war view, and the boxes in which a War is fought. Its pane stands with the others.

view      the sides, lines and dangers of a War laid over a scene of the map
steps     where Units in hand can go in a Maneuver Phase
odds      the odds of an attack as a text
attack    an attack before it is ordered
declare   a declaration before it is final, with what follows from it
retreat   where each Unit retreats to
follows   what the answer to a question of War would bring about
"""
