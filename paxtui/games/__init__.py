"""Rules of the games: `pax` is Pax Britannica, `empires` is Empires in Arms in part. Pure: no I/O, no clock."""
