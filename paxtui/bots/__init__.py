"""Players that see only what their seat sees, and answer with texts of the notation.

Offers `steady.play`; the other modules say what it sees, what it weighs and what it risks.
"""
