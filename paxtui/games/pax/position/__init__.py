"""A whole position: set up, patched, written as text, told in a few lines, and seen by a seat.

Offers `new_game`, `view`, `summary`, and the text form of a position both ways.
"""
