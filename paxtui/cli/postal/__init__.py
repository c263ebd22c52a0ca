"""Play by mail on the command line: `postal` reads what is asked; `desk` is for the gamemaster, `player` for the rest."""
