"""The short Phases of a Game Turn: Random Events, money, Minor Powers, China, Victory Points, the final record.

Offers those Phases and the record sheet with its figures.
"""
