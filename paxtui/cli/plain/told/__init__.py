"""What the plain mode tells, a matter in each module: agreements, dispatches, a turn, Wars; `text` sets the lines."""
