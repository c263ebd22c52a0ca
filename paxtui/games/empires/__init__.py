"""Events told, a line each, and a position in a few lines, in our own words."""
