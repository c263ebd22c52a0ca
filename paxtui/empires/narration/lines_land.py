"""What is said of corps, depots, supply and field combats."""

from __future__ import annotations

from collections.abc import Mapping

LINES: Mapping[str, str] = {}
