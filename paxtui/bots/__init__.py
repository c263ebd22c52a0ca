"""Bots for all games. A bot sees only what its seat sees and acts with order notation."""
