"""Bot for the Empires game: armies, fleets and the player that combines them."""
