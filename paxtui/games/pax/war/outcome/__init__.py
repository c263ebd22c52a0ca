"""How a War ends: the end tests, peace by agreement, spoils, and the way home.

Offers `ends.test` and `resolution.resolve`, which the War Sequence calls; `homecoming` brings Units home.
"""
