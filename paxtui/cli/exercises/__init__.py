"""The commands for exercises of Empires in Arms: begun, played line by line, shown, checked."""
