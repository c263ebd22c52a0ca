"""What `paxtui bench` measures: the core, the screen on a pseudo-terminal, what quick drawing saves; and its ratios."""
