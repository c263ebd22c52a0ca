"""Events and the functions that apply them to a position, by subject. `registry` collects them all."""
