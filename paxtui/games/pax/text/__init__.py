"""Names of places, Powers and pieces: `display` writes them, `parsing` and `free_text` read them."""
