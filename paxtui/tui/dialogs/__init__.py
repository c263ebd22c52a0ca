"""Dialogs of the game: `area_menu` (a place), `choice` (a question), `advice`, `reports`, `seats`, `war`."""
