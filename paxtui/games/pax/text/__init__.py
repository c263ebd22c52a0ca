"""Names of places, Powers and pieces: `display` writes them, `parsing` reads them."""
