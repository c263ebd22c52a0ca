"""The printed board and what a position makes of it: tables, neighbours, links, paths, pieces left, Status.

Offers `Tables` and questions that anybody may ask of an Area, a Sea Zone or a Power; it judges nothing.
"""
