"""Events told in plain words, a module for each matter.

Offers `narrate.describe`, which gives the line of any event.
"""
