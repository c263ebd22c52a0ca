"""The menu of a seat: its shape, and the orders in it that need a grammar or a trial of their own.

Offers `Menu`; `paxtui.games.pax.menus.legal` fills it.
"""
