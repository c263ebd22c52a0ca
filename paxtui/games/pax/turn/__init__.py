"""Short Phases of a Game Turn: Random Events, money, Minor Powers, Chinese Resentment, Victory Points, final record."""
