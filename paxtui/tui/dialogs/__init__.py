"""Boxes over a screen, which give one thing back when they close: a menu, an answer, a line picked, a text read."""
