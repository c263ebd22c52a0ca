"""Screen of an exercise of Empires in Arms: `screen`, its `keys`, and the `chart` of the map."""
