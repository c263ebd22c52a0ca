"""Dialogs of the game: menus, choices, advice, reports, seats, War."""
