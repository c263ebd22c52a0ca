"""Treaties from the draft to the breach: signing, what they forbid and demand, charges, what they are worth.

Offers the orders about Treaties, the duties that fall due, and the watch over what signatories do.
"""
