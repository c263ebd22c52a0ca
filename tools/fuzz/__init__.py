"""Random games with legal actions, bots and invalid input, and checks of every position."""
