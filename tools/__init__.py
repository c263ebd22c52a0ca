"""Programs for development: measurements, random games, random keys and planted faults. Not installed."""
