"""The line for words of the game screen."""

from __future__ import annotations

from textual.widgets import Input


class OrderLine(Input):
    """The line for orders and for finding places."""
