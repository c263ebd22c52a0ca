"""Pictures of a map or a screen without a terminal: cells, SVG, PNG; and charts printed: `stats`."""
