"""One decision in progress: the ledgers, the choices put before seats, the Casus Belli, and who may know of what.

Offers `Play`, the only way to make an event happen, and `refuse`.
"""
