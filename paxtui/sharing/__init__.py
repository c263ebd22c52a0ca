"""Files for people who have not installed paxtui: a page of a whole game, pictures, a terminal recording, text."""
