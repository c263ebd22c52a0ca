"""Treaties: `lifecycle` (draft to end), `treaty_duties` (what falls due), `breaches`, and `lookup`."""
