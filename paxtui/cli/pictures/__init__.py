"""Pictures of a map or a screen without a terminal: cells, SVG, PNG. For `picture` and for tests."""
