"""Disputes between Powers and how they are settled: agreements, bills, settlements, the Negotiation Phase.

Offers the orders of negotiation and the carrying out of whatever clauses are done at once.
"""
