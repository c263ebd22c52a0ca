"""Screens of games by mail: `order_sheet` for a seat, `gamemaster` for who runs the game."""
