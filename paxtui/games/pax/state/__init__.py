"""The state of a game: pieces, Phases, agreements, Wars, questions and the position. Data only."""
