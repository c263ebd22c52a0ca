"""The Congress of Europe: its call, its seats and its site, the agenda, the vote, and what comes of it. Where
it fails, `to_arms` asks who declares War before markers go.

Offers the Congress Phase and the order that calls it.
"""
