"""Play by mail on the command line: `postal` reads what is asked, `desk` is for gamemasters, `player` for players."""
