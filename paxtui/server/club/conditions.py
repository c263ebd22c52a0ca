"""Conditions of open tables: whether the result is rated, and who may take a seat."""

from __future__ import annotations

import msgspec

CLUB_FILE = "club.json"
"""Name of the file with seasons, favourites and conditions in the data directory of the server."""


class TableConditions(msgspec.Struct, frozen=True, omit_defaults=True):
    """Conditions of an open table.

    Attributes:
        rated: whether its result counts for ratings.
        in_time: least share of Phases in time of a player who takes a seat, in percent.
        rating: least rating, as its floor; 0 for any.
    """

    rated: bool = True
    in_time: int = 0
    rating: int = 0

    def __str__(self) -> str:
        """The conditions in words: "rated, for players with 90% in time"."""
        asked = [f"{self.in_time}% in time"] if self.in_time else []
        asked += [f"a rating of {self.rating} or more"] if self.rating else []
        who = f", for players with {' and '.join(asked)}" if asked else ""
        return ("rated" if self.rated else "not rated") + who
