"""Disputes between Powers and their solutions: transfers, bills, settlements, and defaults when Negotiation ends."""
