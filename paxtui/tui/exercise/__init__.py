"""Screen of an exercise of Empires in Arms: `screen`, its `keys`, and the map as `chart` or `painted_map`."""
