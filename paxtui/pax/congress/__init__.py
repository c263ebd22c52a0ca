"""The Congress of Europe: its call, its seats and its site, the agenda, the vote, and what comes of it.

Offers the Congress Phase and the order that calls it.
"""
