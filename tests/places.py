"""Paths of the repository and of its saved games."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SAVES = ROOT / "saves"
GOLDEN = SAVES / "ten-turns-1880.jsonl"
"""Ten turns of 1880 to 1916, played to the end."""
CONGRESS = SAVES / "congress-eight-seats.jsonl"
"""A Congress of eight seats."""
TEN_TURNS = SAVES / "ten-turns-0.2.0.jsonl"
"""The same scenario under the current rules: its acts can be played again."""
