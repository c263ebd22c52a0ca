"""A whole position: at the start, as a seat sees it, as text."""
