"""Whole positions: the 1880 start (`setup`), patches of it, their text, and the `view` of a seat.

`checks` reads parts of a patch into structs, `reader` and `war_reader` check them, `writer` writes a patch.
"""
