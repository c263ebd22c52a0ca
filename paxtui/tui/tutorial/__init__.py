"""The tutorial: its steps as data, the conditions that end a step, the prompt, the screen that plays it."""
