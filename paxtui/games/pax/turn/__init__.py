"""The short Phases of a Game Turn: Random Events, administration, Minor Powers, China, Victory Points, final
record.
"""
