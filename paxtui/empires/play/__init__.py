"""One decision in progress: what is emitted, asked and refused, how Powers stand, and what a step is."""
