"""The way out of every command: `outlet` cleans what goes to a terminal, `faults` tells mistakes in one sentence."""
