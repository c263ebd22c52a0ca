"""End of a War: `ends` (tests), `resolution` (steps), and `spoils`; and the Chinese `rebellion`, with its beginning."""
