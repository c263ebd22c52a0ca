"""Political Phase (4): `declarations` of war, `peace`, `alliances` and minor countries. `phase` gives its steps."""
