"""Colours: what each thing is painted in, in every palette, and on a terminal of many, 256 or 16 colours.

    contrast   how well one colour can be read on another, and the nearest one that can
    inks       the colours of Powers, types of Areas and roles, palette by palette
    depth      the colours that a terminal of 256 or 16 has, and what stands for the others there
    palette    a palette: inks and the ground, with the signs that it may show
    themes     the palettes as themes of the app
"""
