"""Rules of the games: `pax` is Pax Britannica, `empires` the exercises of Empires in Arms. Pure: no I/O, no clock."""
