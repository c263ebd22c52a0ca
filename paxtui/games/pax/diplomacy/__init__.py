"""Negotiation: `disputes`, `settlement` of agreements, and `transfers` of money and markers."""
