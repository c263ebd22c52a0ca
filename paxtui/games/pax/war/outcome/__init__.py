"""End of a War: `ends` (tests), `resolution` (steps), `spoils`, and `rebellion_end` (of the Chinese Rebellion)."""
